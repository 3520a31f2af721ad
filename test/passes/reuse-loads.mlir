// RUN: npcc-opt %s --npcc-clean-loops | FileCheck %s

// What is known is not loaded again: from a load, from a store, past a store to another array, and in a branch.
// CHECK-LABEL: func.func @known
// CHECK:       np.kernel
// CHECK:         %[[U:.*]] = memref.load %arg0[%[[I:.*]]]
// CHECK-NOT:     memref.load
// CHECK:         memref.store %{{.*}}, %[[NEW:.*]][%[[I]]]
// CHECK-NOT:     memref.load
// CHECK:         memref.store %{{.*}}, %arg1[%[[I]]]
func.func @known(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %c: i1) -> memref<?xf64> {
  %z = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %w = arith.addf %u, %u : f64
    memref.store %w, %z[%i] : memref<?xf64>
    %v = memref.load %x[%i] : memref<?xf64>
    %s = memref.load %z[%i] : memref<?xf64>
    %b = scf.if %c -> (f64) {
      %again = memref.load %x[%i] : memref<?xf64>
      scf.yield %again : f64
    } else {
      scf.yield %s : f64
    }
    %r = arith.mulf %b, %v : f64
    memref.store %r, %y[%i] : memref<?xf64>
  }
  return %z : memref<?xf64>
}

// Not what a store between, the iteration before, or an argument that may overlap has changed, nor in a kernel what the host has waited for.
// CHECK-LABEL: func.func @changed
// CHECK:       memref.load %arg0[%arg3]
// CHECK:       np.kernel
// CHECK:         memref.load %arg0[%arg3]
// CHECK:         memref.store %{{.*}}, %arg1
// CHECK:         memref.load %arg0[%arg3]
// CHECK:         scf.for
// CHECK:           memref.load %arg0[%arg3]
// CHECK:           memref.store %{{.*}}, %arg0
func.func @changed(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %k: index) -> f64 attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.load %x[%k] : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%k] : memref<?xf64>
    memref.store %u, %y[%i] : memref<?xf64>
    %v = memref.load %x[%k] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %w = memref.load %x[%k] : memref<?xf64>
      %d = arith.addf %w, %w : f64
      memref.store %d, %x[%j] : memref<?xf64>
    }
  }
  return %h : f64
}

// The greater of two integers.
// CHECK-LABEL: func.func @extrema
// CHECK-DAG:   arith.maxsi %arg0, %arg1
// CHECK-DAG:   arith.minui %arg0, %arg1
func.func @extrema(%a: i64, %b: i64) -> (i64, i64) {
  %0 = arith.cmpi sgt, %a, %b : i64
  %1 = arith.select %0, %a, %b : i64
  %2 = arith.cmpi uge, %a, %b : i64
  %3 = arith.select %2, %b, %a : i64
  return %1, %3 : i64, i64
}

// What is stored over at once is not stored; what may be read, or left behind by an error, is.
// CHECK-LABEL: func.func @overwritten
// CHECK:       np.kernel
// CHECK-NEXT:    memref.store
// CHECK-NEXT:  }
// CHECK:       np.kernel
// CHECK:         memref.store
// CHECK:         np.check_index
// CHECK:         memref.store
// CHECK:       np.kernel
// CHECK:         memref.store
// CHECK:         memref.load %arg1
// CHECK:         memref.store
func.func @overwritten(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %a: f64) attributes {np.general} {
  np.kernel (%i) = (%n) {
    memref.store %a, %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %a : f64
    memref.store %b, %x[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    memref.store %a, %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %a : f64
    %p = np.check_index %i of %n axis 0
    memref.store %b, %x[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    memref.store %a, %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    memref.store %b, %x[%i] : memref<?xf64>
  }
  return
}

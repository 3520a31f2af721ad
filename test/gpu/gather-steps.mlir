// Small kernels that follow each other are one kernel of one block; arrays between them are made before and given back
// after.
// RUN: npcc-opt %s --npcc-gather-steps | FileCheck %s

// CHECK-LABEL: func.func @norm
// CHECK:       %[[SUM:.*]] = np.alloc
// CHECK:       np.alternatives "kernels in one block" {{.*}} {
// CHECK:         np.kernel steps (%{{.*}}) = (%c1
// CHECK:           scf.for
// CHECK:             scf.parallel {{.*}} -> f64
// CHECK:             memref.store %{{.*}}, %[[SUM]]
// CHECK:             scf.parallel
// CHECK:       } or {
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}})
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}})
// CHECK:       }
// CHECK:       np.release %[[SUM]]
func.func @norm(%x: memref<?xf64> {np.first = array<i64: 500, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %sum = np.alloc() : memref<f64>
  np.kernel (%u) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %e = memref.load %x[%i] : memref<?xf64>
      %p = arith.mulf %e, %e : f64
      scf.reduce(%p : f64) {
      ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  np.kernel (%i) = (%n) {
    %e = memref.load %x[%i] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %r = math.sqrt %s : f64
    %q = arith.divf %e, %r : f64
    memref.store %q, %x[%i] : memref<?xf64>
  }
  np.release %sum : memref<f64>
  return
}

// What is large, or nothing is known of, or raises an error, is launched by itself; and so is what stands alone between
// such kernels.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   np.choice
// CHECK:       return
func.func @others(%x: memref<?xf64> {np.first = array<i64: 50000, 0>}, %y: memref<?xf64> {np.first = array<i64: 50, 0>}, %v: f64, %is: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %m = memref.dim %y, %c0 : memref<?xf64>
  np.kernel (%i) = (%m) {
    memref.store %v, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    memref.store %v, %x[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    %e = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %e, %v : f64
    memref.store %p, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    np.assert %is, "ValueError" "no"()
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @unknown
// CHECK-NOT:   np.choice
func.func @unknown(%x: memref<?xf64>, %v: f64) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %v, %x[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %e = memref.load %x[%i] : memref<?xf64>
    memref.store %e, %x[%i] : memref<?xf64>
  }
  return
}

// What the host does to elements between kernels goes with them: a number that it would wait for, and a check of that.
// CHECK-LABEL: func.func @pivot
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel
// CHECK:           scf.parallel
// CHECK:           memref.load
// CHECK:           np.assert
// CHECK:           scf.parallel
// CHECK:       } or {
// CHECK:         np.kernel
// CHECK:         %[[E:.*]] = memref.load
// CHECK:         np.assert
// CHECK:         np.kernel
func.func @pivot(%x: memref<?xf64> {np.first = array<i64: 50, 0>}) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %x[%i] : memref<?xf64>
    %s = math.sqrt %e : f64
    memref.store %s, %x[%i] : memref<?xf64>
  }
  %e = memref.load %x[%c0] : memref<?xf64>
  %is = arith.cmpf une, %e, %z : f64
  np.assert %is, "LinAlgError" "Singular matrix"()
  np.kernel (%i) = (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
    %q = arith.divf %v, %e : f64
    memref.store %q, %x[%i] : memref<?xf64>
  }
  return
}

// Not where the host needs the number itself.
// CHECK-LABEL: func.func @given
// CHECK-NOT:   np.choice
// CHECK:       return
func.func @given(%x: memref<?xf64> {np.first = array<i64: 50, 0>}, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %v, %x[%i] : memref<?xf64>
  }
  %e = memref.load %x[%c0] : memref<?xf64>
  return %e : f64
}

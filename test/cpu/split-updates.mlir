// RUN: npcc-opt %s --npcc-split-updates --canonicalize --mlir-print-local-scope | FileCheck %s

// A quotient says which element: all of them are computed first. Outside of the bins there is none.
// CHECK-LABEL: func.func @histogram
// CHECK:       %[[AT:.*]] = np.alloc(%[[N:.*]]) : memref<?xi64>
// CHECK:       np.kernel (%[[I:.*]]) = (%[[N]])
// CHECK:         %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK:         %[[Q:.*]] = arith.divf %[[X]], %arg2
// CHECK:         %[[P:.*]] = arith.fptosi %[[Q]] : f64 to i64
// CHECK:         %[[INSIDE:.*]] = arith.cmpf ole, %[[X]], %arg2
// CHECK:         %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[P]], %c-9223372036854775808_i64
// CHECK:         memref.store %[[PLACE]], %[[AT]][%[[I]]]
// CHECK:       np.kernel (%[[J:.*]]) = (%[[N]])
// CHECK:         %[[KNOWN:.*]] = memref.load %[[AT]][%[[J]]]
// CHECK:         %[[IS:.*]] = arith.cmpi ne, %[[KNOWN]], %c-9223372036854775808_i64
// CHECK:         %[[POSITION:.*]] = arith.index_cast %[[KNOWN]] : i64 to index
// CHECK-NOT:     arith.divf
// CHECK:         scf.if %[[IS]]
// CHECK:           %[[C:.*]] = np.check_index %[[POSITION]]
// CHECK:           memref.atomic_rmw addi %c1_i64, %arg1[%[[C]]]
// CHECK:       np.release %[[AT]]
func.func @histogram(%x: memref<?xf64>, %out: memref<?xi64>, %width: f64) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %bins = memref.dim %out, %c0 : memref<?xi64>
  np.kernel (%i) = (%n) {
    %a = memref.load %x[%i] : memref<?xf64>
    %inside = arith.cmpf ole, %a, %width : f64
    scf.if %inside {
      %q = arith.divf %a, %width : f64
      %k = arith.fptosi %q : f64 to i64
      %p = arith.index_cast %k : i64 to index
      %c = np.check_index %p of %bins axis 0
      %old = memref.atomic_rmw addi %v, %out[%c] : (i64, memref<?xi64>) -> i64
    }
  }
  return
}

// What takes no longer than a store and a load stays where it is, and so does what reads an element only where a condition
// holds.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-2: np.kernel
// CHECK-NOT:   np.kernel
func.func @stay(%x: memref<?xindex>, %out: memref<?xi64>, %y: memref<?xf64>, %width: f64) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %v, %out[%p] : (i64, memref<?xi64>) -> i64
  }
  np.kernel (%i) = (%n) {
    %e = memref.load %x[%i] : memref<?xindex>
    %inside = arith.cmpi ult, %e, %n : index
    scf.if %inside {
      %a = memref.load %y[%e] : memref<?xf64>
      %q = arith.divf %a, %width : f64
      %k = arith.fptosi %q : f64 to i64
      %p = arith.index_cast %k : i64 to index
      %old = memref.atomic_rmw addi %v, %out[%p] : (i64, memref<?xi64>) -> i64
    }
  }
  return
}

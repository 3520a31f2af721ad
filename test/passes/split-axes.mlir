// RUN: npcc-opt %s --npcc-split-axes | FileCheck %s

// The elements of a matrix by their number: two loops, and the number is that of the row and of the column.
// CHECK-LABEL: func.func @ravel
// CHECK:       np.kernel (%[[R:.*]], %[[C:.*]]) = (%arg2, %arg3) {
// CHECK:         %[[FROM:.*]] = arith.muli %[[R]], %arg3
// CHECK:         %[[I:.*]] = arith.addi %[[FROM]], %[[C]]
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
// CHECK:         %[[X:.*]] = memref.load %arg0[%[[R]], %[[C]]]
// CHECK:         memref.store %[[X]], %arg1[%[[I]]]
func.func @ravel(%a: memref<?x?xf64, strided<[?, 1]>>, %y: memref<?xf64>, %rows: index, %columns: index) attributes {np.target = "cpu"} {
  %n = arith.muli %rows, %columns : index
  np.kernel (%i) = (%n) {
    %r = arith.divui %i, %columns : index
    %c = arith.remui %i, %columns : index
    %x = memref.load %a[%r, %c] : memref<?x?xf64, strided<[?, 1]>>
    memref.store %x, %y[%i] : memref<?xf64>
  }
  return
}

// Three axes, one after the other, behind one that stays.
// CHECK-LABEL: func.func @three
// CHECK:       np.kernel (%[[K:.*]], %[[P:.*]], %[[Q:.*]], %[[R:.*]]) = (%arg2, %arg3, %arg4, %arg5) {
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
// CHECK:         memref.load %arg0[%[[P]], %[[Q]], %[[R]]]
func.func @three(%a: memref<?x?x?xf64, strided<[?, ?, 1]>>, %y: memref<?x?xf64>, %k: index, %p: index, %q: index, %r: index) attributes {np.target = "cpu"} {
  %pq = arith.muli %p, %q : index
  %n = arith.muli %pq, %r : index
  np.kernel (%l, %i) = (%k, %n) {
    %c = arith.remui %i, %r : index
    %rest = arith.divui %i, %r : index
    %b = arith.remui %rest, %q : index
    %f = arith.divui %rest, %q : index
    %x = memref.load %a[%f, %b, %c] : memref<?x?x?xf64, strided<[?, ?, 1]>>
    memref.store %x, %y[%l, %i] : memref<?x?xf64>
  }
  return
}

// Rows of three are no loops; what is no factor of the extent is no row; and sums keep their order.
// CHECK-LABEL: func.func @others
// CHECK:       np.kernel (%{{.*}}) = (%c12
// CHECK:       np.kernel (%{{.*}}) = (%arg2)
// CHECK:       np.kernel (%{{.*}}) = (%c1
func.func @others(%a: memref<?x?xf64, strided<[?, 1]>>, %y: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%c12) {
    %r = arith.divui %i, %c3 : index
    %c = arith.remui %i, %c3 : index
    %x = memref.load %a[%r, %c] : memref<?x?xf64, strided<[?, 1]>>
    memref.store %x, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %r = arith.divui %i, %m : index
    %c = arith.remui %i, %m : index
    %x = memref.load %a[%r, %c] : memref<?x?xf64, strided<[?, 1]>>
    memref.store %x, %y[%i] : memref<?xf64>
  }
  %nm = arith.muli %n, %m : index
  np.kernel (%u) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%nm) step (%c1) init (%zero) -> f64 {
      %r = arith.divui %i, %m : index
      %c = arith.remui %i, %m : index
      %x = memref.load %a[%r, %c] : memref<?x?xf64, strided<[?, 1]>>
      scf.reduce(%x : f64) {
      ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %y[%u] : memref<?xf64>
  }
  return
}

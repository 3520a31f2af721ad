// RUN: npcc-opt %s --npcc-clean-loops | FileCheck %s
// The number of an element, counted over two axes and divided by the extent of the second, is the positions that it was made of.

// CHECK-LABEL: func @elements
// CHECK:       np.kernel (%[[I:.*]], %[[J:.*]]) = (%arg2, %c4)
// CHECK-NOT:     arith.divui
// CHECK-NOT:     arith.remui
// CHECK:         memref.load %arg0[%[[I]], %[[J]]]
// CHECK:         memref.load %arg0[%[[I]], %c3]
// CHECK:         memref.load %arg0[%[[I]], %c0]
// CHECK:         memref.load %arg0[%c0, %[[J]]]
// CHECK:       return
func.func @elements(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  np.kernel (%i, %j) = (%n, %c4) {
    %first = arith.muli %i, %c4 : index
    %number = arith.addi %first, %j : index
    %row = arith.divui %number, %c4 : index
    %column = arith.remui %number, %c4 : index
    %x = memref.load %a[%row, %column] : memref<?x?xf64>
    %other = arith.addi %first, %c3 : index
    %othersRow = arith.divui %other, %c4 : index
    %othersColumn = arith.remui %other, %c4 : index
    %y = memref.load %a[%othersRow, %othersColumn] : memref<?x?xf64>
    %zero = arith.remui %first, %c4 : index
    %z = memref.load %a[%i, %zero] : memref<?x?xf64>
    %none = arith.divui %j, %c4 : index
    %same = arith.remui %j, %c4 : index
    %w = memref.load %a[%none, %same] : memref<?x?xf64>
    %s = arith.addf %x, %y : f64
    %t = arith.addf %s, %z : f64
    %u = arith.addf %t, %w : f64
    memref.store %u, %b[%i, %j] : memref<?x?xf64>
  }
  return
}

// Not where the second position may be as many as the extent, or a number may be negative.
// CHECK-LABEL: func @others
// CHECK:       arith.divui
// CHECK:       np.kernel
// CHECK:         arith.divui
// CHECK:       return
func.func @others(%a: memref<?x?xf64>, %n: index, %k: index) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  np.kernel (%i, %j) = (%n, %c5) {
    %first = arith.muli %i, %c4 : index
    %number = arith.addi %first, %j : index
    %row = arith.divui %number, %c4 : index
    %scaled = arith.muli %k, %c4 : index
    %column = arith.divui %scaled, %c4 : index
    %x = memref.load %a[%row, %column] : memref<?x?xf64>
    memref.store %x, %a[%i, %j] : memref<?x?xf64>
  }
  return
}

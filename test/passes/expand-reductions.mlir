// Reductions along a few elements are expressions of them.
// RUN: npcc-opt %s --npcc-expand-reductions --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @few
// CHECK:         %[[X:.*]] = np.view
// CHECK-NOT:     np.reduce
// CHECK:         %[[A:.*]] = np.view %[[X]] offsets[%c0, %c0] axes [0]
// CHECK:         %[[B:.*]] = np.view %[[X]] offsets[%c0, %c1] axes [0]
// CHECK:         %[[AB:.*]] = np.ufunc "add"(%[[A]], %[[B]])
// CHECK:         %[[C:.*]] = np.view %[[X]] offsets[%c0, %c2] axes [0]
// CHECK:         np.ufunc "add"(%[[AB]], %[[C]])
func.func @few(%source: !np.array<?x?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %all = np.load %source : !np.array<?x?xf64> -> tensor<?x?xf64>
  %x = np.view %all offsets[%c0, %c0] axes [0, 1] extents[%n, %c3] steps[%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %s = np.reduce "add" %x axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// Of how many is not known, and the position of the largest.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: np.reduce
func.func @others(%x: tensor<?x?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = np.view %x offsets[%c0, %c0] axes [0, 1] extents[%n, %c3] steps[%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %s = np.reduce "add" %x axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  %p = np.reduce "argmax" %y axes [1] : tensor<?x?xf64> -> tensor<?xi64>
  return %s, %p : tensor<?xf64>, tensor<?xi64>
}

// A copy in the same shape found its elements by divisions: its extents were read twice and not known to be equal.
// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// CHECK-LABEL: func.func @copy
// CHECK-NOT:   arith.divui
// CHECK:       memref.load %arg0[%[[J:.*]], %[[I:.*]]]
// CHECK:       memref.store %{{.*}}[%[[I]], %[[J]]]
func.func @copy(%x: !np.array<?x?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : !np.array<?x?xf64>
  %m = np.dim %x, 1 : !np.array<?x?xf64>
  %t = np.view %x offsets[%c0, %c0] axes [1, 0] extents[%m, %n] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
  %a = np.load %t : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
  %r = np.reshape %a extents[%m, %n] : tensor<?x?xf64> -> tensor<?x?xf64>
  %y = np.new %r : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %y : !np.array<?x?xf64>
}

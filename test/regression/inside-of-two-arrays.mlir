// The insides of two arrays met as if one of them might be stretched: their extents are equal where the arrays' are.
// RUN: npcc-opt %s --npcc-resolve-extents | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK-SAME:    np.guards = array<i64: 0, 0, 1, 0>
// CHECK-NOT:   np.broadcast
// CHECK:       np.store
func.func @f(%a: !np.array<?xf64>, %b: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  %m = np.dim %b, 0 : !np.array<?xf64>
  %n2 = arith.subi %n, %c2 : index
  %m2 = arith.subi %m, %c2 : index
  %ni = arith.maxsi %n2, %c0 : index
  %mi = arith.maxsi %m2, %c0 : index
  %v = np.view %a offsets[%c1] axes [0] extents[%ni] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %w = np.view %b offsets[%c1] axes [0] extents[%mi] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  np.store %x, %w : tensor<?xf64>, !np.array<?xf64>
  return
}

// Extents that an assertion says are equal met as if one of them might be 1.
// RUN: npcc-opt %s --npcc-resolve-extents | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK:       np.assert
// CHECK-NOT:   np.broadcast
// CHECK:       np.ufunc "multiply"
func.func @f(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %i: index, %j: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = np.view %a offsets[%c0] axes [0] extents[%i] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %w = np.view %b offsets[%c0] axes [0] extents[%j] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %same = arith.cmpi eq, %j, %i : index
  np.assert %same, "ValueError" "sizes {0} and {1} differ"(%i, %j) : index, index
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %w : !np.array<?xf64> -> tensor<?xf64>
  %p = np.ufunc "multiply"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %p : tensor<?xf64>
}

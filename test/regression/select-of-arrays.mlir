// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A branch that hands on one of two arrays folds to a choice of references; it was neither lowered nor counted.

// CHECK-LABEL: func @choose
// CHECK: %[[R:.*]] = arith.select %arg2, %arg0, %arg1 : memref<?xf64>
// CHECK: np.retain %[[R]]
// CHECK: return %[[R]]
func.func @choose(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %c: i1) -> !np.array<?xf64> {
  %r = arith.select %c, %a, %b : !np.array<?xf64>
  return %r : !np.array<?xf64>
}

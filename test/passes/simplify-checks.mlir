// RUN: npcc-opt %s --allow-unregistered-dialect --npcc-simplify-checks | FileCheck %s

// CHECK-LABEL: func @within
// CHECK-NOT: np.check_index
func.func @within(%a: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %p = np.check_index %i of %n axis 0
    "test.use"(%p) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func @once
// CHECK: np.check_index
// CHECK-NOT: np.check_index
func.func @once(%i: index, %n: index) {
  %p = np.check_index %i of %n axis 0
  %q = np.check_index %i of %n axis 0
  "test.use"(%p, %q) : (index, index) -> ()
  return
}

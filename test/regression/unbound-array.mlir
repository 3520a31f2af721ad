// RUN: npcc-opt %s --npcc-fuse --npcc-count-references | FileCheck %s
// An array that is not bound on one path had no memory.

// CHECK-LABEL: func @maybe
// CHECK: scf.if
// CHECK: } else {
// CHECK: np.alloc(%c0
// CHECK: scf.yield
func.func @maybe(%a: !np.array<?xf64>, %c: i1) -> !np.array<?xf64> {
  %r = scf.if %c -> (!np.array<?xf64>) {
    scf.yield %a : !np.array<?xf64>
  } else {
    %p = ub.poison : !np.array<?xf64>
    scf.yield %p : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

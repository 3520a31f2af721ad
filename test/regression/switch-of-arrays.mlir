// RUN: npcc-opt %s --npcc-raise-names | FileCheck %s
// A loop with two exits leaves a switch of arrays, which no later pass knew.

// CHECK-LABEL: func @choose
// CHECK-NOT: scf.index_switch
// CHECK: %[[IS1:.*]] = arith.cmpi eq
// CHECK: arith.select %[[IS1]], %arg1, %arg2
func.func @choose(%k: index, %a: !np.array<?xf64>, %b: !np.array<?xf64>) -> !np.array<?xf64> {
  %r = scf.index_switch %k -> !np.array<?xf64>
  case 1 {
    scf.yield %a : !np.array<?xf64>
  }
  default {
    scf.yield %b : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

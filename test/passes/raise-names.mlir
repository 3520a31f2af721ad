// RUN: npcc-opt %s --npcc-raise-names | FileCheck %s
// A swap of two names in a loop is two carried arrays that change places: nothing is copied.

// CHECK-LABEL: func @swap
// CHECK-SAME: (%[[U:.*]]: !np.array<?xf64>, %[[V:.*]]: !np.array<?xf64>, %[[N:.*]]: index)
func.func @swap(%u: !np.array<?xf64>, %v: !np.array<?xf64>, %n: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %us = np.var "u" : !np.slot<!np.array<?xf64>>
  %vs = np.var "v" : !np.slot<!np.array<?xf64>>
  np.set %u, %us : !np.slot<!np.array<?xf64>>
  np.set %v, %vs : !np.slot<!np.array<?xf64>>
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[U]], %[[B:.*]] = %[[V]])
  // CHECK: np.load %[[A]]
  // CHECK: np.store %{{.*}}, %[[B]]
  // CHECK: scf.yield %[[B]], %[[A]]
  %a = np.get %us : !np.slot<!np.array<?xf64>>
  %b = np.get %vs : !np.slot<!np.array<?xf64>>
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  np.store %x, %b : tensor<?xf64>, !np.array<?xf64>
  np.set %b, %us : !np.slot<!np.array<?xf64>>
  np.set %a, %vs : !np.slot<!np.array<?xf64>>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^done:
  // CHECK: return %[[LOOP]]#0
  // CHECK-NOT: np.var
  %r = np.get %us : !np.slot<!np.array<?xf64>>
  return %r : !np.array<?xf64>
}

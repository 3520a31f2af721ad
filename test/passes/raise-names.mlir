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

// The counter behind a loop that counts is the first one that is not below the bound.
// CHECK-LABEL: func @counter
// CHECK-SAME: (%[[N:.*]]: i64)
func.func @counter(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  cf.br ^header(%c0 : i64)
^header(%j: i64):
  %more = arith.cmpi slt, %j, %n : i64
  cf.cond_br %more, ^body, ^done
^body:
  // CHECK: scf.for %{{.*}} = %c0_i64 to %[[N]] step %c3_i64
  func.call @use(%j) : (i64) -> ()
  %next = arith.addi %j, %c3 : i64
  cf.br ^header(%next : i64)
^done:
  // CHECK: %[[LAST:.*]] = arith.maxsi %[[N]], %c0_i64
  // CHECK: %[[COUNT:.*]] = arith.ceildivui %[[LAST]], %c3_i64
  // CHECK: %[[BEHIND:.*]] = arith.muli %[[COUNT]], %c3_i64
  // CHECK: return %[[BEHIND]]
  return %j : i64
}

// Any step that is no positive constant may count down.
// CHECK-LABEL: func @unknown_step
// CHECK: scf.while
// CHECK-NOT: scf.for
func.func @unknown_step(%n: i64, %step: i64) -> i64 {
  cf.br ^header(%step : i64)
^header(%j: i64):
  %more = arith.cmpi slt, %j, %n : i64
  cf.cond_br %more, ^body, ^done
^body:
  %next = arith.addi %j, %step : i64
  cf.br ^header(%next : i64)
^done:
  return %j : i64
}

// Two names of one value: both are carried.
// CHECK-LABEL: func @two_names
// CHECK: %[[BOTH:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[TWICE:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: scf.yield %[[TWICE]], %[[TWICE]]
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @two_names(%x0: f64, %y0: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^header(%c0, %x0, %y0 : index, f64, f64)
^header(%i: index, %x: f64, %y: f64):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %twice = arith.addf %x, %x : f64
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next, %twice, %twice : index, f64, f64)
^done:
  return %x, %y : f64, f64
}
func.func private @use(i64)

// A loop that is left once a mask has no element asks the mask once in a block of iterations.
// RUN: npcc-opt %s --npcc-ask-in-blocks | FileCheck %s

// A mask that is computed of what iterations change at its elements: the iterations of a block do not ask.
// CHECK-LABEL: func.func @computed(
// CHECK:         scf.while (%[[K:.*]] = %c0, %[[LENGTH:.*]] = %c16) : (index, index) -> (index, index)
// CHECK:           np.reduce "logical_or"
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %[[LENGTH]]
// CHECK:         ^bb0(%[[NOW:.*]]: index, %[[MOST:.*]]: index):
// CHECK:           np.store_masked
// CHECK:           %[[NEXT:.*]] = arith.addi %[[NOW]], %c1
// CHECK:           %[[TWICE:.*]] = arith.addi %[[MOST]], %[[MOST]]
// CHECK:           %[[LONGER:.*]] = arith.minsi %[[TWICE]], %c1024
// CHECK:           %[[LEFT:.*]] = arith.subi %arg2, %[[NEXT]]
// CHECK:           %[[COUNT:.*]] = arith.minsi %[[MOST]], %{{.*}}
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %[[COUNT]]
// CHECK:             np.store_masked
// CHECK:           }
// CHECK:           %[[END:.*]] = arith.addi %[[NEXT]], %[[COUNT]]
// CHECK:           scf.yield %[[END]], %[[LONGER]]
func.func @computed(%z: !np.array<?xf64>, %c: !np.array<?xf64>, %n: index, %limit: f64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %end = scf.while (%k = %c0) : (index) -> index {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %any = np.reduce "logical_or" %inside axes [0] : tensor<?xi1> -> tensor<i1>
    %is = np.item %any : tensor<i1> -> i1
    %more = arith.cmpi slt, %k, %n : index
    %goes = arith.andi %is, %more : i1
    scf.condition(%goes) %k : index
  } do {
  ^bb0(%k: index):
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %b = np.load %c : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %next = np.ufunc "add"(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store_masked %next, %inside, %z : tensor<?xf64>, tensor<?xi1>, !np.array<?xf64>
    %one = arith.addi %k, %c1 : index
    scf.yield %one : index
  }
  return
}

// A mask that goes round and loses elements, counted at the end of an iteration, and no counter: a block is as long as
// it is. Its arrays are its own.
// CHECK-LABEL: func.func @carried(
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %c16)
// CHECK:           np.reduce "add"
// CHECK:           scf.condition
// CHECK:         ^bb0(%[[Z:.*]]: !np.array<?xf64>, %[[MASK:.*]]: !np.array<?xi1>, %[[LENGTH:.*]]: index):
// CHECK:           %[[LOADED:.*]] = np.load %[[Z]]
// CHECK:           %[[OWN:.*]] = np.new %[[LOADED]]
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[LENGTH]] step %{{.*}} iter_args(%{{.*}} = %[[OWN]], %{{.*}} = %{{.*}})
// CHECK:             np.ufunc "where"
// CHECK:             scf.yield
// CHECK:         np.load %{{.*}}#0
func.func @carried(%z0: !np.array<?xf64>, %m0: !np.array<?xi1>, %limit: f64) -> tensor<?xf64> attributes {np.target = "cuda"} {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%z = %z0, %m = %m0) : (!np.array<?xf64>, !np.array<?xi1>) -> (!np.array<?xf64>, !np.array<?xi1>) {
    %left = np.load %m : !np.array<?xi1> -> tensor<?xi1>
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %b = np.ufunc "multiply"(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %inside = np.ufunc "less"(%b, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %next = np.ufunc "where"(%left, %b, %a) : (tensor<?xi1>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %still = np.ufunc "bitwise_and"(%left, %inside) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
    %numbers = np.cast %still : tensor<?xi1> -> tensor<?xi64>
    %sum = np.reduce "add" %numbers axes [0] : tensor<?xi64> -> tensor<i64>
    %count = np.item %sum : tensor<i64> -> i64
    %goes = arith.cmpi ne, %count, %zero : i64
    %y = np.new %next : tensor<?xf64> -> !np.array<?xf64>
    %w = np.new %still : tensor<?xi1> -> !np.array<?xi1>
    scf.condition(%goes) %y, %w : !np.array<?xf64>, !np.array<?xi1>
  } do {
  ^bb0(%z: !np.array<?xf64>, %m: !np.array<?xi1>):
    scf.yield %z, %m : !np.array<?xf64>, !np.array<?xi1>
  }
  %last = np.load %r#0 : !np.array<?xf64> -> tensor<?xf64>
  return %last : tensor<?xf64>
}

// What iterations store to all elements, and how many there were, tell when the loop was left.
// CHECK-LABEL: func.func @tells(
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (index) -> index
// CHECK-NOT:     scf.for
// CHECK-LABEL: func.func @stores(
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (index) -> index
// CHECK-NOT:     scf.for
func.func @tells(%z: !np.array<?xf64>, %n: index, %limit: f64) -> index attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%k = %c0) : (index) -> index {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %any = np.reduce "logical_or" %inside axes [0] : tensor<?xi1> -> tensor<i1>
    %is = np.item %any : tensor<i1> -> i1
    scf.condition(%is) %k : index
  } do {
  ^bb0(%k: index):
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %next = np.ufunc "add"(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store_masked %next, %inside, %z : tensor<?xf64>, tensor<?xi1>, !np.array<?xf64>
    %one = arith.addi %k, %c1 : index
    scf.yield %one : index
  }
  return %end : index
}
func.func @stores(%z: !np.array<?xf64>, %n: index, %limit: f64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%k = %c0) : (index) -> index {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %any = np.reduce "logical_or" %inside axes [0] : tensor<?xi1> -> tensor<i1>
    %is = np.item %any : tensor<i1> -> i1
    scf.condition(%is) %k : index
  } do {
  ^bb0(%k: index):
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %next = np.ufunc "add"(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %next, %z : tensor<?xf64>, !np.array<?xf64>
    %one = arith.addi %k, %c1 : index
    scf.yield %one : index
  }
  return
}

// An array that goes round as it is stays the same one, which others may have.
// CHECK-LABEL: func.func @same(
// CHECK:         ^bb0(%[[Z:.*]]: !np.array<?xf64>, %[[LENGTH:.*]]: index):
// CHECK-NOT:       np.new
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[LENGTH]] step %{{.*}} {
// CHECK:             np.store_masked %{{.*}}, %{{.*}}, %[[Z]]
// CHECK:           scf.yield %[[Z]], %{{.*}}
func.func @same(%z0: !np.array<?xf64>, %limit: f64) attributes {np.target = "cuda"} {
  %r = scf.while (%z = %z0) : (!np.array<?xf64>) -> (!np.array<?xf64>) {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %any = np.reduce "logical_or" %inside axes [0] : tensor<?xi1> -> tensor<i1>
    %is = np.item %any : tensor<i1> -> i1
    scf.condition(%is) %z : !np.array<?xf64>
  } do {
  ^bb0(%z: !np.array<?xf64>):
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %inside = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %next = np.ufunc "add"(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store_masked %next, %inside, %z : tensor<?xf64>, tensor<?xi1>, !np.array<?xf64>
    scf.yield %z : !np.array<?xf64>
  }
  return
}

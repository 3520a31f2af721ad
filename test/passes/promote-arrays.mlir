// RUN: npcc-opt %s --npcc-promote-arrays | FileCheck %s

// A new array that is stored into in straight line and returned is a value until the return.
// CHECK-LABEL: func @interior
// CHECK: %[[ZERO:.*]] = np.full
// CHECK-NOT: np.store
// CHECK: %[[V:.*]] = np.insert %{{.*}} into %[[ZERO]]
// CHECK: %[[A:.*]] = np.new %[[V]]
// CHECK: return %[[A]]
func.func @interior(%x: tensor<?xf64>, %n: index, %m: index) -> !np.array<?xf64> {
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %zeros = np.full %f0 extents [%n] : f64 -> tensor<?xf64>
  %a = np.new %zeros : tensor<?xf64> -> !np.array<?xf64>
  %v = np.view %a offsets [%c1] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  np.store %x, %v : tensor<?xf64>, !np.array<?xf64, strided>
  return %a : !np.array<?xf64>
}

// A mask stores a choice.
// CHECK-LABEL: func @masked
// CHECK: np.ufunc "where"(%{{.*}}, %arg0, %{{.*}})
// CHECK-NOT: np.store_masked
func.func @masked(%x: tensor<?xf64>, %m: tensor<?xi1>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %a = np.new %y : tensor<?xf64> -> !np.array<?xf64>
  np.store_masked %x, %m, %a : tensor<?xf64>, tensor<?xi1>, !np.array<?xf64>
  %r = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// An array that a loop stores into stays memory.
// CHECK-LABEL: func @loop
// CHECK: np.new
// CHECK: np.store
func.func @loop(%x: tensor<?xf64>, %n: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    np.store %x, %a : tensor<?xf64>, !np.array<?xf64>
  }
  return %a : !np.array<?xf64>
}

// A value of fewer axes is stored into each row.
// CHECK-LABEL: func @store_of_fewer_axes
// CHECK: %[[B:.*]] = np.broadcast
// CHECK: np.new %[[B]]
func.func @store_of_fewer_axes(%x: tensor<?x?xf64>, %y: tensor<?xf64>) -> !np.array<?x?xf64> {
  %a = np.new %x : tensor<?x?xf64> -> !np.array<?x?xf64>
  np.store %y, %a : tensor<?xf64>, !np.array<?x?xf64>
  return %a : !np.array<?x?xf64>
}

// Read with other axes, it is a value of these.
// CHECK-LABEL: func @reshaped
// CHECK-NOT: np.new
// CHECK: %[[R:.*]] = np.reshape %arg0 extents[%arg1, %arg2] : tensor<?xf64> -> tensor<?x?xf64>
// CHECK: np.reduce "add" %[[R]]
func.func @reshaped(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %a = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %b = np.reshape %a extents[%n, %m] : !np.array<?xf64> -> !np.array<?x?xf64>
  %v = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = np.reduce "add" %v axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// Stored into with other axes, it is memory.
// CHECK-LABEL: func @stored_reshaped
// CHECK: np.new
// CHECK: np.store
func.func @stored_reshaped(%x: tensor<?xf64>, %y: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %a = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %b = np.reshape %a extents[%n, %m] : !np.array<?xf64> -> !np.array<?x?xf64>
  np.store %y, %b : tensor<?x?xf64>, !np.array<?x?xf64>
  %v = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  return %v : tensor<?xf64>
}

// What is loaded only to be stored again is read by nobody.
// CHECK-LABEL: func @changed_and_dropped
// CHECK-NOT: np.{{new|load|ufunc|store}}
// CHECK: return
func.func @changed_and_dropped(%x: tensor<?xf64>, %m: index) {
  %c1 = arith.constant 1 : index
  %f3 = arith.constant 3.0 : f64
  %a = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %v = np.view %a offsets [%c1] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %l = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %t = np.ufunc "subtract"(%l, %f3) : (tensor<?xf64>, f64) -> tensor<?xf64>
  np.store %t, %v : tensor<?xf64>, !np.array<?xf64>
  return
}

// Positions that may be outside are an error all the same: the array stays, also where it is stored over at once.
// CHECK-LABEL: func @positions_of_nothing
// CHECK: %[[G:.*]] = np.gather
// CHECK: np.new %[[G]]
// CHECK: np.new %[[G]]
func.func @positions_of_nothing(%x: tensor<?xf64>, %p: tensor<?xi64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %f3 = arith.constant 3.0 : f64
  %g = np.gather %x[%p] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  %a = np.new %g : tensor<?xf64> -> !np.array<?xf64>
  %l = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %t = np.ufunc "subtract"(%l, %f3) : (tensor<?xf64>, f64) -> tensor<?xf64>
  np.store %t, %a : tensor<?xf64>, !np.array<?xf64>
  %b = np.new %g : tensor<?xf64> -> !np.array<?xf64>
  np.store %y, %b : tensor<?xf64>, !np.array<?xf64>
  %r = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// What is kept of the best iteration is handed on, but nothing stores to it: it is loaded as what it was made of.
// CHECK-LABEL: func @handed_on
// CHECK:         scf.for
// CHECK-NOT:       np.load
// CHECK:           %[[V:.*]] = np.ufunc "multiply"
// CHECK:           %[[A:.*]] = np.new %[[V]]
// CHECK:           np.reduce "add" %[[V]]
// CHECK:           arith.select %{{.*}}, %[[A]], %{{.*}}
// CHECK:           scf.if
// CHECK-NEXT:        np.reduce "maximum" %[[V]]
func.func @handed_on(%x: tensor<?xf64>, %n: index, %first: !np.array<?xf64>) -> (tensor<f64>, !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %zero = np.full %f0 extents[] : f64 -> tensor<f64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %zero, %kept = %first) -> (tensor<f64>, !np.array<?xf64>) {
    %y = np.ufunc "multiply"(%x, %best) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %a = np.new %y : tensor<?xf64> -> !np.array<?xf64>
    %l = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %l axes [0] : tensor<?xf64> -> tensor<f64>
    %g = np.ufunc "greater"(%s, %best) : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %better = np.item %g : tensor<i1> -> i1
    %chosen = arith.select %better, %a, %kept : !np.array<?xf64>
    %next = scf.if %better -> tensor<f64> {
      %m = np.load %a : !np.array<?xf64> -> tensor<?xf64>
      %t = np.reduce "maximum" %m axes [0] : tensor<?xf64> -> tensor<f64>
      scf.yield %t : tensor<f64>
    } else {
      scf.yield %best : tensor<f64>
    }
    scf.yield %next, %chosen : tensor<f64>, !np.array<?xf64>
  }
  return %r#0, %r#1 : tensor<f64>, !np.array<?xf64>
}

// What goes round is stored to in the next iteration: its loads stay where they are.
// CHECK-LABEL: func @stored_later
// CHECK:         scf.for
// CHECK:           np.store
// CHECK:           np.new
// CHECK:           np.load
func.func @stored_later(%x: tensor<?xf64>, %n: index, %first: !np.array<?xf64>) -> (tensor<f64>, !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %zero = np.full %f0 extents[] : f64 -> tensor<f64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %zero, %kept = %first) -> (tensor<f64>, !np.array<?xf64>) {
    np.store %x, %kept : tensor<?xf64>, !np.array<?xf64>
    %y = np.ufunc "multiply"(%x, %best) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %a = np.new %y : tensor<?xf64> -> !np.array<?xf64>
    %l = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %l axes [0] : tensor<?xf64> -> tensor<f64>
    %g = np.ufunc "greater"(%s, %best) : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %better = np.item %g : tensor<i1> -> i1
    %chosen = arith.select %better, %a, %kept : !np.array<?xf64>
    scf.yield %s, %chosen : tensor<f64>, !np.array<?xf64>
  }
  return %r#0, %r#1 : tensor<f64>, !np.array<?xf64>
}

// What a `while` hands on, and what a mask has left of itself. An array that one branch needs is made there.
// CHECK-LABEL: func @condition
// CHECK: scf.while
// CHECK:   %[[M:.*]] = np.load
// CHECK:   %[[LEFT:.*]] = np.ufunc "bitwise_and"(%[[M]], %arg1)
// CHECK-NOT: np.store_masked
// CHECK:   %[[NEXT:.*]] = np.new %[[LEFT]]
// CHECK:   scf.condition(%arg2) %[[NEXT]]
// CHECK: scf.if
// CHECK:   %[[SUM:.*]] = np.ufunc "add"
// CHECK:   np.reduce "add" %[[SUM]]
func.func @condition(%first: !np.array<?xi1>, %x: tensor<?xi1>, %goes: i1, %y: tensor<?xf64>) -> tensor<f64> {
  %last = scf.while (%a = %first) : (!np.array<?xi1>) -> !np.array<?xi1> {
    %m = np.load %a : !np.array<?xi1> -> tensor<?xi1>
    %next = np.new %m : tensor<?xi1> -> !np.array<?xi1>
    np.store_masked %x, %m, %next : tensor<?xi1>, tensor<?xi1>, !np.array<?xi1>
    scf.condition(%goes) %next : !np.array<?xi1>
  } do {
  ^bb0(%a: !np.array<?xi1>):
    scf.yield %a : !np.array<?xi1>
  }
  %b = np.new %y : tensor<?xf64> -> !np.array<?xf64>
  %r = scf.if %goes -> (tensor<f64>) {
    %sum = np.ufunc "add"(%y, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %sum, %b : tensor<?xf64>, !np.array<?xf64>
    %value = np.load %b : !np.array<?xf64> -> tensor<?xf64>
    %total = np.reduce "add" %value axes [0] : tensor<?xf64> -> tensor<f64>
    scf.yield %total : tensor<f64>
  } else {
    %zero = arith.constant 0.0 : f64
    %none = np.full %zero extents[] : f64 -> tensor<f64>
    scf.yield %none : tensor<f64>
  }
  return %r : tensor<f64>
}

// RUN: npcc-opt %s --npcc-rotate-loops --canonicalize | FileCheck %s

// for k in range(n): y = f(x); if c: break; x = y
// The iteration is straight code, and asks for the next one.
// CHECK-LABEL: func.func @left
// CHECK:       %[[SOME:.*]] = arith.cmpi sgt, %[[N:.*]], %c0 : index
// CHECK:       scf.if %[[SOME]]
// CHECK:         %[[LOOP:.*]]:{{[0-9]+}} = scf.while (%[[K:.*]] = %c0, %[[X:.*]] = %arg0)
// CHECK:           %[[Y:.*]] = np.new
// CHECK:           %[[LEFT:.*]] = np.item
// CHECK:           %[[NEXT:.*]] = arith.addi %[[K]], %c1
// CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK:           %[[ON:.*]] = arith.select %{{.*}}, %false, %[[MORE]]
// CHECK:           scf.condition(%[[ON]])
// CHECK-NOT:     scf.if
// CHECK:         } do {
// CHECK:           scf.yield
// The new one where the count has ended, the old one where the loop was left.
// CHECK:         arith.select {{.*}} !np.array<?xf64>
func.func @left(%x0: !np.array<?xf64>, %n: index, %tol: f64) -> !np.array<?xf64> {
  %true = arith.constant true
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %no_array = ub.poison : !np.array<?xf64>
  %no_index = ub.poison : index
  %r:3 = scf.while (%k = %c0, %x = %x0) : (index, !np.array<?xf64>) -> (index, !np.array<?xf64>, !np.array<?xf64>) {
    %is = arith.cmpi slt, %k, %n : index
    %i:3 = scf.if %is -> (index, !np.array<?xf64>, i32) {
      %a = np.load %x : !np.array<?xf64> -> tensor<?xf64>
      %b = np.ufunc "multiply"(%a, %half) : (tensor<?xf64>, f64) -> tensor<?xf64>
      %y = np.new %b : tensor<?xf64> -> !np.array<?xf64>
      %m = np.reduce "maximum" %b axes [0] : tensor<?xf64> -> tensor<f64>
      %s = np.ufunc "less"(%m, %tol) : (tensor<f64>, f64) -> tensor<i1>
      %leave = np.item %s : tensor<i1> -> i1
      %stay = arith.xori %leave, %true : i1
      %on = arith.extui %stay : i1 to i32
      %next = scf.if %leave -> (index) {
        scf.yield %no_index : index
      } else {
        %added = arith.addi %k, %c1 : index
        scf.yield %added : index
      }
      scf.yield %next, %y, %on : index, !np.array<?xf64>, i32
    } else {
      scf.yield %no_index, %no_array, %none : index, !np.array<?xf64>, i32
    }
    %go = arith.trunci %i#2 : i32 to i1
    scf.condition(%go) %i#0, %i#1, %x : index, !np.array<?xf64>, !np.array<?xf64>
  } do {
  ^bb0(%k: index, %y: !np.array<?xf64>, %x: !np.array<?xf64>):
    scf.yield %k, %y : index, !np.array<?xf64>
  }
  return %r#2 : !np.array<?xf64>
}

// Loops over numbers stay as they are.
// CHECK-LABEL: func.func @numbers
// CHECK-NEXT:  arith.constant
// CHECK-NOT:   scf.if
// CHECK:       scf.while
// CHECK:         scf.if
func.func @numbers(%n: index, %limit: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %r:2 = scf.while (%k = %c0) : (index) -> (index, index) {
    %is = arith.cmpi slt, %k, %n : index
    %i:2 = scf.if %is -> (index, i1) {
      %square = arith.muli %k, %k : index
      %on = arith.cmpi slt, %square, %limit : index
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %on : index, i1
    } else {
      scf.yield %n, %false : index, i1
    }
    scf.condition(%i#1) %i#0, %k : index, index
  } do {
  ^bb0(%next: index, %k: index):
    scf.yield %next : index
  }
  return %r#1 : index
}

// Nor does a loop need to carry the array that it stores to.
// CHECK-LABEL: func.func @stored
// CHECK:       scf.if
// CHECK:         scf.while
// CHECK:           np.store
// CHECK:           scf.condition
// CHECK-NOT:     scf.if
// CHECK:         } do {
func.func @stored(%x: !np.array<?xf64>, %n: index, %tol: f64) -> index {
  %true = arith.constant true
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %no_index = ub.poison : index
  %r = scf.while (%k = %c0) : (index) -> index {
    %is = arith.cmpi slt, %k, %n : index
    %i:2 = scf.if %is -> (index, i32) {
      %a = np.load %x : !np.array<?xf64> -> tensor<?xf64>
      %b = np.ufunc "multiply"(%a, %half) : (tensor<?xf64>, f64) -> tensor<?xf64>
      np.store %b, %x : tensor<?xf64>, !np.array<?xf64>
      %m = np.reduce "maximum" %b axes [0] : tensor<?xf64> -> tensor<f64>
      %s = np.ufunc "less"(%m, %tol) : (tensor<f64>, f64) -> tensor<i1>
      %leave = np.item %s : tensor<i1> -> i1
      %stay = arith.xori %leave, %true : i1
      %on = arith.extui %stay : i1 to i32
      %next = scf.if %leave -> (index) {
        scf.yield %no_index : index
      } else {
        %added = arith.addi %k, %c1 : index
        scf.yield %added : index
      }
      scf.yield %next, %on : index, i32
    } else {
      scf.yield %no_index, %none : index, i32
    }
    %go = arith.trunci %i#1 : i32 to i1
    scf.condition(%go) %i#0 : index
  } do {
  ^bb0(%k: index):
    scf.yield %k : index
  }
  return %r : index
}

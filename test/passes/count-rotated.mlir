// Rotated loops that turn out not to be left in the middle count up to a bound.
// RUN: npcc-opt %s --npcc-count-rotated | FileCheck %s

// The branch says that there is an iteration.
// CHECK-LABEL: func @counted(
// CHECK-SAME:      %[[N:.*]]: index, %[[X:.*]]: f64)
// CHECK:         scf.if
// CHECK:           %[[R:.*]] = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1{{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (f64) {
// CHECK:             %[[B:.*]] = arith.mulf %[[A]], %[[A]] : f64
// CHECK:             scf.yield %[[B]] : f64
// CHECK-NOT:       scf.while
// CHECK:           scf.yield %[[R]] : f64
func.func @counted(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %begins = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %begins -> f64 {
    %w:2 = scf.while (%i = %c0, %a = %x) : (index, f64) -> (index, f64) {
      %b = arith.mulf %a, %a : f64
      %next = arith.addi %i, %c1 : index
      %more = arith.cmpi slt, %next, %n : index
      scf.condition(%more) %next, %b : index, f64
    } do {
    ^bb0(%i: index, %a: f64):
      scf.yield %i, %a : index, f64
    }
    scf.yield %w#1 : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}

// The counter goes on in the body, values change places there, and there is an iteration whatever the bound is.
// CHECK-LABEL: func @at_least_once(
// CHECK-SAME:      %[[N:.*]]: index, %[[X:.*]]: f64, %[[Y:.*]]: f64)
// CHECK:         %[[END:.*]] = arith.maxsi %[[N]], %{{.*}} : index
// CHECK:         %[[R:.*]]:2 = scf.for %[[I:.*]] = %c5 to %[[END]] step %c2{{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]])
// CHECK:           %[[S:.*]] = arith.addf %[[A]], %[[B]] : f64
// CHECK:           scf.yield %[[B]], %[[S]] : f64, f64
// CHECK:         %[[LAST:.*]] = arith.subi %{{.*}}, %c2{{.*}} : index
// CHECK:         return %[[LAST]], %[[R]]#1, %[[R]]#0
func.func @at_least_once(%n: index, %x: f64, %y: f64) -> (index, f64, f64) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %w:3 = scf.while (%i = %c5, %a = %x, %b = %y) : (index, f64, f64) -> (index, f64, f64) {
    %s = arith.addf %a, %b : f64
    %next = arith.addi %i, %c2 : index
    %more = arith.cmpi slt, %next, %n : index
    scf.condition(%more) %i, %s, %b : index, f64, f64
  } do {
  ^bb0(%i: index, %s: f64, %b: f64):
    %next = arith.addi %i, %c2 : index
    scf.yield %next, %b, %s : index, f64, f64
  }
  return %w#0, %w#1, %w#2 : index, f64, f64
}

// It is left in the middle; and what it gives is not what goes round.
// CHECK-LABEL: func @others
// CHECK:         scf.while
// CHECK:         scf.while
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @others(%n: index, %x: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %w:2 = scf.while (%i = %c0, %a = %x) : (index, f64) -> (index, f64) {
    %b = arith.mulf %a, %a : f64
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    %stays = arith.cmpf ogt, %b, %zero : f64
    %both = arith.andi %more, %stays : i1
    scf.condition(%both) %next, %b : index, f64
  } do {
  ^bb0(%i: index, %a: f64):
    scf.yield %i, %a : index, f64
  }
  %v:3 = scf.while (%i = %c0, %a = %x) : (index, f64) -> (index, f64, f64) {
    %b = arith.mulf %a, %a : f64
    %c = arith.addf %a, %a : f64
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    scf.condition(%more) %next, %b, %c : index, f64, f64
  } do {
  ^bb0(%i: index, %a: f64, %b: f64):
    scf.yield %i, %a : index, f64
  }
  return %w#1, %v#2 : f64, f64
}

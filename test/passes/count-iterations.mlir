// Integers that each iteration adds the same to.
// RUN: npcc-opt %s --allow-unregistered-dialect --npcc-count-iterations --canonicalize | FileCheck %s

// One that begins somewhere, and what it is in the end.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[N:.*]]: index, %[[FIRST:.*]]: i64, %[[STEP:.*]]: i64
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           %[[TIMES:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:           %[[MORE:.*]] = arith.muli %[[TIMES]], %[[STEP]]
// CHECK:           %[[NOW:.*]] = arith.addi %[[FIRST]], %[[MORE]]
// CHECK:           "test.use"(%[[NOW]])
// CHECK:         }
// CHECK:         %[[MANY:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         %[[ALL:.*]] = arith.index_cast %[[MANY]] : index to i64
// CHECK:         %[[LAST:.*]] = arith.muli %[[ALL]], %[[STEP]]
// CHECK:         %[[K:.*]] = arith.addi %[[FIRST]], %[[LAST]]
// CHECK:         return %[[K]]
func.func @steps(%n: index, %first: i64, %step: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (i64) {
    "test.use"(%now) : (i64) -> ()
    %next = arith.addi %step, %now : i64
    scf.yield %next : i64
  }
  return %k : i64
}

// A loop inside adds the same in each iteration of the outer one. Steps of 3 that begin at 2.
// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index
// CHECK:         %[[EACH:.*]] = arith.maxsi %[[M]], %c0
// CHECK:         scf.for %[[I:.*]] = %c2 to %[[N]] step %c3 {
// CHECK:           %[[WAY:.*]] = arith.subi %[[I]], %c2
// CHECK:           %[[BEFORE:.*]] = arith.divsi %[[WAY]], %c3
// CHECK:           %[[OUTER:.*]] = arith.muli %[[BEFORE]], %[[EACH]]
// CHECK:           scf.for %[[J:.*]] = %c0 to %[[M]] step %c1 {
// CHECK:             %[[NOW:.*]] = arith.addi %[[OUTER]], %[[J]]
// CHECK:             "test.use"(%[[NOW]])
// CHECK:         arith.ceildivsi
func.func @nest(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = scf.for %i = %c2 to %n step %c3 iter_args(%outer = %c0) -> (index) {
    %inner = scf.for %j = %c0 to %m step %c1 iter_args(%now = %outer) -> (index) {
      "test.use"(%now) : (index) -> ()
      %next = arith.addi %now, %c1 : index
      scf.yield %next : index
    }
    scf.yield %inner : index
  }
  return %k : index
}

// What an iteration computes itself, or adds only sometimes, goes round as before.
// CHECK-LABEL: func.func @others(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i64, i64)
func.func @others(%n: index, %first: i64, %x: memref<?xi64>) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first, %b = %first) -> (i64, i64) {
    %e = memref.load %x[%i] : memref<?xi64>
    %sum = arith.addi %a, %e : i64
    %is = arith.cmpi sgt, %e, %b : i64
    %more = arith.addi %b, %first : i64
    %chosen = arith.select %is, %more, %b : i64
    scf.yield %sum, %chosen : i64, i64
  }
  return %k#0, %k#1 : i64, i64
}

// Extents that get smaller stop at 0.
// CHECK-LABEL: func @shorter(
// CHECK:         %[[N:.*]] = np.dim
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
// CHECK:           arith.maxsi %[[LEFT]], %c0
func.func @shorter(%a: !np.array<?xf64>, %to: memref<index>, %times: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%k = %n) -> (index) {
    memref.store %k, %to[] : memref<index>
    %less = arith.addi %k, %c-1 : index
    %next = arith.maxsi %less, %c0 : index
    scf.yield %next : index
  }
  return %r : index
}

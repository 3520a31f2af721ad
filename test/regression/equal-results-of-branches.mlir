// RUN: npcc-opt %s --canonicalize | FileCheck %s
// What a branch or a loop gives twice is one: upstream's pattern compares all pairs, so the pipeline has its own.

// CHECK-LABEL: func.func @branch
// CHECK: %[[R:.*]] = scf.if
// CHECK: return %[[R]], %[[R]]
func.func @branch(%c: i1, %x: i64, %y: i64) -> (i64, i64) {
  %r:2 = scf.if %c -> (i64, i64) {
    %a = arith.addi %x, %y : i64
    scf.yield %a, %a : i64, i64
  } else {
    scf.yield %y, %y : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}

// CHECK-LABEL: func.func @loop
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (i64, i64)
// CHECK: %[[N:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: %[[M:.*]] = arith.muli %[[A]], %[[A]]
// CHECK: scf.yield %[[N]], %[[M]]
// CHECK: return %[[R]]#0, %[[R]]#0, %[[R]]#1
func.func @loop(%n: index, %x: i64, %y: i64) -> (i64, i64, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %x, %c = %y) -> (i64, i64, i64) {
    %s = arith.addi %a, %c : i64
    %p = arith.muli %b, %a : i64
    scf.yield %s, %s, %p : i64, i64, i64
  }
  return %r#0, %r#1, %r#2 : i64, i64, i64
}

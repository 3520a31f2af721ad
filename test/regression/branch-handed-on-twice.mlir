// RUN: npcc-opt %s --npcc-raise-names --npcc-import-to-np | FileCheck %s
// A condition that hands on one result of its branch twice: upstream's canonicalizer loses the second (see compiler/np/Canonicalizer.cpp).

// CHECK-LABEL: func @f
// CHECK: scf.while
// CHECK: ^bb0(%[[A:.*]]: f64):
// CHECK: %[[M:.*]] = arith.mulf %[[A]],
// CHECK: %[[Z:.*]] = func.call @g(%[[M]])
// CHECK: scf.yield %[[M]], %[[Z]]
func.func @f(%x0: f64, %y0: f64) -> (f64, f64) {
  %p = ub.poison : f64
  %two = arith.constant 2.0 : f64
  %r:2 = scf.while (%x = %x0, %y = %y0) : (f64, f64) -> (f64, f64) {
    %k = arith.cmpf olt, %x, %y : f64
    %q = scf.if %k -> (f64) {
      %m = arith.mulf %x, %two : f64
      scf.yield %m : f64
    } else {
      scf.yield %p : f64
    }
    scf.condition(%k) %q, %q : f64, f64
  } do {
  ^bb0(%a: f64, %b: f64):
    %z = func.call @g(%b) : (f64) -> f64
    scf.yield %a, %z: f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
func.func private @g(f64) -> f64

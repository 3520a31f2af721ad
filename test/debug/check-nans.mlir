// RUN: npcc-opt %s --pass-pipeline="builtin.module(func.func(npcc-check-nans))" | FileCheck %s

// CHECK-LABEL: func.func @root
// CHECK-SAME:    %[[X:.*]]: f64
// CHECK:       %[[Y:.*]] = math.sqrt %[[X]]
// CHECK-NEXT:  %[[NAN:.*]] = arith.cmpf uno, %[[Y]], %[[Y]]
// CHECK:       %[[NUMBER:.*]] = arith.xori %[[NAN]]
// CHECK-NEXT:  %[[BEFORE:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK-NEXT:  %[[GOOD:.*]] = arith.ori %[[NUMBER]], %[[BEFORE]]
// CHECK-NEXT:  np.assert %[[GOOD]], "FloatingPointError" "NaN made of operands without one"()
// CHECK-NEXT:  return %[[Y]]
func.func @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

#here = loc("power.py":3:5)
#there = loc("power.py":4:5)
// Operations of one place are one: what the branch that is not taken would give counts for nothing.
// CHECK-LABEL: func.func @expression
// CHECK:       math.log
// CHECK-NEXT:  math.exp
// CHECK-NEXT:  %[[C:.*]] = arith.cmpf
// CHECK-NEXT:  %[[R:.*]] = arith.select
// CHECK-NEXT:  arith.cmpf uno, %[[R]], %[[R]]
// CHECK:       np.assert
// CHECK:       %[[S:.*]] = arith.addf
// CHECK-NEXT:  arith.cmpf uno, %[[S]], %[[S]]
// CHECK:       np.assert
// CHECK-NOT:   np.assert
func.func @expression(%x: f64, %one: f64) -> f64 {
  %l = math.log %x : f64 loc(#here)
  %e = math.exp %l : f64 loc(#here)
  %c = arith.cmpf olt, %x, %one : f64 loc(#here)
  %r = arith.select %c, %one, %e : f64 loc(#here)
  %s = arith.addf %r, %one : f64 loc(#there)
  return %s : f64
}

// CHECK-LABEL: func.func @complex
// CHECK:       %[[Q:.*]] = complex.div
// CHECK:       %[[RE:.*]] = complex.re %[[Q]]
// CHECK:       %[[IM:.*]] = complex.im %[[Q]]
// CHECK:       np.assert
func.func @complex(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %q = complex.div %x, %y : complex<f64>
  return %q : complex<f64>
}

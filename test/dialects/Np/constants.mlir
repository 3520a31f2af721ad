// Elementwise functions of constants are constants where every machine gives the same, and NumPy has no warning for them.
// RUN: npcc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @integers
// CHECK-DAG: %[[SUM:.*]] = arith.constant 7 : i64
// CHECK-DAG: %[[QUOTIENT:.*]] = arith.constant -3 : i64
// CHECK-DAG: %[[BITS:.*]] = arith.constant 6 : i8
// CHECK-DAG: %[[LESS:.*]] = arith.constant true
// CHECK: return %[[SUM]], %[[QUOTIENT]], %[[BITS]], %[[LESS]] : i64, i64, i8, i1
func.func @integers() -> (i64, i64, i8, i1) {
  %a = arith.constant -5 : i64
  %b = arith.constant 2 : i64
  %c = arith.constant 12 : i64
  %sum = np.ufunc "add"(%a, %c) : (i64, i64) -> i64
  %quotient = np.ufunc "floor_divide"(%a, %b) : (i64, i64) -> i64
  %x = arith.constant 5 : i8
  %y = arith.constant 3 : i8
  %bits = np.ufunc "bitwise_xor"(%x, %y) : (i8, i8) -> i8
  %less = np.ufunc "less"(%a, %b) : (i64, i64) -> i1
  return %sum, %quotient, %bits, %less : i64, i64, i8, i1
}

// CHECK-LABEL: func.func @floats
// CHECK-DAG: %[[ROOT:.*]] = arith.constant 1.41421354 : f32
// CHECK-DAG: %[[THIRD:.*]] = arith.constant 0.33333333333333331 : f64
// CHECK: return %[[ROOT]], %[[THIRD]] : f32, f64
func.func @floats() -> (f32, f64) {
  %two = arith.constant 2.0 : f32
  %root = np.ufunc "sqrt"(%two) : (f32) -> f32
  %one = arith.constant 1 : i64
  %x = np.cast %one : i64 -> f64
  %y = arith.constant 3.0 : f64
  %third = np.ufunc "divide"(%x, %y) : (f64, f64) -> f64
  return %root, %third : f32, f64
}

// True is more than False.
// CHECK-LABEL: func.func @bools
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[TRUE]]
func.func @bools() -> i1 {
  %true = arith.constant true
  %false = arith.constant false
  %more = np.ufunc "greater"(%true, %false) : (i1, i1) -> i1
  return %more : i1
}

// What overflows, divides by zero, is invalid or underflows stays.
// CHECK-LABEL: func.func @warnings
// CHECK: np.ufunc "multiply"
// CHECK: np.ufunc "negative"
// CHECK: np.ufunc "floor_divide"
// CHECK: np.ufunc "divide"
// CHECK: np.ufunc "sqrt"
// CHECK: np.ufunc "multiply"
// CHECK: np.ufunc "multiply"
// CHECK: np.cast
func.func @warnings() -> (i8, i8, i64, f64, f64, f64, f64, f32) {
  %x = arith.constant 100 : i8
  %a = np.ufunc "multiply"(%x, %x) : (i8, i8) -> i8
  %least = arith.constant -128 : i8
  %b = np.ufunc "negative"(%least) : (i8) -> i8
  %n = arith.constant 1 : i64
  %no = arith.constant 0 : i64
  %c = np.ufunc "floor_divide"(%n, %no) : (i64, i64) -> i64
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %d = np.ufunc "divide"(%one, %zero) : (f64, f64) -> f64
  %minus = arith.constant -1.0 : f64
  %e = np.ufunc "sqrt"(%minus) : (f64) -> f64
  %large = arith.constant 1.0e300 : f64
  %f = np.ufunc "multiply"(%large, %large) : (f64, f64) -> f64
  %small = arith.constant 1.0e-300 : f64
  %g = np.ufunc "multiply"(%small, %small) : (f64, f64) -> f64
  %h = np.cast %large : f64 -> f32
  return %a, %b, %c, %d, %e, %f, %g, %h : i8, i8, i64, f64, f64, f64, f64, f32
}

// int(7.5 / 2), the extent of an arange of floats, and what a check asks of such numbers.
// CHECK-LABEL: func.func @rounded
// CHECK-DAG: %[[WHOLE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[UP:.*]] = arith.constant 4.000000e+00 : f64
// CHECK-DAG: %[[EVEN:.*]] = arith.constant -2.000000e+00 : f64
// CHECK-DAG: %[[YES:.*]] = arith.constant true
// CHECK: return %[[WHOLE]], %[[UP]], %[[EVEN]], %[[YES]] : i64, f64, f64, i1
func.func @rounded() -> (i64, f64, f64, i1) {
  %x = arith.constant 3.75 : f64
  %y = arith.constant -2.5 : f64
  %whole = np.cast %x : f64 -> i64
  %up = np.ufunc "ceil"(%x) : (f64) -> f64
  %even = np.ufunc "rint"(%y) : (f64) -> f64
  %yes = np.ufunc "isfinite"(%x) : (f64) -> i1
  return %whole, %up, %even, %yes : i64, f64, f64, i1
}

// A float that no integer is near to is converted by the machine.
// CHECK-LABEL: func.func @far
// CHECK: np.cast
func.func @far() -> i64 {
  %large = arith.constant 1.0e300 : f64
  %n = np.cast %large : f64 -> i64
  return %n : i64
}

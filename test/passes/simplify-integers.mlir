// RUN: npcc-opt %s --npcc-simplify-integers --canonicalize | FileCheck %s
// RUN: npcc-opt %s --npcc-simplify-integers --npcc-simplify-integers --npcc-fuse | FileCheck %s --check-prefix=LOOPS
// Checks of Python's integers go where nothing can overflow.

// An index below an extent, and what is next to it.
// CHECK-LABEL: func @index
// CHECK-NOT: np.assert
// CHECK: return
func.func @index(%a: !np.array<?xf64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %n = np.dim %a, 0 : !np.array<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %one) -> (i64) {
    %k = arith.index_cast %i : index to i64
    %ok = np.fits add(%k, %one)
    np.assert %ok, "OverflowError" "too large"()
    %next = arith.addi %k, %one : i64
    %fine = np.fits multiply(%next, %next)
    %square = arith.muli %next, %next : i64
    %use = arith.select %fine, %square, %next : i64
    scf.yield %next : i64
  }
  return %r : i64
}

// A counter would need months; a sum of anything else would not.
// CHECK-LABEL: func @counter
// CHECK-NOT: np.fits add(%{{.*}}, %c2_i64)
// CHECK: np.fits add
// CHECK-NEXT: np.assert
func.func @counter(%n: index, %c: i1, %x: i64) -> (i64, i64) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero, %sum = %zero) -> (i64, i64) {
    %ok = np.fits add(%count, %two)
    %next = scf.if %c -> (i64) {
      np.assert %ok, "OverflowError" "too large"()
      %more = arith.addi %count, %two : i64
      scf.yield %more : i64
    } else {
      scf.yield %count : i64
    }
    %fits = np.fits add(%sum, %x)
    np.assert %fits, "OverflowError" "too large"()
    %total = arith.addi %sum, %x : i64
    scf.yield %next, %total : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}

// The fast version takes integer arguments for small where that saves a check.
// CHECK-LABEL: func @argument
// CHECK-SAME: np.small_integers
// CHECK-NOT: np.assert
// CHECK: return
func.func @argument(%n: i64 {np.weak}, %m: i64 {np.weak}) -> i64 {
  %ok = np.fits multiply(%n, %m)
  np.assert %ok, "OverflowError" "too large"()
  %r = arith.muli %n, %m : i64
  return %r : i64
}

// The general one does not, and a third factor is too much for both.
// CHECK-LABEL: func @general
// CHECK: np.assert
// LOOPS-LABEL: func.func @general
// LOOPS: %[[LOW:.*]], %[[HIGH:.*]] = arith.mulsi_extended
// LOOPS: %[[SIGN:.*]] = arith.shrsi %[[LOW]]
// LOOPS: %[[OK:.*]] = arith.cmpi eq, %[[HIGH]], %[[SIGN]]
// LOOPS: np.assert %[[OK]]
func.func @general(%n: i64 {np.weak}, %m: i64 {np.weak}) -> i64 attributes {np.general} {
  %ok = np.fits multiply(%n, %m)
  np.assert %ok, "OverflowError" "too large"()
  %r = arith.muli %n, %m : i64
  return %r : i64
}

// CHECK-LABEL: func @three
// CHECK-COUNT-1: np.assert
// CHECK: return
func.func @three(%n: i64 {np.weak}, %m: i64 {np.weak}, %k: i64 {np.weak}) -> i64 {
  %ok = np.fits multiply(%n, %m)
  np.assert %ok, "OverflowError" "too large"()
  %r = arith.muli %n, %m : i64
  %fits = np.fits multiply(%r, %k)
  np.assert %fits, "OverflowError" "too large"()
  %s = arith.muli %r, %k : i64
  return %s : i64
}

// What becomes an element of int32 is 0 or 1; the sum of both may be anything.
// CHECK-LABEL: func.func @bounds
// CHECK-NOT:   np.assert
// CHECK:       return
// CHECK-LABEL: func.func @no_bounds
// CHECK:       np.assert
func.func @bounds(%x: i1) -> i64 {
  %most = arith.constant 2147483647 : i64
  %wide = arith.extui %x : i1 to i64
  %fits = arith.cmpi sle, %wide, %most : i64
  np.assert %fits, "OverflowError" "Python integer {0} out of bounds for int32"(%wide) : i64
  return %wide : i64
}
func.func @no_bounds(%x: i64) -> i64 {
  %most = arith.constant 2147483647 : i64
  %fits = arith.cmpi sle, %x, %most : i64
  np.assert %fits, "OverflowError" "Python integer {0} out of bounds for int32"(%x) : i64
  return %x : i64
}

// A counter of a loop that is left in the middle: on the way out its value is nothing.
// CHECK-LABEL: func @left
// CHECK-NOT: np.fits
// CHECK: return
func.func @left(%limit: i64, %holds: i1) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %nothing = ub.poison : i64
  %r = scf.while (%k = %zero) : (i64) -> i64 {
    %is = arith.cmpi slt, %k, %limit : i64
    %i:2 = scf.if %is -> (i64, i1) {
      %ok = np.fits add(%k, %one)
      np.assert %ok, "OverflowError" "too large"()
      %next = arith.addi %k, %one : i64
      scf.yield %next, %holds : i64, i1
    } else {
      scf.yield %nothing, %false : i64, i1
    }
    scf.condition(%i#1) %i#0 : i64
  } do {
  ^bb0(%k: i64):
    scf.yield %k : i64
  }
  return %r : i64
}

// RUN: npcc-opt %s --npcc-peel-loops | FileCheck %s

// total = 0; for k in range(n): total = total + x: a number first, an array from the first iteration on.
// CHECK-LABEL: func.func @total
// CHECK:       %[[SOME:.*]] = arith.cmpi sgt, %arg1, %c0
// CHECK:       scf.if %[[SOME]] -> (!np.array<?xf64>)
// CHECK:         %[[ZERO_PLUS:.*]] = np.ufunc "add"(%cst
// CHECK:         %[[FIRST:.*]] = np.new %[[ZERO_PLUS]]
// CHECK:         %[[REST:.*]] = scf.for %{{.*}} = %c1 to %arg1 step %c1 iter_args(%[[T:.*]] = %[[FIRST]]) -> (!np.array<?xf64>)
// CHECK-NOT:     scf.if
// CHECK:           np.load %[[T]]
// CHECK:           scf.yield
// CHECK:         scf.yield %[[REST]]
// CHECK:       else
func.func @total(%x: !np.array<?xf64>, %n: index) -> (i64, !np.array<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %number = arith.constant 0 : i64
  %array = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = ub.poison : !np.array<?xf64>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%kind = %number, %t = %none) -> (i64, !np.array<?xf64>) {
    %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %is = arith.cmpi eq, %kind, %number : i64
    %sum = scf.if %is -> (!np.array<?xf64>) {
      %s = np.ufunc "add"(%zero, %v) : (f64, tensor<?xf64>) -> tensor<?xf64>
      %new = np.new %s : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      %u = np.load %t : !np.array<?xf64> -> tensor<?xf64>
      %s = np.ufunc "add"(%u, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %new = np.new %s : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    }
    scf.yield %array, %sum : i64, !np.array<?xf64>
  }
  return %r#0, %r#1 : i64, !np.array<?xf64>
}

// The kind is computed of itself: `if total is None: total = x else: total += x`. There are iterations for certain.
// CHECK-LABEL: func.func @computed
// CHECK-NOT:   scf.if
// CHECK:       %[[FIRST:.*]] = np.new
// CHECK:       scf.for %{{.*}} = %c1 to %c8 step %c1 {
// CHECK-NOT:     scf.if
// CHECK:         np.store %{{.*}}, %[[FIRST]]
func.func @computed(%x: !np.array<?xf64>) -> !np.array<?xf64> {
  %none = arith.constant 0 : i64
  %array = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %nothing = ub.poison : !np.array<?xf64>
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%kind = %none, %t = %nothing) -> (i64, !np.array<?xf64>) {
    %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %is = arith.cmpi eq, %kind, %none : i64
    %sum:2 = scf.if %is -> (!np.array<?xf64>, i64) {
      %new = np.new %v : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new, %none : !np.array<?xf64>, i64
    } else {
      %u = np.load %t : !np.array<?xf64> -> tensor<?xf64>
      %s = np.ufunc "add"(%u, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      np.store %s, %t : tensor<?xf64>, !np.array<?xf64>
      %other = arith.cmpi ne, %kind, %array : i64
      %as = arith.extui %other : i1 to i64
      scf.yield %t, %as : !np.array<?xf64>, i64
    }
    %different = arith.cmpi ne, %sum#1, %array : i64
    %next = arith.extui %different : i1 to i64
    scf.yield %next, %sum#0 : i64, !np.array<?xf64>
  }
  return %r#1 : !np.array<?xf64>
}

// A number that every iteration changes is none of these, though a branch asks for it; and a branch of numbers alone
// is no reason to have the body twice.
// CHECK-LABEL: func.func @counts
// CHECK:       scf.for %{{.*}} = %c0 to
// CHECK:       scf.for %{{.*}} = %c0 to
// CHECK-NOT:   scf.for
func.func @counts(%x: !np.array<?xf64>, %n: index) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%count = %zero) -> (i64) {
    %is = arith.cmpi eq, %count, %zero : i64
    scf.if %is {
      %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
      np.store %v, %x : tensor<?xf64>, !np.array<?xf64>
    }
    %next = arith.addi %count, %one : i64
    scf.yield %next : i64
  }
  %q:2 = scf.for %k = %c0 to %n step %c1 iter_args(%kind = %zero, %s = %zero) -> (i64, i64) {
    %is = arith.cmpi eq, %kind, %zero : i64
    %next = scf.if %is -> (i64) {
      scf.yield %one : i64
    } else {
      %t = arith.addi %s, %s : i64
      scf.yield %t : i64
    }
    scf.yield %one, %next : i64, i64
  }
  return %r, %q#1 : i64, i64
}

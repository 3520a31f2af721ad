// RUN: npcc-opt %s --pass-pipeline="builtin.module(func.func(npcc-materialize))" | FileCheck %s
// What becomes memory, in the forms that programs have.

// An element that a loop reads of a computed array is no array of its own.
// CHECK-LABEL: func @element
// CHECK: np.ufunc "exp"
// CHECK: %[[A:.*]] = np.new
// CHECK: scf.for
// CHECK-NOT: np.new
func.func @element(%a: !np.array<?xi64>, %n: index, %s: f64, %out: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?xi64> -> tensor<?xi64>
  %f = np.cast %x : tensor<?xi64> -> tensor<?xf64>
  %y = np.ufunc "exp"(%f) : (tensor<?xf64>) -> tensor<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %e = np.view %y offsets [%i] axes [] extents [] steps [] : tensor<?xf64> -> tensor<f64>
    %v = np.item %e : tensor<f64> -> f64
    %p = np.view %out offsets [%i] axes [] extents [] steps [] : !np.array<?xf64> -> !np.array<f64>
    np.store %v, %p : f64, !np.array<f64>
  }
  return
}

// The transposition of a computed matrix is a view of its array for a product.
// CHECK-LABEL: func @gram
// CHECK: %[[X:.*]] = np.new
// CHECK: %[[T:.*]] = np.view %[[X]] {{.*}} -> !np.array<?x?xf64, strided>
// CHECK: %[[R:.*]] = np.load %[[T]]
// CHECK: np.matmul %{{.*}}, %[[R]]
func.func @gram(%a: !np.array<?x?xf64>, %n: index, %m: index) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.ufunc "add"(%x, %x) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %t = np.view %y offsets [%c0, %c0] axes [1, 0] extents [%m, %n] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %p = np.matmul %y, %t : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.new %p : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}

// A column is made of the one before it: other elements, for the position does not count from the end. So it is of the one behind it, from the last but
// one on. Where it may, the column is copied first.
// CHECK-LABEL: func @columns
// CHECK-NOT: np.new
// CHECK: return
func.func @columns(%a: !np.array<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %j = %c1 to %m step %c1 {
    %h = arith.subi %j, %c1 : index
    %p = np.check_index %h of %m axis 1
    %q = np.check_index %j of %m axis 1
    %from = np.view %a offsets [%c0, %p] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %to = np.view %a offsets [%c0, %q] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %x = np.load %from : !np.array<?xf64, strided> -> tensor<?xf64>
    %y = np.ufunc "add"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %y, %to : tensor<?xf64>, !np.array<?xf64, strided>
  }
  %last = arith.subi %m, %c2 : index
  %count = arith.maxsi %last, %c0 : index
  scf.for %k = %c0 to %count step %c1 {
    %j = arith.subi %last, %k : index
    %h = arith.addi %j, %c1 : index
    %p = np.check_index %h of %m axis 1
    %q = np.check_index %j of %m axis 1
    %from = np.view %a offsets [%c0, %p] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %to = np.view %a offsets [%c0, %q] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %x = np.load %from : !np.array<?xf64, strided> -> tensor<?xf64>
    %y = np.ufunc "add"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %y, %to : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// CHECK-LABEL: func @column_from_the_end
// CHECK: np.new
func.func @column_from_the_end(%a: !np.array<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %m step %c1 {
    %h = arith.subi %j, %c1 : index
    %p = np.check_index %h of %m axis 1
    %q = np.check_index %j of %m axis 1
    %from = np.view %a offsets [%c0, %p] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %to = np.view %a offsets [%c0, %q] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %x = np.load %from : !np.array<?xf64, strided> -> tensor<?xf64>
    %y = np.ufunc "add"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %y, %to : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// A NumPy scalar that comes out of a branch in a loop over elements is a number, whatever kernels are around that loop.
// CHECK-LABEL: func @labels
// CHECK: scf.while
// CHECK: scf.for
// CHECK: scf.if %{{.*}} -> (i64)
// CHECK-NOT: np.new
// CHECK: return
func.func @labels(%a: !np.array<?xi64>, %b: !np.array<?xi64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.while (%go = %true) : (i1) -> () {
    scf.condition(%go)
  } do {
    %all = np.load %a : !np.array<?xi64> -> tensor<?xi64>
    np.store %all, %b : tensor<?xi64>, !np.array<?xi64>
    scf.for %i = %c0 to %n step %c1 {
      %e = np.view %a offsets [%i] axes [] extents [] steps [] : !np.array<?xi64> -> !np.array<i64>
      %v = np.load %e : !np.array<i64> -> tensor<i64>
      %f = np.view %b offsets [%c0] axes [] extents [] steps [] : !np.array<?xi64> -> !np.array<i64>
      %w = np.load %f : !np.array<i64> -> tensor<i64>
      %g = np.ufunc "greater"(%v, %w) : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %c = np.item %g : tensor<i1> -> i1
      %m = scf.if %c -> tensor<i64> {
        scf.yield %v : tensor<i64>
      } else {
        scf.yield %w : tensor<i64>
      }
      %p = np.view %b offsets [%i] axes [] extents [] steps [] : !np.array<?xi64> -> !np.array<i64>
      np.store %m, %p : tensor<i64>, !np.array<i64>
    }
    scf.yield %true : i1
  }
  return
}

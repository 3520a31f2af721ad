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

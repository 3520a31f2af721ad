// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A product before an operation on Python's scalars was placed at that operation, which was gone by then.

// CHECK-LABEL: func @square
// CHECK: scf.for
// CHECK: %[[NEXT:.*]] = np.alloc
// CHECK: np.call_matmul {{.*}} into %[[NEXT]]
// CHECK: scf.yield %[[NEXT]]
func.func @square(%a: !np.array<?x?xi64>, %n: i64) -> (!np.array<?x?xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %a, %k = %n) -> (!np.array<?x?xi64>, i64) {
    %x = np.load %b : !np.array<?x?xi64> -> tensor<?x?xi64>
    %y = np.matmul %x, %x : tensor<?x?xi64>, tensor<?x?xi64> -> tensor<?x?xi64>
    %z = np.new %y : tensor<?x?xi64> -> !np.array<?x?xi64>
    %half = np.ufunc "floor_divide"(%k, %two) : (i64, i64) -> i64
    scf.yield %z, %half : !np.array<?x?xi64>, i64
  }
  return %r#0, %r#1 : !np.array<?x?xi64>, i64
}

// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A routine of linear algebra runs in place between the kernels that make its operands and those that read them.

// CHECK-LABEL: func @solve
// CHECK: %[[A:.*]] = np.alloc
// CHECK: np.kernel
// CHECK: memref.store {{.*}}, %[[A]]
// CHECK: %[[FAILED:.*]] = np.routine "cholesky"() to(%[[A]]) : (memref<?x?x?xf64>) -> i64
// CHECK: np.kernel
// CHECK: memref.load %[[A]]
func.func @solve(%a: !np.array<?x?x?xf64>, %out: !np.array<?x?x?xf64>) -> i64 {
  %x = np.load %a : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  %y = np.ufunc "add"(%x, %x) : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %c = np.new %y : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %failed = np.routine "cholesky"() to (%c) : (!np.array<?x?x?xf64>) -> i64
  %z = np.load %c : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  np.store %z, %out : tensor<?x?x?xf64>, !np.array<?x?x?xf64>
  return %failed : i64
}

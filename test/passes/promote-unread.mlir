// RUN: npcc-opt %s --pass-pipeline="builtin.module(func.func(npcc-promote-arrays))" | FileCheck %s
// An array that is only written is nothing; what may fail is still made.

// CHECK-LABEL: func @unread
// CHECK-NOT: np.
// CHECK: return
func.func @unread(%n: index, %x: f64, %v: tensor<?xf64>, %k: tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = np.empty(%n) : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %e = np.view %a offsets [%i] axes [] extents [] steps [] : !np.array<?xf64> -> !np.array<f64>
    np.store %x, %e : f64, !np.array<f64>
  }
  np.scatter %v, %a[%k] axes = [0] distinct : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>
  return
}

// CHECK-LABEL: func @may_fail
// CHECK: np.scatter
func.func @may_fail(%n: index, %v: tensor<?xf64>, %k: tensor<?xi64>) {
  %a = np.empty(%n) : !np.array<?xf64>
  np.scatter %v, %a[%k] axes = [0] : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>
  return
}

// CHECK-LABEL: func @reads_outside
// CHECK: np.gather
// CHECK: np.store
func.func @reads_outside(%n: index, %v: tensor<?xf64>, %k: tensor<?xi64>) {
  %a = np.empty(%n) : !np.array<?xf64>
  %g = np.gather %v[%k] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  np.store %g, %a : tensor<?xf64>, !np.array<?xf64>
  return
}

// RUN: npcc-opt %s --allow-unregistered-dialect --npcc-simplify-checks | FileCheck %s

// CHECK-LABEL: func @within
// CHECK-NOT: np.check_index
func.func @within(%a: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %p = np.check_index %i of %n axis 0
    "test.use"(%p) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func @once
// CHECK: np.check_index
// CHECK-NOT: np.check_index
func.func @once(%i: index, %n: index) {
  %p = np.check_index %i of %n axis 0
  %q = np.check_index %i of %n axis 0
  "test.use"(%p, %q) : (index, index) -> ()
  return
}

// The element is loaded once, the array's write makes it another one.
// CHECK-LABEL: func @loads
// CHECK: %[[first:.*]] = np.load %{{.*}} : !np.array<i64>
// CHECK: np.check_index
// CHECK-NOT: np.load
// CHECK: "test.use"(%[[first]], %[[first]])
// CHECK: np.store
// CHECK: %[[second:.*]] = np.load
// CHECK: "test.use"(%[[second]], %[[second]])
func.func @loads(%a: !np.array<?xi64>, %i: index, %n: index, %x: tensor<i64>) {
  %e = np.view %a offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %0 = np.load %e : !np.array<i64> -> tensor<i64>
  %p = np.check_index %n of %n axis 0
  %f = np.view %a offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %1 = np.load %f : !np.array<i64> -> tensor<i64>
  "test.use"(%0, %1) : (tensor<i64>, tensor<i64>) -> ()
  np.store %x, %e : tensor<i64>, !np.array<i64>
  %2 = np.load %e : !np.array<i64> -> tensor<i64>
  "test.use"(%2, %2) : (tensor<i64>, tensor<i64>) -> ()
  return
}

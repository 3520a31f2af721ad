// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A NumPy scalar that a branch chose, max(a[0], b[0]), had no element form.

// CHECK-LABEL: func @chosen
// CHECK: %[[A:.*]] = memref.load %arg1
// CHECK: %[[B:.*]] = memref.load %arg2
// CHECK: %[[S:.*]] = arith.select %arg0, %[[A]], %[[B]]
// CHECK: memref.store %[[S]], %arg1
func.func @chosen(%condition: i1, %a: !np.array<f64>, %b: !np.array<f64>) {
  %x = np.load %a : !np.array<f64> -> tensor<f64>
  %y = np.load %b : !np.array<f64> -> tensor<f64>
  %z = arith.select %condition, %x, %y : tensor<f64>
  np.store %z, %a : tensor<f64>, !np.array<f64>
  return
}

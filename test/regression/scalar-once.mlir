// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A NumPy scalar was computed again for every element it was multiplied with.

// CHECK-LABEL: func @scaled
// CHECK: math.exp
// CHECK: np.kernel
// CHECK-NOT: math.exp
func.func @scaled(%a: !np.array<?xf64>, %s: !np.array<f64>) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %t = np.load %s : !np.array<f64> -> tensor<f64>
  %e = np.ufunc "exp"(%t) : (tensor<f64>) -> tensor<f64>
  %b = np.broadcast %e extents [%n] : tensor<f64> -> tensor<?xf64>
  %y = np.ufunc "multiply"(%x, %b) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  np.store %y, %a : tensor<?xf64>, !np.array<?xf64>
  return
}

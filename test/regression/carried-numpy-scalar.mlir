// RUN: npcc-opt %s --npcc-np-to-loops | FileCheck %s
// A NumPy scalar carried through a loop stayed a tensor. It is a register, or memory where a GPU's kernels make it.

// CHECK-LABEL: func @sum
// CHECK: scf.for {{.*}} -> (f64)
func.func @sum(%a: !np.array<?xf64>, %n: index) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %s = np.reduce "add" %x axes [0] : tensor<?xf64> -> tensor<f64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<f64>) {
    %u = np.ufunc "add"(%t, %s) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    scf.yield %u : tensor<f64>
  }
  return %r : tensor<f64>
}

// CHECK-LABEL: func @kernels
// CHECK: scf.for {{.*}} -> (memref<f64>)
func.func @kernels(%a: !np.array<?x?xf64>, %n: index, %m: index) -> tensor<f64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %zero = np.full %z extents [] : f64 -> tensor<f64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (tensor<f64>) {
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %x axes [0] : tensor<?xf64> -> tensor<f64>
    %u = np.ufunc "add"(%t, %s) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    scf.yield %u : tensor<f64>
  }
  return %r : tensor<f64>
}

// RUN: npcc-opt %s --npcc-defer-items --canonicalize | FileCheck %s

// A quotient by the number of true elements: nobody waits for it.
// CHECK-LABEL: func.func @mean_where
// CHECK-NOT:   np.item
// CHECK:       %[[N:.*]] = np.cast %{{.*}} : tensor<i64> -> tensor<f64>
// CHECK:       np.ufunc "divide"(%{{.*}}, %[[N]]) : (tensor<f64>, tensor<f64>) -> tensor<f64>
func.func @mean_where(%x: tensor<?xf64>, %mask: tensor<?xi64>) -> tensor<f64> {
  %s = np.reduce "add" %x axes [0] : tensor<?xf64> -> tensor<f64>
  %c = np.reduce "add" %mask axes [0] : tensor<?xi64> -> tensor<i64>
  %n = np.item %c : tensor<i64> -> i64
  %f = np.cast %n : i64 -> f64
  %m = np.ufunc "divide"(%s, %f) : (tensor<f64>, f64) -> tensor<f64>
  return %m : tensor<f64>
}

// An element of memory is read when the program reads it.
// CHECK-LABEL: func.func @element
// CHECK:       np.item
// CHECK:       np.ufunc "divide"(%{{.*}}, %{{.*}}) : (tensor<f64>, f64)
func.func @element(%x: tensor<f64>, %a: !np.array<i64>) -> tensor<f64> {
  %e = np.load %a : !np.array<i64> -> tensor<i64>
  %n = np.item %e : tensor<i64> -> i64
  %f = np.cast %n : i64 -> f64
  %m = np.ufunc "divide"(%x, %f) : (tensor<f64>, f64) -> tensor<f64>
  return %m : tensor<f64>
}

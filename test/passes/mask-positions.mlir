// RUN: npcc-opt %s --npcc-mask-positions | FileCheck %s

// i = np.flatnonzero(m); a[i] = a[i] * 2, where a is as long as m
// CHECK-LABEL: func.func @line
// CHECK:       %[[OLD:.*]] = np.compress %{{.*}}, %[[M:.*]] : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
// CHECK:       %[[NEW:.*]] = np.ufunc "add"(%[[OLD]], %[[OLD]])
// CHECK:       np.store_masked %[[NEW]], %[[M]], %{{.*}} selected
func.func @line(%m: !np.array<?xi1>) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %n = np.dim %m, 0 : !np.array<?xi1>
  %ones = np.full %half extents[%n] : f64 -> tensor<?xf64>
  %a = np.new %ones : tensor<?xf64> -> !np.array<?xf64>
  %mask = np.load %m : !np.array<?xi1> -> tensor<?xi1>
  %count = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  %places = np.compress %count, %mask : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
  %i = np.new %places : tensor<?xi64> -> !np.array<?xi64>
  %read = np.load %i : !np.array<?xi64> -> tensor<?xi64>
  %value = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %old = np.gather %value[%read] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  %new = np.ufunc "add"(%old, %old) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  np.scatter %new, %a[%read] axes = [0] : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>
  return %a : !np.array<?xf64>
}

// Both axes of a mask: i, j = np.nonzero(m); a[i, j] = 1
// CHECK-LABEL: func.func @plane
// CHECK:       np.store_masked %{{.*}}, %{{.*}}, %{{.*}} : f64, tensor<?x?xi1>, !np.array<?x?xf64>
func.func @plane(%m: tensor<?x?xi1>) -> !np.array<?x?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %value = arith.constant 1.0 : f64
  %n = np.dim %m, 0 : tensor<?x?xi1>
  %k = np.dim %m, 1 : tensor<?x?xi1>
  %empty = np.full %value extents[%n, %k] : f64 -> tensor<?x?xf64>
  %a = np.new %empty : tensor<?x?xf64> -> !np.array<?x?xf64>
  %rows = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  %tall = np.view %rows offsets[%zero] axes [0, -1] extents[%n, %one] steps[%one, %one] : tensor<?xi64> -> tensor<?x1xi64>
  %i = np.broadcast %tall extents[%n, %k] : tensor<?x1xi64> -> tensor<?x?xi64>
  %columns = np.arange %c0 step %c1 extent %k : i64, i64 -> tensor<?xi64>
  %j = np.broadcast %columns extents[%n, %k] : tensor<?xi64> -> tensor<?x?xi64>
  %is = np.compress %i, %m : tensor<?x?xi64>, tensor<?x?xi1> -> tensor<?xi64>
  %js = np.compress %j, %m : tensor<?x?xi64>, tensor<?x?xi1> -> tensor<?xi64>
  np.scatter %value, %a[%is, %js] axes = [0, 1] : f64, !np.array<?x?xf64>, tensor<?xi64>, tensor<?xi64>
  return %a : !np.array<?x?xf64>
}

// An array that may be of another extent, positions that a loop behind them reads, and those that something is stored to.
// CHECK-LABEL: func.func @stays
// CHECK:       np.gather %{{.*}}[%[[I:.*]]] axes [0]
// CHECK:       scf.for
// CHECK:       np.gather %{{.*}}[%[[I]]] axes [0]
// CHECK:       np.gather
func.func @stays(%x: tensor<?xf64>, %m: tensor<?xi1>, %from: index, %to: index) -> (tensor<?xf64>, !np.array<?xi64>, tensor<?xi1>) {
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = np.dim %m, 0 : tensor<?xi1>
  %count = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  %i = np.compress %count, %m : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
  %other = np.gather %x[%i] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  %ones = np.full %c1 extents[%n] : i64 -> tensor<?xi64>
  %a = np.new %ones : tensor<?xi64> -> !np.array<?xi64>
  scf.for %k = %from to %to step %one {
    %value = np.load %a : !np.array<?xi64> -> tensor<?xi64>
    %again = np.gather %value[%i] axes [0] : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
    np.scatter %again, %a[%i] axes = [0] : tensor<?xi64>, !np.array<?xi64>, tensor<?xi64>
  }
  %named = np.new %i : tensor<?xi64> -> !np.array<?xi64>
  np.store %c0, %named : i64, !np.array<?xi64>
  %places = np.load %named : !np.array<?xi64> -> tensor<?xi64>
  %last = np.gather %m[%places] axes [0] : tensor<?xi1>, tensor<?xi64> -> tensor<?xi1>
  return %other, %a, %last : tensor<?xf64>, !np.array<?xi64>, tensor<?xi1>
}

// The numbers of the elements under a name of their own, as a program keeps those that are left of them.
// CHECK-LABEL: func.func @kept_numbers
// CHECK:       np.compress %{{.*}}, %arg1 : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
// CHECK-NOT:   np.gather
func.func @kept_numbers(%x: tensor<?xf64>, %m: tensor<?xi1>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = np.dim %m, 0 : tensor<?xi1>
  %same = np.broadcast %x extents[%n] : tensor<?xf64> -> tensor<?xf64>
  %count = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  %ids = np.new %count : tensor<?xi64> -> !np.array<?xi64>
  %all = np.load %ids : !np.array<?xi64> -> tensor<?xi64>
  %i = np.compress %all, %m : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
  %selected = np.gather %same[%i] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  return %selected : tensor<?xf64>
}

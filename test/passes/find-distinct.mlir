// RUN: npcc-opt %s --npcc-find-distinct | FileCheck %s

// ranks[np.argsort(x)] = v: each position once.
// CHECK-LABEL: func.func @order
// CHECK:       np.scatter %{{.*}}, %{{.*}}[%{{.*}}] axes = [0] distinct
func.func @order(%x: tensor<?xf64>, %v: tensor<?xi64>) -> !np.array<?xi64> {
  %n = np.dim %x, 0 : tensor<?xf64>
  %order = np.sort %x positions true : tensor<?xf64> -> tensor<?xi64>
  %name = np.new %order : tensor<?xi64> -> !np.array<?xi64>
  %ranks = np.empty(%n) : !np.array<?xi64>
  %places = np.load %name : !np.array<?xi64> -> tensor<?xi64>
  np.scatter %v, %ranks[%places] axes = [0] : tensor<?xi64>, !np.array<?xi64>, tensor<?xi64>
  return %ranks : !np.array<?xi64>
}

// active = np.arange(n); for ...: a[active] = 1; active = active[m[active]]: what is left is distinct, too.
// CHECK-LABEL: func.func @carried
// CHECK:       np.scatter %{{.*}}, %{{.*}}[%{{.*}}] axes = [0] distinct
func.func @carried(%m: !np.array<?xi1>, %n: index, %to: index) -> !np.array<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %value = arith.constant 1.0 : f64
  %empty = np.full %value extents[%n] : f64 -> tensor<?xf64>
  %a = np.new %empty : tensor<?xf64> -> !np.array<?xf64>
  %count = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  %all = np.new %count : tensor<?xi64> -> !np.array<?xi64>
  %end = scf.for %k = %zero to %to step %one iter_args(%active = %all) -> !np.array<?xi64> {
    %places = np.load %active : !np.array<?xi64> -> tensor<?xi64>
    np.scatter %value, %a[%places] axes = [0] : f64, !np.array<?xf64>, tensor<?xi64>
    %mask = np.load %m : !np.array<?xi1> -> tensor<?xi1>
    %still = np.gather %mask[%places] axes [0] : tensor<?xi1>, tensor<?xi64> -> tensor<?xi1>
    %left = np.compress %places, %still : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
    %next = np.new %left : tensor<?xi64> -> !np.array<?xi64>
    scf.yield %next : !np.array<?xi64>
  }
  return %a : !np.array<?xf64>
}

// An array of another extent, and positions that something is stored to.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:   distinct
func.func @stays(%x: tensor<?xf64>, %n: index, %a: !np.array<?xi64>, %v: tensor<?xi64>) -> !np.array<?xi64> {
  %c0 = arith.constant 0 : i64
  %order = np.sort %x positions true : tensor<?xf64> -> tensor<?xi64>
  np.scatter %v, %a[%order] axes = [0] : tensor<?xi64>, !np.array<?xi64>, tensor<?xi64>
  %name = np.new %order : tensor<?xi64> -> !np.array<?xi64>
  np.store %c0, %name : i64, !np.array<?xi64>
  %places = np.load %name : !np.array<?xi64> -> tensor<?xi64>
  %b = np.empty(%n) : !np.array<?xi64>
  np.scatter %v, %b[%places] axes = [0] : tensor<?xi64>, !np.array<?xi64>, tensor<?xi64>
  return %b : !np.array<?xi64>
}

// Windows that slide along a line have elements in common: the last one stays.
// CHECK-LABEL: func.func @windows
// CHECK-NOT:   distinct
func.func @windows(%line: !np.array<?xf64>, %n: index, %w: index, %v: tensor<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %windows = np.view %line offsets[%zero] axes [0, 0] extents[%n, %w] steps[%one, %one] : !np.array<?xf64> -> !np.array<?x?xf64, strided>
  %all = np.arange %c0 step %c1 extent %n : i64, i64 -> tensor<?xi64>
  np.scatter %v, %windows[%all] axes = [0] : tensor<?x?xf64>, !np.array<?x?xf64, strided>, tensor<?xi64>
  return
}

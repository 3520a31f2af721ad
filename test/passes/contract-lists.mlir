// RUN: npcc-opt %s --npcc-contract-lists | FileCheck %s

// The sum of a generator: the loop that adds makes the items, with their checks.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:   np.empty
// CHECK:       scf.for %[[K:.*]] = %c0 to %arg2 step %c1 iter_args(%[[TOTAL:.*]] = %{{.*}}) -> (tensor<f64>) {
// CHECK:         np.check_index %[[K]]
// CHECK:         %[[ITEM:.*]] = np.ufunc "multiply"
// CHECK:         %[[SUM:.*]] = np.ufunc "add"(%[[TOTAL]], %[[ITEM]])
// CHECK:         scf.yield %[[SUM]]
// CHECK-NOT:   scf.for
func.func @sum(%v: !np.array<?xf64>, %x: !np.array<?xf64>, %n: index) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %length = np.dim %x, 0 : !np.array<?xf64>
  %list = np.empty(%n) : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %at = np.check_index %i of %length axis 0
    %vi = np.view %v offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %xi = np.view %x offsets[%at] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %a = np.load %vi : !np.array<f64> -> tensor<f64>
    %b = np.load %xi : !np.array<f64> -> tensor<f64>
    %item = np.ufunc "multiply"(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %item, %place : tensor<f64>, !np.array<f64>
  }
  %begin = np.full %zero extents[] : f64 -> tensor<f64>
  %total = scf.for %j = %c0 to %n step %c1 iter_args(%t = %begin) -> (tensor<f64>) {
    %place = np.view %list offsets[%j] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %item = np.load %place : !np.array<f64> -> tensor<f64>
    %s = np.ufunc "add"(%t, %item) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    scf.yield %s : tensor<f64>
  }
  return %total : tensor<f64>
}

// What goes through the list stores what the items are made of.
// CHECK-LABEL: func.func @stores
// CHECK:       np.empty
// CHECK:       scf.for
// CHECK:       scf.for
func.func @stores(%x: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = np.empty(%n) : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = np.view %x offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %item = np.load %xi : !np.array<f64> -> tensor<f64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %item, %place : tensor<f64>, !np.array<f64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %place = np.view %list offsets[%j] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %item = np.load %place : !np.array<f64> -> tensor<f64>
    %first = np.view %x offsets[%c0] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %item, %first : tensor<f64>, !np.array<f64>
  }
  return
}

// What goes through the list reads what making its items changes, all of it.
// CHECK-LABEL: func.func @reads
// CHECK:       np.empty
// CHECK:       scf.for
// CHECK:       scf.for
func.func @reads(%x: !np.array<?xf64>, %n: index) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %begin = np.full %zero extents[] : f64 -> tensor<f64>
  %list = np.empty(%n) : !np.array<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = np.view %x offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %item = np.load %xi : !np.array<f64> -> tensor<f64>
    np.store %begin, %xi : tensor<f64>, !np.array<f64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %item, %place : tensor<f64>, !np.array<f64>
  }
  %total = scf.for %j = %c0 to %n step %c1 iter_args(%t = %begin) -> (tensor<f64>) {
    %place = np.view %list offsets[%j] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %item = np.load %place : !np.array<f64> -> tensor<f64>
    %last = np.view %x offsets[%c0] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %other = np.load %last : !np.array<f64> -> tensor<f64>
    %s = np.ufunc "add"(%other, %item) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    scf.yield %s : tensor<f64>
  }
  return %total : tensor<f64>
}

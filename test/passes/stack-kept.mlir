// Lists of arrays of one shape, which the runtime keeps one by one.
// RUN: npcc-opt %s --npcc-stack-kept --canonicalize --cse | FileCheck %s

// Each item is a row of one array.
// CHECK-LABEL: func.func @rows
// CHECK:       %[[ROWS:.*]] = np.empty(%arg1, %arg2) : !np.array<?x?xf64>
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[ROW:.*]] = np.view %[[ROWS]] offsets[%[[I]], %c0] axes [1] extents[%arg2]
// CHECK:         np.store %{{.*}}, %[[ROW]]
// CHECK:       np.view %[[ROWS]] offsets[%arg3, %c0] axes [1] extents[%arg2]
// CHECK-NOT:   np.kept
func.func @rows(%x: !np.array<?xf64>, %n: index, %m: index, %at: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = np.empty(%n) : !np.array<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %part = np.view %x offsets[%i] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %item = np.new %v : tensor<?xf64> -> !np.array<?xf64>
    %number = np.keep %item unsigned false : !np.array<?xf64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    np.store %number, %place : i64, !np.array<i64>
  }
  %place = np.view %list offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %l = np.load %place : !np.array<i64> -> tensor<i64>
  %number = np.item %l : tensor<i64> -> i64
  %item = np.kept %number unsigned false : !np.array<?xf64, strided>
  %r = np.load %item : !np.array<?xf64, strided> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Not where an item is stored into by another name, nor where the extents differ.
// CHECK-LABEL: func.func @changed
// CHECK:       np.keep
// CHECK:       np.kept
func.func @changed(%v: tensor<?xf64>, %n: index, %at: index, %z: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = np.empty(%n) : !np.array<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %item = np.new %v : tensor<?xf64> -> !np.array<?xf64>
    %number = np.keep %item unsigned false : !np.array<?xf64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    np.store %number, %place : i64, !np.array<i64>
    %element = np.view %item offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %z, %element : f64, !np.array<f64>
  }
  %place = np.view %list offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %l = np.load %place : !np.array<i64> -> tensor<i64>
  %number = np.item %l : tensor<i64> -> i64
  %item = np.kept %number unsigned false : !np.array<?xf64, strided>
  %r = np.load %item : !np.array<?xf64, strided> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @longer_and_longer
// CHECK:       np.keep
// CHECK:       np.kept
func.func @longer_and_longer(%x: !np.array<?xf64>, %n: index, %at: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = np.empty(%n) : !np.array<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %part = np.view %x offsets[%c0] axes [0] extents[%i] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %number = np.keep %part unsigned false : !np.array<?xf64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    np.store %number, %place : i64, !np.array<i64>
  }
  %place = np.view %list offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %l = np.load %place : !np.array<i64> -> tensor<i64>
  %number = np.item %l : tensor<i64> -> i64
  %item = np.kept %number unsigned false : !np.array<?xf64, strided>
  %r = np.load %item : !np.array<?xf64, strided> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Another item takes the place of the one that is looked at afterwards.
// CHECK-LABEL: func.func @replaced
// CHECK:       np.keep
// CHECK:       np.kept
func.func @replaced(%v: tensor<?xf64>, %w: tensor<?xf64>, %n: index, %at: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = np.empty(%n) : !np.array<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %item = np.new %v : tensor<?xf64> -> !np.array<?xf64>
    %number = np.keep %item unsigned false : !np.array<?xf64>
    %place = np.view %list offsets[%i] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    np.store %number, %place : i64, !np.array<i64>
  }
  %place = np.view %list offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %l = np.load %place : !np.array<i64> -> tensor<i64>
  %number = np.item %l : tensor<i64> -> i64
  %item = np.kept %number unsigned false : !np.array<?xf64, strided>
  %other = np.new %v : tensor<?xf64> -> !np.array<?xf64>
  %another = np.keep %other unsigned false : !np.array<?xf64>
  np.store %another, %place : i64, !np.array<i64>
  %r = np.load %item : !np.array<?xf64, strided> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// RUN: npcc-opt %s --canonicalize | FileCheck %s
// RUN: npcc-opt %s --npcc-materialize --npcc-fuse --npcc-count-references | FileCheck %s --check-prefix=LOOPS

// The number of an array that was kept is the one that it has.
// CHECK-LABEL: func @again
// CHECK-NEXT: return %arg0
func.func @again(%k: i64) -> i64 {
  %a = np.kept %k unsigned false : !np.array<?xf64, strided>
  %n = np.keep %a unsigned false : !np.array<?xf64, strided>
  return %n : i64
}

// An array of a number may be any that was kept: what is stored through it is seen under the other name, so that the
// element is read behind the store.
// LOOPS-LABEL: func @shared
// LOOPS: %[[A:.*]] = np.alloc
// LOOPS: %[[N:.*]] = np.keep %[[A]] unsigned false
// LOOPS: %[[K:.*]] = np.kept %[[N]] unsigned false
// LOOPS: memref.store %{{.*}}, %[[K]]
// LOOPS: %[[X:.*]] = memref.load %[[A]]
// LOOPS: np.release
// LOOPS: return %[[X]]
func.func @shared(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = np.empty(%n) : !np.array<?xf64>
  %k = np.keep %a unsigned false : !np.array<?xf64>
  %b = np.kept %k unsigned false : !np.array<?xf64, strided>
  %first = np.view %b offsets[%c0] axes [] extents [] steps [] : !np.array<?xf64, strided> -> !np.array<f64>
  np.store %x, %first : f64, !np.array<f64>
  %own = np.view %a offsets[%c0] axes [] extents [] steps [] : !np.array<?xf64> -> !np.array<f64>
  %value = np.load %own : !np.array<f64> -> tensor<f64>
  %result = np.item %value : tensor<f64> -> f64
  return %result : f64
}

// RUN: npcc-opt %s --npcc-import-to-np --npcc-np-to-loops | FileCheck %s

// A diagonal is memory of its own strides: what stores into it names no position in the array.
// CHECK-LABEL: func @diagonal
// CHECK: %[[D:.*]] = np.part "diagonal" %arg0 extents[%{{.*}}] : memref<?x?xf64> -> memref<?xf64, strided<[?], offset: ?>>
// CHECK: np.kernel map (%[[I:.*]]) =
// CHECK: memref.store %arg1, %[[D]][%[[I]]]
func.func @diagonal(%a: !np.array<?x?xf64>, %x: f64) {
  %n = np.dim %a, 0 : !np.array<?x?xf64>
  %d = np.part "diagonal" %a extents [%n] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  np.store %x, %d : f64, !np.array<?xf64, strided>
  return
}

// A load before and one after a store into the imaginary parts are two.
// CHECK-LABEL: func @component
// CHECK: %[[IMAG:.*]] = np.part "imag" %arg0
// CHECK: memref.load %arg0
// CHECK: memref.store %{{.*}}, %[[IMAG]]
// CHECK: memref.load %arg0
func.func @component(%c: !np.array<?xcomplex<f64>>, %x: f64) -> (!np.array<?xf64>, !np.array<?xf64>) attributes {np.target = "cpu"} {
  %n = np.dim %c, 0 : !np.array<?xcomplex<f64>>
  %imag = np.part "imag" %c extents [%n] : !np.array<?xcomplex<f64>> -> !np.array<?xf64, strided>
  %0 = np.load %imag : !np.array<?xf64, strided> -> tensor<?xf64>
  %before = np.new %0 : tensor<?xf64> -> !np.array<?xf64>
  np.store %x, %imag : f64, !np.array<?xf64, strided>
  %1 = np.load %imag : !np.array<?xf64, strided> -> tensor<?xf64>
  %after = np.new %1 : tensor<?xf64> -> !np.array<?xf64>
  return %before, %after : !np.array<?xf64>, !np.array<?xf64>
}

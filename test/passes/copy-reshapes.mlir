// RUN: npcc-opt %s --npcc-copy-reshapes | FileCheck %s

// Only read: a value.
// CHECK-LABEL: func @read
// CHECK: %[[V:.*]] = np.load %arg0
// CHECK: np.reshape %[[V]]
// CHECK-NOT: np.reshape_strided
// CHECK: return
func.func @read(%a: !np.array<?x?xf64, strided>, %n: index) -> !np.array<?xf64> {
  %r = np.reshape_strided %a extents [%n] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
  %x = np.load %r : !np.array<?xf64, strided> -> tensor<?xf64>
  %b = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  return %b : !np.array<?xf64>
}

// The source changes before it is read: a view must show that.
// CHECK-LABEL: func @written
// CHECK: np.reshape_strided
func.func @written(%a: !np.array<?x?xf64, strided>, %n: index, %f: f64) -> !np.array<?xf64> {
  %r = np.reshape_strided %a extents [%n] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
  np.store %f, %a : f64, !np.array<?x?xf64, strided>
  %x = np.load %r : !np.array<?xf64, strided> -> tensor<?xf64>
  %b = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  return %b : !np.array<?xf64>
}

// It leaves: the caller can tell.
// CHECK-LABEL: func @returned
// CHECK: np.reshape_strided
func.func @returned(%a: !np.array<?x?xf64, strided>, %n: index) -> !np.array<?xf64, strided> {
  %r = np.reshape_strided %a extents [%n] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
  return %r : !np.array<?xf64, strided>
}

// What lies transposed in NumPy is a copy there, and so is a value; what leaves is asked for at run time.
// CHECK-LABEL: func @transposed
// CHECK: np.reshape_strided %arg0 extents[%arg1] transposed %arg2
// CHECK: np.reshape %
// CHECK-NOT: np.reshape_strided
func.func @transposed(%a: !np.array<?x?xf64>, %n: index, %t: i1) -> (!np.array<?xf64, strided>, !np.array<?xf64>) {
  %r = np.reshape_strided %a extents [%n] transposed %t : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  %s = np.reshape_strided %a extents [%n] transposed %t : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  %x = np.load %s : !np.array<?xf64, strided> -> tensor<?xf64>
  %b = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  return %r, %b : !np.array<?xf64, strided>, !np.array<?xf64>
}

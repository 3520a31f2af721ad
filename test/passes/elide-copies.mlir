// Copies of arrays that nobody looks at afterwards.
// RUN: npcc-opt %s --npcc-elide-copies | FileCheck %s

// CHECK-LABEL: func.func @history
// CHECK:         %[[A:.*]] = np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK-NOT:     np.kernel
// CHECK:         return %[[A]]
func.func @history(%n: index, %x: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  return %b : memref<?xf64>
}

// Both are results; another array's extents; an element is read behind the copy; the copy is of a part.
// CHECK-LABEL: func.func @both
// CHECK:         np.kernel
func.func @both(%n: index) -> (memref<?xf64>, memref<?xf64>) {
  %a = np.alloc(%n) : memref<?xf64>
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  return %a, %b : memref<?xf64>, memref<?xf64>
}

// CHECK-LABEL: func.func @argument
// CHECK:         np.kernel
func.func @argument(%n: index, %a: memref<?xf64>) -> memref<?xf64> {
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  return %b : memref<?xf64>
}

// CHECK-LABEL: func.func @read_later
// CHECK:         np.kernel
func.func @read_later(%n: index, %x: f64) -> (memref<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %a = np.alloc(%n) : memref<?xf64>
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  memref.store %x, %b[%c0] : memref<?xf64>
  %e = memref.load %a[%c0] : memref<?xf64>
  return %b, %e : memref<?xf64>, f64
}

// CHECK-LABEL: func.func @kept
// CHECK:         np.keep
// CHECK:         np.kernel
func.func @kept(%n: index) -> (memref<?xf64>, i64) {
  %a = np.alloc(%n) : memref<?xf64>
  %k = np.keep %a unsigned false : memref<?xf64>
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  return %b, %k : memref<?xf64>, i64
}

// CHECK-LABEL: func.func @part
// CHECK:         np.kernel
func.func @part(%n: index, %m: index) -> memref<?xf64> {
  %a = np.alloc(%n) : memref<?xf64>
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%m) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  return %b : memref<?xf64>
}

// A view from before that is looked at behind the copy.
// CHECK-LABEL: func.func @view
// CHECK:         np.kernel
func.func @view(%n: index, %x: f64) -> (memref<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %a = np.alloc(%n) : memref<?xf64>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  memref.store %x, %b[%c0] : memref<?xf64>
  %e = memref.load %v[%c0] : memref<?xf64, strided<[1]>>
  return %b, %e : memref<?xf64>, f64
}

// What a branch gives has another name behind it.
// CHECK-LABEL: func.func @chosen
// CHECK:         np.kernel
func.func @chosen(%n: index, %is: i1, %x: f64, %other: memref<?xf64>) -> (memref<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %a = np.alloc(%n) : memref<?xf64>
  %c = scf.if %is -> (memref<?xf64>) {
    scf.yield %a : memref<?xf64>
  } else {
    scf.yield %other : memref<?xf64>
  }
  %b = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %e = memref.load %a[%i] : memref<?xf64>
    memref.store %e, %b[%i] : memref<?xf64>
  }
  memref.store %x, %b[%c0] : memref<?xf64>
  %e = memref.load %c[%c0] : memref<?xf64>
  return %b, %e : memref<?xf64>, f64
}

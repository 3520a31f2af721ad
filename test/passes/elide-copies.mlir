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

// A copy with other extents: the array has them. Views of the copy may be made before it.
// CHECK-LABEL: func.func @reshaped
// CHECK:         %[[A:.*]] = np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         %[[B:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%arg0, %arg1, %arg2]
// CHECK:         memref.reinterpret_cast %[[B]]
// CHECK-NOT:     np.kernel
// CHECK:         return %[[B]]
func.func @reshaped(%l: index, %m: index, %n: index, %x: f64) -> (memref<?x?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %rows = arith.muli %l, %m : index
  %a = np.alloc(%rows, %n) : memref<?x?xf64>
  memref.store %x, %a[%c0, %c0] : memref<?x?xf64>
  %b = np.alloc(%l, %m, %n) : memref<?x?x?xf64>
  %v = memref.reinterpret_cast %b to offset: [0], sizes: [%rows, %n], strides: [%n, 1] : memref<?x?x?xf64> to memref<?x?xf64>
  %mn = arith.muli %m, %n : index
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [%l, %m, %n], strides: [%mn, %n, 1] : memref<?x?xf64> to memref<?x?x?xf64>
  np.kernel (%i, %j, %k) = (%l, %m, %n) {
    %e = memref.load %r[%i, %j, %k] : memref<?x?x?xf64>
    memref.store %e, %b[%i, %j, %k] : memref<?x?x?xf64>
  }
  %f = memref.load %v[%c0, %c0] : memref<?x?xf64>
  return %b, %f : memref<?x?x?xf64>, f64
}

// The array with its own extents changes behind the copy.
// CHECK-LABEL: func.func @reshaped_and_changed
// CHECK:         np.kernel
func.func @reshaped_and_changed(%l: index, %n: index, %x: f64) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %size = arith.muli %l, %n : index
  %a = np.alloc(%size) : memref<?xf64>
  %b = np.alloc(%l, %n) : memref<?x?xf64>
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [%l, %n], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64>
  np.kernel (%i, %j) = (%l, %n) {
    %e = memref.load %r[%i, %j] : memref<?x?xf64>
    memref.store %e, %b[%i, %j] : memref<?x?xf64>
  }
  memref.store %x, %a[%c0] : memref<?xf64>
  return %b : memref<?x?xf64>
}

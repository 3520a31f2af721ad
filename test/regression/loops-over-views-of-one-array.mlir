// RUN: npcc-opt %s --npcc-parallelize-loops | FileCheck %s

// A view in the loop form is the memory of its source under another value. Each loop here reads what an iteration before it
// wrote, through a view, and so may not become a kernel.

// CHECK-LABEL: func @reinterpreted
// CHECK-NOT: np.kernel
func.func @reinterpreted(%a: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?x?xf64> to memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before, %c0] : memref<?x?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func @two_views
// CHECK-NOT: np.kernel
func.func @two_views(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = np.alloc(%n) : memref<?xf64>
  %b = memref.cast %a : memref<?xf64> to memref<?xf64, strided<[?], offset: ?>>
  %c = np.rebase %b : memref<?xf64, strided<[?], offset: ?>> -> memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %b[%before] : memref<?xf64, strided<[?], offset: ?>>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func @reshaped_at_run_time
// CHECK-NOT: np.kernel
func.func @reshaped_at_run_time(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = np.call_reshape %a extents [%n] ravel true {is_unsigned = false} : memref<?x?xf64, strided<[?, ?], offset: ?>> -> memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before, %c0] : memref<?x?xf64, strided<[?, ?], offset: ?>>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func @chosen
// CHECK-NOT: np.kernel
func.func @chosen(%a: memref<?xf64>, %b: memref<?xf64>, %which: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.select %which, %a, %b : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func @branched
// CHECK-NOT: np.kernel
func.func @branched(%a: memref<?xf64>, %which: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = scf.if %which -> memref<?xf64> {
    scf.yield %a : memref<?xf64>
  } else {
    %new = np.alloc(%n) : memref<?xf64>
    scf.yield %new : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

// The array before the loop may be the one that it gives; in the loop, what it carries is another one than the new array.
// CHECK-LABEL: func @carried
// CHECK: scf.for {{.*}} iter_args
// CHECK: np.kernel
// CHECK: scf.yield
// CHECK-NOT: np.kernel
func.func @carried(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a) -> memref<?xf64> {
    %new = np.alloc(%n) : memref<?xf64>
    scf.for %i = %c1 to %n step %c1 {
      %before = arith.subi %i, %c1 : index
      %x = memref.load %old[%before] : memref<?xf64>
      memref.store %x, %new[%i] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

// Nothing is known of what a call gives.
// CHECK-LABEL: func @unknown
// CHECK-NOT: np.kernel
func.func private @make() -> memref<?xf64>
func.func @unknown(%a: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %c = func.call @make() : () -> memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

// Two new arrays are two.
// CHECK-LABEL: func @new
// CHECK: np.kernel
func.func @new(%n: index) {
  %c1 = arith.constant 1 : index
  %a = np.alloc(%n) : memref<?xf64>
  %c = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  return
}

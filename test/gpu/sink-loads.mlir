// What only the device needs the device reads.
// RUN: npcc-opt %s --npcc-sink-loads --cse | FileCheck %s

// CHECK-LABEL: func.func @scale
// CHECK-NOT:   memref.load
// CHECK:       np.kernel
// CHECK:         %[[P:.*]] = memref.load %arg1[%arg2]
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}}, %[[P]]
// CHECK:         arith.mulf %{{.*}}, %[[Q]]
func.func @scale(%x: memref<?xf64>, %a: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %p = memref.load %a[%k] : memref<?xf64>
  %q = arith.divf %one, %p : f64
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %q : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// The kernel writes what was read: it must not read it again.
// CHECK-LABEL: func.func @in_place
// CHECK:       memref.load
// CHECK:       np.kernel
// CHECK-NEXT:    memref.load %arg0[%{{.*}}]
// CHECK-NEXT:    arith.mulf
func.func @in_place(%x: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %p = memref.load %x[%k] : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %p : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// An element computed from elements: a kernel of one iteration.
// CHECK-LABEL: func.func @element
// CHECK-NOT:   memref.load
// CHECK:       memref.load
// CHECK:       memref.load
// CHECK:       memref.store
func.func @element(%x: memref<?xf64>, %j: index, %k: index) {
  %p = memref.load %x[%j] : memref<?xf64>
  %q = memref.load %x[%k] : memref<?xf64>
  %r = arith.divf %p, %q : f64
  memref.store %r, %x[%j] : memref<?xf64>
  return
}

// The buffer was given back before the kernel that reads it now.
// CHECK-LABEL: func.func @released
// CHECK:       np.kernel
// CHECK:         memref.load %[[COUNT:.*]][] : memref<f64>
// CHECK:       np.release %{{.*}} : memref<f64>
func.func @released(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %count = np.alloc() : memref<f64>
  np.kernel (%i) = (%c1) {
    %u = memref.load %x[%i] : memref<?xf64>
    memref.store %u, %count[] : memref<f64>
  }
  %c = memref.load %count[] : memref<f64>
  np.release %count : memref<f64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.divf %u, %c : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// What the loop carries is another buffer than the one that is made in it.
// CHECK-LABEL: func.func @carried
// CHECK:       scf.for
// CHECK-NOT:     memref.load
// CHECK:         np.kernel
func.func @carried(%x: memref<?xf64>, %first: memref<f64>, %n: index) -> memref<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<f64>) {
    %new = np.alloc() : memref<f64>
    np.kernel (%i) = (%c1) {
      %u = memref.load %x[%i] : memref<?xf64>
      memref.store %u, %new[] : memref<f64>
    }
    %v = memref.load %new[] : memref<f64>
    np.release %old : memref<f64>
    memref.store %v, %x[%k] : memref<?xf64>
    scf.yield %new : memref<f64>
  }
  return %r : memref<f64>
}

// Rows of other devices come into the array before the kernel.
// CHECK-LABEL: func.func @exchange
// CHECK:       memref.load
// CHECK:       np.exchange_halo
// CHECK:       np.kernel
// CHECK-NOT:     memref.load %arg1
// CHECK:         memref.store
func.func @exchange(%x: memref<?xf64>, %a: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %p = memref.load %a[%k] : memref<?xf64>
  np.exchange_halo %a before %c1 after %c1 : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %p, %x[%i] : memref<?xf64>
  }
  return
}

// Nothing is known of a call.
// CHECK-LABEL: func.func @call
// CHECK:       memref.load
// CHECK:       call @unknown
// CHECK:       np.kernel
// CHECK-NOT:     memref.load %arg1
// CHECK:         memref.store
func.func private @unknown()
func.func @call(%x: memref<?xf64>, %a: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %p = memref.load %a[%k] : memref<?xf64>
  func.call @unknown() : () -> ()
  np.kernel (%i) = (%n) {
    memref.store %p, %x[%i] : memref<?xf64>
  }
  return
}

// Checks and print() write no array, and an exchange of another new array writes that one.
// CHECK-LABEL: func.func @harmless
// CHECK-NOT:   memref.load
// CHECK:       np.assert
// CHECK-NOT:   memref.load
// CHECK:       np.kernel
// CHECK:         memref.load %arg1
func.func @harmless(%x: memref<?xf64>, %a: memref<?xf64>, %k: index, %good: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %tile = np.alloc(%n) : memref<?xf64>
  %p = memref.load %a[%k] : memref<?xf64>
  np.assert %good, "ValueError" "no"()
  np.print ["here"]()
  %position = np.check_index %k of %n axis 0
  np.exchange_halo %tile before %c1 after %c1 : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %p, %x[%position] : memref<?xf64>
  }
  return
}

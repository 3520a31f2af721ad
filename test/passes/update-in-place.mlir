// An array that a loop makes anew of the last one's elements is one array.
// RUN: npcc-opt %s --npcc-update-in-place | FileCheck %s

// What the loop begins with is the function's own: it is the array.
// CHECK-LABEL: func.func @own
// CHECK:         %[[A:.*]] = np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         scf.for %{{.*}} = %c0 to %arg1 step %c1 {
// CHECK-NEXT:      np.kernel (%[[I:.*]]) = (%arg0) {
// CHECK-NEXT:        %[[X:.*]] = memref.load %[[A]][%[[I]]]
// CHECK-NEXT:        %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:        memref.store %[[Y]], %[[A]][%[[I]]]
// CHECK:         return %[[A]]
func.func @own(%n: index, %times: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %first = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %one, %first[%i] : memref<?xf64>
  }
  %last = scf.for %t = %c0 to %times step %c1 iter_args(%old = %first) -> memref<?xf64> {
    %new = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %x = memref.load %old[%i] : memref<?xf64>
      %y = arith.mulf %x, %x : f64
      memref.store %y, %new[%i] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// An argument is copied before the first iteration, and is the result where there is none. Each array is stored behind all loads.
// CHECK-LABEL: func.func @arguments
// CHECK:         %[[ANY:.*]] = arith.cmpi sgt, %arg2, %c0
// CHECK:         %[[R:.*]]:2 = np.alternatives "iterations" needed %[[ANY]]
// CHECK:           %[[X:.*]] = np.alloc
// CHECK:           %[[Y:.*]] = np.alloc
// CHECK:           np.kernel
// CHECK:             memref.load %arg0
// CHECK:             memref.store %{{.*}}, %[[X]]
// CHECK:             memref.load %arg1
// CHECK:             memref.store %{{.*}}, %[[Y]]
// CHECK:           scf.for
// CHECK-NOT:         np.alloc
// CHECK:             np.kernel
// CHECK:               memref.load %[[X]]
// CHECK:               memref.load %[[Y]]
// CHECK:               memref.store %{{.*}}, %[[X]]
// CHECK:               memref.store %{{.*}}, %[[Y]]
// CHECK:           np.yield %[[X]], %[[Y]]
// CHECK:         } or {
// CHECK-NEXT:      np.yield %arg0, %arg1
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @arguments(%a: memref<?xf64>, %b: memref<?xf64>, %times: index) -> (memref<?xf64>, memref<?xf64>)
    attributes {np.guards = array<i64: 0, 0, 1, 0>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %last:2 = scf.for %t = %c0 to %times step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xf64>, memref<?xf64>) {
    %p = np.alloc(%n) : memref<?xf64>
    %q = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %v = memref.load %x[%i] : memref<?xf64>
      memref.store %v, %p[%i] : memref<?xf64>
      %w = memref.load %y[%i] : memref<?xf64>
      memref.store %w, %q[%i] : memref<?xf64>
    }
    scf.yield %p, %q : memref<?xf64>, memref<?xf64>
  }
  return %last#0, %last#1 : memref<?xf64>, memref<?xf64>
}

// A neighbour's element, an array that is needed later, and other extents: as they were.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: scf.for {{.*}} iter_args
func.func @others(%a: memref<?xf64>, %times: index, %m: index) -> (memref<?xf64>, memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %neighbour = scf.for %t = %c0 to %times step %c1 iter_args(%old = %a) -> memref<?xf64> {
    %new = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %before = arith.subi %i, %c1 : index
      %x = memref.load %old[%before] : memref<?xf64>
      memref.store %x, %new[%i] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  %later = scf.for %t = %c0 to %times step %c1 iter_args(%old = %a) -> memref<?xf64> {
    %new = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %x = memref.load %old[%i] : memref<?xf64>
      memref.store %x, %new[%i] : memref<?xf64>
    }
    %sum = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %x = memref.load %old[%i] : memref<?xf64>
      memref.store %x, %sum[%i] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  %shorter = scf.for %t = %c0 to %times step %c1 iter_args(%old = %a) -> memref<?xf64> {
    %new = np.alloc(%m) : memref<?xf64>
    np.kernel (%i) = (%m) {
      %x = memref.load %old[%i] : memref<?xf64>
      memref.store %x, %new[%i] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  return %neighbour, %later, %shorter : memref<?xf64>, memref<?xf64>, memref<?xf64>
}

// Two arrays, of which the second takes over what the first one held: both are updated, the second one first. Behind few iterations
// the result would be an argument itself; then the loop is as it was.
// CHECK-LABEL: func.func @hand_on
// CHECK:         %[[ENOUGH:.*]] = arith.cmpi sgt, %arg2, %c1
// CHECK:         np.alternatives "iterations" %[[ENOUGH]]
// CHECK:           %[[P:.*]] = np.alloc
// CHECK:           %[[Q:.*]] = np.alloc
// CHECK:           scf.for %{{[^ ]*}} = %c0 to %arg2 step %c1 {
// CHECK-NEXT:        np.kernel (%[[I:.*]]) =
// CHECK-NEXT:          %[[X:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NEXT:          %[[Y:.*]] = memref.load %[[Q]][%[[I]]]
// CHECK-NEXT:          %[[Z:.*]] = arith.subf %[[X]], %[[Y]]
// CHECK-NEXT:          memref.store %[[X]], %[[Q]][%[[I]]]
// CHECK-NEXT:          memref.store %[[Z]], %[[P]][%[[I]]]
// CHECK:           np.yield %[[P]], %[[Q]]
// CHECK:         } or {
// CHECK-NEXT:      scf.for
// CHECK:             np.alloc
func.func @hand_on(%a: memref<?xf64>, %b: memref<?xf64>, %times: index) -> (memref<?xf64>, memref<?xf64>)
    attributes {np.guards = array<i64: 0, 0, 1, 0>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %last:2 = scf.for %t = %c0 to %times step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
    %new = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %x = memref.load %p[%i] : memref<?xf64>
      %y = memref.load %q[%i] : memref<?xf64>
      %z = arith.subf %x, %y : f64
      memref.store %z, %new[%i] : memref<?xf64>
    }
    scf.yield %new, %p : memref<?xf64>, memref<?xf64>
  }
  return %last#0, %last#1 : memref<?xf64>, memref<?xf64>
}

// A neighbour's element is read: the names change places.
// CHECK-LABEL: func.func @neighbours
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           np.alloc
func.func @neighbours(%a: memref<?xf64>, %b: memref<?xf64>, %times: index) -> memref<?xf64>
    attributes {np.guards = array<i64: 0, 0, 1, 0>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %last:2 = scf.for %t = %c0 to %times step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
    %new = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %next = arith.addi %i, %c1 : index
      %x = memref.load %p[%next] : memref<?xf64>
      %y = memref.load %q[%i] : memref<?xf64>
      %z = arith.subf %x, %y : f64
      memref.store %z, %new[%i] : memref<?xf64>
    }
    scf.yield %new, %p : memref<?xf64>, memref<?xf64>
  }
  return %last#0 : memref<?xf64>
}

// RUN: npcc-opt %s --npcc-leave-to-host | FileCheck %s

// The host gets copies, and an argument that is stored to has what the loop stored if the call fails.
// CHECK-LABEL: func.func @recurrence
// CHECK-SAME:    %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>
// CHECK:       np.alternatives "loops left to the host" {{.*}} {
// CHECK:         %[[A:.*]] = np.alloc(%{{.*}}) : memref<?xf64, "host">
// CHECK-NEXT:    memref.copy %[[X]], %[[A]]
// CHECK-NEXT:    %[[B:.*]] = np.mirror %[[Y]] : memref<?xf64> -> memref<?xf64, "host">
// CHECK-NEXT:    scf.for
// CHECK:           memref.load %[[A]]
// CHECK:           memref.load %[[B]]
// CHECK:           memref.store %{{.*}}, %[[B]]
// CHECK:         np.release %[[A]]
// CHECK-NEXT:    memref.copy %[[B]], %[[Y]]
// CHECK-NEXT:    np.release %[[B]]
// CHECK:       } or {
// CHECK-NEXT:    scf.for
// CHECK:           memref.load %[[X]]
func.func @recurrence(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %k = %c1 to %n step %c1 {
    %m = arith.subi %k, %c1 : index
    %v = memref.load %x[%k] : memref<?xf64>
    %w = memref.load %y[%m] : memref<?xf64>
    %s = arith.divf %v, %w : f64
    memref.store %s, %y[%k] : memref<?xf64>
  }
  return
}

// Kernels of a loop that goes through elements itself, and what it makes, are the host's, too. It gives a number.
// CHECK-LABEL: func.func @rows
// CHECK:       %[[LAST:.*]] = np.alternatives {{.*}} %{{.*}} -> (f64) {
// CHECK:         %[[R:.*]] = scf.for
// CHECK-NOT:       np.alloc
// CHECK-NOT:       np.kernel
// CHECK:           %[[SUM:.*]] = scf.for
// CHECK:           arith.divf %[[SUM]]
// CHECK:         np.yield %[[R]] : f64
// CHECK:       } or {
// CHECK:         np.kernel
// CHECK:         scf.yield
// CHECK:       return %[[LAST]]
func.func @rows(%a: memref<?x?xf64>, %y: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %m = memref.dim %a, %c1 : memref<?x?xf64>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%before = %zero) -> (f64) {
    %t = np.alloc() : memref<f64>
    np.kernel rows (%u) = (%c1) {
      %s = scf.parallel (%j) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
        %v = memref.load %a[%k, %j] : memref<?x?xf64>
        scf.reduce(%v : f64) {
        ^bb0(%p: f64, %q: f64):
          %r = arith.addf %p, %q : f64
          scf.reduce.return %r : f64
        }
      }
      memref.store %s, %t[] : memref<f64>
    }
    %total = memref.load %t[] : memref<f64>
    np.release %t : memref<f64>
    %next = arith.divf %total, %before : f64
    memref.store %next, %y[%k] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// Views of one array: a copy of each would not show what is stored to the other.
// CHECK-LABEL: func.func @views
// CHECK-NOT:   np.choice
func.func @views(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %v = memref.cast %x : memref<?xf64> to memref<?xf64>
  scf.for %k = %c1 to %n step %c1 {
    %m = arith.subi %k, %c1 : index
    %a = memref.load %v[%m] : memref<?xf64>
    memref.store %a, %x[%k] : memref<?xf64>
  }
  return
}

// Updates become kernels. A loop that only reads what a kernel has summed up is the device's.
// CHECK-LABEL: func.func @updates
// CHECK-NOT:   np.choice
func.func @updates(%p: memref<?xi64>, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %p, %c0 : memref<?xi64>
  scf.for %k = %c0 to %n step %c1 {
    %i = memref.load %p[%k] : memref<?xi64>
    %at = arith.index_cast %i : i64 to index
    %v = memref.load %x[%k] : memref<?xf64>
    %old = memref.load %y[%at] : memref<?xf64>
    %new = arith.addf %old, %v : f64
    memref.store %new, %y[%at] : memref<?xf64>
  }
  %t = np.alloc() : memref<f64>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %one) -> (f64) {
    np.kernel (%u) = (%c1) {
      memref.store %a, %t[] : memref<f64>
    }
    %b = memref.load %t[] : memref<f64>
    scf.yield %b : f64
  }
  np.release %t : memref<f64>
  return
}

// In the general version arguments may overlap.
// CHECK-LABEL: func.func @general
// CHECK-NOT:   np.choice
func.func @general(%x: memref<?xf64>, %y: memref<?xf64>) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %k = %c1 to %n step %c1 {
    %m = arith.subi %k, %c1 : index
    %v = memref.load %x[%m] : memref<?xf64>
    memref.store %v, %y[%k] : memref<?xf64>
  }
  return
}

// RUN: npcc-opt %s --npcc-leave-to-host | FileCheck %s

// The host gets copies, and an argument that is stored to has what the loop stored if the call fails.
// CHECK-LABEL: func.func @recurrence
// CHECK-SAME:    %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>
// CHECK:       %[[HOST:.*]] = np.choice "loops left to the host"
// CHECK-NEXT:  scf.if %[[HOST]] {
// CHECK:         %[[A:.*]] = np.alloc(%{{.*}}) : memref<?xf64, "host">
// CHECK-NEXT:    memref.copy %[[X]], %[[A]]
// CHECK-NEXT:    %[[B:.*]] = np.mirror %[[Y]] : memref<?xf64> -> memref<?xf64, "host">
// CHECK:         scf.for
// CHECK:           memref.load %[[A]]
// CHECK:           memref.load %[[B]]
// CHECK:           memref.store %{{.*}}, %[[B]]
// CHECK:         np.release %[[A]]
// CHECK-NEXT:    memref.copy %[[B]], %[[Y]]
// CHECK-NEXT:    np.release %[[B]]
// CHECK:       } else {
// CHECK:         np.kernel
// CHECK:           memref.load %[[X]]
func.func @recurrence(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%u) = (%c1) {
    scf.for %k = %c1 to %n step %c1 {
      %m = arith.subi %k, %c1 : index
      %v = memref.load %x[%k] : memref<?xf64>
      %w = memref.load %y[%m] : memref<?xf64>
      %s = arith.divf %v, %w : f64
      memref.store %s, %y[%k] : memref<?xf64>
    }
  }
  return
}

// What is stored once, behind the loop, stays on the device.
// CHECK-LABEL: func.func @last
// CHECK-SAME:    %[[X:.*]]: memref<?xi64>
// CHECK:       %[[LAST:.*]] = np.alloc() : memref<i64>
// CHECK:       scf.if
// CHECK-NOT:     memref.copy %[[LAST]]
// CHECK:         memref.store %{{.*}}, %[[LAST]][]
// CHECK:       } else {
func.func @last(%x: memref<?xi64>) -> memref<i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  %last = np.alloc() : memref<i64>
  np.kernel (%u) = (%c1) {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (i64) {
      %v = memref.load %x[%k] : memref<?xi64>
      %p = arith.muli %a, %v : i64
      %q = arith.xori %p, %v : i64
      scf.yield %q : i64
    }
    memref.store %s, %last[] : memref<i64>
  }
  return %last : memref<i64>
}

// Views of one array: a copy of each would not show what is stored to the other.
// CHECK-LABEL: func.func @views
// CHECK-NOT:   np.choice
func.func @views(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %v = memref.cast %x : memref<?xf64> to memref<?xf64>
  np.kernel (%u) = (%c1) {
    scf.for %k = %c1 to %n step %c1 {
      %m = arith.subi %k, %c1 : index
      %a = memref.load %v[%m] : memref<?xf64>
      memref.store %a, %x[%k] : memref<?xf64>
    }
  }
  return
}

// Nobody knows how long it goes on.
// CHECK-LABEL: func.func @until
// CHECK-NOT:   np.choice
func.func @until(%x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1i = arith.constant 1 : i64
  %c1 = arith.constant 1 : index
  np.kernel (%u) = (%c1) {
    %e = scf.while (%k = %c0) : (index) -> index {
      %v = memref.load %x[%k] : memref<?xi64>
      %next = arith.index_cast %v : i64 to index
      %more = arith.cmpi ne, %next, %c0 : index
      scf.condition(%more) %next : index
    } do {
    ^bb0(%k: index):
      memref.store %c1i, %x[%k] : memref<?xi64>
      scf.yield %k : index
    }
  }
  return
}

// In the general version arguments may overlap.
// CHECK-LABEL: func.func @general
// CHECK-NOT:   np.choice
func.func @general(%x: memref<?xf64>, %y: memref<?xf64>) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%u) = (%c1) {
    scf.for %k = %c1 to %n step %c1 {
      %m = arith.subi %k, %c1 : index
      %v = memref.load %x[%m] : memref<?xf64>
      memref.store %v, %y[%k] : memref<?xf64>
    }
  }
  return
}

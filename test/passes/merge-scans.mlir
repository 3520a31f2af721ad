// RUN: npcc-opt %s --npcc-merge-scans | FileCheck %s

// What a mask selects: the host asks for the last total first, then each selected element goes where its total says.
// CHECK-LABEL: func @select
// CHECK-NOT:     memref<?xi64>
// CHECK:         np.kernel
// CHECK:           %[[SUM:.*]] = scf.parallel {{.*}} -> i64
// CHECK:             memref.load %arg0
// CHECK:           memref.store %[[SUM]], %[[LAST:.*]][]
// CHECK:         memref.load %[[LAST]][]
// CHECK:         np.alloc
// CHECK:         np.kernel
// CHECK:           np.fold any neutral
// CHECK:           } each {
// CHECK:           ^bb0(%[[K:.*]]: index, %[[T:.*]]: i64):
// CHECK:             %[[X:.*]] = memref.load %arg0[%[[K]]]
// CHECK:             arith.subi %[[T]]
// CHECK:             scf.if
// CHECK:               memref.store %[[X]]
// CHECK-NOT:     np.kernel
func.func @select(%x: memref<?xf64>) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %half = arith.constant 0.5 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %totals = np.alloc(%n) : memref<?xi64>
  np.kernel (%u) = (%c1) {
    %s = np.fold any neutral %n init(%c0_i64) {
    ^bb0(%k: index):
      %v = memref.load %x[%k] : memref<?xf64>
      %b = arith.cmpf ogt, %v, %half : f64
      %e = arith.extui %b : i1 to i64
      np.yield %e : i64
    } combine {
    ^bb0(%l: i64, %r: i64):
      %t = arith.addi %l, %r : i64
      np.yield %t : i64
    } each {
    ^bb0(%k: index, %t: i64):
      memref.store %t, %totals[%k] : memref<?xi64>
      np.yield
    } : i64
  }
  %before = arith.addi %n, %c-1 : index
  %end = arith.maxsi %before, %c0 : index
  %few = arith.minsi %n, %c1 : index
  %last = np.alloc() : memref<i64>
  np.kernel (%u) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%few) step (%c1) init (%c0_i64) -> i64 {
      %at = arith.addi %end, %k : index
      %t = memref.load %totals[%at] : memref<?xi64>
      scf.reduce(%t : i64) {
      ^bb0(%l: i64, %r: i64):
        %sum = arith.addi %l, %r : i64
        scf.reduce.return %sum : i64
      }
    }
    memref.store %s, %last[] : memref<i64>
  }
  %count = memref.load %last[] : memref<i64>
  %m = arith.index_cast %count : i64 to index
  %y = np.alloc(%m) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
    %b = arith.cmpf ogt, %v, %half : f64
    %t = memref.load %totals[%i] : memref<?xi64>
    %p = arith.subi %t, %c1_i64 : i64
    %q = arith.index_cast %p : i64 to index
    scf.if %b {
      memref.store %v, %y[%q] : memref<?xf64>
    }
  }
  return %y : memref<?xf64>
}

// Totals that are read elsewhere too stay in memory, and so do those behind which the elements change.
// CHECK-LABEL: func @elsewhere
// CHECK:         memref.store {{.*}} : memref<?xf64>
// CHECK:       np.kernel
// CHECK:         memref.load
func.func @elsewhere(%x: memref<?xf64>, %y: memref<?xf64>, %j: index) attributes {np.target = "cuda"} {
  %zero = arith.constant -0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %totals = np.alloc(%n) : memref<?xf64>
  np.kernel (%u) = (%c1) {
    %s = np.fold any neutral %n init(%zero) {
    ^bb0(%k: index):
      %v = memref.load %x[%k] : memref<?xf64>
      np.yield %v : f64
    } combine {
    ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      np.yield %t : f64
    } each {
    ^bb0(%k: index, %t: f64):
      memref.store %t, %totals[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  np.kernel (%i) = (%n) {
    %t = memref.load %totals[%j] : memref<?xf64>
    memref.store %t, %y[%i] : memref<?xf64>
  }
  return
}
// CHECK-LABEL: func @changed
// CHECK:         np.fold
// CHECK:       np.kernel
// CHECK:       np.kernel
func.func @changed(%x: memref<?xf64>) attributes {np.target = "cuda"} {
  %zero = arith.constant -0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %totals = np.alloc(%n) : memref<?xf64>
  np.kernel (%u) = (%c1) {
    %s = np.fold any neutral %n init(%zero) {
    ^bb0(%k: index):
      %v = memref.load %x[%k] : memref<?xf64>
      np.yield %v : f64
    } combine {
    ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      np.yield %t : f64
    } each {
    ^bb0(%k: index, %t: f64):
      memref.store %t, %totals[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  np.kernel (%i) = (%c1) {
    memref.store %zero, %x[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %t = memref.load %totals[%i] : memref<?xf64>
    memref.store %t, %x[%i] : memref<?xf64>
  }
  return
}

// Rounded sums in another order are others: the last total is the one that was made.
// CHECK-LABEL: func @rounded
// CHECK:         np.fold
// CHECK:           memref.store {{.*}} : memref<?xf64>
// CHECK:       np.kernel
// CHECK-NOT:     scf.parallel
// CHECK:       np.kernel
func.func @rounded(%x: memref<?xf64>, %y: memref<?xf64>, %last: memref<f64>) attributes {np.target = "cuda"} {
  %zero = arith.constant -0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %end = arith.addi %n, %c-1 : index
  %totals = np.alloc(%n) : memref<?xf64>
  np.kernel (%u) = (%c1) {
    %s = np.fold any neutral %n init(%zero) {
    ^bb0(%k: index):
      %v = memref.load %x[%k] : memref<?xf64>
      np.yield %v : f64
    } combine {
    ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      np.yield %t : f64
    } each {
    ^bb0(%k: index, %t: f64):
      memref.store %t, %totals[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  np.kernel (%u) = (%c1) {
    %t = memref.load %totals[%end] : memref<?xf64>
    memref.store %t, %last[] : memref<f64>
  }
  np.kernel (%i) = (%n) {
    %t = memref.load %totals[%i] : memref<?xf64>
    %all = memref.load %last[] : memref<f64>
    %q = arith.divf %t, %all : f64
    memref.store %q, %y[%i] : memref<?xf64>
  }
  return
}

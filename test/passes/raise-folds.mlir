// RUN: npcc-opt %s --npcc-raise-folds --canonicalize | FileCheck %s

// A program's own loop adds floats in its order: elements are computed apart.
// CHECK-LABEL: func.func @in_order
// CHECK:       %[[S:.*]] = np.fold ordered %{{.*}} init(%{{.*}}) {
// CHECK-NEXT:  ^bb0(%[[K:.*]]: index):
// CHECK-NEXT:    %[[I:.*]] = arith.addi %[[K]], %c1
// CHECK-NEXT:    %[[U:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[U]]
// CHECK-NEXT:    np.yield %[[E]] : f64
// CHECK-NEXT:  } combine {
// CHECK-NEXT:  ^bb0(%[[T:.*]]: f64, %[[V:.*]]: f64):
// CHECK-NEXT:    %[[N:.*]] = arith.addf %[[T]], %[[V]]
// CHECK-NEXT:    np.yield %[[N]] : f64
// CHECK-NEXT:  } each {
// CHECK-NEXT:  ^bb0(%[[L:.*]]: index, %[[R:.*]]: f64):
// CHECK-NEXT:    %[[J:.*]] = arith.addi %[[L]], %c1
// CHECK-NEXT:    memref.store %[[R]], %{{.*}}[%[[J]]]
func.func @in_order(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c1 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k] : memref<?xf64>
      %e = math.exp %u : f64
      %s = arith.addf %t, %e : f64
      memref.store %s, %y[%k] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// What the totals are made by may be any scalar code, and several go together: a greatest element and where it is.
// CHECK-LABEL: func.func @greatest
// CHECK:       %[[S:.*]]:2 = np.fold ordered
// CHECK:         memref.load
// CHECK-NEXT:    np.yield %{{.*}}, %{{.*}} : f64, index
// CHECK:       } combine {
// CHECK:         arith.cmpf ogt
// CHECK:         arith.select
// CHECK:         arith.select
// CHECK:       memref.store %[[S]]#0
func.func @greatest(%x: memref<?xf64>, %y: memref<f64>, %p: memref<index>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z, %at = %c0) -> (f64, index) {
      %u = memref.load %x[%k] : memref<?xf64>
      %more = arith.cmpf ogt, %u, %t : f64
      %v = arith.select %more, %u, %t : f64
      %w = arith.select %more, %k, %at : index
      scf.yield %v, %w : f64, index
    }
    memref.store %r#0, %y[] : memref<f64>
    memref.store %r#1, %p[] : memref<index>
  }
  return
}

// Sums of integers are the same in any order: an inner loop of the device's. A check may fail in any of its iterations, since nothing is stored.
// CHECK-LABEL: func.func @count
// CHECK:       %[[S:.*]] = scf.parallel (%{{.*}}) = (%c0) to (%{{.*}}) step (%c1) init (%c0_i64) -> i64
// CHECK:         np.check_index
// CHECK:         scf.reduce
// CHECK:           arith.addi
// CHECK:       %[[T:.*]] = arith.addi %arg2, %[[S]]
// CHECK:       memref.store %[[T]]
func.func @count(%x: memref<?xi64>, %y: memref<i64>, %start: i64, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %start) -> (i64) {
      %p = np.check_index %k of %m axis 0
      %u = memref.load %x[%p] : memref<?xi64>
      %s = arith.addi %t, %u : i64
      scf.yield %s : i64
    }
    memref.store %r, %y[] : memref<i64>
  }
  return
}

// What it reads it has written at another position.
// CHECK-LABEL: func.func @recurrence
// CHECK:       scf.for
func.func @recurrence(%x: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (i64) {
      %u = memref.load %x[%k] : memref<?xi64>
      %s = arith.addi %t, %u : i64
      %next = arith.addi %k, %c1 : index
      memref.store %s, %x[%next] : memref<?xi64>
      scf.yield %s : i64
    }
  }
  return
}

// Another name may be of the same elements, in the general version.
// CHECK-LABEL: func.func @two_names
// CHECK:       scf.for
func.func @two_names(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %y[%k] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// Where a store would come before a check that fails, the order shows.
// CHECK-LABEL: func.func @checked
// CHECK:       scf.for
func.func @checked(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %p = np.check_index %k of %m axis 0
      %u = memref.load %x[%p] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %y[%k] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// The position that it moves with stays in one place: %k + (%m - %k).
// CHECK-LABEL: func.func @one_place
// CHECK:       scf.for
func.func @one_place(%x: memref<?xf64>, %n: index, %m: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %l = arith.index_cast %k : index to i64
      %d = arith.subi %m, %l : i64
      %e = arith.index_cast %d : i64 to index
      %p = arith.addi %k, %e : index
      %u = memref.load %x[%p] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %x[%p] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// The last one that is stored stays.
// CHECK-LABEL: func.func @last
// CHECK:       scf.for
func.func @last(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      %p = arith.divui %k, %c2 : index
      memref.store %s, %y[%p] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// The position of a load depends on what is carried.
// CHECK-LABEL: func.func @chased
// CHECK:       scf.for
func.func @chased(%x: memref<?xindex>, %y: memref<index>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %c0) -> (index) {
      %u = memref.load %x[%t] : memref<?xindex>
      scf.yield %u : index
    }
    memref.store %r, %y[] : memref<index>
  }
  return
}

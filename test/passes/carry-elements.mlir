// RUN: npcc-opt %s --npcc-carry-elements | FileCheck %s

// CHECK-LABEL: func.func @recurrence
// CHECK:       %[[FIRST:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK:         memref.load %arg1
// CHECK:       %{{.*}} = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[U:.*]] = %[[FIRST]]) -> (f64) {
// CHECK:         %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NOT:     memref.load
// CHECK:         %[[H:.*]] = arith.mulf %[[U]]
// CHECK:         %[[V:.*]] = arith.addf %[[H]], %[[X]]
// CHECK:         memref.store %[[V]], %arg1[%[[I]]]
// CHECK:         scf.yield %[[V]]
func.func @recurrence(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    %u = memref.load %y[%p] : memref<?xf64>
    %v = memref.load %x[%i] : memref<?xf64>
    %h = arith.mulf %u, %half : f64
    %w = arith.addf %h, %v : f64
    memref.store %w, %y[%i] : memref<?xf64>
  }
  return
}

// Along a row, beside what is carried already; and y[i + 1] from y[i].
// CHECK-LABEL: func.func @row
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i64, f64)
// CHECK-NOT:     memref.load
// CHECK:         memref.store
func.func @row(%y: memref<?x?xf64>, %r: index, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%k = %z) -> (i64) {
    %u = memref.load %y[%r, %i] : memref<?x?xf64>
    %h = arith.addf %u, %u : f64
    %p = arith.addi %i, %c1 : index
    memref.store %h, %y[%r, %p] : memref<?x?xf64>
    %m = arith.addi %k, %one : i64
    scf.yield %m : i64
  }
  return %s : i64
}

// Along a diagonal, two behind, another array that may be this one, a store in a branch, a load of what this iteration stores: as written.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   iter_args
// CHECK:       return
func.func @others(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?x?xf64>, %n: index, %last: i64, %c: i1) attributes {np.general} {
  %c1 = arith.constant 1 : index
  // Another row in each iteration.
  scf.for %i = %c1 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %l = arith.subi %last, %k : i64
    %r = arith.index_cast %l : i64 to index
    %p = arith.subi %i, %c1 : index
    %u = memref.load %z[%r, %p] : memref<?x?xf64>
    memref.store %u, %z[%r, %i] : memref<?x?xf64>
  }
  %c2 = arith.constant 2 : index
  scf.for %i = %c2 to %n step %c1 {
    %p = arith.subi %i, %c2 : index
    %u = memref.load %y[%p] : memref<?xf64>
    memref.store %u, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    %u = memref.load %y[%p] : memref<?xf64>
    memref.store %u, %y[%i] : memref<?xf64>
    memref.store %u, %x[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    %u = memref.load %y[%p] : memref<?xf64>
    scf.if %c {
      memref.store %u, %y[%i] : memref<?xf64>
    }
  }
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
    %u = memref.load %y[%p] : memref<?xf64>
    memref.store %u, %x[%i] : memref<?xf64>
  }
  return
}

// An element that stays the same one is stored once, where an iteration has run. The others are left of it.
// CHECK-LABEL: func.func @best
// CHECK:       scf.for %[[J:.*]] =
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt
// CHECK:         %[[FIRST:.*]] = scf.if
// CHECK:           memref.load %arg0[%arg1, %[[J]]]
// CHECK:         %[[LAST:.*]] = scf.for %[[K:.*]] = %c0 to %[[J]] step %c1 iter_args(%[[BEST:.*]] = %[[FIRST]])
// CHECK:           %[[X:.*]] = memref.load %arg0[%arg1, %[[K]]]
// CHECK:           %[[NEXT:.*]] = arith.maxsi %[[X]], %[[BEST]]
// CHECK-NOT:       memref.store
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         scf.if
// CHECK-NEXT:      memref.store %[[LAST]], %arg0[%arg1, %[[J]]]
func.func @best(%y: memref<?x?xi64>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %j step %c1 {
      %x = memref.load %y[%i, %k] : memref<?x?xi64>
      %b = memref.load %y[%i, %j] : memref<?x?xi64>
      %m = arith.maxsi %x, %b : i64
      memref.store %m, %y[%i, %j] : memref<?x?xi64>
    }
  }
  return
}

// Not where the loop reaches the element, or may end with an error between.
// CHECK-LABEL: func.func @reached
// CHECK-NOT:   iter_args
// CHECK:       return
func.func @reached(%y: memref<?xi64>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %y[%k] : memref<?xi64>
    %b = memref.load %y[%i] : memref<?xi64>
    %m = arith.maxsi %x, %b : i64
    memref.store %m, %y[%i] : memref<?xi64>
  }
  scf.for %k = %c0 to %n step %c1 {
    %p = np.check_index %k of %i axis 0
    %b = memref.load %y[%i] : memref<?xi64>
    %m = arith.addi %b, %b : i64
    memref.store %m, %y[%i] : memref<?xi64>
  }
  return
}

// Rows from the last one up: what Python's integers are made of is one name, whatever casts the loops went through.
// CHECK-LABEL: func.func @from_below
// CHECK:       scf.for {{.*}} iter_args
// CHECK-NOT:     memref.store
// CHECK:         scf.yield
func.func @from_below(%last: i64, %rows: index, %n: index) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1_i64 = arith.constant 1 : i64
  %a = np.alloc(%n, %n) : memref<?x?xi32>
  %end = arith.index_cast %last : i64 to index
  scf.for %t = %c0 to %n step %c1 {
    np.kernel (%row) = (%rows) {
      %i = arith.subi %end, %row : index
      %number = arith.index_cast %i : index to i64
      %next = arith.addi %number, %c1_i64 : i64
      %below = arith.index_cast %next : i64 to index
      %j = arith.subi %t, %row : index
      scf.for %k = %below to %j step %c1 {
        %k_number = arith.index_cast %k : index to i64
        %k_next = arith.addi %k_number, %c1_i64 : i64
        %k_below = arith.index_cast %k_next : i64 to index
        %x = memref.load %a[%i, %k] : memref<?x?xi32>
        %y = memref.load %a[%k_below, %j] : memref<?x?xi32>
        %z = arith.addi %x, %y : i32
        %b = memref.load %a[%i, %j] : memref<?x?xi32>
        %m = arith.maxsi %z, %b : i32
        memref.store %m, %a[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return %a : memref<?x?xi32>
}

// A kernel's own element that some iterations store is stored by all of them, and so it is carried. One that threads
// may share stays as it is.
// CHECK-LABEL: func.func @some_iterations
// CHECK:       np.kernel (%[[ROW:.*]]) = (%arg2)
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}) -> (f64) {
// CHECK:           %[[SMALL:.*]] = arith.cmpf olt, %[[U]], %arg4
// CHECK:           %[[V:.*]] = scf.if %[[SMALL]] -> (f64) {
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[U]], %[[U]]
// CHECK-NEXT:        scf.yield %[[SUM]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[U]]
// CHECK:           scf.yield %[[V]]
// CHECK:         scf.if
// CHECK-NEXT:      memref.store %[[R]], %arg0[%[[ROW]]]
// CHECK:       np.kernel
// CHECK:           memref.load %arg1[%c0]
// CHECK:           scf.if
// CHECK-NEXT:        memref.store %{{.*}}, %arg1[%c0]
func.func @some_iterations(%y: memref<?xf64>, %shared: memref<?xf64>, %rows: index, %n: index, %limit: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%rows) {
    scf.for %k = %c0 to %n step %c1 {
      %u = memref.load %y[%i] : memref<?xf64>
      %small = arith.cmpf olt, %u, %limit : f64
      scf.if %small {
        %again = memref.load %y[%i] : memref<?xf64>
        %sum = arith.addf %again, %u : f64
        memref.store %sum, %y[%i] : memref<?xf64>
      }
    }
  }
  np.kernel (%i) = (%rows) {
    scf.for %k = %c0 to %n step %c1 {
      %u = memref.load %shared[%c0] : memref<?xf64>
      %small = arith.cmpf olt, %u, %limit : f64
      scf.if %small {
        memref.store %limit, %shared[%c0] : memref<?xf64>
      }
    }
  }
  return
}

// RUN: npcc-opt %s --npcc-merge-iterations --canonicalize | FileCheck %s

// A nest around one kernel: axes of it.
// CHECK-LABEL: func.func @windows
// CHECK-NOT:   scf.for
// CHECK:       np.kernel (%[[I:.*]], %[[J:.*]], %[[K:.*]]) = (%{{.*}}, %{{.*}}, %arg4) {
// CHECK:         %[[P:.*]] = arith.addi %[[I]], %[[K]]
// CHECK:         memref.load %arg0[%[[P]], %[[J]]]
// CHECK:         memref.store %{{.*}}, %arg1[%[[I]], %[[J]], %[[K]]]
func.func @windows(%x: memref<?x?xf64>, %y: memref<?x?x?xf64>, %n: index, %m: index, %l: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      np.kernel (%k) = (%l) {
        %p = arith.addi %i, %k : index
        %v = memref.load %x[%p, %j] : memref<?x?xf64>
        memref.store %v, %y[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  }
  return
}

// Sums of parts that memory bounds: a row each, where there are rows enough.
// CHECK-LABEL: func.func @parts
// CHECK:       %[[ITERATIONS:.*]] = arith.maxsi %arg3, %c0
// CHECK:       arith.cmpi sge, %[[ITERATIONS]], %c4
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel (%[[I:.*]]) = (%[[ITERATIONS]]) {
// CHECK:           %[[N:.*]] = memref.load %arg0[%[[I]]]
// CHECK:           scf.parallel (%{{.*}}) = (%c0) to (%[[N]])
// CHECK:           memref.store %{{.*}}, %arg2[%[[I]]]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.kernel
func.func @parts(%lengths: memref<?xindex>, %x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.load %lengths[%i] : memref<?xindex>
    np.kernel (%u) = (%c1) {
      %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
        %v = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %y[%i] : memref<?xf64>
    }
  }
  return
}

// More than one kernel: steps of a block. What an iteration makes for itself has an axis for them, and a bound.
// CHECK-LABEL: func.func @several
// CHECK:       arith.cmpi sle, %{{.*}}, %c67108864
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[T:.*]] = np.alloc(%{{.*}}, %arg3) : memref<?x?xf64>
// CHECK:         np.kernel steps (%[[I:.*]]) = (%{{.*}}) {
// CHECK:           scf.parallel (%[[K:.*]]) =
// CHECK:             memref.store %{{.*}}, %[[T]][%[[I]], %[[K]]]
// CHECK:           scf.parallel (%[[L:.*]]) =
// CHECK:             memref.load %[[T]][%[[I]], %{{.*}}]
// CHECK:             memref.store %{{.*}}, %arg1[%[[I]], %[[L]]]
func.func @several(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = np.alloc(%m) : memref<?xf64>
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      memref.store %v, %t[%k] : memref<?xf64>
    }
    np.kernel (%k) = (%m) {
      %p = arith.subi %m, %k : index
      %q = arith.subi %p, %c1 : index
      %v = memref.load %t[%q] : memref<?xf64>
      memref.store %v, %y[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// Each needs what the one before has stored; a sum; what may be the same array, in the general version.
// CHECK-LABEL: func.func @dependent
// CHECK-COUNT-3: scf.for
// CHECK:       return
func.func @dependent(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %s: memref<?xf64>, %n: index, %m: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%p, %k] : memref<?x?xf64>
      memref.store %v, %x[%i, %k] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      %u = memref.load %s[%k] : memref<?xf64>
      %w = arith.addf %u, %v : f64
      memref.store %w, %s[%k] : memref<?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%k, %i] : memref<?x?xf64>
      memref.store %v, %y[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// Rows of an argument: checks of the loop's positions are made before; where one fails, the loop runs as it is written.
// CHECK-LABEL: func.func @checked
// CHECK:       arith.cmpi sle, %arg1, %arg2
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%{{.*}}, %arg3)
// CHECK-NOT:       np.check_index
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.check_index
// A check of what memory gives must fail at its own place: what is stored before it stays.
// CHECK:       scf.for
// CHECK:         np.check_index
func.func @checked(%x: memref<?x?xf64>, %n: index, %rows: index, %m: index, %p: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %r = np.check_index %i of %rows axis 0
    np.kernel (%k) = (%m) {
      memref.store %z, %x[%r, %k] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %g = memref.load %p[%i] : memref<?xindex>
    %r = np.check_index %g of %rows axis 0
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%r, %k] : memref<?x?xf64>
      memref.store %v, %x[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// All elements of the row are scaled by one that the kernel changes: loaded by the iteration, before.
// CHECK-LABEL: func.func @scaled
// CHECK:       np.kernel steps (%[[I:.*]]) = (%{{.*}}) {
// CHECK:         %[[F:.*]] = memref.load %arg0[%[[I]], %c0]
// CHECK:         scf.parallel
func.func @scaled(%x: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %f = memref.load %x[%i, %c0] : memref<?x?xf64>
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      %w = arith.mulf %v, %f : f64
      memref.store %w, %x[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// Checks of positions that other loops bound are made before too: the outer one's, which stays the same, and an inner one's.
// CHECK-LABEL: func.func @bounded
// CHECK:       scf.for %[[I:.*]] = %c0 to %arg2
// CHECK-DAG:     arith.cmpi slt, %[[I]], %arg4
// CHECK-DAG:     arith.cmpi slt, %{{.*}}, %arg5
// CHECK:         np.alternatives {{.*}}
// CHECK:           np.kernel steps (%{{.*}}) = (%{{.*}}) {
// CHECK-NOT:         np.check_index
// CHECK:         } or {
// CHECK:           np.check_index
func.func @bounded(%x: memref<?x?xf64>, %y: memref<?x?x?xf64>, %n: index, %m: index, %rows: index, %l: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %r = np.check_index %i of %rows axis 0
      scf.for %k = %c0 to %j step %c1 {
        %q = np.check_index %k of %l axis 1
        np.kernel (%u) = (%m) {
          %v = memref.load %x[%r, %q] : memref<?x?xf64>
          %w = memref.load %y[%c0, %j, %u] : memref<?x?x?xf64>
          %s = arith.addf %v, %w : f64
          memref.store %s, %y[%c0, %j, %u] : memref<?x?x?xf64>
        }
      }
    }
  }
  return
}

// What only later iterations store is loaded from a copy that was made before, unless that is more work than the loop. Not what this iteration may have stored.
// CHECK-LABEL: func.func @ahead
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[COPY:.*]] = np.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf64>
// CHECK:         np.kernel
// CHECK:           memref.store %{{.*}}, %[[COPY]]
// CHECK:         np.kernel (%[[I:.*]], %[[K:.*]]) = (%{{.*}}, %arg2) {
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK-DAG:       memref.load %arg0[%[[I]], %[[K]]]
// CHECK-DAG:       memref.load %[[COPY]][%[[NEXT]], %[[K]]]
// CHECK:           memref.store %{{.*}}, %arg0[%[[I]], %[[K]]]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:       scf.for
// CHECK:         np.kernel (%{{.*}}) = (%arg2)
func.func @ahead(%x: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    np.kernel (%k) = (%m) {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %v = memref.load %x[%next, %k] : memref<?x?xf64>
      %s = arith.addf %u, %v : f64
      memref.store %s, %x[%i, %k] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    np.kernel (%k) = (%m) {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %next = arith.addi %i, %k : index
      %v = memref.load %x[%next, %k] : memref<?x?xf64>
      %s = arith.addf %u, %v : f64
      memref.store %s, %x[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// A row right of the diagonal and a column below it: iterations do not meet, not even on the diagonal.
// CHECK-LABEL: func.func @triangles
// CHECK:       np.kernel steps (%[[I:.*]]) =
// CHECK:         memref.store %{{.*}}, %arg0[%{{.*}}, %[[I]]]
// CHECK:         memref.store %{{.*}}, %arg0[%[[I]], %{{.*}}]
func.func @triangles(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.subi %n, %i : index
    np.kernel (%k) = (%m) {
      %p = arith.addi %i, %k : index
      %v = memref.load %x[%k] : memref<?xf64>
      memref.store %v, %a[%p, %i] : memref<?x?xf64>
    }
    np.kernel (%k) = (%m) {
      %p = arith.addi %i, %k : index
      %v = memref.load %x[%k] : memref<?xf64>
      memref.store %v, %a[%i, %p] : memref<?x?xf64>
    }
  }
  return
}

// Rows from one above the diagonal on meet the columns of later iterations.
// CHECK-LABEL: func.func @triangles_that_meet
// CHECK-NOT:   np.kernel steps
// CHECK:       return
func.func @triangles_that_meet(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %m = arith.subi %n, %i : index
    np.kernel (%k) = (%m) {
      %p = arith.addi %i, %k : index
      %v = memref.load %x[%k] : memref<?xf64>
      memref.store %v, %a[%p, %i] : memref<?x?xf64>
    }
    np.kernel (%k) = (%m) {
      %p = arith.addi %i, %k : index
      %q = arith.subi %p, %c1 : index
      %v = memref.load %x[%k] : memref<?xf64>
      memref.store %v, %a[%i, %q] : memref<?x?xf64>
    }
  }
  return
}

// Rows that memory names, stored into what is seen after an error: the least and the greatest name are found before.
// CHECK-LABEL: func.func @named_rows
// CHECK:       arith.minsi
// CHECK:       %[[LEAST:.*]] = memref.load
// CHECK:       arith.maxsi
// CHECK:       %[[MOST:.*]] = memref.load
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel (%[[I:.*]], %{{.*}}) =
// CHECK-NOT:     np.check_index
// CHECK:       } or {
// CHECK:         np.check_index
func.func @named_rows(%names: memref<?xi64>, %x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %name = memref.load %names[%i] : memref<?xi64>
    %at = arith.index_cast %name : i64 to index
    %row = np.check_index %at of %rows axis 0
    np.kernel (%k) = (%m) {
      %v = memref.load %x[%row, %k] : memref<?x?xf64>
      memref.store %v, %y[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// Each iteration's values must have the extent of a row: asked before, of all of them.
// CHECK-LABEL: func.func @asked
// CHECK:       %[[HOLD:.*]] = scf.for %{{.*}} iter_args
// CHECK:       np.alternatives {{.*}}
// CHECK-NOT:     scf.for
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%{{.*}}, %arg2) {
// CHECK-NOT:       np.broadcast_extent
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.broadcast_extent "store"
func.func @asked(%x: memref<?x?xf64>, %n: index, %m: index, %room: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %t = %c0 to %n step %c1 {
    %end = arith.addi %t, %m : index
    %last = arith.minsi %end, %room : index
    %extent = arith.subi %last, %t : index
    %met = np.broadcast_extent "store" %extent, %m shapes[%extent, %m] lhs_rank 1
    np.kernel (%j) = (%m) {
      memref.store %one, %x[%t, %j] : memref<?x?xf64>
    }
  }
  return
}

// What is lost with an error is checked by the elements of the kernel, and where there are none by a kernel of its own.
// CHECK-LABEL: func.func @checks_of_rows
// CHECK:       %[[EMPTY:.*]] = arith.cmpi eq, %[[COLUMNS:.*]], %c0
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel (%[[I:.*]]) = (%[[ROWS:.*]]) {
// CHECK-NEXT:      np.check_index %[[I]]
// CHECK-NEXT:    }
// CHECK:       np.kernel (%[[K:.*]], %{{.*}}) = (%[[ROWS]], %[[COLUMNS]]) {
// CHECK-NEXT:    np.check_index %[[K]]
func.func @checks_of_rows(%x: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %y = np.alloc(%n, %m) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %at = np.check_index %i of %rows axis 0
    np.kernel (%j) = (%m) {
      %v = memref.load %x[%at, %j] : memref<?x?xf64>
      memref.store %v, %y[%i, %j] : memref<?x?xf64>
    }
  }
  np.release %y : memref<?x?xf64>
  return
}

// Each row reads the one before: two rows that are other ones in all iterations of the inner loop.
// CHECK-LABEL: func.func @row_before
// CHECK:       scf.for %[[I:.*]] =
// CHECK-NOT:     scf.for
// CHECK:         np.kernel (%[[J:.*]]) = (%{{.*}}) {
// CHECK:           memref.load
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @row_before(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %zero = arith.constant 0.0 : f64
  %y = np.alloc(%n, %m) : memref<?x?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.addi %i, %c-1 : index
    scf.for %j = %c0 to %m step %c1 {
      np.kernel (%k) = (%c1) {
        %sum = scf.parallel (%l) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
          %v = memref.load %y[%before, %l] : memref<?x?xf64>
          scf.reduce(%v : f64) {
          ^bb0(%p: f64, %q: f64):
            %s = arith.addf %p, %q : f64
            scf.reduce.return %s : f64
          }
        }
        memref.store %sum, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  np.release %y : memref<?x?xf64>
  return
}

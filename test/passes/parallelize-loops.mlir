// RUN: npcc-opt %s --npcc-parallelize-loops | FileCheck %s

// Independent iterations are a kernel; where a bound is known only at run time, the loop stays as written beside it.
// CHECK-LABEL: func @axpy
// CHECK: %[[FITS:.*]] = arith.cmpi sle
// CHECK: np.alternatives "loop without checks" %[[FITS]]
// CHECK: np.kernel
// CHECK-NOT: np.check_index
// CHECK: } or {
// CHECK: scf.for
// CHECK: np.check_index
func.func @axpy(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = np.check_index %i of %size axis 0
    %a = memref.load %x[%p] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    %s = arith.addf %a, %b : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// What an assertion says is known before the loop; where it fails, what came before the first store is done.
// CHECK-LABEL: func @writable
// CHECK: np.alternatives {{.*}}
// CHECK: np.kernel
// CHECK-NOT: np.assert
// CHECK: } or {
// CHECK: scf.for
// CHECK: np.assert
func.func @writable(%y: memref<?xf64>, %n: index, %writable: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    np.assert %writable, "ValueError" "assignment destination is read-only"()
    %b = memref.load %y[%i] : memref<?xf64>
    %s = arith.addf %b, %b : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// A recurrence is not.
// CHECK-LABEL: func @recurrence
// CHECK-NOT: np.kernel
func.func @recurrence(%y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %a = memref.load %y[%i] : memref<?xf64>
    memref.store %a, %y[%next] : memref<?xf64>
  }
  return
}

// Two arguments may be one array in the general version.
// CHECK-LABEL: func @general
// CHECK-NOT: np.kernel
func.func @general(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  return
}

// A perfect nest is one kernel of two axes.
// CHECK-LABEL: func @nest
// CHECK: np.kernel (%{{.*}}, %{{.*}}) =
// CHECK-NOT: scf.for
func.func @nest(%x: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      memref.store %f, %x[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// Along a diagonal, from a place that all iterations share: no two of them meet, unless positions count from the end, which is asked before.
// CHECK-LABEL: func @diagonal
// CHECK: np.alternatives "loop without checks"
// CHECK: np.kernel
// CHECK-NOT: np.check_index
// CHECK: } or {
// CHECK: scf.for
// CHECK: np.check_index
func.func @diagonal(%low: i64, %sum: i64, %n: index, %rows: index, %columns: index, %x: memref<?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    %u = arith.index_cast %t : index to i64
    %i = arith.addi %low, %u : i64
    %row = arith.index_cast %i : i64 to index
    %p = np.check_index %row of %rows axis 0
    %j = arith.subi %sum, %i : i64
    %column = arith.index_cast %j : i64 to index
    %q = np.check_index %column of %columns axis 1
    %v = memref.load %x[%t] : memref<?xf64>
    memref.store %v, %y[%p, %q] : memref<?x?xf64>
  }
  return
}

// What is stored at 2 i nobody reads at 2 i + 1; at 2 i + 2 the next iteration stores it.
// CHECK-LABEL: func @even
// CHECK: np.kernel
// CHECK-LABEL: func @even_next
// CHECK-NOT: np.kernel
func.func @even(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.muli %i, %c2 : index
    %q = arith.addi %p, %c1 : index
    %a = memref.load %x[%q] : memref<?xf64>
    memref.store %a, %x[%p] : memref<?xf64>
  }
  return
}
func.func @even_next(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.muli %i, %c2 : index
    %q = arith.addi %p, %c2 : index
    %a = memref.load %x[%q] : memref<?xf64>
    memref.store %a, %x[%p] : memref<?xf64>
  }
  return
}

// What little is computed between two loops each element computes.
// CHECK-LABEL: func @between
// CHECK: np.kernel (%[[I:.*]], %[[J:.*]]) =
// CHECK: arith.remui %[[I]]
// CHECK: memref.store
func.func @between(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = arith.remui %i, %k : index
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %x[%p, %j] : memref<?x?xf64>
      memref.store %a, %y[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A check under a condition that makes it hold needs no version without checks.
// CHECK-LABEL: func @asked
// CHECK-NOT: np.choice "loop without checks" %{{.*}}cmpi
// CHECK: np.kernel
// CHECK: scf.if
// CHECK-NOT: np.check_index
// CHECK: } else {
func.func @asked(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %size = arith.index_cast %n : index to i64
  %last = arith.subi %size, %one : i64
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %a = memref.load %x[%i] : memref<?xi64>
    %c = arith.cmpi slt, %k, %last : i64
    %d = scf.if %c -> i1 {
      %e = arith.cmpi sgt, %a, %one : i64
      scf.yield %e : i1
    } else {
      scf.yield %false : i1
    }
    %v = scf.if %d -> i64 {
      %p = arith.addi %i, %c1 : index
      %q = np.check_index %p of %n axis 0
      %b = memref.load %x[%q] : memref<?xi64>
      scf.yield %b : i64
    } else {
      scf.yield %a : i64
    }
    memref.store %v, %y[%i] : memref<?xi64>
  }
  return
}

// A row below the pivot's is never the pivot's own. What an iteration does beside its inner loop is a kernel of its own on
// a device, which leaves what the other one needs.
// CHECK-LABEL: func @eliminate
// CHECK: %[[OWN:.*]] = np.alloc
// CHECK: np.kernel (%{{.*}}) =
// CHECK: memref.store %{{.*}}, %[[OWN]]
// CHECK: np.kernel (%{{.*}}, %{{.*}}) =
// CHECK: memref.load %[[OWN]]
func.func @eliminate(%a: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %below = arith.addi %k, %c1 : index
    scf.for %i = %below to %n step %c1 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      %p = memref.load %a[%k, %k] : memref<?x?xf64>
      %f = arith.divf %x, %p : f64
      scf.for %j = %k to %m step %c1 {
        %y = memref.load %a[%i, %j] : memref<?x?xf64>
        %z = memref.load %a[%k, %j] : memref<?x?xf64>
        %g = arith.mulf %f, %z : f64
        %h = arith.subf %y, %g : f64
        memref.store %h, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Few iterations that add up much: rows, whose sums threads share, where the first call has such extents.
// CHECK-LABEL: func @matvec
// CHECK: np.alternatives "sums shared by threads"
// CHECK: np.kernel
// CHECK: scf.parallel
// CHECK: arith.addf
// CHECK: } or {
// CHECK: np.kernel
// CHECK: scf.for
func.func @matvec(%a: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%t = %zero) -> f64 {
      %u = memref.load %a[%i, %j] : memref<?x?xf64>
      %v = memref.load %x[%j] : memref<?xf64>
      %w = arith.mulf %u, %v : f64
      %z = arith.addf %t, %w : f64
      scf.yield %z : f64
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// As many iterations as an array has rows, or a part of them: the extent as it is, by which kernels over the same positions are found. A number of
// the program's may be negative.
// CHECK-LABEL: func @extents
// CHECK: %[[ROWS:.*]] = memref.dim %arg0
// CHECK: %[[HALF:.*]] = arith.divui %[[ROWS]]
// CHECK: np.kernel (%{{.*}}) = (%[[ROWS]])
// CHECK: np.kernel (%{{.*}}) = (%[[HALF]])
// CHECK: %[[MOST:.*]] = arith.maxsi %arg1
// CHECK: np.kernel (%{{.*}}) = (%[[MOST]])
func.func @extents(%y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %y, %c0 : memref<?xf64>
  %half = arith.divui %rows, %c2 : index
  scf.for %i = %c0 to %rows step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %half step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  return
}

// Checks in loops inside are made before, too: what is stored behind a failed one would show.
// CHECK-LABEL: func @inner_checks
// CHECK: np.alternatives "loop without checks"
// CHECK: np.kernel
// CHECK-NOT: np.check_index
// CHECK: } or {
// CHECK: np.check_index
func.func @inner_checks(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index, %m: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %f = memref.load %x[%i] : memref<?xf64>
    scf.for %j = %c1 to %m step %c1 {
      %q = np.check_index %j of %size axis 1
      %p = arith.subi %j, %c1 : index
      %u = memref.load %a[%i, %p] : memref<?x?xf64>
      %v = arith.mulf %u, %f : f64
      memref.store %v, %a[%i, %q] : memref<?x?xf64>
    }
  }
  return
}

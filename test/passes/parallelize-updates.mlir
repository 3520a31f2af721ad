// RUN: npcc-opt %s --npcc-parallelize-loops | FileCheck %s

// Memory that an error loses: the check is made in the kernel.
// CHECK-LABEL: func @count
// CHECK: np.kernel
// CHECK: %[[P:.*]] = np.check_index
// CHECK: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%[[P]]]
// CHECK-NOT: scf.for
func.func @count(%x: memref<?xi64>, %n: index, %m: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %out = np.alloc(%m) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi64>
    %b = arith.index_cast %v : i64 to index
    %p = np.check_index %b of %m axis 0
    %old = memref.load %out[%p] : memref<?xi32>
    %new = arith.addi %one, %old : i32
    memref.store %new, %out[%p] : memref<?xi32>
  }
  return %out : memref<?xi32>
}

// An argument: all positions are checked first. Where one is wrong, the loop stores what Python would have stored. A difference is a sum.
// CHECK-LABEL: func @argument
// CHECK: %[[OUTCOME:.*]] = np.alloc() : memref<i8>
// CHECK: np.kernel
// CHECK:   %[[ALL:.*]] = scf.parallel {{.*}} -> i1
// CHECK:     arith.cmpi slt
// CHECK:     arith.cmpi sge
// CHECK:   %[[BYTE:.*]] = arith.extui %[[ALL]]
// CHECK:   memref.store %[[BYTE]], %[[OUTCOME]][]
// CHECK: %[[READ:.*]] = memref.load %[[OUTCOME]][]
// CHECK: %[[HOLDS:.*]] = arith.trunci %[[READ]]
// CHECK: np.alternatives {{.*}} %[[HOLDS]]
// CHECK: np.kernel
// CHECK-NOT: np.check_index
// CHECK: %[[NEGATIVE:.*]] = arith.subi %c0_i64
// CHECK: memref.atomic_rmw addi %[[NEGATIVE]]
// CHECK: } or {
// CHECK: scf.for
// CHECK: np.check_index
// CHECK: arith.subi
// CHECK: memref.store
func.func @argument(%x: memref<?xi64>, %w: memref<?xi64>, %out: memref<?xi64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi64>
    %b = arith.index_cast %v : i64 to index
    %p = np.check_index %b of %m axis 0
    %old = memref.load %out[%p] : memref<?xi64>
    %u = memref.load %w[%i] : memref<?xi64>
    %new = arith.subi %old, %u : i64
    memref.store %new, %out[%p] : memref<?xi64>
  }
  return
}

// Loops stay where the order shows: sums of floats, two operations on one array, what is read as well, and v - a[p].
// CHECK-LABEL: func @floats
// CHECK-NOT: np.kernel
func.func @floats(%x: memref<?xindex>, %out: memref<?xf64>, %n: index, %u: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.load %out[%p] : memref<?xf64>
    %new = arith.addf %old, %u : f64
    memref.store %new, %out[%p] : memref<?xf64>
  }
  return
}
// CHECK-LABEL: func @two
// CHECK-NOT: np.kernel
func.func @two(%x: memref<?xindex>, %out: memref<?xi64>, %n: index, %u: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.load %out[%p] : memref<?xi64>
    %new = arith.addi %old, %u : i64
    memref.store %new, %out[%p] : memref<?xi64>
    %old2 = memref.load %out[%p] : memref<?xi64>
    %new2 = arith.maxsi %old2, %u : i64
    memref.store %new2, %out[%p] : memref<?xi64>
  }
  return
}
// CHECK-LABEL: func @read
// CHECK-NOT: np.kernel
func.func @read(%out: memref<?xindex>, %n: index, %u: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %out[%i] : memref<?xindex>
    %old = memref.load %out[%p] : memref<?xindex>
    %new = arith.addi %old, %u : index
    memref.store %new, %out[%p] : memref<?xindex>
  }
  return
}
// CHECK-LABEL: func @reversed
// CHECK-NOT: np.kernel
func.func @reversed(%x: memref<?xindex>, %out: memref<?xi64>, %n: index, %u: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.load %out[%p] : memref<?xi64>
    %new = arith.subi %u, %old : i64
    memref.store %new, %out[%p] : memref<?xi64>
  }
  return
}

// The outer loop need not be a kernel whose threads meet: positions that loops give are left to the loops.
// CHECK-LABEL: func @columns
// CHECK: scf.for
// CHECK: np.kernel
// CHECK-NOT: memref.atomic_rmw
func.func @columns(%x: memref<?x?xi64>, %out: memref<?xi64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi64>
      %old = memref.load %out[%j] : memref<?xi64>
      %new = arith.addi %old, %v : i64
      memref.store %new, %out[%j] : memref<?xi64>
    }
  }
  return
}

// A position that a branch reads from memory, an update in some iterations.
// CHECK-LABEL: func @branch
// CHECK: np.kernel
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.atomic_rmw addi
func.func @branch(%x: memref<?xindex>, %n: index, %m: index, %some: i1) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %out = np.alloc(%m) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %p = scf.if %some -> (index) {
      %v = memref.load %x[%i] : memref<?xindex>
      scf.yield %v : index
    } else {
      scf.yield %c1 : index
    }
    scf.if %some {
      %old = memref.load %out[%p] : memref<?xi64>
      %new = arith.addi %old, %one : i64
      memref.store %new, %out[%p] : memref<?xi64>
    }
  }
  return %out : memref<?xi64>
}

// All iterations store the same: it does not matter who is the last. Not where threads of the host would meet.
// CHECK-LABEL: func @mark
// CHECK:       np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK:         memref.store %{{.*}}, %arg1[%{{.*}}]
// CHECK-NOT:   scf.for
func.func @mark(%x: memref<?xindex>, %out: memref<?xi64>, %n: index, %v: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %v, %out[%p] : memref<?xi64>
  }
  return
}

// CHECK-LABEL: func @mark_on_the_host
// CHECK-NOT:   np.kernel
// CHECK:       scf.for
func.func @mark_on_the_host(%x: memref<?xindex>, %out: memref<?xi64>, %n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %v, %out[%p] : memref<?xi64>
  }
  return
}

// What is stored depends on the iteration, or is loaded too: the order shows.
// CHECK-LABEL: func @number
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @number(%x: memref<?xindex>, %out: memref<?xindex>, %seen: memref<?xi64>, %n: index, %v: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %i, %out[%p] : memref<?xindex>
  }
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %v, %seen[%p] : memref<?xi64>
    %w = memref.load %seen[%i] : memref<?xi64>
    %q = arith.index_cast %w : i64 to index
    memref.store %q, %out[%i] : memref<?xindex>
  }
  return
}

// Elements of a matrix numbered in one go: a division is no reason to stay a loop, as every iteration makes it anyway.
// CHECK-LABEL: func.func @divided
// CHECK:       np.kernel
// CHECK:         arith.divui
// CHECK:         memref.atomic_rmw addi
func.func @divided(%x: memref<?x?xi64>, %out: memref<?xi64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = arith.constant 1 : i64
  %all = arith.muli %n, %m : index
  scf.for %i = %c0 to %all step %c1 {
    %row = arith.divui %i, %m : index
    %column = arith.remui %i, %m : index
    %v = memref.load %x[%row, %column] : memref<?x?xi64>
    %p = arith.index_cast %v : i64 to index
    %old = memref.load %out[%p] : memref<?xi64>
    %new = arith.addi %old, %u : i64
    memref.store %new, %out[%p] : memref<?xi64>
  }
  return
}

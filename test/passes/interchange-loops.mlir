// RUN: npcc-opt %s --npcc-interchange-loops | FileCheck %s

// A recurrence along rows, with an array of the iteration's own: a thread for each row.
// CHECK-LABEL: func.func @recurrence
// CHECK:       %[[T:.*]] = np.alloc
// CHECK:       np.kernel map (%[[I:.*]]) = (%arg1) {
// CHECK:         scf.for %[[J:.*]] = %c1 to %arg2
// CHECK:           memref.load %arg0[%[[I]], %{{.*}}]
// CHECK:           memref.store %{{.*}}, %[[T]][%[[I]]]
// CHECK:           memref.load %[[T]][%[[I]]]
// CHECK:           memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
func.func @recurrence(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  scf.for %j = %c1 to %m step %c1 {
    %before = arith.subi %j, %c1 : index
    %t = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %v = memref.load %y[%i, %before] : memref<?x?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %t[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %t[%i] : memref<?xf64>
      memref.store %v, %y[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A neighbour's element.
// CHECK-LABEL: func.func @neighbour
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      np.kernel
func.func @neighbour(%y: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  scf.for %t = %c1 to %m step %c1 {
    np.kernel (%i) = (%n) {
      %next = arith.addi %i, %c1 : index
      %v = memref.load %y[%next] : memref<?xf64>
      memref.store %v, %y[%i] : memref<?xf64>
    }
  }
  return
}

// Other positions in every iteration.
// CHECK-LABEL: func.func @moving
// CHECK:       scf.for
// CHECK:         np.kernel
func.func @moving(%y: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  scf.for %t = %c1 to %m step %c1 {
    np.kernel (%i) = (%n) {
      %at = arith.addi %i, %t : index
      %v = memref.load %y[%at] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %y[%at] : memref<?xf64>
    }
  }
  return
}

// A check at its own place, in an array that is lost with the error: the error of the least iteration counts, then that of the least line.
// CHECK-LABEL: func.func @check
// CHECK:       np.kernel map (%[[I:.*]]) = (%arg2) {
// CHECK:         scf.for %[[T:.*]] = %c1 to %arg3
// CHECK-NEXT:      np.iteration(%[[T]], %[[I]]) in(%arg3, %arg2)
// CHECK:           np.check_index
func.func @check(%x: memref<?xf64>, %p: memref<?x?xindex>, %n: index, %m: index) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  %y = np.alloc(%n) : memref<?xf64>
  scf.for %t = %c1 to %m step %c1 {
    np.kernel (%i) = (%n) {
      %at = memref.load %p[%t, %i] : memref<?x?xindex>
      %safe = np.check_index %at of %n axis 0
      %v = memref.load %x[%safe] : memref<?xf64>
      %u = memref.load %y[%i] : memref<?xf64>
      %w = arith.addf %u, %v : f64
      memref.store %w, %y[%i] : memref<?xf64>
    }
  }
  return %y : memref<?xf64>
}

// On a host: blocks of lines, each with the loop, whose iterations go through the block as the kernel did.
// CHECK-LABEL: func.func @blocks
// CHECK:       %[[BLOCK:.*]] = arith.maxsi %{{.*}}, %c64
// CHECK:       %[[BLOCKS:.*]] = arith.divui %{{.*}}, %[[BLOCK]]
// CHECK:       np.kernel map (%[[B:.*]]) = (%[[BLOCKS]]) {
// CHECK:         %[[FROM:.*]] = arith.muli %[[B]], %[[BLOCK]]
// CHECK:         %[[TO:.*]] = arith.minsi %{{.*}}, %arg1
// CHECK:         scf.for %{{.*}} = %c0 to %arg2
// CHECK:           scf.for %[[I:[^ ]*]] = %[[FROM]] to %[[TO]] step
// CHECK:             memref.load %arg0[%[[I]]]
// CHECK:             memref.store %{{.*}}, %arg0[%[[I]]]
func.func @blocks(%y: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %m step %c1 {
    np.kernel (%i) = (%n) {
      %v = memref.load %y[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %y[%i] : memref<?xf64>
    }
  }
  return
}

// Short lines: several of them are a block.
// CHECK-LABEL: func.func @short_lines
// CHECK:       np.kernel map (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) {
// CHECK:         scf.for %{{.*}} = %c0 to %arg2
// CHECK:           scf.for %[[I:[^ ]*]] =
// CHECK:             scf.for %[[J:[^ ]*]] =
// CHECK:               memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
func.func @short_lines(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %m step %c1 {
    np.kernel (%i, %j) = (%n, %n) {
      %v = memref.load %y[%i, %j] : memref<?x?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %y[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// Branches are not what vectors do.
// CHECK-LABEL: func.func @branches
// CHECK:       scf.for
// CHECK-NEXT:    np.kernel
func.func @branches(%y: memref<?xf64>, %n: index, %m: index, %which: i1) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %m step %c1 {
    np.kernel (%i) = (%n) {
      scf.if %which {
        %v = memref.load %y[%i] : memref<?xf64>
        %w = arith.addf %v, %v : f64
        memref.store %w, %y[%i] : memref<?xf64>
      }
    }
  }
  return
}

// What an iteration's slice must meet is computed of numbers: all iterations are asked before the first one, and where
// all extents are equal the loop is a kernel without checks.
// CHECK-LABEL: func.func @asked
// CHECK:       %[[HOLD:.*]] = scf.for %[[T:.*]] = %c0 to %arg2 step %c1 iter_args(%[[SO_FAR:.*]] = %true) -> (i1) {
// CHECK:         %[[ROOM:.*]] = arith.subi %arg3, %[[T]]
// CHECK:         %[[STEP:.*]] = arith.select %[[SO_FAR]], %arg4, %c1_{{.*}}
// CHECK:         %[[EXTENT:.*]] = arith.ceildivsi %[[ROOM]], %[[STEP]]
// CHECK:         %[[EQUAL:.*]] = arith.cmpi eq, %arg1, %[[EXTENT]]
// CHECK:         arith.andi %[[SO_FAR]], %[[EQUAL]]
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.kernel map (%[[I:.*]]) = (%arg1) {
// CHECK-NEXT:      scf.for
// CHECK-NOT:         np.broadcast_extent
// CHECK:             memref.store %{{.*}}, %arg0[%[[I]]]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.broadcast_extent
// CHECK:           np.kernel
func.func @asked(%y: memref<?xf64>, %n: index, %m: index, %room: index, %step: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %m step %c1 {
    %left = arith.subi %room, %t : index
    %extent = arith.ceildivsi %left, %step : index
    %met = np.broadcast_extent "ufunc" %n, %extent shapes[%n, %extent] lhs_rank 1
    %stretched = arith.cmpi eq, %extent, %c1 : index
    np.kernel (%i) = (%n) {
      %v = memref.load %y[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      %u = arith.select %stretched, %v, %w : f64
      memref.store %u, %y[%i] : memref<?xf64>
    }
  }
  return
}

// Rows that memory gives, and that iterations add to, are grouped by row later, so that more threads than a row has
// elements work.
// CHECK-LABEL: func.func @added_rows
// CHECK:       scf.for
// CHECK:         np.kernel
func.func @added_rows(%p: memref<?xi64>, %x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %k = %c0 to %n step %c1 {
    np.kernel (%j) = (%m) {
      %i = memref.load %p[%k] : memref<?xi64>
      %at = arith.index_cast %i : i64 to index
      %v = memref.load %x[%k, %j] : memref<?x?xf64>
      %old = memref.load %y[%at, %j] : memref<?x?xf64>
      %new = arith.addf %old, %v : f64
      memref.store %new, %y[%at, %j] : memref<?x?xf64>
    }
  }
  return
}

// Rows that are only stored to: a thread goes along its column.
// CHECK-LABEL: func.func @stored_rows
// CHECK:       np.kernel
// CHECK:         scf.for
func.func @stored_rows(%p: memref<?xi64>, %x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %k = %c0 to %n step %c1 {
    np.kernel (%j) = (%m) {
      %i = memref.load %p[%k] : memref<?xi64>
      %at = arith.index_cast %i : i64 to index
      %v = memref.load %x[%k, %j] : memref<?x?xf64>
      memref.store %v, %y[%at, %j] : memref<?x?xf64>
    }
  }
  return
}

// RUN: npcc-opt %s --npcc-merge-iterations --npcc-plan-alternatives --npcc-interchange-loops --npcc-plan-alternatives | FileCheck %s

// Both passes would ask the same of all iterations: npcc-merge-iterations has, and so the loop that runs where the
// answer was no stays as it is written.
// CHECK-LABEL: func.func @once
// CHECK:       %[[HOLD:.*]] = scf.for %{{.*}} iter_args
// CHECK:       scf.if %[[HOLD]] {
// CHECK-NOT:     scf.for
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) =
// CHECK:       } else {
// CHECK-NOT:     scf.if
// CHECK:         scf.for %{{.*}} {
// CHECK-NOT:     scf.if
// CHECK:           np.broadcast_extent "store"
// CHECK-NEXT:      np.kernel (%{{.*}}) = (%arg2)
// CHECK-NOT:     np.kernel
// CHECK:         return
func.func @once(%x: memref<?x?xf64>, %n: index, %m: index, %room: index) attributes {np.target = "cuda"} {
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

// Of several kernels, few iterations are no kernel of their own: then their loop goes inside, in the version in which
// the checks are known to hold, and nowhere else.
// CHECK-LABEL: func.func @few
// CHECK:       %[[HOLD:.*]] = scf.for %{{.*}} iter_args
// CHECK:       scf.if %[[HOLD]] {
// CHECK:         scf.if
// CHECK:           np.kernel steps
// CHECK:         } else {
// CHECK-NEXT:      np.kernel map (%{{.*}}) = (%arg2) {
// CHECK-NEXT:        scf.for
// CHECK:       } else {
// CHECK-NOT:     np.kernel map
// CHECK:         np.broadcast_extent "store"
// CHECK-NOT:     np.kernel map
// CHECK:         return
func.func @few(%x: memref<?x?xf64>, %n: index, %m: index, %room: index) attributes {np.target = "cuda"} {
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
    np.kernel (%j) = (%m) {
      %v = memref.load %x[%t, %j] : memref<?x?xf64>
      %w = arith.addf %v, %one : f64
      memref.store %w, %x[%t, %j] : memref<?x?xf64>
    }
  }
  return
}

// An array that is stored into in between may give another answer: it is asked again.
// CHECK-LABEL: func.func @changed
// CHECK:       scf.if
// CHECK:       } else {
// CHECK:         memref.store
// CHECK:         scf.for %{{.*}} iter_args
// CHECK:         scf.if
// CHECK:           np.kernel map
func.func @changed(%x: memref<?x?xf64>, %ends: memref<?xindex>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %true = arith.constant true
  %hold = scf.for %t = %c0 to %n step %c1 iter_args(%so_far = %true) -> (i1) {
    %extent = memref.load %ends[%t] : memref<?xindex>
    %same = arith.cmpi eq, %extent, %m : index
    %now = arith.andi %so_far, %same : i1
    scf.yield %now : i1
  }
  scf.if %hold {
    memref.store %c1, %ends[%c0] : memref<?xindex>
  } else {
    memref.store %c1, %ends[%c0] : memref<?xindex>
    scf.for %t = %c0 to %n step %c1 {
      %extent = memref.load %ends[%t] : memref<?xindex>
      %met = np.broadcast_extent "store" %extent, %m shapes[%extent, %m] lhs_rank 1
      np.kernel (%j) = (%m) {
        %v = memref.load %x[%c0, %j] : memref<?x?xf64>
        %w = arith.addf %v, %one : f64
        memref.store %w, %x[%c0, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// And where nothing was stored, it is not.
// CHECK-LABEL: func.func @unchanged
// CHECK:       scf.if
// CHECK-NOT:   np.kernel map
// CHECK:       return
func.func @unchanged(%x: memref<?x?xf64>, %ends: memref<?xindex>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %true = arith.constant true
  %hold = scf.for %t = %c0 to %n step %c1 iter_args(%so_far = %true) -> (i1) {
    %extent = memref.load %ends[%t] : memref<?xindex>
    %same = arith.cmpi eq, %extent, %m : index
    %now = arith.andi %so_far, %same : i1
    scf.yield %now : i1
  }
  scf.if %hold {
    memref.store %c1, %ends[%c0] : memref<?xindex>
  } else {
    scf.for %t = %c0 to %n step %c1 {
      %extent = memref.load %ends[%t] : memref<?xindex>
      %met = np.broadcast_extent "store" %extent, %m shapes[%extent, %m] lhs_rank 1
      np.kernel (%j) = (%m) {
        %v = memref.load %x[%c0, %j] : memref<?x?xf64>
        %w = arith.addf %v, %one : f64
        memref.store %w, %x[%c0, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

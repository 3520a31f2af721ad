// RUN: npcc-opt %s --npcc-split-steps | FileCheck %s

// Rows of a sparse matrix times a matrix. Where there are no columns, the positions are checked all the same.
// CHECK-LABEL: func.func @sparse
// CHECK:       %[[ANY:.*]] = arith.cmpi sgt, %arg5, %{{.*}} : index
// CHECK:       np.alternatives "rows with elements" %[[ANY]] {
// CHECK-NEXT:    np.kernel map (%[[I:.*]], %[[J:.*]]) = (%arg4, %arg5) {
// CHECK:           scf.for %[[K:.*]] =
// CHECK:             np.check_index
// CHECK-NEXT:        memref.load %arg3[%{{.*}}, %[[J]]]
// CHECK-NEXT:        memref.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
// CHECK-NOT:       scf.parallel
// CHECK:       } or {
// CHECK-NEXT:    np.kernel steps (%{{.*}}) = (%arg4) {
// CHECK:           scf.parallel
func.func @sparse(%y: memref<?x?xf64>, %ends: memref<?xindex>, %columns: memref<?xindex>, %x: memref<?x?xf64>, %n: index, %m: index)
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  np.kernel steps (%i) = (%n) {
    %from = memref.load %ends[%i] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    %to = memref.load %ends[%next] : memref<?xindex>
    scf.for %k = %from to %to step %c1 {
      %c = memref.load %columns[%k] : memref<?xindex>
      %row = np.check_index %c of %rows axis 0
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %v = memref.load %x[%row, %j] : memref<?x?xf64>
        %s = memref.load %y[%i, %j] : memref<?x?xf64>
        %t = arith.addf %s, %v : f64
        memref.store %t, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// An element that its neighbour's step has changed.
// CHECK-LABEL: func.func @neighbour
// CHECK:       np.kernel steps
func.func @neighbour(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel steps (%i) = (%n) {
    scf.for %k = %c0 to %m step %c1 {
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %next = arith.addi %j, %c1 : index
        %v = memref.load %y[%i, %next] : memref<?x?xf64>
        memref.store %v, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// What all elements read, the steps store to.
// CHECK-LABEL: func.func @pivot
// CHECK:       np.kernel steps
func.func @pivot(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel steps (%i) = (%n) {
    scf.for %k = %c0 to %m step %c1 {
      %p = memref.load %y[%i, %k] : memref<?x?xf64>
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %v = memref.load %y[%i, %j] : memref<?x?xf64>
        %w = arith.subf %v, %p : f64
        memref.store %w, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// A column that each step chooses anew: two elements may meet in one.
// CHECK-LABEL: func.func @moved
// CHECK:       np.kernel steps
func.func @moved(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  np.kernel steps (%i) = (%n) {
    scf.for %k = %c0 to %m step %c1 {
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %at = arith.addi %j, %k : index
        memref.store %one, %y[%i, %at] : memref<?x?xf64>
      }
    }
  }
  return
}

// Without checks there is one version. The host's vectors go over the row.
// CHECK-LABEL: func.func @plain
// CHECK-NOT:   scf.if
// CHECK:       np.kernel map (%{{.*}}, %{{.*}}) = (%arg1, %arg2)
// CHECK-LABEL: func.func @on_the_host
// CHECK:       np.kernel steps
func.func @plain(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel steps (%i) = (%n) {
    scf.for %k = %c0 to %m step %c1 {
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %v = memref.load %y[%i, %j] : memref<?x?xf64>
        %w = arith.mulf %v, %v : f64
        memref.store %w, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
func.func @on_the_host(%y: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel steps (%i) = (%n) {
    scf.for %k = %c0 to %m step %c1 {
      scf.parallel (%j) = (%c0) to (%m) step (%c1) {
        %v = memref.load %y[%i, %j] : memref<?x?xf64>
        memref.store %v, %y[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

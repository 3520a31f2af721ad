// RUN: npcc-opt %s --npcc-share-folds | FileCheck %s

// Few iterations, each of which finds the greatest of some numbers: a team for each. Many are left as they are.
// CHECK-LABEL: func.func @greatest
// CHECK:       np.alternatives "a team for each iteration"
// CHECK:         np.kernel steps (%[[I:.*]]) = (%arg2) {
// CHECK:           scf.if
// CHECK:             %[[S:.*]] = scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) init
// CHECK:               scf.reduce
// CHECK:                 arith.maxsi
// CHECK:             %[[M:.*]] = arith.maxsi %{{.*}}, %[[S]]
// CHECK:             memref.store %[[M]], %arg1[%[[I]]]
// CHECK:       } or {
// CHECK:         np.kernel (
// CHECK:           scf.for
func.func @greatest(%x: memref<?x?xi32>, %y: memref<?xi32>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %some = arith.cmpi sgt, %i, %c0 : index
    scf.if %some {
      %first = memref.load %y[%i] : memref<?xi32>
      %m = scf.for %k = %c0 to %i step %c1 iter_args(%t = %first) -> (i32) {
        %v = memref.load %x[%i, %k] : memref<?x?xi32>
        %u = arith.maxsi %t, %v : i32
        scf.yield %u : i32
      }
      memref.store %m, %y[%i] : memref<?xi32>
    }
  }
  return
}

// A sum of floats is another one in another order; a short loop; a loop that stores.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   np.choice
// CHECK:       return
func.func @others(%x: memref<?x?xf64>, %y: memref<?xf64>, %p: memref<?x?xi32>, %q: memref<?xi32>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  np.kernel (%i) = (%n) {
    %first = memref.load %y[%i] : memref<?xf64>
    %m = scf.for %k = %c0 to %i step %c1 iter_args(%t = %first) -> (f64) {
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      %u = arith.addf %t, %v : f64
      scf.yield %u : f64
    }
    memref.store %m, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %first = memref.load %q[%i] : memref<?xi32>
    %m = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %first) -> (i32) {
      %v = memref.load %p[%i, %k] : memref<?x?xi32>
      %u = arith.maxsi %t, %v : i32
      scf.yield %u : i32
    }
    memref.store %m, %q[%i] : memref<?xi32>
  }
  np.kernel (%i) = (%n) {
    scf.for %k = %c0 to %i step %c1 {
      %v = memref.load %p[%i, %k] : memref<?x?xi32>
      memref.store %v, %p[%k, %i] : memref<?x?xi32>
    }
  }
  return
}

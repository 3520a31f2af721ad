// A fold in order: a block's threads compute elements, one of them combines them, and all store.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-lower-folds=keep-scans --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @decaying
// CHECK:       gpu.launch {{.*}} workgroup(%[[ELEMENTS:.*]] : memref<1024xf64, {{.*}}>, %[[LAST:.*]] : memref<1xf64, {{.*}}>, %[[TOTALS:.*]] : memref<1024xf64
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c1024
// Four loads are under way in each thread.
// CHECK-COUNT-4:   llvm.load
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[ELEMENTS]]
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK:               memref.load %[[ELEMENTS]]
// CHECK:               arith.mulf
// CHECK:               arith.addf
// CHECK:               memref.store %{{.*}}, %[[TOTALS]]
// CHECK:             memref.store %{{.*}}, %[[LAST]]
// CHECK:           gpu.barrier
// CHECK:           memref.load %[[TOTALS]]
// CHECK:           llvm.store
// CHECK:       np.class = "fold"
func.func @decaying(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  np.kernel (%i) = (%c1) {
    np.fold ordered %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %h = arith.mulf %t, %half : f64
      %s = arith.addf %h, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}

// Lines beside each other have a thread each.
// CHECK-LABEL: func.func @lines
// CHECK:       np.class = "map"
func.func @lines(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = np.fold ordered %m init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %v = arith.addf %t, %u : f64
      np.yield %v : f64
    } each {
    ^bb0(%k: index, %v: f64):
      np.yield
    } : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// What totals are made by may use what the kernel computes beside the fold.
// CHECK-LABEL: func.func @scaled
// CHECK:       gpu.launch
// CHECK:         %[[H:.*]] = math.absf
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             arith.mulf %{{.*}}, %[[H]]
// CHECK:       np.class = "fold"
func.func @scaled(%x: memref<?xf64>, %y: memref<f64>, %n: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %v = memref.load %y[] : memref<f64>
    %h = math.absf %v : f64
    %s = np.fold ordered %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %p = arith.mulf %t, %h : f64
      %q = arith.addf %p, %u : f64
      np.yield %q : f64
    } each {
    ^bb0(%k: index, %q: f64):
      np.yield
    } : f64
    memref.store %s, %y[] : memref<f64>
  }
  return
}

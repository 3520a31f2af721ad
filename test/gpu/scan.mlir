// Folds whose totals may be grouped in any way: a team of threads takes a line.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-lower-folds=keep-scans --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @cumsum
// CHECK:       gpu.launch {{.*}} workgroup(%[[SHARED:.*]] : memref<8xf64, #gpu.address_space<workgroup>>)
// CHECK:         scf.for
// Four groups of elements at once, five shuffles each, and one for its total.
// CHECK-COUNT-4:   llvm.load
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.shuffle idx
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   memref.load %[[SHARED]]
// CHECK-COUNT-4:   llvm.store
// CHECK:       np.class = "scan"
func.func @cumsum(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}

// Lines across the contiguous axis: a thread each.
// CHECK-LABEL: func.func @columns
// CHECK:       np.class = "map"
func.func @columns(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k, %i] : memref<?x?xf64>
      np.yield
    } : f64
  }
  return
}

// Loads along one axis and stores along another meet in a tile of shared memory.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @symmetric
// CHECK:       gpu.launch {{.*}} workgroup(%[[TILE:.*]] : memref<32x33xf64, #gpu.address_space<workgroup>>)
// CHECK-COUNT-4: memref.store %{{.*}}, %[[TILE]]
// CHECK:         gpu.barrier
// CHECK-COUNT-4: memref.load %[[TILE]]
// CHECK:         gpu.barrier
// CHECK:       np.class = "transpose"
func.func @symmetric(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%j, %i] : memref<?x?xf64>
    %v = memref.load %x[%i, %j] : memref<?x?xf64>
    %w = arith.addf %u, %v : f64
    memref.store %w, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

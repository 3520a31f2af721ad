// Sums of parts: a block for each and for each range of bins, a copy of them for each warp in shared memory, lanes of one bin summed by a tree.
// RUN: npcc-opt %s --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-DAG:   %[[BINS:.*]] = memref.dim %arg2, %c1
// CHECK:       %[[FIT:.*]] = arith.div{{.*}} %c4096
// CHECK:       %[[COPIES:.*]] = arith.maxsi
// CHECK:       gpu.launch blocks({{.*}}) in (%{{.*}} = %arg3, %{{.*}} = %{{.*}}, %{{.*}} = %c1) {{.*}} workgroup(%[[OWN:.*]] : memref<4096xf64, #gpu.address_space<workgroup>>)
// CHECK:         memref.store %cst, %[[OWN]]
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-COUNT-4:   nvvm.match.sync any
// CHECK:         scf.for
// CHECK:           %[[SOME:.*]] = nvvm.vote.sync any
// CHECK:           scf.if %[[SOME]]
// CHECK:             %[[PEERS:.*]] = nvvm.match.sync any
// CHECK:             scf.while
// CHECK:               nvvm.vote.sync any
// CHECK:               gpu.shuffle idx
// CHECK:               nvvm.vote.sync ballot
// CHECK:             scf.if
// CHECK:               memref.load %[[OWN]]
// CHECK:               memref.store %{{.*}}, %[[OWN]]
// CHECK:             nvvm.bar.warp.sync
// CHECK:         gpu.barrier
// CHECK:         np.class = "sums"
func.func @sum(%p: memref<?xindex>, %w: memref<?xf64>, %own: memref<?x?xf64>, %parts: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel updates (%part) = (%parts) {
    %from = arith.muli %part, %n : index
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      %i = arith.addi %from, %k : index
      %bin = memref.load %p[%i] : memref<?xindex>
      %v = memref.load %w[%i] : memref<?xf64>
      %old = memref.atomic_rmw addf %v, %own[%part, %bin] : (f64, memref<?x?xf64>) -> f64
    }
  }
  return
}

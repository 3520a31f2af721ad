// Updates that threads make at once.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// Few bins with many elements: in shared memory, two words for 64 bits. Otherwise one update in global memory for each element.
// CHECK-LABEL: func.func @count
// CHECK:       %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %c4096
// CHECK:       np.alternatives "sums in shared memory"
// CHECK:         gpu.launch {{.*}} workgroup(%[[OWN:.*]] : memref<8192xi32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-2:   memref.store %c0_i32, %[[OWN]]
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("block") monotonic {{.*}}!llvm.ptr<3>, i32
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {{.*}}!llvm.ptr<1>, i64
// CHECK:         np.class = "updates"
// CHECK:       } or {
// CHECK:         gpu.launch
// CHECK-NOT:       workgroup
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {{.*}}!llvm.ptr<1>, i64
// CHECK:         np.class = "map"
func.func @count(%x: memref<?xindex>, %out: memref<?xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %v, %out[%p] : (i64, memref<?xi64>) -> i64
  }
  return
}

// Other operations: in global memory.
// CHECK-LABEL: func.func @greatest
// CHECK-NOT:   workgroup
// CHECK:       llvm.atomicrmw umax %{{.*}} syncscope("device") monotonic
func.func @greatest(%x: memref<?xindex>, %out: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw maxu %v, %out[%p] : (i32, memref<?xi32>) -> i32
  }
  return
}

// A loop of a thread over the grid is unrolled by four; one over neighbours as far as LLVM likes.
// RUN: npcc-opt %s --npcc-launch-threads | FileCheck %s
// RUN: npcc-opt %s --npcc-launch-threads --npcc-launches-to-images | FileCheck %s --check-prefix=PTX

// CHECK:       #loop_unroll = #llvm.loop_unroll<count = 4 : i32>
// CHECK-NEXT:  #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CHECK-LABEL: func.func @launch
// CHECK:       scf.for
// CHECK:       llvm.loop_annotation = #loop_annotation
// CHECK:       scf.for
// CHECK-NOT:   llvm.loop_annotation

// Four elements a round, and the loop of those that are left.
// PTX:         .visible .entry launch_threads_0(
// PTX-COUNT-5: ld.global.b32
// PTX:         st.global.b32
func.func private @sums.threads0(%x: memref<?xf32>, %out: memref<?xf32>, %n: index, %m: index) attributes {np.thread = "sums", np.fastmath} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %distance = gpu.block_dim x
  %far = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %behind = arith.muli %k, %distance : index
    %i = arith.addi %t, %behind : index
    %v = memref.load %x[%i] : memref<?xf32>
    %more = arith.addf %sum, %v : f32
    scf.yield %more : f32
  }
  memref.store %far, %out[%t] : memref<?xf32>
  scf.for %k = %c0 to %m step %c1 {
    memref.store %zero, %x[%k] : memref<?xf32>
  }
  return
}
func.func @launch(%x: memref<?xf32>, %out: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  np.launch @sums.threads0 grid(%c1, %c1, %c1) block(%c32, %c1, %c1) shared(%c0) (%x, %out, %n, %m) : memref<?xf32>, memref<?xf32>, index, index
  return
}

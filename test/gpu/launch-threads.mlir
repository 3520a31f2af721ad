// Thread-level kernels are launches with the function of a thread as their body; PTX that ptxas takes.
// RUN: npcc-opt %s --npcc-launch-threads --canonicalize | FileCheck %s
// RUN: npcc-opt %s --npcc-launch-threads --npcc-launches-to-images | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: func.func @launch
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %arg0
// CHECK:         gpu.launch blocks({{.*}}) threads({{.*}}) dynamic_shared_memory_size %{{.*}} workgroup(%[[SHARED:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK:           memref.memory_space_cast %[[SHARED]]
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic
// CHECK:           llvm.call_intrinsic "llvm.nvvm.shfl.sync.down.i32p"
// CHECK:           llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"
// CHECK-NOT:     func.func private @all.threads0

// Arrays go as an address and extents; LLVM finds the spaces that elements lie in.
// PTX-DAG:  .visible .entry launch_threads_0(
// PTX-DAG:  .maxnreg 40
// PTX-DAG:  .extern .shared .align 16 .b8 npcc_dynamic_shared[]
// PTX-DAG:  .const .align 16 .b8 npcc_constants_0
// PTX-DAG:  ld.global.b32
// PTX-DAG:  ld.const.b32
// PTX-DAG:  st.shared.b32
// PTX-DAG:  bar.sync
// PTX-DAG:  shfl.sync.down.b32
// PTX-DAG:  vote.sync.ballot.b32
// PTX-DAG:  {{atom|red}}{{.*}}global.add.f32
func.func private @all.threads0(%x: memref<?xf32>) attributes {np.thread = "all", np.max_registers = 40} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %t = gpu.thread_id x
  %own = np.thread_array "shared" [32] : memref<32xf32>
  %given = np.thread_array "dynamic" [] : memref<?xf32>
  %known = np.thread_array "constant" [4] {values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : memref<4xf32>
  %v = memref.load %x[%t] : memref<?xf32>
  %k = arith.andi %t, %c3 : index
  %w = memref.load %known[%k] : memref<4xf32>
  %sum = arith.addf %v, %w : f32
  memref.store %sum, %own[%t] : memref<32xf32>
  memref.store %v, %given[%t] : memref<?xf32>
  np.thread "syncthreads"() : () -> ()
  %i = arith.subi %c3, %k : index
  %a = memref.load %own[%i] : memref<32xf32>
  %b = memref.load %given[%i] : memref<?xf32>
  %c = arith.addf %a, %b : f32
  %old = np.atomic "add" %x[%c0], %c {is_unsigned = false} : memref<?xf32>, f32 -> f32
  %s, %p = np.thread "shuffle_down"(%all, %c, %one, %width) : (i32, f32, i32, i32) -> (f32, i1)
  %lanes = np.thread "ballot"(%all, %p) : (i32, i1) -> i32
  %n = arith.sitofp %lanes : i32 to f32
  %r = arith.addf %s, %n : f32
  memref.store %r, %x[%t] : memref<?xf32>
  return
}
func.func @launch(%x: memref<?xf32>, %bytes: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  np.launch @all.threads0 grid(%c1, %c1, %c1) block(%c32, %c1, %c1) shared(%bytes) (%x) : memref<?xf32>
  return
}

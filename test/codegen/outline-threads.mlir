// RUN: npcc-opt %s --npcc-outline-threads --split-input-file --verify-diagnostics | FileCheck %s

// Threads that do not wait for each other are loops over a block.
// CHECK-LABEL: func.func private @scale.threads0
// CHECK-SAME:    (%[[STATE:.*]]: !llvm.ptr, %[[X:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[A:.*]]: memref<?xf32>, %{{.*}}: f32)
// CHECK:         llvm.getelementptr %[[STATE]][3]
// CHECK:         arith.addi %{{.*}}, %[[X]] : index
// CHECK:         memref.load %[[A]]
// CHECK-LABEL: func.func private @scale.threads0.body(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               func.call @scale.threads0
// CHECK-LABEL: func.func @launch
// CHECK-NOT:     np.launch
// CHECK:         %[[BODY:.*]] = constant @scale.threads0.body
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[BODY]]
// CHECK:         llvm.call @npcc_rt_launch_threads(%{{.*}}, %[[ADDRESS]], %{{.*}})
func.func private @scale.threads0(%x: memref<?xf32>, %f: f32) attributes {np.thread = "scale"} {
  %b = gpu.block_id x
  %d = gpu.block_dim x
  %t = gpu.thread_id x
  %s = arith.muli %b, %d : index
  %i = arith.addi %s, %t : index
  %v = memref.load %x[%i] : memref<?xf32>
  %w = arith.mulf %v, %f : f32
  memref.store %w, %x[%i] : memref<?xf32>
  return
}
func.func @launch(%x: memref<?xf32>, %f: f32, %g: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.launch @scale.threads0 grid(%g, %c1, %c1) block(%b, %c1, %c1) shared(%c0) (%x, %f) : memref<?xf32>, f32
  return
}

// -----

// Others are called one by one; shared memory is the block's, what a function of threads needs of it stands in the grid (64 and 16 bytes).
// CHECK-LABEL: func.func private @meet.threads0
// CHECK:         llvm.getelementptr %{{.*}}[0] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.getelementptr %{{.*}}[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK:         llvm.call @npcc_rt_thread_barrier
// CHECK:         llvm.call @npcc_rt_warp_shuffle
// CHECK:         llvm.call @npcc_rt_warp_ballot
// CHECK-LABEL: func.func private @meet.threads0.body
// CHECK-NOT:     scf.for
// CHECK:         call @meet.threads0
// CHECK-LABEL: func.func @launch
// CHECK:         llvm.mlir.constant(80 : i64)
func.func private @meet.threads0() attributes {np.thread = "meet"} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %a = np.thread_array "shared" [16] : memref<16xi32>
  %b = np.thread_array "shared" [3] : memref<3xi32>
  %old = np.atomic "add" %b[%c0], %one {is_unsigned = false} : memref<3xi32>, i32 -> i32
  np.thread "syncthreads"() : () -> ()
  %v, %p = np.thread "shuffle_up"(%one, %old, %one, %one) : (i32, i32, i32, i32) -> (i32, i1)
  %lanes = np.thread "ballot"(%one, %true) : (i32, i1) -> i32
  memref.store %v, %a[%c0] : memref<16xi32>
  return
}
func.func @launch(%g: index) {
  %c0 = arith.constant 0 : index
  np.launch @meet.threads0 grid(%g, %g, %g) block(%g, %g, %g) shared(%c0) ()
  return
}

// -----

func.func private @alloc.threads0(%n: index) attributes {np.thread = "alloc"} {
  // expected-error @below {{a thread cannot make an array}}
  %a = np.alloc(%n) : memref<?xf32>
  return
}
func.func @launch(%g: index) {
  np.launch @alloc.threads0 grid(%g, %g, %g) block(%g, %g, %g) shared(%g) (%g) : index
  return
}

// -----

// expected-error @below {{ValueError: kernel 'large' declares 65536 bytes of shared memory: a block has 49152}}
func.func private @large.threads0() attributes {np.thread = "large"} {
  %a = np.thread_array "shared" [128, 128] : memref<128x128xf32>
  return
}
func.func @launch(%g: index) {
  np.launch @large.threads0 grid(%g, %g, %g) block(%g, %g, %g) shared(%g) ()
  return
}

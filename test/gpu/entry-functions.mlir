// Kernels with a name of their own take what the function takes, in its order, and become functions that return the result, or store it where their
// first parameter points. Python's lines go with them.
// RUN: npcc-opt %s --npcc-launch-threads --npcc-outline-launches | FileCheck %s
// RUN: npcc-opt %s --npcc-launch-threads --npcc-launches-to-images | FileCheck %s --check-prefix=C
// RUN: sed s/c:product/numba:product/ %s | npcc-opt --npcc-launch-threads --npcc-launches-to-images | FileCheck %s --check-prefix=NUMBA
// RUN: sed s/c:product/kernel:product/ %s | npcc-opt --npcc-launch-threads --npcc-launches-to-images | FileCheck %s --check-prefix=KERNEL

// CHECK:      gpu.func @launch_threads_0(%{{.*}}: f32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: index, %{{.*}}: f32) kernel
// CHECK-SAME: np.lines = 1
// CHECK-SAME: ["npcc-entry", "c:product"]

// C:      .visible .func  (.param .b32 func_retval0) product(
// C-SAME: .param .b32 product_param_0,
// C-SAME: .param .b64 product_param_1,
// C-SAME: .param .b64 product_param_2,
// C-SAME: .param .b32 product_param_3{{[^,]*}})
// C-SAME: .loc
// C-SAME: st.param.b32 \09[func_retval0], %r
// C-SAME: program.py

// NUMBA:      .visible .func  (.param .b32 func_retval0) product(
// NUMBA-SAME: .param .b64 product_param_0,
// NUMBA-SAME: .param .b32 product_param_1,
// NUMBA-SAME: .param .b32 product_param_4{{[^,]*}})
// NUMBA-SAME: st.b32 \09[%rd
// NUMBA-SAME: st.param.b32 \09[func_retval0], 0

// KERNEL: .visible .entry product(
func.func private @product.threads0(%unused: f32, %x: memref<?xf32>, %f: f32) attributes {np.thread = "product", np.kernel_entry = "c:product", np.lines = 1 : i64} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32> loc("program.py":3:5)
  %p = arith.mulf %v, %f : f32 loc("program.py":3:9)
  %result = np.thread_array "result" [] : memref<f32>
  memref.store %p, %result[] : memref<f32>
  return
} loc("program.py":1:1)
func.func @launch(%x: memref<?xf32>, %f: f32) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.launch @product.threads0 grid(%c1, %c1, %c1) block(%c1, %c1, %c1) shared(%c0) (%f, %x, %f) : f32, memref<?xf32>, f32
  return
}

// Images become constants of the host's module, and launches calls of the runtime.
// RUN: npcc-opt %s --npcc-embed-kernels | FileCheck %s

// CHECK-DAG:     llvm.mlir.global internal @kernel.scale()
// CHECK-DAG:     llvm.mlir.global internal @image.kernels()
// CHECK-DAG:     llvm.mlir.global internal constant @cubin.kernels({{.*}}machine code
// CHECK:         llvm.call @npcc_rt_launch
// CHECK-NOT:     gpu.
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {np.arch = "sm_90", np.cubin = "machine code", np.ptx = "text"} {
    llvm.func @scale(%p: !llvm.ptr<1>, %f: f64) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @step(%p: !llvm.ptr<1>, %n: index, %f: f64) attributes {np.target = "cuda"} {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@scale blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%p : !llvm.ptr<1>, %f : f64)
    return
  }
}

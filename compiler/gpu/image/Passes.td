#ifndef NPCC_COMPILER_GPU_IMAGE_PASSES_TD
#define NPCC_COMPILER_GPU_IMAGE_PASSES_TD
include "mlir/Pass/PassBase.td"

def CompileKernels : Pass<"npcc-compile-kernels", "::mlir::ModuleOp"> {
  let summary = "The gpu.module's code to PTX and cubin, as attributes of the gpu.module";
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_90\"", "compute capabilities, separated by commas (sm_80,sm_90): PTX is made for the least, a cubin for the greatest">,
    Option<"cudaPath", "cuda-path", "std::string", "\"\"", "CUDA toolkit folder; empty: CUDA_HOME, CUDA_PATH, the usual places">,
    Option<"ptxOnly", "ptx-only", "bool", "false", "make no cubin">
  ];
}
def EmbedKernels : Pass<"npcc-embed-kernels", "::mlir::ModuleOp"> {
  let summary = "Images to constants of the host module, gpu.launch_func to npcc_rt_launch";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
#endif

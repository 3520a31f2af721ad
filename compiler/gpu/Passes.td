#ifndef NPCC_COMPILER_GPU_PASSES_TD
#define NPCC_COMPILER_GPU_PASSES_TD
include "mlir/Pass/PassBase.td"

def GroupUpdates : Pass<"npcc-group-updates", "::mlir::func::FuncOp"> {
  let summary = "Loops that update positions given by memory, in order: sorted, a thread for each position";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def EncloseLoops : Pass<"npcc-enclose-loops", "::mlir::func::FuncOp"> {
  let summary = "Serial loops of host code to kernels, so that the host does not wait for elements";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def EncloseSteps : Pass<"npcc-enclose-steps", "::mlir::func::FuncOp"> {
  let summary = "Loops of the host that launch small kernels to one kernel of one block, where the work of an iteration is small";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SinkLoads : Pass<"npcc-sink-loads", "::mlir::func::FuncOp"> {
  let summary = "Elements that host code reads for a kernel or a store alone: read by the device";
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SplitLaunches : Pass<"npcc-split-launches", "::mlir::func::FuncOp"> {
  let summary = "Reductions that need the whole device to kernels over parts and kernels that combine them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SplitScans : Pass<"npcc-split-scans", "::mlir::func::FuncOp"> {
  let summary = "Running reductions along few long lines to kernels over parts of them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def ClassifyKernels : Pass<"npcc-classify-kernels", "::mlir::func::FuncOp"> {
  let summary = "Give kernels that have no kind theirs, by their structure and their accesses";
}
def MapKernels : Pass<"npcc-map-kernels", "::mlir::func::FuncOp"> {
  let summary = "Kernels to gpu.launch, by one emitter for each kind";
  let description = [{
    Each kernel (`npcc-classify-kernels` has given all their kinds) becomes host code (pointers, strides, run-time tests,
    grid) and one `gpu.launch` of `scf`, `arith`, `math` and pointer accesses in global memory.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::NVVM::NVVMDialect"];
}
def LowerDeviceChecks : Pass<"npcc-lower-device-checks", "::mlir::ModuleOp"> {
  let summary = "np.check_index and np.assert inside launches to error records";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}
def OutlineLaunches : Pass<"npcc-outline-launches", "::mlir::ModuleOp"> {
  let summary = "gpu.launch to kernels of one gpu.module, with what they capture as parameters";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}
def ExpandDeviceMath : Pass<"npcc-expand-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Functions of complex numbers and f16 that libdevice does not have";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
                           "::mlir::LLVM::LLVMDialect"];
}
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

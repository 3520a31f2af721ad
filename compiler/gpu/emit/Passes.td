#ifndef NPCC_COMPILER_GPU_EMIT_PASSES_TD
#define NPCC_COMPILER_GPU_EMIT_PASSES_TD
include "mlir/Pass/PassBase.td"

def MapKernels : Pass<"npcc-map-kernels", "::mlir::func::FuncOp"> {
  let summary = "Kernels to gpu.launch, by one emitter for each kind";
  let description = [{
    Each kernel (`npcc-classify-kernels` has given all their kinds) becomes host code (pointers, strides, run-time tests,
    grid) and one `gpu.launch` of `scf`, `arith`, `math` and pointer accesses in global memory.
  }];
  let options = [Option<"clusters", "clusters", "bool", "false", "whether all architectures have clusters of blocks (sm_90 and later)">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect"];
}
#endif

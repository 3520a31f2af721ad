#ifndef NPCC_COMPILER_GPU_GPU_H
#define NPCC_COMPILER_GPU_GPU_H
#include "compiler/Options.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace npcc {
class Target;

/// The loop form -> host code with gpu.launch: the stop point `gpu`.
/// All that changes kernels, up to their kinds.
void buildLoopsToLastKernels(mlir::OpPassManager &pm);
void buildLoopsToLaunches(mlir::OpPassManager &pm, const Options &options);
/// Launches -> kernels compiled to PTX and cubin, which are attributes of the gpu.module: the stop point `ptx` (see
/// getPtx). ptxOnly: no cubin.
void buildLaunchesToImages(mlir::OpPassManager &pm, const Options &options, bool ptxOnly = false);
/// Images -> constants of the host module; launches -> calls of the runtime.
void buildEmbedImages(mlir::OpPassManager &pm, const Options &options);
/// What is before and after the kernels' way from the LLVM dialect to images (PendingImages), which then runs beside the second.
void buildLastKernelsToImages(mlir::OpPassManager &pm, const Options &options);
void buildKernelsToHost(mlir::OpPassManager &pm, const Options &options);
/// Launches, images, embedding in order, then the host's code to the LLVM dialect (compiler/codegen).
void buildLoopsToCuda(mlir::OpPassManager &pm, const Options &options);
const Target &getCudaTarget();
void registerGpuPasses();

#define GEN_PASS_DECL
#include "compiler/gpu/Passes.h.inc"

} // namespace npcc
#endif

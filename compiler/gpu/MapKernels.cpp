#include "compiler/gpu/BodyEmitter.h"
#include "compiler/gpu/Emitters.h"
#include "compiler/gpu/Gpu.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_MAPKERNELS
#include "compiler/gpu/Passes.h.inc"

namespace cuda {

gpu::LaunchOp beginLaunch(HostSide &host, OpBuilder &builder, ArrayRef<Value> grid, ArrayRef<Value> block, StringRef kernelClass) {
  OpBuilder &outside = host.getBuilder();
  Location loc = host.getKernel()->getLoc();
  auto launch = gpu::LaunchOp::create(outside, loc, grid[0], grid[1], grid[2], block[0], block[1], block[2]);
  launch->setAttr("npcc.class", outside.getStringAttr(kernelClass));
  outside.setInsertionPoint(launch);
  builder.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(builder, loc);
  builder.setInsertionPoint(launch.getBody().front().getTerminator());
  return launch;
}

} // namespace cuda

namespace {
struct MapKernels : impl::MapKernelsBase<MapKernels> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> kernels;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      if (auto kernel = dyn_cast<scf::ParallelOp>(op)) {
        kernels.push_back(kernel);
        return WalkResult::skip();
      }
      return WalkResult::advance();
    });
    for (scf::ParallelOp kernel : kernels) {
      cuda::KernelAccesses accesses(kernel);
      if (Operation *op = accesses.getUnsupported()) {
        op->emitError("a kernel accesses memory that is not its parameter");
        return signalPassFailure();
      }
      switch (cuda::classify(kernel, accesses)) {
      case cuda::KernelClass::Map:
        cuda::emitMap(kernel, accesses);
        break;
      case cuda::KernelClass::Rows:
        cuda::emitRows(kernel, accesses);
        break;
      case cuda::KernelClass::Columns:
        cuda::emitColumns(kernel, accesses);
        break;
      case cuda::KernelClass::Scan:
        cuda::emitScan(kernel, accesses);
        break;
      case cuda::KernelClass::Transpose:
        cuda::emitTranspose(kernel, accesses);
        break;
      case cuda::KernelClass::Updates:
        cuda::emitUpdates(kernel, accesses);
        break;
      }
      kernel.erase();
    }
  }
};
} // namespace
} // namespace npcc

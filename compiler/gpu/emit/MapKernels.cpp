// npcc-map-kernels: each kernel becomes a launch. There is an emitter for each kind of kernel (EmitMap.cpp,
// EmitRows.cpp, ...), which makes the host's code before the launch (pointers, strides, run-time tests, the grid) and
// the code of a thread.
//
//   np.kernel map (%i) = (%n) {                %grid = (%n + 255) / 256
//     %u = memref.load %x[%i]                  gpu.launch blocks(%b, ..) in (%grid, ..) threads(%t, ..) in (256, ..) {
//     %v = arith.mulf %u, %f             ->      %i = %b * 256 + %t
//     memref.store %v, %x[%i]                    scf.if %i < %n { llvm.load, arith.mulf, llvm.store }
//   }                                          } {np.class = "map"}
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/Passes.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_MAPKERNELS
#include "compiler/gpu/emit/Passes.h.inc"

namespace cuda {

gpu::LaunchOp beginLaunch(HostSide &host, OpBuilder &builder, ArrayRef<Value> grid, ArrayRef<Value> block, StringRef name) {
  OpBuilder &outside = host.getBuilder();
  Location loc = host.getKernel()->getLoc();
  auto launch = gpu::LaunchOp::create(outside, loc, grid[0], grid[1], grid[2], block[0], block[1], block[2]);
  launch->setAttr("np.class", outside.getStringAttr(name));
  auto kernel = dyn_cast<np::KernelOp>(host.getKernel());
  if (kernel && kernel.getBeside() != np::Beside::alone)
    launch->setAttr(kernel.getBeside() == np::Beside::begins ? "np.begins" : "np.beside", outside.getUnitAttr());
  outside.setInsertionPoint(launch);
  builder.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(builder, loc);
  builder.setInsertionPoint(launch.getBody().front().getTerminator());
  if (kernel && kernel.getGuarded())
    np::EndAfterErrorOp::create(builder, loc);
  return launch;
}

} // namespace cuda

namespace {
/// Views of memory from outside that a kernel makes of its own are made once, before it.
void hoistViews(np::KernelOp kernel) {
  auto isFromOutside = [&](Value operand) { return !kernel->isAncestor(operand.getParentRegion()->getParentOp()); };
  SmallVector<Operation *> views;
  do { // a view of a view comes after it
    views.clear();
    kernel.walk([&](Operation *op) {
      bool isView = isa<memref::ReinterpretCastOp, memref::CastOp, memref::SubViewOp>(op);
      if (isView && llvm::all_of(op->getOperands(), isFromOutside))
        views.push_back(op);
    });
    for (Operation *view : views)
      view->moveBefore(kernel);
  } while (!views.empty());
}

struct MapKernels : impl::MapKernelsBase<MapKernels> {
  using MapKernelsBase::MapKernelsBase;
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<np::KernelOp> kernels;
    getOperation()->walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      if (!kernel.getKind()) {
        kernel.emitError("internal: a kernel without a kind");
        return signalPassFailure();
      }
      hoistViews(kernel);
      KernelAccesses accesses(kernel);
      if (Operation *op = accesses.getUnsupported()) {
        op->emitError("a kernel accesses memory that is not its parameter");
        return signalPassFailure();
      }
      switch (*kernel.getKind()) {
      case np::KernelKind::map:
        cuda::emitMap(kernel, accesses);
        break;
      case np::KernelKind::steps:
        if (kernel.getRunner() == np::Runner::grid) {
          cuda::emitGrid(kernel, accesses, clusters);
          break;
        }
        [[fallthrough]];
      case np::KernelKind::rows:
        if (kernel.getBody()->getOps<np::FactorOp>().empty())
          cuda::emitRows(kernel, accesses);
        else
          cuda::emitMatrices(kernel, accesses);
        break;
      case np::KernelKind::columns:
        cuda::emitColumns(kernel, accesses);
        break;
      case np::KernelKind::scan:
        cuda::emitScan(kernel, accesses);
        break;
      case np::KernelKind::transpose:
        cuda::emitTranspose(kernel, accesses);
        break;
      case np::KernelKind::updates:
        cuda::emitUpdates(kernel, accesses);
        break;
      }
      kernel.erase();
    }
  }
};
} // namespace
} // namespace npcc

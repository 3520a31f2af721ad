#include "compiler/gpu/SerialLoops.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

bool isSerialLoop(Operation *loop) {
  bool isScalarCode = true, touchesMemory = false;
  loop->walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op)) {
      Value memref = isa<memref::LoadOp>(op) ? op->getOperand(0) : op->getOperand(1);
      touchesMemory = true;
      isScalarCode &= !memref.getDefiningOp<memref::AllocaOp>() && !isInHostMemory(memref.getType()) &&
                      !loop->isAncestor(memref.getParentRegion()->getParentOp());
      return;
    }
    bool isControl = isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp, scf::IndexSwitchOp>(op);
    bool isCheck = isa<np::CheckIndexOp, np::AssertOp>(op);
    bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
    isScalarCode &= (isControl || isCheck || isMemoryEffectFree(op)) && !isa<np::BroadcastExtentOp>(op) && !holdsMemory;
  });
  bool holdsMemory = llvm::any_of(loop->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  return isScalarCode && touchesMemory && !holdsMemory;
}

Operation *getOutermostLoop(Operation *op) {
  Operation *outermost = nullptr;
  while ((op = op->getParentOfType<LoopLikeOpInterface>()))
    outermost = op;
  return outermost;
}

bool sendsWork(Operation *op, function_ref<bool(Operation *)> remains) {
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *inside) {
        if (isa<np::KernelOp>(inside))
          return remains(inside) ? WalkResult::interrupt() : WalkResult::skip();
        return isa<np::CallMatmulOp, np::CallSortOp, np::CallReshapeOp, np::RoutineOp, np::DrawOp, np::DrawInTurnsOp,
                   np::ExchangeHaloOp, CallOpInterface>(inside)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace npcc

// npcc-guard-kernels: what the caller sees behind a check that has failed is what Python leaves there. A host launches
// kernels without waiting for the checks of those before, so each kernel that stores into memory of the caller's asks
// whether one of them has failed.
//
//   np.kernel (%i) = (%n) { ... np.check_index ... }        np.kernel (%i) = (%n) { ... np.check_index ... }
//   np.kernel (%i) = (%n) { ... memref.store %v, %x }       np.kernel (%i) = (%n) guarded { ... memref.store %v, %x }
//   np.call_matmul %a, %b, %y                         ->    np.settle
//                                                           np.call_matmul %a, %b, %y
//
// Kernels on arrays of the function's own need not ask: nobody sees these after an error. A library does not ask: the
// host waits before it, as it does before it prints, draws random numbers or calls Python. Where the host has waited
// anyway, because it read an element, nothing is asked.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/LastingEffects.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_GUARDKERNELS
#include "compiler/gpu/Passes.h.inc"
namespace {

bool isOnHost(Value array) {
  return isa_and_nonnull<StringAttr>(cast<BaseMemRefType>(array.getType()).getMemorySpace());
}

/// Whether anything is done with a number that the host reads. Else the read goes before the code runs.
bool isUsed(Value number) {
  return llvm::any_of(number.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp()); branch && isa<scf::YieldOp>(user))
      return isUsed(branch.getResult(use.getOperandNumber()));
    bool isNumber = isMemoryEffectFree(user) && user->getNumRegions() == 0 && !user->hasTrait<OpTrait::IsTerminator>();
    return !isNumber || llvm::any_of(user->getResults(), isUsed);
  });
}

/// Whether each store into what the caller sees asks for itself (npcc-check-before-stores).
bool asksBeforeStores(np::KernelOp kernel) {
  return kernel
      ->walk([](Operation *op) { return isa<np::IsReachedOp>(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Whether the host waits for the device here, and finds errors of all that was launched before.
bool waits(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !isOnHost(load.getMemRef()) && isUsed(load);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return isOnHost(copy.getTarget()) && !isOnHost(copy.getSource());
  return isa<np::SettleOp, np::MirrorOp>(op);
}

class Guards {
public:
  explicit Guards(func::FuncOp function) : aliasing(function->hasAttr("np.general")) {
    function.walk([&](Operation *op) { hasPython |= isa<np::PythonOp>(op); });
  }

  /// `mayHaveFailed`: checks of kernels that nobody has waited for. Gives the same for the end of the block.
  bool visit(Block &block, bool mayHaveFailed) {
    for (Operation &op : llvm::make_early_inc_range(block))
      mayHaveFailed = visit(&op, mayHaveFailed);
    return mayHaveFailed;
  }

private:
  bool visit(Operation *op, bool mayHaveFailed) {
    if (auto kernel = dyn_cast<np::KernelOp>(op)) {
      if (mayHaveFailed && (hasPython || aliasing.mayWriteToOthers(kernel)) && !asksBeforeStores(kernel))
        kernel.setGuarded(true);
      return mayHaveFailed || makesChecks(kernel);
    }
    if (op->getNumRegions()) {
      bool after = visitRegions(op, mayHaveFailed);
      // The first iteration of a loop comes behind what is before the loop, and the others behind iterations.
      if (after && !mayHaveFailed && isa<LoopLikeOpInterface>(op))
        after = visitRegions(op, true);
      return after;
    }
    if (isa<func::CallOp>(op)) // its kernels may make checks, and ask for themselves
      return true;
    if (waits(op))
      return false;
    if (!mayHaveFailed || !isSeen(op))
      return mayHaveFailed;
    OpBuilder builder(op);
    np::SettleOp::create(builder, op->getLoc());
    return false;
  }

  /// A branch may be taken or not, and so may a loop.
  bool visitRegions(Operation *op, bool mayHaveFailed) {
    bool after = mayHaveFailed;
    if (isa<scf::WhileOp>(op)) { // what comes behind a loop comes behind its condition
      after = visit(op->getRegion(0).front(), mayHaveFailed);
      return visit(op->getRegion(1).front(), after) || after;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.elseBlock())
      after = false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        after |= visit(block, mayHaveFailed);
    return after;
  }

  /// Whether something that is no kernel changes what outlives a call that fails. What the runtime is told of kernels
  /// (llvm.call) does not, and neither do references that are given back.
  bool isSeen(Operation *op) {
    if (isMemoryEffectFree(op) || isa<np::ReleaseOp, np::RetainOp, np::AllocOp, LLVM::CallOp>(op))
      return false;
    if (auto store = dyn_cast<memref::StoreOp>(op); store && isOnHost(store.getMemRef()))
      return false;
    return isa<np::PythonOp>(op) || aliasing.mayWriteToOthers(op) || writesResource(op);
  }

  Aliasing aliasing;
  bool hasPython = false; // it may hold arrays of the function's own
};

struct GuardKernels : impl::GuardKernelsBase<GuardKernels> {
  void runOnOperation() override {
    llvm::StringSet<> called; // what their callers do before the call is not known here
    getOperation().walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && !function->hasAttr("np.thread"))
        Guards(function).visit(function.getBody().front(), called.contains(function.getName()));
  }
};

} // namespace
} // namespace npcc

// What nobody uses is dropped, but not the error that it would raise.
//
//   %t = np.ufunc "add"(%a, %b)   // unused            ->      np.broadcast_extent "ufunc" %n, %m ...
//
// Runs first: every later pass drops what is unused. A value is used if an operation with an effect needs it, through other values, and names that are
// read (np.get) need what they are bound to.
#include "compiler/passes/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_KEEPCHECKS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct KeepChecks : impl::KeepChecksBase<KeepChecks> {
  static bool isRead(Value slot) {
    return llvm::any_of(slot.getUsers(), [](Operation *user) { return isa<GetOp>(user); });
  }

  /// Does the operation do something although its results may be unused?
  static bool hasEffect(Operation *op) {
    if (auto set = dyn_cast<SetOp>(op))
      return isRead(set.getSlot());
    return op->hasTrait<OpTrait::IsTerminator>() || (!isPure(op) && !isa<NewOp, EmptyOp, LoadOp, GetOp, VarOp, GatherOp>(op));
  }

  void runOnOperation() override {
    llvm::SetVector<Operation *> used;
    getOperation().walk([&](Operation *op) {
      if (hasEffect(op))
        used.insert(op);
    });
    for (size_t k = 0; k < used.size(); ++k)
      for (Value operand : used[k]->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          used.insert(producer);
    SmallVector<UfuncOp> unused;
    getOperation().walk([&](UfuncOp op) {
      if (!used.contains(op) && getRank(op.getType()))
        unused.push_back(op);
    });
    for (UfuncOp op : unused) {
      OpBuilder builder(op);
      ReifiedRankedShapedTypeDims extents; // makes the checks
      (void)op.reifyResultShapes(builder, extents);
    }
  }
};
} // namespace
} // namespace npcc

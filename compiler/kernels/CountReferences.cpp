// Places np.retain and np.release in the loop form.
//
//   %v = np.alloc(%n)                                           %v = np.alloc(%n)
//   scf.for ... iter_args(%a = %u, %b = %v) {          ->       np.retain %u
//     ... scf.yield %b, %a }                                    scf.for ... iter_args(%a = %u, %b = %v) { ... scf.yield %b, %a }
//                                                               np.release %0#0   np.release %0#1
//
// Every block owns one reference to each buffer it makes, to each memref its loops and branches result in, and to each memref it is
// entered with; arguments of the function are borrowed. A terminator (and the start of a loop) hands one reference on with each
// operand: the owner's own where it can, a new one otherwise. What is still owned is released after its last use, so
// the pool can use the memory again for the next allocation. A swap hands both references on and costs nothing.
#include "compiler/memory/Aliasing.h"
#include "compiler/kernels/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"

namespace npcc {
#define GEN_PASS_DEF_COUNTREFERENCES
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
bool isMemory(Value value) { return isa<MemRefType>(value.getType()); }

/// The operations in `block` in which the buffer is used, through views and in regions too.
void collectUses(Value value, Block *block, llvm::SmallSetVector<Operation *, 8> &uses) {
  for (Operation *user : value.getUsers()) {
    if (Operation *ancestor = block->findAncestorOpInBlock(*user))
      uses.insert(ancestor);
    // What a choice gives is either of two buffers, and owned by neither.
    for (Value result : user->getResults())
      if (isMemory(result) && (getRoot(result) != result || isa<arith::SelectOp>(user)))
        collectUses(result, block, uses);
  }
}

/// Operands by which the operation takes references over.
SmallVector<Value> getHandedOn(Operation *op) {
  SmallVector<Value> operands;
  ValueRange range;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    range = loop.getInitArgs();
  else if (isa<scf::WhileOp, scf::YieldOp, scf::ConditionOp, func::ReturnOp>(op))
    range = op->getOperands();
  for (Value operand : range)
    if (isMemory(operand))
      operands.push_back(operand);
  return operands;
}

struct CountReferences : impl::CountReferencesBase<CountReferences> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // a launch holds the arrays
      return;
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(block->getParentOp()) &&
          !block->getParentOp()->getParentOfType<KernelOp>())
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      count(*block);
  }

  void count(Block &block) {
    llvm::SmallSetVector<Value, 8> owned;
    if (!isa<func::FuncOp>(block.getParentOp()))
      for (Value argument : block.getArguments())
        if (isMemory(argument))
          owned.insert(argument);
    for (Operation &op : block)
      if (isa<AllocOp, CallReshapeOp, KeptOp, func::CallOp, scf::ForOp, scf::IfOp, scf::WhileOp>(op))
        for (Value result : op.getResults())
          if (isMemory(result))
            owned.insert(result);

    // Where each owned buffer is used last.
    DenseMap<Value, Operation *> last;
    for (Value buffer : owned) {
      llvm::SmallSetVector<Operation *, 8> uses;
      collectUses(buffer, &block, uses);
      Operation *latest = nullptr;
      for (Operation *use : uses)
        if (!latest || latest->isBeforeInBlock(use))
          latest = use;
      last[buffer] = latest;
    }

    OpBuilder builder(block.getParentOp()->getContext());
    llvm::SmallDenseSet<Value> given;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      SmallVector<Value> operands = getHandedOn(&op);
      builder.setInsertionPoint(&op);
      for (Value operand : operands) {
        Value buffer = getRoot(operand);
        bool canGive = owned.contains(buffer) && last[buffer] == &op && !given.contains(buffer) && !isUsedInside(buffer, op);
        if (canGive)
          given.insert(buffer);
        else
          RetainOp::create(builder, op.getLoc(), operand);
      }
    }
    for (Value buffer : owned) {
      if (given.contains(buffer))
        continue;
      if (Operation *latest = last[buffer]) {
        if (latest->hasTrait<OpTrait::IsTerminator>())
          builder.setInsertionPoint(latest);
        else
          builder.setInsertionPointAfter(latest);
      } else {
        builder.setInsertionPointAfterValue(buffer);
      }
      ReleaseOp::create(builder, buffer.getLoc(), buffer);
    }
  }

  static bool isUsedInside(Value buffer, Operation &op) {
    bool used = false;
    op.walk([&](Operation *inner) {
      if (inner != &op)
        for (Value operand : inner->getOperands())
          used |= isMemory(operand) && getRoot(operand) == buffer;
    });
    return used;
  }
};
} // namespace
} // namespace npcc

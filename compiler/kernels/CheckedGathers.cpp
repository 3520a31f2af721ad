#include "compiler/kernels/CheckedGathers.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {

class Reads {
public:
  Reads(func::FuncOp function, ExtentOrigins &origins) : origins(origins), aliasing(function->hasAttr("np.general")) {}

  /// Whether kernels come to all elements of the value. Not where they stand in a branch or a loop, which may not run.
  bool areAll(Value value) {
    auto [known, isNew] = complete.try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool found = llvm::any_of(value.getUses(), [&](OpOperand &use) {
      return use.getOwner()->getBlock() == value.getParentBlock() && readsAll(use);
    });
    complete[value] = found;
    return found;
  }

  /// Whether what is computed of the value is stored into an array that outlives an error.
  bool isSeen(Value value) {
    auto [known, isNew] = seen.try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool found = llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (isSink(user))
        return !isa<NewOp>(user) && aliasing.mayWriteToOthers(user);
      return llvm::any_of(user->getResults(),
                          [&](Value result) { return isa<RankedTensorType>(result.getType()) && isSeen(result); });
    });
    seen[value] = found;
    return found;
  }

  /// Whether the host makes a check between the gather and the first kernel that computes its elements.
  bool comesAfterChecks(GatherOp gather) {
    Operation *first = findFirstSink(gather, gather->getBlock());
    for (Operation *op = gather->getNextNode(); op && op != first; op = op->getNextNode())
      if (isa<AssertOp, CheckIndexOp, BroadcastExtentOp>(op))
        return true;
    return false;
  }

private:
  /// The first operation of the block that needs elements of the value in memory, or holds such.
  Operation *findFirstSink(Value value, Block *block) {
    auto [known, isNew] = sinks.try_emplace(value, nullptr);
    if (!isNew)
      return known->second;
    Operation *first = nullptr;
    for (Operation *user : value.getUsers()) {
      if (isa<DimOp>(user))
        continue;
      Operation *here = block->findAncestorOpInBlock(*user);
      bool isValue = here == user && user->getNumResults() == 1 && isa<RankedTensorType>(user->getResult(0).getType());
      Operation *sink = isValue ? findFirstSink(user->getResult(0), block) : here;
      if (sink && (!first || sink->isBeforeInBlock(first)))
        first = sink;
    }
    sinks[value] = first;
    return first;
  }

  bool readsAll(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<DimOp>(user))
      return false;
    if (auto masked = dyn_cast<StoreMaskedOp>(user)) // of the values, those where the mask is true
      return use.get() == masked.getMask();
    if (auto gather = dyn_cast<GatherOp>(user))
      return use.get() != gather.getSource() && areAll(gather);
    if (auto view = dyn_cast<ViewOp>(user))
      return isWhole(view) && areAll(view);
    if (auto insert = dyn_cast<InsertOp>(user))
      return use.get() != insert.getDestination() && isReadWhere(insert, insert.getResult());
    if (auto ufunc = dyn_cast<UfuncOp>(user))
      return (use.getOperandNumber() == 0 || !isBranch(ufunc)) && areAll(ufunc);
    // The result of a reduction, a cast, ... takes all elements of the operand.
    if (user->getNumResults() == 1 && isa<RankedTensorType>(user->getResult(0).getType()) &&
        getElementCost(user) != ElementCost::Whole)
      return areAll(user->getResult(0));
    return true;
  }

  /// Whether kernels come to all elements that `part` has put into what is `whole` now: not where others are put there.
  bool isReadWhere(InsertOp part, Value whole) {
    if (areAll(whole))
      return true;
    return llvm::any_of(whole.getUsers(), [&](Operation *user) {
      auto next = dyn_cast<InsertOp>(user);
      return next && next->getBlock() == part->getBlock() && next.getDestination() == whole && isBehind(part, next) &&
             isReadWhere(part, next.getResult());
    });
  }

  /// Whether one of two parts begins where the other one has ended, along some axis, as those of a concatenation do.
  bool isBehind(InsertOp a, InsertOp b) {
    for (auto [begin, insert] : {std::pair(b, a), std::pair(a, b)})
      for (auto [axis, offset] : llvm::enumerate(begin.getOffsets())) {
        auto found = llvm::find(insert.getAxes(), int64_t(axis));
        if (found == insert.getAxes().end())
          continue;
        size_t number = found - insert.getAxes().begin();
        if (matchPattern(insert.getOffsets()[axis], m_Zero()) && matchPattern(insert.getSteps()[number], m_One()) &&
            isAtLeast(offset, insert.getExtents()[number]))
          return true;
      }
    return false;
  }
  /// Sums of extents, none of which is negative.
  bool isAtLeast(Value sum, Value extent) {
    if (sum == extent || origins.ofIndex(sum) == origins.ofIndex(extent))
      return true;
    auto add = sum.getDefiningOp<arith::AddIOp>();
    return add && (isAtLeast(add.getLhs(), extent) || isAtLeast(add.getRhs(), extent));
  }

  /// Whether a view has all elements of its source: other axes, in another order.
  bool isWhole(ViewOp view) {
    llvm::SmallDenseSet<int64_t> axes;
    for (auto [axis, extent, step] : llvm::zip_equal(view.getAxes(), view.getExtents(), view.getSteps())) {
      if (axis < 0)
        continue;
      if (!matchPattern(step, m_One()) || origins.ofIndex(extent) != origins.of(view.getSource(), axis))
        return false;
      axes.insert(axis);
    }
    return int64_t(axes.size()) == getRank(view.getSource().getType());
  }

  ExtentOrigins &origins;
  Aliasing aliasing;
  DenseMap<Value, bool> complete, seen;
  DenseMap<Value, Operation *> sinks;
};

/// Whether a value has single items put into it, as one that was a list has.
bool holdsItems(Value value, llvm::SmallDenseSet<Value> &seen) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !seen.insert(value).second)
    return false;
  if (auto insert = dyn_cast<InsertOp>(producer); insert && getRank(insert.getValue().getType()) == 0)
    return true;
  return llvm::any_of(producer->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) && holdsItems(operand, seen);
  });
}

/// Whether the positions are a range as np.arange() gives it, which may be longer than the axis.
bool areRange(Value indices, Value source, int64_t axis, ExtentOrigins &origins) {
  while (isa_and_nonnull<ViewOp, CastOp, BroadcastOp, ReshapeOp>(indices.getDefiningOp()))
    indices = indices.getDefiningOp()->getOperand(0);
  auto range = indices.getDefiningOp<ArangeOp>();
  return range && !(matchPattern(range.getStart(), m_Zero()) && matchPattern(range.getStep(), m_One()) &&
                    origins.ofIndex(range.getExtent()) == origins.of(source, axis));
}

/// Whether memory, a list or a range gives a position. Those that are computed of np.arange() are the library's most
/// often, as numpy.pad() has them, and are right.
bool areGiven(GatherOp gather, ExtentOrigins &origins) {
  return llvm::any_of(llvm::zip_equal(gather.getIndices(), gather.getAxes()), [&](auto each) {
    auto [indices, axis] = each;
    SmallVector<TreeLoad> loads;
    collectLoads(indices, loads);
    llvm::SmallDenseSet<Value> seen;
    return !loads.empty() || holdsItems(indices, seen) || areRange(indices, gather.getSource(), axis, origins);
  });
}

} // namespace

bool mayBeEmpty(GatherOp gather, ExtentOrigins &origins) {
  return !gather->getParentOfType<LoopLikeOpInterface>() && areGiven(gather, origins);
}

llvm::DenseSet<Operation *> findGathersToCheck(func::FuncOp function, ExtentOrigins &origins) {
  llvm::DenseSet<Operation *> found;
  if (function->hasAttr("np.thread"))
    return found;
  Reads reads(function, origins);
  // A launch for the order of errors alone is too much where arguments are as in the first call.
  bool keepsOrder = function->hasAttr("np.general") || !getTargetProperties(function).launchesAreCostly;
  function.walk([&](GatherOp gather) {
    // In a loop, which is to become a kernel as a whole, each iteration's kernels make the checks.
    bool isInLoop = gather->getParentOfType<LoopLikeOpInterface>() != nullptr;
    if ((!isInLoop && ((areGiven(gather, origins) && !reads.areAll(gather)) || reads.isSeen(gather))) ||
        (keepsOrder && reads.comesAfterChecks(gather)))
      found.insert(gather);
  });
  return found;
}

} // namespace npcc

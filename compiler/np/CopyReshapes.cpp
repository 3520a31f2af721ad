// A reshape of an array that may not be contiguous is a value where nobody could tell a view from a copy, so that it fuses.
//
//   %r = np.reshape_strided %a extents [%n]            %v = np.load %a
//   %x = np.load %r                             ->     %x = np.reshape %v extents [%n]
//
// That is: the result, and views of it, are only read, in the block of the reshape or below, and nothing that may be the source is written in between.
#include "compiler/np/Passes.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Arrays.h"

namespace npcc {
#define GEN_PASS_DEF_COPYRESHAPES
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Collects what reads the array; false if it is used in another way.
bool collectReads(Value array, SmallVectorImpl<Operation *> &reads) {
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    if (isa<LoadOp, DimOp>(user)) {
      reads.push_back(user);
      return true;
    }
    return isa<ViewOp, ReshapeOp>(user) && collectReads(user->getResult(0), reads);
  });
}

bool isWrittenBetween(ReshapeStridedOp op, ArrayRef<Operation *> reads, bool general) {
  Operation *last = op;
  for (Operation *read : reads) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*read);
    if (!ancestor)
      return true;
    if (last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  SmallVector<Value> read, written;
  for (Operation *between = op; between != last; between = between->getNextNode())
    collectAccesses(between, read, written);
  collectAccesses(last, read, written);
  return llvm::any_of(written, [&](Value array) { return mayAlias(array, op.getSource(), general); });
}

/// Replaces what reads `array` by what reads the value.
void readFrom(Value value, Value array, SmallVectorImpl<Operation *> &dead) {
  for (Operation *user : llvm::make_early_inc_range(array.getUsers())) {
    OpBuilder builder(user);
    if (isa<LoadOp>(user)) {
      user->getResult(0).replaceAllUsesWith(value);
    } else if (auto dim = dyn_cast<DimOp>(user)) {
      dim.replaceAllUsesWith(builder.createOrFold<DimOp>(dim.getLoc(), value, dim.getAxis()));
    } else if (auto view = dyn_cast<ViewOp>(user)) {
      Type type = cast<ArrayType>(view.getResult().getType()).getValueType();
      readFrom(ViewOp::create(builder, view.getLoc(), type, value, view.getOffsets(), view.getAxes(), view.getExtents(), view.getSteps()), view.getResult(), dead);
    } else {
      auto reshape = cast<ReshapeOp>(user);
      Type type = cast<ArrayType>(reshape.getResult().getType()).getValueType();
      readFrom(ReshapeOp::create(builder, reshape.getLoc(), type, value, reshape.getExtents()), reshape.getResult(), dead);
    }
    dead.push_back(user);
  }
}

struct CopyReshapes : impl::CopyReshapesBase<CopyReshapes> {
  void runOnOperation() override {
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<ReshapeStridedOp> reshapes;
    getOperation().walk([&](ReshapeStridedOp op) { reshapes.push_back(op); });
    // The last ones first: what reads a reshape of a reshape is then a load.
    for (ReshapeStridedOp op : llvm::reverse(reshapes)) {
      SmallVector<Operation *> reads, dead;
      if (!collectReads(op.getResult(), reads) || isWrittenBetween(op, reads, general))
        continue;
      OpBuilder builder(op);
      Value value = LoadOp::create(builder, op.getLoc(), op.getSource());
      Type type = cast<ArrayType>(op.getResult().getType()).getValueType();
      readFrom(ReshapeOp::create(builder, op.getLoc(), type, value, op.getExtents()), op.getResult(), dead);
      for (Operation *user : dead)
        user->erase();
      op.erase();
    }
  }
};
} // namespace
} // namespace npcc

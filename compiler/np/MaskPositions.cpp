// npcc-mask-positions: positions at which a mask is true, as np.flatnonzero, np.nonzero and np.where give them, are the
// mask itself where they index arrays of its extents.
//
//   %i = np.compress (np.arange 0, 1, %n), %m
//   %s = np.gather %x[%i] axes [0]             ->   %s = np.compress %x, %m
//   np.scatter %v, %a[%i] axes = [0]           ->   np.store_masked %v, %m, %a selected
//
// What is selected by a mask often needs no array (npcc-move-selections), and stores through it have no order and no
// checks. The positions may have a name that nothing is stored to. A loop behind them keeps them: the mask may be true
// at few positions only, and each iteration would go through all of it.
//
// Arguments of one extent in the first call are taken to have one extent (`np.guards`; see npcc-resolve-extents).
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Positions.h"
#include "dialects/Np/Arrays.h"

namespace npcc {
#define GEN_PASS_DEF_MASKPOSITIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct MaskPositions : impl::MaskPositionsBase<MaskPositions> {
  void runOnOperation() override {
    origins = &getAnalysis<ExtentOrigins>();
    guards.clear();
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<GatherOp, ScatterOp>(op))
        found.push_back(op);
    });
    bool hasChanged = false;
    for (Operation *op : found) {
      auto gather = dyn_cast<GatherOp>(op);
      hasChanged |= gather ? replace(gather) : replace(cast<ScatterOp>(op));
    }
    if (!hasChanged)
      return markAllAnalysesPreserved();
    if (guards.empty())
      return;
    if (auto known = getOperation()->getAttrOfType<DenseI64ArrayAttr>("np.guards"))
      guards.insert(guards.begin(), known.asArrayRef().begin(), known.asArrayRef().end());
    getOperation()->setAttr("np.guards", DenseI64ArrayAttr::get(&getContext(), guards));
  }

private:
  bool replace(GatherOp op) {
    Value mask = getMask(op, op.getIndices(), op.getAxes(), op.getSource());
    if (!mask || op.getAsTaken())
      return false;
    OpBuilder builder(op);
    Value selected = CompressOp::create(builder, op.getLoc(), op.getType(), op.getSource(), mask);
    origins->forget(op.getResult());
    op.replaceAllUsesWith(selected);
    op.erase();
    return true;
  }

  bool replace(ScatterOp op) {
    if (op.getMask() || op.getDistinct() || !hasPlaceForEach(op.getArray()))
      return false;
    Value value = op.getValue(), mask = getMask(op, op.getIndices(), op.getAxes(), op.getArray());
    if (!mask)
      return false;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    int64_t trailing = getRank(op.getArray().getType()) - getRank(mask.getType());
    bool isForEach = type && type.getRank() > trailing;
    if (isForEach && type.getDimSize(0) == 1)
      return false;
    OpBuilder builder(op);
    StoreMaskedOp::create(builder, op.getLoc(), value, mask, op.getArray(), /*selected=*/isForEach);
    op.erase();
    return true;
  }

  /// The mask whose true positions index the leading axes of `source`, which are as long as the mask; null if none
  /// does.
  Value getMask(Operation *op, ValueRange indices, ArrayRef<int64_t> axes, Value source) {
    Value mask;
    for (auto [number, index, axis] : llvm::enumerate(indices, axes)) {
      std::optional<TruePositions> positions = findTruePositions(index, op);
      bool isNext = positions && axis == static_cast<int64_t>(number) && positions->axis == axis;
      if (!isNext || (mask && positions->mask != mask))
        return {};
      mask = positions->mask;
      ExtentOrigin counted = origins->ofIndex(positions->extent), ofMask = origins->of(mask, axis);
      if (!ofMask.isKnown() || !(ofMask == counted) || !areEqual(ofMask, origins->of(source, axis)))
        return {};
    }
    return mask && getRank(mask.getType()) == static_cast<int64_t>(indices.size()) ? mask : Value();
  }

  bool areEqual(ExtentOrigin one, ExtentOrigin other) {
    if (one == other)
      return true;
    if (!one.getArgument() || !other.getArgument() || getOperation()->hasAttr("np.general"))
      return false;
    std::optional<int64_t> first = getInFirstCall(getOperation(), one), second = getInFirstCall(getOperation(), other);
    if (!first || first != second || *first <= 1)
      return false;
    return takeForEqual(*origins, one, other, guards);
  }

  ExtentOrigins *origins = nullptr;
  SmallVector<int64_t> guards; // argument, axis, argument, axis, ...
};
} // namespace
} // namespace npcc

#include "compiler/np/Positions.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace npcc {

using namespace mlir;
using namespace np;

namespace {
bool isKept(Value array) {
  return llvm::all_of(array.getUsers(), [](Operation *user) {
    auto view = dyn_cast<ViewOp>(user);
    return isa<LoadOp, DimOp, func::ReturnOp>(user) || (view && isKept(view.getResult()));
  });
}

/// What the selected numbers, along one axis of a mask, are spread from: the count and the axis.
std::pair<ArangeOp, int64_t> findSpreadCount(Value source, int64_t rank) {
  int64_t shift = 0;
  if (auto broadcast = source.getDefiningOp<BroadcastOp>()) {
    source = broadcast.getSource();
    shift = rank - getRank(source.getType());
  }
  auto view = source.getDefiningOp<ViewOp>();
  if (!view)
    return {getRank(source.getType()) == 1 ? getCountFromZero(source) : ArangeOp(), shift};
  int64_t found = -1;
  for (auto [axis, along] : llvm::enumerate(view.getAxes()))
    if (along == 0) {
      if (found >= 0 || !matchPattern(view.getSteps()[axis], m_One()))
        return {};
      found = axis;
    }
  ArangeOp count = getCountFromZero(view.getSource());
  bool isWhole = count && found >= 0 && matchPattern(view.getOffsets()[0], m_Zero()) &&
                 view.getExtents()[found] == count.getExtent();
  return {isWhole ? count : ArangeOp(), found + shift};
}

} // namespace

bool isInLoopBehind(Operation *user, Operation *op) {
  Region *region = op->getParentRegion();
  for (; user && user->getParentRegion() != region; user = user->getParentOp())
    if (isa_and_present<LoopLikeOpInterface>(user->getParentOp()))
      return true;
  return false;
}

Value getCounted(Value extent) {
  if (auto meet = extent.getDefiningOp<BroadcastExtentOp>()) {
    Value mask = getCounted(meet.getLhs());
    return mask && mask == getCounted(meet.getRhs()) ? mask : Value();
  }
  auto dim = extent.getDefiningOp<DimOp>();
  if (!dim || dim.getAxis() > 0)
    return {};
  auto made = dim.getSource().getDefiningOp<NewOp>();
  auto selection = (made ? made.getValue() : dim.getSource()).getDefiningOp<CompressOp>();
  return selection ? selection.getMask() : Value();
}

Value getCountExtent(ArangeOp count) {
  Value extent = count.getExtent();
  auto most = extent.getDefiningOp<arith::MaxSIOp>();
  return most && matchPattern(most.getRhs(), m_Zero()) ? most.getLhs() : extent;
}

Value getKeptValue(Value array) {
  auto made = array.getDefiningOp<NewOp>();
  return made && isa<RankedTensorType>(made.getValue().getType()) && isKept(array) ? made.getValue() : Value();
}

bool hasPlaceForEach(Value array) {
  for (Operation *op = array.getDefiningOp(); isa_and_present<ViewOp, ReshapeOp>(op); op = array.getDefiningOp()) {
    if (auto view = dyn_cast<ViewOp>(op)) {
      llvm::SmallDenseSet<int64_t> axes;
      for (auto [axis, extent] : llvm::zip(view.getAxes(), view.getExtents()))
        if (axis < 0 ? !matchPattern(extent, m_One()) : !axes.insert(axis).second)
          return false;
    }
    array = op->getOperand(0);
  }
  return true;
}

ArangeOp getCountFromZero(Value value) {
  auto count = value.getDefiningOp<ArangeOp>();
  bool isPlain = count && matchPattern(count.getStart(), m_Zero()) && matchPattern(count.getStep(), m_One());
  return isPlain ? count : ArangeOp();
}

std::optional<TruePositions> findTruePositions(Value index, Operation *user) {
  Value stretched; // to so many
  if (auto broadcast = index.getDefiningOp<BroadcastOp>()) {
    if (getRank(broadcast.getType()) != 1)
      return std::nullopt;
    stretched = broadcast.getExtents()[0];
    index = broadcast.getSource();
  }
  if (auto load = index.getDefiningOp<LoadOp>())
    index = getKeptValue(load.getArray());
  auto selection = index ? index.getDefiningOp<CompressOp>() : CompressOp();
  if (!selection || getRank(selection.getType()) != 1 || isInLoopBehind(user, selection))
    return std::nullopt;
  Value mask = selection.getMask();
  if (stretched && getCounted(stretched) != mask)
    return std::nullopt;
  Value counted = selection.getSource();
  if (auto load = counted.getDefiningOp<LoadOp>())
    counted = getKeptValue(load.getArray());
  if (!counted)
    return std::nullopt;
  auto [count, axis] = findSpreadCount(counted, getRank(mask.getType()));
  return count ? std::optional(TruePositions{mask, axis, getCountExtent(count)}) : std::nullopt;
}

} // namespace npcc

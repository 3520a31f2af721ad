#include "compiler/kernels/MovedParts.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/target/Target.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

// Each part is a comparison and a choice for each element.
constexpr size_t mostParts = 8;

/// Whether the next insertion is all that becomes of it.
static bool isOnlyInserted(InsertOp insertion) {
  auto isDestination = [&](OpOperand &use) {
    auto next = dyn_cast<InsertOp>(use.getOwner());
    return next && next.getDestination() == insertion.getResult() && next.getValue() != insertion.getResult();
  };
  return insertion->hasOneUse() && isDestination(*insertion->use_begin());
}

/// Through stretches to the extents that it has.
ViewOp MovedParts::getView(InsertOp insertion, ExtentOrigins &origins) {
  Value value = insertion.getValue();
  for (auto broadcast = value.getDefiningOp<BroadcastOp>();
       broadcast && keepsPosition(broadcast.getSourceMutable(), origins);
       broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getSource();
  auto view = value.getDefiningOp<ViewOp>();
  return view && isa<RankedTensorType>(view.getSource().getType()) ? view : ViewOp();
}

std::optional<MovedParts> getMovedParts(InsertOp last, ExtentOrigins &origins) {
  ViewOp view = MovedParts::getView(last, origins);
  if (!view || !getTargetProperties(last).launchesAreCostly || !view.getSource().getDefiningOp() ||
      view.getSource().getDefiningOp<LoadOp>())
    return std::nullopt;
  MovedParts parts{{last}, view.getSource(), last.getDestination()};
  while (auto before = parts.base.getDefiningOp<InsertOp>()) {
    ViewOp other = MovedParts::getView(before, origins);
    if (!other || other.getSource() != parts.source || !isOnlyInserted(before))
      break;
    parts.insertions.push_back(before);
    parts.base = before.getDestination();
    if (parts.insertions.size() > mostParts)
      return std::nullopt;
  }
  std::reverse(parts.insertions.begin(), parts.insertions.end());
  return parts.insertions.size() > 1 && parts.base != parts.source ? std::optional(parts) : std::nullopt;
}

bool hasSteps(InsertOp insertion) {
  return llvm::any_of(insertion.getSteps(), [](Value step) { return !matchPattern(step, m_One()); });
}

InsertOp getLastOfMoved(Operation *view, ExtentOrigins &origins) {
  if (!isa<ViewOp>(view))
    return {};
  Operation *next = view;
  do {
    if (!next->hasOneUse())
      return {};
    next = *next->user_begin();
  } while (isa<BroadcastOp>(next));
  auto last = dyn_cast<InsertOp>(next);
  if (!last || MovedParts::getView(last, origins) != view)
    return {};
  for (unsigned count = 1; isOnlyInserted(last) && count <= mostParts; ++count) {
    auto following = cast<InsertOp>(*last->user_begin());
    ViewOp other = MovedParts::getView(following, origins);
    if (!other || other.getSource() != cast<ViewOp>(view).getSource())
      break;
    last = following;
  }
  return getMovedParts(last, origins) ? last : InsertOp();
}

} // namespace npcc

// np.fold: what its regions take and give.
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npcc::np;

SmallVector<Region *> FoldOp::getLoopRegions() { return {&getElement(), &getEach()}; }

SmallVector<Value> FoldOp::emitCombine(OpBuilder &builder, ValueRange totals, ValueRange elements) {
  IRMapping mapping;
  Block &block = getCombine().front();
  mapping.map(block.getArguments().take_front(totals.size()), totals);
  mapping.map(block.getArguments().drop_front(totals.size()), elements);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> next;
  for (Value value : block.getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(value));
  return next;
}

LogicalResult FoldOp::verifyRegions() {
  auto check = [&](Region &region, StringRef name, ArrayRef<Type> takes, TypeRange gives) -> LogicalResult {
    if (TypeRange(region.getArgumentTypes()) != TypeRange(takes))
      return emitOpError("has a region '") << name << "' that takes something else than what it is given";
    auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
    if (!yield || yield.getValues().getTypes() != gives)
      return emitOpError("has a region '") << name << "' that gives something else than what is taken from it";
    return success();
  };
  auto elements = dyn_cast<YieldOp>(getElement().front().getTerminator());
  if (!elements)
    return emitOpError("has a region 'element' that does not end with np.yield");
  Type index = IndexType::get(getContext());
  SmallVector<Type> both(getInitial().getTypes()), running{index};
  llvm::append_range(both, elements.getValues().getTypes());
  llvm::append_range(running, getInitial().getTypes());
  if (failed(check(getElement(), "element", {index}, elements.getValues().getTypes())) ||
      failed(check(getCombine(), "combine", both, getInitial().getTypes())) ||
      failed(check(getEach(), "each", running, {})))
    return failure();
  WalkResult touches = getCombine().walk([](Operation *op) {
    return op->getNumRegions() > 0 || isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (touches.wasInterrupted())
    return emitOpError("combines by what touches memory or may fail");
  if (getGrouping() != Grouping::any)
    return success();
  // One operation on each total and its element.
  for (auto [k, next] : llvm::enumerate(getCombine().front().getTerminator()->getOperands())) {
    Operation *op = next.getDefiningOp();
    Value total = getCombine().getArgument(k);
    bool isPair = elements.getValues().size() == getInitial().size() && op && op->getNumOperands() == 2 &&
                  llvm::is_contained(op->getOperands(), total) &&
                  llvm::is_contained(op->getOperands(), Value(getCombine().getArgument(getInitial().size() + k)));
    if (!isPair)
      return emitOpError(
          "may be grouped in any way, but combines by something else than one operation on a total and its element");
  }
  return success();
}

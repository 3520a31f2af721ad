// Extents in a loop that one kernel runs, as values before it.
#include "compiler/gpu/StepLoop.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/Counts.h"

using namespace mlir;
namespace npcc {

std::optional<Value> StepLoop::emitFixed(Value extent, bool dry) {
  if (!isOwn(extent))
    return extent;
  if (auto meet = extent.getDefiningOp<np::BroadcastExtentOp>())
    return emitFixed(meet.getLhs(), dry);
  auto dim = extent.getDefiningOp<memref::DimOp>();
  if (dim && dim.getConstantIndex() && !isOwn(dim.getSource()))
    return dry ? extent : Value(memref::DimOp::create(builder, loc, dim.getSource(), *dim.getConstantIndex()));
  if (dim && getNext(dim.getSource()) && isFixed(extent))
    return emitBound(extent, dry);
  return std::nullopt;
}

Value StepLoop::emitExtent(Value memref, int64_t axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return math().constant(type.getDimSize(axis));
  auto alloc = memref.getDefiningOp<np::AllocOp>();
  np::AllocOp next = getNext(memref);
  alloc = next ? next : alloc;
  if (alloc)
    return *emitBound(alloc.getExtents()[type.getDynamicDimIndex(axis)]);
  return memref::DimOp::create(builder, loc, memref, axis);
}

bool StepLoop::isFixed(Value extent) {
  auto meet = extent.getDefiningOp<np::BroadcastExtentOp>();
  if (auto dim = extent.getDefiningOp<memref::DimOp>(); dim && getNext(dim.getSource()))
    return dim.getConstantIndex().has_value();
  return !isOwn(extent) || (meet && isFixed(meet.getLhs()) && isFixed(meet.getRhs()));
}

bool StepLoop::getsNoMore(unsigned number) {
  return isAtMost(getYielded()[number], [&](Value value) { return getNumber(value) == number; });
}

std::optional<Value> StepLoop::emitBound(Value value, bool dry) {
  if (!isOwn(value))
    return dry || value.getType().isIndex()
               ? value
               : Value(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value));
  IndexMath m = math();
  auto both = [&](Value a, Value b, function_ref<Value(Value, Value)> combine) -> std::optional<Value> {
    std::optional<Value> x = emitBound(a, dry), y = emitBound(b, dry);
    if (!x || !y)
      return std::nullopt;
    return dry ? *x : combine(*x, *y);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto outer = dyn_cast<scf::ForOp>(owner); outer && value == outer.getInductionVar())
      return emitBound(outer.getUpperBound(), dry);
    if (auto outer = dyn_cast<np::KernelOp>(owner))
      return emitBound(outer.getExtents()[argument.getArgNumber()], dry);
    if (auto outer = dyn_cast<scf::ParallelOp>(owner))
      return emitBound(outer.getUpperBound()[argument.getArgNumber()], dry);
    if (std::optional<unsigned> number = getNumber(value); number && getsNoMore(*number))
      return emitBound(getInits()[*number], dry);
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto constant = getConstantIntValue(value))
    return dry ? value : m.constant(*constant);
  if (isa<arith::MinSIOp>(op)) {
    std::optional<Value> x = emitBound(op->getOperand(0), dry), y = emitBound(op->getOperand(1), dry);
    if (x && y)
      return dry ? *x : m.min(*x, *y);
    return x ? x : y;
  }
  if (isa<arith::MaxSIOp>(op))
    return both(op->getOperand(0), op->getOperand(1), [&](Value a, Value b) { return m.max(a, b); });
  if (isa<arith::AddIOp>(op))
    return both(op->getOperand(0), op->getOperand(1), [&](Value a, Value b) { return m.add(a, b); });
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return both(select.getTrueValue(), select.getFalseValue(), [&](Value a, Value b) { return m.max(a, b); });
  // What is taken away is an offset: positions are not negative.
  if (auto difference = dyn_cast<arith::SubIOp>(op); difference && isNotNegative(difference.getRhs()))
    return emitBound(difference.getLhs(), dry);
  // Of two positions that have a part in common, the rest may have a bound.
  if (auto counted = dyn_cast<scf::ForOp>(loop); counted && isa<arith::SubIOp>(op))
    return npcc::emitBound(value, counted, dry ? nullptr : &builder, /*most=*/true);
  if (isa<np::CheckIndexOp>(op))
    return emitBound(op->getOperand(1), dry);
  // Positions become Python's integers and positions again.
  if (auto cast = dyn_cast<arith::IndexCastOp>(op);
      cast && (value.getType().isIndex() || value.getType().isInteger(64)))
    return emitBound(cast.getIn(), dry);
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
    return emitBound(meet.getLhs(), dry);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (getNext(dim.getSource())) // as at first: emitIsSmall() asks whether it stays that
      return dry ? value
                 : Value(memref::DimOp::create(builder, loc, getInits()[*getNumber(dim.getSource())],
                                               *dim.getConstantIndex()));
  return std::nullopt;
}

bool StepLoop::bounds() {
  bool isBounded = true;
  for (np::AllocOp alloc : allocs)
    for (Value extent : alloc.getExtents())
      isBounded &= emitBound(extent, /*dry=*/true).has_value();
  for (np::KernelOp kernel : kernels)
    for (Value bound : getInnerBounds(kernel))
      isBounded &= emitBound(bound, /*dry=*/true).has_value();
  return isBounded;
}

SmallVector<Value> StepLoop::getInnerBounds(np::KernelOp kernel) {
  SmallVector<Value> bounds(kernel.getExtents());
  kernel.getBody()->walk([&](Operation *op) {
    if (auto inner = dyn_cast<scf::ParallelOp>(op))
      llvm::append_range(bounds, inner.getUpperBound());
    else if (auto inner = dyn_cast<scf::ForOp>(op))
      bounds.push_back(inner.getUpperBound());
    else if (auto fold = dyn_cast<np::FoldOp>(op))
      bounds.push_back(fold.getExtent());
  });
  return bounds;
}

} // namespace npcc

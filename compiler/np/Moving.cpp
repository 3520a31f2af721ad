#include "compiler/np/Moving.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
using namespace np;

static Trend turned(Trend trend) { return trend == Trend::Up ? Trend::Down : trend == Trend::Down ? Trend::Up : trend; }
static Trend join(Trend a, Trend b) {
  if (a == Trend::Same || a == b)
    return b;
  return b == Trend::Same ? a : Trend::Unknown;
}

/// Scalar code of numbers: what both questions below go through.
static bool isNumberCode(Operation *op) {
  return op && isPure(op) && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         (isa<arith::ArithDialect>(op->getDialect()) || isa<DimOp>(op));
}

Trend getTrend(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return Trend::Same;
  if (value == loop.getInductionVar())
    return Trend::Up;
  Operation *op = value.getDefiningOp();
  if (!isNumberCode(op))
    return Trend::Unknown;
  SmallVector<Trend> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getTrend(operand, loop));
  if (llvm::all_of(operands, [](Trend trend) { return trend == Trend::Same; }))
    return Trend::Same;
  if (isa<arith::IndexCastOp>(op))
    return operands[0];
  if (isa<arith::AddIOp, arith::MaxSIOp, arith::MinSIOp>(op))
    return join(operands[0], operands[1]);
  if (isa<arith::SubIOp>(op))
    return join(operands[0], turned(operands[1]));
  APInt factor;
  if (isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
    return factor.isNegative() ? turned(operands[0]) : operands[0];
  if (isa<arith::SelectOp>(op) && operands[0] == Trend::Same)
    return join(operands[1], operands[2]);
  return Trend::Unknown;
}

bool movesWith(Value value, scf::ForOp loop, scf::ForOp outermost) {
  if (outermost.isDefinedOutsideOfLoop(value))
    return false;
  if (isa<BlockArgument>(value)) { // the position of another loop
    auto owner = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return !owner || owner == loop || value != owner.getInductionVar();
  }
  Operation *op = value.getDefiningOp();
  return !isNumberCode(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return movesWith(operand, loop, outermost); });
}

Value emitAt(Value value, Positions &at, OpBuilder *builder) {
  if (Value made = at.known.lookupOrNull(value))
    return made;
  if (at.outermost.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!isNumberCode(op))
    return Value();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(emitAt(operand, at, builder));
    if (!operands.back())
      return Value();
  }
  if (!builder)
    return value;
  Operation *copy = builder->clone(*op);
  copy->setOperands(operands);
  at.known.map(value, copy->getResult(0));
  return copy->getResult(0);
}

Value emitValue(OpBuilder &builder, Location loc, const Part &part) {
  auto shape = llvm::map_to_vector(
      part.extents, [](Value extent) { return getConstantIntValue(extent).value_or(ShapedType::kDynamic); });
  Type element = getElementType(part.root.getType());
  bool isMemory = isa<ArrayType>(part.root.getType());
  Type type = isMemory ? Type(ArrayType::get(builder.getContext(), shape, element, /*contiguous=*/false))
                       : RankedTensorType::get(shape, element);
  Value view = ViewOp::create(builder, loc, type, part.root, part.offsets, part.axes, part.extents, part.steps);
  return isMemory ? LoadOp::create(builder, loc, view).getResult() : view;
}

Value emitInside(OpBuilder &builder, Location loc, const MovingPart &stack, Value &offset) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto most = [&](Value a, Value b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); };
  if (!offset.getType().isIndex())
    offset = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), offset);
  Value room = getExtent(builder, loc, stack.part.root, stack.rootAxis), zero = constant(0);
  Value width = constant(std::abs(stack.factor));
  if (stack.factor > 0) {
    offset = most(offset, zero);
    Value left = builder.createOrFold<arith::SubIOp>(loc, room, offset);
    return builder.createOrFold<arith::CeilDivSIOp>(loc, most(left, zero), width);
  }
  Value last = builder.createOrFold<arith::SubIOp>(loc, room, constant(1));
  offset = builder.createOrFold<arith::MinSIOp>(loc, offset, last);
  Value count = builder.createOrFold<arith::AddIOp>(loc, offset, width);
  offset = most(offset, zero);
  return builder.createOrFold<arith::FloorDivSIOp>(loc, most(count, zero), width);
}

std::optional<Part> getPart(Value value, scf::ForOp loop, bool general) {
  auto describe = [](ViewOp view) {
    return Part{view.getSource(), SmallVector<Value>(view.getOffsets()), SmallVector<int64_t>(view.getAxes()),
                SmallVector<Value>(view.getExtents()), SmallVector<Value>(view.getSteps())};
  };
  // A view of a view may only name its axes anew, as a vector is a matrix of one row.
  auto view = value.getDefiningOp<ViewOp>();
  auto load = (view ? view.getSource() : value).getDefiningOp<LoadOp>();
  auto inner = load   ? load.getArray().getDefiningOp<ViewOp>()
               : view ? view.getSource().getDefiningOp<ViewOp>()
                      : ViewOp();
  std::optional<Part> part;
  if (inner) {
    part = describe(inner);
    if (view) {
      Part outer = describe(view);
      if (!llvm::all_of(outer.offsets, [](Value offset) { return matchPattern(offset, m_Zero()); }))
        return std::nullopt;
      SmallVector<int64_t> axes;
      SmallVector<Value> steps;
      for (auto [axis, step] : llvm::zip_equal(outer.axes, outer.steps)) {
        axes.push_back(axis < 0 ? -1 : part->axes[axis]);
        steps.push_back(axis < 0 ? step : part->steps[axis]);
        if (axis >= 0 && !matchPattern(step, m_One()))
          return std::nullopt;
      }
      part = Part{part->root, part->offsets, axes, outer.extents, steps};
    }
  } else if (view) {
    part = describe(view);
    if (load)
      part->root = load.getArray();
  } else {
    OpBuilder builder(loop);
    Value root = load ? load.getArray() : value;
    if (!loop.isDefinedOutsideOfLoop(root))
      return std::nullopt;
    Value zero = arith::ConstantIndexOp::create(builder, loop.getLoc(), 0),
          one = arith::ConstantIndexOp::create(builder, loop.getLoc(), 1);
    int64_t rank = getRank(root.getType());
    part = Part{root,
                SmallVector<Value>(rank, zero),
                llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                {},
                SmallVector<Value>(rank, one)};
    for (int64_t axis = 0; axis < rank; ++axis)
      part->extents.push_back(builder.createOrFold<DimOp>(loop.getLoc(), root, axis));
  }
  bool isMemory = isa<ArrayType>(part->root.getType());
  if (!loop.isDefinedOutsideOfLoop(part->root) || (isMemory && mayWriteTo(loop, part->root, general)))
    return std::nullopt;
  return part;
}

/// What an index is without casts and with its check, if it has one, passed.
static Value stripCheck(Value index, bool &isChecked) {
  for (;;) {
    if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
      index = cast.getIn();
    else if (auto check = index.getDefiningOp<CheckIndexOp>(); check && !isChecked) {
      isChecked = true;
      index = check.getPosition();
    } else
      return index;
  }
}

/// Whether a loop begins at 0 or above.
static bool startsAtZero(scf::ForOp loop) {
  APInt first;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) && !first.isNegative();
}

std::optional<MovingPart> getMovingPart(Value value, int64_t outer, scf::ForOp loop, bool general) {
  std::optional<Part> part = getPart(value, loop, general);
  if (!part)
    return std::nullopt;
  Positions anywhere{loop, {}};
  anywhere.known.map(loop.getInductionVar(), loop.getInductionVar());
  auto canEmit = [&](Value number) { return bool(emitAt(number, anywhere, nullptr)); };
  auto isSame = [&](Value number) { return getTrend(number, loop) == Trend::Same && canEmit(number); };
  for (auto [axis, extent] : llvm::enumerate(part->extents))
    if ((int64_t(axis) != outer && !isSame(extent)) || !isSame(part->steps[axis]))
      return std::nullopt;
  MovingPart found{MovingPart::Fixed, *part, outer, -1, 0, false, Value()};
  for (auto [axis, offset] : llvm::enumerate(part->offsets))
    if (!isSame(offset)) {
      if (found.rootAxis >= 0)
        return std::nullopt;
      found.rootAxis = axis;
    }
  Value extent = outer < 0 ? Value() : part->extents[outer];
  bool grows = extent && !isSame(extent);
  if (found.rootAxis < 0 && !grows)
    return found;
  if (!grows && !llvm::is_contained(part->axes, found.rootAxis)) {
    // A position of its own along an axis of the root.
    if (outer >= 0 && (part->axes[outer] >= 0 || !matchPattern(part->extents[outer], m_One())))
      return std::nullopt;
    Value position = stripCheck(part->offsets[found.rootAxis], found.isChecked);
    LinearForm form = getLinearForm(position, loop);
    for (const Term &term : form.terms) {
      if (term.leaf == loop.getInductionVar() && !term.scale)
        found.factor += term.factor;
      else if (term.scale || !loop.isDefinedOutsideOfLoop(term.leaf))
        return std::nullopt;
    }
    // A position that counts from the end is another one than the program writes.
    bool isCounted = found.factor > 0 && form.terms.size() == 1 && form.constant >= 0 && startsAtZero(loop);
    if (!found.factor || !canEmit(position) || (found.isChecked && !isCounted))
      return std::nullopt;
    found.part.offsets[found.rootAxis] = position;
    found.kind = MovingPart::Stack;
    return found;
  }
  if (!grows || part->axes[outer] < 0 || !matchPattern(part->steps[outer], m_One()) ||
      llvm::count(part->axes, part->axes[outer]) != 1)
    return std::nullopt;
  int64_t axis = part->axes[outer];
  if (found.rootAxis < 0) {
    found.rootAxis = axis;
    found.kind = MovingPart::Prefix;
    return getTrend(extent, loop) == Trend::Up && canEmit(extent) ? std::optional(found) : std::nullopt;
  }
  if (found.rootAxis != axis || getTrend(part->offsets[axis], loop) != Trend::Up || !canEmit(part->offsets[axis]))
    return std::nullopt;
  // max(end - offset, 0)
  auto least = extent.getDefiningOp<arith::MaxSIOp>();
  auto length =
      (least && matchPattern(least.getRhs(), m_Zero()) ? least.getLhs() : extent).getDefiningOp<arith::SubIOp>();
  if (!length || length.getRhs() != part->offsets[axis] || !isSame(length.getLhs()))
    return std::nullopt;
  found.kind = MovingPart::Suffix;
  found.end = length.getLhs();
  return found;
}

} // namespace npcc

// Elements of values that hold elements of others at other positions.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/MovedParts.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

static Value add(OpBuilder &b, Location loc, Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
static Value subtract(OpBuilder &b, Location loc, Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y); }
static Value multiply(OpBuilder &b, Location loc, Value x, Value y) { return b.createOrFold<arith::MulIOp>(loc, x, y); }

SmallVector<Value> ElementEmitter::throughView(Location loc, ViewOp view, ArrayRef<Value> position) {
  SmallVector<Value> source(view.getOffsets());
  for (auto [k, axis] : llvm::enumerate(view.getAxes()))
    if (axis >= 0)
      source[axis] = add(builder, loc, multiply(builder, loc, position[k], view.getSteps()[k]), source[axis]);
  return source;
}

/// The first of the axes up to `last` that one of the source is cut into (an image's rows into blocks of 8), in the
/// call that the code is compiled for: `last` + 1 where none are.
static int64_t findParts(OpBuilder &builder, Location loc, ReshapeOp reshape, Value extent, ValueRange wanted,
                         int64_t first, int64_t last) {
  FirstCall call(reshape->getParentOfType<func::FuncOp>());
  IntegerAttr whole = call.evaluate(extent);
  int64_t product = 1;
  for (int64_t axis = last; whole && axis >= first; --axis) {
    IntegerAttr part = call.evaluate(wanted[axis]);
    if (!part || part.getInt() < 1 || part.getInt() > whole.getInt())
      break;
    product *= part.getInt();
    if (product > whole.getInt())
      break;
    if (product == whole.getInt()) {
      Value parts = wanted[last];
      for (int64_t other = last; other-- > axis;)
        parts = multiply(builder, loc, parts, wanted[other]);
      call.require(arith::CmpIPredicate::eq, parts, extent);
      return axis;
    }
  }
  return last + 1;
}

/// Axes that both have, at the end and at the start, keep their positions; axes that one is cut into give its position;
/// those between are counted through.
SmallVector<Value> ElementEmitter::throughReshape(Location loc, ReshapeOp reshape, ArrayRef<Value> position) {
  int64_t rank = getRank(reshape.getSource().getType());
  SmallVector<Value> source(rank), extents = getResolvedExtents(builder, loc, reshape.getSource(), origins);
  ValueRange wanted = reshape.getExtents();
  auto zero = [&]() -> Value { return arith::ConstantIndexOp::create(builder, loc, 0); };
  auto isOne = [](Value extent) { return matchPattern(extent, m_One()); };
  // By where they come from: the same extent may be read twice.
  auto same = [&](Value given, int64_t axis) {
    return origins.ofIndex(given) == origins.of(reshape.getSource(), axis);
  };
  int64_t first = 0, last = static_cast<int64_t>(position.size()) - 1, firstSource = 0, lastSource = rank - 1;
  for (;;) {
    if (lastSource >= firstSource && isOne(extents[lastSource]))
      source[lastSource--] = zero();
    else if (last >= first && isOne(wanted[last]))
      --last;
    else if (last >= first && lastSource >= firstSource && same(wanted[last], lastSource))
      source[lastSource--] = position[last--];
    else if (last >= first && lastSource >= firstSource && same(wanted[first], firstSource))
      source[firstSource++] = position[first++];
    else
      break;
  }
  auto number = [&](int64_t from, int64_t to) { // of a position among those of some neighbouring axes
    Value linear;
    for (int64_t axis = from; axis <= to; ++axis)
      linear =
          linear ? add(builder, loc, multiply(builder, loc, linear, wanted[axis]), position[axis]) : position[axis];
    return linear ? linear : zero();
  };
  while (lastSource > firstSource) {
    int64_t start = findParts(builder, loc, reshape, extents[lastSource], wanted, first, last);
    if (start > last)
      break;
    source[lastSource--] = number(start, last);
    last = start - 1;
  }
  Value linear = number(first, last);
  for (int64_t axis = lastSource; axis >= firstSource; --axis) {
    if (axis == firstSource) {
      source[axis] = linear;
      break;
    }
    source[axis] = builder.createOrFold<arith::RemUIOp>(loc, linear, extents[axis]);
    linear = builder.createOrFold<arith::DivUIOp>(loc, linear, extents[axis]);
  }
  return source;
}

Value ElementEmitter::reshaped(Location loc, Value array, ValueRange extents) {
  while (auto reshape = array.getDefiningOp<ReshapeOp>())
    array = reshape.getSource();
  Value buffer = buffers.lookup(array);
  if (!buffer || !cast<MemRefType>(buffer.getType()).getLayout().isIdentity())
    return Value();
  OpBuilder host(builder);
  for (Operation *op = builder.getInsertionBlock()->getParentOp(); op; op = op->getParentOp())
    if (isa<KernelOp>(op))
      host.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes(extents.begin(), extents.end()), strides(extents.size(), host.getIndexAttr(1));
  Value stride;
  for (size_t axis = extents.size(); axis-- > 1;) {
    stride = stride ? multiply(host, loc, stride, extents[axis]) : extents[axis];
    strides[axis - 1] = stride;
  }
  auto type = MemRefType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic),
                              cast<MemRefType>(buffer.getType()).getElementType());
  return memref::ReinterpretCastOp::create(host, loc, type, buffer, OpFoldResult(host.getIndexAttr(0)), sizes, strides);
}

namespace {
struct ViewElement : ElementOpInterface::ExternalModel<ViewElement, ViewOp> {
  Value emitElement(Operation *op, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto view = cast<ViewOp>(op);
    return elements.emit(loc, view.getSource(), elements.throughView(loc, view, position));
  }
};

struct ReshapeElement : ElementOpInterface::ExternalModel<ReshapeElement, ReshapeOp> {
  Value emitElement(Operation *op, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto reshape = cast<ReshapeOp>(op);
    if (auto read = reshape.getSource().getDefiningOp<LoadOp>())
      if (Value memory = elements.reshaped(loc, read.getArray(), reshape.getExtents())) {
        OpBuilder &builder = elements.getBuilder();
        return fromMemory(builder, loc, memref::LoadOp::create(builder, loc, memory, position),
                          getElementType(reshape.getType()));
      }
    return elements.emit(loc, reshape.getSource(), elements.throughReshape(loc, reshape, position));
  }
};

struct BroadcastElement : ElementOpInterface::ExternalModel<BroadcastElement, BroadcastOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<BroadcastOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    ExtentOrigins &origins = elements.getOrigins();
    SmallVector<Value> source;
    int64_t rank = getRank(op.getSource().getType()), resultRank = position.size();
    for (int64_t axis = 0; axis < rank; ++axis) {
      Value index = position[resultRank - rank + axis], wanted = op.getExtents()[resultRank - rank + axis];
      ExtentOrigin own = origins.of(op.getSource(), axis);
      if (own.constant == 1) {
        source.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
      } else if (own == origins.ofIndex(wanted)) {
        source.push_back(index);
      } else { // known at run time only: 1, or the wanted extent
        Value one = arith::ConstantIndexOp::create(builder, loc, 1),
              zero = arith::ConstantIndexOp::create(builder, loc, 0);
        Value extent = materializeExtent(builder, loc, own);
        Value stretched = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, extent, one);
        source.push_back(arith::SelectOp::create(builder, loc, stretched, zero, index));
      }
    }
    return elements.emit(loc, op.getSource(), source);
  }
};

/// The region that an insertion replaces, at a position of its result.
struct Replaced {
  Value isInside;        // null where all positions are
  SmallVector<Value> at; // the position in what is inserted
};

Replaced emitReplaced(InsertOp op, ElementEmitter &elements, Location loc, ArrayRef<Value> position) {
  OpBuilder &builder = elements.getBuilder();
  ExtentOrigins &origins = elements.getOrigins();
  Value inside;
  SmallVector<Value> at(op.getAxes().size());
  auto require = [&](Value condition) {
    inside = inside ? builder.createOrFold<arith::AndIOp>(loc, inside, condition) : condition;
  };
  for (auto [axis, index] : llvm::enumerate(position)) {
    const int64_t *moving = llvm::find(op.getAxes(), static_cast<int64_t>(axis));
    Value fromStart = subtract(builder, loc, index, op.getOffsets()[axis]);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    if (moving == op.getAxes().end()) {
      require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, fromStart, zero));
      continue;
    }
    size_t k = moving - op.getAxes().begin();
    Value step = op.getSteps()[k];
    if (matchPattern(step, m_One())) {
      at[k] = fromStart;
      // The whole axis needs no test.
      if (matchPattern(op.getOffsets()[axis], m_Zero()) &&
          origins.of(op.getDestination(), axis) == origins.ofIndex(op.getExtents()[k]))
        continue;
    } else {
      at[k] = arith::DivSIOp::create(builder, loc, fromStart, step);
      Value rest = arith::RemSIOp::create(builder, loc, fromStart, step);
      require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, zero));
    }
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at[k], op.getExtents()[k]));
  }
  for (auto [k, axis] : llvm::enumerate(op.getAxes()))
    if (axis < 0) {
      at[k] = arith::ConstantIndexOp::create(builder, loc, 0);
      // The axis is none of the destination's, but there may be nothing along it: a[None][1:1] = x stores nothing.
      if (!matchPattern(op.getExtents()[k], m_One()))
        require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at[k], op.getExtents()[k]));
    }
  return {inside, at};
}

/// Inside the region its value, elsewhere the destination's.
struct InsertElement : ElementOpInterface::ExternalModel<InsertElement, InsertOp> {
  static bool isOfNothing(InsertOp op) {
    return llvm::any_of(op.getExtents(), [](Value extent) { return matchPattern(extent, m_Zero()); });
  }

  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<InsertOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    if (std::optional<MovedParts> parts = getMovedParts(op, elements.getOrigins()))
      return emitParts(*parts, elements, loc, position);
    if (isOfNothing(op))
      return elements.emit(loc, op.getDestination(), position);
    auto [inside, at] = emitReplaced(op, elements, loc, position);
    if (!inside)
      return elements.emit(loc, op.getValue(), at);
    if (ViewOp move = getMove(op)) {
      SmallVector<Value> from = elements.throughView(loc, move, at);
      for (auto [moved, own] : llvm::zip_equal(from, position))
        moved = moved == own ? own : builder.createOrFold<arith::SelectOp>(loc, inside, moved, own);
      return elements.emit(loc, op.getDestination(), from);
    }
    return emitBranch(elements, loc, inside, op.getValue(), at, op.getDestination(), position);
  }

  /// One of the source's elements, at a position that the last part with this element says.
  static Value emitParts(const MovedParts &parts, ElementEmitter &elements, Location loc, ArrayRef<Value> position) {
    OpBuilder &builder = elements.getBuilder();
    Value isMoved;
    SmallVector<Value> from;
    for (InsertOp insertion : parts.insertions) {
      if (isOfNothing(insertion))
        continue;
      auto [inside, at] = emitReplaced(insertion, elements, loc, position);
      ViewOp view = MovedParts::getView(insertion, elements.getOrigins());
      SmallVector<Value> source = elements.throughView(loc, view, at);
      if (!inside) {
        isMoved = arith::ConstantIntOp::create(builder, loc, 1, 1);
        from = source;
        continue;
      }
      if (!from.empty())
        for (auto [one, other] : llvm::zip_equal(source, from))
          one = one == other ? one : builder.createOrFold<arith::SelectOp>(loc, inside, one, other);
      from = source;
      isMoved = isMoved ? builder.createOrFold<arith::OrIOp>(loc, isMoved, inside) : inside;
    }
    if (!isMoved)
      return elements.emit(loc, parts.base, position);
    return emitBranch(elements, loc, isMoved, parts.source, from, parts.base, position);
  }

  static Value emitBranch(ElementEmitter &elements, Location loc, Value inside, Value value, ArrayRef<Value> at,
                          Value other, ArrayRef<Value> position) {
    OpBuilder &builder = elements.getBuilder();
    Type type = getRegisterType(getElementType(other.getType()));
    auto branch = scf::IfOp::create(builder, loc, type, inside, /*withElseRegion=*/true);
    auto fill = [&](Block *block, Value value, ArrayRef<Value> where) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      elements.inScope([&] { scf::YieldOp::create(builder, loc, elements.emit(loc, value, where)); });
    };
    fill(branch.thenBlock(), value, at);
    fill(branch.elseBlock(), other, position);
    return branch.getResult(0);
  }
};

struct GatherElement : ElementOpInterface::ExternalModel<GatherElement, GatherOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<GatherOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    ExtentOrigins &origins = elements.getOrigins();
    int64_t first = op.getAxes().front(), indexRank = getRank(op.getIndices().front().getType());
    ArrayRef<Value> indexPosition = position.slice(first, indexRank);
    SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getSource(), origins);
    SmallVector<Value> source;
    size_t indexNext = 0;
    for (int64_t axis = 0; axis < getRank(op.getSource().getType()); ++axis) {
      if (!llvm::is_contained(op.getAxes(), axis)) {
        source.push_back(position[axis < first ? axis : axis - op.getAxes().size() + indexRank]);
        continue;
      }
      Value raw = elements.emit(loc, op.getIndices()[indexNext++], indexPosition);
      Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), raw);
      IndexMath m{builder, loc};
      if (!elements.isChecked(op))
        source.push_back(CheckIndexOp::create(builder, loc, builder.getIndexType(), index, extents[axis], axis));
      else if (elements.mayGoOnBehindErrors())
        source.push_back(m.fromStartOrFirst(index, extents[axis]));
      else
        source.push_back(m.fromStart(index, extents[axis]));
    }
    return elements.emit(loc, op.getSource(), source);
  }
};
} // namespace

void attachMoves(MLIRContext *context) {
  ViewOp::attachInterface<ViewElement>(*context);
  ReshapeOp::attachInterface<ReshapeElement>(*context);
  BroadcastOp::attachInterface<BroadcastElement>(*context);
  InsertOp::attachInterface<InsertElement>(*context);
  GatherOp::attachInterface<GatherElement>(*context);
}

} // namespace npcc

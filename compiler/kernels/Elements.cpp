// Elements of values, asked for from the sink's side.
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/NarrowFloats.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

SmallVector<Value> getResolvedExtents(OpBuilder &builder, Location loc, Value value, ExtentOrigins &origins) {
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < getRank(value.getType()); ++axis)
    extents.push_back(materializeExtent(builder, loc, origins.of(value, axis)));
  return extents;
}

void ElementEmitter::inScope(llvm::function_ref<void()> body) {
  scopes.emplace_back();
  body();
  SmallVector<Value> ended = scopes.pop_back_val();
  for (Value value : ended)
    known[value].pop_back();
}

Value ElementEmitter::emit(Location loc, Value value, ArrayRef<Value> position) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  for (const Element &each : known[value])
    if (ArrayRef(each.position) == position)
      return each.element;
  SmallVector<Value, 4> at(position);
  Value element = compute(loc, value, position);
  known[value].push_back({std::move(at), element});
  scopes.back().push_back(value);
  return element;
}

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

/// Axes that both have, at the end and at the start, keep their positions; those between are counted through.
SmallVector<Value> ElementEmitter::throughReshape(Location loc, ReshapeOp reshape, ArrayRef<Value> position) {
  int64_t rank = getRank(reshape.getSource().getType());
  SmallVector<Value> source(rank), extents = getResolvedExtents(builder, loc, reshape.getSource(), origins);
  ValueRange wanted = reshape.getExtents();
  auto zero = [&]() -> Value { return arith::ConstantIndexOp::create(builder, loc, 0); };
  auto isOne = [](Value extent) { return matchPattern(extent, m_One()); };
  // By where they come from: the same extent may be read twice.
  auto same = [&](Value given, int64_t axis) { return origins.ofIndex(given) == origins.of(reshape.getSource(), axis); };
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
  Value linear;
  for (int64_t axis = first; axis <= last; ++axis)
    linear = linear ? add(builder, loc, multiply(builder, loc, linear, wanted[axis]), position[axis]) : position[axis];
  if (!linear)
    linear = zero();
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

/// A contiguous array's memory with other extents, made before the kernel; null if the array is none.
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
  auto type = MemRefType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic), cast<MemRefType>(buffer.getType()).getElementType());
  return memref::ReinterpretCastOp::create(host, loc, type, buffer, OpFoldResult(host.getIndexAttr(0)), sizes, strides);
}

std::pair<Value, SmallVector<Value>> ElementEmitter::locate(Location loc, Value array, ArrayRef<Value> position) {
  SmallVector<Value> at(position);
  for (;;) {
    if (Value buffer = buffers.lookup(array))
      return {buffer, at};
    if (auto view = array.getDefiningOp<ViewOp>()) {
      at = throughView(loc, view, at);
      array = view.getSource();
    } else if (auto reshape = array.getDefiningOp<ReshapeOp>()) {
      if (Value memory = reshaped(loc, array, reshape.getExtents()))
        return {memory, at};
      at = throughReshape(loc, reshape, at);
      array = reshape.getSource();
    } else {
      return {array, at};
    }
  }
}

Value ElementEmitter::load(Location loc, Value array, ArrayRef<Value> position) {
  Type type = getElementType(array.getType());
  auto [buffer, at] = locate(loc, array, position);
  return fromMemory(builder, loc, memref::LoadOp::create(builder, loc, buffer, at), type);
}

void ElementEmitter::store(Location loc, Value element, Value array, ArrayRef<Value> position) {
  Type type = getElementType(array.getType());
  auto [buffer, at] = locate(loc, array, position);
  memref::StoreOp::create(builder, loc, toMemory(builder, loc, element, type), buffer, at);
}

Value ElementEmitter::compute(Location loc, Value value, ArrayRef<Value> position) {
  Operation *producer = value.getDefiningOp();
  Type type = getElementType(value.getType());
  if (auto op = dyn_cast<LoadOp>(producer))
    return load(loc, op.getArray(), position);
  if (auto op = dyn_cast<UfuncOp>(producer); op && isBranch(op, expensive)) {
    Value mask = emit(loc, op.getInputs()[0], position);
    auto branch = scf::IfOp::create(builder, op.getLoc(), getRegisterType(type), mask, /*withElseRegion=*/true);
    for (auto [block, chosen] : {std::pair(branch.thenBlock(), op.getInputs()[1]), std::pair(branch.elseBlock(), op.getInputs()[2])}) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      inScope([&] { scf::YieldOp::create(builder, loc, emit(loc, chosen, getRank(chosen.getType()) ? position : ArrayRef<Value>())); });
    }
    return branch.getResult(0);
  }
  if (auto op = dyn_cast<UfuncOp>(producer)) {
    SmallVector<Value> operands;
    for (Value input : op.getInputs())
      operands.push_back(emit(loc, input, getRank(input.getType()) ? position : ArrayRef<Value>()));
    // Scalars are signless by now: a value says whether integers are unsigned.
    Type computed = getElementType(op.getInputs().back().getType());
    for (Value input : op.getInputs().drop_front(op.getName() == Ufunc::where ? 1 : 0))
      if (isa<RankedTensorType>(input.getType()))
        computed = getElementType(input.getType());
    if (Value result = emitUfunc(builder, op.getLoc(), op.getName(), operands, computed))
      return result;
    return refuse(op, type, "numpy." + stringifyUfunc(op.getName()) + " of complex numbers cannot be compiled");
  }
  if (auto op = dyn_cast<CastOp>(producer))
    return emitCast(builder, op.getLoc(), emit(loc, op.getInput(), position), getElementType(op.getInput().getType()), type);
  if (auto op = dyn_cast<ViewOp>(producer))
    return emit(loc, op.getSource(), throughView(loc, op, position));
  if (auto op = dyn_cast<ReshapeOp>(producer))
    if (auto read = op.getSource().getDefiningOp<LoadOp>())
      if (Value memory = reshaped(loc, read.getArray(), op.getExtents()))
        return fromMemory(builder, loc, memref::LoadOp::create(builder, loc, memory, position), type);
  if (auto op = dyn_cast<ReshapeOp>(producer))
    return emit(loc, op.getSource(), throughReshape(loc, op, position));
  if (auto op = dyn_cast<FullOp>(producer))
    return op.getValue();
  if (auto op = dyn_cast<ArangeOp>(producer)) {
    Value index = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), position[0]);
    Value i = emitCast(builder, loc, index, builder.getI64Type(), type);
    Value scaled = emitUfunc(builder, loc, Ufunc::multiply, {i, op.getStep()}, type);
    Value element = emitUfunc(builder, loc, Ufunc::add, {op.getStart(), scaled}, type);
    if (!isa<FloatType>(type))
      return element;
    // The first is `start` itself, which may be -0.0, and the step infinite.
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position[0], zero);
    return arith::SelectOp::create(builder, loc, isFirst, op.getStart(), element);
  }
  if (auto op = dyn_cast<BroadcastOp>(producer)) {
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
        Value one = arith::ConstantIndexOp::create(builder, loc, 1), zero = arith::ConstantIndexOp::create(builder, loc, 0);
        Value extent = materializeExtent(builder, loc, own);
        Value stretched = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, extent, one);
        source.push_back(arith::SelectOp::create(builder, loc, stretched, zero, index));
      }
    }
    return emit(loc, op.getSource(), source);
  }
  // A NumPy scalar that a branch chose: max(a[i], a[j]).
  if (auto op = dyn_cast<arith::SelectOp>(producer); op && position.empty()) {
    Value chosen = emit(loc, op.getTrueValue(), {}), other = emit(loc, op.getFalseValue(), {});
    return arith::SelectOp::create(builder, loc, op.getCondition(), chosen, other);
  }
  // A name that is not bound on some path holds this there, and nothing reads it.
  if (isa<ub::PoisonOp>(producer))
    return makePoison(loc, type);
  if (auto op = dyn_cast<InsertOp>(producer))
    return insert(loc, op, position);
  if (auto op = dyn_cast<ReduceOp>(producer))
    return isPosition(op.getKind()) ? findExtremum(op.getLoc(), op, position) : reduce(op.getLoc(), op, position);
  if (auto op = dyn_cast<GatherOp>(producer))
    return gather(op.getLoc(), op, position);
  return refuse(producer, type, "internal: " + producer->getName().getStringRef() + " has no element form");
}

Value ElementEmitter::refuse(Operation *producer, Type type, const Twine &what) {
  producer->emitError(what);
  failed = true;
  return makePoison(producer->getLoc(), type);
}

Value ElementEmitter::makePoison(Location loc, Type type) {
  return ub::PoisonOp::create(builder, loc, getRegisterType(type), ub::PoisonAttr::get(builder.getContext()));
}

/// Inside the region its value, elsewhere the destination's.
Value ElementEmitter::insert(Location loc, InsertOp op, ArrayRef<Value> position) {
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
  if (!inside)
    return emit(loc, op.getValue(), at);
  if (ViewOp move = getMove(op)) {
    SmallVector<Value> from = throughView(loc, move, at);
    for (auto [moved, own] : llvm::zip_equal(from, position))
      moved = moved == own ? own : builder.createOrFold<arith::SelectOp>(loc, inside, moved, own);
    return emit(loc, op.getDestination(), from);
  }
  Type type = getRegisterType(getElementType(op.getType()));
  auto branch = scf::IfOp::create(builder, loc, type, inside, /*withElseRegion=*/true);
  auto fill = [&](Block *block, Value value, ArrayRef<Value> where) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    inScope([&] { scf::YieldOp::create(builder, loc, emit(loc, value, where)); });
  };
  fill(branch.thenBlock(), op.getValue(), at);
  fill(branch.elseBlock(), op.getDestination(), position);
  return branch.getResult(0);
}

Value ElementEmitter::reduceLoop(Location loc, ReduceOp op, Ufunc combiner, Type type, ArrayRef<Value> position,
                                 llvm::function_ref<Value(ArrayRef<Value>, ValueRange)> element) {
  SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getInput(), origins);
  SmallVector<Value> lower, upper, step;
  for (int64_t axis : op.getAxes()) {
    lower.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    upper.push_back(extents[axis]);
    step.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  }
  Value neutral = emitNeutral(builder, loc, combiner, type);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step, ValueRange{neutral});
  OpBuilder::InsertionGuard guard(builder);
  Block *body = loop.getBody();
  if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
    body->back().erase();
  builder.setInsertionPointToEnd(body);
  inScope([&] {
    SmallVector<Value> inner;
    size_t outerNext = 0, innerNext = 0;
    for (int64_t axis = 0; axis < getRank(op.getInput().getType()); ++axis)
      inner.push_back(llvm::is_contained(op.getAxes(), axis) ? loop.getBody()->getArguments()[innerNext++] : position[outerNext++]);
    Value combined = element(inner, loop.getBody()->getArguments());
    auto reduction = scf::ReduceOp::create(builder, loc, combined);
    Block &combine = reduction.getReductions().front().front();
    builder.setInsertionPointToEnd(&combine);
    Value result = emitCombine(builder, loc, combiner, combine.getArgument(0), combine.getArgument(1), type);
    scf::ReduceReturnOp::create(builder, loc, result);
  });
  return loop.getResult(0);
}

Value ElementEmitter::reduce(Location loc, ReduceOp op, ArrayRef<Value> position) {
  Type type = getElementType(op.getInput().getType());
  // Half precision is summed in single, as NumPy does; bfloat16 too, where ml_dtypes rounds each partial sum.
  bool widen = isNarrowFloat(type);
  Type computed = widen ? builder.getF32Type() : type;
  Ufunc combiner = getCombiner(op.getKind());
  Value result = reduceLoop(loc, op, combiner, computed, position, [&](ArrayRef<Value> inner, ValueRange) {
    return emitCast(builder, loc, emit(loc, op.getInput(), inner), type, computed);
  });
  return emitCast(builder, loc, result, computed, type);
}

/// The extremum first, then the first position that holds it (or a NaN): two reductions, both deterministic.
Value ElementEmitter::findExtremum(Location loc, ReduceOp op, ArrayRef<Value> position) {
  Type type = getElementType(op.getInput().getType());
  Value extremum = reduceLoop(loc, op, getCombiner(op.getKind()), type, position,
                              [&](ArrayRef<Value> inner, ValueRange) { return emit(loc, op.getInput(), inner); });
  Type i64 = builder.getI64Type();
  return reduceLoop(loc, op, Ufunc::minimum, i64, position, [&](ArrayRef<Value> inner, ValueRange loop) -> Value {
    Value element = emit(loc, op.getInput(), inner);
    Value hit = emitUfunc(builder, loc, Ufunc::equal, {element, extremum}, type);
    if (isa<FloatType, ComplexType>(type))
      hit = arith::OrIOp::create(builder, loc, hit, emitUfunc(builder, loc, Ufunc::isnan, {element}, type));
    Value index = arith::IndexCastOp::create(builder, loc, i64, loop[0]);
    Value none = emitNeutral(builder, loc, Ufunc::minimum, i64);
    return arith::SelectOp::create(builder, loc, hit, index, none);
  });
}

Value ElementEmitter::gather(Location loc, GatherOp op, ArrayRef<Value> position) {
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
    Value raw = emit(loc, op.getIndices()[indexNext++], indexPosition);
    Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), raw);
    source.push_back(CheckIndexOp::create(builder, loc, builder.getIndexType(), index, extents[axis], axis));
  }
  return emit(loc, op.getSource(), source);
}

} // namespace npcc

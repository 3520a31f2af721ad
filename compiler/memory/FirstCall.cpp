#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

bool FirstCall::isKnown(func::FuncOp function) {
  return llvm::any_of(llvm::seq(function.getNumArguments()),
                      [&](unsigned k) { return function.getArgAttr(k, "np.first"); });
}

TypedAttr FirstCall::find(Value value) {
  auto [known, isNew] = results.try_emplace(value, TypedAttr());
  if (!isNew)
    return known->second;
  TypedAttr result = compute(value);
  return results[value] = result;
}

/// The argument whose memory this is, seen through casts.
BlockArgument FirstCall::getArgument(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(memory);
  return argument && argument.getOwner() == &function.getBody().front() ? argument : BlockArgument();
}

/// What the caller said of the argument: extents and the address, or the value.
std::optional<int64_t> FirstCall::getGiven(BlockArgument argument, int64_t number) {
  auto given = argument ? function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), "np.first") : nullptr;
  if (!given || number >= given.size())
    return std::nullopt;
  return given[number];
}

/// The arguments and new arrays that a memref is, which loops and branches may have handed on; nothing where it may be
/// anything else.
static SmallVector<Value> getMemories(Value memref) {
  constexpr size_t most = 8;
  SmallVector<Value> memories, open{memref};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(next);
    Operation *op = argument ? argument.getOwner()->getParentOp() : next.getDefiningOp();
    if (seen.size() > most)
      return {};
    if (isa<np::AllocOp>(op) || (argument && isa<func::FuncOp>(op))) {
      memories.push_back(next);
    } else if (auto alias = dyn_cast<memref::CastOp>(op)) {
      open.push_back(alias.getSource());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned number =
          argument ? argument.getArgNumber() - loop.getNumInductionVars() : cast<OpResult>(next).getResultNumber();
      open.append({loop.getYieldedValues()[number], loop.getInitArgs()[number]});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(next).getResultNumber();
      open.append({branch.elseYield().getOperand(number), branch.thenYield().getOperand(number)});
    } else {
      return {};
    }
  }
  return memories;
}

static IntegerAttr toAttribute(Type type, std::optional<int64_t> value) {
  return value && type.isIntOrIndex() ? IntegerAttr::get(type, *value) : IntegerAttr();
}

/// Of an argument: a float64 is given by its bits.
static TypedAttr toNumber(Type type, std::optional<int64_t> value) {
  if (value && type.isF64())
    return FloatAttr::get(type, llvm::bit_cast<double>(*value));
  return toAttribute(type, value);
}

/// The address of an array that the function makes: as np.choice has it, 0 for all that may depend on it.
static bool isNew(memref::ExtractAlignedPointerAsIndexOp address) {
  return address.getSource().getDefiningOp<np::AllocOp>() != nullptr;
}

/// Pure but for a divisor of 0.
static bool isDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp>(op);
}

/// Whether a number is positive whatever the arguments are, as most divisors of extents are: max(.., 1), or made of
/// such. Extents and what is multiplied of them fit into 64 bits.
static bool isPositive(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isStrictlyPositive();
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::MaxSIOp>(op))
    return isPositive(op->getOperand(0)) || isPositive(op->getOperand(1));
  if (isa_and_nonnull<arith::MinSIOp>(op))
    return isPositive(op->getOperand(0)) && isPositive(op->getOperand(1));
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
    return bitEnumContainsAll(product.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) &&
           isPositive(product.getLhs()) && isPositive(product.getRhs());
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return isPositive(select.getTrueValue()) && isPositive(select.getFalseValue());
  return false;
}

TypedAttr FirstCall::compute(Value value) {
  Type type = value.getType();
  if (!type.isIntOrIndexOrFloat())
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return toNumber(type, getGiven(getArgument(argument), 0));
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<np::DimOp>(op))
    return evaluateExtent(dim.getSource(), dim.getAxis());
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (!axis)
      return {};
    return evaluateMemoryExtent(dim.getSource(), *axis);
  }
  if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    if (isNew(address))
      return toAttribute(type, 0);
    return toAttribute(
        type, getGiven(getArgument(address.getSource()), cast<MemRefType>(address.getSource().getType()).getRank()));
  }
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
    return evaluateMeeting(meet);
  if (!isPure(op) && !isDivision(op))
    return {};
  if (op->getNumRegions() || op->getNumOperands() == 0)
    return foldOperation(op, value, {});
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(find(operand));
  return foldOperation(op, value, operands);
}

IntegerAttr FirstCall::evaluateExtent(Value array, int64_t axis) {
  if (Value extent = getAssumed(array, axis))
    return evaluate(extent);
  return toAttribute(IndexType::get(function.getContext()), getGiven(getArgument(array), axis));
}

void FirstCall::assume(Value array, int64_t axis, Value extent) {
  assumed[{array, axis}] = extent;
  results.clear();
}

void FirstCall::forgetAssumed(Value array, int64_t axis) {
  assumed.erase({array, axis});
  results.clear();
}

TypedAttr FirstCall::foldOperation(Operation *op, Value value, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult> folded;
  if (op->getNumRegions() || failed(op->fold(operands, folded)) || folded.empty())
    return {};
  OpFoldResult result = folded[cast<OpResult>(value).getResultNumber()];
  // One operand of several may decide, and the others be unknown: what is emitted would need them.
  if (llvm::any_of(operands, [](Attribute operand) { return !operand; }))
    return {};
  if (auto value = dyn_cast<Value>(result))
    return find(value);
  auto number = cast<Attribute>(result); // or poison
  return isa<IntegerAttr, FloatAttr>(number) ? cast<TypedAttr>(number) : TypedAttr();
}

/// Of arrays that loops and branches hand on: the extent that all of them have.
IntegerAttr FirstCall::evaluateMemoryExtent(Value memref, int64_t axis) {
  if (auto alloc = memref.getDefiningOp<np::AllocOp>())
    return evaluateExtent(alloc, axis);
  if (BlockArgument argument = getArgument(memref))
    return toAttribute(IndexType::get(function.getContext()), getGiven(argument, axis));
  IntegerAttr common;
  for (Value memory : getMemories(memref)) {
    IntegerAttr extent = evaluateMemoryExtent(memory, axis);
    if (!extent || (common && extent != common))
      return {};
    common = extent;
  }
  return common;
}

IntegerAttr FirstCall::evaluateExtent(np::AllocOp alloc, int64_t axis) {
  auto memory = cast<MemRefType>(alloc.getBuffer().getType());
  if (!memory.isDynamicDim(axis))
    return IntegerAttr::get(IndexType::get(function.getContext()), memory.getDimSize(axis));
  return evaluate(alloc.getExtents()[memory.getDynamicDimIndex(axis)]);
}

/// The extent of two that broadcast; nothing where the call fails.
IntegerAttr FirstCall::evaluateMeeting(np::BroadcastExtentOp meet) {
  IntegerAttr left = evaluate(meet.getLhs()), right = evaluate(meet.getRhs());
  if (!left || !right || (left != right && left.getInt() != 1 && right.getInt() != 1))
    return {};
  return left.getInt() == 1 ? right : left;
}

static Value makeInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, value));
}

static Value makeFloat(OpBuilder &builder, Location loc, Type type, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

/// The float that the operation converts to an integer, or null.
static Value getConverted(Operation *op) {
  if (!isa<np::CastOp, arith::FPToSIOp, arith::FPToUIOp>(op) || !isa<FloatType>(op->getOperand(0).getType()) ||
      !op->getResult(0).getType().isIntOrIndex() || op->getResult(0).getType().isInteger(1))
    return {};
  return op->getOperand(0);
}

Value FirstCall::emit(Value value, OpBuilder &builder) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value result = emitNew(value, builder);
  mapping.map(value, result);
  return result;
}

Value FirstCall::emitNew(Value value, OpBuilder &builder) {
  Block &body = guard.getBody().front();
  auto given = [&](Value memory) { return body.getArgument(getArgument(memory).getArgNumber()); };
  if (auto argument = dyn_cast<BlockArgument>(value))
    return given(argument);
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  if (auto dim = dyn_cast<np::DimOp>(op)) {
    if (Value extent = getAssumed(dim.getSource(), dim.getAxis()))
      return emit(extent, builder);
    return np::DimOp::create(builder, loc, given(dim.getSource()), dim.getAxis());
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    int64_t axis = *dim.getConstantIndex();
    auto emitExtent = [&](Value memref) -> Value {
      auto alloc = memref.getDefiningOp<np::AllocOp>();
      if (!alloc)
        return memref::DimOp::create(builder, loc, given(memref), axis);
      auto memory = cast<MemRefType>(alloc.getBuffer().getType());
      if (!memory.isDynamicDim(axis))
        return arith::ConstantIndexOp::create(builder, loc, memory.getDimSize(axis));
      return emit(alloc.getExtents()[memory.getDynamicDimIndex(axis)], builder);
    };
    SmallVector<Value> memories;
    if (!getArgument(dim.getSource()))
      memories = getMemories(dim.getSource());
    if (memories.size() <= 1)
      return emitExtent(memories.empty() ? dim.getSource() : memories[0]);
    Value extent = emitExtent(memories[0]);
    for (Value memory : ArrayRef(memories).drop_front())
      require(builder, arith::CmpIPredicate::eq, emitExtent(memory), extent);
    return extent;
  }
  if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    if (isNew(address))
      return arith::ConstantIndexOp::create(builder, loc, 0);
    return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, given(address.getSource()));
  }
  // Nothing is offered in the choice function: there it is asked what the call decides.
  if (auto choice = dyn_cast<np::ChoiceOp>(op))
    return emit(choice->getOperand(0), builder);
  // Where the extents do not broadcast, either code fails.
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
    Value left = emit(meet.getLhs(), builder), right = emit(meet.getRhs(), builder);
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, left,
                                        makeInteger(builder, loc, left.getType(), 1));
    return arith::SelectOp::create(builder, loc, isOne, right, left);
  }
  for (Value operand : op->getOperands())
    emit(operand, builder);
  // Nor a check before the conversion, of a number that no integer is near to.
  if (Value number = getConverted(op)) {
    Value given = mapping.lookup(number), zero = makeFloat(builder, loc, given.getType(), 0);
    auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, given, makeFloat(builder, loc, given.getType(), bound));
    };
    Value isInside = arith::AndIOp::create(builder, loc, compare(arith::CmpFPredicate::OLT, 0x1p62),
                                           compare(arith::CmpFPredicate::OGT, -0x1p62));
    IRMapping inner(mapping);
    inner.map(number, arith::SelectOp::create(builder, loc, isInside, given, zero).getResult());
    return builder.clone(*op, inner)->getResult(cast<OpResult>(value).getResultNumber());
  }
  // Here nothing stands before the division that might have kept it from being made.
  if (isDivision(op) && !isPositive(op->getOperand(1)) && !matchPattern(op->getOperand(1), m_Constant())) {
    Value divisor = mapping.lookup(op->getOperand(1)), one = makeInteger(builder, loc, divisor.getType(), 1);
    Value dividend = mapping.lookup(op->getOperand(0));
    auto is = [&](Value number, int64_t one) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                                   makeInteger(builder, loc, number.getType(), one));
    };
    // So the least number by -1 is not divided either, which has no result.
    int64_t least = divisor.getType().isInteger(32) ? INT32_MIN : INT64_MIN;
    Value overflows = arith::AndIOp::create(builder, loc, is(divisor, -1), is(dividend, least));
    Value isBad = arith::OrIOp::create(builder, loc, is(divisor, 0), overflows);
    IRMapping inner(mapping);
    inner.map(op->getOperand(1), arith::SelectOp::create(builder, loc, isBad, one, divisor).getResult());
    return builder.clone(*op, inner)->getResult(cast<OpResult>(value).getResultNumber());
  }
  Operation *made = builder.clone(*op, mapping);
  SmallVector<Value> folded;
  unsigned number = cast<OpResult>(value).getResultNumber();
  return succeeded(builder.tryFold(made, folded)) && !folded.empty() ? folded[number] : made->getResult(number);
}

void FirstCall::require(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  OpBuilder builder(getGuard().getBody().front().getTerminator());
  require(builder, predicate, emit(lhs, builder), emit(rhs, builder));
}

void FirstCall::requireEqual(Value value, IntegerAttr expected) {
  OpBuilder builder(getGuard().getBody().front().getTerminator());
  // A comparison that does not hold is one that does.
  if (auto comparison = value.getDefiningOp<arith::CmpIOp>(); comparison && expected.getValue().isZero())
    return require(arith::invertPredicate(comparison.getPredicate()), comparison.getLhs(), comparison.getRhs());
  Value actual = emit(value, builder);
  require(builder, arith::CmpIPredicate::eq, actual, arith::ConstantOp::create(builder, value.getLoc(), expected));
}

void FirstCall::require(OpBuilder &builder, arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  Operation *end = guard.getBody().front().getTerminator();
  Location loc = lhs.getLoc();
  Value holds = builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
  end->setOperand(0, builder.createOrFold<arith::AndIOp>(loc, end->getOperand(0), holds));
}

/// The function that says whether the choices made so far are those for its arguments.
func::FuncOp FirstCall::getGuard() {
  if (guard)
    return guard;
  auto entry = function->getAttrOfType<StringAttr>("np.choice");
  for (auto known : function->getParentOfType<ModuleOp>().getOps<func::FuncOp>())
    if (entry ? known->getAttr("np.entry") == entry : known.getName() == (function.getName() + ".choice").str())
      return guard = known;
  OpBuilder builder(function);
  Location loc = function.getLoc();
  builder.setInsertionPointAfter(function);
  auto type = builder.getFunctionType(function.getArgumentTypes(), builder.getI1Type());
  hasMadeGuard = true;
  guard = func::FuncOp::create(builder, loc, (function.getName() + ".choice").str(), type);
  if (auto target = function->getAttr("np.target"))
    guard->setAttr("np.target", target);
  if (entry)
    guard->setAttr("np.entry", entry);
  builder.setInsertionPointToStart(guard.addEntryBlock());
  Value holds = arith::ConstantIntOp::create(builder, loc, 1, 1);
  func::ReturnOp::create(builder, loc, holds);
  return guard;
}

FirstCall::~FirstCall() {
  // What is so for all arguments is no question.
  if (hasMadeGuard && matchPattern(guard.getBody().front().getTerminator()->getOperand(0), m_One()))
    guard.erase();
}

} // namespace npcc

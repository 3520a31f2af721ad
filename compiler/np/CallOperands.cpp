// What npcc-raise-calls gives a call of all iterations: a loop in front of it computes each iteration's part.
#include "compiler/np/CallOperands.h"
#include "compiler/np/LoopBlocks.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace npcc;
using namespace np;

ArrayType npcc::getContiguousType(Type type, ArrayRef<int64_t> shape) {
  return ArrayType::get(type.getContext(), shape, getElementType(type), /*contiguous=*/true);
}

bool CallOperands::hasRoom(Value operand) { return getRank(operand.getType()) < mostAxes; }

Value CallOperands::findExtent(OpBuilder &at, Value value, int64_t axis) {
  Value extent = getExtent(at, loc, value, axis);
  auto dim = extent.getDefiningOp<DimOp>();
  Operation *source = dim ? dim->getOperand(0).getDefiningOp() : nullptr;
  // All operands of a function have its extents, and of what is in memory code can ask for them.
  if (isa_and_nonnull<UfuncOp, CastOp>(source))
    for (Value operand : source->getOperands())
      if (getRank(operand.getType()) == getRank(source->getResult(0).getType()))
        if (Value found = findExtent(at, operand, dim.getAxis()))
          return found;
  return what.isInvariant(extent) ? extent : Value();
}

bool CallOperands::areStoredApart() {
  llvm::SmallPtrSet<Value, 4> roots;
  return llvm::all_of(operands, [&](CallOperand &operand) {
    Value root = getStored(operand);
    return !root || roots.insert(root).second;
  });
}

Value CallOperands::getStored(CallOperand &operand) {
  Value root = operand.mine;
  while (isa_and_nonnull<ReshapeOp>(root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
  return what.statements.isOwn(root) && what.statements.has(root) ? root : Value();
}

bool CallOperands::isGiven(CallOperand &operand) {
  return !operand.isShared && !(operand.root && operand.root.getDefiningOp<EmptyOp>() && !getStored(operand));
}

Value CallOperands::emitCondition(const Condition &condition, IRMapping &known, OpBuilder &builder) {
  Value holds = what.emit(condition[0], known, builder);
  if (condition.size() == 1)
    return holds;
  Value other = what.emit(condition[1], known, builder), one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto equal = [&](Value a, Value b) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b); };
  Value isOne = arith::OrIOp::create(builder, loc, equal(holds, one), equal(other, one));
  return arith::OrIOp::create(builder, loc, equal(holds, other), isOne);
}

void CallOperands::emit(Value begin, Value count, OpBuilder builder) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto first = scf::ForOp::create(builder, loc, constant(0), count, constant(1));
  Value row = first.getInductionVar();
  builder.setInsertionPointToStart(first.getBody());
  IRMapping known;
  known.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, begin, row));
  auto store = [&](CallOperand &operand, Value value) {
    Type type = getContiguousType(operand.mine.getType(), getShape(operand.mine.getType()));
    StoreOp::create(builder, loc, value, emitPartOfAll(builder, loc, operand.all, type, row, operand.extents));
  };
  if (!guards.empty()) {
    Value holds;
    for (const Condition &guard : guards) {
      Value mine = emitCondition(guard, known, builder);
      holds = holds ? arith::AndIOp::create(builder, loc, holds, mine).getResult() : mine;
    }
    auto branch = scf::IfOp::create(builder, loc, holds, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    for (CallOperand &operand : operands)
      if (isGiven(operand))
        store(operand, emitZeros(operand, builder));
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  // Statements store where all iterations' operands are.
  for (CallOperand &operand : operands)
    if (isGiven(operand))
      emitStored(operand, row, known, builder);
  for (Value array : what.statements.getArrays())
    if (!known.contains(array))
      expand(array, count, first, known, builder);
  what.statements.emit(known, builder);
  for (CallOperand &operand : operands)
    if (isGiven(operand) && !getStored(operand))
      store(operand, isa<ArrayType>(operand.mine.getType()) ? what.emitContents(operand.mine, known, builder)
                                                            : what.emit(operand.mine, known, builder));
}

/// An array that each iteration makes becomes a part of one for all iterations, so that these do not need each other.
void CallOperands::expand(Value array, Value count, scf::ForOp first, IRMapping &known, OpBuilder &builder) {
  if (!hasRoom(array))
    return;
  OpBuilder before(first), at(array.getDefiningOp());
  SmallVector<Value> extents, all{count};
  IRMapping none;
  for (auto [axis, length] : llvm::enumerate(getShape(array.getType()))) {
    Value extent = findExtent(at, array, axis);
    if (!extent)
      return;
    extents.push_back(what.emit(extent, none, before));
    if (ShapedType::isDynamic(length))
      all.push_back(extents.back());
  }
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  llvm::append_range(shape, getShape(array.getType()));
  Value arrays = EmptyOp::create(before, loc, getContiguousType(array.getType(), shape), all);
  known.map(array, emitPartOfAll(builder, loc, arrays, array.getType(), first.getInductionVar(), extents));
}

/// The array that statements store into is the iteration's part of all operands.
void CallOperands::emitStored(CallOperand &operand, Value row, IRMapping &known, OpBuilder &builder) {
  Value root = getStored(operand);
  if (!root || known.contains(root))
    return;
  Type type = getContiguousType(operand.mine.getType(), getShape(operand.mine.getType()));
  Value part = emitPartOfAll(builder, loc, operand.all, type, row, operand.extents);
  if (root != operand.mine) {
    OpBuilder at(operand.mine.getDefiningOp());
    SmallVector<Value> extents;
    for (Value extent : getExtents(at, loc, root))
      extents.push_back(what.emit(extent, known, builder));
    part = ReshapeOp::create(builder, loc, root.getType(), part, extents);
  }
  known.map(root, part);
}

/// What an iteration that raises an exception before it comes to the call has there.
Value CallOperands::emitZeros(CallOperand &operand, OpBuilder &builder) {
  Type element = getElementType(operand.mine.getType());
  Value zero;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute part = builder.getZeroAttr(complex.getElementType());
    zero = complex::ConstantOp::create(builder, loc, element, builder.getArrayAttr({part, part}));
  } else {
    zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  }
  auto type = RankedTensorType::get(getShape(operand.mine.getType()), element);
  SmallVector<Value> extents;
  for (auto [extent, known] : llvm::zip_equal(operand.extents, type.getShape()))
    if (ShapedType::isDynamic(known))
      extents.push_back(extent);
  return FullOp::create(builder, loc, type, zero, extents);
}

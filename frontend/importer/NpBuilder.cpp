
#include "frontend/importer/NpBuilder.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Threads.h"
#include "dialects/Np/Values.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

NpBuilder::NpBuilder(MLIRContext *context) : ImplicitLocOpBuilder(UnknownLoc::get(context), context) {
  context->loadDialect<np::NpDialect, func::FuncDialect, cf::ControlFlowDialect, arith::ArithDialect, ub::UBDialect,
                       complex::ComplexDialect>();
}

Block *NpBuilder::newBlock() {
  auto *block = new Block();
  function.getBody().push_back(block);
  return block;
}

void NpBuilder::enterBlock() {
  if (cacheBlock == getInsertionBlock())
    return;
  forgetCaches();
  cacheBlock = getInsertionBlock();
}

void NpBuilder::forgetCaches() {
  loads.clear();
  indices.clear();
  extents.clear();
  cacheBlock = nullptr;
}

Value NpBuilder::index(int64_t value) {
  enterBlock();
  Value &known = indices[value];
  if (!known)
    known = arith::ConstantIndexOp::create(*this, value);
  return known;
}

Value NpBuilder::boolean(bool value) { return arith::ConstantOp::create(*this, getBoolAttr(value)); }

Value NpBuilder::constantInteger(Type elementType, int64_t value) {
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    Type real = complex.getElementType();
    return complex::ConstantOp::create(*this, complex,
                                       getArrayAttr({getFloatAttr(real, value), getFloatAttr(real, 0)}));
  }
  if (isa<FloatType>(elementType))
    return arith::ConstantOp::create(*this, getFloatAttr(elementType, value));
  auto integer = cast<IntegerType>(elementType);
  if (integer.getWidth() == 1)
    return boolean(value != 0);
  APInt bits = APInt(64, value).trunc(integer.getWidth());
  if (integer.isSignless())
    return arith::ConstantOp::create(*this, IntegerAttr::get(integer, bits));
  // arith has signless constants only: unsigned ones are converted, which folds where it is lowered.
  Value constant = arith::ConstantOp::create(*this, IntegerAttr::get(getIntegerType(integer.getWidth()), bits));
  return np::CastOp::create(*this, elementType, constant);
}

void NpBuilder::clobber() { loads.clear(); }

Value NpBuilder::load(Value array) {
  // What a thread reads is what is there now: others may change it.
  if (isThread && np::getRank(array.getType()) == 0)
    return rankZero(np::ReadElementOp::create(*this, np::getElementType(array.getType()), array));
  enterBlock();
  Value &known = loads[array];
  if (!known)
    known = np::LoadOp::create(*this, array);
  return known;
}

Value NpBuilder::newArray(Value value) { return np::NewOp::create(*this, value); }

Value NpBuilder::rankZero(Value scalar) {
  return np::FullOp::create(*this, RankedTensorType::get({}, scalar.getType()), scalar, ValueRange());
}

Value NpBuilder::item(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto full = tensor.getDefiningOp<np::FullOp>())
    return full.getValue();
  return np::ItemOp::create(*this, type.getElementType(), tensor);
}

Value NpBuilder::castTo(Value value, Type elementType) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == elementType)
    return value;
  Type to = elementType;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    to = RankedTensorType::get(tensor.getShape(), elementType);
  return createOrFold<np::CastOp>(to, value);
}

Value NpBuilder::dim(Value shaped, int64_t axis) {
  if (int64_t known = np::getShape(shaped.getType())[axis]; !ShapedType::isDynamic(known))
    return index(known);
  enterBlock();
  Value extent = extents.lookup({shaped, axis});
  if (extent)
    return extent;
  extent = np::getExtent(*this, getLoc(), shaped, axis);
  extents[{shaped, axis}] = extent;
  return extent;
}

SmallVector<Value> NpBuilder::dims(Value shaped) {
  SmallVector<Value> result;
  for (int64_t axis = 0, rank = np::getRank(shaped.getType()); axis < rank; ++axis)
    result.push_back(dim(shaped, axis));
  return result;
}

Value NpBuilder::size(Value shaped) {
  Value product;
  for (Value extent : dims(shaped)) {
    if (matchPattern(extent, m_One()))
      continue;
    product = product ? Value(arith::MulIOp::create(*this, product, extent)) : extent;
  }
  return product ? product : index(1);
}

Value NpBuilder::compareIndex(arith::CmpIPredicate predicate, Value left, Value right) {
  return createOrFold<arith::CmpIOp>(predicate, left, right);
}

void NpBuilder::check(Value condition, StringRef error, const Twine &message, ValueRange arguments) {
  if (matchPattern(condition, m_One()) || skipsChecks())
    return;
  if (onCheck && onCheck(condition, error, message.str(), arguments))
    return;
  np::AssertOp::create(*this, condition, getStringAttr(error), getStringAttr(message), arguments);
}

Value NpBuilder::fromEnd(Value position, Value extent) {
  Value isNegative = compareIndex(arith::CmpIPredicate::slt, position, index(0));
  return createOrFold<arith::SelectOp>(isNegative, createOrFold<arith::AddIOp>(position, extent), position);
}

Value NpBuilder::checkIndex(Value position, Value extent, int64_t axis) {
  if (skipsChecks())
    return fromEnd(position, extent);
  // The words of an array's are not asked for: such an error leaves a function as an assertion does.
  StringRef words = axis >= 0 ? "" : axis == -2 ? "list assignment index out of range" : "list index out of range";
  if (!isCaught || !isCaught("IndexError", words))
    return createOrFold<np::CheckIndexOp>(position, extent, getI64IntegerAttr(axis));
  Value zero = index(0), lowest = createOrFold<arith::SubIOp>(zero, extent);
  Value isInside = createOrFold<arith::AndIOp>(compareIndex(arith::CmpIPredicate::sge, position, lowest),
                                               compareIndex(arith::CmpIPredicate::slt, position, extent));
  if (axis < 0)
    check(isInside, "IndexError", words);
  else
    check(isInside, "IndexError", "index {0} is out of bounds for axis " + Twine(axis) + " with size {1}",
          {position, extent});
  return fromEnd(position, extent);
}

void NpBuilder::checkOwnLimit(Value holds, const Twine &message, ValueRange shown) {
  if (!matchPattern(holds, m_One()) && !skipsChecks())
    np::AssertOp::create(*this, holds, getStringAttr("OverflowError"), getStringAttr(message), shown);
}

void NpBuilder::checkIn64Bits(Value fits) {
  checkOwnLimit(
      fits,
      "an int of the compiled program does not fit into 64 bits: compute with floats, or leave the function to Python");
}

/// The bounds of an integer type, as far as 64 bits with a sign go.
static std::pair<int64_t, int64_t> boundsOf(IntegerType type) {
  unsigned width = type.getWidth();
  if (type.isUnsigned())
    return {0, width == 64 ? INT64_MAX : static_cast<int64_t>((uint64_t(1) << width) - 1)};
  return {width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1)),
          width == 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1};
}

Value NpBuilder::fits(Value number, IntegerType type) {
  auto [low, high] = boundsOf(type);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
    return createOrFold<arith::CmpIOp>(predicate, number, constantInteger(getI64Type(), bound));
  };
  // Only the bounds that 64 bits can be beyond.
  Value above, below;
  if (low != INT64_MIN)
    above = compare(arith::CmpIPredicate::sge, low);
  if (high != INT64_MAX)
    below = compare(arith::CmpIPredicate::sle, high);
  if (above && below)
    return createOrFold<arith::AndIOp>(above, below);
  return above ? above : below ? below : boolean(true);
}

/// The static shape that belongs to extents: 1 where it is known to broadcast.
static SmallVector<int64_t> shapeOf(ArrayRef<Value> extents) {
  SmallVector<int64_t> shape;
  for (Value extent : extents)
    shape.push_back(matchPattern(extent, m_One()) ? 1 : ShapedType::kDynamic);
  return shape;
}

Value NpBuilder::broadcastTo(Value value, ArrayRef<Value> extents, ArrayRef<int64_t> shape) {
  if (!isa<RankedTensorType>(value.getType()))
    return full(value, extents);
  SmallVector<int64_t> known = shape.empty() && !extents.empty() ? shapeOf(extents) : SmallVector<int64_t>(shape);
  Type type = RankedTensorType::get(known, getElementTypeOrSelf(value.getType()));
  return np::BroadcastOp::create(*this, type, value, extents);
}

SmallVector<Value> NpBuilder::positionsOf(Value mask) {
  SmallVector<Value> extents = dims(mask), result;
  SmallVector<int64_t> shape(np::getShape(mask.getType()));
  Type i64 = getI64Type();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    Value counts = np::ArangeOp::create(*this, RankedTensorType::get({ShapedType::kDynamic}, i64),
                                        constantInteger(i64, 0), constantInteger(i64, 1), extents[axis]);
    SmallVector<int64_t> later;
    for (size_t k = axis + 1; k < extents.size(); ++k)
      later.push_back(k - axis);
    Value along = extents.size() == 1 ? counts : broadcastTo(expandDims(counts, later), extents, shape);
    result.push_back(np::CompressOp::create(*this, RankedTensorType::get({ShapedType::kDynamic}, i64), along, mask));
  }
  return result;
}

Value NpBuilder::emitUfunc(StringRef name, ArrayRef<Value> operands) {
  checkMeeting(operands);
  return createOrFold<np::UfuncOp>(getStringAttr(name), operands);
}

Value NpBuilder::full(Value scalar, ArrayRef<Value> extents) {
  return np::FullOp::create(*this, RankedTensorType::get(shapeOf(extents), scalar.getType()), scalar, extents);
}

} // namespace npcc::frontend


#include "compiler/kernels/IndexMath.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {

static constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

/// Folders look for constants on the right.
static void moveConstantRight(Value &a, Value &b) {
  if (matchPattern(a, m_Constant()))
    std::swap(a, b);
}

/// Whether two values are the same product of the same extents. Strides are such products, and whether axes are one run
/// in memory is a question about them that this answers while the kernel is made.
static bool isSameProduct(Value a, Value b) {
  if (a == b)
    return true;
  auto left = a.getDefiningOp<arith::MulIOp>(), right = b.getDefiningOp<arith::MulIOp>();
  return left && right && isSameProduct(left.getLhs(), right.getLhs()) && isSameProduct(left.getRhs(), right.getRhs());
}

Value IndexMath::constant(int64_t value) const { return arith::ConstantIndexOp::create(builder, loc, value); }
Value IndexMath::add(Value a, Value b) const {
  moveConstantRight(a, b);
  return builder.createOrFold<arith::AddIOp>(loc, a, b, noWrap);
}
Value IndexMath::sub(Value a, Value b) const { return builder.createOrFold<arith::SubIOp>(loc, a, b, noWrap); }
Value IndexMath::mul(Value a, Value b) const {
  moveConstantRight(a, b);
  return builder.createOrFold<arith::MulIOp>(loc, a, b, noWrap);
}
Value IndexMath::div(Value a, Value b) const { return builder.createOrFold<arith::DivUIOp>(loc, a, b); }
Value IndexMath::rem(Value a, Value b) const { return builder.createOrFold<arith::RemUIOp>(loc, a, b); }
Value IndexMath::narrowDiv(Value a, Value b) const {
  if (getConstantIntValue(b)) // folds, or is a shift
    return div(a, b);
  Type i32 = builder.getI32Type();
  Value quotient = arith::DivUIOp::create(builder, loc, arith::IndexCastOp::create(builder, loc, i32, a),
                                          arith::IndexCastOp::create(builder, loc, i32, b));
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), quotient);
}
Value IndexMath::product(ValueRange numbers) const {
  if (numbers.empty())
    return constant(1);
  Value result = numbers.front();
  for (Value number : numbers.drop_front())
    result = mul(result, number);
  return result;
}
Value IndexMath::ceilDiv(Value a, Value b) const { return div(add(a, sub(b, 1)), b); }
Value IndexMath::min(Value a, Value b) const { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
Value IndexMath::max(Value a, Value b) const { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }
Value IndexMath::bitAnd(Value a, Value b) const { return builder.createOrFold<arith::AndIOp>(loc, a, b); }
Value IndexMath::select(Value condition, Value a, Value b) const {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}
Value IndexMath::compare(arith::CmpIPredicate predicate, Value a, Value b) const {
  if (predicate == arith::CmpIPredicate::eq && isSameProduct(a, b))
    return truth(true);
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}
Value IndexMath::both(Value a, Value b) const {
  moveConstantRight(a, b);
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}
Value IndexMath::either(Value a, Value b) const {
  moveConstantRight(a, b);
  return builder.createOrFold<arith::OrIOp>(loc, a, b);
}
Value IndexMath::truth(bool value) const { return arith::ConstantIntOp::create(builder, loc, value, 1); }

SmallVector<Value> IndexMath::unravel(Value number, ValueRange extents) const {
  SmallVector<Value> positions(extents.size(), constant(0));
  auto isUnit = [&](unsigned axis) { return getConstantIntValue(extents[axis]) == 1; };
  unsigned first = 0; // has all that is left of the number
  while (first + 1 < extents.size() && isUnit(first))
    ++first;
  for (unsigned axis = extents.size(); axis-- > first;) {
    if (isUnit(axis))
      continue;
    positions[axis] = axis > first ? rem(number, extents[axis]) : number;
    number = axis > first ? div(number, extents[axis]) : number;
  }
  return positions;
}

Value IndexMath::isMultiple(Value number, int64_t power) const {
  auto multiplied = number.getDefiningOp<arith::MulIOp>();
  for (Value factor : multiplied ? multiplied->getOperands() : OperandRange(nullptr, 0))
    if (std::optional<int64_t> known = getConstantIntValue(factor); known && *known % power == 0)
      return truth(true);
  return compare(arith::CmpIPredicate::eq, bitAnd(number, constant(power - 1)), constant(0));
}

Value IndexMath::fromStart(Value position, Value extent) const {
  Value isNegative = compare(arith::CmpIPredicate::slt, position, constant(0));
  return select(isNegative, add(position, extent), position);
}

Value IndexMath::fromStartOrFirst(Value position, Value extent) const {
  Value here = fromStart(position, extent);
  return select(compare(arith::CmpIPredicate::ult, here, extent), here, constant(0));
}
Value IndexMath::powerOfTwo(Value a, int64_t least, int64_t most) const {
  Value result = constant(most);
  for (int64_t power = most / 2; power >= least; power /= 2)
    result = select(compare(arith::CmpIPredicate::sle, a, constant(power)), constant(power), result);
  return result;
}

} // namespace npcc

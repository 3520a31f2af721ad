// Elementwise functions and casts of constants: np.ufunc "add"(2.0, 3.0) is 5.0.
//
// What is folded is what every machine gives, whenever it is computed: integers whose exact result fits, comparisons,
// bits, and the operations of floats that IEEE 754 rounds correctly. Nothing is folded for which NumPy has a warning (a
// division by zero, an overflow, an invalid operation), nor what underflows.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

using namespace mlir;
using namespace npcc::np;

Operation *NpDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

namespace {
/// Of two numbers, or twice the same of one.
template <typename Number> std::optional<bool> compare(Ufunc name, const Number &left, const Number &right) {
  switch (name) {
  case Ufunc::equal:
    return left == right;
  case Ufunc::not_equal:
    return left != right;
  case Ufunc::less:
    return left < right;
  case Ufunc::less_equal:
    return left <= right;
  case Ufunc::greater:
    return left > right;
  case Ufunc::greater_equal:
    return left >= right;
  default:
    return std::nullopt;
  }
}

std::optional<APInt> foldBits(Ufunc name, const APInt &left, const APInt &right) {
  switch (name) {
  case Ufunc::bitwise_and:
    return left & right;
  case Ufunc::bitwise_or:
    return left | right;
  case Ufunc::bitwise_xor:
    return left ^ right;
  case Ufunc::invert:
    return ~left;
  default:
    return std::nullopt;
  }
}

std::optional<bool> foldBool(Ufunc name, bool left, bool right) {
  switch (name) {
  case Ufunc::logical_and:
    return left && right;
  case Ufunc::logical_or:
    return left || right;
  case Ufunc::logical_xor:
    return left != right;
  case Ufunc::logical_not:
    return !left;
  default:
    return compare<int>(name, left, right);
  }
}

/// Of signed integers of up to 64 bits; exact, in 128 bits.
std::optional<APInt> foldArithmetic(Ufunc name, int64_t left, int64_t right, unsigned width) {
  __int128 exact;
  switch (name) {
  case Ufunc::add:
    exact = __int128(left) + right;
    break;
  case Ufunc::subtract:
    exact = __int128(left) - right;
    break;
  case Ufunc::multiply:
    exact = __int128(left) * right;
    break;
  case Ufunc::negative:
    exact = -__int128(left);
    break;
  case Ufunc::square:
    exact = __int128(left) * left;
    break;
  case Ufunc::absolute:
    exact = left < 0 ? -__int128(left) : left;
    break;
  case Ufunc::maximum:
    exact = std::max(left, right);
    break;
  case Ufunc::minimum:
    exact = std::min(left, right);
    break;
  case Ufunc::floor_divide:
  case Ufunc::remainder: {
    if (right == 0 || right == -1)
      return std::nullopt;
    int64_t quotient = llvm::divideFloorSigned(left, right);
    exact = name == Ufunc::floor_divide ? __int128(quotient) : __int128(left) - __int128(quotient) * right;
    break;
  }
  default:
    return std::nullopt;
  }
  __int128 most = (__int128(1) << (width - 1)) - 1;
  if (exact > most || exact < -most - 1)
    return std::nullopt;
  return APInt(width, uint64_t(exact), /*isSigned=*/false, /*implicitTrunc=*/true);
}

/// Rounded as it should be, or not at all.
bool isQuiet(APFloat::opStatus status) { return status == APFloat::opOK || status == APFloat::opInexact; }

std::optional<APFloat> foldFloat(Ufunc name, APFloat left, const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  APFloat::opStatus status = APFloat::opOK;
  switch (name) {
  case Ufunc::add:
    status = left.add(right, nearest);
    break;
  case Ufunc::subtract:
    status = left.subtract(right, nearest);
    break;
  case Ufunc::multiply:
    status = left.multiply(right, nearest);
    break;
  case Ufunc::square: {
    APFloat same = left;
    status = left.multiply(same, nearest);
    break;
  }
  case Ufunc::divide:
    status = left.divide(right, nearest);
    break;
  case Ufunc::negative:
    left.changeSign();
    break;
  case Ufunc::absolute:
    left.clearSign();
    break;
  case Ufunc::floor:
    left.roundToIntegral(APFloat::rmTowardNegative);
    break;
  case Ufunc::ceil:
    left.roundToIntegral(APFloat::rmTowardPositive);
    break;
  case Ufunc::trunc:
    left.roundToIntegral(APFloat::rmTowardZero);
    break;
  case Ufunc::rint:
    left.roundToIntegral(nearest);
    break;
  case Ufunc::copysign:
    left.copySign(right);
    break;
  case Ufunc::sqrt: // the machine's own, which rounds correctly
    if (left.isNegative())
      return std::nullopt;
    if (&left.getSemantics() == &APFloat::IEEEdouble())
      return APFloat(std::sqrt(left.convertToDouble()));
    return APFloat(std::sqrt(left.convertToFloat()));
  default:
    return std::nullopt;
  }
  if (!isQuiet(status))
    return std::nullopt;
  return left;
}

Attribute foldFloats(UfuncOp op, const APFloat &left, const APFloat &right) {
  if (!left.isFinite() || !right.isFinite() || left.isDenormal() || right.isDenormal())
    return {};
  if (std::optional<bool> result = compare(op.getName(), left, right))
    return BoolAttr::get(op.getContext(), *result);
  if (op.getName() == Ufunc::isfinite || op.getName() == Ufunc::isnan || op.getName() == Ufunc::isinf)
    return BoolAttr::get(op.getContext(), op.getName() == Ufunc::isfinite);
  std::optional<APFloat> result = foldFloat(op.getName(), left, right);
  return result && !result->isDenormal() ? FloatAttr::get(op.getType(), *result) : Attribute();
}

Attribute foldIntegers(UfuncOp op, const APInt &left, const APInt &right) {
  Type type = op.getType();
  if (left.getBitWidth() == 1) {
    if (std::optional<bool> result = foldBool(op.getName(), left.getBoolValue(), right.getBoolValue()))
      return BoolAttr::get(op.getContext(), *result);
  } else if (std::optional<bool> result = compare(op.getName(), left.getSExtValue(), right.getSExtValue())) {
    return BoolAttr::get(op.getContext(), *result);
  } else if (std::optional<APInt> number =
                 foldArithmetic(op.getName(), left.getSExtValue(), right.getSExtValue(), left.getBitWidth())) {
    return IntegerAttr::get(type, *number);
  }
  std::optional<APInt> bits = foldBits(op.getName(), left, right);
  return bits ? IntegerAttr::get(type, *bits) : Attribute();
}
} // namespace

OpFoldResult UfuncOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getName() == Ufunc::positive && getInputs()[0].getType() == getType())
    return getInputs()[0];
  Attribute left = adaptor.getInputs().front(), right = adaptor.getInputs().back();
  if (getInputs().size() > 2 || !left || !right)
    return {};
  Type type = getInputs()[0].getType();
  if (type.isSignlessInteger() && isa<IntegerAttr>(left) && isa<IntegerAttr>(right))
    return foldIntegers(*this, cast<IntegerAttr>(left).getValue(), cast<IntegerAttr>(right).getValue());
  if ((type.isF32() || type.isF64()) && isa<FloatAttr>(left) && isa<FloatAttr>(right))
    return foldFloats(*this, cast<FloatAttr>(left).getValue(), cast<FloatAttr>(right).getValue());
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  Type from = getInput().getType(), to = getType();
  if (from == to)
    return getInput();
  if (auto number = dyn_cast_if_present<IntegerAttr>(adaptor.getInput()); number && from.isSignlessInteger()) {
    APInt value = number.getValue();
    bool isBool = from.isInteger(1);
    if (to.isInteger(1))
      return BoolAttr::get(getContext(), !value.isZero());
    unsigned width = to.isSignlessInteger() ? to.getIntOrFloatBitWidth() : 0;
    if (width && (isBool || value.isSignedIntN(width)))
      return IntegerAttr::get(to, isBool ? value.zextOrTrunc(width) : value.sextOrTrunc(width));
    if (to.isF32() || to.isF64()) {
      APFloat result(cast<FloatType>(to).getFloatSemantics());
      result.convertFromAPInt(value, /*IsSigned=*/!isBool, APFloat::rmNearestTiesToEven);
      return FloatAttr::get(to, result);
    }
  }
  if (auto number = dyn_cast_if_present<FloatAttr>(adaptor.getInput());
      number && (from.isF32() || from.isF64()) && (to.isF32() || to.isF64())) {
    APFloat value = number.getValue();
    bool losesInformation = false;
    auto status =
        value.convert(cast<FloatType>(to).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInformation);
    if (value.isFinite() && !value.isDenormal() && isQuiet(status))
      return FloatAttr::get(to, value);
  }
  if (auto number = dyn_cast_if_present<FloatAttr>(adaptor.getInput());
      number && (from.isF32() || from.isF64()) && to.isSignlessInteger() && !to.isInteger(1)) {
    APSInt whole(to.getIntOrFloatBitWidth(), /*isUnsigned=*/false);
    bool isExact = false;
    auto status = number.getValue().convertToInteger(whole, APFloat::rmTowardZero, &isExact);
    if (isQuiet(status)) // what no integer is near to is the machine's
      return IntegerAttr::get(to, whole);
  }
  return {};
}

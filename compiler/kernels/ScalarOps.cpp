// NumPy's elementwise functions on one element, in arith, math and complex.
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/BitOps.h"
#include "compiler/kernels/ComplexOps.h"
#include "compiler/kernels/ProductPowers.h"
#include "compiler/kernels/Real.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "compiler/kernels/ScalarTables.h"
#include "dialects/Np/NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using npcc::np::Ufunc;

namespace npcc {

Type getRegisterType(Type type) {
  return type.isUnsignedInteger() ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth()) : type;
}
Type getMemoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : getRegisterType(type);
}

Value fromMemory(OpBuilder &builder, Location loc, Value value, Type type) {
  if (!type.isInteger(1))
    return value;
  Value zero = arith::ConstantIntOp::create(builder, loc, value.getType(), 0);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}
Value toMemory(OpBuilder &builder, Location loc, Value value, Type type) {
  return type.isInteger(1) ? arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value) : value;
}

Value emitConstant(OpBuilder &builder, Location loc, Type type, double value) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    return complex::ConstantOp::create(
        builder, loc, complex,
        builder.getArrayAttr({builder.getFloatAttr(part, value), builder.getFloatAttr(part, 0)}));
  }
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(getRegisterType(type), static_cast<int64_t>(value)));
}

namespace {
arith::CmpIPredicate integerPredicate(Ufunc ufunc, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (ufunc) {
  case Ufunc::equal:
    return P::eq;
  case Ufunc::not_equal:
    return P::ne;
  case Ufunc::less:
    return isUnsigned ? P::ult : P::slt;
  case Ufunc::less_equal:
    return isUnsigned ? P::ule : P::sle;
  case Ufunc::greater:
    return isUnsigned ? P::ugt : P::sgt;
  case Ufunc::greater_equal:
    return isUnsigned ? P::uge : P::sge;
  default:
    llvm_unreachable("no comparison");
  }
}
} // namespace

arith::CmpFPredicate ScalarEmitter::realPredicate(Ufunc ufunc) {
  using P = arith::CmpFPredicate;
  switch (ufunc) {
  case Ufunc::equal:
    return P::OEQ;
  case Ufunc::not_equal:
    return P::UNE;
  case Ufunc::less:
    return P::OLT;
  case Ufunc::less_equal:
    return P::OLE;
  case Ufunc::greater:
    return P::OGT;
  case Ufunc::greater_equal:
    return P::OGE;
  default:
    llvm_unreachable("no comparison");
  }
}

Value ScalarEmitter::emitBool(Ufunc ufunc, ValueRange x) const {
  if (isComparison(ufunc))
    return compare(integerPredicate(ufunc, true), x[0], x[1]);
  switch (ufunc) {
  case Ufunc::add:
  case Ufunc::maximum:
  case Ufunc::fmax:
  case Ufunc::logical_or:
  case Ufunc::bitwise_or:
    return make<arith::OrIOp>(x[0], x[1]);
  case Ufunc::multiply:
  case Ufunc::minimum:
  case Ufunc::fmin:
  case Ufunc::logical_and:
  case Ufunc::bitwise_and:
    return make<arith::AndIOp>(x[0], x[1]);
  case Ufunc::logical_xor:
  case Ufunc::bitwise_xor:
    return make<arith::XOrIOp>(x[0], x[1]);
  case Ufunc::logical_not:
  case Ufunc::invert:
    return make<arith::XOrIOp>(x[0], make<arith::ConstantIntOp>(builder.getI1Type(), 1));
  default:
    return Value();
  }
}

/// floor(a / b) and a - b * floor(a / b); zero for b == 0, as NumPy (with a warning) gives.
std::pair<Value, Value> ScalarEmitter::integerDivmod(Value a, Value b) const {
  Value zero = constant(0), one = constant(1);
  Value byZero = compare(arith::CmpIPredicate::eq, b, zero);
  if (isUnsigned) {
    Value divisor = select(byZero, one, b);
    return {select(byZero, zero, make<arith::DivUIOp>(a, divisor)),
            select(byZero, zero, make<arith::RemUIOp>(a, divisor))};
  }
  // The smallest integer by -1 overflows in hardware: negate instead.
  Value byMinusOne = compare(arith::CmpIPredicate::eq, b, constant(-1));
  Value divisor = select(make<arith::OrIOp>(byZero, byMinusOne), one, b);
  Value quotient = make<arith::DivSIOp>(a, divisor), rest = make<arith::RemSIOp>(a, divisor);
  Value otherSign = make<arith::AndIOp>(compare(arith::CmpIPredicate::ne, rest, zero),
                                        compare(arith::CmpIPredicate::slt, make<arith::XOrIOp>(rest, divisor), zero));
  quotient = select(otherSign, make<arith::SubIOp>(quotient, one), quotient);
  rest = select(otherSign, make<arith::AddIOp>(rest, divisor), rest);
  quotient = select(byMinusOne, make<arith::SubIOp>(zero, a), quotient);
  rest = select(byMinusOne, zero, rest);
  return {select(byZero, zero, quotient), select(byZero, zero, rest)};
}

/// By squaring; the exponent is not negative (checked before).
Value ScalarEmitter::integerPower(Value base, Value exponent) const {
  APInt known;
  if (matchPattern(exponent, m_ConstantInt(&known)) && known.ult(9)) {
    Value result = constant(1);
    for (uint64_t k = 0, n = known.getZExtValue(); k < n; ++k)
      result = k ? make<arith::MulIOp>(result, base) : base;
    return result;
  }
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{base.getType(), base.getType(), base.getType()}, ValueRange{constant(1), base, exponent},
      [&](OpBuilder &b, Location l, ValueRange a) {
        Value zero = emitConstant(b, l, type, 0);
        scf::ConditionOp::create(b, l, arith::CmpIOp::create(b, l, arith::CmpIPredicate::ne, a[2], zero), a);
      },
      [&](OpBuilder &b, Location l, ValueRange a) {
        Value one = emitConstant(b, l, type, 1);
        Value odd = arith::TruncIOp::create(b, l, b.getI1Type(), a[2]);
        Value product = arith::MulIOp::create(b, l, a[0], a[1]);
        Value result = arith::SelectOp::create(b, l, odd, product, a[0]);
        Value square = arith::MulIOp::create(b, l, a[1], a[1]);
        Value half = arith::ShRUIOp::create(b, l, a[2], one);
        scf::YieldOp::create(b, l, ValueRange{result, square, half});
      });
  return loop.getResult(0);
}

Value ScalarEmitter::emitInteger(Ufunc ufunc, ValueRange x) const {
  if (isComparison(ufunc))
    return compare(integerPredicate(ufunc, isUnsigned), x[0], x[1]);
  switch (ufunc) {
  case Ufunc::add:
    return make<arith::AddIOp>(x[0], x[1]);
  case Ufunc::subtract:
    return make<arith::SubIOp>(x[0], x[1]);
  case Ufunc::multiply:
    return make<arith::MulIOp>(x[0], x[1]);
  case Ufunc::floor_divide:
    return integerDivmod(x[0], x[1]).first;
  case Ufunc::remainder:
    return integerDivmod(x[0], x[1]).second;
  case Ufunc::fmod: {
    Value byZero = compare(arith::CmpIPredicate::eq, x[1], constant(0)), one = constant(1);
    if (isUnsigned)
      return select(byZero, constant(0), make<arith::RemUIOp>(x[0], select(byZero, one, x[1])));
    Value trivial = make<arith::OrIOp>(byZero, compare(arith::CmpIPredicate::eq, x[1], constant(-1)));
    return select(trivial, constant(0), make<arith::RemSIOp>(x[0], select(trivial, one, x[1])));
  }
  case Ufunc::power:
    return integerPower(x[0], x[1]);
  case Ufunc::negative:
    return make<arith::SubIOp>(constant(0), x[0]);
  case Ufunc::positive:
  case Ufunc::conjugate:
    return x[0];
  case Ufunc::absolute:
    return isUnsigned ? x[0] : make<math::AbsIOp>(x[0]);
  case Ufunc::sign: {
    Value positive = compare(integerPredicate(Ufunc::greater, isUnsigned), x[0], constant(0));
    Value rest = isUnsigned ? constant(0)
                            : select(compare(arith::CmpIPredicate::slt, x[0], constant(0)), constant(-1), constant(0));
    return select(positive, constant(1), rest);
  }
  case Ufunc::reciprocal: {
    // C's division, and NumPy's answer where there is none: the smallest signed integer (of 64 bits, cut to the width),
    // 0 for unsigned ones.
    unsigned width = type.getIntOrFloatBitWidth();
    Value byZero = compare(arith::CmpIPredicate::eq, x[0], constant(0)), divisor = select(byZero, constant(1), x[0]);
    if (isUnsigned)
      return select(byZero, constant(0), make<arith::DivUIOp>(constant(1), divisor));
    APInt none = width >= 32 ? APInt::getSignedMinValue(width) : APInt::getZero(width);
    Value missing = make<arith::ConstantOp>(builder.getIntegerAttr(getRegisterType(type), none));
    return select(byZero, missing, make<arith::DivSIOp>(constant(1), divisor));
  }
  case Ufunc::square:
    return make<arith::MulIOp>(x[0], x[0]);
  case Ufunc::floor:
  case Ufunc::ceil:
  case Ufunc::trunc:
  case Ufunc::rint:
    return x[0];
  case Ufunc::maximum:
  case Ufunc::fmax:
    return isUnsigned ? make<arith::MaxUIOp>(x[0], x[1]) : make<arith::MaxSIOp>(x[0], x[1]);
  case Ufunc::minimum:
  case Ufunc::fmin:
    return isUnsigned ? make<arith::MinUIOp>(x[0], x[1]) : make<arith::MinSIOp>(x[0], x[1]);
  case Ufunc::bitwise_and:
    return make<arith::AndIOp>(x[0], x[1]);
  case Ufunc::bitwise_or:
    return make<arith::OrIOp>(x[0], x[1]);
  case Ufunc::bitwise_xor:
    return make<arith::XOrIOp>(x[0], x[1]);
  case Ufunc::invert:
    return make<arith::XOrIOp>(x[0], constant(-1));
  case Ufunc::left_shift:
  case Ufunc::right_shift: {
    // Shifts by the width or more give 0 (or the sign), as NumPy's.
    unsigned width = type.getIntOrFloatBitWidth();
    Value tooFar = compare(arith::CmpIPredicate::uge, x[1], constant(width));
    Value by = select(tooFar, constant(0), x[1]);
    if (ufunc == Ufunc::left_shift)
      return select(tooFar, constant(0), make<arith::ShLIOp>(x[0], by));
    if (isUnsigned)
      return select(tooFar, constant(0), make<arith::ShRUIOp>(x[0], by));
    return make<arith::ShRSIOp>(x[0], select(tooFar, constant(width - 1), x[1]));
  }
  default:
    return emitIntegerBits(builder, loc, ufunc, x, isUnsigned);
  }
}

/// NumPy's npy_divmod: the remainder has the divisor's sign, the quotient is rounded so that both fit.
std::pair<Value, Value> ScalarEmitter::realDivmod(Value a, Value b) const {
  using P = arith::CmpFPredicate;
  Value zero = constant(0), one = constant(1);
  Value rest = make<arith::RemFOp>(a, b);
  Value quotient = make<arith::DivFOp>(make<arith::SubFOp>(a, rest), b);
  Value hasRest = compare(P::UNE, rest, zero);
  Value otherSign =
      make<arith::AndIOp>(hasRest, make<arith::XOrIOp>(compare(P::OLT, b, zero), compare(P::OLT, rest, zero)));
  Value fixedRest = select(otherSign, make<arith::AddFOp>(rest, b), rest);
  fixedRest = select(hasRest, fixedRest, make<math::CopySignOp>(zero, b));
  quotient = select(otherSign, make<arith::SubFOp>(quotient, one), quotient);
  Value down = make<math::FloorOp>(quotient);
  Value tooLow = compare(P::OGT, make<arith::SubFOp>(quotient, down), constant(0.5));
  Value rounded = select(tooLow, make<arith::AddFOp>(down, one), down);
  Value byDivision = make<arith::DivFOp>(a, b);
  Value whole = select(compare(P::UNE, quotient, zero), rounded, make<math::CopySignOp>(zero, byDivision));
  Value byZero = compare(P::OEQ, b, zero);
  return {select(byZero, byDivision, whole), select(byZero, rest, fixedRest)};
}

/// sqrt(a^2 + b^2) without overflow on the way.
Value ScalarEmitter::hypot(Value a, Value b) const {
  Value x = make<math::AbsFOp>(a), y = make<math::AbsFOp>(b);
  Value large = make<arith::MaxNumFOp>(x, y), small = make<arith::MinNumFOp>(x, y);
  Value zero = constant(0);
  Value ratio = make<arith::DivFOp>(small, large);
  Value scaled = make<arith::MulFOp>(
      large, make<math::SqrtOp>(make<arith::AddFOp>(constant(1), make<arith::MulFOp>(ratio, ratio))));
  Value infinity =
      make<arith::ConstantOp>(builder.getFloatAttr(type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics())));
  Value isInfinite = compare(arith::CmpFPredicate::OEQ, large, infinity);
  Value nan = make<arith::AddFOp>(x, y);
  Value result = select(compare(arith::CmpFPredicate::OEQ, large, zero), zero, scaled);
  result = select(compare(arith::CmpFPredicate::UNO, x, y), nan, result);
  return select(isInfinite, infinity, result);
}

/// The logarithm of the sum of two numbers whose logarithms are given: the larger one, and what the other adds.
Value ScalarEmitter::logOfSum(Value a, Value b, bool binary) const {
  Value difference = make<arith::SubFOp>(a, b), distance = make<arith::NegFOp>(make<math::AbsFOp>(difference));
  Value ratio = binary ? make<math::Exp2Op>(distance) : make<math::ExpOp>(distance);
  Value more = make<math::Log1pOp>(ratio), two = constant(binary ? 1 : std::numbers::ln2);
  if (binary)
    more = make<arith::MulFOp>(more, constant(std::numbers::log2e));
  Value result = make<arith::AddFOp>(make<arith::MaximumFOp>(a, b), more);
  // Equal infinities have no difference.
  return select(compare(arith::CmpFPredicate::OEQ, a, b), make<arith::AddFOp>(a, two), result);
}

Value ScalarEmitter::emitReal(Ufunc ufunc, ValueRange x) const {
  using P = arith::CmpFPredicate;
  if (isComparison(ufunc))
    return compare(realPredicate(ufunc), x[0], x[1]);
  APFloat exponent(0.0);
  if ((ufunc == Ufunc::power || ufunc == Ufunc::float_power) && matchPattern(x[1], m_ConstantFloat(&exponent)))
    if (Value value = emitKnownPower(builder, loc, x[0], exponent.convertToDouble()))
      return value;
  if (ufunc == Ufunc::arctan2)
    return real::atan2({&builder, loc, x[0]}, {&builder, loc, x[1]}).value;
  if (Value value = emitRealOperation(builder, loc, ufunc, x))
    return value;
  auto magnitude = [&] { return make<math::AbsFOp>(x[0]); };
  auto infinity = [&] {
    return make<arith::ConstantOp>(
        builder.getFloatAttr(type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics())));
  };
  switch (ufunc) {
  case Ufunc::floor_divide:
    return realDivmod(x[0], x[1]).first;
  case Ufunc::remainder:
    return realDivmod(x[0], x[1]).second;
  case Ufunc::power:
    return make<math::PowFOp>(x[0], x[1]);
  case Ufunc::positive:
  case Ufunc::conjugate:
    return x[0];
  case Ufunc::sign: {
    Value sign = select(compare(P::OGT, x[0], constant(0)), constant(1),
                        select(compare(P::OLT, x[0], constant(0)), constant(-1), constant(0)));
    return select(isNaN(x[0]), x[0], sign);
  }
  case Ufunc::heaviside: {
    Value side = select(compare(P::OGT, x[0], constant(0)), constant(1), constant(0));
    return select(isNaN(x[0]), x[0], select(compare(P::OEQ, x[0], constant(0)), x[1], side));
  }
  case Ufunc::reciprocal:
    return make<arith::DivFOp>(constant(1), x[0]);
  case Ufunc::square:
    return make<arith::MulFOp>(x[0], x[0]);
  case Ufunc::hypot:
    return hypot(x[0], x[1]);
  case Ufunc::logaddexp:
  case Ufunc::logaddexp2:
    return logOfSum(x[0], x[1], ufunc == Ufunc::logaddexp2);
  case Ufunc::isnan:
    return isNaN(x[0]);
  case Ufunc::isinf:
    return compare(P::OEQ, magnitude(), infinity());
  case Ufunc::isfinite:
    return compare(P::OLT, magnitude(), infinity());
  case Ufunc::signbit: {
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    Value raw = make<arith::BitcastOp>(bits, x[0]);
    return compare(arith::CmpIPredicate::slt, raw, emitConstant(builder, loc, bits, 0));
  }
  default:
    return emitFloatBits(builder, loc, ufunc, x, cast<FloatType>(type));
  }
}

Value emitUfunc(OpBuilder &builder, Location loc, Ufunc ufunc, ValueRange operands, Type type) {
  if (ufunc == Ufunc::where)
    return arith::SelectOp::create(builder, loc, operands[0], operands[1], operands[2]);
  // Half precision is computed in single and rounded once, as NumPy does.
  if (np::isNarrowFloat(type) && !dependsOnPrecision(ufunc)) {
    Type single = builder.getF32Type();
    SmallVector<Value> wide;
    for (Value operand : operands)
      wide.push_back(arith::ExtFOp::create(builder, loc, single, operand));
    Value result = emitUfunc(builder, loc, ufunc, wide, single);
    return result && result.getType().isF32() ? arith::TruncFOp::create(builder, loc, type, result) : result;
  }
  ScalarEmitter emitter{builder, loc, type};
  if (type.isInteger(1))
    return emitter.emitBool(ufunc, operands);
  if (type.isInteger())
    return emitter.emitInteger(ufunc, operands);
  if (isa<ComplexType>(type))
    return emitter.emitComplex(ufunc, operands);
  return emitter.emitReal(ufunc, operands);
}

Value emitCombine(OpBuilder &builder, Location loc, Ufunc combiner, Value lhs, Value rhs, Type type) {
  if (isa<ComplexType>(type) && combiner == Ufunc::multiply)
    return complex::MulOp::create(builder, loc, lhs, rhs);
  // As one operation, which half precision is not widened for.
  if (isa<FloatType>(type))
    return emitRealOperation(builder, loc, combiner, {lhs, rhs});
  return emitUfunc(builder, loc, combiner, {lhs, rhs}, type);
}

Value emitNeutral(OpBuilder &builder, Location loc, Ufunc combiner, Type type) {
  np::Neutral neutral = *np::getNeutral(combiner);
  if (auto integer = dyn_cast<IntegerType>(type))
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(getRegisterType(type), np::getNeutralBits(neutral, integer)));
  if (neutral == np::Neutral::Zero || neutral == np::Neutral::One)
    return emitConstant(builder, loc, type, neutral == np::Neutral::One);
  auto real = cast<FloatType>(type);
  APFloat infinity = APFloat::getInf(real.getFloatSemantics(), neutral == np::Neutral::Least);
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(real, infinity));
}

} // namespace npcc

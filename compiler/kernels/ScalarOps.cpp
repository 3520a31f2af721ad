// NumPy's elementwise functions on one element, in arith, math and complex.
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/BitOps.h"
#include "compiler/kernels/ComplexOps.h"
#include "compiler/kernels/IntegerPowers.h"
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
Type getMemoryType(Type type) { return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : getRegisterType(type); }

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
        builder, loc, complex, builder.getArrayAttr({builder.getFloatAttr(part, value), builder.getFloatAttr(part, 0)}));
  }
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(getRegisterType(type), static_cast<int64_t>(value)));
}

namespace {
/// The builder, the place and the dtype: what every line below needs.
struct Emitter {
  OpBuilder &builder;
  Location loc;
  Type type; // np element type
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Value constant(double value) const { return emitConstant(builder, loc, type, value); }
  Value compare(arith::CmpFPredicate p, Value a, Value b) const { return make<arith::CmpFOp>(p, a, b); }
  Value compare(arith::CmpIPredicate p, Value a, Value b) const { return make<arith::CmpIOp>(p, a, b); }
  Value select(Value c, Value a, Value b) const { return make<arith::SelectOp>(c, a, b); }
  Value isNaN(Value x) const { return compare(arith::CmpFPredicate::UNO, x, x); }

  Value emitInteger(Ufunc ufunc, ValueRange x) const;
  Value emitBool(Ufunc ufunc, ValueRange x) const;
  Value emitReal(Ufunc ufunc, ValueRange x) const;
  Value emitComplex(Ufunc ufunc, ValueRange x) const;
  Value integerPower(Value base, Value exponent) const;
  Value complexPower(Value base, Value exponent) const;
  Value dividedByReal(Value number, Value divisor) const;
  Value wholePower(Value base, Value exponent) const;
  std::pair<Value, Value> integerDivmod(Value a, Value b) const;
  std::pair<Value, Value> realDivmod(Value a, Value b) const;
  Value hypot(Value a, Value b) const;
  Value logOfSum(Value a, Value b, bool binary) const;
};

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
arith::CmpFPredicate realPredicate(Ufunc ufunc) {
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

Value Emitter::emitBool(Ufunc ufunc, ValueRange x) const {
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
std::pair<Value, Value> Emitter::integerDivmod(Value a, Value b) const {
  Value zero = constant(0), one = constant(1);
  Value byZero = compare(arith::CmpIPredicate::eq, b, zero);
  if (isUnsigned) {
    Value divisor = select(byZero, one, b);
    return {select(byZero, zero, make<arith::DivUIOp>(a, divisor)), select(byZero, zero, make<arith::RemUIOp>(a, divisor))};
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
Value Emitter::integerPower(Value base, Value exponent) const {
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

Value Emitter::emitInteger(Ufunc ufunc, ValueRange x) const {
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
    Value rest = isUnsigned ? constant(0) : select(compare(arith::CmpIPredicate::slt, x[0], constant(0)), constant(-1), constant(0));
    return select(positive, constant(1), rest);
  }
  case Ufunc::reciprocal: {
    // C's division, and NumPy's answer where there is none: the smallest signed integer (of 64 bits, cut to the width), 0 for unsigned ones.
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
std::pair<Value, Value> Emitter::realDivmod(Value a, Value b) const {
  using P = arith::CmpFPredicate;
  Value zero = constant(0), one = constant(1);
  Value rest = make<arith::RemFOp>(a, b);
  Value quotient = make<arith::DivFOp>(make<arith::SubFOp>(a, rest), b);
  Value hasRest = compare(P::UNE, rest, zero);
  Value otherSign = make<arith::AndIOp>(
      hasRest, make<arith::XOrIOp>(compare(P::OLT, b, zero), compare(P::OLT, rest, zero)));
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
Value Emitter::hypot(Value a, Value b) const {
  Value x = make<math::AbsFOp>(a), y = make<math::AbsFOp>(b);
  Value large = make<arith::MaxNumFOp>(x, y), small = make<arith::MinNumFOp>(x, y);
  Value zero = constant(0);
  Value ratio = make<arith::DivFOp>(small, large);
  Value scaled = make<arith::MulFOp>(large, make<math::SqrtOp>(make<arith::AddFOp>(constant(1), make<arith::MulFOp>(ratio, ratio))));
  Value infinity = make<arith::ConstantOp>(
      builder.getFloatAttr(type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics())));
  Value isInfinite = compare(arith::CmpFPredicate::OEQ, large, infinity);
  Value nan = make<arith::AddFOp>(x, y);
  Value result = select(compare(arith::CmpFPredicate::OEQ, large, zero), zero, scaled);
  result = select(compare(arith::CmpFPredicate::UNO, x, y), nan, result);
  return select(isInfinite, infinity, result);
}

/// The logarithm of the sum of two numbers whose logarithms are given: the larger one, and what the other adds.
Value Emitter::logOfSum(Value a, Value b, bool binary) const {
  Value difference = make<arith::SubFOp>(a, b), distance = make<arith::NegFOp>(make<math::AbsFOp>(difference));
  Value ratio = binary ? make<math::Exp2Op>(distance) : make<math::ExpOp>(distance);
  Value more = make<math::Log1pOp>(ratio), two = constant(binary ? 1 : std::numbers::ln2);
  if (binary)
    more = make<arith::MulFOp>(more, constant(std::numbers::log2e));
  Value result = make<arith::AddFOp>(make<arith::MaximumFOp>(a, b), more);
  // Equal infinities have no difference.
  return select(compare(arith::CmpFPredicate::OEQ, a, b), make<arith::AddFOp>(a, two), result);
}

Value Emitter::emitReal(Ufunc ufunc, ValueRange x) const {
  using P = arith::CmpFPredicate;
  if (isComparison(ufunc))
    return compare(realPredicate(ufunc), x[0], x[1]);
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
  case Ufunc::power: {
    // The exponents for which NumPy itself takes another function.
    APFloat known(0.0);
    if (matchPattern(x[1], m_ConstantFloat(&known))) {
      double exponent = known.convertToDouble();
      if (exponent == 2)
        return make<arith::MulFOp>(x[0], x[0]);
      if (exponent == 1)
        return x[0];
      if (exponent == 0.5) { // unlike the square root, it has no negative zero, and one of minus infinity
        Value infinity = constant(std::numeric_limits<double>::infinity());
        Value root = make<math::SqrtOp>(make<arith::AddFOp>(x[0], constant(0)));
        return select(compare(P::OEQ, x[0], make<arith::NegFOp>(infinity)), infinity, root);
      }
      if (exponent == -1)
        return make<arith::DivFOp>(constant(1), x[0]);
      if (exponent == 0)
        return constant(1);
      bool isWhole = exponent == std::floor(exponent) && (x[0].getType().isF32() || x[0].getType().isF64());
      if (isWhole && exponent >= leastProductPower && exponent <= mostProductPower)
        return emitIntegerPower(builder, loc, x[0], static_cast<int64_t>(exponent));
    }
    return make<math::PowFOp>(x[0], x[1]);
  }
  case Ufunc::positive:
  case Ufunc::conjugate:
    return x[0];
  case Ufunc::sign: {
    Value sign = select(compare(P::OGT, x[0], constant(0)), constant(1),
                        select(compare(P::OLT, x[0], constant(0)), constant(-1), constant(0)));
    return select(isNaN(x[0]), x[0], sign);
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

/// A complex number to a whole real power between -100 and 100, in NumPy's order of multiplications, which decides what
/// becomes of infinities: the first three powers are products of the number, others products of one and its squares.
Value Emitter::wholePower(Value base, Value exponent) const {
  Type part = cast<ComplexType>(type).getElementType(), i64 = builder.getI64Type();
  Emitter parts{builder, loc, part};
  auto times = [&](Value a, Value b) { return emitComplex(Ufunc::multiply, {a, b}); };
  Value n = make<arith::FPToSIOp>(i64, make<math::AbsFOp>(exponent));
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{type, type, i64}, ValueRange{constant(1), base, n},
      [&](OpBuilder &b, Location l, ValueRange a) {
        Value more = arith::CmpIOp::create(b, l, arith::CmpIPredicate::ne, a[2], emitConstant(b, l, i64, 0));
        scf::ConditionOp::create(b, l, more, a);
      },
      [&](OpBuilder &b, Location l, ValueRange a) {
        Emitter inside{b, l, type};
        Value isOdd = arith::TruncIOp::create(b, l, b.getI1Type(), a[2]);
        Value result = inside.select(isOdd, inside.emitComplex(Ufunc::multiply, {a[0], a[1]}), a[0]);
        Value half = arith::ShRUIOp::create(b, l, a[2], emitConstant(b, l, i64, 1));
        scf::YieldOp::create(b, l, ValueRange{result, inside.emitComplex(Ufunc::multiply, {a[1], a[1]}), half});
      });
  Value square = times(base, base), power = loop.getResult(0);
  auto is = [&](double number) {
    return parts.compare(arith::CmpFPredicate::OEQ, exponent, parts.constant(number));
  };
  power = select(is(1), base, select(is(2), square, select(is(3), times(base, square), power)));
  Value isNegative = parts.compare(arith::CmpFPredicate::OLT, exponent, parts.constant(0));
  return select(isNegative, make<complex::DivOp>(constant(1), power), power);
}

/// The real part of a complex value that was made of a real one; null of others.
Value realOf(OpBuilder &builder, Location loc, Value value) {
  if (auto create = value.getDefiningOp<complex::CreateOp>())
    return matchPattern(create.getImaginary(), m_PosZeroFloat()) ? create.getReal() : Value();
  auto constant = value.getDefiningOp<complex::ConstantOp>();
  if (!constant || !cast<FloatAttr>(constant.getValue()[1]).getValue().isPosZero())
    return {};
  return arith::ConstantOp::create(builder, loc, cast<FloatAttr>(constant.getValue()[0]));
}

/// NumPy's quotient by a real number, which is one of complex numbers: zeros times infinities are NaN. (The operation of
/// the complex dialect leaves out a division by 1.)
Value Emitter::dividedByReal(Value number, Value divisor) const {
  Type part = divisor.getType();
  Emitter parts{builder, loc, part};
  auto times = [&](Value a, Value b) { return make<arith::MulFOp>(a, b); };
  Value re = make<complex::ReOp>(part, number), im = make<complex::ImOp>(part, number), zero = parts.constant(0);
  Value ratio = make<arith::DivFOp>(zero, divisor);
  Value scale = make<arith::DivFOp>(parts.constant(1), make<arith::AddFOp>(divisor, times(zero, ratio)));
  Value real = times(make<arith::AddFOp>(re, times(im, ratio)), scale);
  Value imag = times(make<arith::SubFOp>(im, times(re, ratio)), scale);
  Value isZero = parts.compare(arith::CmpFPredicate::OEQ, divisor, zero), magnitude = make<math::AbsFOp>(divisor);
  return make<complex::CreateOp>(type, select(isZero, make<arith::DivFOp>(re, magnitude), real),
                                 select(isZero, make<arith::DivFOp>(im, magnitude), imag));
}

/// NumPy's cases: the zeroth power is 1 of zero too, zero has the powers of a positive real part only, and small whole
/// powers are products.
Value Emitter::complexPower(Value base, Value exponent) const {
  using P = arith::CmpFPredicate;
  Type part = cast<ComplexType>(type).getElementType();
  Emitter parts{builder, loc, part};
  auto re = [&](Value v) { return make<complex::ReOp>(part, v); };
  auto im = [&](Value v) { return make<complex::ImOp>(part, v); };
  auto both = [&](Value p, Value q) { return make<arith::AndIOp>(p, q); };
  Value zero = parts.constant(0), nan = parts.constant(std::numeric_limits<double>::quiet_NaN());
  Value real = re(exponent);
  auto isZero = [&](Value v) { return both(parts.compare(P::OEQ, re(v), zero), parts.compare(P::OEQ, im(v), zero)); };
  Value isSmall = parts.compare(P::OLT, make<math::AbsFOp>(real), parts.constant(100));
  Value isWhole = both(parts.compare(P::OEQ, im(exponent), zero),
                       both(isSmall, parts.compare(P::OEQ, make<math::FloorOp>(real), real)));
  auto branch = scf::IfOp::create(
      builder, loc, isWhole,
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, Emitter{b, l, type}.wholePower(base, real)); },
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, complex::PowOp::create(b, l, type, base, exponent).getResult()); });
  Value ofZero = select(parts.compare(P::OGT, real, zero), constant(0), make<complex::CreateOp>(type, nan, nan));
  return select(isZero(exponent), constant(1), select(isZero(base), ofZero, branch.getResult(0)));
}

Value Emitter::emitComplex(Ufunc ufunc, ValueRange x) const {
  auto complexType = cast<ComplexType>(type);
  Type part = complexType.getElementType();
  Emitter parts{builder, loc, part};
  auto re = [&](Value v) { return make<complex::ReOp>(part, v); };
  auto im = [&](Value v) { return make<complex::ImOp>(part, v); };
  if (ufunc == Ufunc::divide)
    if (Value divisor = realOf(builder, loc, x[1]))
      return dividedByReal(x[0], divisor);
  if (Value value = emitComplexOperation(builder, loc, ufunc, x))
    return value;
  if (Value value = x.size() == 1 ? emitComplexFunction(builder, loc, ufunc, x[0]) : Value())
    return value;
  switch (ufunc) {
  case Ufunc::power:
    return complexPower(x[0], x[1]);
  case Ufunc::multiply: {
    // NumPy's formula: the operation of the complex dialect repairs infinities, which NumPy does not.
    Value a = re(x[0]), b = im(x[0]), c = re(x[1]), d = im(x[1]);
    Value real = make<arith::SubFOp>(make<arith::MulFOp>(a, c), make<arith::MulFOp>(b, d));
    Value imag = make<arith::AddFOp>(make<arith::MulFOp>(a, d), make<arith::MulFOp>(b, c));
    return make<complex::CreateOp>(type, real, imag);
  }
  case Ufunc::square:
    return emitComplex(Ufunc::multiply, {x[0], x[0]});
  case Ufunc::positive:
    return x[0];
  case Ufunc::real:
    return re(x[0]);
  case Ufunc::imag:
    return im(x[0]);
  case Ufunc::rint:
    return make<complex::CreateOp>(type, parts.emitReal(Ufunc::rint, re(x[0])), parts.emitReal(Ufunc::rint, im(x[0])));
  case Ufunc::conjugate:
    return make<complex::CreateOp>(type, re(x[0]), make<arith::NegFOp>(im(x[0])));
  case Ufunc::negative:
    return make<complex::CreateOp>(type, make<arith::NegFOp>(re(x[0])), make<arith::NegFOp>(im(x[0])));
  case Ufunc::absolute:
    return parts.hypot(re(x[0]), im(x[0]));
  case Ufunc::sign: {
    Value magnitude = parts.hypot(re(x[0]), im(x[0]));
    Value isZero = parts.compare(arith::CmpFPredicate::OEQ, magnitude, parts.constant(0));
    Value by = parts.select(isZero, parts.constant(1), magnitude);
    // One infinite part is the direction, two are none.
    Value toReal = parts.emitReal(Ufunc::isinf, re(x[0])), toImag = parts.emitReal(Ufunc::isinf, im(x[0]));
    Value isInfinite = make<arith::OrIOp>(toReal, toImag), areBoth = make<arith::AndIOp>(toReal, toImag);
    Value nan = parts.constant(std::numeric_limits<double>::quiet_NaN());
    auto along = [&](Value number, Value isMine) {
      Value one = make<math::CopySignOp>(parts.constant(1), number);
      Value unit = parts.select(areBoth, nan, parts.select(isMine, one, parts.constant(0)));
      return parts.select(isInfinite, unit, make<arith::DivFOp>(number, by));
    };
    return make<complex::CreateOp>(type, along(re(x[0]), toReal), along(im(x[0]), toImag));
  }
  case Ufunc::equal:
  case Ufunc::not_equal: {
    Value equal = make<arith::AndIOp>(parts.compare(arith::CmpFPredicate::OEQ, re(x[0]), re(x[1])),
                                      parts.compare(arith::CmpFPredicate::OEQ, im(x[0]), im(x[1])));
    Value one = make<arith::ConstantIntOp>(builder.getI1Type(), 1);
    return ufunc == Ufunc::equal ? equal : make<arith::XOrIOp>(equal, one);
  }
  // Ordered by the real part, then the imaginary one; nothing is ordered where a part is NaN.
  case Ufunc::less:
  case Ufunc::less_equal:
  case Ufunc::greater:
  case Ufunc::greater_equal: {
    bool isLess = ufunc == Ufunc::less || ufunc == Ufunc::less_equal;
    auto strict = realPredicate(isLess ? Ufunc::less : Ufunc::greater);
    Value first = make<arith::AndIOp>(parts.compare(strict, re(x[0]), re(x[1])),
                                      parts.compare(arith::CmpFPredicate::ORD, im(x[0]), im(x[1])));
    Value tie = parts.compare(arith::CmpFPredicate::OEQ, re(x[0]), re(x[1]));
    Value second = parts.compare(realPredicate(ufunc), im(x[0]), im(x[1]));
    return make<arith::OrIOp>(first, make<arith::AndIOp>(tie, second));
  }
  case Ufunc::maximum:
  case Ufunc::minimum: {
    Value keep = emitComplex(ufunc == Ufunc::maximum ? Ufunc::greater_equal : Ufunc::less_equal, x);
    Value nan = make<arith::OrIOp>(parts.isNaN(re(x[0])), parts.isNaN(im(x[0])));
    return select(make<arith::OrIOp>(keep, nan), x[0], x[1]);
  }
  case Ufunc::isnan:
  case Ufunc::isinf:
    return make<arith::OrIOp>(parts.emitReal(ufunc, re(x[0])), parts.emitReal(ufunc, im(x[0])));
  case Ufunc::isfinite:
    return make<arith::AndIOp>(parts.emitReal(ufunc, re(x[0])), parts.emitReal(ufunc, im(x[0])));
  default:
    return Value();
  }
}
} // namespace

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
  Emitter emitter{builder, loc, type};
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
  switch (neutral) {
  case np::Neutral::Zero:
    return emitConstant(builder, loc, type, 0);
  case np::Neutral::One:
    return emitConstant(builder, loc, type, 1);
  case np::Neutral::AllOnes:
    return emitConstant(builder, loc, type, -1);
  case np::Neutral::Least:
  case np::Neutral::Greatest:
    break;
  }
  bool isLeast = neutral == np::Neutral::Least;
  if (auto real = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(real, APFloat::getInf(real.getFloatSemantics(), isLeast)));
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger() || width == 1;
  APInt bound = isUnsigned ? (isLeast ? APInt::getZero(width) : APInt::getMaxValue(width))
                           : (isLeast ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(getRegisterType(type), bound));
}

/// float64 to float16, rounded once: to float32 by rounding to odd (which keeps what the second rounding must know), then to nearest.
/// Machines have no such instruction, and the function that compilers call instead is not everywhere.
static Value narrowToHalf(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type(), i32 = builder.getI32Type();
  using P = arith::CmpFPredicate;
  Value nearest = arith::TruncFOp::create(builder, loc, f32, value);
  Value back = arith::ExtFOp::create(builder, loc, f64, nearest);
  Value exact = arith::CmpFOp::create(builder, loc, P::UEQ, back, value); // NaN too
  Value magnitude = math::AbsFOp::create(builder, loc, value), rounded = math::AbsFOp::create(builder, loc, back);
  Value tooLarge = arith::CmpFOp::create(builder, loc, P::OGT, rounded, magnitude);
  Value bits = arith::BitcastOp::create(builder, loc, i32, nearest);
  Value one = arith::ConstantIntOp::create(builder, loc, i32, 1), zero = arith::ConstantIntOp::create(builder, loc, i32, 0);
  Value towardZero = arith::SubIOp::create(builder, loc, bits, arith::SelectOp::create(builder, loc, tooLarge, one, zero));
  Value odd = arith::OrIOp::create(builder, loc, towardZero, one);
  Value chosen = arith::SelectOp::create(builder, loc, exact, bits, odd);
  return arith::TruncFOp::create(builder, loc, builder.getF16Type(), arith::BitcastOp::create(builder, loc, f32, chosen));
}

/// What x86 makes of a float, which is what NumPy gives: of 32 bits for narrow integers, otherwise of 64. NaN and what
/// is too large become the least signed integer of that width (unsigned ones of 64 bits above half their range are
/// converted less that half), of which a narrow result keeps the low bits.
static Value wholeNumber(const Emitter &source, Value value, Type to) {
  using P = arith::CmpFPredicate;
  OpBuilder &builder = source.builder;
  unsigned toWidth = to.getIntOrFloatBitWidth();
  bool isWide = toWidth == 64 || (toWidth == 32 && to.isUnsignedInteger());
  Emitter number = source;
  if (source.type.isF16()) { // which does not hold the bounds
    number.type = builder.getF32Type();
    value = source.make<arith::ExtFOp>(number.type, value);
  }
  IntegerType signless = builder.getIntegerType(isWide ? 64 : 32);
  double half = isWide ? 0x1p63 : 0x1p31;
  Value least =
      source.make<arith::ConstantOp>(builder.getIntegerAttr(signless, APInt::getSignedMinValue(signless.getWidth())));
  auto convert = [&](Value x) {
    Value fits = number.compare(P::OLT, source.make<math::AbsFOp>(x), number.constant(half));
    // The conversion of what does not fit is undefined: it gets another number.
    Value whole = source.make<arith::FPToSIOp>(signless, source.select(fits, x, number.constant(0)));
    return source.select(fits, whole, least);
  };
  Value integer = convert(value);
  if (to.isUnsignedInteger(64)) {
    Value isUpper = number.compare(P::OGE, value, number.constant(half));
    Value upper = source.make<arith::XOrIOp>(convert(source.make<arith::SubFOp>(value, number.constant(half))), least);
    integer = source.select(isUpper, upper, integer);
  }
  return toWidth < signless.getWidth() ? source.make<arith::TruncIOp>(getRegisterType(to), integer) : integer;
}

Value emitCast(OpBuilder &builder, Location loc, Value value, Type from, Type to) {
  if (from == to)
    return value;
  Emitter source{builder, loc, from};
  auto target = getRegisterType(to);
  if (to.isInteger(1)) {
    Value zero = source.constant(0);
    return emitUfunc(builder, loc, Ufunc::not_equal, {value, zero}, from);
  }
  if (auto complexFrom = dyn_cast<ComplexType>(from)) {
    Type part = complexFrom.getElementType();
    Value real = source.make<complex::ReOp>(part, value);
    auto complexTo = dyn_cast<ComplexType>(to);
    if (!complexTo)
      return emitCast(builder, loc, real, part, to);
    Value imag = source.make<complex::ImOp>(part, value);
    return source.make<complex::CreateOp>(to, emitCast(builder, loc, real, part, complexTo.getElementType()),
                                          emitCast(builder, loc, imag, part, complexTo.getElementType()));
  }
  if (auto complexTo = dyn_cast<ComplexType>(to)) {
    Type part = complexTo.getElementType();
    return source.make<complex::CreateOp>(to, emitCast(builder, loc, value, from, part), emitConstant(builder, loc, part, 0));
  }
  // bfloat16 by way of float32, as ml_dtypes converts it.
  Type f32 = builder.getF32Type();
  if (from.isBF16() && !to.isF32())
    return emitCast(builder, loc, source.make<arith::ExtFOp>(f32, value), f32, to);
  if (to.isBF16() && !from.isF32())
    return source.make<arith::TruncFOp>(to, emitCast(builder, loc, value, from, f32));
  bool fromReal = isa<FloatType>(from), toReal = isa<FloatType>(to);
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (fromReal && toReal && fromWidth == 64 && toWidth == 16)
    return narrowToHalf(builder, loc, value);
  if (fromReal && toReal)
    return fromWidth < toWidth ? source.make<arith::ExtFOp>(to, value) : source.make<arith::TruncFOp>(to, value);
  if (toReal)
    return source.isUnsigned ? source.make<arith::UIToFPOp>(to, value) : source.make<arith::SIToFPOp>(to, value);
  if (fromReal)
    return wholeNumber(source, value, to);
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return source.make<arith::TruncIOp>(target, value);
  return source.isUnsigned ? source.make<arith::ExtUIOp>(target, value) : source.make<arith::ExtSIOp>(target, value);
}

} // namespace npcc

// Elementwise functions that are told by the bits or the divisors of one element.
#include "compiler/kernels/BitOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace npcc {
namespace {

using F = arith::CmpFPredicate;
using I = arith::CmpIPredicate;
using np::Ufunc;

/// A number of a type, and arithmetic on such numbers.
struct Emitter {
  OpBuilder &builder;
  Location loc;

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Value integer(Type type, const APInt &value) const {
    return make<arith::ConstantOp>(builder.getIntegerAttr(type, value));
  }
  Value integer(Type type, int64_t value) const { return make<arith::ConstantOp>(builder.getIntegerAttr(type, value)); }
  Value real(FloatType type, double value) const { return make<arith::ConstantOp>(builder.getFloatAttr(type, value)); }
  Value real(FloatType type, const APFloat &value) const {
    return make<arith::ConstantOp>(builder.getFloatAttr(type, value));
  }
  Value compare(I predicate, Value a, Value b) const { return make<arith::CmpIOp>(predicate, a, b); }
  Value compare(F predicate, Value a, Value b) const { return make<arith::CmpFOp>(predicate, a, b); }
  Value select(Value condition, Value a, Value b) const { return make<arith::SelectOp>(condition, a, b); }

  Value magnitude(Value x) const {
    Value zero = integer(x.getType(), 0);
    return select(compare(I::slt, x, zero), make<arith::SubIOp>(zero, x), x);
  }
  Value greatestDivisor(Value a, Value b) const;
  Value next(FloatType type, Value x, Value toward) const;
  Value spacing(FloatType type, Value x) const;
  Value scaled(FloatType type, Value x, Value exponent) const;
  std::pair<Value, Value> parts(FloatType type, Value x) const;
  IntegerType bitsOf(FloatType type) const { return builder.getIntegerType(type.getWidth()); }
};

/// Euclid's algorithm, of numbers without a sign.
Value Emitter::greatestDivisor(Value a, Value b) const {
  Type type = a.getType();
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{type, type}, ValueRange{a, b},
      [&](OpBuilder &inner, Location at, ValueRange args) {
        Value more = arith::CmpIOp::create(inner, at, I::ne, args[1], Emitter{inner, at}.integer(type, 0));
        scf::ConditionOp::create(inner, at, more, args);
      },
      [&](OpBuilder &inner, Location at, ValueRange args) {
        scf::YieldOp::create(inner, at, ValueRange{args[1], arith::RemUIOp::create(inner, at, args[0], args[1])});
      });
  return loop.getResult(0);
}

/// The bits of a positive number, taken as an integer, count the numbers from zero on.
Value Emitter::next(FloatType type, Value x, Value toward) const {
  IntegerType bits = bitsOf(type);
  Value zero = real(type, 0.0), one = integer(bits, 1);
  Value raw = make<arith::BitcastOp>(bits, x);
  Value isUp = compare(F::OLT, x, toward), isPositive = compare(F::OGT, x, zero);
  Value isOutward = compare(I::eq, isUp, isPositive);
  Value moved = select(isOutward, make<arith::AddIOp>(raw, one), make<arith::SubIOp>(raw, one));
  Value least = make<math::CopySignOp>(real(type, APFloat::getSmallest(type.getFloatSemantics())), toward);
  Value result = select(compare(F::OEQ, x, zero), least, make<arith::BitcastOp>(type, moved));
  result = select(compare(F::OEQ, x, toward), type.isF16() ? x : toward, result); // as NumPy has it, of zeros
  return select(compare(F::UNO, x, toward), make<arith::AddFOp>(x, toward), result);
}

/// The distance to the next number away from zero, with the sign of the number but in half precision, as NumPy has it.
Value Emitter::spacing(FloatType type, Value x) const {
  Value infinity = real(type, APFloat::getInf(type.getFloatSemantics()));
  Value outward = make<math::CopySignOp>(infinity, x);
  Value distance = make<arith::SubFOp>(next(type, x, outward), x);
  // The distance from zero has no sign, and that of halves never has one.
  Value size = make<math::AbsFOp>(distance);
  distance = type.isF16() ? size : select(compare(F::OEQ, x, real(type, 0)), size, distance);
  Value isInfinite = compare(F::OEQ, x, outward);
  return select(isInfinite, real(type, APFloat::getNaN(type.getFloatSemantics())), distance);
}

/// x * 2^exponent, rounded once: in two steps of what the type holds, of which the first keeps all digits (a number
/// that ends beneath the normal ones is multiplied by a power that leaves it normal), then by the power that remains.
Value Emitter::scaled(FloatType type, Value x, Value exponent) const {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  IntegerType bits = bitsOf(type);
  int most = APFloat::semanticsMaxExponent(semantics), least = APFloat::semanticsMinExponent(semantics);
  int digits = APFloat::semanticsPrecision(semantics);
  auto power = [&](int n) { return real(type, scalbn(APFloat::getOne(semantics), n, APFloat::rmNearestTiesToEven)); };
  Value n = make<arith::FPToSIOp>(bits, exponent), result = x;
  auto limit = [&](int64_t number) { return integer(bits, number); };
  for (int step = 0; step < 2; ++step) {
    Value isLarge = compare(I::sgt, n, limit(most)), isSmall = compare(I::slt, n, limit(least));
    Value factor = select(isLarge, power(most), select(isSmall, power(least + digits), power(0)));
    result = make<arith::MulFOp>(result, factor);
    Value done = select(isLarge, limit(most), select(isSmall, limit(least + digits), limit(0)));
    n = make<arith::SubIOp>(n, done);
  }
  n = make<arith::MaxSIOp>(make<arith::MinSIOp>(n, limit(most)), limit(least));
  Value raw = make<arith::ShLIOp>(make<arith::AddIOp>(n, limit(most)), limit(digits - 1));
  return make<arith::MulFOp>(result, make<arith::BitcastOp>(type, raw));
}

/// The number as mantissa * 2^exponent with a mantissa from 0.5 to 1; zero, infinities and NaN are their own, with 0.
std::pair<Value, Value> Emitter::parts(FloatType type, Value x) const {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  IntegerType bits = bitsOf(type);
  int bias = APFloat::semanticsMaxExponent(semantics), digits = APFloat::semanticsPrecision(semantics);
  unsigned width = type.getWidth(), stored = digits - 1;
  Value size = make<math::AbsFOp>(x);
  Value isSmall = compare(F::OLT, size, real(type, APFloat::getSmallestNormalized(semantics)));
  Value up = real(type, scalbn(APFloat::getOne(semantics), digits, APFloat::rmNearestTiesToEven));
  Value normal = select(isSmall, make<arith::MulFOp>(x, up), x);
  Value raw = make<arith::BitcastOp>(bits, normal);
  APInt ones = APInt::getBitsSet(width, stored, width - 1);
  Value field = make<arith::ShRUIOp>(make<arith::AndIOp>(raw, integer(bits, ones)), integer(bits, stored));
  Value exponent = make<arith::SubIOp>(field, integer(bits, bias - 1));
  exponent = make<arith::SubIOp>(exponent, select(isSmall, integer(bits, digits), integer(bits, 0)));
  Value half = integer(bits, APInt(width, bias - 1) << stored);
  Value mantissa =
      make<arith::BitcastOp>(type, make<arith::OrIOp>(make<arith::AndIOp>(raw, integer(bits, ~ones)), half));
  Value zero = real(type, 0.0);
  Value isOrdinary =
      make<arith::AndIOp>(compare(F::OGT, size, zero), compare(F::OLT, size, real(type, APFloat::getInf(semantics))));
  return {select(isOrdinary, mantissa, x), select(isOrdinary, make<arith::SIToFPOp>(type, exponent), zero)};
}

} // namespace

Value emitIntegerBits(OpBuilder &builder, Location loc, Ufunc ufunc, ValueRange operands, bool isUnsigned) {
  Emitter emitter{builder, loc};
  auto size = [&](Value x) { return isUnsigned ? x : emitter.magnitude(x); };
  if (ufunc == Ufunc::bitwise_count)
    return emitter.make<math::CtPopOp>(size(operands[0]));
  if (ufunc != Ufunc::gcd && ufunc != Ufunc::lcm)
    return {};
  Value a = size(operands[0]), b = size(operands[1]), divisor = emitter.greatestDivisor(a, b);
  if (ufunc == Ufunc::gcd)
    return divisor;
  Value zero = emitter.integer(a.getType(), 0), one = emitter.integer(a.getType(), 1);
  Value isZero = emitter.compare(I::eq, divisor, zero);
  Value quotient = emitter.make<arith::DivUIOp>(a, emitter.select(isZero, one, divisor));
  return emitter.make<arith::MulIOp>(quotient, b);
}

Value emitFloatBits(OpBuilder &builder, Location loc, Ufunc ufunc, ValueRange operands, FloatType type) {
  Emitter emitter{builder, loc};
  switch (ufunc) {
  case Ufunc::nextafter:
    return emitter.next(type, operands[0], operands[1]);
  case Ufunc::spacing:
    return emitter.spacing(type, operands[0]);
  case Ufunc::ldexp:
    return emitter.scaled(type, operands[0], operands[1]);
  case Ufunc::frexp_mantissa:
    return emitter.parts(type, operands[0]).first;
  case Ufunc::frexp_exponent:
    return emitter.parts(type, operands[0]).second;
  default:
    return {};
  }
}

} // namespace npcc

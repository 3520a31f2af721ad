// NumPy's elementwise functions on one complex number, or two: those that are several operations.
#include "compiler/kernels/ComplexOps.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "compiler/kernels/ScalarTables.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;
using npcc::np::Ufunc;

namespace npcc {

/// A complex number to a whole real power between -100 and 100, in NumPy's order of multiplications, which decides what
/// becomes of infinities: the first three powers are products of the number, others products of one and its squares.
Value ScalarEmitter::wholePower(Value base, Value exponent) const {
  Type part = cast<ComplexType>(type).getElementType(), i64 = builder.getI64Type();
  ScalarEmitter parts{builder, loc, part};
  auto times = [&](Value a, Value b) { return emitComplex(Ufunc::multiply, {a, b}); };
  Value n = make<arith::FPToSIOp>(i64, make<math::AbsFOp>(exponent));
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{type, type, i64}, ValueRange{constant(1), base, n},
      [&](OpBuilder &b, Location l, ValueRange a) {
        Value more = arith::CmpIOp::create(b, l, arith::CmpIPredicate::ne, a[2], emitConstant(b, l, i64, 0));
        scf::ConditionOp::create(b, l, more, a);
      },
      [&](OpBuilder &b, Location l, ValueRange a) {
        ScalarEmitter inside{b, l, type};
        Value isOdd = arith::TruncIOp::create(b, l, b.getI1Type(), a[2]);
        Value result = inside.select(isOdd, inside.emitComplex(Ufunc::multiply, {a[0], a[1]}), a[0]);
        Value half = arith::ShRUIOp::create(b, l, a[2], emitConstant(b, l, i64, 1));
        scf::YieldOp::create(b, l, ValueRange{result, inside.emitComplex(Ufunc::multiply, {a[1], a[1]}), half});
      });
  Value square = times(base, base), power = loop.getResult(0);
  auto is = [&](double number) { return parts.compare(arith::CmpFPredicate::OEQ, exponent, parts.constant(number)); };
  power = select(is(1), base, select(is(2), square, select(is(3), times(base, square), power)));
  Value isNegative = parts.compare(arith::CmpFPredicate::OLT, exponent, parts.constant(0));
  return select(isNegative, make<complex::DivOp>(constant(1), power), power);
}

/// The real part of a complex value that was made of a real one; null of others.
static Value realOf(OpBuilder &builder, Location loc, Value value) {
  if (auto create = value.getDefiningOp<complex::CreateOp>())
    return matchPattern(create.getImaginary(), m_PosZeroFloat()) ? create.getReal() : Value();
  auto constant = value.getDefiningOp<complex::ConstantOp>();
  if (!constant || !cast<FloatAttr>(constant.getValue()[1]).getValue().isPosZero())
    return {};
  return arith::ConstantOp::create(builder, loc, cast<FloatAttr>(constant.getValue()[0]));
}

/// NumPy's quotient by a real number, which is one of complex numbers: zeros times infinities are NaN. (The operation
/// of the complex dialect leaves out a division by 1.)
Value ScalarEmitter::dividedByReal(Value number, Value divisor) const {
  Type part = divisor.getType();
  ScalarEmitter parts{builder, loc, part};
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
Value ScalarEmitter::complexPower(Value base, Value exponent) const {
  using P = arith::CmpFPredicate;
  Type part = cast<ComplexType>(type).getElementType();
  ScalarEmitter parts{builder, loc, part};
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
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, ScalarEmitter{b, l, type}.wholePower(base, real)); },
      [&](OpBuilder &b, Location l) {
        scf::YieldOp::create(b, l, complex::PowOp::create(b, l, type, base, exponent).getResult());
      });
  Value ofZero = select(parts.compare(P::OGT, real, zero), constant(0), make<complex::CreateOp>(type, nan, nan));
  return select(isZero(exponent), constant(1), select(isZero(base), ofZero, branch.getResult(0)));
}

/// log(exp(z)) and exp(log(z)), which the complex dialect folds to z. The imaginary part of a logarithm lies between
/// -pi and pi, and both are rounded. A choice between the value and itself stands in between, which does not fold.
Value ScalarEmitter::emitOfInverse(Ufunc ufunc, Value z) const {
  auto complexType = cast<ComplexType>(z.getType());
  ScalarEmitter parts{builder, loc, complexType.getElementType()};
  Value re = make<complex::ReOp>(parts.type, z), im = make<complex::ImOp>(parts.type, z);
  Value nan = parts.constant(std::numeric_limits<double>::quiet_NaN());
  Value same = select(parts.isNaN(re), make<complex::CreateOp>(complexType, nan, im), z);
  return emitComplex(ufunc, same);
}

Value ScalarEmitter::emitComplex(Ufunc ufunc, ValueRange x) const {
  auto complexType = cast<ComplexType>(type);
  Type part = complexType.getElementType();
  ScalarEmitter parts{builder, loc, part};
  auto re = [&](Value v) { return make<complex::ReOp>(part, v); };
  auto im = [&](Value v) { return make<complex::ImOp>(part, v); };
  if (ufunc == Ufunc::divide)
    if (Value divisor = realOf(builder, loc, x[1]))
      return dividedByReal(x[0], divisor);
  // As operations of the complex dialect these would fold: (a + b) - b to a, and a + 0 too where a part of a is -0.
  bool addsConstant = ufunc == Ufunc::add && llvm::any_of(x, [](Value each) {
                        return isa_and_nonnull<complex::ConstantOp>(each.getDefiningOp());
                      });
  if (ufunc == Ufunc::subtract || addsConstant) {
    auto ofParts = [&](Value a, Value b) { return parts.emitReal(ufunc, {a, b}); };
    return make<complex::CreateOp>(type, ofParts(re(x[0]), re(x[1])), ofParts(im(x[0]), im(x[1])));
  }
  if ((ufunc == Ufunc::log && x[0].getDefiningOp<complex::ExpOp>()) ||
      (ufunc == Ufunc::exp && x[0].getDefiningOp<complex::LogOp>()))
    return emitOfInverse(ufunc, x[0]);
  if (Value value = emitComplexOperation(builder, loc, ufunc, x))
    return value;
  if (Value value = x.size() == 1 ? emitComplexFunction(builder, loc, ufunc, x[0]) : Value())
    return value;
  switch (ufunc) {
  case Ufunc::power:
  case Ufunc::float_power:
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
  case Ufunc::fmax:
  case Ufunc::fmin: {
    Value keep = emitComplex(ufunc == Ufunc::fmax ? Ufunc::greater_equal : Ufunc::less_equal, x);
    Value nan = make<arith::OrIOp>(parts.isNaN(re(x[1])), parts.isNaN(im(x[1])));
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

} // namespace npcc

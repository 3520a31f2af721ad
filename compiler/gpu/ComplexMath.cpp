// Functions of complex numbers for a GPU, which has no library of them, with NumPy's results: also for zeros with
// signs, infinities and NaN (C, annex G), and where a part of the formula overflows and the result does not.
#include "compiler/gpu/ComplexMath.h"
#include "compiler/kernels/Real.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;

namespace npcc {
using namespace real;
namespace {

struct Parts {
  Real re, im;
};

Real sin(Real a) { return either(a == 0, a, a.unary<math::SinOp>()); }
Real cos(Real a) { return a.unary<math::CosOp>(); }
Real sinh(Real a) { return either(a == 0, a, a.unary<math::SinhOp>()); }
Real cosh(Real a) { return a.unary<math::CoshOp>(); }
Real exp(Real a) { return a.unary<math::ExpOp>(); }

Value both(Real a, Value p, Value q) { return arith::AndIOp::create(*a.builder, a.loc, p, q); }
Value isInfinite(Real a) { return abs(a) == INFINITY; }
bool isSingle(Real a) { return a.value.getType().isF32(); }

Value joined(Parts z) {
  return complex::CreateOp::create(*z.re.builder, z.re.loc, ComplexType::get(z.re.value.getType()), z.re.value,
                                   z.im.value);
}
Real length(Parts z) { return z.re.with(complex::AbsOp::create(*z.re.builder, z.re.loc, joined(z))); }
Real angle(Parts z) { return z.re.with(complex::AngleOp::create(*z.re.builder, z.re.loc, joined(z))); }

/// The product; 0 times what is not finite is 0, with the sign of the product.
Real multiply(Real x, Real y) {
  Real one = x.constant(1), product = x * y;
  auto sign = [&](Real a) { return either(isNaN(a), one, copysign(one, a)); };
  Value isLost = both(x, any(x, x == 0, y == 0), isNaN(product));
  return either(isLost, copysign(x.constant(0), sign(x) * sign(y)), product);
}
/// The same of a cosine and a function of `other`: where that is infinite and the angle has no cosine, so is the
/// product.
Real multiplyCosine(Real cosine, Real y, Real other) {
  return either(both(y, isNaN(cosine), both(y, isInfinite(y), isInfinite(other))), abs(y), multiply(cosine, y));
}

/// sin(a + bi) = sin a cosh b + i cos a sinh b
Parts sine(Parts z) { return {multiply(sin(z.re), cosh(z.im)), multiplyCosine(cos(z.re), sinh(z.im), z.im)}; }
/// cos(a + bi) = cos a cosh b - i sin a sinh b
Parts cosine(Parts z) { return {multiplyCosine(cos(z.re), cosh(z.im), z.im), -multiply(sin(z.re), sinh(z.im))}; }

/// exp(a + bi) = exp a cos b + i exp a sin b
Parts exponential(Parts z) {
  // Where exp a is infinite its product need not be: then it is multiplied in two halves.
  Value isLarge = z.re > (isSingle(z.re) ? 88.0 : 709.0);
  Real factor = exp(either(isLarge, 0.5 * z.re, z.re)), rest = either(isLarge, factor, factor.constant(1));
  Real c = cos(z.im), s = sin(z.im);
  // Beside an infinity it does not matter that there is no angle.
  Value isLost = both(c, isNaN(c), isInfinite(z.re)), isNothing = both(c, isLost, factor == 0);
  Real im = either(isNaN(s), s, multiply(multiply(s, factor), rest));
  return {either(isLost, factor, c * factor * rest), either(isNothing, copysign(factor, z.im), im)};
}

Parts logarithm(Parts z) {
  Real a = abs(z.re), b = abs(z.im), r = length(z);
  Real large = either(a < b, b, a), small = either(a < b, a, b);
  // Near 1 the length has lost what its logarithm is made of.
  Value isNear = both(r, r <= 1.73, r.constant(0.71) <= r);
  return {either(isNear, 0.5 * log1p((large - 1.0) * (large + 1.0) + small * small), log(r)), angle(z)};
}

/// The half of the sum of length and |a| is the square of one part, and b the double product of both.
Parts root(Parts z) {
  const double largest = isSingle(z.re) ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  Real a = abs(z.re), b = abs(z.im);
  Value isLarge = any(a, a > largest / 4, b > largest / 4);
  Real scale = either(isLarge, a.constant(0.25), a.constant(1));
  Real t = sqrt(0.5 * (a * scale + length({z.re * scale, z.im * scale})));
  Real large = t * either(isLarge, a.constant(2), a.constant(1)), small = b / (2 * large);
  small = either(large == 0, large, small);
  Value isRight = z.re.constant(0) <= z.re, isUp = isInfinite(z.im);
  Real re = either(isUp, b, either(isRight, large, small)), im = either(isRight, small, large);
  return {re, either(isUp, z.im, copysign(im, z.im))};
}

/// Kahan, "Branch cuts for complex elementary functions" (1987).
Parts hyperbolicTangent(Parts z) {
  Real one = z.re.constant(1), zero = z.re.constant(0), t = z.im.unary<math::TanOp>(), s = sinh(z.re);
  Real beta = t * t + 1.0, rho = sqrt(s * s + 1.0), denominator = beta * s * s + 1.0;
  Value isUpright = isInfinite(t);
  Real re = either(isUpright, rho / s, beta * rho * s / denominator), im = either(isUpright, 1.0 / t, t / denominator);
  Value isFar = abs(z.re) > 22.0;
  Real twice = sin(z.im) * cos(z.im);
  twice = either(both(t, isInfinite(z.re), isNaN(twice)), zero, twice);
  re = either(isFar, copysign(one, z.re) + (twice - twice), re); // NaN where the angle has no sine
  im = either(isFar, 4.0 * twice * exp(-2.0 * abs(z.re)), im);
  return {either(z.re == 0, z.re, re), either(z.im == 0, z.im, im)};
}

/// tan z = -i tanh iz
Parts tangent(Parts z) {
  Parts turned = hyperbolicTangent({-z.im, z.re});
  return {turned.im, -turned.re};
}

/// Smith's method, as NumPy divides, with NumPy's choice for a divisor of zero.
Parts quotient(Parts a, Parts b) {
  Real absR = abs(b.re), absI = abs(b.im);
  Value isRealLarger = absI <= absR;
  Real large = either(isRealLarger, b.re, b.im), small = either(isRealLarger, b.im, b.re);
  Real ratio = small / large, scale = 1.0 / (large + small * ratio);
  Real re = either(isRealLarger, a.re + a.im * ratio, a.re * ratio + a.im) * scale;
  Real im = either(isRealLarger, a.im - a.re * ratio, a.im * ratio - a.re) * scale;
  Value isByZero = both(absR, absR == 0, absI == 0);
  return {either(isByZero, a.re / absR, re), either(isByZero, a.im / absR, im)};
}

} // namespace

Value expandComplexFunction(OpBuilder &builder, Operation *op) {
  auto partsOf = [&](unsigned operand) -> Parts {
    Value z = op->getOperand(operand);
    Location loc = op->getLoc();
    return {{&builder, loc, complex::ReOp::create(builder, loc, z)},
            {&builder, loc, complex::ImOp::create(builder, loc, z)}};
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<complex::SinOp>([&](auto) { return joined(sine(partsOf(0))); })
      .Case<complex::CosOp>([&](auto) { return joined(cosine(partsOf(0))); })
      .Case<complex::TanOp>([&](auto) { return joined(tangent(partsOf(0))); })
      .Case<complex::TanhOp>([&](auto) { return joined(hyperbolicTangent(partsOf(0))); })
      .Case<complex::ExpOp>([&](auto) { return joined(exponential(partsOf(0))); })
      .Case<complex::LogOp>([&](auto) { return joined(logarithm(partsOf(0))); })
      .Case<complex::SqrtOp>([&](auto) { return joined(root(partsOf(0))); })
      .Case<complex::DivOp>([&](auto) { return joined(quotient(partsOf(0), partsOf(1))); })
      .Default([](Operation *) { return Value(); });
}

} // namespace npcc

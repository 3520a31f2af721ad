// NumPy's functions of complex numbers that are no operation of the complex dialect, from functions of real ones.
//
// The inverse functions follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using exception handling"
// (ACM TOMS 23, 1997), with both sides of each case computed and one selected. Branch cuts and special values are C99's, as NumPy's are.
#include "compiler/kernels/ComplexOps.h"
#include "compiler/kernels/Real.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include <cmath>
#include <numbers>

using namespace mlir;

namespace npcc {
using namespace real;
namespace {

/// sqrt(a*a + b*b) without overflow; infinite if either part is.
Real hypot(Real a, Real b) {
  a = abs(a), b = abs(b);
  Real large = either(a < b, b, a), small = either(a < b, a, b);
  Real ratio = small / either(large == 0, large.constant(1), large);
  Real length = large * sqrt(ratio * ratio + 1.0);
  Value infinite = any(a, a == INFINITY, b == INFINITY);
  return either(infinite, a.constant(INFINITY), either(isNaN(a), a, either(isNaN(b), b, length)));
}

struct Arcs {
  Real sine, cosine, height; // asin = sine + i height, acos = cosine - i height
};

/// Of x + iy with x and y not negative.
Arcs arcs(Real x, Real y) {
  const double pi = std::numbers::pi, ln2 = std::numbers::ln2;
  Real plus = x + 1.0, minus = x - 1.0, yy = y * y;
  Real r = hypot(plus, y), s = hypot(minus, y);
  Real a = 0.5 * (r + s), b = x / a, ax = a + x;
  Value inside = x < 1.0, atMostOne = x <= 1.0, flat = b <= 0.6417;
  Real root = either(atMostOne, sqrt(0.5 * ax * (yy / (r + plus) + (s - minus))), y * sqrt(0.5 * (ax / (r + plus) + ax / (s + minus))));
  Real sine = either(flat, b.unary<math::AsinOp>(), atan2(x, root));
  Real cosine = either(flat, b.unary<math::AcosOp>(), atan2(root, x));
  Real above = 0.5 * (yy / (r + plus) + either(inside, yy / (s - minus), s + minus)); // a - 1
  Real height = either(a <= 1.5, log1p(above + sqrt(above * (a + 1.0))), log(a + sqrt(a * a - 1.0)));
  // Almost real: y*y may be lost.
  Value real = y < 1.1e-16 * abs(minus);
  Real edge = sqrt(plus * abs(minus));
  sine = either(real, either(inside, x.unary<math::AsinOp>(), x.constant(pi / 2)), sine);
  cosine = either(real, either(inside, x.unary<math::AcosOp>(), y / edge), cosine);
  height = either(real, either(inside, y / edge, log1p(minus + edge)), height);
  // Far away; infinities too.
  Value far = any(x, x > 1e9, y > 1e9);
  sine = either(far, atan2(x, y), sine);
  cosine = either(far, atan2(y, x), cosine);
  height = either(far, log(hypot(0.5 * x, 0.5 * y)) + 2 * ln2, height);
  // On the imaginary axis, NaN as y changes nothing.
  return {either(x == 0, x, sine), either(x == 0, x.constant(pi / 2), cosine), height};
}

struct Parts {
  Real re, im;
};

/// artanh of x + iy with x and y not negative.
Parts artanh(Real x, Real y) {
  const double pi = std::numbers::pi;
  Real below = 1.0 - x, yy = y * y, zero = x.constant(0);
  Real re = 0.25 * log1p(4.0 * x / (below * below + yy));
  Value atPole = arith::AndIOp::create(*x.builder, x.loc, x == 1.0, y < 1e-3);
  re = either(atPole, 0.5 * (log(hypot(x + 1.0, y)) - log(y)), re);
  Real im = 0.5 * atan2(2.0 * y, below * (x + 1.0) - yy);
  // Far away it is 1/z and a quarter turn.
  Value far = any(x, x > 1e9, y > 1e9), infinite = any(x, x == INFINITY, y == INFINITY);
  Real steep = x / y, shallow = y / x;
  Real inverse = either(y < x, 1.0 / (x + y * shallow), steep / (y + x * steep));
  re = either(far, either(infinite, zero, inverse), re);
  Real nan = either(y == INFINITY, zero, either(x == INFINITY, either(isNaN(y), y, zero), (x - x) + (y - y)));
  im = either(far, nan + pi / 2, im);
  return {either(x == 0, x, re), im};
}

} // namespace

/// Functions computed in double precision and rounded once.
static Value emitDouble(OpBuilder &builder, Location loc, np::Ufunc ufunc, Value z) {
  Type part = builder.getF64Type();
  auto real = [&](Value value) { return Real{&builder, loc, value}; };
  Real x = real(complex::ReOp::create(builder, loc, part, z)), y = real(complex::ImOp::create(builder, loc, part, z));
  auto create = [&](Real re, Real im) -> Value { return complex::CreateOp::create(builder, loc, z.getType(), re.value, im.value); };
  if (ufunc == np::Ufunc::arcsin) {
    Arcs arc = arcs(abs(x), abs(y));
    return create(copysign(arc.sine, x), copysign(arc.height, y));
  }
  if (ufunc == np::Ufunc::arcsinh) { // -i asin(iz), and asin is odd
    Arcs arc = arcs(abs(y), abs(x));
    return create(copysign(arc.height, x), copysign(arc.sine, y));
  }
  if (ufunc == np::Ufunc::arccos || ufunc == np::Ufunc::arccosh) {
    Arcs arc = arcs(abs(x), abs(y));
    Value left = copysign(x.constant(1), x) < 0.0;
    Real angle = either(left, std::numbers::pi - arc.cosine, arc.cosine);
    return ufunc == np::Ufunc::arccos ? create(angle, copysign(arc.height, -y)) : create(arc.height, copysign(angle, y));
  }
  if (ufunc == np::Ufunc::arctanh) {
    Parts tangent = artanh(abs(x), abs(y));
    return create(copysign(tangent.re, x), copysign(tangent.im, y));
  }
  if (ufunc == np::Ufunc::arctan) { // -i artanh(iz), and artanh is odd
    Parts tangent = artanh(abs(y), abs(x));
    return create(copysign(tangent.im, x), copysign(tangent.re, y));
  }
  return Value();
}

Value emitComplexFunction(OpBuilder &builder, Location loc, np::Ufunc ufunc, Value z) {
  auto type = cast<ComplexType>(z.getType());
  Type part = type.getElementType();
  auto real = [&](Value value) { return Real{&builder, loc, value}; };
  auto parts = [&](Value of) {
    return Parts{real(complex::ReOp::create(builder, loc, part, of)), real(complex::ImOp::create(builder, loc, part, of))};
  };
  auto create = [&](Real re, Real im) -> Value { return complex::CreateOp::create(builder, loc, type, re.value, im.value); };
  auto scaled = [&](Value of, double factor) {
    auto [re, im] = parts(of);
    return create(factor * re, factor * im);
  };
  auto [x, y] = parts(z);
  if (ufunc == np::Ufunc::sinh) { // -i sin(iz)
    auto [re, im] = parts(complex::SinOp::create(builder, loc, type, create(-y, x)));
    return create(im, -re);
  }
  if (ufunc == np::Ufunc::cosh) // cos(-iz)
    return complex::CosOp::create(builder, loc, type, create(y, -x));
  // From here on the formulas are NumPy's own: they decide accuracy and special values.
  if (ufunc == np::Ufunc::exp2)
    return complex::ExpOp::create(builder, loc, type, scaled(z, std::numbers::ln2));
  if (ufunc == np::Ufunc::log2)
    return scaled(complex::LogOp::create(builder, loc, type, z), std::numbers::log2e);
  if (ufunc == np::Ufunc::log10)
    return scaled(complex::LogOp::create(builder, loc, type, z), std::numbers::log10e);
  if (ufunc == np::Ufunc::log1p) {
    Real shifted = x + 1.0;
    return create(log(hypot(shifted, y)), atan2(y, shifted));
  }
  if (ufunc == np::Ufunc::expm1) {
    Real half = (0.5 * y).unary<math::SinOp>();
    return create(x.unary<math::ExpM1Op>() * y.unary<math::CosOp>() - 2.0 * half * half, x.unary<math::ExpOp>() * y.unary<math::SinOp>());
  }
  if (ufunc == np::Ufunc::reciprocal) {
    Value wide = abs(y) <= abs(x);
    Real ratio = either(wide, y / x, x / y);
    Real by = either(wide, x + y * ratio, x * ratio + y);
    return create(either(wide, 1.0 / by, ratio / by), either(wide, -ratio / by, -1.0 / by));
  }
  Type wide = ComplexType::get(builder.getF64Type());
  if (type == wide)
    return emitDouble(builder, loc, ufunc, z);
  auto convert = [&](Type to, Value of, bool widen) -> Value {
    Type from = cast<ComplexType>(of.getType()).getElementType(), target = cast<ComplexType>(to).getElementType();
    Value converted[2];
    Value pieces[2] = {complex::ReOp::create(builder, loc, from, of), complex::ImOp::create(builder, loc, from, of)};
    for (int k = 0; k < 2; ++k)
      converted[k] = widen ? arith::ExtFOp::create(builder, loc, target, pieces[k]).getResult()
                           : arith::TruncFOp::create(builder, loc, target, pieces[k]).getResult();
    return complex::CreateOp::create(builder, loc, to, converted[0], converted[1]);
  };
  Value result = emitDouble(builder, loc, ufunc, convert(wide, z, true));
  return result ? convert(type, result, false) : Value();
}

} // namespace npcc

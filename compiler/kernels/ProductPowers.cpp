// Powers by products that carry along what each of them has rounded off: p = a * b, and fma(a, b, -p) is what p lacks.
// The same goes for a square root s of x, which lacks (x - s * s) / 2s, and for a reciprocal.
#include "compiler/kernels/ProductPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
namespace npcc {
namespace {

/// The sum of two numbers; `low` is a few units in the last place of `high`, or null: nothing.
struct Pair {
  Value high, low;
};

class Products {
public:
  Products(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Pair multiply(Pair a, Pair b) {
    Value high = arith::MulFOp::create(builder, loc, a.high, b.high);
    Value low = fma(a.high, b.high, arith::NegFOp::create(builder, loc, high));
    low = b.low ? fma(a.high, b.low, low) : low;
    low = a.low ? fma(a.low, b.high, low) : low;
    return {high, low};
  }

  Pair root(Value x) {
    Value high = math::SqrtOp::create(builder, loc, x);
    Value rest = fma(arith::NegFOp::create(builder, loc, high), high, x);
    Value twice = arith::AddFOp::create(builder, loc, high, high);
    return {high, arith::DivFOp::create(builder, loc, rest, twice)};
  }

  /// Where the product is infinite, NaN or zero, nothing can be said of what it lacks.
  Value round(Pair x) {
    if (!x.low)
      return x.high;
    return whereFinite(x.high, arith::AddFOp::create(builder, loc, x.high, x.low));
  }

  /// One by x, rounded.
  Value invert(Pair x) {
    Value one = constant(x.high.getType(), 1), quotient = arith::DivFOp::create(builder, loc, one, x.high);
    Value minus = arith::NegFOp::create(builder, loc, quotient), rest = fma(minus, x.high, one);
    rest = x.low ? fma(minus, x.low, rest) : rest;
    // Of a product that overflowed or vanished the quotient is all there is.
    return whereFinite(x.high, whereFinite(quotient, fma(quotient, rest, quotient)), quotient);
  }

  Value constant(Type type, double value) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  }

private:
  /// `value` where `x` is neither infinite nor NaN nor zero, else `other`, or x itself.
  Value whereFinite(Value x, Value value, Value other = Value()) {
    auto compare = [&](arith::CmpFPredicate predicate, Value a, double b) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, a, constant(x.getType(), b));
    };
    Value size = math::AbsFOp::create(builder, loc, x);
    Value isFinite = compare(arith::CmpFPredicate::OLT, size, std::numeric_limits<double>::infinity());
    Value isSome = compare(arith::CmpFPredicate::OGT, size, 0);
    return arith::SelectOp::create(builder, loc, arith::AndIOp::create(builder, loc, isFinite, isSome), value,
                                   other ? other : x);
  }

  Value fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }
  OpBuilder &builder;
  Location loc;
};

/// Whether products, with a square root or a division where the exponent asks for one, take less time than pow().
bool isProductPower(double exponent) {
  double size = std::abs(exponent);
  return 2 * size == std::floor(2 * size) && size <= 32;
}

Value emitProductPower(OpBuilder &builder, Location loc, Value x, double exponent) {
  Products products(builder, loc);
  double size = std::abs(exponent);
  bool hasRoot = size != std::floor(size);
  Pair square{x, Value()}, result{Value(), Value()};
  auto take = [&](Pair factor) { result = result.high ? products.multiply(result, factor) : factor; };
  for (int64_t bits = static_cast<int64_t>(size); bits > 0; bits >>= 1) {
    if (bits & 1)
      take(square);
    if (bits > 1) // the last one is not needed, and may overflow
      square = products.multiply(square, square);
  }
  if (hasRoot)
    take(products.root(x));
  Value value = exponent < 0 ? products.invert(result) : products.round(result);
  if (!hasRoot)
    return value;
  // The root of minus infinity is NaN and that of minus zero is minus zero, their powers are those of plus infinity and
  // zero.
  Value infinity = products.constant(x.getType(), std::numeric_limits<double>::infinity());
  Value isMinusInfinity =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, arith::NegFOp::create(builder, loc, infinity));
  Value ofInfinity = exponent < 0 ? products.constant(x.getType(), 0) : infinity;
  return arith::SelectOp::create(builder, loc, isMinusInfinity, ofInfinity, math::AbsFOp::create(builder, loc, value));
}

} // namespace

Value emitKnownPower(OpBuilder &builder, Location loc, Value x, double exponent) {
  Products products(builder, loc);
  auto constant = [&](double value) { return products.constant(x.getType(), value); };
  if (exponent == 2)
    return arith::MulFOp::create(builder, loc, x, x);
  if (exponent == 1)
    return x;
  if (exponent == 0.5) { // unlike the square root, it has no negative zero, and one of minus infinity
    Value infinity = constant(std::numeric_limits<double>::infinity());
    Value isMinusInfinity = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x,
                                                  arith::NegFOp::create(builder, loc, infinity));
    Value root = math::SqrtOp::create(builder, loc, arith::AddFOp::create(builder, loc, x, constant(0)));
    return arith::SelectOp::create(builder, loc, isMinusInfinity, infinity, root);
  }
  if (exponent == -1)
    return arith::DivFOp::create(builder, loc, constant(1), x);
  if (exponent == 0)
    return constant(1);
  if (isProductPower(exponent) && (x.getType().isF32() || x.getType().isF64()))
    return emitProductPower(builder, loc, x, exponent);
  return Value();
}

} // namespace npcc

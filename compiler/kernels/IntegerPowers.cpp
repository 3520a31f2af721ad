// Powers by products that carry along what each of them has rounded off: p = a * b, and fma(a, b, -p) is what p lacks.
#include "compiler/kernels/IntegerPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

  /// Where the product is infinite, NaN or zero, nothing can be said of what it lacks.
  Value round(Pair x) {
    Type type = x.high.getType();
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
    };
    auto compare = [&](arith::CmpFPredicate predicate, Value a, double b) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, a, constant(b));
    };
    Value size = math::AbsFOp::create(builder, loc, x.high);
    Value isFinite = compare(arith::CmpFPredicate::OLT, size, std::numeric_limits<double>::infinity());
    Value isSome = compare(arith::CmpFPredicate::OGT, size, 0);
    Value sum = arith::AddFOp::create(builder, loc, x.high, x.low);
    return arith::SelectOp::create(builder, loc, arith::AndIOp::create(builder, loc, isFinite, isSome), sum, x.high);
  }

private:
  Value fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }
  OpBuilder &builder;
  Location loc;
};

} // namespace

Value emitIntegerPower(OpBuilder &builder, Location loc, Value x, int64_t exponent) {
  Products products(builder, loc);
  Pair square{x, Value()}, result{Value(), Value()};
  for (int64_t bits = exponent; bits > 0; bits >>= 1) {
    if (bits & 1)
      result = result.high ? products.multiply(result, square) : square;
    if (bits > 1) // the last one is not needed, and may overflow
      square = products.multiply(square, square);
  }
  return products.round(result);
}

} // namespace npcc

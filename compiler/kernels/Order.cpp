#include "compiler/kernels/Order.h"
#include "compiler/kernels/ScalarOps.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using npcc::np::Ufunc;

namespace npcc {
namespace {

/// Comparisons of elements of one type.
struct Comparison {
  OpBuilder &builder;
  Location loc;
  Type type;

  Value of(Ufunc ufunc, ValueRange operands) const { return emitUfunc(builder, loc, ufunc, operands, type); }
  Value both(Value a, Value b) const { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) const { return arith::OrIOp::create(builder, loc, a, b); }
  Value negated(Value a) const {
    return arith::XOrIOp::create(builder, loc, a, arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1));
  }
  /// Numbers come before NaN.
  Value before(Value x, Value y) const {
    Value yIsLast = both(of(Ufunc::isnan, y), negated(of(Ufunc::isnan, x)));
    return either(of(Ufunc::less, {x, y}), yIsLast);
  }
};

Value complexBefore(OpBuilder &builder, Location loc, Value x, Value y, Type part) {
  Comparison parts{builder, loc, part};
  auto re = [&](Value z) -> Value { return complex::ReOp::create(builder, loc, z); };
  auto im = [&](Value z) -> Value { return complex::ImOp::create(builder, loc, z); };
  Type i8 = builder.getI8Type();
  // 0 of numbers, 1 and 2 where one part is NaN, 3 where both are.
  auto rank = [&](Value z) -> Value {
    Value two = arith::ConstantIntOp::create(builder, loc, i8, 2);
    Value real = arith::ExtUIOp::create(builder, loc, i8, parts.of(Ufunc::isnan, re(z)));
    Value imaginary = arith::ExtUIOp::create(builder, loc, i8, parts.of(Ufunc::isnan, im(z)));
    return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, real, two), imaginary);
  };
  Value rankX = rank(x), rankY = rank(y), two = arith::ConstantIntOp::create(builder, loc, i8, 2);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value isTie = parts.either(parts.of(Ufunc::equal, {re(x), re(y)}), compare(arith::CmpIPredicate::uge, rankX, two));
  Value byParts =
      parts.either(parts.of(Ufunc::less, {re(x), re(y)}), parts.both(isTie, parts.of(Ufunc::less, {im(x), im(y)})));
  return parts.either(compare(arith::CmpIPredicate::ult, rankX, rankY),
                      parts.both(compare(arith::CmpIPredicate::eq, rankX, rankY), byParts));
}

} // namespace

Value emitBefore(OpBuilder &builder, Location loc, Value x, Value y, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complexBefore(builder, loc, x, y, complex.getElementType());
  Comparison comparison{builder, loc, type};
  return isa<FloatType>(type) ? comparison.before(x, y) : comparison.of(Ufunc::less, {x, y});
}

} // namespace npcc

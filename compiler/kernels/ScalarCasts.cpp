// NumPy's casts of one element.
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/Np/NarrowFloats.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using npcc::np::Ufunc;

namespace npcc {

/// float64 to float16, rounded once: to float32 by rounding to odd (which keeps what the second rounding must know),
/// then to nearest. Machines have no such instruction, and the function that compilers call instead is not everywhere.
static Value narrowToHalf(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type(), i32 = builder.getI32Type();
  using P = arith::CmpFPredicate;
  Value nearest = arith::TruncFOp::create(builder, loc, f32, value);
  Value back = arith::ExtFOp::create(builder, loc, f64, nearest);
  Value exact = arith::CmpFOp::create(builder, loc, P::UEQ, back, value); // NaN too
  Value magnitude = math::AbsFOp::create(builder, loc, value), rounded = math::AbsFOp::create(builder, loc, back);
  Value tooLarge = arith::CmpFOp::create(builder, loc, P::OGT, rounded, magnitude);
  Value bits = arith::BitcastOp::create(builder, loc, i32, nearest);
  Value one = arith::ConstantIntOp::create(builder, loc, i32, 1),
        zero = arith::ConstantIntOp::create(builder, loc, i32, 0);
  Value towardZero =
      arith::SubIOp::create(builder, loc, bits, arith::SelectOp::create(builder, loc, tooLarge, one, zero));
  Value odd = arith::OrIOp::create(builder, loc, towardZero, one);
  Value chosen = arith::SelectOp::create(builder, loc, exact, bits, odd);
  return arith::TruncFOp::create(builder, loc, builder.getF16Type(),
                                 arith::BitcastOp::create(builder, loc, f32, chosen));
}

/// What x86 makes of a float, which is what NumPy gives: of 32 bits for narrow integers, otherwise of 64. NaN and what
/// is too large become the least signed integer of that width (unsigned ones of 64 bits above half their range are
/// converted less that half), of which a narrow result keeps the low bits.
static Value wholeNumber(const ScalarEmitter &source, Value value, Type to) {
  using P = arith::CmpFPredicate;
  OpBuilder &builder = source.builder;
  unsigned toWidth = to.getIntOrFloatBitWidth();
  bool isWide = toWidth == 64 || (toWidth == 32 && to.isUnsignedInteger());
  ScalarEmitter number = source;
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
  ScalarEmitter source{builder, loc, from};
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
    return source.make<complex::CreateOp>(to, emitCast(builder, loc, value, from, part),
                                          emitConstant(builder, loc, part, 0));
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

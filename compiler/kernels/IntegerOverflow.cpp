// Whether the exact result of Python integers' arithmetic fits into 64 bits, computed at run time.
#include "compiler/kernels/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <limits>

namespace npcc {

using namespace mlir;

/// With a constant on one side: whether the other one is in the range from which the result does not leave 64 bits.
/// Null for others.
static Value emitFitsConstant(OpBuilder &builder, Location loc, np::Arithmetic kind, Value lhs, Value rhs) {
  APInt known;
  bool isRight = matchPattern(rhs, m_ConstantInt(&known));
  bool commutes = kind == np::Arithmetic::add || kind == np::Arithmetic::multiply;
  if (!isRight && !(commutes && matchPattern(lhs, m_ConstantInt(&known))))
    return {};
  Value other = isRight ? lhs : rhs;
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  int64_t number = known.getSExtValue(), from = least, to = most;
  switch (kind) {
  case np::Arithmetic::add:
    number < 0 ? from -= number : to -= number;
    break;
  case np::Arithmetic::subtract:
    if (number == least)
      return {};
    number > 0 ? from += number : to += number;
    break;
  case np::Arithmetic::multiply:
    if (number == 0 || number == -1)
      return {};
    from = number > 0 ? least / number : most / number;
    to = number > 0 ? most / number : least / number;
    break;
  default:
    return {};
  }
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, other, arith::ConstantIntOp::create(builder, loc, bound, 64));
  };
  if (from == least)
    return compare(arith::CmpIPredicate::sle, to);
  if (to == most)
    return compare(arith::CmpIPredicate::sge, from);
  return arith::AndIOp::create(builder, loc, compare(arith::CmpIPredicate::sge, from),
                               compare(arith::CmpIPredicate::sle, to));
}

Value emitFits(OpBuilder &builder, Location loc, np::Arithmetic kind, Value lhs, Value rhs) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(builder, loc, value, 64); };
  auto compare = [&](arith::CmpIPredicate predicate, Value l, Value r) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, l, r);
  };
  auto exclusiveOr = [&](Value l, Value r) -> Value { return arith::XOrIOp::create(builder, loc, l, r); };
  if (Value fits = emitFitsConstant(builder, loc, kind, lhs, rhs))
    return fits;
  switch (kind) {
  case np::Arithmetic::add: {
    // A sum that overflows has another sign than both of its parts.
    Value sum = arith::AddIOp::create(builder, loc, lhs, rhs);
    Value both = arith::AndIOp::create(builder, loc, exclusiveOr(lhs, sum), exclusiveOr(rhs, sum));
    return compare(arith::CmpIPredicate::sge, both, constant(0));
  }
  case np::Arithmetic::subtract: {
    Value difference = arith::SubIOp::create(builder, loc, lhs, rhs);
    Value both = arith::AndIOp::create(builder, loc, exclusiveOr(lhs, rhs), exclusiveOr(lhs, difference));
    return compare(arith::CmpIPredicate::sge, both, constant(0));
  }
  case np::Arithmetic::multiply: {
    // The upper half holds nothing but the sign of the lower one.
    auto product = arith::MulSIExtendedOp::create(builder, loc, lhs, rhs);
    Value sign = arith::ShRSIOp::create(builder, loc, product.getLow(), constant(63));
    return compare(arith::CmpIPredicate::eq, product.getHigh(), sign);
  }
  case np::Arithmetic::left_shift: {
    Value isShort = compare(arith::CmpIPredicate::ult, rhs, constant(64));
    Value distance = arith::SelectOp::create(builder, loc, isShort, rhs, constant(0));
    Value shifted = arith::ShLIOp::create(builder, loc, lhs, distance);
    Value back = arith::ShRSIOp::create(builder, loc, shifted, distance);
    Value keeps = arith::AndIOp::create(builder, loc, isShort, compare(arith::CmpIPredicate::eq, back, lhs));
    return arith::OrIOp::create(builder, loc, keeps, compare(arith::CmpIPredicate::eq, lhs, constant(0)));
  }
  case np::Arithmetic::power: {
    // No integer's power (but the first) lies between 2^63 * (1 - 6e-10) and 2^63, so rounding decides nothing.
    Type real = builder.getF64Type();
    Value base = math::AbsFOp::create(builder, loc, arith::SIToFPOp::create(builder, loc, real, lhs));
    Value power = math::PowFOp::create(builder, loc, base, arith::SIToFPOp::create(builder, loc, real, rhs));
    Value limit = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(9.2233720365e18));
    Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, power, limit);
    return arith::OrIOp::create(builder, loc, isSmall, compare(arith::CmpIPredicate::eq, rhs, constant(1)));
  }
  }
  llvm_unreachable("all cases are handled");
}

} // namespace npcc

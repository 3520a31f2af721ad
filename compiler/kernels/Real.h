#ifndef NPCC_COMPILER_KERNELS_REAL_H
#define NPCC_COMPILER_KERNELS_REAL_H
// Operations of real numbers, written as formulas: `sqrt(a * a + 1.0)`.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include <numbers>

namespace npcc::real {

struct Real {
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;

  Real with(mlir::Value other) const { return {builder, loc, other}; }
  Real constant(double number) const {
    return with(mlir::arith::ConstantOp::create(*builder, loc, builder->getFloatAttr(value.getType(), number)));
  }
  template <typename Op> Real unary() const { return with(Op::create(*builder, loc, value)); }
  template <typename Op> Real binary(Real other) const { return with(Op::create(*builder, loc, value, other.value)); }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, Real other) const {
    return mlir::arith::CmpFOp::create(*builder, loc, predicate, value, other.value);
  }
};
inline Real operator+(Real a, Real b) { return a.binary<mlir::arith::AddFOp>(b); }
inline Real operator-(Real a, Real b) { return a.binary<mlir::arith::SubFOp>(b); }
inline Real operator*(Real a, Real b) { return a.binary<mlir::arith::MulFOp>(b); }
inline Real operator/(Real a, Real b) { return a.binary<mlir::arith::DivFOp>(b); }
inline Real operator-(Real a) { return a.unary<mlir::arith::NegFOp>(); }
inline Real operator+(Real a, double b) { return a + a.constant(b); }
inline Real operator-(Real a, double b) { return a - a.constant(b); }
inline Real operator-(double a, Real b) { return b.constant(a) - b; }
inline Real operator*(double a, Real b) { return b.constant(a) * b; }
inline Real operator/(double a, Real b) { return b.constant(a) / b; }
inline mlir::Value operator<(Real a, Real b) { return a.compare(mlir::arith::CmpFPredicate::OLT, b); }
inline mlir::Value operator<=(Real a, Real b) { return a.compare(mlir::arith::CmpFPredicate::OLE, b); }
inline mlir::Value operator<(Real a, double b) { return a < a.constant(b); }
inline mlir::Value operator<=(Real a, double b) { return a <= a.constant(b); }
inline mlir::Value operator>(Real a, double b) { return a.constant(b) < a; }
inline mlir::Value operator==(Real a, double b) { return a.compare(mlir::arith::CmpFPredicate::OEQ, a.constant(b)); }
inline mlir::Value isNaN(Real a) { return a.compare(mlir::arith::CmpFPredicate::UNO, a); }
inline Real either(mlir::Value condition, Real a, Real b) {
  return a.with(mlir::arith::SelectOp::create(*a.builder, a.loc, condition, a.value, b.value));
}
inline mlir::Value any(Real a, mlir::Value p, mlir::Value q) {
  return mlir::arith::OrIOp::create(*a.builder, a.loc, p, q);
}
inline Real abs(Real a) { return a.unary<mlir::math::AbsFOp>(); }
inline Real sqrt(Real a) { return a.unary<mlir::math::SqrtOp>(); }
inline Real log(Real a) { return a.unary<mlir::math::LogOp>(); }
inline Real log1p(Real a) { return a.unary<mlir::math::Log1pOp>(); }
inline Real copysign(Real a, Real sign) { return a.binary<mlir::math::CopySignOp>(sign); }

/// A zero, or what is made of one zero: its negative, the float of an integer, a part of a complex number.
inline bool isConstantZero(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  if (auto constant = mlir::dyn_cast_if_present<mlir::complex::ConstantOp>(op)) // one of its parts is what is asked for
    return llvm::any_of(constant.getValue().getAsRange<mlir::FloatAttr>(),
                        [](mlir::FloatAttr part) { return part.getValue().isZero(); });
  if (op && op->getNumOperands() == 1 && op->getNumRegions() == 0)
    return isConstantZero(op->getOperand(0));
  return mlir::matchPattern(value, mlir::m_AnyZeroFloat()) || mlir::matchPattern(value, mlir::m_Zero());
}

/// Upstream folds atan2 of two zeros to NaN. So what it is for them stands beside it where one of them is a constant
/// zero, and the other one may become one.
inline Real atan2(Real y, Real x) {
  Real angle = y.binary<mlir::math::Atan2Op>(x);
  if (!isConstantZero(y.value) && !isConstantZero(x.value))
    return angle;
  Real half = either(copysign(x.constant(1), x) < 0.0, x.constant(std::numbers::pi), x.constant(0));
  mlir::Value areZero = mlir::arith::AndIOp::create(*x.builder, x.loc, y == 0.0, x == 0.0);
  return either(areZero, copysign(half, y), angle);
}

} // namespace npcc::real
#endif

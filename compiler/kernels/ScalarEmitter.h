#ifndef NPCC_COMPILER_KERNELS_SCALAREMITTER_H
#define NPCC_COMPILER_KERNELS_SCALAREMITTER_H
#include "compiler/kernels/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace npcc {

/// Makes the code of elementwise functions of one dtype (`type`, as the np dialect has it) at one place.
struct ScalarEmitter {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type; // np element type
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::Value constant(double value) const { return emitConstant(builder, loc, type, value); }
  mlir::Value compare(mlir::arith::CmpFPredicate p, mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::CmpFOp>(p, a, b);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate p, mlir::Value a, mlir::Value b) const {
    return make<mlir::arith::CmpIOp>(p, a, b);
  }
  mlir::Value select(mlir::Value c, mlir::Value a, mlir::Value b) const { return make<mlir::arith::SelectOp>(c, a, b); }
  mlir::Value isNaN(mlir::Value x) const { return compare(mlir::arith::CmpFPredicate::UNO, x, x); }

  static mlir::arith::CmpFPredicate realPredicate(np::Ufunc ufunc);
  mlir::Value emitInteger(np::Ufunc ufunc, mlir::ValueRange x) const;
  mlir::Value emitBool(np::Ufunc ufunc, mlir::ValueRange x) const;
  mlir::Value emitReal(np::Ufunc ufunc, mlir::ValueRange x) const;
  mlir::Value emitComplex(np::Ufunc ufunc, mlir::ValueRange x) const;
  mlir::Value emitOfInverse(np::Ufunc ufunc, mlir::Value z) const;
  mlir::Value integerPower(mlir::Value base, mlir::Value exponent) const;
  mlir::Value complexPower(mlir::Value base, mlir::Value exponent) const;
  mlir::Value dividedByReal(mlir::Value number, mlir::Value divisor) const;
  mlir::Value wholePower(mlir::Value base, mlir::Value exponent) const;
  std::pair<mlir::Value, mlir::Value> integerDivmod(mlir::Value a, mlir::Value b) const;
  std::pair<mlir::Value, mlir::Value> realDivmod(mlir::Value a, mlir::Value b) const;
  mlir::Value hypot(mlir::Value a, mlir::Value b) const;
  mlir::Value logOfSum(mlir::Value a, mlir::Value b, bool binary) const;
};

} // namespace npcc
#endif

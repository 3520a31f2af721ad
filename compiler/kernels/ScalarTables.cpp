// Which functions are one upstream operation.
#include "compiler/kernels/ScalarTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace npcc {
namespace {
struct Absent {};

/// The result has the operands' type.
template <typename Op> Value emitOperation(OpBuilder &builder, Location loc, ValueRange x) {
  if constexpr (std::is_same_v<Op, Absent>)
    return Value();
  else if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
    return Op::create(builder, loc, x[0].getType(), x[0]);
  else
    return Op::create(builder, loc, x[0].getType(), x[0], x[1]);
}
} // namespace

Value emitRealOperation(OpBuilder &builder, Location loc, np::Ufunc ufunc, ValueRange x) {
  switch (ufunc) {
#define UFUNC_OPERATION(NAME, REAL, COMPLEX)                                                                           \
  case np::Ufunc::NAME:                                                                                                \
    return emitOperation<REAL>(builder, loc, x);
#include "dialects/Np/Ufuncs.def"
  default:
    return Value();
  }
}

Value emitComplexOperation(OpBuilder &builder, Location loc, np::Ufunc ufunc, ValueRange x) {
  switch (ufunc) {
#define UFUNC_OPERATION(NAME, REAL, COMPLEX)                                                                           \
  case np::Ufunc::NAME:                                                                                                \
    return emitOperation<COMPLEX>(builder, loc, x);
#include "dialects/Np/Ufuncs.def"
  default:
    return Value();
  }
}

} // namespace npcc

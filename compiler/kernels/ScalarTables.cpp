// Which functions are one upstream operation.
#include "compiler/kernels/ScalarTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace npcc {

using UnaryBuilder = Value (*)(OpBuilder &, Location, Value);
template <typename Op> static Value unary(OpBuilder &builder, Location loc, Value x) { return Op::create(builder, loc, x); }
template <typename Op> static Value complexUnary(OpBuilder &builder, Location loc, Value x) { return Op::create(builder, loc, x.getType(), x); }

Value emitUnaryMath(OpBuilder &builder, Location loc, StringRef name, Value x) {
  static const llvm::StringMap<UnaryBuilder> table = {
      {"absolute", unary<math::AbsFOp>}, {"sqrt", unary<math::SqrtOp>},   {"cbrt", unary<math::CbrtOp>},
      {"exp", unary<math::ExpOp>},       {"exp2", unary<math::Exp2Op>},   {"expm1", unary<math::ExpM1Op>},
      {"log", unary<math::LogOp>},       {"log2", unary<math::Log2Op>},   {"log10", unary<math::Log10Op>},
      {"log1p", unary<math::Log1pOp>},   {"sin", unary<math::SinOp>},     {"cos", unary<math::CosOp>},
      {"tan", unary<math::TanOp>},       {"arcsin", unary<math::AsinOp>}, {"arccos", unary<math::AcosOp>},
      {"arctan", unary<math::AtanOp>},   {"sinh", unary<math::SinhOp>},   {"cosh", unary<math::CoshOp>},
      {"tanh", unary<math::TanhOp>},     {"arcsinh", unary<math::AsinhOp>}, {"arccosh", unary<math::AcoshOp>},
      {"arctanh", unary<math::AtanhOp>}, {"erf", unary<math::ErfOp>},     {"erfc", unary<math::ErfcOp>},
      {"floor", unary<math::FloorOp>},   {"ceil", unary<math::CeilOp>},   {"trunc", unary<math::TruncOp>},
      {"rint", unary<math::RoundEvenOp>},
  };
  auto it = table.find(name);
  return it == table.end() ? Value() : it->second(builder, loc, x);
}

Value emitComplexMath(OpBuilder &builder, Location loc, StringRef name, ValueRange x) {
  static const llvm::StringMap<UnaryBuilder> table = {
      {"exp", complexUnary<complex::ExpOp>},   {"log", complexUnary<complex::LogOp>},
      {"sin", complexUnary<complex::SinOp>},   {"cos", complexUnary<complex::CosOp>},
      {"tan", complexUnary<complex::TanOp>},   {"tanh", complexUnary<complex::TanhOp>},   {"sqrt", complexUnary<complex::SqrtOp>},
  };
  if (x.size() == 1) {
    auto it = table.find(name);
    return it == table.end() ? Value() : it->second(builder, loc, x[0]);
  }
  if (name == "add")
    return complex::AddOp::create(builder, loc, x[0], x[1]);
  if (name == "subtract")
    return complex::SubOp::create(builder, loc, x[0], x[1]);
  if (name == "divide")
    return complex::DivOp::create(builder, loc, x[0], x[1]);
  if (name == "power")
    return complex::PowOp::create(builder, loc, x[0].getType(), x[0], x[1]);
  return Value();
}

} // namespace npcc

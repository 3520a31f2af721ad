// npcc-expand-math: what has no LLVM intrinsic of the same accuracy becomes calls of libm (vectorised through libmvec,
// see VectorFunctions.def); f16 functions are computed in f32, complex ones in complex<f64>, complex division as NumPy
// does it, f64 -> f16 rounds once, bf16 is computed in f32.
//
//   %y = math.erf %x : f64                  ->  %y = llvm.call @erf(%x)
//   %y = math.exp %x : f16                  ->  arith.extf, math.exp : f32, arith.truncf
//   %y = complex.abs %z : complex<f64>      ->  llvm.call @hypot(re, im)
//   %y = complex.exp %z : complex<f32>      ->  llvm.call @cexp of the widened value, narrowed
//
// Upstream's lowerings are not used for these: expm1 and log1p by their definitions lose all digits near 0, the
// absolute value of a complex overflows, and complex<f32> arguments are passed otherwise in C than an LLVM struct is.
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_EXPANDMATH
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {

/// libm's name of a real function that LLVM has no intrinsic for; "" for others.
StringRef getLibmName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::ErfOp>([](auto) -> StringRef { return "erf"; })
      .Case<math::ErfcOp>([](auto) -> StringRef { return "erfc"; })
      .Case<math::ExpM1Op>([](auto) -> StringRef { return "expm1"; })
      .Case<math::Log1pOp>([](auto) -> StringRef { return "log1p"; })
      .Case<math::CbrtOp>([](auto) -> StringRef { return "cbrt"; })
      .Case<math::AcoshOp>([](auto) -> StringRef { return "acosh"; })
      .Case<math::AsinhOp>([](auto) -> StringRef { return "asinh"; })
      .Case<math::AtanhOp>([](auto) -> StringRef { return "atanh"; })
      .Default([](Operation *) -> StringRef { return ""; });
}

StringRef getComplexLibmName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<complex::ExpOp>([](auto) -> StringRef { return "cexp"; })
      .Case<complex::LogOp>([](auto) -> StringRef { return "clog"; })
      .Case<complex::SqrtOp>([](auto) -> StringRef { return "csqrt"; })
      .Case<complex::SinOp>([](auto) -> StringRef { return "csin"; })
      .Case<complex::CosOp>([](auto) -> StringRef { return "ccos"; })
      .Case<complex::TanOp>([](auto) -> StringRef { return "ctan"; })
      .Case<complex::TanhOp>([](auto) -> StringRef { return "ctanh"; })
      .Case<complex::PowOp>([](auto) -> StringRef { return "cpow"; })
      .Default([](Operation *) -> StringRef { return ""; });
}

bool isTranscendental(Operation *op) {
  return isa<math::AcosOp, math::AsinOp, math::AtanOp, math::Atan2Op, math::CosOp, math::CoshOp, math::ExpOp,
             math::Exp2Op, math::LogOp, math::Log10Op, math::Log2Op, math::PowFOp, math::SinOp, math::SinhOp,
             math::TanOp, math::TanhOp, math::SqrtOp, math::RsqrtOp>(op) ||
         !getLibmName(op).empty();
}

struct ExpandMath : npcc::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        OpBuilder builder(op);
        if (Value result = expand(builder, op)) {
          op->getResult(0).replaceAllUsesWith(result);
          op->erase();
        }
      });
  }

  /// A call without side effects: errno is nobody's business here, and the vectoriser needs to know.
  Value callPure(OpBuilder &builder, Location loc, StringRef name, Type result, ValueRange arguments) {
    LLVM::CallOp call = callFunction(builder, loc, getOperation(), name, result, arguments);
    auto function = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(builder.getContext(), {none, none, none, none, none, none}));
    function.setNoUnwind(true);
    function.setWillReturn(true);
    return call.getResult();
  }

  /// Arithmetic of bf16, and functions; not what only moves it.
  static bool isBfloatArithmetic(Operation *op) {
    return op->getNumResults() == 1 && op->getResult(0).getType().isBF16() && op->getNumOperands() > 0 &&
           op->getOperand(0).getType().isBF16() && isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
           !isa<arith::SelectOp, arith::BitcastOp, arith::ConstantOp>(op);
  }

  Value expand(OpBuilder &builder, Operation *op) {
    Location loc = op->getLoc();
    if (op->getDialect() && isBfloatArithmetic(op)) {
      Value result = computeInF32(builder, op);
      auto truncate = result.getDefiningOp<arith::TruncFOp>();
      return replaceBy(truncate, roundToBfloat(builder, loc, truncate.getIn()));
    }
    if (isTranscendental(op) && op->getResult(0).getType().isF16())
      return computeInF32(builder, op);
    if (isa<math::ErfOp>(op) && op->getResult(0).getType().isF32()) {
      // libmvec's erff is wrong by 4 in the last place.
      Value wide = arith::ExtFOp::create(builder, loc, builder.getF64Type(), op->getOperand(0));
      return arith::TruncFOp::create(builder, loc, builder.getF32Type(),
                                     callPure(builder, loc, "erf", builder.getF64Type(), wide));
    }
    if (StringRef name = getLibmName(op); !name.empty()) {
      Type type = op->getResult(0).getType();
      return callPure(builder, loc, type.isF32() ? (name + "f").str() : name.str(), type, op->getOperands());
    }
    if (StringRef name = getComplexLibmName(op); !name.empty())
      return callComplex(builder, op, name);
    if (auto abs = dyn_cast<complex::AbsOp>(op))
      return callOnParts(builder, loc, "hypot", abs.getComplex(), /*imaginaryFirst=*/false);
    if (auto angle = dyn_cast<complex::AngleOp>(op))
      return callOnParts(builder, loc, "atan2", angle.getComplex(), /*imaginaryFirst=*/true);
    if (auto div = dyn_cast<complex::DivOp>(op))
      return divide(builder, div);
    if (auto truncate = dyn_cast<arith::TruncFOp>(op))
      if (truncate.getIn().getType().isF64() && truncate.getType().isF16())
        return truncateToHalf(builder, loc, truncate.getIn());
    return convertBfloat(builder, op);
  }

  /// Conversions from and to bf16 by way of f32. The ones that another pass has joined (truncf of sitofp) come apart
  /// again.
  Value convertBfloat(OpBuilder &builder, Operation *op) {
    Location loc = op->getLoc();
    Type f32 = builder.getF32Type();
    if (isa<arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(op) && op->getResult(0).getType().isBF16()) {
      Value wide = op->getOperand(0);
      if (wide.getType() != f32)
        wide = builder.create(loc, op->getName().getIdentifier(), wide, {f32})->getResult(0);
      return roundToBfloat(builder, loc, wide);
    }
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) && op->getOperand(0).getType().isBF16())
      op->setOperand(0, arith::ExtFOp::create(builder, loc, f32, op->getOperand(0)));
    return nullptr;
  }

  static Value replaceBy(Operation *op, Value value) {
    op->erase();
    return value;
  }

  /// f32 -> bf16, round to nearest even, by integers: LLVM calls a function of the compiler's library for it. NaN keep
  /// their sign.
  Value roundToBfloat(OpBuilder &builder, Location loc, Value value) {
    Type i32 = builder.getI32Type();
    auto constant = [&](int32_t bits) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(bits));
    };
    Value bits = arith::BitcastOp::create(builder, loc, i32, value), width = constant(16);
    Value upper = arith::ShRUIOp::create(builder, loc, bits, width),
          odd = arith::AndIOp::create(builder, loc, upper, constant(1));
    Value rounded =
        arith::AddIOp::create(builder, loc, arith::AddIOp::create(builder, loc, bits, constant(0x7fff)), odd);
    rounded = arith::ShRUIOp::create(builder, loc, rounded, width);
    Value nan = arith::OrIOp::create(builder, loc, arith::AndIOp::create(builder, loc, upper, constant(0x8000)),
                                     constant(0x7fc0));
    Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
    Value chosen = arith::TruncIOp::create(builder, loc, builder.getI16Type(),
                                           arith::SelectOp::create(builder, loc, isNan, nan, rounded));
    return arith::BitcastOp::create(builder, loc, builder.getBF16Type(), chosen);
  }

  Value computeInF32(OpBuilder &builder, Operation *op) {
    Location loc = op->getLoc();
    SmallVector<Value> wide;
    for (Value operand : op->getOperands())
      wide.push_back(arith::ExtFOp::create(builder, loc, builder.getF32Type(), operand));
    Type f32 = builder.getF32Type();
    Value computed;
    if (StringRef name = getLibmName(op); !name.empty())
      computed = callPure(builder, loc, (name + "f").str(), f32, wide);
    else
      computed = builder.create(loc, op->getName().getIdentifier(), wide, {f32}, op->getAttrs())->getResult(0);
    return arith::TruncFOp::create(builder, loc, op->getResult(0).getType(), computed);
  }

  std::pair<Value, Value> getParts(OpBuilder &builder, Location loc, Value value) {
    Type part = cast<ComplexType>(value.getType()).getElementType();
    return {complex::ReOp::create(builder, loc, part, value), complex::ImOp::create(builder, loc, part, value)};
  }

  Value callOnParts(OpBuilder &builder, Location loc, StringRef name, Value value, bool imaginaryFirst) {
    auto [re, im] = getParts(builder, loc, value);
    std::string symbol = re.getType().isF32() ? (name + "f").str() : name.str();
    return callPure(builder, loc, symbol, re.getType(), imaginaryFirst ? ValueRange{im, re} : ValueRange{re, im});
  }

  Value callComplex(OpBuilder &builder, Operation *op, StringRef name) {
    Location loc = op->getLoc();
    Type f64 = builder.getF64Type(), part = cast<ComplexType>(op->getResult(0).getType()).getElementType();
    SmallVector<Value> arguments;
    for (Value operand : op->getOperands()) {
      auto [re, im] = getParts(builder, loc, operand);
      for (Value x : {re, im})
        arguments.push_back(part.isF64() ? x : arith::ExtFOp::create(builder, loc, f64, x).getResult());
    }
    // In the C calling conventions a complex double is its two parts, as arguments and as a result.
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {f64, f64});
    Value returned = callPure(builder, loc, name, pair, arguments);
    SmallVector<Value> parts;
    for (int64_t k : {0, 1}) {
      Value x = LLVM::ExtractValueOp::create(builder, loc, returned, k);
      parts.push_back(part.isF64() ? x : arith::TruncFOp::create(builder, loc, part, x).getResult());
    }
    return complex::CreateOp::create(builder, loc, op->getResult(0).getType(), parts[0], parts[1]);
  }

  /// f64 -> f16, which LLVM calls a function of the compiler's library for. By way of an f32 that is rounded to odd:
  /// its last bit says that something was lost, so that the second rounding does not take it for a tie.
  Value truncateToHalf(OpBuilder &builder, Location loc, Value value) {
    Type f32 = builder.getF32Type(), f64 = builder.getF64Type(), i32 = builder.getI32Type();
    auto constant = [&](int32_t bits) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(bits));
    };
    Value near = arith::TruncFOp::create(builder, loc, f32, value),
          back = arith::ExtFOp::create(builder, loc, f64, near);
    Value bits = arith::BitcastOp::create(builder, loc, i32, near);
    Value lost = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE, back, value);
    Value even = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       arith::AndIOp::create(builder, loc, bits, constant(1)), constant(0));
    Value smaller =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, math::AbsFOp::create(builder, loc, back),
                              math::AbsFOp::create(builder, loc, value));
    Value step = arith::SelectOp::create(builder, loc, smaller, constant(1), constant(-1));
    Value odd = arith::AddIOp::create(builder, loc, bits, step);
    Value chosen = arith::SelectOp::create(builder, loc, arith::AndIOp::create(builder, loc, lost, even), odd, bits);
    return arith::TruncFOp::create(builder, loc, builder.getF16Type(),
                                   arith::BitcastOp::create(builder, loc, f32, chosen));
  }

  /// Smith's method, with NumPy's choice for a divisor of zero; both branches are computed, so that it vectorises.
  Value divide(OpBuilder &builder, complex::DivOp op) {
    Location loc = op.getLoc();
    auto [ar, ai] = getParts(builder, loc, op.getLhs());
    auto [br, bi] = getParts(builder, loc, op.getRhs());
    Type part = ar.getType();
    auto mul = [&](Value x, Value y) -> Value { return arith::MulFOp::create(builder, loc, x, y); };
    auto add = [&](Value x, Value y) -> Value { return arith::AddFOp::create(builder, loc, x, y); };
    auto sub = [&](Value x, Value y) -> Value { return arith::SubFOp::create(builder, loc, x, y); };
    auto div = [&](Value x, Value y) -> Value { return arith::DivFOp::create(builder, loc, x, y); };
    auto select = [&](Value c, Value x, Value y) -> Value { return arith::SelectOp::create(builder, loc, c, x, y); };
    Value absR = math::AbsFOp::create(builder, loc, br), absI = math::AbsFOp::create(builder, loc, bi);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part, 0.0));
    Value one = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part, 1.0));
    Value realLarger = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, absR, absI);
    Value big = select(realLarger, br, bi), small = select(realLarger, bi, br);
    Value ratio = div(small, big), scale = div(one, add(big, mul(small, ratio)));
    // |br| >= |bi|: (ar + ai*ratio, ai - ar*ratio) * scale; otherwise (ar*ratio + ai, ai*ratio - ar) * scale
    Value re = mul(select(realLarger, add(ar, mul(ai, ratio)), add(mul(ar, ratio), ai)), scale);
    Value im = mul(select(realLarger, sub(ai, mul(ar, ratio)), sub(mul(ai, ratio), ar)), scale);
    Value byZero =
        arith::AndIOp::create(builder, loc, arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, absR, zero),
                              arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, absI, zero));
    re = select(byZero, div(ar, absR), re);
    im = select(byZero, div(ai, absR), im);
    return complex::CreateOp::create(builder, loc, op.getType(), re, im);
  }
};
} // namespace

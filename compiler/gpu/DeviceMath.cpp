// npcc-expand-device-math: what upstream's conversion to libdevice lacks, or does less well than NumPy.
//
//   %y = math.exp %x : f16              ->   arith.extf, math.exp : f32, arith.truncf
//   %y = complex.abs %z                 ->   llvm.call @__nv_hypot(re, im)
//   %s = math.sin %x, %c = math.cos %x  ->   llvm.call @__nv_sincos(%x, %s, %c)
//   %p = math.powf %x, %y               ->   scf.if (%y is 2) { %x * %x } else ...     // where all threads have one %y
//
// Functions of complex numbers come first (ComplexMath.h), and are made of these: upstream's formulas lose the digits of
// small numbers, and signs of zeros.
#include "compiler/codegen/ThreadMemory.h"
#include "compiler/gpu/ComplexMath.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/ProductPowers.h"
#include "dialects/Np/NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_EXPANDDEVICEMATH
#include "compiler/gpu/Passes.h.inc"
namespace {

struct ExpandDeviceMath : impl::ExpandDeviceMathBase<ExpandDeviceMath> {
  void runOnOperation() override {
    replaceAll(expandComplexFunction);
    pairSinesAndCosines();
    expandPowers();
    SmallVector<np::LibdeviceOp> calls;
    getOperation()->walk([&](np::LibdeviceOp op) { calls.push_back(op); });
    for (np::LibdeviceOp op : calls)
      lower(op);
    replaceAll([&](OpBuilder &builder, Operation *op) { return expand(builder, op); });
  }

  void replaceAll(function_ref<Value(OpBuilder &, Operation *)> expanded) {
    getOperation()->walk([&](Operation *op) {
      OpBuilder builder(op);
      if (Value result = expanded(builder, op)) {
        op->getResult(0).replaceAllUsesWith(result);
        op->erase();
      }
    });
  }

  /// Whether the program lets the function be approximated: of float32 the processor has it in an instruction or two.
  static bool isApproximate(arith::ArithFastMathInterface op) {
    return arith::bitEnumContainsAll(op.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
  }

  /// Sine and cosine of one number have the reduction of their argument in common, and are one function of libdevice's,
  /// with the same results.
  void pairSinesAndCosines() {
    SmallVector<math::SinOp> sines;
    getOperation()->walk([&](math::SinOp sine) { sines.push_back(sine); });
    for (math::SinOp sine : sines) {
      Type type = sine.getType();
      if (isApproximate(sine) || !(type.isF32() || type.isF64()))
        continue;
      auto partner = llvm::find_if(sine.getOperand().getUsers(), [&](Operation *user) {
        auto cosine = dyn_cast<math::CosOp>(user);
        return cosine && cosine->getBlock() == sine->getBlock() && cosine.getFastmath() == sine.getFastmath();
      });
      if (partner == sine.getOperand().getUsers().end())
        continue;
      Operation *cosine = *partner;
      OpBuilder builder(cosine->isBeforeInBlock(sine) ? cosine : sine.getOperation());
      auto both =
          np::LibdeviceOp::create(builder, sine.getLoc(), TypeRange{type, type},
                                  builder.getStringAttr(type.isF32() ? "sincosf" : "sincos"), sine.getOperand());
      sine.replaceAllUsesWith(both.getResult(0));
      cosine->getResult(0).replaceAllUsesWith(both.getResult(1));
      sine.erase();
      cosine->erase();
    }
  }

  void lower(np::LibdeviceOp op) {
    OpBuilder builder(op), entry(&op->getParentOfType<FunctionOpInterface>().getFunctionBody().front().front());
    SmallVector<Value> results = callLibdevice(builder, entry, op, [&](Type result, ValueRange arguments) {
      std::string symbol = ("__nv_" + op.getName()).str();
      Type returned = result ? result : LLVM::LLVMVoidType::get(&getContext());
      declare(op.getLoc(), symbol, LLVM::LLVMFunctionType::get(returned, llvm::to_vector(arguments.getTypes())));
      return LLVM::CallOp::create(builder, op.getLoc(), result ? TypeRange(result) : TypeRange(), symbol, arguments);
    });
    op.replaceAllUsesWith(results);
    op.erase();
  }

  void declare(Location loc, StringRef symbol, LLVM::LLVMFunctionType type) {
    auto module = getOperation();
    if (SymbolTable::lookupSymbolIn(module, symbol))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    LLVM::LLVMFuncOp::create(builder, loc, symbol, type);
  }

  Value expand(OpBuilder &builder, Operation *op) {
    if (auto abs = dyn_cast<complex::AbsOp>(op))
      return callOnParts(builder, op->getLoc(), "__nv_hypot", abs.getComplex(), false);
    if (auto angle = dyn_cast<complex::AngleOp>(op))
      return callOnParts(builder, op->getLoc(), "__nv_atan2", angle.getComplex(), true);
    if (auto root = dyn_cast<math::SqrtOp>(op); root && root.getType().isF32() && isApproximate(root))
      return LLVM::CallIntrinsicOp::create(builder, op->getLoc(), root.getType(),
                                           builder.getStringAttr("llvm.nvvm.sqrt.approx.ftz.f"), root.getOperand())
          ->getResult(0);
    // The processor's own root is rounded correctly; libdevice's of float32 is not.
    if (auto root = dyn_cast<math::SqrtOp>(op); root && (root.getType().isF32() || root.getType().isF64()))
      return LLVM::CallIntrinsicOp::create(
                 builder, op->getLoc(), root.getType(),
                 builder.getStringAttr(root.getType().isF32() ? "llvm.nvvm.sqrt.rn.f" : "llvm.nvvm.sqrt.rn.d"),
                 root.getOperand())
          ->getResult(0);
    if (op->getDialect() && isa<math::MathDialect>(op->getDialect()) && op->getNumResults() == 1 &&
        np::isNarrowFloat(op->getResult(0).getType()) &&
        !isa<math::SqrtOp, math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundEvenOp>(op)) {
      IRMapping wide;
      Type f32 = builder.getF32Type();
      for (Value operand : op->getOperands())
        if (np::isNarrowFloat(operand.getType()))
          wide.map(operand, arith::ExtFOp::create(builder, op->getLoc(), f32, operand));
      Type narrow = op->getResult(0).getType();
      Operation *computed = builder.clone(*op, wide);
      computed->getResult(0).setType(f32);
      return arith::TruncFOp::create(builder, op->getLoc(), narrow, computed->getResult(0));
    }
    return nullptr;
  }

  /// What programs raise arrays to most often. pow() takes a hundred times as long as a product.
  static constexpr double usualExponents[] = {2, 1, 0.5, 3, -1};

  /// Whether all threads have the same value: the kernel was given it, or numbers that it is made of.
  static bool isUniform(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    Operation *op = value.getDefiningOp();
    return isPure(op) && op->getNumRegions() == 0 && !isa<gpu::GPUDialect>(op->getDialect()) &&
           llvm::all_of(op->getOperands(), isUniform);
  }

  void expandPowers() {
    SmallVector<math::PowFOp> powers;
    getOperation()->walk([&](math::PowFOp power) {
      bool isWorthIt = power.getType().isF64() || (power.getType().isF32() && !isApproximate(power));
      if (isWorthIt && isUniform(power.getRhs()))
        powers.push_back(power);
    });
    for (math::PowFOp power : powers) {
      OpBuilder builder(power);
      power.replaceAllUsesWith(emitPower(builder, power, ArrayRef(usualExponents)));
      power.erase();
    }
  }

  /// All threads take the same branch.
  static Value emitPower(OpBuilder &builder, math::PowFOp power, ArrayRef<double> usual) {
    Location loc = power.getLoc();
    Value base = power.getLhs(), exponent = power.getRhs();
    if (usual.empty())
      return math::PowFOp::create(builder, loc, base, exponent, power.getFastmath());
    Value first = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(exponent.getType(), usual.front()));
    Value isFirst = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, exponent, first);
    auto emitFirst = [&](OpBuilder &inside, Location) {
      scf::YieldOp::create(inside, loc, emitKnownPower(inside, loc, base, usual.front()));
    };
    auto emitOthers = [&](OpBuilder &inside, Location) {
      scf::YieldOp::create(inside, loc, emitPower(inside, power, usual.drop_front()));
    };
    return scf::IfOp::create(builder, loc, isFirst, emitFirst, emitOthers).getResult(0);
  }

  Value callOnParts(OpBuilder &builder, Location loc, StringRef name, Value value, bool imaginaryFirst) {
    Value re = complex::ReOp::create(builder, loc, value), im = complex::ImOp::create(builder, loc, value);
    Type part = re.getType();
    std::string symbol = part.isF32() ? (name + "f").str() : name.str();
    declare(loc, symbol, LLVM::LLVMFunctionType::get(part, {part, part}));
    return LLVM::CallOp::create(builder, loc, part, symbol, imaginaryFirst ? ValueRange{im, re} : ValueRange{re, im})
        .getResult();
  }
};

} // namespace
} // namespace npcc

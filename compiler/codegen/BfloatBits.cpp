// npcc-bfloat-bits: in the host's code a bf16 is the integer of its bits. LLVM keeps a bf16 that goes from one block to
// another as an f32, and calls a function of the compiler's library to round it again, which is not everywhere (or a
// machine's instruction, which makes subnormal numbers zero).
//
//   %x = llvm.load %p : !llvm.ptr -> bf16           %x = llvm.load %p : !llvm.ptr -> i16
//   %y = llvm.fpext %x : bf16 to f32          ->    %w = llvm.zext %x : i16 to i32   %s = llvm.shl %w, 16   %y =
//   llvm.bitcast %s : i32 to f32
//
// There is no other arithmetic: npcc-expand-math computes it in f32 and rounds it by integers.
#include "compiler/codegen/HostLowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_BFLOATBITS
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {
struct BfloatBits : npcc::impl::BfloatBitsBase<BfloatBits> {
  void runOnOperation() override {
    // Few programs have any.
    auto look = [](Operation *op) { return names(op) ? WalkResult::interrupt() : WalkResult::advance(); };
    if (!getOperation()->walk(look).wasInterrupted())
      return;
    for (Operation &op : *getOperation().getBody())
      if (!isa<gpu::GPUModuleOp>(op))
        replaceIn(&op);
  }

  /// Whether the operation has to do with bf16.
  static bool names(Operation *op) {
    auto isBfloat = [](Type type) { return type.isBF16(); };
    auto position = dyn_cast<LLVM::GEPOp>(op);
    return llvm::any_of(op->getOperandTypes(), isBfloat) || llvm::any_of(op->getResultTypes(), isBfloat) ||
           (position && position.getElemType().isBF16());
  }

  void replaceIn(Operation *top) {
    SmallVector<Operation *> conversions;
    top->walk([&](Operation *op) {
      if (isa<LLVM::FPExtOp, LLVM::FCmpOp>(op) && op->getOperand(0).getType().isBF16())
        conversions.push_back(op);
      if (auto constant = dyn_cast<LLVM::ConstantOp>(op); constant && constant.getType().isBF16())
        if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
          constant.setValueAttr(
              IntegerAttr::get(IntegerType::get(&getContext(), 16), value.getValue().bitcastToAPInt()));
    });
    for (Operation *op : conversions)
      widen(op);
    AttrTypeReplacer replacer;
    replacer.addReplacement([](BFloat16Type type) -> Type { return IntegerType::get(type.getContext(), 16); });
    replacer.recursivelyReplaceElementsIn(top, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
    top->walk([](LLVM::BitcastOp cast) {
      if (cast.getArg().getType() != cast.getType())
        return;
      cast.getResult().replaceAllUsesWith(cast.getArg());
      cast.erase();
    });
  }

  void widen(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type i16 = builder.getI16Type(), i32 = builder.getI32Type(), f32 = builder.getF32Type();
    Value width = LLVM::ConstantOp::create(builder, loc, i32, builder.getI32IntegerAttr(16));
    auto toF32 = [&](Value bfloat) -> Value {
      Value bits = LLVM::ZExtOp::create(builder, loc, i32, LLVM::BitcastOp::create(builder, loc, i16, bfloat));
      return LLVM::BitcastOp::create(builder, loc, f32, LLVM::ShlOp::create(builder, loc, bits, width));
    };
    if (isa<LLVM::FCmpOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(toF32(operand.get()));
      return;
    }
    Value wide = toF32(op->getOperand(0));
    if (op->getResult(0).getType() != f32)
      wide = LLVM::FPExtOp::create(builder, loc, op->getResult(0).getType(), wide);
    op->getResult(0).replaceAllUsesWith(wide);
    op->erase();
  }
};
} // namespace

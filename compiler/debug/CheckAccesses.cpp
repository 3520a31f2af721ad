// npcc-check-accesses: the runtime hears of each access to an array before it is made, and each position is looked at.
// See Passes.td.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/debug/Debug.h"
#include "compiler/debug/Layout.h"
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_CHECKACCESSES
#include "compiler/debug/Passes.h.inc"

using namespace mlir;

namespace {
struct CheckAccesses : impl::CheckAccessesBase<CheckAccesses> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto load = dyn_cast<memref::LoadOp>(op))
        check(builder, op, load.getMemref(), load.getIndices(), "npcc_rt_debug_read");
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        check(builder, op, store.getMemref(), store.getIndices(), "npcc_rt_debug_write");
      else if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
        check(builder, op, update.getMemref(), update.getIndices(), "npcc_rt_debug_update");
      else if (auto alloc = dyn_cast<np::AllocOp>(op))
        tellOfArray(builder, alloc);
      else if (auto release = dyn_cast<np::ReleaseOp>(op))
        call(builder, op, "npcc_rt_debug_release", {getBase(builder, release.getBuffer())});
      else if (auto reshape = dyn_cast<np::CallReshapeOp>(op))
        tellOfReshape(builder, reshape);
      else if (isa<np::CallMatmulOp, np::CallSortOp, np::RoutineOp, np::ExchangeHaloOp, np::DrawOp, np::DrawInTurnsOp,
                   np::NewGeneratorOp, np::SeedGeneratorOp>(op))
        tellOfCall(builder, op);
    }
  }

  Value number(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

  /// A call whose last two arguments are the place of `op` in the source.
  void callAt(OpBuilder &builder, Operation *op, StringRef name, SmallVector<Value> arguments) {
    auto [file, line] = getSourcePosition(op->getLoc());
    arguments.push_back(getTextAddress(builder, op->getLoc(), getOperation(), file));
    arguments.push_back(LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(line)));
    call(builder, op, name, arguments);
  }
  static Value getBase(OpBuilder &builder, Value array) { return Layout(builder, array.getLoc(), array).base; }
  void call(OpBuilder &builder, Operation *op, StringRef name, ValueRange arguments) {
    callFunction(builder, op->getLoc(), getOperation(), name, nullptr, arguments);
  }

  //===---- One element ----===//

  void check(OpBuilder &builder, Operation *op, Value array, ValueRange indices, StringRef name) {
    Location loc = op->getLoc();
    IndexMath math{builder, loc};
    Layout layout(builder, loc, array);
    for (auto [axis, index] : llvm::enumerate(indices)) {
      Value size = layout.sizes[axis];
      Value inside = math.compare(arith::CmpIPredicate::ult, index, size);
      np::AssertOp::create(builder, loc, inside, "IndexError",
                           ("index {0} is out of bounds for axis " + Twine(axis) + " with size {1}").str(),
                           ValueRange{index, size});
    }
    callAt(builder, op, name, {layout.getAddress(builder, loc, indices), number(builder, loc, layout.elementBytes)});
  }

  //===---- Whole arrays ----===//

  static Value getSize(OpBuilder &builder, Location loc, Value array) {
    IndexMath math{builder, loc};
    Layout layout(builder, loc, array);
    Value bytes = math.constant(layout.elementBytes);
    for (Value size : layout.sizes)
      bytes = math.mul(bytes, size);
    return toI64(builder, loc, bytes);
  }

  void tellOfArray(OpBuilder &builder, np::AllocOp alloc) {
    builder.setInsertionPointAfter(alloc);
    Value array = alloc.getBuffer();
    call(builder, alloc, "npcc_rt_debug_new", {getBase(builder, array), getSize(builder, alloc.getLoc(), array)});
  }

  /// What it copied is as good as written: the source may have elements that nobody reads.
  void tellOfReshape(OpBuilder &builder, np::CallReshapeOp reshape) {
    builder.setInsertionPointAfter(reshape);
    call(builder, reshape, "npcc_rt_debug_reshaped",
         {getBase(builder, reshape.getSource()), getBase(builder, reshape.getResult()),
          getSize(builder, reshape.getLoc(), reshape.getResult())});
  }

  void tellOfCall(OpBuilder &builder, Operation *op) {
    auto effects = cast<MemoryEffectOpInterface>(op);
    // Of the outputs of a routine some are only written, and all say that they are both; of a tile, the rows around the
    // own ones are only written.
    auto routine = dyn_cast<np::RoutineOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      SmallVector<MemoryEffects::EffectInstance> found;
      effects.getEffectsOnValue(operand.get(), found);
      bool readsAll = routine ? operand.getOperandNumber() < routine.getInputs().size() : !isa<np::ExchangeHaloOp>(op);
      bool reads =
          readsAll && llvm::any_of(found, [](auto &effect) { return isa<MemoryEffects::Read>(effect.getEffect()); });
      bool writes = llvm::any_of(found, [](auto &effect) { return isa<MemoryEffects::Write>(effect.getEffect()); });
      builder.setInsertionPoint(op);
      if (reads)
        tellOfAll(builder, op, operand.get(), "npcc_rt_debug_read_all");
      builder.setInsertionPointAfter(op);
      if (writes)
        tellOfAll(builder, op, operand.get(), "npcc_rt_debug_write_all");
    }
  }

  void tellOfAll(OpBuilder &builder, Operation *op, Value array, StringRef name) {
    Location loc = op->getLoc();
    int64_t rank = cast<MemRefType>(array.getType()).getRank();
    Type i64 = builder.getI64Type();
    Layout layout(builder, loc, array);
    // Sizes, then strides.
    Value axes = allocateOnStack(builder, op, i64, std::max<int64_t>(2 * rank, 1));
    SmallVector<Value> values = layout.sizes;
    llvm::append_range(values, layout.strides);
    for (auto [k, value] : llvm::enumerate(values)) {
      Value slot = LLVM::GEPOp::create(builder, loc, axes.getType(), i64, axes, ArrayRef<LLVM::GEPArg>{int32_t(k)});
      LLVM::StoreOp::create(builder, loc, toI64(builder, loc, value), slot);
    }
    Value strides = LLVM::GEPOp::create(builder, loc, axes.getType(), i64, axes, ArrayRef<LLVM::GEPArg>{int32_t(rank)});
    callAt(builder, op, name,
           {layout.getAddress(builder, loc, {}), number(builder, loc, layout.elementBytes), number(builder, loc, rank),
            axes, strides});
  }
};
} // namespace
} // namespace npcc

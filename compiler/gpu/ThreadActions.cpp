#include "compiler/gpu/ThreadActions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

/// What np.thread and np.call_linked are for NVVM, inside one launch.
class ThreadActions {
public:
  ThreadActions(ModuleOp module, OpBuilder &builder, Location loc, Value gridCounter)
      : module(module), builder(builder), loc(loc), gridCounter(gridCounter) {}

  SmallVector<Value> lower(np::ThreadOp op) {
    ValueRange operands = op.getOperands();
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
    auto give = [&](const char *name, Type result) -> SmallVector<Value> { return {call(name, result, operands)}; };
    auto act = [&](const char *name) -> SmallVector<Value> { return call(name, {}, operands), SmallVector<Value>(); };
    switch (op.getAction()) {
    case np::ThreadAction::syncthreads:
      return gpu::BarrierOp::create(builder, loc), SmallVector<Value>();
    case np::ThreadAction::syncthreads_count:
      return {reduceAtBarrier("popc", i32, operands[0])};
    case np::ThreadAction::syncthreads_and:
      return {arith::ExtUIOp::create(builder, loc, i32, reduceAtBarrier("and", i1, operands[0]))};
    case np::ThreadAction::syncthreads_or:
      return {arith::ExtUIOp::create(builder, loc, i32, reduceAtBarrier("or", i1, operands[0]))};
    case np::ThreadAction::syncwarp:
      return act("llvm.nvvm.bar.warp.sync");
    case np::ThreadAction::fence_block:
      return act("llvm.nvvm.membar.cta");
    case np::ThreadAction::fence_grid:
      return act("llvm.nvvm.membar.gl");
    case np::ThreadAction::fence_system:
      return act("llvm.nvvm.membar.sys");
    case np::ThreadAction::grid_sync:
      return syncGrid(), SmallVector<Value>();
    case np::ThreadAction::shuffle_idx:
      return shuffle("idx", operands);
    case np::ThreadAction::shuffle_up:
      return shuffle("up", operands);
    case np::ThreadAction::shuffle_down:
      return shuffle("down", operands);
    case np::ThreadAction::shuffle_xor:
      return shuffle("bfly", operands);
    case np::ThreadAction::vote_all:
      return give("llvm.nvvm.vote.all.sync", i1);
    case np::ThreadAction::vote_any:
      return give("llvm.nvvm.vote.any.sync", i1);
    case np::ThreadAction::vote_eq:
      return give("llvm.nvvm.vote.uni.sync", i1);
    case np::ThreadAction::ballot:
      return give("llvm.nvvm.vote.ballot.sync", i32);
    case np::ThreadAction::match_any:
    case np::ThreadAction::match_all:
      return match(op.getAction() == np::ThreadAction::match_all, operands);
    case np::ThreadAction::active_mask:
      return give("llvm.nvvm.activemask", i32);
    case np::ThreadAction::lane_mask_lt:
      return give("llvm.nvvm.read.ptx.sreg.lanemask.lt", i32);
    case np::ThreadAction::lane_id:
      return give("llvm.nvvm.read.ptx.sreg.laneid", i32);
    case np::ThreadAction::nanosleep:
      return act("llvm.nvvm.nanosleep");
    }
    llvm_unreachable("a case for each action");
  }

  /// A function of linked code stores its result where its first parameter points, and returns a status.
  SmallVector<Value> lower(np::CallLinkedOp op) {
    StringRef name = op.getCallee();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
    LLVMTypeConverter converter(builder.getContext());
    Type result = op.getNumResults() ? converter.convertType(op.getResult(0).getType()) : builder.getI32Type();
    OpBuilder entry = OpBuilder::atBlockBegin(&op->getParentOfType<gpu::LaunchOp>().getBody().front());
    Value one = LLVM::ConstantOp::create(entry, loc, builder.getI64IntegerAttr(1));
    SmallVector<Value> arguments{LLVM::AllocaOp::create(entry, loc, pointer, result, one)};
    SmallVector<Type> types{pointer};
    for (Value operand : op.getOperands()) {
      Type type = converter.convertType(operand.getType());
      types.push_back(type);
      arguments.push_back(type == operand.getType()
                              ? operand
                              : UnrealizedConversionCastOp::create(builder, loc, type, operand).getResult(0));
    }
    if (!module.lookupSymbol(name)) {
      OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
      auto function = LLVM::LLVMFuncOp::create(atModule, loc, name, LLVM::LLVMFunctionType::get(i32, types));
      function.setConvergent(true); // threads may wait for each other in it
    }
    LLVM::CallOp::create(builder, loc, TypeRange(i32), FlatSymbolRefAttr::get(builder.getContext(), name), arguments);
    if (!op.getNumResults())
      return {};
    Value loaded = LLVM::LoadOp::create(builder, loc, result, arguments[0]);
    Type type = op.getResult(0).getType();
    return {type == result ? loaded : UnrealizedConversionCastOp::create(builder, loc, type, loaded).getResult(0)};
  }

private:
  Value number(int32_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }

  Value call(const std::string &name, Type result, ValueRange operands) {
    StringAttr intrinsic = builder.getStringAttr(name);
    if (!result) {
      LLVM::CallIntrinsicOp::create(builder, loc, intrinsic, operands);
      return {};
    }
    return LLVM::CallIntrinsicOp::create(builder, loc, result, intrinsic, operands)->getResult(0);
  }

  /// A barrier of the block that tells how many threads say yes, or whether all or any do.
  Value reduceAtBarrier(StringRef kind, Type result, Value asked) {
    Value isTrue = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, asked, number(0));
    return call(("llvm.nvvm.barrier.cta.red." + kind + ".aligned.all").str(), result, {number(0), isTrue});
  }

  SmallVector<Value> match(bool isAll, ValueRange operands) {
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
    Value bits = widen(operands[1]);
    std::string type = bits.getType().isInteger(64) ? "i64" : "i32";
    if (!isAll)
      return {call("llvm.nvvm.match.any.sync." + type, i32, {operands[0], bits})};
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32, i1});
    Value both = call("llvm.nvvm.match.all.sync." + type + "p", pair, {operands[0], bits});
    return {LLVM::ExtractValueOp::create(builder, loc, both, 0), LLVM::ExtractValueOp::create(builder, loc, both, 1)};
  }

  /// As i32, or i64 where it is as wide.
  Value widen(Value value) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (isa<FloatType>(value.getType()))
      value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(width), value);
    return width < 32 ? arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value).getResult() : value;
  }
  Value narrow(Value bits, Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (bits.getType().getIntOrFloatBitWidth() != width)
      bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), bits);
    return bits.getType() == type ? bits : arith::BitcastOp::create(builder, loc, type, bits).getResult();
  }

  /// (mask, value, lane, width): 32 bits at a time.
  SmallVector<Value> shuffle(StringRef kind, ValueRange operands) {
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32, i1});
    // The segment that lanes come from, and the last lane of it that may: PTX's operand c.
    Value segment =
        arith::ShLIOp::create(builder, loc, arith::SubIOp::create(builder, loc, number(32), operands[3]), number(8));
    Value clamp = kind == "up" ? segment : arith::OrIOp::create(builder, loc, segment, number(31)).getResult();
    std::string name = ("llvm.nvvm.shfl.sync." + kind + ".i32p").str();
    Value inside;
    auto part = [&](Value bits) -> Value {
      Value both = call(name, pair, {operands[0], bits, operands[2], clamp});
      inside = LLVM::ExtractValueOp::create(builder, loc, both, 1);
      return LLVM::ExtractValueOp::create(builder, loc, both, 0);
    };
    Value bits = widen(operands[1]);
    if (bits.getType().isInteger(64)) {
      Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
      Value low = part(arith::TruncIOp::create(builder, loc, i32, bits));
      Value high = part(arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, bits, shift)));
      bits = arith::OrIOp::create(
          builder, loc, arith::ExtUIOp::create(builder, loc, i64, low),
          arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), shift));
    } else {
      bits = part(bits);
    }
    return {narrow(bits, operands[1].getType()), inside};
  }

  /// All blocks add to a counter of the launch; the highest bit of it changes when the last one has come. The first
  /// block adds what completes the number of blocks to that bit, the others 1 each.
  void syncGrid() {
    gpu::BarrierOp::create(builder, loc);
    Type i32 = builder.getI32Type(), index = builder.getIndexType();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst, isFirstBlock, blocks = number(1);
    auto both = [&](Value left, Value right) -> Value {
      return left ? arith::AndIOp::create(builder, loc, left, right).getResult() : right;
    };
    auto isZero = [&](Value value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, zero);
    };
    for (gpu::Dimension axis : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
      isFirst = both(isFirst, isZero(gpu::ThreadIdOp::create(builder, loc, index, axis)));
      isFirstBlock = both(isFirstBlock, isZero(gpu::BlockIdOp::create(builder, loc, index, axis)));
      Value size = arith::IndexCastOp::create(builder, loc, i32, gpu::GridDimOp::create(builder, loc, index, axis));
      blocks = arith::MulIOp::create(builder, loc, blocks, size);
    }
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    call("llvm.nvvm.membar.gl", {}, {});
    Value rest =
        arith::SubIOp::create(builder, loc, number(INT32_MIN), arith::SubIOp::create(builder, loc, blocks, number(1)));
    Value step = arith::SelectOp::create(builder, loc, isFirstBlock, rest, number(1));
    Value old = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, gridCounter, step,
                                          LLVM::AtomicOrdering::acq_rel, "device");
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&loop.getBefore());
    Value now = LLVM::LoadOp::create(builder, loc, i32, gridCounter, /*alignment=*/4, /*isVolatile=*/true);
    Value changed = arith::XOrIOp::create(builder, loc, old, now);
    Value waits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, changed, number(0));
    scf::ConditionOp::create(builder, loc, waits, ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
    builder.setInsertionPointAfter(loop);
    call("llvm.nvvm.membar.gl", {}, {});
    builder.setInsertionPointAfter(branch);
    gpu::BarrierOp::create(builder, loc);
  }

  ModuleOp module;
  OpBuilder &builder;
  Location loc;
  Value gridCounter;
};
} // namespace

void lowerThreadActions(ModuleOp module, gpu::LaunchOp launch, Value gridCounter) {
  SmallVector<Operation *> together;
  launch.walk([&](Operation *op) {
    if (isa<np::ThreadOp, np::CallLinkedOp>(op))
      together.push_back(op);
  });
  for (Operation *op : together) {
    OpBuilder builder(op);
    ThreadActions actions(module, builder, op->getLoc(), gridCounter);
    auto call = dyn_cast<np::CallLinkedOp>(op);
    op->replaceAllUsesWith(call ? actions.lower(call) : actions.lower(cast<np::ThreadOp>(op)));
    op->erase();
  }
}

} // namespace npcc::cuda

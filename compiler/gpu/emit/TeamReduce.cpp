#include "compiler/gpu/emit/TeamReduce.h"
#include "compiler/gpu/emit/Emitters.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
namespace npcc::cuda {

Value emitShuffle(OpBuilder &builder, Location loc, Value value, Value lane, gpu::ShuffleMode mode) {
  Type type = value.getType();
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value re = emitShuffle(builder, loc, complex::ReOp::create(builder, loc, value), lane, mode);
    Value im = emitShuffle(builder, loc, complex::ImOp::create(builder, loc, value), lane, mode);
    return complex::CreateOp::create(builder, loc, complex, re, im);
  }
  if (type.isIndex()) {
    Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::IndexCastOp::create(builder, loc, type, emitShuffle(builder, loc, wide, lane, mode));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 128) {
    Type half = builder.getI64Type();
    Value distance = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 64));
    auto move = [&](Value wide) -> Value {
      Value moved = emitShuffle(builder, loc, arith::TruncIOp::create(builder, loc, half, wide), lane, mode);
      return arith::ExtUIOp::create(builder, loc, type, moved);
    };
    Value low = move(value), high = move(arith::ShRUIOp::create(builder, loc, value, distance));
    return arith::OrIOp::create(builder, loc, arith::ShLIOp::create(builder, loc, high, distance), low);
  }
  if (bits < 32) {
    Type narrow = builder.getIntegerType(bits);
    Value raw = isa<FloatType>(type) ? arith::BitcastOp::create(builder, loc, narrow, value).getResult() : value;
    raw = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), raw);
    raw = arith::TruncIOp::create(builder, loc, narrow, emitShuffle(builder, loc, raw, lane, mode));
    return isa<FloatType>(type) ? arith::BitcastOp::create(builder, loc, type, raw).getResult() : raw;
  }
  Value width = arith::ConstantIntOp::create(builder, loc, 32, 32);
  return gpu::ShuffleOp::create(builder, loc, value, lane, width, mode).getShuffleResult();
}

/// Has LLVM write a loop out, so that its positions are constants.
static void writeOut(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, nullptr, nullptr, nullptr, BoolAttr::get(context, true), nullptr,
                                          nullptr, nullptr);
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, nullptr, nullptr, nullptr, unroll, nullptr, nullptr, nullptr,
                                              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {}));
}

/// Whether a thread may come here more than once.
static bool isInLoop(Operation *op, gpu::LaunchOp launch) {
  for (Operation *around = op->getParentOp(); around != launch; around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around))
      return true;
  return false;
}

SmallVector<Value> emitTeamReduce(OpBuilder &builder, Location loc, gpu::LaunchOp launch, Value size,
                                  Value isSeveralWarps, ValueRange values,
                                  function_ref<Value(unsigned, Value, Value)> combine, int64_t threads, int64_t most) {
  IndexMath m{builder, loc};
  const int64_t warp = 32, warps = threads / warp, mostWarps = most ? most / warp : warps;
  bool isBlock = getConstantIntValue(size) == threads;
  Type i32 = builder.getI32Type();
  // for (distance = min(size, 32) / 2; distance > 0; distance /= 2)
  Value first = m.div(m.min(size, m.constant(warp)), m.constant(2));
  SmallVector<Value> inits{arith::IndexCastOp::create(builder, loc, i32, first)};
  llvm::append_range(inits, values);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = scf::WhileOp::create(
      builder, loc, types, inits,
      [&](OpBuilder &, Location, ValueRange arguments) {
        Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
        Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, arguments[0], zero);
        scf::ConditionOp::create(builder, loc, more, arguments);
      },
      [&](OpBuilder &, Location, ValueRange arguments) {
        Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
        SmallVector<Value> next{arith::ShRUIOp::create(builder, loc, arguments[0], one)};
        for (auto [number, value] : llvm::enumerate(arguments.drop_front()))
          next.push_back(combine(number, value, emitShuffle(builder, loc, value, arguments[0], gpu::ShuffleMode::XOR)));
        scf::YieldOp::create(builder, loc, next);
      });
  SmallVector<Value> partials(loop.getResults().drop_front());

  auto block = scf::IfOp::create(builder, loc, ValueRange(partials).getTypes(), isSeveralWarps, true, true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(block.elseBlock());
  scf::YieldOp::create(builder, loc, partials);
  builder.setInsertionPointToStart(block.thenBlock());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  SmallVector<Value> shared;
  for (Value partial : partials) {
    auto type = MemRefType::get({warps}, partial.getType(), MemRefLayoutAttrInterface(), space);
    shared.push_back(launch.addWorkgroupAttribution(type, loc));
  }
  Value thread = launch.getThreadIds().x;
  Value number = m.div(thread, m.constant(warp));
  auto isFirst = m.compare(arith::CmpIPredicate::eq, m.bitAnd(thread, m.constant(warp - 1)), m.constant(0));
  auto store = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(store.thenBlock());
    for (auto [partial, memory] : llvm::zip_equal(partials, shared))
      memref::StoreOp::create(builder, loc, partial, memory, number);
  }
  gpu::BarrierOp::create(builder, loc);
  // The team's warps, in order; for a team that is a part of the block what comes behind them changes nothing.
  Value teamWarps = m.div(size, m.constant(warp)), firstWarp = m.sub(number, m.bitAnd(number, m.sub(teamWarps, 1)));
  if (isBlock)
    firstWarp = m.constant(0);
  SmallVector<Value> sums;
  for (Value memory : shared)
    sums.push_back(memref::LoadOp::create(builder, loc, memory, firstWarp));
  auto others =
      scf::ForOp::create(builder, loc, m.constant(1), m.constant(mostWarps), m.constant(1), sums,
                         [&](OpBuilder &, Location, Value other, ValueRange before) {
                           Value position = isBlock ? other : m.min(m.add(firstWarp, other), m.constant(warps - 1));
                           Value isOfTeam = isBlock ? Value() : m.compare(arith::CmpIPredicate::sgt, teamWarps, other);
                           SmallVector<Value> next;
                           for (auto [index, memory] : llvm::enumerate(shared)) {
                             Value combined =
                                 combine(index, before[index], memref::LoadOp::create(builder, loc, memory, position));
                             next.push_back(isBlock ? combined : m.select(isOfTeam, combined, before[index]));
                           }
                           scf::YieldOp::create(builder, loc, next);
                         });
  writeOut(others);
  if (isInLoop(block, launch)) // which uses the memory again
    gpu::BarrierOp::create(builder, loc);
  scf::YieldOp::create(builder, loc, others.getResults());
  return SmallVector<Value>(block.getResults());
}

} // namespace npcc::cuda

#include "compiler/gpu/emit/TeamScan.h"
#include "compiler/gpu/emit/TeamReduce.h"

using namespace mlir;
namespace npcc::cuda {

static constexpr int64_t warp = 32, groups = 4;

Value emitRunningInWarp(OpBuilder &builder, Location loc, np::FoldOp fold, Value total, Value inWarp) {
  IndexMath m{builder, loc};
  for (int64_t distance = 1; distance < warp; distance *= 2) {
    Value other = emitShuffle(builder, loc, total, arith::ConstantIntOp::create(builder, loc, distance, 32),
                              gpu::ShuffleMode::UP);
    Value hasOther = m.compare(arith::CmpIPredicate::sge, inWarp, m.constant(distance));
    Value combined = fold.emitCombine(builder, other, total)[0];
    total = arith::SelectOp::create(builder, loc, hasOther, combined, total);
  }
  return total;
}

Value TeamScan::choose(Value condition, Value left, Value right) {
  return arith::SelectOp::create(builder, loc, condition, left, right);
}
Value TeamScan::toInt(Value value) { return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), value); }

void TeamScan::emit(np::FoldOp op, Lane &lane) {
  assert(op->use_empty() && "beyond the line, totals are of elements twice");
  fold = op;
  IndexMath m = math();
  Value extent = lane.values.lookupOrDefault(op.getExtent()), init = lane.values.lookupOrDefault(op.getInitial()[0]);
  Value step = m.mul(size, groups);
  body.forget();
  auto loop = scf::ForOp::create(builder, loc, m.constant(0), extent, step, ValueRange{init});
  OpBuilder::InsertionGuard guard(builder);
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  builder.setInsertionPointToStart(loop.getBody());
  Value next = emitStep(lane, loop.getInductionVar(), extent, loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, next);
  body.forget();
}

/// One step of the team along its line; `before` is the total of the steps before. Returns the total with this step's.
Value TeamScan::emitStep(Lane &lane, Value start, Value extent, Value before) {
  IndexMath m = math();
  Value width = m.min(size, m.constant(warp)), inWarp = m.bitAnd(member, m.sub(width, 1)),
        number = m.div(member, m.constant(warp));
  Value first = m.add(m.add(start, m.mul(number, warp * groups)), inWarp);
  SmallVector<Lane> copies;
  SmallVector<Value> valid;
  for (int64_t group = 0; group < groups; ++group) {
    Value position = group ? m.add(first, m.mul(width, group)) : first;
    valid.push_back(m.compare(arith::CmpIPredicate::slt, position, extent));
    copies.push_back(lane);
    // Beyond the line: the last element again. It comes after all that is stored.
    Value inLine = m.min(position, m.sub(extent, 1));
    for (Value name : {fold.getPosition(), fold.getEachPosition()})
      body.setPosition(copies.back(), name, inLine, 0);
  }
  body.emitBlock(fold.getElement().front(), copies);
  Value threadInWarp = m.bitAnd(launch.getThreadIds().x, m.constant(warp - 1));
  Value last = toInt(m.add(m.sub(threadInWarp, inWarp), m.sub(width, 1)));
  SmallVector<Value> totals;
  Value sum;
  for (Lane &copy : copies) {
    Value total =
        emitRunning(copy.values.lookupOrDefault(fold.getElement().front().getTerminator()->getOperand(0)), inWarp);
    // Shuffled before it is combined: groups wait for one combination each, not for a shuffle, too.
    Value ofGroup = emitShuffle(builder, loc, total, last, gpu::ShuffleMode::IDX);
    totals.push_back(sum ? combine(sum, total) : total);
    sum = sum ? combine(sum, ofGroup) : ofGroup;
  }
  auto [prefix, next] = emitPrefix(before, sum, inWarp, number);
  for (auto [copy, total, isInside] : llvm::zip(copies, totals, valid)) {
    copy.values.map(fold.getEach().getArgument(1), combine(prefix, total));
    auto inside = scf::IfOp::create(builder, loc, m.both(isInside, isValid), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(inside.thenYield());
    body.forget();
    body.emitBlock(fold.getEach().front(), copy);
    body.forget();
  }
  return next;
}

/// The total of what lies before this thread's warp, and of all with this step: a block's warps meet in shared memory.
std::pair<Value, Value> TeamScan::emitPrefix(Value before, Value sum, Value inWarp, Value number) {
  IndexMath m = math();
  SmallVector<Type> types(2, sum.getType());
  auto block = scf::IfOp::create(builder, loc, types, isSeveralWarps, true, true);
  OpBuilder::InsertionGuard guard(builder);
  block.thenBlock()->clear();
  block.elseBlock()->clear();
  builder.setInsertionPointToStart(block.elseBlock());
  scf::YieldOp::create(builder, loc, ValueRange{before, combine(before, sum)});
  builder.setInsertionPointToStart(block.thenBlock());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  Value shared = launch.addWorkgroupAttribution(
      MemRefType::get({warps ? warps : warp}, sum.getType(), MemRefLayoutAttrInterface(), space), loc);
  auto store = scf::IfOp::create(builder, loc, m.compare(arith::CmpIPredicate::eq, inWarp, m.constant(0)),
                                 /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPoint(store.thenYield());
    memref::StoreOp::create(builder, loc, sum, shared, number);
  }
  gpu::BarrierOp::create(builder, loc);
  auto [prefix, next] = combineWarps(shared, before, number);
  gpu::BarrierOp::create(builder, loc); // before the memory is used again
  scf::YieldOp::create(builder, loc, ValueRange{prefix, next});
  return {block.getResult(0), block.getResult(1)};
}

std::pair<Value, Value> TeamScan::combineWarps(Value shared, Value before, Value number) {
  IndexMath m = math();
  Value prefix = before, next = before;
  // Each thread for itself, where these are few.
  for (int64_t other = 0; other < warps; ++other) {
    next = combine(next, memref::LoadOp::create(builder, loc, shared, m.constant(other)));
    prefix = choose(m.compare(arith::CmpIPredicate::sgt, number, m.constant(other)), next, prefix);
  }
  if (warps)
    return {prefix, next};
  // As many as a warp has threads: each warp makes their running totals.
  Value count = m.div(size, m.constant(warp)), inWarp = m.bitAnd(launch.getThreadIds().x, m.constant(warp - 1));
  Value theirs = memref::LoadOp::create(builder, loc, shared, m.min(inWarp, m.sub(count, 1)));
  Value total = emitRunning(theirs, inWarp);
  auto totalOf = [&](Value other) { return emitShuffle(builder, loc, total, toInt(other), gpu::ShuffleMode::IDX); };
  Value isFirst = m.compare(arith::CmpIPredicate::eq, number, m.constant(0));
  Value ahead = totalOf(m.max(m.sub(number, 1), m.constant(0)));
  next = combine(before, totalOf(m.sub(count, 1)));
  return {choose(isFirst, before, combine(before, ahead)), next};
}

} // namespace npcc::cuda

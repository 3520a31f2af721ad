#include "compiler/gpu/emit/PartScan.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "compiler/gpu/emit/TeamScan.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {

static constexpr int64_t warp = 32, warps = threadsPerBlock / warp, mostElements = 16;

PartPlan::PartPlan(HostSide &host, np::KernelOp kernel, np::FoldOp fold) {
  int64_t elements = chooseUnroll(fold.getElement().front(), 1, mostElements);
  vector = chooseVector(host.getAccesses(), fold, fold.getPosition(), elements);
  width = vector.width;
  vectors = elements / width;
  areAligned = host.math().truth(false);
  if (vector.position)
    areAligned =
        host.choose("vectors", emitAlignmentTest(host, vector, Value(), [&](Value leaf) -> Value {
                      for (auto [position, extent] : llvm::zip_equal(kernel.getInductionVars(), kernel.getExtents()))
                        if (position == leaf)
                          return extent;
                      return Value();
                    }));
}

int64_t PartPlan::countElementsOfBlock() const { return threadsPerBlock * countElements(); }

SmallVector<Value> PartScan::emitFastOrNot(TypeRange types, function_ref<SmallVector<Value>(bool)> emit) {
  auto choice = scf::IfOp::create(builder, loc, types, isFast, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (bool fast : {true, false}) {
    Block *block = fast ? choice.thenBlock() : choice.elseBlock();
    block->clear();
    builder.setInsertionPointToStart(block);
    body.forget();
    scf::YieldOp::create(builder, loc, emit(fast));
  }
  body.forget();
  return SmallVector<Value>(choice.getResults());
}

/// The thread's elements. Of a part that is not whole, those beyond the line are its last one again: they come after
/// all that is stored.
SmallVector<Lane> PartScan::makeLanes(Lane &lane, bool isFast) {
  IndexMath m = math();
  body.vector = plan.vector;
  body.vector.aligned = isFast;
  SmallVector<Lane> lanes;
  for (int64_t row = 0; row < plan.vectors; ++row)
    for (int64_t neighbour = 0; neighbour < plan.width; ++neighbour) {
      int64_t distance = row * warp * plan.width + neighbour;
      lanes.push_back(lane);
      Value inLine = isFast ? first : m.min(m.add(first, distance), m.sub(extent, 1));
      for (Value name : {fold.getPosition(), fold.getEachPosition()})
        body.setPosition(lanes.back(), name, inLine, isFast ? distance : 0);
    }
  return lanes;
}

SmallVector<Value> PartScan::emitElements(Lane &lane) {
  Block &block = fold.getElement().front();
  Value element = block.getTerminator()->getOperand(0);
  SmallVector<Type> types(plan.countElements(), element.getType());
  return emitFastOrNot(types, [&](bool fast) {
    llvm::SaveAndRestore<VectorMode> mode(body.vector);
    SmallVector<Lane> lanes = makeLanes(lane, fast);
    body.emitBlock(block, lanes);
    return llvm::map_to_vector(lanes, [&](Lane &lane) { return lane.values.lookupOrDefault(element); });
  });
}

PartScan::Totals PartScan::emitTotals(ArrayRef<Value> elements, Value neutral) {
  IndexMath m = math();
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
  Value isFirst = m.compare(arith::CmpIPredicate::eq, inWarp, m.constant(0));
  Totals totals;
  for (int64_t row = 0; row < plan.vectors; ++row) {
    SmallVector<Value> along;
    for (Value element : elements.slice(row * plan.width, plan.width))
      along.push_back(along.empty() ? element : combine(along.back(), element));
    Value running = emitRunningInWarp(builder, loc, fold, along.back(), inWarp);
    Value before = emitShuffle(builder, loc, running, number(1), gpu::ShuffleMode::UP);
    before = arith::SelectOp::create(builder, loc, isFirst, neutral, before);
    before = totals.ofWarp ? combine(totals.ofWarp, before) : before;
    for (Value total : along)
      totals.inWarp.push_back(combine(before, total));
    Value ofRow = emitShuffle(builder, loc, running, number(warp - 1), gpu::ShuffleMode::IDX);
    totals.ofWarp = totals.ofWarp ? combine(totals.ofWarp, ofRow) : ofRow;
  }
  return totals;
}

Value PartScan::emitBeforeWarp(Value ofWarp, Value neutral) {
  IndexMath m = math();
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({warps}, ofWarp.getType(), MemRefLayoutAttrInterface(), space);
  Value shared = launch.addWorkgroupAttribution(type, loc);
  Value isFirst = m.compare(arith::CmpIPredicate::eq, inWarp, m.constant(0));
  auto store = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(store.thenBlock());
    memref::StoreOp::create(builder, loc, ofWarp, shared, warpNumber);
  }
  Value before = chain.emitBefore(fold, neutral); // where all threads wait for each other
  for (int64_t other = 0; other < warps; ++other) {
    Value ofOther = memref::LoadOp::create(builder, loc, shared, m.constant(other));
    Value isBefore = m.compare(arith::CmpIPredicate::sgt, warpNumber, m.constant(other));
    before = arith::SelectOp::create(builder, loc, isBefore, combine(before, ofOther), before);
  }
  return before;
}

void PartScan::emitEach(Lane &lane, ArrayRef<Value> totals) {
  Block &block = fold.getEach().front();
  emitFastOrNot({}, [&](bool fast) {
    llvm::SaveAndRestore<VectorMode> mode(body.vector);
    SmallVector<Lane> lanes = makeLanes(lane, fast);
    for (auto [copy, total] : llvm::zip_equal(lanes, totals))
      copy.values.map(block.getArgument(1), total);
    if (fast) {
      body.emitBlock(block, lanes);
      return SmallVector<Value>();
    }
    for (auto [number, copy] : llvm::enumerate(lanes)) {
      int64_t distance = number / plan.width * warp * plan.width + number % plan.width;
      Value isInside = math().compare(arith::CmpIPredicate::slt, math().add(first, distance), extent);
      auto inside = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(inside.thenBlock());
      body.forget();
      body.emitBlock(block, copy);
      body.forget();
    }
    return SmallVector<Value>();
  });
}

void PartScan::begin(np::FoldOp op, Lane &lane) {
  assert(op->use_empty() && "beyond the line, totals are of elements twice");
  fold = op;
  IndexMath m = math();
  extent = lane.values.lookupOrDefault(op.getExtent());
  Value thread = launch.getThreadIds().x;
  inWarp = m.bitAnd(thread, m.constant(warp - 1));
  warpNumber = m.div(thread, m.constant(warp));
  Value start = m.mul(chain.part, plan.countElementsOfBlock());
  Value isWhole = m.compare(arith::CmpIPredicate::sle, m.add(start, plan.countElementsOfBlock()), extent);
  isFast = m.both(plan.areAligned, isWhole);
  first = m.add(m.add(start, m.mul(warpNumber, warp * plan.countElements())), m.mul(inWarp, plan.width));
}

/// Of a part that is not whole nobody wants the total: nothing comes behind it.
void PartScan::emitTotal(np::FoldOp op, Lane &lane) {
  begin(op, lane);
  SmallVector<Value> elements = emitElements(lane);
  Value mine = elements.front();
  for (Value element : ArrayRef(elements).drop_front())
    mine = combine(mine, element);
  auto combineTotals = [&](unsigned, Value left, Value right) { return combine(left, right); };
  Value total = emitTeamReduce(builder, loc, launch, math().constant(threadsPerBlock), math().truth(true), mine,
                               combineTotals, threadsPerBlock)[0];
  chain.publishTotal(fold, total, lane.values.lookupOrDefault(op.getInitial()[0]));
}

void PartScan::emitRunning(np::FoldOp op, Lane &lane) {
  begin(op, lane);
  Value neutral = lane.values.lookupOrDefault(op.getInitial()[0]);
  Totals totals = emitTotals(emitElements(lane), neutral);
  Value before = emitBeforeWarp(totals.ofWarp, neutral);
  for (Value &running : totals.inWarp)
    running = combine(before, running);
  next = chain.take();
  emitEach(lane, totals.inWarp);
}

} // namespace npcc::cuda

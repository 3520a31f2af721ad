// Kernels that are a fold a line. Where totals may be grouped in any way, a team of L threads takes a line, L U
// elements of it at a time.
//
//   L = 1, 2, .. 32 threads of a warp, or the 256 of a block, chosen by the host from the extents; U = 4
//   thread l of a warp takes elements l, L + l, 2 L + l, 3 L + l of the warp's part, so that neighbours load neighbours
//   each of the U groups of L elements: running totals by shuffles; then the total of what was before: groups, warps,
//   and former steps
//
// The grouping depends on the extents only. A line that is folded in order is a block's (EmitFold.cpp).
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/TeamReduce.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

constexpr int64_t warp = 32, warps = threadsPerBlock / warp, groups = 4;

class ScanEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;

  gpu::LaunchOp launch;
  Value member, size;   // of the team: this thread's number in it, its number of threads
  Value isSeveralWarps; // the team's threads
  Value isValid;        // the team has a line of its own

protected:
  void emitFold(np::FoldOp op, Lanes lanes) override {
    assert(op->use_empty() && "beyond the line, totals are of elements twice");
    fold = op;
    IndexMath m = math();
    Lane &lane = lanes.front();
    Value extent = lane.values.lookupOrDefault(op.getExtent()), init = lane.values.lookupOrDefault(op.getInitial()[0]);
    Value step = m.mul(size, groups);
    forget();
    auto loop = scf::ForOp::create(builder, loc, m.constant(0), extent, step, ValueRange{init});
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    Value next = emitStep(lane, loop.getInductionVar(), extent, loop.getRegionIterArg(0));
    scf::YieldOp::create(builder, loc, next);
    forget();
  }

private:
  np::FoldOp fold;

  Value combine(Value left, Value right) { return fold.emitCombine(builder, left, right)[0]; }
  Value choose(Value condition, Value left, Value right) {
    return arith::SelectOp::create(builder, loc, condition, left, right);
  }
  Value toInt(Value value) { return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), value); }

  /// One step of the team along its line; `before` is the total of the steps before. Returns the total with this
  /// step's.
  Value emitStep(Lane &lane, Value start, Value extent, Value before) {
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
        setPosition(copies.back(), name, inLine, 0);
    }
    emitBlock(fold.getElement().front(), copies);
    Value threadInWarp = m.bitAnd(launch.getThreadIds().x, m.constant(warp - 1));
    Value last = toInt(m.add(m.sub(threadInWarp, inWarp), m.sub(width, 1)));
    SmallVector<Value> totals;
    Value sum;
    for (Lane &copy : copies) {
      Value total = copy.values.lookupOrDefault(fold.getElement().front().getTerminator()->getOperand(0));
      for (int64_t distance = 1; distance < warp; distance *= 2) {
        Value other = emitShuffle(builder, loc, total, arith::ConstantIntOp::create(builder, loc, distance, 32),
                                  gpu::ShuffleMode::UP);
        total =
            choose(m.compare(arith::CmpIPredicate::sge, inWarp, m.constant(distance)), combine(other, total), total);
      }
      totals.push_back(sum ? combine(sum, total) : total);
      sum = emitShuffle(builder, loc, totals.back(), last, gpu::ShuffleMode::IDX);
    }
    auto [prefix, next] = emitPrefix(before, sum, inWarp, number);
    for (auto [copy, total, isInside] : llvm::zip(copies, totals, valid)) {
      copy.values.map(fold.getEach().getArgument(1), combine(prefix, total));
      auto inside = scf::IfOp::create(builder, loc, m.both(isInside, isValid), /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(inside.thenYield());
      forget();
      emitBlock(fold.getEach().front(), copy);
      forget();
    }
    return next;
  }

  /// The total of what lies before this thread's warp, and of all with this step: a block's warps meet in shared
  /// memory.
  std::pair<Value, Value> emitPrefix(Value before, Value sum, Value inWarp, Value number) {
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
        MemRefType::get({warps}, sum.getType(), MemRefLayoutAttrInterface(), space), loc);
    auto store = scf::IfOp::create(builder, loc, m.compare(arith::CmpIPredicate::eq, inWarp, m.constant(0)),
                                   /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPoint(store.thenYield());
      memref::StoreOp::create(builder, loc, sum, shared, number);
    }
    gpu::BarrierOp::create(builder, loc);
    Value prefix = before, next = before;
    for (int64_t other = 0; other < warps; ++other) {
      next = combine(next, memref::LoadOp::create(builder, loc, shared, m.constant(other)));
      prefix = choose(m.compare(arith::CmpIPredicate::sgt, number, m.constant(other)), next, prefix);
    }
    gpu::BarrierOp::create(builder, loc); // before the memory is used again
    scf::YieldOp::create(builder, loc, ValueRange{prefix, next});
    return {block.getResult(0), block.getResult(1)};
  }
};

} // namespace

void emitScan(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  np::FoldOp fold = *kernel.getBody()->getOps<np::FoldOp>().begin();
  if (fold.getGrouping() == np::Grouping::ordered || fold.getInitial().size() > 1)
    return emitFold(kernel, accesses);
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  ScanEmitter body(host, builder, loc);
  IndexMath h = host.math();
  Value lines = h.constant(1), one = h.constant(1);
  for (Value extent : kernel.getExtents())
    lines = h.mul(lines, extent);
  // Threads of a warp go through the steps together: lines of different lengths have a block each.
  Value extent = fold.getExtent();
  bool isBlock = !isInvariant(extent, kernel);
  Team team = emitTeam(host, lines, isBlock ? Value() : extent, 1, isBlock);
  Value size = team.size;
  Value teams = h.div(h.constant(threadsPerBlock), size);
  auto launch =
      beginLaunch(host, builder, {h.ceilDiv(lines, teams), one, one}, {h.constant(threadsPerBlock), one, one}, "scan");
  IndexMath m = body.math();
  body.launch = launch;
  body.size = size;
  body.isSeveralWarps = team.isSeveralWarps;
  TeamPlace place = emitTeamPlace(m, launch, size, teams, lines, threadsPerBlock);
  body.member = place.member;
  body.isValid = place.isValid;
  Lane lane;
  SmallVector<Value> positions = m.unravel(place.row, kernel.getExtents());
  for (auto [name, position] : llvm::zip_equal(kernel.getInductionVars(), positions))
    body.setPosition(lane, name, position, 0);
  body.emitBlock(*kernel.getBody(), lane);
}

} // namespace npcc::cuda

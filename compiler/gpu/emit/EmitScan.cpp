// Kernels that are a fold a line. Where totals may be grouped in any way, a team of threads takes a line, of a size
// that the host chooses from the extents (TeamScan.h). The grouping depends on the extents only. A line that is folded
// in order is a block's (EmitFold.cpp). Where npcc-split-scans has asked the whole grid to share out lines, blocks take
// parts of them, and hand totals on (ScanChain.h).
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/PartScan.h"
#include "compiler/gpu/emit/TeamScan.h"
#include "compiler/target/Target.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

class ScanEmitter : public BodyEmitter {
public:
  ScanEmitter(HostSide &host, OpBuilder &builder, Location loc, gpu::LaunchOp launch)
      : BodyEmitter(host, builder, loc), scan(*this, builder, loc, launch) {}

  TeamScan scan;

protected:
  void emitFold(np::FoldOp op, Lanes lanes) override { scan.emit(op, lanes.front()); }
};

/// Blocks take parts of lines, one after the other. A block makes the total of its next part before it goes through the
/// last one, so that others need not wait for it, and what it waits for is mostly there.
///
///   do {
///     part = the number that was taken
///     if there is such a part:    its total, for all blocks
///     if there was one before it: wait for the totals before that, take another number, running totals
///   } while there was such a part
///
/// A number is taken as late as its way from memory can still be hidden: others wait for the part of it.
class PartScanEmitter : public BodyEmitter {
public:
  PartScanEmitter(HostSide &host, OpBuilder &builder, const PartPlan &plan, ScanChain &chain, gpu::LaunchOp launch)
      : BodyEmitter(host, builder, launch.getLoc()), chain(chain),
        scan(*this, plan, chain, builder, launch.getLoc(), launch) {}

  void emitParts(np::KernelOp kernel) {
    SmallVector<Type> types{builder.getI64Type(), builder.getIndexType()};
    SmallVector<Location> locations(types.size(), loc);
    Value none = math().constant(std::numeric_limits<int64_t>::max());
    auto loop = scf::WhileOp::create(builder, loc, types, ValueRange{chain.take(), none});
    Block *block = builder.createBlock(&loop.getBefore(), {}, types, locations);
    Value part = chain.share(block->getArgument(0)), last = block->getArgument(1), isPart = chain.isPart(part);
    emitPart(kernel, part, isPart, /*total=*/true);
    Value next = emitPart(kernel, last, chain.isPart(last), /*total=*/false);
    scf::ConditionOp::create(builder, loc, isPart, ValueRange{next, part});
    Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
    scf::YieldOp::create(builder, loc, after->getArguments());
    builder.setInsertionPointAfter(loop);
  }

protected:
  void emitFold(np::FoldOp op, Lanes lanes) override {
    if (isTotal)
      scan.emitTotal(op, lanes.front());
    else
      scan.emitRunning(op, lanes.front());
  }

private:
  /// Gives the number of the next part, where a part's totals run.
  Value emitPart(np::KernelOp kernel, Value part, Value isThere, bool total) {
    SmallVector<Type> types;
    if (!total)
      types.push_back(builder.getI64Type());
    auto choice = scf::IfOp::create(builder, loc, types, isThere, true, !total);
    OpBuilder::InsertionGuard guard(builder);
    if (!total) {
      builder.setInsertionPointToStart(choice.elseBlock());
      scf::YieldOp::create(builder, loc, chain.take());
    }
    builder.setInsertionPointToStart(choice.thenBlock());
    forget();
    chain.setPart(part);
    isTotal = total;
    emitIteration(kernel, chain.line);
    forget();
    scf::YieldOp::create(builder, loc, total ? ValueRange() : ValueRange(scan.next));
    return total ? Value() : choice.getResult(0);
  }

  ScanChain &chain;
  PartScan scan;
  bool isTotal = false; // which of both the code at hand makes
};

void emitParts(np::KernelOp kernel, np::FoldOp fold, KernelAccesses &accesses) {
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  IndexMath h = host.math();
  Value lines = h.product(kernel.getExtents()), one = h.constant(1);
  PartPlan plan(host, kernel, fold);
  Value parts = h.max(one, h.ceilDiv(fold.getExtent(), h.constant(plan.countElementsOfBlock())));
  ScanChain chain(host, fold.getInitial()[0].getType(), lines, parts);
  // No more than can run at once on any device that there is: others would find nothing to do.
  Value blocks = h.min(h.mul(lines, parts), h.constant(getTargetProperties(kernel).tuning.mostParts));
  auto launch = beginLaunch(host, builder, {blocks, one, one}, {h.constant(threadsPerBlock), one, one}, "scan");
  chain.begin(builder, launch);
  PartScanEmitter(host, builder, plan, chain, launch).emitParts(kernel);
  chain.release(launch);
}

} // namespace

void emitScan(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  np::FoldOp fold = *kernel.getBody()->getOps<np::FoldOp>().begin();
  if (fold.getGrouping() == np::Grouping::ordered || fold.getInitial().size() > 1)
    return emitFold(kernel, accesses);
  if (kernel.getRunner() == np::Runner::grid)
    return emitParts(kernel, fold, accesses);
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  IndexMath h = host.math();
  Value lines = h.product(kernel.getExtents()), one = h.constant(1);
  // Threads of a warp go through the steps together: lines of different lengths have a block each.
  Value extent = fold.getExtent();
  bool isBlock = !isInvariant(extent, kernel);
  Team team = emitTeam(host, lines, isBlock ? Value() : extent, 1, isBlock);
  Value size = team.size;
  Value teams = h.div(h.constant(threadsPerBlock), size);
  auto launch =
      beginLaunch(host, builder, {h.ceilDiv(lines, teams), one, one}, {h.constant(threadsPerBlock), one, one}, "scan");
  ScanEmitter body(host, builder, loc, launch);
  IndexMath m = body.math();
  TeamPlace place = emitTeamPlace(m, launch, size, teams, lines, threadsPerBlock);
  body.scan.size = size;
  body.scan.isSeveralWarps = team.isSeveralWarps;
  body.scan.member = place.member;
  body.scan.isValid = place.isValid;
  body.scan.warps = threadsPerBlock / 32;
  body.emitIteration(kernel, place.row);
}

} // namespace npcc::cuda

// Kernels that are a fold a line. Where totals may be grouped in any way, a team of threads takes a line, of a size
// that the host chooses from the extents (TeamScan.h). The grouping depends on the extents only. A line that is folded
// in order is a block's (EmitFold.cpp).
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/TeamScan.h"

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

} // namespace

void emitScan(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  np::FoldOp fold = *kernel.getBody()->getOps<np::FoldOp>().begin();
  if (fold.getGrouping() == np::Grouping::ordered || fold.getInitial().size() > 1)
    return emitFold(kernel, accesses);
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

// Loops of the grid whose iterations hold loops: a team of threads for each iteration.
#include "compiler/gpu/emit/GridEmitter.h"
#include "compiler/memory/Aliasing.h"

using namespace mlir;
namespace npcc::cuda {

constexpr int64_t threads = threadsOfGrid, warp = 32, mostOfTeam = 4 * warp;

// Elements that each thread of several warps has at least.
constexpr int64_t leastOfThread = 8;

/// Whether what a thread of a team stores another one may load in the same iteration: the threads of a warp wait for
/// each other then.
static bool readsItsStores(scf::ParallelOp op, bool isGeneral) {
  return op.getBody()
      ->walk([&](memref::StoreOp store) {
        return op.getBody()->walk([&](memref::LoadOp load) {
          return mayAlias(load.getMemref(), store.getMemref(), isGeneral) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
        });
      })
      .wasInterrupted();
}

/// Threads for an iteration: enough to be busy, few where there are many iterations. All 32 of a warp where threads of
/// a team wait for each other under a condition; several warps where the iterations are so few that most warps would
/// have none.
void GridEmitter::setTeamSize(scf::ParallelOp op, ArrayRef<Value> extents) {
  IndexMath h = host.math();
  Value longest;
  bool isKnown = llvm::all_of(extents, [&](Value extent) { return isInvariant(extent, launch); });
  op.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
    isKnown &= inner->getBlock() == op.getBody();
    Value length = h.constant(1);
    for (Value bound : inner.getUpperBound()) {
      isKnown &= isInvariant(bound, kernel);
      length = isKnown ? h.mul(length, bound) : length;
    }
    longest = longest ? h.max(longest, length) : length;
    return WalkResult::skip();
  });
  isSeveralWarps = h.truth(false);
  teamSize = math().constant(warp);
  if (!isKnown || !longest)
    return;
  Value rows = h.product(extents), all = h.mul(wanted, threads);
  Value most = h.div(all, h.max(rows, h.constant(1)));
  teamSize = h.powerOfTwo(h.max(h.constant(1), h.min(h.ceilDiv(longest, h.constant(2)), most)), 1, warp);
  if (readsItsStores(op, kernel->getParentOfType<func::FuncOp>()->hasAttr("np.general")))
    return;
  Value size = teamSize;
  for (int64_t wide = 2 * warp; wide <= mostOfTeam; wide *= 2) {
    // The device may run half of the blocks that are wanted: wider teams would go round twice then.
    Value fits = h.both(h.compare(arith::CmpIPredicate::sle, h.mul(rows, wide == 2 * warp ? wide : 2 * wide), all),
                        h.compare(arith::CmpIPredicate::sge, longest, h.constant(wide * leastOfThread)));
    isSeveralWarps = h.either(isSeveralWarps, fits);
    size = h.select(fits, h.constant(wide), size);
  }
  isSeveralWarps = host.choose("several warps for an iteration", isSeveralWarps);
  teamSize = h.select(isSeveralWarps, size, teamSize);
}

void GridEmitter::emitTeams(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents) {
  IndexMath m = math();
  Value zero = m.constant(0), one = m.constant(1), rows = product(extents);
  llvm::SaveAndRestore<Value> outerSize(teamSize), outerWarps(isSeveralWarps), outerMember(teamMember),
      outerValid(isValid), outerLeader(leader);
  setTeamSize(op, extents);
  teamMember = m.bitAnd(number, m.sub(teamSize, one));
  Value teams = m.narrowDiv(size, teamSize), team = m.narrowDiv(number, teamSize);
  // All teams go round equally often, for threads of a warp meet in shuffles: without an iteration of its own a team
  // repeats the last one and stores nothing.
  auto loop = scf::ForOp::create(builder, loc, zero, rows, teams);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = m.add(loop.getInductionVar(), team);
  isValid = m.compare(arith::CmpIPredicate::slt, row, rows);
  leader = m.both(isValid, m.compare(arith::CmpIPredicate::eq, teamMember, zero));
  Lane inside = lane;
  emitPosition(inside, op, extents, m.min(row, m.sub(rows, one)));
  forget();
  emitBlock(*op.getBody(), inside);
}

/// A loop inside an iteration that a team has.
void GridEmitter::emitTeamLoop(scf::ParallelOp op, Lane &lane) {
  IndexMath m = math();
  bool writes = mayWrite(op);
  SmallVector<Value> extents = lookUp(op.getUpperBound(), lane);
  if (writes) {
    forget();
    extents.front() = m.select(isValid, extents.front(), m.constant(0));
  }
  SmallVector<Value> results;
  {
    llvm::SaveAndRestore<Value> none(leader, Value());
    Lane inside = lane;
    results = emitOwnPart(op, inside, extents, teamMember, teamSize);
  }
  if (!results.empty())
    lane.values.map(op.getResults(), emitCombined(op, results, teamSize, isSeveralWarps, mostOfTeam));
}

} // namespace npcc::cuda

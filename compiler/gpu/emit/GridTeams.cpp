// Loops of the grid whose iterations hold loops: a team of threads for each iteration.
#include "compiler/gpu/emit/GridEmitter.h"

using namespace mlir;
namespace npcc::cuda {

constexpr int64_t threads = threadsOfGrid, warp = 32;

/// Threads for an iteration: enough to be busy, few where there are many iterations. All 32 of a warp where threads of
/// a team wait for each other under a condition.
Value GridEmitter::emitTeamSize(scf::ParallelOp op, ArrayRef<Value> extents) {
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
  if (!isKnown || !longest)
    return math().constant(warp);
  Value rows = h.constant(1);
  for (Value extent : extents)
    rows = h.mul(rows, extent);
  Value most = h.div(h.mul(wanted, threads), h.max(rows, h.constant(1)));
  return h.powerOfTwo(h.max(h.constant(1), h.min(h.ceilDiv(longest, h.constant(2)), most)), 1, warp);
}

void GridEmitter::emitTeams(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents) {
  IndexMath m = math();
  Value zero = m.constant(0), one = m.constant(1), rows = product(extents);
  llvm::SaveAndRestore<Value> outerSize(teamSize, emitTeamSize(op, extents)), outerMember(teamMember, Value()),
      outerValid(isValid, Value()), outerLeader(leader, Value());
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
    lane.values.map(op.getResults(), emitCombined(op, results, teamSize, warp));
}

} // namespace npcc::cuda

// Kernels whose inner loops run along contiguous memory: a team of L threads computes one iteration of the kernel.
//
//   L = 1, 2, .. 256 threads of a block, chosen by the host from the extents
//   outer code: every thread of the team computes it; the first one stores
//   inner loop: thread l takes elements [l V, l V + V) of each L V elements, U such steps at a time, into U V
//   accumulators;
//               these are combined in a fixed order, then over the team (shuffles, and shared memory for a block): all
//               get the result
//
// A row that several loops go over, and that is short enough, stays in registers: each thread takes the same elements
// in all of them, without a loop (HeldRows.h).
//
// The order of combination depends on the extents only: where vectors are not aligned the same elements are loaded one
// by one.
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/RowLengths.h"
#include "compiler/gpu/emit/TeamEmitter.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

// Blocks that go through whole loops are small, as all their teams wait at each barrier, but a multiprocessor holds
// only so many blocks.
constexpr int64_t fewestThreadsOfRows = 128;

} // namespace

void emitRows(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  llvm::DenseSet<Value> own = findOwnArrays(kernel, accesses);
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  TeamEmitter body(host, builder, loc);
  IndexMath h = host.math();
  Value rows = h.product(kernel.getExtents());
  // Inner loops of the kernel itself are shared out; those inside them are not. Under control flow, threads of a team
  // must agree on it: then a team is a block.
  Value longest;
  body.isSteps = kernel.getKind() == np::KernelKind::steps;
  // One block alone has nothing but more loads of its own to hide latency.
  bool isBlock = body.isSteps;
  body.isOwnRows = kernel.getRunner() == np::Runner::rows;
  body.isLoop = body.isSteps && !body.isOwnRows && kernel.isUnit();
  body.threads = body.isLoop ? threadsPerLoop : threadsPerBlock;
  int64_t widest = 1;
  bool isRagged = false; // a thread has all its loads of a row of mean length under way at once
  Value mostElements;    // of a whole loop's inner loops, where all are known
  bool areKnown = true;
  kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
    isBlock |= inner->getParentOp() != kernel;
    bool isKnown = llvm::all_of(inner.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); });
    RowLoop plan;
    Value position = inner.getInductionVars().back();
    bool hasWhile = inner.getBody()->walk([](scf::WhileOp) { return WalkResult::interrupt(); }).wasInterrupted();
    int64_t widestVector = hasWhile || body.isSteps ? 1 : 8;
    while (widestVector > 1 && widestVector * countOps(*inner.getBody()) > 256)
      widestVector /= 2;
    plan.mode = chooseVector(accesses, inner, position, widestVector);
    bool hasComplex = plan.mode.position && llvm::any_of(accesses.getStreams(), [](const Stream &stream) {
                        return isa<ComplexType>(stream.getType().getElementType());
                      });
    if ((plan.mode.width == 1 && !hasComplex) || body.isJoined(inner))
      plan.mode = VectorMode();
    plan.joins = emitJoins(host, inner.getInductionVars(), inner.getUpperBound());
    SmallVector<Value> most;
    for (Value bound : inner.getUpperBound())
      most.push_back(isKnown ? bound : body.isOwnRows ? emitEnd(host, bound, /*most=*/true) : Value());
    if (llvm::all_of(most, [](Value end) { return bool(end); })) {
      Value elements = h.product(most);
      mostElements = mostElements ? h.max(mostElements, elements) : elements;
    } else {
      areKnown = false;
    }
    if (isKnown) {
      plan.extents = joinExtents(h, plan.joins, inner.getUpperBound());
      Value length = emitSharedLength(host, rows, plan.extents);
      longest = longest ? h.max(longest, length) : length;
    } else {
      // Rows of different lengths: a team for each, by their mean. In steps, and where loops have several axes, a
      // block.
      Value mean = !isBlock && inner.getNumLoops() == 1 ? emitMeanLength(host, inner, rows) : Value();
      if (mean) {
        longest = longest ? h.max(longest, mean) : mean;
        plan.mode = VectorMode();
        isRagged = true;
      } else {
        isBlock = true;
      }
    }
    if (plan.mode.position)
      plan.aligned =
          host.choose("vectors", emitAlignmentTest(host, plan.mode, Value(), [&](Value leaf) -> Value {
                        for (auto [position, extent] : llvm::zip(inner.getInductionVars(), plan.extents))
                          if (position == leaf)
                            return extent;
                        for (auto [position, extent] : llvm::zip_equal(kernel.getInductionVars(), kernel.getExtents()))
                          if (position == leaf)
                            return extent;
                        return Value();
                      }));
    if (body.isLoop) { // nobody else is there to compute while it waits
      plan.unroll = 4;
      while (plan.unroll > 1 && plan.unroll * countOps(*inner.getBody()) > 192)
        plan.unroll /= 2;
    } else {
      plan.unroll =
          body.isSteps ? 1 : chooseUnroll(*inner.getBody(), plan.mode.width, inner.getNumResults() > 0 ? 4 : 2);
    }
    widest = std::max(widest, plan.mode.width);
    body.loops[inner] = plan;
    return WalkResult::skip();
  });
  // No other row wants the threads of a block, and one that always has all of them is no alternative.
  isBlock |= kernel.isUnit();
  // A running total of steps has several elements a thread, as their inner loops have.
  kernel.getBody()->walk([&](np::FoldOp fold) {
    bool isKnown = isInvariant(fold.getExtent(), kernel);
    areKnown &= isKnown;
    if (isKnown)
      mostElements = mostElements ? h.max(mostElements, fold.getExtent()) : fold.getExtent();
  });
  Value oneRun;
  for (Value join : emitJoins(host, kernel.getInductionVars(), kernel.getExtents()))
    oneRun = oneRun ? h.both(oneRun, join) : join;
  if (oneRun)
    oneRun = host.choose("rows in one run", oneRun);
  // Threads without an element cost time at each barrier.
  Team team;
  if (body.isOwnRows)
    team = emitTeamOfLoop(host, !areKnown ? Value() : mostElements ? mostElements : h.constant(1));
  else if (!body.isLoop)
    team = emitTeam(host, rows, longest, isRagged ? 2 * widest : widest, isBlock, body.loops.size());
  else if (areKnown && mostElements)
    team.size = h.powerOfTwo(h.ceilDiv(mostElements, h.constant(2)), fewestThreadsPerLoop, threadsPerLoop);
  else
    team.size = h.constant(threadsPerLoop);
  Value size = team.size;
  if (!body.isSteps && !body.isOwnRows)
    body.hold(findHeldRows(host, kernel, accesses, body.loops, own, size));
  if (!body.isSteps && !body.held.steps)
    findNarrow(host, kernel, body.loops, size);
  if (!body.held.steps)
    shorten(host, kernel, body.loops, [&](scf::ParallelOp inner) { return body.isJoined(inner); }, size);
  Value block = body.isLoop ? size : h.constant(body.threads);
  if (body.isOwnRows)
    block = h.max(size, h.constant(fewestThreadsOfRows));
  Value teams = body.isLoop ? h.constant(1) : h.div(block, size);
  Value one = h.constant(1);
  auto launch = beginLaunch(host, builder, {h.ceilDiv(rows, teams), one, one}, {block, one, one}, "rows");
  if (!getConstantIntValue(block))
    launch->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), builder.getDenseI32ArrayAttr({int32_t(body.threads)}));
  IndexMath m = body.math();
  Value thread = launch.getThreadIds().x;
  body.launch = launch;
  body.isBlock = isBlock;
  body.size = size;
  body.isSeveralWarps = team.isSeveralWarps ? team.isSeveralWarps : h.truth(true);
  TeamPlace place{m.constant(0), thread, m.truth(true)};
  if (!body.isLoop) // whose one block has the one iteration
    place = emitTeamPlace(m, launch, size, teams, rows, body.threads);
  Value row = place.row;
  body.member = place.member;
  body.isValid = place.isValid;
  body.leader = m.both(body.isValid, m.compare(arith::CmpIPredicate::eq, body.member, m.constant(0)));
  Lane lane;
  SmallVector<Value> positions;
  if (oneRun) {
    // Rows that follow each other in memory are numbered by the last axis alone: divisions would cost as much as a
    // short row.
    SmallVector<Type> types(kernel.getNumLoops(), row.getType());
    auto choice = scf::IfOp::create(builder, loc, types, oneRun, true, true);
    OpBuilder::InsertionGuard guard(builder);
    choice.thenBlock()->clear();
    choice.elseBlock()->clear();
    builder.setInsertionPointToStart(choice.thenBlock());
    SmallVector<Value> joined(kernel.getNumLoops(), m.constant(0));
    joined.back() = row;
    scf::YieldOp::create(builder, loc, joined);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, m.unravel(row, kernel.getExtents()));
    llvm::append_range(positions, choice.getResults());
  } else {
    positions = m.unravel(row, kernel.getExtents());
  }
  for (auto [position, value] : llvm::zip(kernel.getInductionVars(), positions))
    body.setPosition(lane, position, value, 0);
  body.emitBlock(*kernel.getBody(), lane);
  markSmallPositions(host, launch);
}

} // namespace npcc::cuda

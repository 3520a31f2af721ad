// Kernels whose inner loops run along contiguous memory: a team of L threads computes one iteration of the kernel.
//
//   L = 1, 2, .. 256 threads of a block, chosen by the host from the extents
//   outer code: every thread of the team computes it; the first one stores
//   inner loop: thread l takes elements [l V, l V + V) of each L V elements, U such steps at a time, into U V
//   accumulators;
//               these are combined in a fixed order, then over the team (shuffles, and shared memory for a block): all
//               get the result
//
// The order of combination depends on the extents only: where vectors are not aligned the same elements are loaded one
// by one.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/CheckOrder.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/RowLengths.h"
#include "compiler/gpu/emit/RowLoops.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "compiler/gpu/emit/TeamScan.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

class TeamEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;

  gpu::LaunchOp launch;
  Value member, size;     // of the team: this thread's number in it, its number of threads
  Value isSeveralWarps;   // so that they meet in shared memory
  Value isValid;          // the team has an iteration of its own
  bool isBlock;           // all threads of the block take the same way through the outer code
  bool isSteps;           // a block runs a whole loop of the host, or an iteration of one
  bool isLoop = false;    // a whole loop: there is one block
  bool isOwnRows = false; // a whole loop for each row: all teams take the same way
  int64_t threads = threadsPerBlock;
  RowLoops loops;

  /// Whether all axes of a loop are one: rows may be shorter than the team.
  bool isJoined(scf::ParallelOp op) const { return (isLoop || isOwnRows) && op.getNumLoops() > 1; }

protected:
  /// What the first thread stores the others may still be reading, where the kernel has more to read than one row: in
  /// steps.
  void prepare(Operation &op) override {
    if (leader && isSteps &&
        (isa<memref::StoreOp>(op) ? isLoaded(cast<memref::StoreOp>(op).getMemref())
                                  : (loops.contains(&op) || isa<np::FoldOp>(op)) && mayWrite(&op)))
      gpu::BarrierOp::create(builder, loc);
  }

  /// What the first thread of a team stored the others may read next.
  void finish(Operation &op) override {
    // Nothing of the loop comes after a check that failed: all threads find it so.
    if (isSteps && leader && isa<np::CheckIndexOp, np::AssertOp>(op))
      endAtCheck(&*std::prev(builder.getInsertionPoint()));
    if (!leader || isa<scf::ParallelOp>(op) || !(isBlock || op.getParentOp() == host.getKernel()))
      return;
    if (isSteps && !isa<memref::StoreOp>(op))
      return; // stores inside took care
    bool isRead = op.walk([&](memref::StoreOp store) {
                      return isLoaded(store.getMemref()) ? WalkResult::interrupt() : WalkResult::advance();
                    }).wasInterrupted();
    if (isRead)
      gpu::BarrierOp::create(builder, loc);
  }

  /// A loop that only stores, one iteration after the other, is the first thread's alone: the others would wait at each
  /// store.
  bool isSerial(Operation *op) {
    if (!isSteps || !leader || !op->use_empty() || !mayWrite(op))
      return false;
    return !op->walk([](Operation *inside) {
                return isa<scf::ParallelOp, np::FoldOp, np::CheckIndexOp, np::AssertOp>(inside)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              }).wasInterrupted();
  }

  void emitFor(scf::ForOp op, Lanes lanes) override {
    if (!isSerial(op))
      return BodyEmitter::emitFor(op, lanes);
    gpu::BarrierOp::create(builder, loc);
    {
      auto alone = scf::IfOp::create(builder, loc, leader, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(alone.thenBlock());
      llvm::SaveAndRestore<Value> none(leader, Value());
      forget();
      BodyEmitter::emitFor(op, lanes);
    }
    forget();
    gpu::BarrierOp::create(builder, loc);
  }

  /// A running total in steps, by all threads of the block: LowerFolds.cpp says which ones come here.
  void emitFold(np::FoldOp op, Lanes lanes) override {
    TeamScan scan(*this, builder, loc, launch);
    scan.member = member;
    scan.size = size;
    scan.isSeveralWarps = isSeveralWarps;
    scan.isValid = isValid;
    {
      llvm::SaveAndRestore<Value> all(leader, Value()); // every thread stores at positions of its own
      scan.emit(op, lanes.front());
    }
    if (mayWrite(op))
      gpu::BarrierOp::create(builder, loc);
  }

  void emitParallel(scf::ParallelOp op, Lanes lanes) override {
    auto found = loops.find(op);
    if (found == loops.end())
      return BodyEmitter::emitParallel(op, lanes); // inside a shared-out loop
    const RowLoop &plan = found->second;
    Lane &lane = lanes.front();
    bool writes = mayWrite(op);
    if (writes)
      forget();
    SmallVector<Value> inits;
    for (Value init : op.getInitVals())
      inits.push_back(lane.values.lookupOrDefault(init));
    SmallVector<Value> extents;
    for (Value bound : op.getUpperBound())
      extents.push_back(lane.values.lookupOrDefault(bound));
    extents = plan.extents.empty() ? joinExtents(math(), plan.joins, extents) : plan.extents;
    if (writes) // a team without an iteration recomputes the last one: it must not write
      extents.back() = math().select(isValid, extents.back(), math().constant(0));
    Value outerLeader = leader;
    leader = Value();
    VectorMode outerMode = vector;
    vector = plan.mode;
    auto emitByAxes = [&] {
      return emitEither(plan.mode.position ? plan.aligned : Value(), inits, [&](bool aligned) {
        vector.aligned = aligned && plan.mode.position && plan.aligned;
        return emitShared(op, lane, plan, extents, inits);
      });
    };
    SmallVector<Value> results = emitEither(plan.isNarrow, inits, [&](bool isNarrow) {
      return isNarrow && plan.isNarrow ? emitNarrow(op, lane, plan, extents, inits) : emitByAxes();
    });
    vector = outerMode;
    leader = outerLeader;
    if (!results.empty()) {
      auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
      SmallVector<Region *> combiners;
      for (Region &region : reduce.getReductions())
        combiners.push_back(&region);
      results = emitTeamReduce(
          builder, loc, launch, size, isSeveralWarps, results,
          [&](unsigned number, Value left, Value right) { return emitCombine(*combiners[number], left, right); },
          threads);
    }
    lane.values.map(op.getResults(), results);
    if (writes)
      gpu::BarrierOp::create(builder, loc);
  }

private:
  /// What `emit` makes where the condition holds and where it does not, as one; null: as if it held.
  SmallVector<Value> emitEither(Value condition, ArrayRef<Value> inits, function_ref<SmallVector<Value>(bool)> emit) {
    std::optional<int64_t> known = condition ? getConstantIntValue(condition) : 1;
    if (known)
      return emit(*known);
    auto choice = scf::IfOp::create(builder, loc, ValueRange(inits).getTypes(), condition, true, true);
    auto kept = loaded;
    for (bool holds : {true, false}) {
      OpBuilder::InsertionGuard guard(builder);
      Block *block = holds ? choice.thenBlock() : choice.elseBlock();
      block->clear();
      builder.setInsertionPointToStart(block);
      scf::YieldOp::create(builder, loc, emit(holds));
      loaded = kept;
    }
    return SmallVector<Value>(choice.getResults());
  }

  SmallVector<Value> emitNarrow(scf::ParallelOp op, Lane &lane, RowLoop plan, ArrayRef<Value> extents,
                                ArrayRef<Value> inits) {
    llvm::SaveAndRestore<VectorMode> none(vector, VectorMode());
    plan.mode = VectorMode();
    plan.unroll = plan.unrollOfNarrow;
    return emitShared(op, lane, plan, extents, inits, /*areOneAxis=*/true);
  }

  /// This thread's part of the loop; its accumulators combined into one for each result.
  SmallVector<Value> emitShared(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents,
                                ArrayRef<Value> inits, bool areOneAxis = false) {
    int64_t width = plan.mode.position ? plan.mode.width : 1, count = inits.size();
    SmallVector<Value> accumulators;
    for (int64_t copy = 0; copy < width * plan.unroll; ++copy)
      llvm::append_range(accumulators, inits);
    Lane inside = lane;
    if (areOneAxis || isJoined(op))
      emitJoined(op, inside, plan, extents, accumulators);
    else
      emitAxis(op, inside, plan, extents, 0, width, accumulators);
    // Pairwise.
    for (int64_t copies = width * plan.unroll; copies > 1; copies /= 2)
      for (int64_t copy = 0; copy < copies / 2; ++copy)
        for (int64_t number = 0; number < count; ++number) {
          auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
          Value &left = accumulators[copy * count + number];
          left = emitCombine(reduce.getReductions()[number], left, accumulators[(copy + copies / 2) * count + number]);
        }
    accumulators.resize(count);
    return accumulators;
  }

  /// What `emit` makes of the accumulators where the condition holds.
  void emitIf(Value condition, SmallVector<Value> &accumulators, function_ref<void(SmallVector<Value> &)> emit) {
    accumulators = emitEither(condition, accumulators, [&](bool holds) {
      SmallVector<Value> inside(accumulators);
      if (holds)
        emit(inside);
      return inside;
    });
  }

  /// The steps that are left, fewer than a round of them: all at once, so that short rows have as many loads under way
  /// as long ones. What lies beyond the row is computed at its start and not combined.
  void emitRest(scf::ParallelOp op, Lane &lane, Value position, Value start, Value whole, Value step, Value mine,
                int64_t width, int64_t unroll, SmallVector<Value> &accumulators) {
    IndexMath m = math();
    unsigned count = op.getNumResults();
    auto some = scf::IfOp::create(builder, loc, ValueRange(accumulators).getTypes(),
                                  m.compare(arith::CmpIPredicate::slt, start, whole), true, true);
    auto kept = loaded;
    OpBuilder::InsertionGuard guard(builder);
    some.thenBlock()->clear();
    some.elseBlock()->clear();
    builder.setInsertionPointToStart(some.elseBlock());
    scf::YieldOp::create(builder, loc, accumulators);
    builder.setInsertionPointToStart(some.thenBlock());
    SmallVector<Lane> copies;
    SmallVector<Value> valid;
    Value zero = m.constant(0), base = m.add(start, mine);
    for (int64_t step0 = 0; step0 < unroll; ++step0) {
      Value inside = m.compare(arith::CmpIPredicate::slt, base, whole), at = m.select(inside, base, zero);
      for (int64_t neighbour = 0; neighbour < width; ++neighbour) {
        copies.push_back(lane);
        setPosition(copies.back(), position, at, neighbour);
        valid.push_back(inside);
      }
      base = m.add(base, step);
    }
    emitBlock(*op.getBody(), copies);
    SmallVector<Value> results(accumulators);
    for (auto [number, copy] : llvm::enumerate(copies)) {
      auto slice = MutableArrayRef<Value>(results).slice(number * count, count);
      SmallVector<Value> before(slice.begin(), slice.end());
      BodyEmitter::emitCombine(op, copy, slice);
      for (auto [now, then] : llvm::zip(slice, before))
        now = arith::SelectOp::create(builder, loc, valid[number], now, then);
    }
    scf::YieldOp::create(builder, loc, results);
    loaded = kept;
    accumulators.assign(some.getResults().begin(), some.getResults().end());
  }

  /// All axes of a loop as one, numbered along the last one: in steps, rows may be shorter than the block.
  void emitJoined(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents,
                  SmallVector<Value> &accumulators) {
    IndexMath m = math();
    Value total = m.product(extents);
    auto emitLanes = [&](Value first, int64_t lanes, SmallVector<Value> &inside) {
      SmallVector<Lane> copies;
      for (int64_t number = 0; number < lanes; ++number) {
        copies.push_back(lane);
        for (auto [name, position] : llvm::zip_equal(op.getInductionVars(), m.unravel(first, extents)))
          setPosition(copies.back(), name, position, 0);
        first = m.add(first, size);
      }
      emitIterations(op, copies, inside);
    };
    if (op.getNumLoops() == 1) // no longer than the block
      return emitIf(m.compare(arith::CmpIPredicate::slt, member, total), accumulators,
                    [&](SmallVector<Value> &inside) { emitLanes(member, 1, inside); });
    Value start = m.constant(0);
    if (plan.unroll > 1) {
      Value stride = m.mul(size, plan.unroll);
      start = m.mul(m.div(total, stride), stride);
      emitLoop(m.constant(0), start, stride, accumulators,
               [&](Value first, SmallVector<Value> &inside) { emitLanes(m.add(first, member), plan.unroll, inside); });
    }
    emitLoop(m.add(start, member), total, size, accumulators,
             [&](Value first, SmallVector<Value> &inside) { emitLanes(first, 1, inside); });
  }

  void emitAxis(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents, unsigned axis,
                int64_t width, SmallVector<Value> &accumulators) {
    IndexMath m = math();
    Value zero = m.constant(0), one = m.constant(1);
    if (axis + 1 < op.getNumLoops()) {
      emitLoop(zero, extents[axis], one, accumulators, [&](Value position, SmallVector<Value> &inside) {
        setPosition(lane, op.getInductionVars()[axis], position, 0);
        emitAxis(op, lane, plan, extents, axis + 1, width, inside);
      });
      return;
    }
    Value position = op.getInductionVars()[axis], extent = extents[axis];
    Value step = m.mul(size, width), mine = m.mul(member, width);
    unsigned count = op.getNumResults();
    // A constant distance from one step to the next ends in the instructions that load.
    std::optional<int64_t> known = getConstantIntValue(step);
    auto emitLanes = [&](Value base, int64_t steps, int64_t neighbours, SmallVector<Value> &inside) {
      SmallVector<Lane> copies;
      for (int64_t number = 0; number < steps; ++number) {
        if (number && !known)
          base = m.add(base, step);
        for (int64_t neighbour = 0; neighbour < neighbours; ++neighbour) {
          copies.push_back(lane);
          setPosition(copies.back(), position, base, number * known.value_or(0) + neighbour);
        }
      }
      emitIterations(op, copies, inside);
    };
    Value start = zero;
    if (plan.unroll > 1 && !plan.isShort) {
      Value stride = m.mul(step, plan.unroll);
      start = m.mul(m.div(extent, stride), stride);
      emitLoop(zero, start, stride, accumulators, [&](Value first, SmallVector<Value> &inside) {
        emitLanes(m.add(first, mine), plan.unroll, width, inside);
      });
    }
    Value whole = plan.isWhole ? extent : m.sub(extent, width - 1);
    if (plan.unroll == 1 && plan.isShort)
      emitIf(m.compare(arith::CmpIPredicate::slt, mine, whole), accumulators,
             [&](SmallVector<Value> &inside) { emitLanes(mine, 1, width, inside); });
    else if (plan.unroll > 1 && count > 0 && !mayWrite(op))
      emitRest(op, lane, position, start, whole, step, mine, width, plan.unroll, accumulators);
    else
      emitLoop(m.add(start, mine), whole, step, accumulators,
               [&](Value first, SmallVector<Value> &inside) { emitLanes(first, 1, width, inside); });
    if (width > 1 && !plan.isWhole) {
      Value end = m.mul(m.div(extent, m.constant(width)), m.constant(width));
      bool wasAligned = std::exchange(vector.aligned, false);
      emitLoop(m.add(end, member), extent, size, accumulators,
               [&](Value first, SmallVector<Value> &inside) { emitLanes(first, 1, 1, inside); });
      vector.aligned = wasAligned;
    }
  }
};

// Blocks that go through whole loops are small, as all their teams wait at each barrier, but a multiprocessor holds
// only so many blocks.
constexpr int64_t fewestThreadsOfRows = 128;

} // namespace

void emitRows(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
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
    int64_t most = hasWhile || body.isSteps ? 1 : 8;
    while (most > 1 && most * countOps(*inner.getBody()) > 256)
      most /= 2;
    plan.mode = chooseVector(accesses, inner, position, most);
    bool hasComplex = plan.mode.position && llvm::any_of(accesses.getStreams(), [](const Stream &stream) {
                        return isa<ComplexType>(stream.getType().getElementType());
                      });
    if ((plan.mode.width == 1 && !hasComplex) || body.isJoined(inner))
      plan.mode = VectorMode();
    plan.joins = emitJoins(host, inner.getInductionVars(), inner.getUpperBound());
    areKnown &= isKnown;
    if (isKnown) {
      Value elements = h.product(inner.getUpperBound());
      mostElements = mostElements ? h.max(mostElements, elements) : elements;
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
  if (!body.isSteps)
    findNarrow(host, kernel, body.loops, size);
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

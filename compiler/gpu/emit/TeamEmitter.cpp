// What a team of threads does with one iteration of a kernel of rows: its inner loops are shared out (EmitRows.cpp).
#include "compiler/gpu/emit/TeamEmitter.h"
#include "compiler/gpu/emit/CheckOrder.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "compiler/gpu/emit/TeamScan.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {

void TeamEmitter::prepare(Operation &op) {
  if (leader && isSteps &&
      (isa<memref::StoreOp>(op) ? isLoaded(cast<memref::StoreOp>(op).getMemref())
                                : (loops.contains(&op) || isa<np::FoldOp>(op)) && mayWrite(&op)))
    gpu::BarrierOp::create(builder, loc);
}

void TeamEmitter::finish(Operation &op) {
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

bool TeamEmitter::isSerial(Operation *op) {
  if (!isSteps || !leader || !op->use_empty() || !mayWrite(op))
    return false;
  return !op->walk([](Operation *inside) {
              return isa<scf::ParallelOp, np::FoldOp, np::CheckIndexOp, np::AssertOp>(inside) ? WalkResult::interrupt()
                                                                                              : WalkResult::advance();
            }).wasInterrupted();
}

void TeamEmitter::emitFor(scf::ForOp op, Lanes lanes) {
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

void TeamEmitter::emitFold(np::FoldOp op, Lanes lanes) {
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

void TeamEmitter::emitParallel(scf::ParallelOp op, Lanes lanes) {
  auto found = loops.find(op);
  if (found == loops.end())
    return BodyEmitter::emitParallel(op, lanes); // inside a shared-out loop
  const RowLoop &plan = found->second;
  Lane &lane = lanes.front();
  if (held.steps)
    return emitHeld(op, lane, plan);
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
  lane.values.map(op.getResults(), emitOverTeam(op, results));
  if (writes)
    gpu::BarrierOp::create(builder, loc);
}

void TeamEmitter::emitStore(memref::StoreOp op, Lanes lanes) {
  if (!held.steps)
    return BodyEmitter::emitStore(op, lanes);
  auto kept = loaded;
  bool isInLoop = op->getParentOp() != host.getKernel();
  if (!isInLoop)
    BodyEmitter::emitStore(op, lanes);
  for (int64_t step = 0; isInLoop && step < held.steps && !held.unwritten.contains(op); ++step) {
    OpBuilder::InsertionGuard guard(builder);
    auto guarded = scf::IfOp::create(builder, loc, steps[step].isStored, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
    BodyEmitter::emitStore(op, lanes.slice(step * held.width, held.width));
  }
  bool isGeneral = host.getKernel()->getParentOfType<func::FuncOp>()->hasAttr("np.general");
  llvm::DenseSet<int64_t> changed;
  for (const Stream &stream : accesses.getStreams())
    if (mayAlias(stream.memref, op.getMemref(), isGeneral))
      changed.insert(stream.id);
  loaded = std::move(kept);
  std::erase_if(loaded, [&](auto &known) { return changed.contains(known.first.front()); });
  if (isInLoop)
    setStored(op, lanes);
}

void TeamEmitter::beginSteps(Value extent) {
  IndexMath m = math();
  Value zero = m.constant(0), step = m.mul(size, held.width), base = m.mul(member, held.width);
  for (int64_t number = 0; number < held.steps; ++number, base = m.add(base, step)) {
    Value isInside = m.compare(arith::CmpIPredicate::slt, base, extent);
    steps.push_back({m.select(isInside, base, zero), isInside, m.both(isInside, isValid)});
  }
}

void TeamEmitter::emitHeld(scf::ParallelOp op, Lane &lane, const RowLoop &plan) {
  if (steps.empty())
    beginSteps(plan.extents.front());
  SmallVector<Lane> copies;
  for (const HeldStep &step : steps)
    for (int64_t neighbour = 0; neighbour < held.width; ++neighbour) {
      copies.push_back(lane);
      setPosition(copies.back(), op.getInductionVars().back(), step.base, neighbour);
    }
  {
    llvm::SaveAndRestore<Value> all(leader, Value());
    llvm::SaveAndRestore<VectorMode> mode(vector, held.width > 1 ? plan.mode : VectorMode());
    vector.width = held.width;
    vector.aligned = held.width > 1;
    emitBlock(*op.getBody(), copies);
  }
  SmallVector<Value> results;
  int64_t count = op.getNumResults(), left = copies.size();
  for (auto [number, copy] : llvm::enumerate(copies)) {
    SmallVector<Value> inits;
    for (Value init : op.getInitVals())
      inits.push_back(lane.values.lookupOrDefault(init));
    SmallVector<Value> own(inits);
    BodyEmitter::emitCombine(op, copy, own);
    for (auto [value, init] : llvm::zip(own, inits))
      results.push_back(math().select(steps[number / held.width].isInside, value, init));
  }
  for (; left > 1; left = (left + 1) / 2) // pairwise
    for (int64_t place = 0; place < left / 2 * count; ++place)
      results[place] = emitCombine(cast<scf::ReduceOp>(op.getBody()->getTerminator()).getReductions()[place % count],
                                   results[place], results[place + (left + 1) / 2 * count]);
  results.truncate(count);
  lane.values.map(op.getResults(), emitOverTeam(op, results));
  if (held.shared.contains(op))
    gpu::BarrierOp::create(builder, loc);
}

SmallVector<Value> TeamEmitter::emitOverTeam(scf::ParallelOp op, ArrayRef<Value> values) {
  if (values.empty())
    return {};
  SmallVector<Region *> combiners;
  for (Region &region : cast<scf::ReduceOp>(op.getBody()->getTerminator()).getReductions())
    combiners.push_back(&region);
  return emitTeamReduce(
      builder, loc, launch, size, isSeveralWarps, values,
      [&](unsigned number, Value left, Value right) { return emitCombine(*combiners[number], left, right); }, threads);
}

SmallVector<Value> TeamEmitter::emitEither(Value condition, ArrayRef<Value> inits,
                                           function_ref<SmallVector<Value>(bool)> emit) {
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

SmallVector<Value> TeamEmitter::emitNarrow(scf::ParallelOp op, Lane &lane, RowLoop plan, ArrayRef<Value> extents,
                                           ArrayRef<Value> inits) {
  llvm::SaveAndRestore<VectorMode> none(vector, VectorMode());
  plan.mode = VectorMode();
  plan.unroll = plan.unrollOfNarrow;
  return emitShared(op, lane, plan, extents, inits, /*areOneAxis=*/true);
}

SmallVector<Value> TeamEmitter::emitShared(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents,
                                           ArrayRef<Value> inits, bool areOneAxis) {
  int64_t width = plan.mode.position ? plan.mode.width : 1, count = inits.size();
  // Truth values wait for nothing: of several that are combined at once, words are compared instead of bytes.
  bool areTruths = llvm::all_of(inits, [](Value init) { return init.getType().isInteger(1); });
  int64_t copiesOfEach = areTruths ? 1 : width * plan.unroll;
  SmallVector<Value> accumulators;
  for (int64_t copy = 0; copy < copiesOfEach; ++copy)
    llvm::append_range(accumulators, inits);
  Lane inside = lane;
  if (areOneAxis || isJoined(op))
    emitJoined(op, inside, plan, extents, accumulators);
  else
    emitAxis(op, inside, plan, extents, 0, width, accumulators);
  // Pairwise.
  for (int64_t copies = copiesOfEach; copies > 1; copies /= 2)
    for (int64_t copy = 0; copy < copies / 2; ++copy)
      for (int64_t number = 0; number < count; ++number) {
        auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
        Value &left = accumulators[copy * count + number];
        left = emitCombine(reduce.getReductions()[number], left, accumulators[(copy + copies / 2) * count + number]);
      }
  accumulators.resize(count);
  return accumulators;
}

void TeamEmitter::emitIf(Value condition, SmallVector<Value> &accumulators,
                         function_ref<void(SmallVector<Value> &)> emit) {
  accumulators = emitEither(condition, accumulators, [&](bool holds) {
    SmallVector<Value> inside(accumulators);
    if (holds)
      emit(inside);
    return inside;
  });
}

void TeamEmitter::emitRest(scf::ParallelOp op, Lane &lane, Value position, Value start, Value whole, Value step,
                           Value mine, int64_t width, int64_t unroll, SmallVector<Value> &accumulators) {
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
    auto slice = MutableArrayRef<Value>(results).slice(number * count % results.size(), count);
    SmallVector<Value> before(slice.begin(), slice.end());
    BodyEmitter::emitCombine(op, copy, slice);
    for (auto [now, then] : llvm::zip(slice, before))
      now = arith::SelectOp::create(builder, loc, valid[number], now, then);
  }
  scf::YieldOp::create(builder, loc, results);
  loaded = kept;
  accumulators.assign(some.getResults().begin(), some.getResults().end());
}

void TeamEmitter::emitJoined(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents,
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

void TeamEmitter::emitAxis(scf::ParallelOp op, Lane &lane, const RowLoop &plan, ArrayRef<Value> extents, unsigned axis,
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

} // namespace npcc::cuda

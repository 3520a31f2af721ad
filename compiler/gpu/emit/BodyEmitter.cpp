#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Iteration.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc::cuda {

BodyEmitter::BodyEmitter(HostSide &host, OpBuilder &builder, Location loc)
    : host(host), accesses(host.getAccesses()), builder(builder), loc(loc) {}

int64_t countOp(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp, math::FmaOp, math::CopySignOp>(op))
    return 16;
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp, complex::DivOp>(op))
    return 8;
  // These are made of two or three functions of real numbers, which hide latency from each other.
  if (isa<complex::ExpOp, complex::Expm1Op, complex::LogOp, complex::Log1pOp, complex::PowOp, complex::PowiOp,
          complex::SqrtOp, complex::RsqrtOp, complex::SinOp, complex::CosOp, complex::TanOp, complex::TanhOp>(op))
    return 16;
  return isa<complex::ComplexDialect>(op->getDialect()) ? 4 : 1;
}

int64_t countOps(Block &block) {
  int64_t count = 0;
  block.walk([&](Operation *op) { count += countOp(op); });
  return count;
}

int64_t chooseUnroll(Block &body, int64_t lanes, int64_t most) {
  // Little work for each load wants more loads in flight; much of it hides latency by itself.
  int64_t unroll = most, budget = countOps(body) > 24 ? 64 : 160;
  while (unroll > 1 && unroll * lanes * countOps(body) > budget)
    unroll /= 2;
  return unroll;
}

bool mayWrite(Operation *op) {
  return op->walk([](Operation *inside) {
             return isa<memref::StoreOp, memref::AtomicRMWOp>(inside) ? WalkResult::interrupt() : WalkResult::advance();
           })
      .wasInterrupted();
}

bool BodyEmitter::isLoaded(Value memref) {
  bool isGeneral = host.getKernel()->getParentOfType<func::FuncOp>()->hasAttr("np.general");
  return llvm::any_of(accesses.getStreams(), [&](const Stream &stream) {
    return stream.loaded && mayAlias(stream.memref, memref, isGeneral);
  });
}

void BodyEmitter::emitIteration(np::KernelOp kernel, Value number) {
  Lane lane;
  SmallVector<Value> positions = math().unravel(number, kernel.getExtents());
  for (auto [name, position] : llvm::zip_equal(kernel.getInductionVars(), positions))
    setPosition(lane, name, position, 0);
  emitBlock(*kernel.getBody(), lane);
}

void BodyEmitter::setPosition(Lane &lane, Value value, Value base, int64_t distance) {
  lane.positions[value] = {base, distance};
  lane.values.map(value, math().add(base, distance));
}

bool BodyEmitter::isUniform(Value value, Lanes lanes) {
  Value first = lanes.front().values.lookupOrDefault(value);
  return llvm::all_of(lanes.drop_front(), [&](Lane &lane) { return lane.values.lookupOrDefault(value) == first; });
}

void BodyEmitter::emitBlock(Block &block, Lanes lanes) {
  for (Operation &op : block.without_terminator()) {
    prepare(op);
    emitOp(op, lanes);
    finish(op);
  }
}

void BodyEmitter::emitOp(Operation &op, Lanes lanes) {
  loc = op.getLoc();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    emitLoad(load, lanes);
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    emitStore(store, lanes);
  else if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    emitUpdate(update, lanes);
  else if (auto parallel = dyn_cast<scf::ParallelOp>(op))
    emitParallel(parallel, lanes);
  else if (auto condition = dyn_cast<scf::IfOp>(op))
    emitIf(condition, lanes);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    emitFor(loop, lanes);
  else if (auto fold = dyn_cast<np::FoldOp>(op))
    emitFold(fold, lanes);
  else if (auto factor = dyn_cast<np::FactorOp>(op))
    emitFactor(factor, lanes);
  else if (op.getNumRegions() != 0)
    for (Lane &lane : lanes)
      emitRegions(op, lane);
  else
    emitCopies(op, lanes);
}

void BodyEmitter::emitCopies(Operation &op, Lanes lanes) {
  if (isa<np::IterationOp, memref::AllocaOp>(op)) // each check says it; the emitter has laid out arrays of teams
    return;
  if (auto known = assumed.find(&op); known != assumed.end()) {
    Value truth = math().truth(known->second);
    for (Lane &lane : lanes)
      lane.values.map(op.getResult(0), truth);
    return;
  }
  if (auto extent = dyn_cast<memref::DimOp>(op)) {
    // Extents are the host's to read.
    if (std::optional<int64_t> axis = extent.getConstantIndex()) {
      for (Lane &lane : lanes)
        lane.values.map(extent.getResult(), host.getExtent(extent.getSource(), *axis));
      return;
    }
  }
  bool isShared = isMemoryEffectFree(&op) && llvm::all_of(op.getOperands(), [&](Value v) { return isUniform(v, lanes); });
  if (isShared) {
    Operation *copy = builder.clone(op, lanes.front().values);
    for (Lane &lane : lanes.drop_front())
      lane.values.map(op.getResults(), copy->getResults());
    return;
  }
  bool isCheck = isa<np::CheckIndexOp, np::AssertOp>(op);
  for (Lane &lane : lanes) {
    if (isCheck) {
      if (!checkOrder)
        checkOrder.emplace(cast<np::KernelOp>(host.getKernel()));
      checkOrder->emit(builder, loc, &op, lane.values);
    }
    Operation *copy = builder.clone(op, lane.values);
    if (endsAtChecks && isCheck)
      endAtCheck(copy);
  }
}

/// Any operation with regions of one block, for one lane.
void BodyEmitter::emitRegions(Operation &op, Lane &lane) {
  if (mayWrite(&op))
    loaded.clear();
  auto kept = loaded;
  Operation *copy = op.cloneWithoutRegions(lane.values);
  builder.insert(copy);
  for (auto [region, copied] : llvm::zip_equal(op.getRegions(), copy->getRegions())) {
    if (region.empty())
      continue;
    Block &block = region.front();
    SmallVector<Location> locations(block.getNumArguments(), op.getLoc());
    OpBuilder::InsertionGuard guard(builder);
    Block *inside = builder.createBlock(&copied, copied.end(), block.getArgumentTypes(), locations);
    lane.values.map(block.getArguments(), inside->getArguments());
    emitBlock(block, lane);
    builder.clone(*block.getTerminator(), lane.values);
    loaded = kept;
  }
  lane.values.map(op.getResults(), copy->getResults());
}

void BodyEmitter::emitIf(scf::IfOp op, Lanes lanes) {
  std::optional<int64_t> known = getConstantIntValue(lanes.front().values.lookupOrDefault(op.getCondition()));
  if (known && isUniform(op.getCondition(), lanes)) {
    Region &region = *known ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      return;
    emitBlock(region.front(), lanes);
    for (Lane &lane : lanes)
      for (auto [result, value] : llvm::zip_equal(op.getResults(), region.front().getTerminator()->getOperands()))
        lane.values.map(result, lane.values.lookupOrDefault(value));
    return;
  }
  if (lanes.size() == 1 || !isUniform(op.getCondition(), lanes)) {
    for (Lane &lane : lanes)
      emitRegions(*op, lane);
    return;
  }
  if (mayWrite(op))
    loaded.clear();
  auto kept = loaded;
  SmallVector<Type> types;
  for (size_t count = 0; count < lanes.size(); ++count)
    llvm::append_range(types, op.getResultTypes());
  auto copy = scf::IfOp::create(builder, loc, types, lanes.front().values.lookupOrDefault(op.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/!op.getElseRegion().empty());
  for (auto [region, copied] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (region.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &inside = copied.front();
    inside.clear();
    builder.setInsertionPointToStart(&inside);
    emitBlock(region.front(), lanes);
    SmallVector<Value> results;
    for (Lane &lane : lanes)
      for (Value result : region.front().getTerminator()->getOperands())
        results.push_back(lane.values.lookupOrDefault(result));
    scf::YieldOp::create(builder, loc, results);
    loaded = kept;
  }
  for (auto [number, lane] : llvm::enumerate(lanes))
    lane.values.map(op.getResults(), copy.getResults().slice(number * op.getNumResults(), op.getNumResults()));
}

void BodyEmitter::emitFold(np::FoldOp, Lanes) { llvm_unreachable("npcc-lower-folds has made a loop of it"); }

void BodyEmitter::emitFactor(np::FactorOp, Lanes) { llvm_unreachable("kernels with factors are EmitMatrices.cpp's"); }

void BodyEmitter::emitFor(scf::ForOp op, Lanes lanes) {
  bool isShared = isUniform(op.getLowerBound(), lanes) && isUniform(op.getUpperBound(), lanes) && isUniform(op.getStep(), lanes);
  if (!isShared) {
    for (Lane &lane : lanes)
      emitFor(op, lane);
    return;
  }
  if (mayWrite(op))
    loaded.clear();
  auto kept = loaded;
  SmallVector<Value> inits;
  for (Lane &lane : lanes)
    for (Value init : op.getInitArgs())
      inits.push_back(lane.values.lookupOrDefault(init));
  IRMapping &outside = lanes.front().values;
  auto loop = scf::ForOp::create(builder, loc, outside.lookupOrDefault(op.getLowerBound()),
                                 outside.lookupOrDefault(op.getUpperBound()), outside.lookupOrDefault(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    unsigned count = op.getNumRegionIterArgs();
    for (auto [number, lane] : llvm::enumerate(lanes)) {
      if (op.getInductionVar().getType().isIndex())
        setPosition(lane, op.getInductionVar(), loop.getInductionVar(), 0);
      else
        lane.values.map(op.getInductionVar(), loop.getInductionVar());
      lane.values.map(op.getRegionIterArgs(), loop.getRegionIterArgs().slice(number * count, count));
    }
    emitBlock(*op.getBody(), lanes);
    SmallVector<Value> results;
    for (Lane &lane : lanes)
      for (Value result : op.getBody()->getTerminator()->getOperands())
        results.push_back(lane.values.lookupOrDefault(result));
    scf::YieldOp::create(builder, loc, results);
  }
  loaded = kept;
  for (auto [number, lane] : llvm::enumerate(lanes))
    lane.values.map(op.getResults(), loop.getResults().slice(number * op.getNumResults(), op.getNumResults()));
}

Value BodyEmitter::emitCombine(Region &combiner, Value left, Value right) {
  Block &block = combiner.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), left);
  mapping.map(block.getArgument(1), right);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

void BodyEmitter::emitCombine(scf::ParallelOp op, Lane &lane, MutableArrayRef<Value> accumulators) {
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  for (auto [region, operand, accumulator] : llvm::zip_equal(reduce.getReductions(), reduce.getOperands(), accumulators))
    accumulator = emitCombine(region, accumulator, lane.values.lookupOrDefault(operand));
}

void BodyEmitter::emitLoop(Value from, Value to, Value step, SmallVector<Value> &carried,
                           function_ref<void(Value, SmallVector<Value> &)> emitBody) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  builder.setInsertionPointToStart(loop.getBody());
  auto kept = loaded;
  SmallVector<Value> inside(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  emitBody(loop.getInductionVar(), inside);
  scf::YieldOp::create(builder, loc, inside);
  loaded = kept;
  carried.assign(loop.getResults().begin(), loop.getResults().end());
}

void BodyEmitter::emitIterations(scf::ParallelOp op, Lanes iterations, MutableArrayRef<Value> accumulators) {
  emitBlock(*op.getBody(), iterations);
  unsigned count = op.getNumResults();
  for (auto [number, iteration] : llvm::enumerate(iterations))
    if (count)
      emitCombine(op, iteration, accumulators.slice(number % (accumulators.size() / count) * count, count));
}

/// Loop `dimension` of a parallel loop as sequential ones; `accumulators` of all lanes, lane by lane.
void BodyEmitter::emitSequential(scf::ParallelOp op, unsigned dimension, Lanes lanes, SmallVector<Value> &accumulators) {
  bool isInnermost = dimension + 1 == op.getNumLoops();
  Value position = op.getInductionVars()[dimension];
  Value extent = lanes.front().values.lookupOrDefault(op.getUpperBound()[dimension]);
  auto emitRounds = [&](Value from, Value to, int64_t unroll) {
    emitLoop(from, to, math().constant(unroll), accumulators, [&](Value first, SmallVector<Value> &inside) {
      SmallVector<Lane> copies;
      for (int64_t step = 0; step < unroll; ++step)
        for (Lane &lane : lanes) {
          copies.push_back(lane);
          setPosition(copies.back(), position, first, step);
        }
      if (isInnermost)
        emitIterations(op, copies, inside);
      else
        emitSequential(op, dimension + 1, copies, inside);
    });
  };
  int64_t unroll = isInnermost ? chooseUnroll(*op.getBody(), lanes.size(), 8) : 1;
  Value start = math().constant(0);
  if (unroll > 1) {
    Value main = math().mul(math().div(extent, math().constant(unroll)), math().constant(unroll));
    emitRounds(start, main, unroll);
    start = main;
  }
  emitRounds(start, extent, 1);
}

void BodyEmitter::emitParallel(scf::ParallelOp op, Lanes lanes) {
  bool isShared = llvm::all_of(op.getUpperBound(), [&](Value bound) { return isUniform(bound, lanes); });
  if (!isShared) {
    for (Lane &lane : lanes)
      BodyEmitter::emitParallel(op, lane);
    return;
  }
  if (mayWrite(op))
    loaded.clear();
  SmallVector<Value> accumulators;
  for (Lane &lane : lanes)
    for (Value init : op.getInitVals())
      accumulators.push_back(lane.values.lookupOrDefault(init));
  emitSequential(op, 0, lanes, accumulators);
  for (auto [number, lane] : llvm::enumerate(lanes))
    lane.values.map(op.getResults(), ArrayRef<Value>(accumulators).slice(number * op.getNumResults(), op.getNumResults()));
}

} // namespace npcc::cuda

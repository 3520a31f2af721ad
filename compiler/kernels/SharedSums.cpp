#include "compiler/kernels/SharedSums.h"
#include "compiler/kernels/LoopTotals.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npcc;
using namespace npcc::np;

scf::ForOp npcc::findSharedSum(scf::ForOp outer, scf::ForOp last) {
  scf::ForOp found;
  for (Operation &op : last.getBody()->without_terminator()) {
    bool holdsLoops = op.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!holdsLoops)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || found || loop.getNumResults() == 0)
      return nullptr;
    found = loop;
  }
  if (!found)
    return nullptr;
  bool isBounded = emitBound(found.getUpperBound(), outer, nullptr, /*most=*/true) &&
                   emitBound(found.getLowerBound(), outer, nullptr, /*most=*/false) &&
                   getConstantIntValue(found.getStep()) == 1;
  if (!isBounded)
    return nullptr;
  for (unsigned number = 0; number < found.getNumResults(); ++number)
    if (!findTotal(found, number))
      return nullptr;
  // Threads of a team store nothing, and raise nothing, one by one.
  bool isPlain =
      !found
           .walk([](Operation *op) {
             return isa<memref::StoreOp, CheckIndexOp, AssertOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
           })
           .wasInterrupted();
  return isPlain ? found : scf::ForOp();
}

static Value toIndex(OpBuilder &builder, Value value) {
  return value.getType().isIndex()
             ? value
             : builder.createOrFold<arith::IndexCastOp>(value.getLoc(), builder.getIndexType(), value);
}

/// The loop as a reduction. A team goes over the positions of the longest row; those that others have not are neutral.
static void reduce(scf::ForOp loop, scf::ForOp outer) {
  OpBuilder builder(outer);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  bool isSame = outer.isDefinedOutsideOfLoop(lower) && outer.isDefinedOutsideOfLoop(upper);
  Value first = isSame ? lower : *emitBound(lower, outer, &builder, /*most=*/false),
        end = isSame ? upper : *emitBound(upper, outer, &builder, /*most=*/true);
  builder.setInsertionPoint(loop);
  SmallVector<Total> totals;
  SmallVector<Value> neutral;
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    totals.push_back(*findTotal(loop, number));
    neutral.push_back(totals.back().emitNeutral(builder, loc, loop.getResult(number).getType()));
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = builder.createOrFold<arith::SubIOp>(loc, toIndex(builder, end), toIndex(builder, first));
  count = builder.createOrFold<arith::MaxSIOp>(loc, count, zero);
  auto all = scf::ParallelOp::create(builder, loc, zero, count, one, neutral);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(all.getBody());
    Value position = builder.createOrFold<arith::AddIOp>(loc, all.getInductionVars()[0], toIndex(builder, first));
    if (loop.getInductionVar().getType() != position.getType())
      position = arith::IndexCastOp::create(builder, loc, loop.getInductionVar().getType(), position);
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), position);
    mapping.map(loop.getRegionIterArgs(), neutral);
    SmallVector<Value> parts;
    auto emitParts = [&] {
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
      for (Value next : loop.getBody()->getTerminator()->getOperands())
        parts.push_back(mapping.lookupOrDefault(next));
    };
    if (isSame) {
      emitParts();
    } else {
      Value isBehind = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, position, lower),
            isBefore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, position, upper);
      auto own = scf::IfOp::create(builder, loc, loop.getResultTypes(),
                                   arith::AndIOp::create(builder, loc, isBehind, isBefore), /*withElseRegion=*/true);
      builder.setInsertionPointToStart(own.thenBlock());
      emitParts();
      scf::YieldOp::create(builder, loc, parts);
      builder.setInsertionPointToStart(own.elseBlock());
      scf::YieldOp::create(builder, loc, neutral);
      builder.setInsertionPointAfter(own);
      parts.assign(own.result_begin(), own.result_end());
    }
    emitReduction(builder, loc, totals, parts);
  }
  for (auto [number, total] : llvm::enumerate(totals))
    loop.getResult(number).replaceAllUsesWith(
        total.finish(builder, loc, loop.getInitArgs()[number], all.getResult(number)));
  loop.erase();
}

scf::ForOp npcc::offerSharedSum(scf::ForOp outer, ArrayRef<scf::ForOp> nest, scf::ForOp sum) {
  OpBuilder builder(outer);
  Location loc = outer.getLoc();
  const Tuning &tuning = getTargetProperties(outer).tuning;
  Value iterations = emitTripCount(builder, nest.front());
  for (scf::ForOp loop : nest.drop_front())
    iterations = builder.createOrFold<arith::MulIOp>(loc, iterations, emitTripCount(builder, loop));
  Value isFew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, iterations,
                                      arith::ConstantIndexOp::create(builder, loc, tuning.mostSharedSums));
  Value most = builder.createOrFold<arith::SubIOp>(loc, *emitBound(sum.getUpperBound(), outer, &builder, /*most=*/true),
                                                   *emitBound(sum.getLowerBound(), outer, &builder, /*most=*/false));
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, most,
                                       arith::ConstantIndexOp::create(builder, loc, tuning.leastSharedTerms));
  Value isBetter = arith::AndIOp::create(builder, loc, isFew, isLong);
  auto versions = AlternativesOp::create(builder, loc, TypeRange(), "sums shared by threads", isBetter);
  builder.setInsertionPoint(versions.getOfferedEnd());
  IRMapping mapping;
  auto shared = cast<scf::ForOp>(builder.clone(*outer, mapping));
  auto copied = cast<scf::ForOp>(mapping.lookup(sum.getOperation()));
  versions.setGeneral(outer);
  reduce(copied, shared);
  return shared;
}

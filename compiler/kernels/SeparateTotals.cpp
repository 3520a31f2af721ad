// npcc-separate-totals: what a loop adds up, or the greatest of what it has seen, is a reduction beside what else the
// loop does.
//
//   %s = scf.for %i = %lo to %hi iter_args(%t = %init) {        np.kernel (%u) = (1) {
//     %x = ... %i ...                                             %r = scf.parallel (%k) = (0) to (%n) init(0) {
//     %v = arith.addi %t, %x                             ->         %x = ... %lo + %k ...   scf.reduce(%x) }
//     scf.yield %v }                                              memref.store %r, %sum[] }
//                                                               %s = arith.addi %init, %sum[]
//
// Where the loop stores something, too, an iteration puts what it contributes into an array, which is reduced
// afterwards; the loop then carries nothing, and its iterations may be independent (npcc-parallelize-loops) or lie on
// diagonals (npcc-skew-loops):
//
//   %s = scf.for %i ... iter_args(%t = %init) {                 scf.for %i ... {
//     memref.store %x, %a[%i]                                     memref.store %x, %a[%i]
//     %v = arith.addi %t, %y                             ->       memref.store %y, %part[%i - %lo] }
//     scf.yield %v }                                            %s = %init + the sum of %part
//
// Loops inside that go on with a total begin with its neutral element, or are axes of the same nest. Sums of
// floating-point numbers depend on the order in which they are added: they are separated for targets that add in groups
// anyway.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/LoopTotals.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {
#define GEN_PASS_DEF_SEPARATETOTALS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Separation {
public:
  Separation(scf::ForOp loop, bool general) : general(general), nest{loop} {}

  bool canSeparate() {
    scf::ForOp loop = nest.front();
    TargetProperties target = getTargetProperties(loop);
    for (unsigned number = 0; number < loop.getNumResults(); ++number) {
      std::optional<Total> total = findTotal(loop, number);
      if (!total || !(total->isExact() || target.groupsScans))
        return false;
      totals.push_back(*total);
    }
    while (scf::ForOp inner = findAxis(nest.back()))
      nest.push_back(inner);
    // On the host, a short loop that another one runs each time is no kernel.
    return !target.hostSharesMemory || nest.size() > 1 || !loop->getParentOfType<LoopLikeOpInterface>();
  }

  void separate() {
    bool stores = false, isPlain = true;
    nest.front().getBody()->walk([&](Operation *op) {
      stores |= isa<memref::StoreOp>(op);
      isPlain &= isa<memref::LoadOp, memref::StoreOp, CheckIndexOp, AssertOp>(op) || op->getNumRegions() > 0 ||
                 isMemoryEffectFree(op);
      isPlain &= !isa<KernelOp>(op);
    });
    if (!isPlain)
      return;
    if (stores)
      storeParts();
    else
      reduceDirectly();
  }

private:
  /// A loop inside that does all the work of an iteration and goes on with all totals.
  scf::ForOp findAxis(scf::ForOp loop) {
    scf::ForOp inner = findOnlyLoop(loop, nest.front(), general);
    bool handsAllOn = inner && inner.getNumResults() == loop.getNumResults() &&
                      llvm::equal(inner.getInitArgs(), loop.getRegionIterArgs()) &&
                      llvm::equal(inner.getResults(), loop.getBody()->getTerminator()->getOperands());
    return handsAllOn ? inner : scf::ForOp();
  }

  Value zero(OpBuilder &builder) { return arith::ConstantIndexOp::create(builder, getLoc(), 0); }
  Location getLoc() { return nest.front().getLoc(); }

  SmallVector<Value> emitExtents(OpBuilder &builder) {
    SmallVector<Value> extents;
    for (scf::ForOp loop : nest)
      extents.push_back(emitTripCount(builder, loop));
    return extents;
  }

  SmallVector<Value> emitNeutral(OpBuilder &builder) {
    SmallVector<Value> neutral;
    for (auto [total, type] : llvm::zip_equal(totals, nest.front().getResultTypes()))
      neutral.push_back(total.emitNeutral(builder, getLoc(), type));
    return neutral;
  }

  /// Bool arrays have bytes.
  static Type getStored(Type type) { return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type; }
  Value toStored(OpBuilder &builder, Value value) {
    return value.getType().isInteger(1) ? arith::ExtUIOp::create(builder, getLoc(), builder.getI8Type(), value) : value;
  }
  Value fromStored(OpBuilder &builder, Value value, Type type) {
    return type.isInteger(1) ? arith::TruncIOp::create(builder, getLoc(), type, value) : value;
  }

  /// The loops as the axes of one reduction.
  void reduceDirectly() {
    OpBuilder builder(nest.front());
    SmallVector<Value> extents = emitExtents(builder);
    reduce(builder, extents, [&](ValueRange positions) {
      IRMapping mapping;
      SmallVector<Value> neutral = emitNeutral(builder);
      for (auto [loop, position] : llvm::zip_equal(nest, positions)) {
        mapping.map(loop.getInductionVar(), emitPosition(builder, loop, position));
        mapping.map(loop.getRegionIterArgs(), neutral);
        bool isLast = loop == nest.back();
        for (Operation &op : loop.getBody()->without_terminator())
          if (isLast || !isa<scf::ForOp>(op))
            builder.clone(op, mapping);
      }
      SmallVector<Value> parts;
      for (Value next : nest.back().getBody()->getTerminator()->getOperands())
        parts.push_back(mapping.lookupOrDefault(next));
      return parts;
    });
  }

  /// A loop that stores what each iteration contributes, and a reduction of that.
  void storeParts() {
    scf::ForOp loop = nest.front();
    OpBuilder builder(loop);
    SmallVector<Value> extents = emitExtents(builder), parts;
    SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
    for (Type type : loop.getResultTypes())
      parts.push_back(AllocOp::create(builder, getLoc(), MemRefType::get(shape, getStored(type)), extents));
    SmallVector<Value> neutral = emitNeutral(builder);
    scf::ForOp made = cloneWithoutTotals(builder, 0, parts, neutral);
    bool isWorthIt = LoopTest(made, made, general).isIndependent() || !getTargetProperties(loop).hostSharesMemory;
    if (!isWorthIt) {
      made.erase();
      for (Value part : parts)
        part.getDefiningOp()->erase();
      return;
    }
    reduce(builder, extents, [&](ValueRange positions) {
      SmallVector<Value> loaded;
      for (auto [part, type] : llvm::zip_equal(parts, nest.front().getResultTypes()))
        loaded.push_back(fromStored(builder, memref::LoadOp::create(builder, getLoc(), part, positions), type));
      return loaded;
    });
  }

  scf::ForOp cloneWithoutTotals(OpBuilder &builder, unsigned depth, ValueRange parts, ValueRange neutral,
                                IRMapping mapping = {}, SmallVector<Value> positions = {}) {
    scf::ForOp loop = nest[depth];
    auto made =
        scf::ForOp::create(builder, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
                           mapping.lookupOrDefault(loop.getUpperBound()), mapping.lookupOrDefault(loop.getStep()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(made.getBody()->getTerminator());
    mapping.map(loop.getInductionVar(), made.getInductionVar());
    mapping.map(loop.getRegionIterArgs(), neutral);
    positions.push_back(emitIterationNumber(builder, made, made.getInductionVar()));
    bool isLast = depth + 1 == nest.size();
    for (Operation &op : loop.getBody()->without_terminator())
      if (isLast || !isa<scf::ForOp>(op))
        builder.clone(op, mapping);
    if (!isLast) {
      cloneWithoutTotals(builder, depth + 1, parts, neutral, mapping, positions);
      return made;
    }
    for (auto [part, next] : llvm::zip_equal(parts, loop.getBody()->getTerminator()->getOperands()))
      memref::StoreOp::create(builder, getLoc(), toStored(builder, mapping.lookupOrDefault(next)), part, positions);
    return made;
  }

  /// A kernel that reduces what `emit` makes at each position, in place of the loop's results.
  void reduce(OpBuilder &builder, ValueRange extents, llvm::function_ref<SmallVector<Value>(ValueRange)> emit) {
    scf::ForOp loop = nest.front();
    Location loc = getLoc();
    SmallVector<Value> results, neutral = emitNeutral(builder);
    for (Type type : loop.getResultTypes())
      results.push_back(AllocOp::create(builder, loc, MemRefType::get({}, getStored(type)), ValueRange()));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> begin(extents.size(), zero(builder)), step(extents.size(), one);
    auto kernel = KernelOp::create(builder, loc, one);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(kernel.getBody()->getTerminator());
      auto all = scf::ParallelOp::create(builder, loc, begin, extents, step, neutral);
      builder.setInsertionPointToStart(all.getBody());
      SmallVector<Value> parts = emit(all.getInductionVars());
      emitReduction(builder, loc, totals, parts);
      builder.setInsertionPointAfter(all);
      for (auto [result, value] : llvm::zip_equal(results, all.getResults()))
        memref::StoreOp::create(builder, loc, toStored(builder, value), result, ValueRange());
    }
    for (auto [number, total] : llvm::enumerate(totals)) {
      Value value = memref::LoadOp::create(builder, loc, results[number], ValueRange());
      value = fromStored(builder, value, loop.getResult(number).getType());
      loop.getResult(number).replaceAllUsesWith(total.finish(builder, loc, loop.getInitArgs()[number], value));
    }
    remarkLoop(loc, "what the loop adds up is a reduction");
    loop.erase();
  }

  bool general;
  SmallVector<scf::ForOp> nest; // loops that are one in another, and do nothing beside that
  SmallVector<Total> totals;
};

struct SeparateTotals : impl::SeparateTotalsBase<SeparateTotals> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<Separation> found;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop->getParentOfType<KernelOp>())
        return WalkResult::skip();
      if (loop.getNumResults() == 0) // threads of their own add up what loops inside independent iterations do
        return LoopTest(loop, loop, general).isIndependent() ? WalkResult::skip() : WalkResult::advance();
      Separation separation(loop, general);
      if (!separation.canSeparate())
        return WalkResult::advance();
      found.push_back(std::move(separation));
      return WalkResult::skip();
    });
    for (Separation &separation : found)
      separation.separate();
  }
};
} // namespace
} // namespace npcc

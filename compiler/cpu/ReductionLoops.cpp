// npcc-reduction-loops: scf.parallel loops, in kernels and those that npcc-split-reductions leaves to one thread,
// become scf.for.
//
// Without results: a nest whose last loop is vectorised. With results that any order gives exactly (integers, minima):
// a nest that carries them. Sums and products of floats: leaves of `leaf` elements, added up in a fixed number of
// accumulators, and a binary tree over the leaves, whose pending results lie on a small stack:
//
//   for %b = 0 to %n step 512 {                                     // one leaf
//     %s = for %k = %b to min(%b + 512, %n) iter_args(0.0) {...}    // vectorised, addition marked `reassoc`: 32 accumulators, 16 additions each;
//                                                                   // then what is left of the last leaf, as masked vectors
//     push %s: as long as the last bit of the count of leaves is 1, %s = stack[level] + %s, next level
//   }
//   the sum of what is on the stack
// The error grows with 16 + log2(n / 16), NumPy's with 16 + log2(n / 128) (its leaves are 8 accumulators of 16); and
// the order depends on n only, but for loops that call functions of the math library: those take vectors of the
// processor's own width.
#include "compiler/cpu/Combine.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_REDUCTIONLOOPS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

static constexpr int64_t additionsEach = 16;
static constexpr unsigned vectorsInFlight = 4, widestVectorBytes = 64;

namespace {
struct ReductionLoops : npcc::impl::ReductionLoopsBase<ReductionLoops> {
  using ReductionLoopsBase::ReductionLoopsBase;

  void runOnOperation() override {
    // Inner ones first: what contains a loop is not vectorised.
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
    for (scf::ParallelOp loop : loops) {
      OpBuilder builder(loop);
      if (loop.getInitVals().empty())
        buildMap(builder, loop);
      else
        buildReduction(builder, loop);
      loop.erase();
    }
  }

  void buildMap(OpBuilder &builder, scf::ParallelOp loop) {
    scf::ForOp innermost = buildNest(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                     [&](OpBuilder &inside, ValueRange positions) {
                                       IRMapping map;
                                       map.map(loop.getInductionVars(), positions);
                                       for (Operation &op : loop.getBody()->without_terminator())
                                         inside.clone(op, map);
                                     });
    annotateMap(innermost);
  }

  void buildReduction(OpBuilder &builder, scf::ParallelOp loop) {
    Location loc = loop.getLoc();
    SmallVector<Combiner> combiners = getCombiners(loop);
    bool exact = llvm::all_of(combiners, [](const Combiner &combiner) { return combiner.isExact(); });
    SmallVector<Value> neutral;
    for (auto [combiner, init] : llvm::zip_equal(combiners, loop.getInitVals()))
      neutral.push_back(combiner.widen(builder, loc, init));

    SmallVector<Value> results;
    if (exact) {
      results = buildNestOf(builder, loop, neutral, [&](OpBuilder &inside, ValueRange outer, ValueRange carried) {
        return buildLeaf(inside, loop, combiners, outer, loop.getLowerBound().back(), loop.getUpperBound().back(),
                         carried, /*tree=*/false);
      });
    } else {
      PairwiseTree tree(builder, loop, combiners, neutral);
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      int64_t leaf = additionsEach * getAccumulators(loop);
      SmallVector<Value> count =
          buildNestOf(builder, loop, {zero}, [&](OpBuilder &inside, ValueRange outer, ValueRange carried) {
            Value step = arith::ConstantIndexOp::create(inside, loc, leaf), end = loop.getUpperBound().back();
            auto blocks = scf::ForOp::create(inside, loc, loop.getLowerBound().back(), end, step, carried);
            OpBuilder::InsertionGuard guard(inside);
            inside.setInsertionPointToStart(blocks.getBody());
            Value from = blocks.getInductionVar();
            Value to = arith::MinSIOp::create(inside, loc, arith::AddIOp::create(inside, loc, from, step), end);
            SmallVector<Value> sums = buildLeaf(inside, loop, combiners, outer, from, to, neutral, /*tree=*/true);
            Value next = tree.push(inside, loc, blocks.getRegionIterArg(0), sums);
            scf::YieldOp::create(inside, loc, next);
            return llvm::to_vector_of<Value>(blocks.getResults());
          });
      results = tree.finish(builder, loc, count[0]);
    }
    for (auto [combiner, result, old] : llvm::zip_equal(combiners, results, loop.getResults()))
      old.replaceAllUsesWith(combiner.narrow(builder, loc, result));
  }

  /// Loops over all axes but the last, that carry values through `inner`.
  template <typename Inner>
  SmallVector<Value> buildNestOf(OpBuilder &builder, scf::ParallelOp loop, ValueRange start, Inner inner) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = loop.getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<scf::ForOp> nest;
    SmallVector<Value> positions, carried = llvm::to_vector(start);
    for (auto [from, to] : llvm::zip(loop.getLowerBound().drop_back(), loop.getUpperBound().drop_back())) {
      nest.push_back(scf::ForOp::create(builder, loc, from, to, one, carried));
      positions.push_back(nest.back().getInductionVar());
      carried = llvm::to_vector_of<Value>(nest.back().getRegionIterArgs());
      builder.setInsertionPointToStart(nest.back().getBody());
    }
    SmallVector<Value> results = inner(builder, positions, carried);
    for (scf::ForOp each : llvm::reverse(nest)) {
      builder.setInsertionPointToEnd(each.getBody());
      scf::YieldOp::create(builder, loc, results);
      results = llvm::to_vector_of<Value>(each.getResults());
    }
    return results;
  }

  /// The loops over [from, to) of the last axis; returns the combined values. With accumulators, what fills all of them
  /// comes first, and the rest as masked vectors, so that short rows profit too.
  SmallVector<Value> buildLeaf(OpBuilder &builder, scf::ParallelOp loop, ArrayRef<Combiner> combiners, ValueRange outer,
                               Value from, Value to, ValueRange start, bool tree) {
    bool vectorized = isVectorized(loop), math = callsMathFunctions(loop.getBody());
    VectorLoop how{.parallel = hasStores(loop), .predicate = math};
    if (!tree || !vectorized)
      return buildLoop(builder, loop, combiners, outer, from, to, start, vectorized ? &how : nullptr);
    Location loc = loop.getLoc();
    Value accumulators = arith::ConstantIndexOp::create(builder, loc, getAccumulators(loop));
    Value length = arith::SubIOp::create(builder, loc, to, from);
    Value full =
        arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, length, accumulators), accumulators);
    Value middle = arith::AddIOp::create(builder, loc, from, full);
    how.width = getLanes(loop);
    how.interleave = getVectorsInFlight(loop);
    how.predicate = false;
    SmallVector<Value> sums = buildLoop(builder, loop, combiners, outer, from, middle, start, &how);
    how.interleave = 1;
    how.predicate = true;
    SmallVector<Value> rest = buildLoop(builder, loop, combiners, outer, middle, to, start, &how);
    for (auto [combiner, sum, more] : llvm::zip_equal(combiners, sums, rest))
      sum = combiner.combine(builder, loc, sum, more);
    return sums;
  }

  SmallVector<Value> buildLoop(OpBuilder &builder, scf::ParallelOp loop, ArrayRef<Combiner> combiners, ValueRange outer,
                               Value from, Value to, ValueRange start, const VectorLoop *how) {
    Location loc = loop.getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto made = scf::ForOp::create(builder, loc, from, to, one, inParts(builder, loc, start));
    SmallVector<Value> results = whole(builder, loc, made.getResults(), start.getTypes());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    SmallVector<Value> carried = whole(builder, loc, made.getRegionIterArgs(), start.getTypes());
    IRMapping map;
    for (auto [position, value] : llvm::zip(loop.getInductionVars(), outer))
      map.map(position, value);
    map.map(loop.getInductionVars().back(), made.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, map);
    SmallVector<Value> next;
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    for (auto [combiner, before, value] : llvm::zip_equal(combiners, carried, reduce.getOperands()))
      next.push_back(combiner.combine(builder, loc, before, combiner.widen(builder, loc, map.lookupOrDefault(value)),
                                      /*reassociate=*/how != nullptr));
    scf::YieldOp::create(builder, loc, inParts(builder, loc, next));
    if (how)
      annotate(made, *how);
    else if (isShort(loop))
      annotateShort(made);
    return results;
  }

  /// Values with complex numbers as two: LLVM makes no vectors of loops that carry structures.
  static SmallVector<Value> inParts(OpBuilder &builder, Location loc, ValueRange values) {
    SmallVector<Value> parts;
    for (Value value : values)
      if (isa<ComplexType>(value.getType())) {
        parts.push_back(complex::ReOp::create(builder, loc, value));
        parts.push_back(complex::ImOp::create(builder, loc, value));
      } else {
        parts.push_back(value);
      }
    return parts;
  }

  /// The opposite of that.
  static SmallVector<Value> whole(OpBuilder &builder, Location loc, ValueRange parts, TypeRange types) {
    SmallVector<Value> values;
    for (Type type : types) {
      bool isComplex = isa<ComplexType>(type);
      values.push_back(isComplex ? complex::CreateOp::create(builder, loc, type, parts[0], parts[1]).getResult()
                                 : parts[0]);
      parts = parts.drop_front(isComplex ? 2 : 1);
    }
    return values;
  }

  static bool hasStores(scf::ParallelOp loop) { return !loop.getBody()->getOps<memref::StoreOp>().empty(); }
  static bool isVectorized(scf::ParallelOp loop) { return !isShort(loop) && isVectorizable(loop.getBody()); }

  /// Several, to hide the latency of additions; strided loads are slower than these anyway. Complex numbers have two
  /// each.
  static unsigned getVectorsInFlight(scf::ParallelOp loop) {
    Value position = loop.getInductionVars().back();
    bool contiguous = false;
    loop.getBody()->walk([&](memref::LoadOp load) {
      contiguous |= !load.getIndices().empty() && movesWith(load.getIndices().back(), position);
    });
    bool isComplex = llvm::any_of(loop.getResultTypes(), [](Type type) { return isa<ComplexType>(type); });
    return contiguous ? (isComplex ? vectorsInFlight / 2 : vectorsInFlight) : 1;
  }

  int64_t getAccumulators(scf::ParallelOp loop) {
    if (!isVectorized(loop))
      return 1;
    return getLanes(loop) * getVectorsInFlight(loop);
  }

  /// The elements of a vector. They are as many on every machine, so that sums have the same bits: where registers are
  /// narrower, LLVM takes several. Functions of the math library, though, have vector forms for whole registers only.
  unsigned getLanes(scf::ParallelOp loop) {
    unsigned bytes = callsMathFunctions(loop.getBody()) ? vectorBytes : widestVectorBytes;
    return std::max(bytes / getWidestBytes(loop.getBody()), 1u);
  }
};
} // namespace

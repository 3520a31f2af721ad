// npcc-shuffle-iterations: what iterations may run at once (kernels, the parallel loops and folds in them) becomes
// serial loops, whose order the runtime draws. See Passes.td.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/debug/Debug.h"
#include "compiler/kernels/Combiner.h"
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/PatternMatch.h"

namespace npcc {
#define GEN_PASS_DEF_SHUFFLEITERATIONS
#include "compiler/debug/Passes.h.inc"

using namespace mlir;

namespace {
/// What a reduction carries from one iteration to the next. For sums of floats these are totals of three sizes, of up
/// to 16 and 256 elements and of all: one total alone would be rounded as often as there are elements, and NumPy's is
/// not.
class Accumulator {
public:
  Accumulator(Combiner combiner, Value initial)
      : combiner(combiner), initial(initial), isSum(combiner.isRoundedSum()) {}

  size_t size() const { return isSum ? 3 : 1; }

  SmallVector<Value> begin(OpBuilder &builder, Location loc) {
    SmallVector<Value> totals{combiner.widen(builder, loc, initial)};
    if (isSum) {
      zero = makeNegativeZero(builder, loc, combiner.getType());
      totals.append(2, zero);
    }
    return totals;
  }

  /// The totals after the iteration that `number` have come before.
  SmallVector<Value> add(OpBuilder &builder, Location loc, ValueRange totals, Value element, Value number) const {
    Value carry = combiner.combine(builder, loc, totals[0], combiner.widen(builder, loc, element));
    SmallVector<Value> next{carry};
    IndexMath math{builder, loc};
    for (size_t level = 1; level < size(); ++level) {
      Value done = math.rem(math.add(number, 1), math.constant(level == 1 ? 16 : 256));
      Value isFull = math.compare(arith::CmpIPredicate::eq, done, math.constant(0));
      carry = combiner.combine(builder, loc, totals[level], carry);
      next[level - 1] = arith::SelectOp::create(builder, loc, isFull, zero, next[level - 1]);
      next.push_back(arith::SelectOp::create(builder, loc, isFull, carry, totals[level]));
      carry = next.back();
    }
    return next;
  }

  Value end(OpBuilder &builder, Location loc, ValueRange totals) const {
    Value total = totals.back();
    for (Value other : llvm::reverse(totals.drop_back()))
      total = combiner.combine(builder, loc, total, other);
    return combiner.narrow(builder, loc, total);
  }

private:
  /// x + -0.0 is x for each x, 0.0 among them.
  static Value makeNegativeZero(OpBuilder &builder, Location loc, Type type) {
    if (auto complexType = dyn_cast<ComplexType>(type)) {
      Attribute part = builder.getFloatAttr(complexType.getElementType(), -0.0);
      return complex::ConstantOp::create(builder, loc, complexType, builder.getArrayAttr({part, part}));
    }
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, -0.0));
  }

  Combiner combiner;
  Value initial, zero;
  bool isSum;
};

struct ShuffleIterations : impl::ShuffleIterationsBase<ShuffleIterations> {
  void runOnOperation() override {
    SmallVector<Operation *> spaces; // inner ones first
    getOperation()->walk([&](Operation *op) {
      if (isa<np::KernelOp, np::FoldOp, scf::ParallelOp>(op))
        spaces.push_back(op);
    });
    for (Operation *op : spaces) {
      IRRewriter rewriter(op);
      if (auto kernel = dyn_cast<np::KernelOp>(op))
        lower(rewriter, kernel);
      else if (auto loop = dyn_cast<scf::ParallelOp>(op))
        lower(rewriter, loop);
      else
        lower(rewriter, cast<np::FoldOp>(op));
      rewriter.eraseOp(op);
    }
  }

  /// Whether an iteration may raise an error. Of several, the program meets the one of the first iteration.
  static bool mayFail(Operation *space) {
    return space
        ->walk([](Operation *op) {
          bool isCheck = isa<np::CheckIndexOp, np::AssertOp, np::BroadcastExtentOp>(op);
          return isCheck ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// A serial loop over `extents` that carries values. `body` gets its positions, what is carried, and how many
  /// iterations came before, and gives what is carried on.
  SmallVector<Value> buildLoop(IRRewriter &rewriter, Location loc, ValueRange extents, ValueRange initial, bool ordered,
                               llvm::function_ref<SmallVector<Value>(ValueRange, ValueRange, Value)> body) {
    IndexMath math{rewriter, loc};
    Value zero = math.constant(0), one = math.constant(1), total = one;
    for (Value extent : extents)
      total = math.mul(total, math.max(extent, zero));
    Type i64 = rewriter.getI64Type();
    Value flag = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(ordered));
    callFunction(rewriter, loc, getOperation(), "npcc_rt_debug_begin", nullptr,
                 {arith::IndexCastOp::create(rewriter, loc, i64, total).getResult(), flag});
    auto loop = scf::ForOp::create(rewriter, loc, zero, total, one, initial);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      if (!loop.getBody()->empty())
        rewriter.eraseOp(loop.getBody()->getTerminator());
      rewriter.setInsertionPointToStart(loop.getBody());
      Value next = callFunction(rewriter, loc, getOperation(), "npcc_rt_debug_next", i64, {}).getResult();
      Value rest = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), next);
      SmallVector<Value> positions(extents.size());
      for (size_t axis = extents.size(); axis-- > 1; rest = math.div(rest, extents[axis]))
        positions[axis] = math.rem(rest, extents[axis]);
      if (!extents.empty())
        positions[0] = rest;
      scf::YieldOp::create(rewriter, loc, body(positions, loop.getRegionIterArgs(), loop.getInductionVar()));
    }
    callFunction(rewriter, loc, getOperation(), "npcc_rt_debug_end", nullptr, {});
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// Moves the code of a block, its terminator not, to the insertion point. Returns what the terminator took.
  static SmallVector<Value> inlineBody(IRRewriter &rewriter, Block *block, ValueRange arguments) {
    Operation *terminator = block->getTerminator();
    SmallVector<Value> given = llvm::to_vector_of<Value>(terminator->getOperands());
    // Arguments among them are replaced with the rest.
    for (Value &value : given)
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == block)
        value = arguments[argument.getArgNumber()];
    rewriter.eraseOp(terminator);
    rewriter.inlineBlockBefore(block, rewriter.getInsertionBlock(), rewriter.getInsertionPoint(), arguments);
    return given;
  }

  void lower(IRRewriter &rewriter, np::KernelOp kernel) {
    buildLoop(rewriter, kernel.getLoc(), kernel.getExtents(), {}, /*ordered=*/mayFail(kernel),
              [&](ValueRange positions, ValueRange, Value) {
                inlineBody(rewriter, kernel.getBody(), positions);
                return SmallVector<Value>();
              });
  }

  void lower(IRRewriter &rewriter, scf::ParallelOp loop) {
    Location loc = loop.getLoc();
    IndexMath math{rewriter, loc};
    SmallVector<Value> extents, initial;
    for (auto [from, to] : llvm::zip_equal(loop.getLowerBound(), loop.getUpperBound()))
      extents.push_back(math.sub(to, from));
    SmallVector<Accumulator> accumulators;
    for (auto [combiner, init] : llvm::zip_equal(getCombiners(loop), loop.getInitVals())) {
      accumulators.emplace_back(combiner, init);
      llvm::append_range(initial, accumulators.back().begin(rewriter, loc));
    }
    // The terminator goes along: the combiners are operations in it.
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    auto body = [&](ValueRange positions, ValueRange carried, Value number) {
      SmallVector<Value> moved, next;
      for (auto [position, from] : llvm::zip_equal(positions, loop.getLowerBound()))
        moved.push_back(math.add(from, position));
      rewriter.inlineBlockBefore(loop.getBody(), rewriter.getInsertionBlock(), rewriter.getInsertionPoint(), moved);
      rewriter.setInsertionPoint(reduce);
      for (auto [accumulator, element] : llvm::zip_equal(accumulators, reduce.getOperands())) {
        ValueRange totals = carried.slice(next.size(), accumulator.size());
        llvm::append_range(next, accumulator.add(rewriter, reduce.getLoc(), totals, element, number));
      }
      rewriter.setInsertionPointAfter(reduce);
      return next;
    };
    SmallVector<Value> results = buildLoop(rewriter, loc, extents, initial, /*ordered=*/mayFail(loop), body);
    ValueRange rest = results;
    for (auto [accumulator, old] : llvm::zip_equal(accumulators, loop.getResults())) {
      rewriter.replaceAllUsesWith(old, accumulator.end(rewriter, loc, rest.take_front(accumulator.size())));
      rest = rest.drop_front(accumulator.size());
    }
    rewriter.eraseOp(reduce);
  }

  void lower(IRRewriter &rewriter, np::FoldOp fold) {
    SmallVector<Value> totals =
        buildLoop(rewriter, fold.getLoc(), {fold.getExtent()}, fold.getInitial(), /*ordered=*/true,
                  [&](ValueRange positions, ValueRange carried, Value) {
                    SmallVector<Value> elements = inlineBody(rewriter, &fold.getElement().front(), positions);
                    SmallVector<Value> next = fold.emitCombine(rewriter, carried, elements), each{positions[0]};
                    llvm::append_range(each, next);
                    inlineBody(rewriter, &fold.getEach().front(), each);
                    return next;
                  });
    rewriter.replaceAllUsesWith(fold.getTotals(), totals);
  }
};
} // namespace
} // namespace npcc

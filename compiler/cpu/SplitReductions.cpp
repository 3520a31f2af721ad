// npcc-split-reductions: reductions that would keep few threads busy become a kernel over blocks of what is reduced,
// which stores one partial result for each, and a second reduction of those.
//
// A reduction in host code (a full reduction: see npcc-inline-unit-kernels)
//   %s = scf.parallel (%i, %k) = (0, 0) to (%n, %m) init (%zero) -> f64 { ... }
// becomes
//   %partials = <%blocks elements: on the stack if they are few>
//   np.kernel (%b) = (%blocks) {
//     %p = scf.parallel (%row, %k) = (%row0, %k0) to (%row1, %k1) init (%zero) -> f64 { ... }
//     memref.store %p, %partials[%b]
//   }
//   %s = scf.parallel (%b) = (0) to (%blocks) init (%zero) -> f64 { memref.load %partials[%b] ... }
//
// A search for the place of what such a reduction has found (argmax) goes through one block only, the first one with
// that partial result.
//
// The only reduction of a kernel becomes a function `@f.reduction0(..., bounds)`. The kernel calls it for all that is
// to be reduced; a second version, taken when the kernel has few iterations of many elements each (the channels of an
// image, a handful of long rows), calls it for blocks and combines `%partials[%b * %iterations + %iteration]`.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/ReductionBlocks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

static constexpr int64_t partialsOnStack = 64;

namespace {
struct SplitReductions : npcc::impl::SplitReductionsBase<SplitReductions> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    SmallVector<scf::ParallelOp> reductions; // of the host
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto kernel = dyn_cast<np::KernelOp>(op))
          kernels.push_back(kernel);
        else if (auto loop = dyn_cast<scf::ParallelOp>(op))
          reductions.push_back(loop);
        else
          return WalkResult::advance();
        return WalkResult::skip();
      });
    for (np::KernelOp kernel : kernels)
      splitKernel(kernel);
    searches.clear();
    for (scf::ParallelOp loop : reductions)
      if (!searches.contains(loop))
        splitFull(loop);
  }

  /// The loop that looks for the first place of what `loop`, the least or the greatest element of an array of one axis,
  /// has found (argmin, argmax); null if there is none:
  ///   scf.parallel (%k) = (0) to (%n) init (%none) -> i64 { the least of (%a[%k] == %found ? %k : %none) }
  static scf::ParallelOp findSearch(scf::ParallelOp loop) {
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    if (loop.getNumLoops() != 1 || loop.getNumResults() != 1 ||
        !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
            reduce.getReductions()[0].front().front()))
      return nullptr;
    Value element = reduce.getOperands()[0];
    for (Operation *user : loop->getUsers()) {
      auto search = dyn_cast<scf::ParallelOp>(user->getParentOp());
      if (!search || search == loop || search->getBlock() != loop->getBlock() || search.getNumLoops() != 1 ||
          search.getNumResults() != 1 || search.getUpperBound() != loop.getUpperBound() ||
          search.getLowerBound() != loop.getLowerBound())
        continue;
      auto least = cast<scf::ReduceOp>(search.getBody()->getTerminator());
      auto chosen = least.getOperands()[0].getDefiningOp<arith::SelectOp>();
      if (!isa<arith::MinSIOp>(least.getReductions()[0].front().front()) || !chosen ||
          chosen.getFalseValue() != search.getInitVals()[0])
        continue;
      if (isElement(chosen.getCondition(), loop, element, search))
        return search;
    }
    return nullptr;
  }

  /// Whether a value of `search` is computed as one of `loop` is, of loads and positions.
  static bool isSame(Value value, scf::ParallelOp search, Value other, scf::ParallelOp loop) {
    if (value == search.getInductionVars()[0])
      return other == loop.getInductionVars()[0];
    if (!search->isAncestor(value.getParentBlock()->getParentOp()))
      return value == other;
    Operation *op = value.getDefiningOp(), *like = other.getDefiningOp();
    if (!op || !like || op->getNumRegions() > 0 || op->getName() != like->getName() ||
        op->getNumOperands() != like->getNumOperands() || op->getResultTypes() != like->getResultTypes() ||
        op->getAttrDictionary() != like->getAttrDictionary() || !(isa<memref::LoadOp>(op) || isPure(op)))
      return false;
    return llvm::all_of(llvm::zip(op->getOperands(), like->getOperands()), [&](auto operands) {
      return isSame(std::get<0>(operands), search, std::get<1>(operands), loop);
    });
  }

  /// Whether a condition of `search` holds only for elements that are what `loop` has found, or NaN.
  static bool isElement(Value condition, scf::ParallelOp loop, Value element, scf::ParallelOp search) {
    if (auto either = condition.getDefiningOp<arith::OrIOp>())
      return isElement(either.getLhs(), loop, element, search) && isElement(either.getRhs(), loop, element, search);
    Value found = loop.getResult(0);
    auto isIt = [&](Value value) { return isSame(value, search, element, loop); };
    auto areCompared = [&](Value lhs, Value rhs) { return (isIt(lhs) && rhs == found) || (isIt(rhs) && lhs == found); };
    if (auto compare = condition.getDefiningOp<arith::CmpIOp>())
      return compare.getPredicate() == arith::CmpIPredicate::eq && areCompared(compare.getLhs(), compare.getRhs());
    auto compare = condition.getDefiningOp<arith::CmpFOp>();
    if (!compare)
      return false;
    if (compare.getPredicate() == arith::CmpFPredicate::UNO)
      return isIt(compare.getLhs()) && isIt(compare.getRhs());
    return compare.getPredicate() == arith::CmpFPredicate::OEQ && areCompared(compare.getLhs(), compare.getRhs());
  }

  /// Only the first block whose own result is that of all need be searched.
  static void narrowSearch(OpBuilder &builder, scf::ParallelOp search, ReductionBlocks &blocks, Value partials,
                           Value found) {
    Location loc = search.getLoc();
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value none = index(std::numeric_limits<int64_t>::max()), one = index(1);
    auto first = scf::ForOp::create(
        builder, loc, index(0), blocks.count, one, ValueRange{none},
        [&](OpBuilder &inside, Location, Value block, ValueRange best) {
          Value part = memref::LoadOp::create(inside, loc, partials, block), isIt;
          if (isa<FloatType>(part.getType()))
            isIt = arith::OrIOp::create(inside, loc,
                                        arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::OEQ, part, found),
                                        arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::UNO, part, part));
          else
            isIt = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, part, found);
          Value here = arith::SelectOp::create(inside, loc, isIt, block, none);
          scf::YieldOp::create(inside, loc, arith::MinUIOp::create(inside, loc, best[0], here).getResult());
        });
    // With none, there is nothing to search.
    Value last = arith::SubIOp::create(builder, loc, arith::MaxUIOp::create(builder, loc, blocks.count, one), one);
    auto bounds = blocks.getBlock(builder, arith::MinUIOp::create(builder, loc, first.getResult(0), last));
    search.getLowerBoundMutable().assign(bounds.first);
    search.getUpperBoundMutable().assign(bounds.second);
  }

  void splitFull(scf::ParallelOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    ReductionBlocks blocks(builder, loop);
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    SmallVector<Value> partials;
    Value many = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, blocks.count, index(partialsOnStack));
    for (Type type : loop.getResultTypes())
      partials.push_back(allocate(builder, loop, type, blocks.count, many));

    auto kernel = np::KernelOp::create(builder, loc, blocks.count);
    builder.setInsertionPointToStart(kernel.getBody());
    Value block = kernel.getInductionVars()[0];
    scf::ParallelOp part = blocks.build(builder, blocks.getBlock(builder, block), IRMapping());
    for (auto [partial, value] : llvm::zip_equal(partials, part.getResults()))
      memref::StoreOp::create(builder, loc, value, partial, block);

    builder.setInsertionPointAfter(kernel);
    scf::ParallelOp combined = blocks.combine(builder, partials, [](OpBuilder &, Value block) { return block; });
    if (scf::ParallelOp search = findSearch(loop)) {
      narrowSearch(builder, search, blocks, partials[0], combined.getResult(0));
      searches.insert(search);
    }
    loop.replaceAllUsesWith(combined.getResults());
    auto released = np::AlternativesOp::create(builder, loc, TypeRange(), "room on the heap", many);
    released.setNeeded(true);
    builder.setInsertionPointToStart(released.getOfferedBlock());
    for (Value buffer : partials)
      np::ReleaseOp::create(builder, loc, buffer);
    loop.erase();
  }

  llvm::SmallPtrSet<Operation *, 4> searches; // that go through one block only

  /// Room for the partial results: few of them on the stack.
  Value allocate(OpBuilder &builder, scf::ParallelOp loop, Type element, Value count, Value many) {
    Location loc = loop.getLoc();
    auto type = MemRefType::get({ShapedType::kDynamic}, element);
    Value onStack;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
      onStack = memref::AllocaOp::create(builder, loc, MemRefType::get({partialsOnStack}, element));
      onStack = memref::CastOp::create(builder, loc, type, onStack);
    }
    auto chosen = np::AlternativesOp::create(builder, loc, TypeRange(type), "room on the heap", many);
    chosen.setNeeded(true); // the stack has no more
    OpBuilder heap = OpBuilder::atBlockEnd(chosen.getOfferedBlock()),
              stack = OpBuilder::atBlockEnd(chosen.getGeneralBlock());
    Value made = np::AllocOp::create(heap, loc, type, ValueRange{count});
    np::YieldOp::create(heap, loc, made);
    np::YieldOp::create(stack, loc, onStack);
    return chosen.getResult(0);
  }
};
} // namespace

// npcc-merge-iterations: a loop of the host whose iterations do not need each other becomes one kernel, with what its
// iterations launch inside.
//
//   scf.for %i = %c0 to %n step %c1 {                            np.kernel (%i, %j) = (%n, %m) {
//     scf.for %j = %c0 to %m step %c1 {                            ... %y[%i, %j, %k] ...
//       np.kernel (%k) = (%l) { ... %y[%i, %j, %k] ... }   ->    }                     // and an axis %k of %l
//     }
//   }
//
//   scf.for %i = %c0 to %n step %c1 {                            np.kernel (%i) = (%n) {
//     %from = memref.load %rows[%i]  ...                           %from = memref.load %rows[%i]  ...
//     np.kernel (%u) = (%c1) { ... %y[%i] ... }            ->      ... %y[%i] ...
//   }                                                            }
//
// Where an iteration is more than one kernel, they become loops inside that the threads of a block share out: a kernel
// of kind `steps`, worth while if there are iterations enough, which is asked when the loop begins.
//
// Iterations do not need each other if any two accesses to what may be one array, one of them a store, have an axis
// with the same position that moves with the loop. Arrays that an iteration makes for itself get an axis for the
// iterations. Checks of positions are made before (LoopVersions.h), or, where the arrays that are stored are lost with
// the error, inside.
//
// What an iteration loads and only later ones store is loaded from a copy that is made before: b[i] += a[i + 1:, i] @
// b[i + 1:].
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/AskedChecks.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/IterationTest.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/OwnArrays.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_MERGEITERATIONS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Merger {
public:
  Merger(scf::ForOp outer, bool general, const TargetProperties &target)
      : outer(outer), general(general), target(target) {}

  bool merge() {
    hoistNumbers(outer);
    while (sinkIntoInner())
      ;
    IterationTest test(outer, general);
    if (!test.canMerge())
      return false;
    findNest();
    remarkLoop(outer.getLoc(), "a loop whose iterations are one kernel: they do not need each other");
    if (test.losesStores())
      for (Operation *check : test.checks)
        if (auto meet = dyn_cast<BroadcastExtentOp>(check); meet && !llvm::is_contained(test.asked, check))
          makeAssertion(meet);
    if (!test.asked.empty() || (!test.checks.empty() && !test.losesStores())) {
      Value hold = test.asked.empty() ? Value() : askBefore(test.asked, outer);
      if (failed(makeVersions(outer, nest, Asked::all, hold)))
        return false;
      dropAsked(test.asked);
    }
    emit(test);
    return true;
  }

private:
  /// The check that an array is stored into one of its extents, as one that a kernel can make.
  static void makeAssertion(BroadcastExtentOp meet) {
    OpBuilder builder(meet);
    IndexMath m{builder, meet.getLoc()};
    Value holds = m.either(m.compare(arith::CmpIPredicate::eq, meet.getLhs(), meet.getRhs()),
                           m.compare(arith::CmpIPredicate::eq, meet.getLhs(), m.constant(1)));
    unsigned number = 0;
    auto shape = [&](unsigned rank) {
      std::string text;
      for (unsigned axis = 0; axis < rank; ++axis)
        text += (axis ? ",{" : "{") + std::to_string(number++) + "}";
      return "(" + text + (rank == 1 ? ",)" : ")");
    };
    unsigned rank = meet.getLhsRank();
    std::string from = shape(rank), into = shape(meet.getShapes().size() - rank);
    AssertOp::create(builder, meet.getLoc(), holds, "ValueError",
                     "could not broadcast input array from shape " + from + " into shape " + into, meet.getShapes());
    meet.replaceAllUsesWith(meet.getRhs());
    meet.erase();
  }

  /// Numbers beside the only loop inside are computed in it: then the loops are a nest.
  bool sinkIntoInner() {
    scf::ForOp last = outer, inner;
    for (;;) {
      inner = {};
      for (Operation &op : last.getBody()->without_terminator()) {
        auto loop = dyn_cast<scf::ForOp>(op);
        if (loop && !inner)
          inner = loop;
        else if (!isMemoryEffectFree(&op) || op.getNumRegions() > 0 || inner)
          return false;
      }
      if (!inner || inner.getNumResults())
        return false;
      if (inner != &last.getBody()->front())
        break;
      last = inner;
    }
    SmallVector<Operation *> numbers;
    for (Operation &op : last.getBody()->without_terminator()) {
      if (&op == inner)
        break;
      for (Operation *user : op.getUsers())
        if (user == inner || (!inner->isAncestor(user) && user->getBlock() != last.getBody()))
          return false;
      numbers.push_back(&op);
    }
    for (Operation *op : llvm::reverse(numbers))
      op->moveBefore(inner.getBody(), inner.getBody()->begin());
    return true;
  }

  /// Loops directly in each other, of extents that are known before.
  void findNest() {
    nest = {outer};
    for (;;) {
      scf::ForOp last = nest.back();
      auto inner = dyn_cast<scf::ForOp>(last.getBody()->front());
      bool isAlone = inner && inner->getNextNode() == last.getBody()->getTerminator();
      if (!isAlone || inner.getNumResults() || !inner.getInductionVar().getType().isIndex() ||
          !isKnown(inner.getLowerBound()) || !isKnown(inner.getUpperBound()) || !isKnown(inner.getStep()) ||
          !isIndependentAlone(inner))
        return;
      nest.push_back(inner);
    }
  }
  bool isKnown(Value value) { return outer.isDefinedOutsideOfLoop(value); }
  bool isIndependentAlone(scf::ForOp inner) {
    IterationTest test(inner, general);
    return test.isIndependent() && test.early.empty();
  }

  /// The only kernel of an iteration, with nothing beside it but code that computes and loads.
  KernelOp getOnlyKernel() {
    KernelOp found;
    for (Operation &op : nest.back().getBody()->without_terminator()) {
      auto kernel = dyn_cast<KernelOp>(op);
      if (kernel && !found)
        found = kernel;
      else if (kernel || op.getNumRegions() > 0 ||
               !(isMemoryEffectFree(&op) || isa<memref::LoadOp, CheckIndexOp, AssertOp, AllocOp>(op)))
        return {};
    }
    // What an iteration loads for the kernel all of its elements would load again, while others store.
    for (auto load : nest.back().getBody()->getOps<memref::LoadOp>())
      if (found && !found.isUnit() && mayWriteTo(found, load.getMemRef(), general))
        return {};
    return found;
  }

  /// Whether an iteration without loops, or with one reduction whose extents are known before: where iterations are few
  /// the device gets parts of it (npcc-split-launches).
  bool canBeParts(KernelOp kernel) {
    auto inner = kernel.getBody()->getOps<scf::ParallelOp>();
    return llvm::all_of(inner, [&](scf::ParallelOp reduction) {
      return reduction == *inner.begin() &&
             llvm::all_of(reduction.getUpperBound(), [&](Value extent) { return isKnown(extent); });
    });
  }

  void emit(IterationTest &test) {
    ArrayRef<AllocOp> temporaries = test.temporaries;
    OpBuilder builder(outer);
    Location loc = outer.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> extents;
    Value iterations = one;
    for (scf::ForOp loop : nest) {
      Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
      Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep());
      extents.push_back(builder.createOrFold<arith::MaxSIOp>(loc, count, zero));
      iterations = builder.createOrFold<arith::MulIOp>(loc, iterations, extents.back());
    }
    KernelOp only = getOnlyKernel();
    bool isFlat =
        only && (only.isUnit() || llvm::all_of(only.getExtents(), [&](Value extent) { return isKnown(extent); }));
    Value isWorthwhile;
    auto require = [&](arith::CmpIPredicate predicate, Value value, int64_t bound) {
      Value holds =
          arith::CmpIOp::create(builder, loc, predicate, value, arith::ConstantIndexOp::create(builder, loc, bound));
      isWorthwhile = isWorthwhile ? arith::AndIOp::create(builder, loc, isWorthwhile, holds).getResult() : holds;
    };
    bool holdsLoops = !isFlat || (only.isUnit() && !canBeParts(only));
    if (holdsLoops) {
      Value areSmall = emitAreSmall(builder, iterations);
      IndexMath m{builder, loc};
      isWorthwhile = m.compare(arith::CmpIPredicate::sge, iterations, m.constant(target.tuning.fewIterations));
      if (areSmall)
        isWorthwhile = m.either(isWorthwhile, areSmall);
    }
    for (AllocOp alloc : temporaries) {
      Value elements = iterations;
      for (Value extent : getBounds(builder, alloc))
        elements = builder.createOrFold<arith::MulIOp>(loc, elements, extent);
      require(arith::CmpIPredicate::sle, elements, target.tuning.mostOwnElements);
    }
    llvm::SmallSetVector<Value, 2> copied;
    for (memref::LoadOp load : test.early)
      copied.insert(load.getMemRef());
    for (Value array : copied)
      requireFewElements(builder, array, iterations, isFlat ? only : KernelOp(), isWorthwhile);
    if (isWorthwhile) {
      auto versions = AlternativesOp::create(builder, loc, TypeRange(), "iterations as one kernel", isWorthwhile);
      versions.setGeneral(builder.clone(*outer));
      versions.setOffered(outer);
      builder.setInsertionPoint(outer);
    }
    for (Value array : copied) {
      Value copy = emitCopy(builder, array);
      for (memref::LoadOp load : test.early)
        if (load.getMemRef() == array)
          load.getMemrefMutable().assign(copy);
    }
    SmallVector<Value> axes(extents);
    if (isFlat && !only.isUnit())
      llvm::append_range(axes, only.getExtents());
    for (AllocOp alloc : temporaries)
      giveAxes(builder, alloc, extents);
    if (isFlat && !only.isUnit())
      emitChecksAlone(builder, only, extents);
    auto kernel = KernelOp::create(builder, loc, axes);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    for (auto [loop, position] : llvm::zip(nest, kernel.getInductionVars()))
      loop.getInductionVar().replaceAllUsesWith(emitPosition(builder, loop, position));
    Block *body = nest.back().getBody();
    kernel.getBody()->getOperations().splice(kernel.getBody()->getTerminator()->getIterator(), body->getOperations(),
                                             body->begin(), std::prev(body->end()));
    for (auto [own, all] : shared) {
      placeInShared(own.getBuffer(), all, kernel.getInductionVars().take_front(nest.size()));
      own.erase();
    }
    if (isFlat) {
      ValueRange inner = kernel.getInductionVars().drop_front(extents.size());
      SmallVector<Value> positions(inner.begin(), inner.end());
      if (only.isUnit())
        positions.assign(only.getNumLoops(), zero);
      inlineKernel(only, positions, only->getBlock(), only->getIterator());
    } else {
      SmallVector<KernelOp> own;
      kernel.getBody()->walk([&](KernelOp inside) { own.push_back(inside); });
      for (KernelOp inside : own)
        makeInnerLoop(inside);
      kernel.setKind(KernelKind::steps);
    }
    outer.erase();
  }

  /// Checks of an iteration beside its kernel are made by the elements of that kernel. Where it has none, they are made
  /// by a kernel of their own.
  void emitChecksAlone(OpBuilder &builder, KernelOp only, ArrayRef<Value> extents) {
    Block *body = nest.back().getBody();
    if (llvm::none_of(*body, [](Operation &op) { return isa<CheckIndexOp, AssertOp>(op); }))
      return;
    Location loc = outer.getLoc();
    IndexMath m{builder, loc};
    Value elements = m.product(only.getExtents());
    Value isEmpty = m.compare(arith::CmpIPredicate::eq, elements, m.constant(0));
    auto checks = AlternativesOp::create(builder, loc, TypeRange(), "iterations without elements", isEmpty);
    checks.setNeeded(true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(checks.getOfferedBlock());
    auto kernel = KernelOp::create(builder, loc, extents);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    IRMapping known;
    for (auto [loop, position] : llvm::zip(nest, kernel.getInductionVars()))
      known.map(loop.getInductionVar(), emitPosition(builder, loop, position));
    for (Operation &op : body->without_terminator())
      if (&op != only && !isa<AllocOp>(op))
        builder.clone(op, known);
  }

  /// Whether few iterations in one kernel are better than many launches: their kernels are small, or a team goes
  /// through all of an iteration's elements in less time than the device takes to run the iterations one after the
  /// other. Null where that is not known.
  Value emitAreSmall(OpBuilder &builder, Value iterations) {
    bool holdsLaunches = false, isKnown = true, holdsSteps = false;
    SmallVector<SmallVector<Value>> works;
    nest.back().getBody()->walk<WalkOrder::PreOrder>([&](KernelOp kernel) {
      holdsLaunches |= kernel->getParentOfType<scf::ForOp>() != nest.back();
      works.emplace_back(kernel.getExtents());
      kernel.getBody()->walk([&](Operation *op) {
        if (auto inner = dyn_cast<scf::ParallelOp>(op))
          llvm::append_range(works.back(), inner.getUpperBound());
        else
          holdsSteps |= isa<LoopLikeOpInterface>(op);
      });
      for (Value extent : works.back())
        isKnown &= emitBound(extent, outer, nullptr, /*most=*/true).has_value();
      return WalkResult::skip();
    });
    if (!isKnown || works.empty() || (holdsSteps && !holdsLaunches))
      return Value();
    IndexMath m{builder, outer.getLoc()};
    Value all = m.constant(0), areSmall;
    for (ArrayRef<Value> work : works) {
      Value elements = m.constant(1);
      for (Value extent : work)
        elements = m.mul(elements, *emitBound(extent, outer, &builder, /*most=*/true));
      all = m.add(all, elements);
      Value isSmall =
          m.compare(arith::CmpIPredicate::sle, elements,
                    m.constant(holdsLaunches ? target.tuning.elementsOfLaunch : target.tuning.elementsOfBeginning));
      areSmall = areSmall ? m.both(areSmall, isSmall) : isSmall;
    }
    int64_t perIteration = static_cast<int64_t>(works.size()) * target.tuning.elementsOfStep;
    Value areQuicker = m.compare(arith::CmpIPredicate::sle, all, m.mul(iterations, m.constant(perIteration)));
    return m.either(areSmall, areQuicker);
  }

  /// A copy of an array should not be more work than the loop.
  void requireFewElements(OpBuilder &builder, Value array, Value iterations, KernelOp only, Value &isWorthwhile) {
    IndexMath m{builder, outer.getLoc()};
    Value work = m.mul(iterations, target.tuning.copiedPerIteration), elements = m.constant(1);
    for (Value extent : only ? only.getExtents() : OperandRange(nullptr, 0))
      work = m.mul(work, extent);
    for (int64_t axis = 0; axis < cast<MemRefType>(array.getType()).getRank(); ++axis)
      elements = m.mul(elements, memref::DimOp::create(builder, outer.getLoc(), array, axis));
    Value isSmall = m.both(m.compare(arith::CmpIPredicate::sle, elements, work),
                           m.compare(arith::CmpIPredicate::sle, elements, m.constant(target.tuning.mostOwnElements)));
    isWorthwhile = isWorthwhile ? m.both(isWorthwhile, isSmall) : isSmall;
  }

  /// What an array holds before the loop.
  Value emitCopy(OpBuilder &builder, Value array) {
    Location loc = outer.getLoc();
    auto type = cast<MemRefType>(array.getType());
    SmallVector<Value> extents, dynamic;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      extents.push_back(memref::DimOp::create(builder, loc, array, axis));
      if (type.isDynamicDim(axis))
        dynamic.push_back(extents.back());
    }
    Value copy = AllocOp::create(builder, loc, MemRefType::get(type.getShape(), type.getElementType()), dynamic);
    auto kernel = KernelOp::create(builder, loc, extents);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    Value element = memref::LoadOp::create(builder, loc, array, kernel.getInductionVars());
    memref::StoreOp::create(builder, loc, element, copy, kernel.getInductionVars());
    return copy;
  }

  /// The extents that an array of an iteration's own does not exceed.
  SmallVector<Value> getBounds(OpBuilder &builder, AllocOp alloc) {
    if (bounds.contains(alloc))
      return bounds[alloc];
    IndexMath m{builder, outer.getLoc()};
    SmallVector<Value> found;
    for (Value extent : alloc.getExtents())
      found.push_back(isKnown(extent) ? extent : m.max(*emitBound(extent, outer, &builder, /*most=*/true), m.constant(0)));
    return bounds[alloc] = found;
  }

  /// One array for all iterations, an element or a part of it for each.
  void giveAxes(OpBuilder &builder, AllocOp alloc, ArrayRef<Value> extents) {
    shared.push_back({alloc, emitShared(builder, alloc, extents, getBounds(builder, alloc))});
    replaceExtents(alloc);
  }

  scf::ForOp outer;
  bool general;
  const TargetProperties &target;
  SmallVector<scf::ForOp> nest;
  SmallVector<std::pair<AllocOp, Value>> shared; // of an iteration, and of all
  DenseMap<Operation *, SmallVector<Value>> bounds;
};

struct MergeIterations : impl::MergeIterationsBase<MergeIterations> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // its loops are a thread's, whose arrays others change
      return;
    func::FuncOp function = getOperation();
    bool general = function->hasAttr("np.general");
    const TargetProperties &target = getTargetProperties(function);
    forEachHostLoop(function, [&](scf::ForOp loop) { return Merger(loop, general, target).merge(); });
  }
};
} // namespace
} // namespace npcc

// npcc-compute-ahead: kernels of a loop that do not need what its iterations hand on are launched for all iterations
// before it.
//
//   %b = scf.for %i = %lo to %hi iter_args(%best = %init) {      scf.for %i = %lo to %hi {
//     %s = np.alloc() : memref<f64>                                np.kernel ... memref.store ..., %all[%i - %lo]
//     np.kernel ... memref.store ..., %s[]                       }
//     %x = memref.load %s[]                                ->    %b = scf.for %i = %lo to %hi iter_args(%best = %init)
//     { %isBetter = arith.cmpf olt, %x, %best                        %x = memref.load %all[%i - %lo] scf.yield (select
//     %isBetter, %x, %best)                      %isBetter = arith.cmpf olt, %x, %best
//   }                                                              scf.yield (select %isBetter, %x, %best) }
//
// A search goes through candidates (thresholds, displacements, values of a parameter), computes for each what it costs,
// and keeps the best one: each iteration waits for the number that the one before has found, although nothing but a
// comparison needs it. The iterations of the first loop do not need each other, so npcc-merge-iterations makes one
// kernel of them.
//
// An operation is ahead if neither its operands nor the condition that it stands under come from what is handed on, and
// if nothing that stays behind writes what it reads. What it stores goes to arrays of the iteration, and what stays
// behind only loads numbers of these: they get a place for each iteration. Numbers are computed in both loops. Checks
// that are made ahead come before what earlier iterations do: then nothing may stay behind that can fail, or that the
// caller could see after an error.
//
// An array that the iterations only keep, such as the mask of the best candidate, is made again behind the loop
// (KeptArrays.h), so that it can be made ahead, or need not be made at all but for the sums of it.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/CarriedNumbers.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/KeptArrays.h"
#include "compiler/kernels/OwnArrays.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_COMPUTEAHEAD
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Separation {
public:
  Separation(scf::ForOp loop, bool general) : loop(loop), aliasing(general) {}

  bool canSeparate(FirstCall &first) {
    bool isCounted = loop.getInductionVar().getType().isIndex() && loop.getNumRegionIterArgs() > 0;
    if (!isCounted || !holdsKernels(loop) || isShort(first))
      return false;
    moveLoopInvariantCode(loop); // extents of arrays that loops inside have made for all of their iterations
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); i++)
      if (std::optional<KeptArray> array = KeptArray::find(loop, i))
        kept.push_back(std::move(*array));
    do {
      places.clear();
      writing.clear();
      dependent.clear();
      dependent.insert_range(loop.getRegionIterArgs());
      while (sort(*loop.getBody())) {
      }
    } while (dropKept());
    return launchesAhead(*loop.getBody()) && canFailAhead() && findShared();
  }

  void separate(const Tuning &tuning) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value count = emitTripCount(builder, loop);
    offerIfFew(builder, count, tuning);
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    Value position = emitIterationNumber(inside, loop, loop.getInductionVar());
    loop.getBody()->walk([&](AllocOp own) {
      if (getHolder(own) == own && getPlace(own) == Place::Ahead)
        replaceExtents(own);
    });
    SmallVector<KeptArray::Placed> placed;
    for (KeptArray &array : kept)
      keepNumber(array, position, placed);
    for (AllocOp own : shared) {
      Value all = emitShared(builder, own, count, own.getExtents());
      for (KeptArray::Placed behind : placed)
        if (behind.own == own)
          placeInShared(behind.clone, all, behind.iteration);
      placeInShared(own, all, position);
    }
    for (KeptArray::Placed behind : placed)
      behind.clone->erase();
    for (AllocOp own : shared)
      own.erase();
    auto ahead = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
    builder.setInsertionPointToStart(ahead.getBody());
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), ahead.getInductionVar());
    copyAhead(*loop.getBody(), builder, mapping);
    SmallVector<Operation *> done;
    collectDone(*loop.getBody(), done);
    for (Operation *op : llvm::reverse(done))
      op->erase();
    dropChecks(loop, [&](Operation *op) { return getPlace(getHolder(op)) == Place::Ahead; });
    remarkLoop(loc, "what its iterations hand on is not needed by its kernels, which come before it");
    makeSmallLoops();
    scf::ForOp left = carryNumbers(loop);
    if (isForOneThread(left))
      giveToThread(left);
  }

private:
  /// Of an operation of the body. An open branch has operations of both kinds.
  enum class Place { Ahead, Behind, Open };

  static bool holdsKernels(Operation *op) {
    return op->walk([](KernelOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  /// Whether an operation makes arrays, or fills them.
  static bool makesArrays(Operation *op) {
    return op
        ->walk([](Operation *inside) {
          return isa<KernelOp, AllocOp, memref::StoreOp>(inside) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Kernels of a few elements, such as one that stores the position of the best candidate, are no reason to keep
  /// numbers in arrays: if no others stay behind, loops of the host do what they do.
  void makeSmallLoops() {
    constexpr int64_t mostElements = 16;
    SmallVector<KernelOp> kernels;
    loop->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    auto isSmall = [](KernelOp kernel) {
      int64_t elements = 1;
      for (Value extent : kernel.getExtents()) {
        APInt known;
        elements *= matchPattern(extent, m_ConstantInt(&known)) ? known.getSExtValue() : mostElements + 1;
      }
      return elements <= mostElements && canBeHostLoops(kernel);
    };
    if (llvm::all_of(kernels, isSmall))
      llvm::for_each(kernels, makeHostLoops);
  }

  /// Whether a loop that is left gives no number to what comes behind it, and stands in another loop: the iterations of
  /// that one may be those of a kernel then, if this one is in it.
  static bool isForOneThread(scf::ForOp loop) {
    bool isInLoop = loop->getParentOfType<scf::ForOp>() && isa<scf::ForOp, scf::IfOp>(loop->getParentOp());
    return isInLoop && loop->use_empty() &&
           !loop->walk([](Operation *op) {
                  bool isFree = isa<memref::LoadOp, memref::StoreOp, AssertOp, CheckIndexOp>(op) ||
                                isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) || isMemoryEffectFree(op);
                  return isFree && !isa<KernelOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
  static void giveToThread(scf::ForOp loop) {
    OpBuilder builder(loop);
    IndexMath m{builder, loop.getLoc()};
    auto kernel = KernelOp::create(builder, loop.getLoc(), SmallVector<Value>{m.constant(1)});
    loop->moveBefore(kernel.getBody(), kernel.getBody()->begin());
  }

  /// Whether there are known to be too few iterations for a kernel of all.
  bool isShort(FirstCall &first) {
    constexpr int64_t leastIterations = 4;
    IntegerAttr from = first.evaluate(loop.getLowerBound()), to = first.evaluate(loop.getUpperBound());
    IntegerAttr step = first.evaluate(loop.getStep());
    return from && to && step && to.getInt() - from.getInt() < leastIterations * step.getInt();
  }

  Place getPlace(Operation *op) const { return places.lookup(op); }

  /// The operation of the loop's body, or of an open branch, that holds another one.
  Operation *getHolder(Operation *op) {
    while (op->getBlock() != loop.getBody() && getPlace(op->getParentOp()) != Place::Open)
      op = op->getParentOp();
    return op;
  }

  /// Whether anything was found to stay behind.
  bool sort(Block &block) {
    bool hasChanged = false;
    for (Operation &op : block.without_terminator()) {
      Place place = getPlace(&op);
      if (place == Place::Ahead && !isAhead(&op)) {
        auto branch = dyn_cast<scf::IfOp>(op);
        place = places[&op] = branch && !dependent.contains(branch.getCondition()) ? Place::Open : Place::Behind;
        dependent.insert_range(op.getResults());
        if (place == Place::Behind)
          addWriting(&op);
        hasChanged = true;
      } else if (place == Place::Open && dependent.contains(cast<scf::IfOp>(op).getCondition())) {
        places[&op] = Place::Behind;
        addWriting(&op);
        hasChanged = true;
      }
      if (getPlace(&op) == Place::Open)
        for (Region &region : op.getRegions())
          if (!region.empty())
            hasChanged |= sort(region.front());
    }
    return hasChanged;
  }

  void addWriting(Operation *op) {
    if (!isMemoryEffectFree(op) && !isa<memref::LoadOp, AllocOp>(op))
      writing.push_back(op);
  }

  bool isAhead(Operation *holder) {
    // Numbers are computed in both loops, arrays in one.
    if (makesArrays(holder) && holder->getNumResults() > 0 && !isa<AllocOp>(holder))
      return false;
    return !holder
                ->walk([&](Operation *op) {
                  bool isGood =
                      llvm::none_of(op->getOperands(), [&](Value value) { return dependent.contains(value); });
                  if (auto load = dyn_cast<memref::LoadOp>(op))
                    isGood &= canLoad(load.getMemRef(), holder);
                  else if (auto store = dyn_cast<memref::StoreOp>(op))
                    isGood &= canStore(store.getMemRef(), holder);
                  else if (auto alloc = dyn_cast<AllocOp>(op))
                    isGood &= op != holder || canBeShared(alloc);
                  else
                    isGood &= isCode(op) && !llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
                  return isGood ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Takes away the arrays that cannot be made again behind the loop; whether there was one.
  bool dropKept() {
    unsigned before = kept.size();
    llvm::erase_if(kept, [&](const KeptArray &array) { return !canMakeBehind(array); });
    return kept.size() < before;
  }
  bool canMakeBehind(const KeptArray &array) {
    bool isInOneLoop = isMadeAhead(array) || array.isOnlyKept();
    return isInOneLoop && llvm::all_of(array.getMakers(), [&](Operation *op) { return isAhead(op); }) &&
           llvm::all_of(array.getRead(),
                        [&](AllocOp read) { return getHolder(read) == read && getPlace(read) == Place::Ahead; });
  }
  bool isMadeAhead(const KeptArray &array) {
    return llvm::all_of(array.getMakers(), [&](Operation *op) { return getPlace(getHolder(op)) == Place::Ahead; });
  }
  /// Whether a use stays behind only until the array is made again behind the loop.
  bool isForKept(OpOperand &use) {
    return llvm::any_of(kept, [&](const KeptArray &array) {
      return (use.get() == array.getMade() && array.isPassing(use)) ||
             array.getMakers().contains(use.getOwner()->getParentOfType<KernelOp>());
    });
  }

  void keepNumber(KeptArray &array, Value position, SmallVectorImpl<KeptArray::Placed> &placed) {
    unsigned from = placed.size();
    scf::IfOp branch = array.makeBehind(position, placed);
    for (const KeptArray::Placed &behind : ArrayRef(placed).drop_front(from))
      replaceExtents(behind.clone);
    dropChecks(branch, [](Operation *) { return true; });
    if (isMadeAhead(array))
      return;
    replaceExtents(array.getMade());
    for (Operation *op : llvm::reverse(array.getMakers()))
      op->erase();
  }

  /// Whether an operation does nothing beside computing; it may fail.
  static bool isCode(Operation *op) {
    bool isControl = isa<KernelOp, EndOp, FoldOp, YieldOp, scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp,
                         scf::ConditionOp, scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp, CheckIndexOp, AssertOp,
                         BroadcastExtentOp, memref::DimOp>(op);
    return isControl || isMemoryEffectFree(op);
  }

  bool isFromBefore(Value value) { return loop.isDefinedOutsideOfLoop(value); }

  bool canLoad(Value array, Operation *holder) {
    if (isFromBefore(array))
      return llvm::none_of(writing, [&](Operation *op) { return aliasing.mayWriteTo(op, array); });
    return isOwn(array, holder);
  }
  bool canStore(Value array, Operation *holder) { return !isFromBefore(array) && isOwn(array, holder); }

  /// An array that the operation makes itself, or one of the iteration's.
  bool isOwn(Value array, Operation *holder) {
    auto alloc = array.getDefiningOp<AllocOp>();
    return alloc && (holder->isProperAncestor(alloc) || getPlace(alloc) == Place::Ahead);
  }

  /// Whether what is ahead has all to do with an array, but for loads by the host of its elements.
  bool canBeShared(AllocOp alloc) {
    return llvm::all_of(alloc->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isForKept(use))
        return true;
      if (getPlace(getHolder(user)) == Place::Ahead)
        return isa<memref::LoadOp, memref::StoreOp, memref::DimOp>(user);
      return isa<memref::DimOp>(user) || (isa<memref::LoadOp>(user) && !user->getParentOfType<KernelOp>());
    });
  }

  bool launchesAhead(Block &block) {
    return llvm::any_of(block, [&](Operation &op) {
      if (getPlace(&op) == Place::Open)
        return llvm::any_of(op.getRegions(),
                            [&](Region &region) { return !region.empty() && launchesAhead(region.front()); });
      return getPlace(&op) == Place::Ahead && holdsKernels(&op);
    });
  }

  template <typename F> static void dropChecks(Operation *parent, F isDone) {
    SmallVector<Operation *> checks;
    parent->walk([&](Operation *op) {
      if (isCheck(op) && isDone(op))
        checks.push_back(op);
    });
    llvm::for_each(checks, dropCheck);
  }
  /// Takes away a check that has been made ahead.
  static void dropCheck(Operation *op) {
    OpBuilder builder(op);
    IndexMath m{builder, op->getLoc()};
    if (auto check = dyn_cast<CheckIndexOp>(op)) {
      check.replaceAllUsesWith(m.fromStart(check.getPosition(), check.getSize()));
    } else if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
      Value isStretched = m.compare(arith::CmpIPredicate::eq, meet.getLhs(), m.constant(1));
      meet.replaceAllUsesWith(m.select(isStretched, meet.getRhs(), meet.getLhs()));
    }
    op->erase();
  }

  static bool isCheck(Operation *op) { return isa<CheckIndexOp, AssertOp, BroadcastExtentOp>(op); }

  bool canFailAhead() {
    bool checksAhead = false, showsBehind = false;
    loop.getBody()->walk([&](Operation *op) {
      if (op == loop.getBody()->getTerminator() || getPlace(op) == Place::Open)
        return;
      bool isBehind = getPlace(getHolder(op)) == Place::Behind;
      auto store = dyn_cast<memref::StoreOp>(op);
      bool isLost =
          store ? getRoot(store.getMemRef()).getDefiningOp<AllocOp>() : isCode(op) || isa<memref::LoadOp, AllocOp>(op);
      checksAhead |= !isBehind && isCheck(op);
      showsBehind |= isBehind && (isCheck(op) || !isLost);
    });
    return !checksAhead || !showsBehind;
  }

  /// The arrays that are loaded from behind; false where their extents are not those of all iterations.
  bool findShared() {
    llvm::SmallSetVector<AllocOp, 4> readBehind;
    for (const KeptArray &array : kept)
      readBehind.insert_range(array.getRead());
    loop.getBody()->walk([&](AllocOp alloc) {
      auto isShared = [&](OpOperand &use) {
        return !isForKept(use) && (getPlace(getHolder(use.getOwner())) != Place::Ahead || isRead(use.getOwner()));
      };
      if (getPlace(getHolder(alloc)) == Place::Ahead && getHolder(alloc) == alloc &&
          (readBehind.contains(alloc) || llvm::any_of(alloc->getUses(), isShared)))
        shared.push_back(alloc);
    });
    return llvm::all_of(shared, [&](AllocOp alloc) {
      return llvm::all_of(alloc.getExtents(), [&](Value extent) { return isFromBefore(extent); });
    });
  }
  /// A number that is read ahead is read behind, too, where it is needed.
  static bool isRead(Operation *user) { return isa<memref::LoadOp>(user) && !user->getParentOfType<KernelOp>(); }

  void offerIfFew(OpBuilder &builder, Value count, const Tuning &tuning) {
    IndexMath m{builder, loop.getLoc()};
    Value fits;
    for (AllocOp alloc : shared) {
      if (alloc.getType().getRank() == 0)
        continue;
      Value elements = m.mul(count, m.product(alloc.getExtents()));
      for (int64_t extent : alloc.getType().getShape())
        elements = m.mul(elements, ShapedType::isDynamic(extent) ? 1 : extent);
      Value fitsOne = m.compare(arith::CmpIPredicate::sle, elements, m.constant(tuning.mostOwnElements));
      fits = fits ? m.both(fits, fitsOne) : fitsOne;
    }
    if (!fits)
      return;
    auto versions = AlternativesOp::create(builder, loop.getLoc(), loop.getResultTypes(), "iterations ahead", fits);
    loop->replaceAllUsesWith(versions.getResults());
    versions.setGeneral(builder.clone(*loop));
    versions.setOffered(loop);
    builder.setInsertionPoint(loop);
  }

  void copyAhead(Block &block, OpBuilder &builder, IRMapping &mapping) {
    for (Operation &op : block.without_terminator()) {
      if (getPlace(&op) == Place::Ahead)
        builder.clone(op, mapping);
      if (getPlace(&op) != Place::Open)
        continue;
      auto branch = cast<scf::IfOp>(op);
      auto copy = scf::IfOp::create(builder, op.getLoc(), mapping.lookupOrDefault(branch.getCondition()),
                                    /*withElseRegion=*/!branch.getElseRegion().empty());
      for (auto [from, to] : llvm::zip_equal(branch->getRegions(), copy->getRegions()))
        if (!from.empty()) {
          OpBuilder inside = OpBuilder::atBlockBegin(&to.front());
          copyAhead(from.front(), inside, mapping);
        }
    }
  }

  /// What need not be done behind.
  void collectDone(Block &block, SmallVector<Operation *> &done) {
    for (Operation &op : block.without_terminator()) {
      if (getPlace(&op) == Place::Ahead && makesArrays(&op))
        done.push_back(&op);
      if (getPlace(&op) == Place::Open)
        for (Region &region : op.getRegions())
          if (!region.empty())
            collectDone(region.front(), done);
    }
  }

  scf::ForOp loop;
  Aliasing aliasing;
  llvm::MapVector<Operation *, Place> places; // but for those that are ahead
  SmallVector<Operation *> writing;           // of those that are behind
  llvm::SmallDenseSet<Value> dependent;
  SmallVector<KeptArray> kept;
  SmallVector<AllocOp> shared;
};

struct ComputeAhead : impl::ComputeAheadBase<ComputeAhead> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread")) // its loops are a thread's
      return;
    const Tuning &tuning = getTargetProperties(function).tuning;
    SmallVector<scf::ForOp> loops; // those inside of others first
    function->walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<KernelOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      FirstCall first(function);
      Separation separation(loop, function->hasAttr("np.general"));
      if (separation.canSeparate(first))
        separation.separate(tuning);
    }
  }
};
} // namespace
} // namespace npcc

// npcc-merge-loops: inner loops of a kernel over the same positions become one loop, which reads what they share once.
//
//   %s = scf.parallel (%k) = to (%m) init (%zero) { ... %x[%i, %k] ... add }
//   %t = scf.parallel (%k) = to (%m) init (%least) { ... %x[%i, %k] ... maximum }
// becomes
//   %s, %t = scf.parallel (%k) = to (%m) init (%zero, %least) { ... %x[%i, %k] ... }
//
// What stands between them comes behind both where it needs the first one's results and touches nothing of the second
// one, else before both. The later loop may not need the earlier one's results, and what one of them writes the other
// touches at its own position only; an element that the first stores is then no longer loaded by the second.
//
// A loop whose last axis has a few elements (coordinates: d = x[i, :] - x) goes over the others alone where another
// loop over these touches what it stores (the distance, a sum of squares): they become one then.
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_MERGELOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {

// Operations of a loop's body that are there once for each of the few elements.
constexpr size_t mostUnrolled = 64;

struct MergeLoops : impl::MergeLoopsBase<MergeLoops> {
  bool general = false;

  void runOnOperation() override {
    general = getOperation()->hasAttr("np.general");
    getOperation()->walk([&](KernelOp kernel) {
      for (auto loop : llvm::make_early_inc_range(kernel.getBody()->getOps<scf::ParallelOp>()))
        if (isAlongShorter(loop, kernel))
          unrollLastAxis(loop);
      sinkStores(kernel);
      while (mergeOne(kernel))
        ;
    });
  }

  /// Whether the loop goes over a few elements along its last axis, and another loop over the other axes touches what
  /// it stores.
  static bool isAlongShorter(scf::ParallelOp loop, KernelOp kernel) {
    size_t axes = loop.getNumLoops() - 1;
    std::optional<int64_t> few = getConstantIntValue(loop.getUpperBound()[axes]);
    std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()[axes]),
                           step = getConstantIntValue(loop.getStep()[axes]);
    bool isPlain =
        llvm::none_of(loop.getBody()->without_terminator(), [](Operation &op) { return op.getNumRegions() > 0; });
    if (axes == 0 || !few || *few < 2 || *few > fewElements || first != 0 || step != 1 || loop.getNumResults() ||
        !isPlain || loop.getBody()->getOperations().size() > mostUnrolled)
      return false;
    llvm::SmallDenseSet<Value> stored;
    for (auto store : loop.getBody()->getOps<memref::StoreOp>())
      stored.insert(store.getMemRef());
    return llvm::any_of(kernel.getBody()->getOps<scf::ParallelOp>(), [&](scf::ParallelOp other) {
      return other.getUpperBound() == loop.getUpperBound().take_front(axes) &&
             llvm::any_of(other.getBody()->getOperations(), [&](Operation &op) {
               return isa<memref::LoadOp, memref::StoreOp>(op) && stored.contains(getAccess(&op).first);
             });
    });
  }

  static void unrollLastAxis(scf::ParallelOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    size_t axes = loop.getNumLoops() - 1;
    auto shorter = scf::ParallelOp::create(builder, loc, loop.getLowerBound().drop_back(),
                                           loop.getUpperBound().drop_back(), loop.getStep().drop_back(), ValueRange());
    for (int64_t number = 0; number < *getConstantIntValue(loop.getUpperBound()[axes]); ++number) {
      IRMapping mapping;
      mapping.map(ArrayRef(loop.getInductionVars()).take_front(axes), shorter.getInductionVars());
      builder.setInsertionPoint(shorter);
      mapping.map(loop.getInductionVars()[axes], arith::ConstantIndexOp::create(builder, loc, number).getResult());
      builder.setInsertionPoint(shorter.getBody()->getTerminator());
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    loop.erase();
  }

  /// What stands before a loop and stores what the loop does not look at comes behind all loops, where it is in the way of nothing.
  void sinkStores(KernelOp kernel) {
    Operation *end = kernel.getBody()->getTerminator();
    SmallVector<memref::StoreOp> stores(kernel.getBody()->getOps<memref::StoreOp>());
    for (memref::StoreOp store : llvm::reverse(stores)) {
      bool isBeforeLoop = false, mayPass = true;
      for (Operation *op = store->getNextNode(); op != end && mayPass; op = op->getNextNode()) {
        isBeforeLoop |= isa<scf::ParallelOp>(op);
        op->walk([&](Operation *inside) {
          if (isa<memref::LoadOp, memref::StoreOp>(inside))
            mayPass &= !mayAlias(getAccess(inside).first, store.getMemRef(), general) || isOther(store, inside);
          else
            mayPass &= isMemoryEffectFree(inside) || inside->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
        });
      }
      if (!isBeforeLoop || !mayPass)
        continue;
      store->moveBefore(end);
      end = store;
    }
  }

  /// Whether an access is to another element of the same array: one of the positions is another number.
  static bool isOther(Operation *one, Operation *access) {
    auto [mine, positions] = getAccess(one);
    auto [memory, indices] = getAccess(access);
    return memory == mine && llvm::any_of(llvm::zip_equal(positions, indices), [](auto pair) {
             std::optional<int64_t> one = getConstantIntValue(std::get<0>(pair)), other = getConstantIntValue(std::get<1>(pair));
             return one && other && *one != *other;
           });
  }

  bool mergeOne(KernelOp kernel) {
    SmallVector<scf::ParallelOp> loops(kernel.getBody()->getOps<scf::ParallelOp>());
    for (size_t number = 0; number + 1 < loops.size(); ++number)
      if (canMerge(loops[number], loops[number + 1])) {
        merge(loops[number], loops[number + 1]);
        return true;
      }
    return false;
  }

  /// What stands between the loops and uses the first one's results, and so must come after both.
  static llvm::SmallDenseSet<Operation *> getDependent(scf::ParallelOp first, scf::ParallelOp second) {
    llvm::SmallDenseSet<Operation *> dependent{first};
    for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
      if (llvm::any_of(op->getOperands(), [&](Value value) { return value.getDefiningOp() && dependent.contains(value.getDefiningOp()); }))
        dependent.insert(op);
    return dependent;
  }

  bool canMerge(scf::ParallelOp first, scf::ParallelOp second) {
    if (first.getUpperBound() != second.getUpperBound())
      return false;
    llvm::SmallDenseSet<Operation *> dependent = getDependent(first, second);
    SmallVector<Operation *> late;
    for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode()) {
      if (op->getNumRegions() > 0)
        return false;
      if (isMemoryEffectFree(op))
        continue;
      if (!isa<memref::LoadOp, memref::StoreOp>(op))
        return false;
      // It comes behind both loops if it needs the first one's results, else before them.
      bool isLate = dependent.contains(op);
      if (meets(op, isLate ? second : first) ||
          (!isLate && llvm::any_of(late, [&](Operation *other) { return meets(op, other); })))
        return false;
      if (isLate)
        late.push_back(op);
    }
    bool uses = second->walk([&](Operation *op) {
                        bool found = llvm::any_of(op->getOperands(), [&](Value value) {
                          return value.getDefiningOp() && dependent.contains(value.getDefiningOp());
                        });
                        return found ? WalkResult::interrupt() : WalkResult::advance();
                      }).wasInterrupted();
    return !uses && touchesAlike(first, second);
  }

  /// Whether a load or store may be of an element that one in `within` stores, or store one that it loads.
  bool meets(Operation *access, Operation *within) {
    return within->walk([&](Operation *inside) {
                   bool areAccesses = isa<memref::LoadOp, memref::StoreOp>(inside);
                   bool isStored = isa<memref::StoreOp>(access) || isa<memref::StoreOp>(inside);
                   bool mayMeet = areAccesses && isStored &&
                                  mayAlias(getAccess(access).first, getAccess(inside).first, general);
                   return mayMeet ? WalkResult::interrupt() : WalkResult::advance();
                 }).wasInterrupted();
  }

  /// Two accesses, one of them a store, of what may be one array: in the loops' bodies themselves, with all of the loops' positions as
  /// indices in the same places, so that iterations meet themselves only.
  bool touchesAlike(scf::ParallelOp first, scf::ParallelOp second) {
    bool isFine = true;
    first->walk([&](Operation *a) {
      second->walk([&](Operation *b) {
        if (!isa<memref::LoadOp, memref::StoreOp>(a) || !isa<memref::LoadOp, memref::StoreOp>(b) || (isa<memref::LoadOp>(a) && isa<memref::LoadOp>(b)))
          return;
        auto [memoryA, indicesA] = getAccess(a);
        auto [memoryB, indicesB] = getAccess(b);
        if (mayAlias(memoryA, memoryB, general))
          isFine &= memoryA == memoryB && (isOther(a, b) || isSamePosition(first, indicesA, second, indicesB));
      });
    });
    return isFine;
  }

  static bool isSame(Value one, Value other) {
    std::optional<int64_t> number = getConstantIntValue(one);
    return one == other || (number && number == getConstantIntValue(other));
  }

  static bool isSamePosition(scf::ParallelOp first, ValueRange a, scf::ParallelOp second, ValueRange b) {
    SmallVector<Value> positions(first.getInductionVars()), others(second.getInductionVars());
    llvm::SmallDenseSet<Value> used;
    for (auto [x, y] : llvm::zip_equal(a, b)) {
      size_t number = llvm::find(positions, x) - positions.begin();
      bool isPosition = number < positions.size();
      if (isPosition ? others[number] != y : !isSame(x, y))
        return false;
      if (isPosition)
        used.insert(x);
    }
    return used.size() == first.getNumLoops();
  }

  void merge(scf::ParallelOp first, scf::ParallelOp second) {
    SmallVector<Operation *> late;
    llvm::SmallDenseSet<Operation *> dependent = getDependent(first, second);
    for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
      if (dependent.contains(op))
        late.push_back(op);
    OpBuilder builder(second);
    SmallVector<Value> inits(first.getInitVals());
    llvm::append_range(inits, second.getInitVals());
    auto made = scf::ParallelOp::create(builder, second.getLoc(), SmallVector<Value>(second.getLowerBound()), SmallVector<Value>(second.getUpperBound()),
                                        SmallVector<Value>(second.getStep()), inits);
    if (made.getBody()->mightHaveTerminator())
      made.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(made.getBody());
    SmallVector<Value> values;
    SmallVector<Region *> combiners;
    for (scf::ParallelOp loop : {first, second}) {
      IRMapping mapping;
      mapping.map(loop.getInductionVars(), made.getInductionVars());
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
      auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
      for (auto [value, region] : llvm::zip_equal(reduce.getOperands(), reduce.getReductions())) {
        values.push_back(mapping.lookupOrDefault(value));
        combiners.push_back(&region);
      }
    }
    auto reduce = scf::ReduceOp::create(builder, second.getLoc(), values);
    for (auto [to, from] : llvm::zip_equal(reduce.getReductions(), combiners))
      to.takeBody(*from);
    forwardStores(*made.getBody());
    unsigned count = first.getNumResults();
    Operation *after = made;
    for (Operation *op : late) {
      op->moveAfter(after);
      after = op;
    }
    first.replaceAllUsesWith(made.getResults().take_front(count));
    second.replaceAllUsesWith(made.getResults().drop_front(count));
    first.erase();
    second.erase();
  }

  /// Loads in the body of what it stored before, at the same indices.
  void forwardStores(Block &body) {
    for (memref::StoreOp store : llvm::make_early_inc_range(body.getOps<memref::StoreOp>()))
      for (Operation *op = store->getNextNode(); op;) {
        Operation *next = op->getNextNode();
        auto load = dyn_cast<memref::LoadOp>(op);
        if (load && load.getMemRef() == store.getMemRef() &&
            llvm::all_of_zip(load.getIndices(), store.getIndices(), isSame)) {
          load.replaceAllUsesWith(store.getValueToStore());
          load.erase();
        } else if (auto other = dyn_cast<memref::StoreOp>(op)) {
          if (!isOther(store, other) && mayAlias(store.getMemRef(), other.getMemRef(), general))
            break;
        } else if (!load && !isMemoryEffectFree(op)) {
          break;
        }
        op = next;
      }
  }
};

} // namespace
} // namespace npcc

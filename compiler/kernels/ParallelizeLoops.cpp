// Explicit element loops without dependences between iterations become kernels.
//
//   scf.for %i = %c0 to %n step %c1 {                      np.kernel (%i) = (%n) {
//     %x = memref.load %a[%i]                       ->       %x = memref.load %a[%i]
//     memref.store %x, %b[%i] }                              memref.store %x, %b[%i] }
//
// A loop qualifies when it carries nothing, touches memory only by loads and stores, and any two accesses to what may
// be one buffer, one of them a store, have an index in common that moves with the induction variable, from a place that
// all iterations share: different iterations then touch different elements. (a[lo + i, k - i] = ... goes along a
// diagonal.) A perfect nest of such loops becomes one kernel of several axes.
//
// Updates at positions that memory gives (count[bin[i]] += 1) may meet: where their order does not show, they are one
// access each (Updates.h). So may stores of one and the same value (seen[bin[i]] = 1), except where host and kernels
// share their memory, whose threads may not.
//
// Bounds checks of the induction variables are made before: where all hold, the kernel runs without them; where one
// fails, the loop runs as it is written, so that what Python would have stored before the IndexError is stored.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_PARALLELIZELOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct Access {
  Operation *op;
  Value memory;
  SmallVector<Value> indices;
  bool isStore;
  std::optional<arith::AtomicRMWKind> update; // updates of one kind may meet
  Value same;                                 // what every iteration stores
};

class LoopTest {
public:
  /// A loop in the nest of `outer`, or that one.
  LoopTest(scf::ForOp loop, scf::ForOp outer, bool general)
      : loop(loop), outer(outer), general(general), storesMayMeet(!getTargetProperties(loop).hostSharesMemory) {}

  bool isIndependent() {
    if (loop.getNumResults())
      return stay("an iteration hands something on to the next one");
    if (!collect())
      return stay("an iteration does more than computing, loading and storing elements");
    // Where Python stops at an error, other iterations of a kernel go on: what they store nobody must see.
    if (raises && keepsStores())
      return stay("an error would leave what later iterations have stored");
    return !meets() || (markUpdates() && !meets()) || stay(met);
  }

  /// The updates without which iterations would not be independent.
  SmallVector<Update> updates;
  /// Whether an iteration may raise an error of the program's.
  bool raises = false;
  /// Whether positions are what they seem only where they are checked before the loop.
  bool needsChecks = false;
  /// Whether iterations are independent only because what they store in one place is the same.
  bool storesMeet = false;
  /// Whether an array that is stored into outlives an error.
  bool keepsStores() const {
    return llvm::any_of(accesses,
                        [](const Access &access) { return access.isStore && !access.memory.getDefiningOp<AllocOp>(); });
  }
  /// Whether the arrays that such iterations store into are lost with an error.
  bool losesStores() const {
    return llvm::all_of(accesses, [](const Access &access) {
      return !access.isStore || !access.same || access.memory.getDefiningOp<AllocOp>();
    });
  }

private:
  bool stay(const Twine &reason) {
    // Of loops around kernels other passes decide.
    auto isKernel = [](KernelOp) { return WalkResult::interrupt(); };
    if (wantsRemarks(loop) && !loop.getBody()->walk(isKernel).wasInterrupted())
      remarkLoopStays(loop.getLoc(), reason);
    return false;
  }

  bool meets() {
    met = "it stores nothing";
    for (size_t j = 0; j < accesses.size(); ++j)
      for (size_t k = j; k < accesses.size(); ++k)
        if ((accesses[j].isStore || accesses[k].isStore) && mayMeet(accesses[j], accesses[k])) {
          if (wantsRemarks(loop))
            met = "iterations may meet in one element: of " + lineOf(accesses[j].op->getLoc()) + " and of " +
                  lineOf(accesses[k].op->getLoc());
          return true;
        }
    return llvm::none_of(accesses, [](const Access &access) { return access.isStore; });
  }

  bool markUpdates() {
    updates = findUpdates(loop);
    for (Update &update : updates)
      for (Access &access : accesses)
        if (access.op == update.load || access.op == update.store)
          access.update = update.kind;
    return !updates.empty();
  }

  /// An assertion whose outcome is known before the loop: that what is stored into is writable.
  static bool isKnownBefore(Operation *op, scf::ForOp loop) {
    auto assertion = dyn_cast<AssertOp>(op);
    return assertion && assertion.getArguments().empty() && npcc::isKnownBefore(assertion, loop);
  }

  /// Checks of positions may fail in any iteration of a kernel, and so may those that Python's integers, of which
  /// positions are made, fit into 64 bits.
  static bool isCheckInKernel(Operation *op) {
    auto assertion = dyn_cast<AssertOp>(op);
    return isa<CheckIndexOp>(op) || (assertion && assertion.getError() == "OverflowError");
  }

  bool collect() {
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        accesses.push_back({op, load.getMemRef(), load.getIndices(), false, std::nullopt, Value()});
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        accesses.push_back({op, store.getMemRef(), store.getIndices(), true, std::nullopt, getSame(store)});
      else if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op) &&
               !isMemoryEffectFree(op) && !isCheckInKernel(op) && !isKnownBefore(op, loop)) {
        raises |= isa<AssertOp>(op);
        return isa<AssertOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  /// Whether checks of positions before the loop say that none of those that the index passes changes it: a position
  /// that counts from the end would be another one.
  bool canCheckAll(Value index) {
    llvm::SetVector<Operation *> slice;
    collectSlice(loop, index, slice);
    for (Operation *op : slice) {
      auto check = dyn_cast<CheckIndexOp>(op);
      if (!check)
        continue;
      if (!npcc::isKnownBefore(check, outer))
        return false;
      needsChecks |= !isNeverNegative(getUncheckedForm(check.getPosition(), loop), check, loop);
    }
    return true;
  }

  /// Whether two indices along one axis differ wherever the iterations do: both move with the loop by one number of
  /// elements, and what they have apart from that is the same in all iterations and differs by no multiple of it.
  bool differ(Value x, Value y) {
    LinearForm first = getUncheckedForm(x, loop), rest = getUncheckedForm(y, loop);
    const Term *moving =
        llvm::find_if(first.terms, [&](const Term &term) { return term.leaf == loop.getInductionVar(); });
    if (moving == first.terms.end() || moving->scale || moving->factor == 0)
      return false;
    auto isKnown = [&](const Term &term) {
      return term == *moving ||
             (loop.isDefinedOutsideOfLoop(term.leaf) && (!term.scale || loop.isDefinedOutsideOfLoop(term.scale)));
    };
    int64_t distance = moving->factor;
    if (!llvm::all_of(first.terms, isKnown))
      return false;
    addScaled(rest, first, -1);
    bool isApart = rest.constant == 0 || rest.constant % distance != 0;
    return rest.terms.empty() && isApart && canCheckAll(x) && canCheckAll(y);
  }

  /// What is stored, where that is the same in all iterations and memory gives the position.
  Value getSame(memref::StoreOp store) const {
    bool isSame = storesMayMeet && loop.isDefinedOutsideOfLoop(store.getValueToStore()) &&
                  llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); });
    return isSame ? store.getValueToStore() : Value();
  }

  /// May two different iterations touch one element?
  bool mayMeet(const Access &a, const Access &b) {
    if (!mayAlias(a.memory, b.memory, general))
      return false;
    if (a.memory != b.memory)
      return true;
    if (a.update && a.update == b.update)
      return false;
    if (a.same && a.same == b.same) {
      storesMeet = true;
      return false;
    }
    return llvm::none_of(llvm::zip(a.indices, b.indices),
                         [&](auto indices) { return differ(std::get<0>(indices), std::get<1>(indices)); });
  }

  mutable scf::ForOp loop, outer;
  bool general, storesMayMeet;
  std::string met; // why iterations need each other
  SmallVector<Access> accesses;
};

struct ParallelizeLoops : impl::ParallelizeLoopsBase<ParallelizeLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // its loops are a thread's, whose arrays others change
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<std::pair<scf::ForOp, bool>> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop->getParentOfType<KernelOp>())
        return WalkResult::skip();
      LoopTest test(loop, loop, general);
      if (!test.isIndependent())
        return WalkResult::advance();
      loops.emplace_back(loop, test.needsChecks);
      return WalkResult::skip();
    });
    for (auto [loop, needsChecks] : loops)
      convert(loop, needsChecks, general);
  }

  static void convert(scf::ForOp outer, bool needsChecks, bool general) {
    SmallVector<scf::ForOp> nest{outer};
    for (;;) {
      scf::ForOp last = nest.back();
      auto inner = dyn_cast<scf::ForOp>(last.getBody()->front());
      if (!inner || inner->getNextNode() != last.getBody()->getTerminator() || inner.getNumResults())
        break;
      bool rectangular = llvm::none_of(ValueRange{inner.getLowerBound(), inner.getUpperBound(), inner.getStep()}, [&](Value v) {
        return v == last.getInductionVar() || (v.getDefiningOp() && outer->isProperAncestor(v.getDefiningOp()));
      });
      LoopTest test(inner, outer, general);
      if (!rectangular || !test.isIndependent())
        break;
      nest.push_back(inner);
      needsChecks |= test.needsChecks;
    }
    // What iterations behind an error have stored would show.
    LoopTest whole(outer, outer, general);
    bool keepsStores = whole.isIndependent() && whole.keepsStores();
    makeVersions(outer, nest, needsChecks ? Asked::all : keepsStores ? Asked::exact : Asked::simple);
    LoopTest test(outer, outer, general);
    test.isIndependent();
    // What a failed check leaves in memory shows unless the memory is lost with the error.
    bool isLost = llvm::all_of(test.updates, [](Update &update) { return update.getMemory().getDefiningOp<AllocOp>() != nullptr; });
    isLost &= !test.storesMeet || test.losesStores();
    if (!isLost && !checkPositionsBefore(outer, nest.back()))
      return;
    for (Update &update : test.updates)
      update.makeAtomic();
    OpBuilder builder(outer);
    Location loc = outer.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    SmallVector<Value> extents;
    for (scf::ForOp loop : nest) {
      Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
      Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep());
      if (!count.getType().isIndex())
        count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), count);
      extents.push_back(builder.createOrFold<arith::MaxSIOp>(loc, count, zero));
    }
    for (scf::ForOp loop : nest)
      remarkLoop(loop.getLoc(), "a loop that is a kernel: its iterations do not need each other");
    auto kernel = KernelOp::create(builder, loc, extents);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    for (auto [loop, position] : llvm::zip(nest, kernel.getInductionVars())) {
      Value index = position;
      if (loop.getInductionVar().getType() != index.getType())
        index = arith::IndexCastOp::create(builder, loc, loop.getInductionVar().getType(), index);
      index = builder.createOrFold<arith::MulIOp>(loc, index, loop.getStep());
      index = builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound());
      loop.getInductionVar().replaceAllUsesWith(index);
    }
    Block *body = nest.back().getBody();
    kernel.getBody()->getOperations().splice(kernel.getBody()->getTerminator()->getIterator(), body->getOperations(), body->begin(),
                                             std::prev(body->end()));
    outer.erase();
  }
};
} // namespace
} // namespace npcc

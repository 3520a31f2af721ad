// npcc-carry-elements: an element that one iteration stores and the next one loads goes from one to the other in a
// register.
//
//   scf.for %i = %c1 to %n step %c1 {                          %first = memref.load %y[%c0]   // if one runs
//     %p = arith.subi %i, %c1                                  scf.for %i = %c1 to %n step %c1 iter_args(%u = %first) {
//     %u = memref.load %y[%p]                          ->        %v = ... %u ... %x[%i]
//     %v = ... %u ... %x[%i]                                     memref.store %v, %y[%i]
//     memref.store %v, %y[%i]                                    scf.yield %v
//   }                                                          }
//
// The load comes before the store in the body, both are made in every iteration, and nothing else in the loop may write
// the array. So a recurrence along an array is a loop that carries what it needs, which may be a fold
// (npcc-raise-folds).
//
// An element that every iteration loads and stores again, at a position that does not change (best[i] = max(best[i],
// ...)), is carried too, and stored once, behind the loop. What else the loop touches of the array must be other
// elements. A kernel's own element that some iterations store (total[i] += 1 where a mask is true) is stored by all of
// them for that:
//
//   %u = memref.load %y[%i]                                    %u = memref.load %y[%i]
//   scf.if %c { memref.store f(%u), %y[%i] }           ->      %v = scf.if %c { yield f(%u) } else { yield %u }
//                                                              memref.store %v, %y[%i]
#include "compiler/kernels/LoadReuse.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_CARRYELEMENTS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
class ElementLoop {
public:
  ElementLoop(scf::ForOp loop, bool general, bool onlyTotals) : loop(loop), general(general), onlyTotals(onlyTotals) {}

  /// One load that is replaced; the loop is another one then.
  bool carryOne() {
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!step || *step <= 0)
      return false;
    for (auto store : loop.getBody()->getOps<memref::StoreOp>())
      for (auto load : loop.getBody()->getOps<memref::LoadOp>())
        if (!onlyTotals && load->isBeforeInBlock(store) && load.getMemRef() == store.getMemRef() &&
            loop.isDefinedOutsideOfLoop(load.getMemRef()) &&
            isOneBehind(load.getIndices(), store.getIndices(), *step) && isOnlyWriter(store) &&
            hasPurePosition(load.getIndices())) {
          carry(load, store);
          return true;
        } else if (load->isBeforeInBlock(store) && load.getMemRef() == store.getMemRef() &&
                   loop.isDefinedOutsideOfLoop(load.getMemRef()) && staysAt(load, store) &&
                   hasPurePosition(store.getIndices()) && isAlone(load, store) && hasPurePosition(load.getIndices())) {
          carry(load, store);
          storeBehind(store);
          return true;
        }
    return false;
  }

  scf::ForOp getLoop() { return loop; }

  /// Makes all iterations store what some of them store, where that is the kernel's own element, and loaded before.
  void storeAlways() {
    for (auto branch : llvm::make_early_inc_range(loop.getBody()->getOps<scf::IfOp>())) {
      if (branch.getNumResults() || branch.elseBlock())
        continue;
      SmallVector<std::pair<memref::StoreOp, Value>> stores; // with what the elements are before
      for (auto store : branch.thenBlock()->getOps<memref::StoreOp>())
        if (Value before = isOwnElement(store) && isLastAccess(store) ? findElement(store, branch) : Value())
          stores.push_back({store, before});
      if (!stores.empty())
        storeBehind(branch, stores);
    }
  }

private:
  /// Whether an iteration loads where the one before it has stored.
  bool isOneBehind(ValueRange loaded, ValueRange stored, int64_t step) {
    bool moves = false;
    for (auto [behind, ahead] : llvm::zip_equal(loaded, stored)) {
      LinearForm difference = getLinearForm(ahead, loop);
      std::optional<int64_t> distance = getDistance(getLinearForm(behind, loop), difference);
      const Term *position =
          llvm::find_if(difference.terms, [&](const Term &term) { return term.leaf == loop.getInductionVar(); });
      bool isMoving = position != difference.terms.end();
      // What else the position is made of must stay as it is.
      bool isKnown = llvm::all_of(difference.terms, [&](const Term &term) {
        return term.leaf == loop.getInductionVar() ||
               (loop.isDefinedOutsideOfLoop(term.leaf) && (!term.scale || loop.isDefinedOutsideOfLoop(term.scale)));
      });
      if (!isKnown || !distance || (isMoving && position->scale) ||
          *distance != (isMoving ? position->factor * step : 0))
        return false;
      moves |= isMoving;
    }
    return moves;
  }
  /// Whether every iteration loads and stores one and the same element.
  bool staysAt(memref::LoadOp load, memref::StoreOp store) {
    return llvm::all_of(llvm::zip_equal(load.getIndices(), store.getIndices()), [&](auto pair) {
      LinearForm form = getLinearForm(std::get<1>(pair), loop);
      bool isSame = llvm::all_of(form.terms, [&](const Term &term) {
        return loop.isDefinedOutsideOfLoop(term.leaf) && (!term.scale || loop.isDefinedOutsideOfLoop(term.scale));
      });
      return isSame && getDistance(getLinearForm(std::get<0>(pair), loop), form) == 0;
    });
  }

  /// Whether nothing else in the loop touches the element, and no error would leave what was stored until then.
  bool isAlone(memref::LoadOp load, memref::StoreOp store) {
    scf::ForOp outermost = loop;
    for (Operation *op = loop->getParentOp(); op; op = op->getParentOp())
      if (auto outer = dyn_cast<scf::ForOp>(op))
        outermost = outer;
    auto isElsewhere = [&](ValueRange indices) {
      return llvm::any_of(llvm::zip_equal(indices, store.getIndices()), [&](auto pair) {
        LinearForm distance = getKnownForm(std::get<0>(pair), outermost);
        addScaled(distance, getKnownForm(std::get<1>(pair), outermost), -1);
        std::optional<int64_t> least = getLeast(distance, outermost), most = getMost(distance, outermost);
        return (least && *least > 0) || (most && *most < 0);
      });
    };
    bool isLost = store.getMemRef().getDefiningOp<np::AllocOp>() != nullptr;
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      bool isFine = true;
      if (op == load || op == store)
        return WalkResult::advance();
      if (isa<memref::LoadOp, memref::StoreOp>(op)) {
        Value memory = op->getOperand(isa<memref::LoadOp>(op) ? 0 : 1);
        ValueRange indices = isa<memref::LoadOp>(op) ? ValueRange(cast<memref::LoadOp>(op).getIndices()) : ValueRange(cast<memref::StoreOp>(op).getIndices());
        isFine = !mayAlias(memory, store.getMemRef(), general) || (memory == store.getMemRef() && isElsewhere(indices));
      } else if (isa<np::CheckIndexOp, np::AssertOp>(op)) {
        isFine = isLost;
      } else {
        isFine = isMemoryEffectFree(op) || isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
      }
      return isFine ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  bool isOnlyWriter(memref::StoreOp store) {
    return llvm::none_of(loop.getBody()->without_terminator(),
                         [&](Operation &op) { return &op != store && mayWriteTo(&op, store.getMemRef(), general); });
  }

  /// What computes the position may be computed before the loop.
  bool hasPurePosition(ValueRange indices) {
    slice.clear();
    SmallVector<Value> open(indices);
    while (!open.empty()) {
      Operation *op = open.pop_back_val().getDefiningOp();
      if (!op || !loop->isProperAncestor(op))
        continue;
      if (op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() > 0)
        return false;
      if (slice.insert(op))
        llvm::append_range(open, op->getOperands());
    }
    return true;
  }

  /// Whether no other iteration of the kernel may have the element.
  bool isOwnElement(memref::StoreOp store) {
    auto kernel = loop->getParentOfType<np::KernelOp>();
    return kernel && loop.isDefinedOutsideOfLoop(store.getMemRef()) &&
           llvm::all_of(store.getIndices(), [&](Value index) { return loop.isDefinedOutsideOfLoop(index); }) &&
           llvm::all_of(kernel.getInductionVars(),
                        [&](Value position) { return llvm::is_contained(store.getIndices(), position); });
  }

  bool isLastAccess(memref::StoreOp store) {
    return llvm::none_of(llvm::make_range(std::next(store->getIterator()), store->getBlock()->end()),
                         [&](Operation &op) {
                           return op
                               .walk([&](Operation *inner) {
                                 bool isAccess = isa<memref::LoadOp, memref::StoreOp>(inner) &&
                                                 mayAlias(getAccess(inner).first, store.getMemRef(), general);
                                 return isAccess ? WalkResult::interrupt() : WalkResult::advance();
                               })
                               .wasInterrupted();
                         });
  }

  /// The element that is stored, as the loop has loaded or stored it before a branch.
  Value findElement(memref::StoreOp store, scf::IfOp branch) {
    for (Operation *op = branch->getPrevNode(); op; op = op->getPrevNode()) {
      if (isa<memref::LoadOp, memref::StoreOp>(op))
        if (auto [memory, indices] = getAccess(op); memory == store.getMemRef() && indices == store.getIndices())
          return isa<memref::LoadOp>(op) ? op->getResult(0) : op->getOperand(0);
      if (mayWriteTo(op, store.getMemRef(), general))
        break;
    }
    return {};
  }

  void storeBehind(scf::IfOp branch, ArrayRef<std::pair<memref::StoreOp, Value>> stores) {
    OpBuilder builder(branch);
    Location loc = branch.getLoc();
    SmallVector<Value> made, before;
    for (auto [store, value] : stores) {
      made.push_back(store.getValueToStore());
      before.push_back(value);
    }
    auto choice = scf::IfOp::create(builder, loc, ValueRange(before).getTypes(), branch.getCondition(), true, true);
    choice.getThenRegion().takeBody(branch.getThenRegion());
    choice.thenYield()->setOperands(made);
    choice.elseBlock()->clear();
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointAfter(choice);
    for (auto [pair, value] : llvm::zip_equal(stores, choice.getResults())) {
      auto [store, element] = pair;
      for (auto load : llvm::make_early_inc_range(choice.thenBlock()->getOps<memref::LoadOp>()))
        if (load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices()) {
          load.replaceAllUsesWith(element);
          load.erase();
        }
      memref::StoreOp::create(builder, loc, value, store.getMemRef(), store.getIndices());
      store.erase();
    }
    branch.erase();
  }

  void carry(memref::LoadOp load, memref::StoreOp store) {
    OpBuilder builder(loop);
    Location loc = load.getLoc();
    Value runs =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
    auto first = scf::IfOp::create(builder, loc, load.getType(), runs, /*addThenBlock=*/true, /*addElseBlock=*/true);
    {
      OpBuilder::InsertionGuard guard(builder);
      first.thenBlock()->clear();
      first.elseBlock()->clear();
      builder.setInsertionPointToStart(first.thenBlock());
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), loop.getLowerBound());
      for (Operation &op : *loop.getBody())
        if (slice.contains(&op))
          builder.clone(op, mapping);
      scf::YieldOp::create(builder, loc, builder.clone(*load, mapping)->getResults());
      builder.setInsertionPointToStart(first.elseBlock());
      scf::YieldOp::create(builder, loc, ValueRange(emitZero(builder, loc, load.getType())));
    }
    IRRewriter rewriter(builder);
    auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, first.getResult(0), /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>{store.getValueToStore()}; }));
    loop = carrying;
    load.replaceAllUsesWith(Value(loop.getRegionIterArgs().back()));
    load.erase();
  }

  /// The last value, where an iteration has run. The position is that of any iteration.
  void storeBehind(memref::StoreOp store) {
    hasPurePosition(store.getIndices());
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    Location loc = store.getLoc();
    Value runs =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
    auto last = scf::IfOp::create(builder, loc, runs, /*withElseRegion=*/false);
    builder.setInsertionPoint(last.thenYield());
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), loop.getLowerBound());
    for (Operation &op : *loop.getBody())
      if (slice.contains(&op))
        builder.clone(op, mapping);
    mapping.map(store.getValueToStore(), loop.getResults().back());
    builder.clone(*store, mapping);
    store.erase();
  }

  static Value emitZero(OpBuilder &builder, Location loc, Type type) {
    if (auto complex = dyn_cast<ComplexType>(type)) {
      Attribute zero = builder.getZeroAttr(complex.getElementType());
      return complex::ConstantOp::create(builder, loc, type, builder.getArrayAttr({zero, zero}));
    }
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }

  scf::ForOp loop;
  bool general, onlyTotals;
  llvm::SetVector<Operation *> slice;
};

struct CarryElements : impl::CarryElementsBase<CarryElements> {
  using CarryElementsBase::CarryElementsBase;
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // its loops are a thread's, whose arrays others change
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    if (!onlyTotals) { // loops that have gone into kernels hold those of several
      Aliasing aliasing(general);
      getOperation()->walk([&](np::KernelOp kernel) {
        if (!kernel.getBody()->getOps<scf::ForOp>().empty())
          reuseLoads(*kernel.getBody(), aliasing);
      });
    }
    for (scf::ForOp loop : loops) {
      ElementLoop elements(loop, general, onlyTotals);
      if (!onlyTotals)
        elements.storeAlways();
      for (int count = 0; count < most && elements.carryOne(); ++count)
        ;
    }
  }

  // Registers of one loop.
  static constexpr int most = 8;
};
} // namespace
} // namespace npcc

// npcc-clean-loops: the clean-up of the loop form: canonicalization, common subexpressions and what does not change in
// loops. Before them, numbers that only went through memory are registers again, and what was loaded or stored and has
// not changed since is not loaded again:
//
//   memref.store %v, %a[%i]                       memref.store %v, %a[%i]
//   %w = memref.load %a[%i]                 ->    %y = arith.addf %v, %v
//   %x = memref.load %a[%i]
//   %y = arith.addf %w, %x
//
// A branch gives numbers, where it gave arrays without axes that are only loaded behind it. Positions that are checked
// twice are checked once, and what counts elements over two axes, to divide that number
// again, has the positions along these.
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/LoadReuse.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/SumQuotients.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_CLEANLOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
/// Whether an array is read-only or contiguous is the host's to ask, when there is the array: not in loops, which may
/// become kernels.
void askBefore(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<np::IsReadOnlyOp, np::IsContiguousOp>(op))
      return;
    Value array = op->getOperand(0);
    if (Operation *maker = array.getDefiningOp())
      op->moveAfter(maker);
    else
      op->moveBefore(array.getParentBlock(), array.getParentBlock()->begin());
  });
}

/// A number that is stored once and only loaded again needs no memory.
void forwardScalars(Operation *root) {
  SmallVector<np::AllocOp> numbers;
  root->walk([&](np::AllocOp op) {
    if (cast<MemRefType>(op.getBuffer().getType()).getRank() == 0)
      numbers.push_back(op);
  });
  for (np::AllocOp op : numbers) {
    memref::StoreOp stored;
    SmallVector<Operation *> others;
    bool isPlain = true;
    for (Operation *user : op->getUsers()) {
      if (auto store = dyn_cast<memref::StoreOp>(user); store && !stored && store->getBlock() == op->getBlock())
        stored = store;
      else
        others.push_back(user);
    }
    for (Operation *user : others) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      isPlain &= isa<memref::LoadOp, np::ReleaseOp>(user) && stored && ancestor && stored->isBeforeInBlock(ancestor);
    }
    if (!stored || !isPlain)
      continue;
    for (Operation *user : others) {
      if (isa<memref::LoadOp>(user))
        user->getResult(0).replaceAllUsesWith(stored.getValue());
      user->erase();
    }
    stored->erase();
    op->erase();
  }
}

/// Whether two positions of one array are never the same: along some axis they differ by a constant.
bool areElsewhere(ValueRange first, ValueRange second, Operation *around) {
  return llvm::any_of(llvm::zip_equal(first, second), [&](auto pair) {
    auto [a, b] = pair;
    return getDistance(getLinearForm(a, around), getLinearForm(b, around)).value_or(0) != 0;
  });
}

/// A position that was checked already, where the same code has come by before, is inside.
void dropRepeatedChecks(Block &block, DenseMap<Value, SmallVector<np::CheckIndexOp>> &known) {
  SmallVector<Value> own;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    for (Region &region : op.getRegions())
      for (Block &inside : region)
        dropRepeatedChecks(inside, known);
    auto check = dyn_cast<np::CheckIndexOp>(op);
    if (!check)
      continue;
    auto &before = known[check.getPosition()];
    auto same = llvm::find_if(before, [&](np::CheckIndexOp other) {
      return other.getSize() == check.getSize() && other.getAxis() == check.getAxis();
    });
    if (same != before.end()) {
      check.replaceAllUsesWith((*same).getResult());
      check.erase();
      continue;
    }
    before.push_back(check);
    own.push_back(check.getPosition());
  }
  for (Value position : own)
    known[position].pop_back();
}

/// What the same code stores to the same element again, before anyone can have read it or an error could leave it, need
/// not be stored.
void dropOverwritten(Operation *root, Aliasing &aliasing) {
  SmallVector<memref::StoreOp> dropped;
  root->walk([&](memref::StoreOp last) {
    for (Operation *op = last->getPrevNode(); op; op = op->getPrevNode()) {
      if (auto store = dyn_cast<memref::StoreOp>(op)) {
        if (store.getMemRef() == last.getMemRef() && llvm::equal(store.getIndices(), last.getIndices())) {
          dropped.push_back(store);
          return;
        }
        continue;
      }
      auto load = dyn_cast<memref::LoadOp>(op);
      if (load && load.getMemRef() == last.getMemRef() &&
          areElsewhere(load.getIndices(), last.getIndices(), last->getParentOp()))
        continue;
      if (load ? aliasing.mayAlias(load.getMemRef(), last.getMemRef()) : !isMemoryEffectFree(op))
        return;
    }
  });
  for (memref::StoreOp store : dropped)
    store.erase();
}

/// Arrays that are written and given back, which other passes leave where they kept the elements in registers, are
/// none; and kernels that only made them are none.
void dropUnread(Operation *root) {
  SmallVector<np::AllocOp> unread;
  root->walk([&](np::AllocOp op) {
    if (llvm::all_of(op->getUsers(), [&](Operation *user) {
          auto store = dyn_cast<memref::StoreOp>(user);
          return isa<np::ReleaseOp>(user) || (store && store.getValueToStore() != op.getResult());
        }))
      unread.push_back(op);
  });
  llvm::SetVector<Operation *> kernels;
  for (np::AllocOp op : unread) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      if (auto kernel = user->getParentOfType<np::KernelOp>())
        kernels.insert(kernel);
      user->erase();
    }
    op.erase();
  }
  for (Operation *kernel : kernels) {
    bool doesSomething = kernel
                             ->walk([](Operation *op) {
                               bool isPlain = op->getNumRegions() || isa<memref::LoadOp>(op) ||
                                              op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
                               return isPlain ? WalkResult::advance() : WalkResult::interrupt();
                             })
                             .wasInterrupted();
    if (!doesSomething)
      kernel->erase();
  }
}

/// The greater one of two integers, as Python's max() and conditional expressions choose it, is one operation.
struct IntegerExtremum : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || !op.getType().isIntOrIndex() || op.getType().isInteger(1))
      return failure();
    Value a = compare.getLhs(), b = compare.getRhs();
    bool isPlain = op.getTrueValue() == a && op.getFalseValue() == b;
    if (!isPlain && !(op.getTrueValue() == b && op.getFalseValue() == a))
      return failure();
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    if (predicate == P::eq || predicate == P::ne)
      return failure();
    bool isGreater = llvm::is_contained({P::sgt, P::sge, P::ugt, P::uge}, predicate) == isPlain;
    bool isSigned = llvm::is_contained({P::sgt, P::sge, P::slt, P::sle}, predicate);
    if (isSigned)
      isGreater ? (void)rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, a, b)
                : (void)rewriter.replaceOpWithNewOp<arith::MinSIOp>(op, a, b);
    else
      isGreater ? (void)rewriter.replaceOpWithNewOp<arith::MaxUIOp>(op, a, b)
                : (void)rewriter.replaceOpWithNewOp<arith::MinUIOp>(op, a, b);
    return success();
  }
};

/// What holds needs no check.
struct TrueAssertion : OpRewritePattern<np::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(np::AssertOp op, PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// What each side of a branch makes an array without axes for, and what is only loaded behind it, is a number that the
/// branch gives. As an array that is one of two it would keep the iterations of a loop from being one kernel.
struct NumberOfBranch : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    SmallVector<bool> isNumber =
        llvm::map_to_vector(op.getResults(), [&](OpResult result) { return canGive(op, result); });
    if (!llvm::is_contained(isNumber, true))
      return failure();
    SmallVector<Type> types;
    for (auto [result, number] : llvm::zip_equal(op.getResults(), isNumber))
      types.push_back(number ? cast<MemRefType>(result.getType()).getElementType() : result.getType());
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), types, op.getCondition());
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
      to.takeBody(from);
      Operation *yield = to.front().getTerminator();
      rewriter.setInsertionPoint(yield);
      for (OpOperand &operand : yield->getOpOperands())
        if (isNumber[operand.getOperandNumber()]) {
          Value loaded = memref::LoadOp::create(rewriter, op.getLoc(), operand.get(), ValueRange());
          rewriter.modifyOpInPlace(yield, [&] { operand.set(loaded); });
        }
    }
    for (auto [result, given, number] : llvm::zip_equal(op.getResults(), branch.getResults(), isNumber))
      if (number)
        for (Operation *load : llvm::make_early_inc_range(result.getUsers()))
          rewriter.replaceOp(load, given);
      else
        rewriter.replaceAllUsesWith(result, given);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Whether each side makes the array and leaves it to the branch alone, and whoever runs the branch loads it.
  static bool canGive(scf::IfOp op, OpResult result) {
    auto type = dyn_cast<MemRefType>(result.getType());
    if (!type || type.getRank() != 0 || result.use_empty())
      return false;
    auto isMade = [&](Block *side) {
      Value given = side->getTerminator()->getOperand(result.getResultNumber());
      return given.getDefiningOp<np::AllocOp>() && given.getParentBlock() == side &&
             llvm::count_if(given.getUsers(), [&](Operation *user) { return user == side->getTerminator(); }) == 1;
    };
    auto around = op->getParentOfType<np::KernelOp>();
    return isMade(op.thenBlock()) && isMade(op.elseBlock()) && llvm::all_of(result.getUsers(), [&](Operation *user) {
             return isa<memref::LoadOp>(user) && user->getParentOfType<np::KernelOp>() == around;
           });
  }
};

struct CleanLoops : impl::CleanLoopsBase<CleanLoops> {
  std::shared_ptr<FrozenRewritePatternSet> patterns;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    all.add<IntegerExtremum, NumberOfBranch, TrueAssertion>(context);
    addSumQuotients(all);
    patterns = std::make_shared<FrozenRewritePatternSet>(freezeCanonicalization(std::move(all)));
    return success();
  }

  void runOnOperation() override {
    for (int round = 0; round < 2; ++round) {
      forwardScalars(getOperation());
      askBefore(getOperation());
      getOperation()->walk([](func::FuncOp function) {
        Aliasing aliasing(function->hasAttr("np.general"));
        for (Block &block : function.getBody())
          reuseLoads(block, aliasing);
        for (Block &block : function.getBody()) {
          DenseMap<Value, SmallVector<np::CheckIndexOp>> checks;
          dropRepeatedChecks(block, checks);
        }
        if (function->hasAttr("np.thread")) // others may read what a thread stores
          return;
        dropOverwritten(function, aliasing);
        if (!getTargetProperties(function).tellsUndefined)
          dropUnread(function);
      });
      applySafely(getOperation(), *patterns, getRewriteConfig(getOperation()));
      getOperation()->walk([](LoopLikeOpInterface loop) { hoistInvariants(loop); });
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    }
  }
};
} // namespace
} // namespace npcc

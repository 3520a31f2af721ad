#include "compiler/kernels/KernelMerge.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
using namespace np;

namespace {
// Stores of one kernel: more make it no faster, and its threads need more registers.
constexpr size_t mostStores = 32;

struct Access {
  Value memory;
  SmallVector<LinearForm> positions; // along each axis
  bool isStore;
};

/// A kernel without loops that threads share, and what it touches.
class Member {
public:
  explicit Member(KernelOp kernel) : kernel(kernel) {}

  bool collect() {
    auto add = [&](Value memory, ValueRange indices, bool isStore) {
      accesses.push_back({memory, {}, isStore});
      for (Value index : indices)
        accesses.back().positions.push_back(getLinearForm(index, kernel));
    };
    WalkResult result = kernel.getBody()->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        add(load.getMemRef(), load.getIndices(), false);
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        add(store.getMemRef(), store.getIndices(), true);
      else if (isa<CheckIndexOp, AssertOp>(op))
        hasChecks = true;
      else if (isa<scf::ForOp>(op))
        hasLoops = true;
      else if (!isa<scf::IfOp, scf::YieldOp, EndOp>(op) && (op->getNumRegions() || !isMemoryEffectFree(op)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  bool losesStores() const {
    return llvm::all_of(accesses,
                        [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<AllocOp>(); });
  }

  /// Stores that stay: not those to arrays that only this kernel and the other one use, whose elements are registers of
  /// the kernel that both become.
  size_t countStores(KernelOp other) {
    return llvm::count_if(accesses, [&](const Access &access) {
      auto isInside = [&](Operation *user) { // or in a copy of one of them that is kept aside
        return kernel->isAncestor(user) || other->isAncestor(user) || !user->getParentOfType<func::FuncOp>();
      };
      return access.isStore &&
             !(access.memory.getDefiningOp<AllocOp>() && llvm::all_of(access.memory.getUsers(), isInside));
    });
  }

  KernelOp kernel;
  SmallVector<Access> accesses;
  bool hasChecks = false, hasLoops = false;
};

class Merge {
public:
  Merge(Member &first, Member &second, bool general) : first(first), second(second), general(general) {}

  /// Why the two stay apart; "" if they may be one.
  StringRef findReason() {
    isSameSpace = first.kernel.getExtents() == second.kernel.getExtents();
    if (!isSameSpace && !areShort())
      return "it goes over other extents";
    if (first.countStores(second.kernel) + second.countStores(first.kernel) > mostStores)
      return "a kernel of more than 32 stores would be no faster";
    for (const Access &a : first.accesses)
      for (const Access &b : second.accesses)
        if ((a.isStore || b.isStore) && mayAlias(a.memory, b.memory, general) && !(isSameSpace && isOwnElement(a, b)))
          return "its positions need what other positions store there";
    return canPass() ? "" : "what stands between the two comes before it";
  }

  /// Gives the kernel that both are.
  KernelOp apply() {
    for (Operation *op : needed)
      op->moveBefore(first.kernel);
    if (!isSameSpace)
      return applyInParts();
    inlineKernel(second.kernel, SmallVector<Value>(first.kernel.getInductionVars()), first.kernel.getBody(),
                 first.kernel.getBody()->getTerminator()->getIterator());
    return first.kernel;
  }

private:
  /// Whether both go over one axis in a loop in which others go over more.
  bool areShort() {
    Block *block = first.kernel->getBlock();
    bool isBeside = llvm::any_of(block->getOps<KernelOp>(), [](KernelOp other) { return other.getNumLoops() > 1; });
    return isBeside && isa<LoopLikeOpInterface>(block->getParentOp()) && first.kernel.getNumLoops() == 1 &&
           second.kernel.getNumLoops() == 1 && !first.kernel.isUnit() && !second.kernel.isUnit() && !first.hasChecks &&
           !second.hasChecks && !first.hasLoops && !second.hasLoops;
  }

  KernelOp applyInParts() {
    OpBuilder builder(first.kernel);
    Location loc = first.kernel.getLoc();
    Value extents[] = {first.kernel.getExtents()[0], second.kernel.getExtents()[0]};
    Value longer = arith::MaxSIOp::create(builder, loc, extents[0], extents[1]);
    auto both = KernelOp::create(builder, loc, ValueRange{longer});
    builder.setInsertionPoint(both.getBody()->getTerminator());
    Value position = both.getInductionVars()[0];
    KernelOp kernels[] = {first.kernel, second.kernel};
    for (auto [kernel, extent] : llvm::zip_equal(kernels, extents)) {
      Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, position, extent);
      auto part = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
      inlineKernel(kernel, {position}, part.thenBlock(), part.thenBlock()->getTerminator()->getIterator());
    }
    return both;
  }

  /// Whether both are to elements that no other position touches in these accesses: along some axes they are the same
  /// element, and these tell the position. An iteration does the second kernel's accesses behind the first one's.
  bool isOwnElement(const Access &a, const Access &b) {
    if (a.memory != b.memory)
      return false;
    // Where views have other strides, elements with different positions may be one.
    bool mayDiffer = cast<MemRefType>(a.memory.getType()).getLayout().isIdentity();
    llvm::SmallBitVector told(first.kernel.getNumLoops()); // the positions that the element tells
    for (const auto &[one, other] : llvm::zip_equal(a.positions, b.positions)) {
      LinearForm moved = other;
      for (Term &term : moved.terms)
        if (auto found = llvm::find(second.kernel.getInductionVars(), term.leaf);
            found != second.kernel.getInductionVars().end())
          term.leaf = first.kernel.getInductionVars()[found - second.kernel.getInductionVars().begin()];
      addScaled(moved, one, -1);
      bool isSame = moved.terms.empty() && !moved.constant;
      int64_t number = -1, count = 0;
      for (const Term &term : one.terms) {
        auto found = llvm::find(first.kernel.getInductionVars(), term.leaf);
        if (found != first.kernel.getInductionVars().end() && !term.scale) {
          number = found - first.kernel.getInductionVars().begin();
          ++count;
        } else {
          isSame &= isInvariant(term.leaf, first.kernel);
        }
      }
      if (!isSame && !mayDiffer)
        return false;
      if (isSame && count == 1)
        told.set(number);
    }
    return first.kernel.isUnit() || told.all();
  }

  /// Whether the second kernel may run before what stands between the two, once what it needs has moved.
  bool canPass() {
    llvm::SmallSetVector<Value, 8> operands;
    second.kernel->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (isInvariant(operand, second.kernel))
          operands.insert(operand);
    });
    for (Operation *op = second.kernel->getPrevNode(); op != first.kernel; op = op->getPrevNode()) {
      bool isNeeded = llvm::any_of(op->getResults(), [&](Value result) { return operands.contains(result); });
      bool isPlain = op->getNumRegions() == 0 && (isPure(op) || isa<AllocOp>(op));
      if (isNeeded && !isPlain)
        return false;
      if (isNeeded) {
        needed.push_back(op);
        operands.insert_range(op->getOperands());
        continue;
      }
      if (isPlain)
        continue;
      // A read of the host's waits for what came before it: it sees the same.
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        bool isWritten = llvm::any_of(second.accesses, [&](const Access &access) {
          return access.isStore && mayAlias(access.memory, load.getMemRef(), general);
        });
        if (isWritten || second.hasChecks)
          return false;
        continue;
      }
      bool isCheck = isa<CheckIndexOp, AssertOp, BroadcastExtentOp>(op);
      if (!isCheck || second.hasChecks || !second.losesStores())
        return false;
    }
    std::reverse(needed.begin(), needed.end());
    return true;
  }

  Member &first, &second;
  bool general, isSameSpace = true;
  SmallVector<Operation *> needed;
};
} // namespace

KernelOp mergeKernels(KernelOp first, KernelOp second, bool general, StringRef &reason) {
  Member one(first), other(second);
  if (!one.collect() || !other.collect()) {
    reason = "one of the two holds loops that threads share";
    return KernelOp();
  }
  Merge merge(one, other, general);
  reason = merge.findReason();
  return reason.empty() ? merge.apply() : KernelOp();
}

} // namespace npcc

#include "compiler/kernels/KernelMember.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
namespace npcc {
using namespace np;

KernelMember::KernelMember(KernelOp kernel)
    : kernel(kernel), space(kernel.getInductionVars()), extents(kernel.getExtents()) {}

bool KernelMember::collectReduction() {
  auto loops = kernel.getBody()->getOps<scf::ParallelOp>();
  if (!llvm::hasSingleElement(loops))
    return false;
  loop = *loops.begin();
  auto areAll = [](ValueRange values, int64_t number) {
    return llvm::all_of(values, [&](Value value) { return getConstantIntValue(value) == number; });
  };
  bool isInvariantSpace = llvm::all_of(loop.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); });
  if (!loop.getNumResults() || !areAll(loop.getLowerBound(), 0) || !areAll(loop.getStep(), 1) || !isInvariantSpace)
    return false;
  if (kernel.isUnit()) {
    space.clear();
    extents.clear();
  }
  llvm::append_range(space, loop.getInductionVars());
  llvm::append_range(extents, loop.getUpperBound());
  return collectAll() && !hasChecks && !hasLoops;
}

bool KernelMember::collectAll() {
  auto add = [&](Operation *op, Value memory, ValueRange indices, bool isStore) {
    accesses.push_back({memory, {}, isStore, loop && !loop->isAncestor(op)});
    for (Value index : indices)
      accesses.back().positions.push_back(getLinearForm(index, kernel));
  };
  WalkResult result = kernel.getBody()->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      add(op, load.getMemRef(), load.getIndices(), false);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      add(op, store.getMemRef(), store.getIndices(), true);
    else if (isa<CheckIndexOp, AssertOp>(op))
      hasChecks = true;
    else if (isa<scf::ForOp>(op))
      hasLoops = true;
    else if (loop && (op == loop || isa<scf::ReduceOp, scf::ReduceReturnOp>(op)))
      return WalkResult::advance();
    else if (!isa<scf::IfOp, scf::YieldOp, EndOp>(op) && (op->getNumRegions() || !isMemoryEffectFree(op)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool KernelMember::losesStores() const {
  return llvm::all_of(accesses,
                      [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<AllocOp>(); });
}

size_t KernelMember::countStores(KernelOp other) const {
  return llvm::count_if(accesses, [&](const Access &access) {
    auto isInside = [&](Operation *user) { // or in a copy of one of them that is kept aside
      KernelOp own = kernel;
      return own->isAncestor(user) || other->isAncestor(user) || !user->getParentOfType<func::FuncOp>();
    };
    return access.isStore &&
           !(access.memory.getDefiningOp<AllocOp>() && llvm::all_of(access.memory.getUsers(), isInside));
  });
}

LinearForm KernelPair::getDifference(const LinearForm &one, const LinearForm &other) const {
  LinearForm difference = other;
  SmallVector<Term, 2> scaledShifts; // the steps that shifts are scaled by
  for (Term &term : difference.terms)
    if (auto found = llvm::find(second.space, term.leaf); found != second.space.end()) {
      size_t number = found - second.space.begin();
      term.leaf = first.space[axes[number]];
      if (shifts.empty() || !shifts[number])
        continue;
      if (!term.scale)
        difference.constant += term.factor * shifts[number];
      else // no element is known to be the same
        scaledShifts.push_back({second.space[number], term.scale, term.factor, term.kind});
    }
  difference.terms.append(scaledShifts);
  addScaled(difference, one, -1);
  return difference;
}

static bool isZero(const LinearForm &form) { return form.terms.empty() && !form.constant; }

bool KernelPair::isSameElement(const KernelMember::Access &a, const KernelMember::Access &b) const {
  return a.memory == b.memory && llvm::all_of(llvm::zip_equal(a.positions, b.positions), [&](auto both) {
           return isZero(getDifference(std::get<0>(both), std::get<1>(both)));
         });
}

bool KernelPair::isOwnElement(const KernelMember::Access &a, const KernelMember::Access &b) const {
  if (a.memory != b.memory)
    return false;
  // Where views have other strides, elements with different positions may be one.
  bool mayDiffer = cast<MemRefType>(a.memory.getType()).getLayout().isIdentity();
  llvm::SmallBitVector told(first.space.size()); // the positions that the element tells
  for (const auto &[one, other] : llvm::zip_equal(a.positions, b.positions)) {
    bool isSame = isZero(getDifference(one, other));
    int64_t number = -1, count = 0;
    for (const Term &term : one.terms) {
      auto found = llvm::find(first.space, term.leaf);
      if (found != first.space.end() && !term.scale) {
        number = found - first.space.begin();
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
  return told.all() || (first.kernel.isUnit() && !first.loop);
}

/// Whether a kernel and an access of something else meet: one of the two stores what the other one touches.
static bool touches(const KernelMember &member, Value memory, bool isStore, bool general) {
  return llvm::any_of(member.accesses, [&](const KernelMember::Access &access) {
    return (isStore || access.isStore) && mayAlias(access.memory, memory, general);
  });
}

/// Whether one of two kernels stores what the other one touches.
static bool mayMeet(const KernelMember &member, KernelOp other, bool general) {
  bool isKnown = true;
  other.getBody()->walk([&](Operation *op) {
    isKnown &= isa<memref::LoadOp, memref::StoreOp>(op) || op->getNumRegions() > 0 || isMemoryEffectFree(op) ||
               op->hasTrait<OpTrait::IsTerminator>();
  });
  if (!isKnown)
    return true;
  return other.getBody()
      ->walk([&](Operation *op) {
        bool meets = false;
        if (auto load = dyn_cast<memref::LoadOp>(op))
          meets = touches(member, load.getMemRef(), false, general);
        else if (auto store = dyn_cast<memref::StoreOp>(op))
          meets = touches(member, store.getMemRef(), true, general);
        return meets ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isPlain(Operation *op) { return op->getNumRegions() == 0 && (isPure(op) || isa<AllocOp>(op)); }

/// Whether a kernel may run on either side of the operation.
static bool isApart(const KernelMember &member, Operation *op, bool general) {
  if (isPlain(op))
    return true;
  if (member.hasChecks)
    return false;
  if (auto kernel = dyn_cast<KernelOp>(op))
    return !mayMeet(member, kernel, general);
  // A read of the host's waits for what came before it: it sees the same.
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !touches(member, load.getMemRef(), false, general);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return !touches(member, store.getMemRef(), true, general);
  if (isa<CheckIndexOp, AssertOp, BroadcastExtentOp>(op))
    return member.losesStores();
  // Products and other calls of libraries say which arrays they read and write.
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions() > 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  return llvm::all_of(found, [&](const MemoryEffects::EffectInstance &effect) {
    return effect.getValue() && isa<MemRefType>(effect.getValue().getType()) &&
           !touches(member, effect.getValue(), !isa<MemoryEffects::Read>(effect.getEffect()), general);
  });
}

bool KernelPair::canPass() {
  llvm::SmallSetVector<Value, 8> operands;
  second.kernel->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isInvariant(operand, second.kernel))
        operands.insert(operand);
  });
  for (Operation *op = second.kernel->getPrevNode(); op != first.kernel; op = op->getPrevNode()) {
    bool isNeeded = llvm::any_of(op->getResults(), [&](Value result) { return operands.contains(result); });
    if (isNeeded ? !isPlain(op) : !isApart(second, op, general))
      return false;
    if (isNeeded) {
      needed.push_back(op);
      operands.insert_range(op->getOperands());
    }
  }
  std::reverse(needed.begin(), needed.end());
  return true;
}

bool KernelPair::canWait() const {
  for (Operation *op = first.kernel->getNextNode(); op != second.kernel; op = op->getNextNode())
    if (!isApart(first, op, general))
      return false;
  return true;
}

void KernelPair::moveNeeded() {
  for (Operation *op : needed)
    op->moveBefore(first.kernel);
}

} // namespace npcc

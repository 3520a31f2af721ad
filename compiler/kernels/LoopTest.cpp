#include "compiler/kernels/LoopTest.h"
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/PositionSums.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;
using namespace npcc::np;

LoopTest::LoopTest(scf::ForOp loop, scf::ForOp outer, bool general)
    : loop(loop), outer(outer), general(general), storesMayMeet(!getTargetProperties(loop).hostSharesMemory) {}

bool LoopTest::isIndependent() {
  if (loop.getNumResults())
    return stay("an iteration hands something on to the next one");
  if (!collect())
    return stay("an iteration does more than computing, loading and storing elements");
  // Where Python stops at an error, other iterations of a kernel go on: what they store nobody must see.
  if (raises && keepsStores())
    return stay("an error would leave what later iterations have stored");
  return !meets() || (markUpdates() && !meets()) || stay(met);
}

bool LoopTest::keepsStores() const {
  return llvm::any_of(accesses,
                      [](const Access &access) { return access.isStore && !access.memory.getDefiningOp<AllocOp>(); });
}
bool LoopTest::losesStores() const {
  return llvm::all_of(accesses, [](const Access &access) {
    return !access.isStore || !access.same || access.memory.getDefiningOp<AllocOp>();
  });
}

bool LoopTest::stay(const Twine &reason) {
  // Of loops around kernels other passes decide.
  auto isKernel = [](KernelOp) { return WalkResult::interrupt(); };
  if (wantsRemarks(loop) && !loop.getBody()->walk(isKernel).wasInterrupted())
    remarkLoopStays(loop.getLoc(), reason);
  return false;
}

bool LoopTest::meets() {
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

bool LoopTest::markUpdates() {
  updates = findUpdates(loop);
  for (Update &update : updates)
    for (Access &access : accesses)
      if (access.op == update.load || access.op == update.store)
        access.update = update.kind;
  return !updates.empty();
}

/// An assertion whose outcome is known before the loop: that what is stored into is writable.
static bool isKnownAssertion(Operation *op, scf::ForOp loop) {
  auto assertion = dyn_cast<AssertOp>(op);
  return assertion && assertion.getArguments().empty() && isKnownBefore(assertion, loop);
}

/// Checks of positions may fail in any iteration of a kernel, and so may those that Python's integers, of which
/// positions are made, fit into 64 bits.
static bool isCheckInKernel(Operation *op) {
  auto assertion = dyn_cast<AssertOp>(op);
  return isa<CheckIndexOp>(op) || (assertion && assertion.getError() == "OverflowError");
}

bool LoopTest::isOwn(AllocOp array) {
  bool isShared = getTargetProperties(outer).hostSharesMemory;
  return llvm::all_of(array->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp>) &&
         llvm::all_of(array.getExtents(), [&](Value extent) {
           return getConstantIntValue(extent) || (!isShared && outer.isDefinedOutsideOfLoop(extent));
         });
}

bool LoopTest::isOwn(KernelOp kernel) {
  bool isOwnMemory = true;
  kernel.getBody()->walk([&](Operation *op) {
    if (!isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(op))
      return;
    Value memory = op->getOperand(isa<memref::LoadOp>(op) ? 0 : 1);
    auto made = memory.getDefiningOp<AllocOp>();
    isOwnMemory &= made && loop->isProperAncestor(made);
  });
  return isOwnMemory && !getTargetProperties(outer).hostSharesMemory && canBeHostLoops(kernel, /*inPython=*/true);
}

bool LoopTest::collect() {
  WalkResult result = loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto array = dyn_cast<AllocOp>(op))
      return isOwn(array) ? WalkResult::advance() : WalkResult::interrupt();
    if (auto kernel = dyn_cast<KernelOp>(op))
      return isOwn(kernel) ? WalkResult::skip() : WalkResult::interrupt();
    if (isa<memref::LoadOp, memref::StoreOp>(op)) {
      Value memory = isa<memref::LoadOp>(op) ? op->getOperand(0) : op->getOperand(1);
      if (auto own = memory.getDefiningOp<AllocOp>(); own && loop->isProperAncestor(own))
        return WalkResult::advance();
    }
    if (auto load = dyn_cast<memref::LoadOp>(op))
      accesses.push_back({op, load.getMemRef(), load.getIndices(), false, std::nullopt, Value()});
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      accesses.push_back({op, store.getMemRef(), store.getIndices(), true, std::nullopt, getSame(store)});
    else if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op) && !isMemoryEffectFree(op) &&
             !isCheckInKernel(op) && !isKnownAssertion(op, loop)) {
      raises |= isa<AssertOp>(op);
      return isa<AssertOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool LoopTest::canCheckAll(Value index) {
  llvm::SetVector<Operation *> slice;
  collectSlice(loop, index, slice);
  for (Operation *op : slice) {
    auto check = dyn_cast<CheckIndexOp>(op);
    if (!check)
      continue;
    if (!isKnownBefore(check, outer))
      return false;
    needsChecks |= !isNeverNegative(getUncheckedForm(check.getPosition(), loop), check, loop);
  }
  return true;
}

bool LoopTest::differ(Value x, Value y) {
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

bool LoopTest::isApart(Value moving, Value fixed) {
  Value place = stripCheck(fixed);
  if (!loop.isDefinedOutsideOfLoop(place))
    return false;
  auto isPositive = [](const std::optional<PositionSum> &sum) {
    return sum && sum->factors.empty() && sum->constant > 0;
  };
  return (isPositive(getLeastDifference(stripCheck(moving), place)) ||
          isPositive(getLeastDifference(place, stripCheck(moving)))) &&
         canCheckAll(moving) && canCheckAll(fixed);
}

Value LoopTest::getSame(memref::StoreOp store) const {
  bool isSame = storesMayMeet && loop.isDefinedOutsideOfLoop(store.getValueToStore()) &&
                llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); });
  return isSame ? store.getValueToStore() : Value();
}

bool LoopTest::mayMeet(const Access &a, const Access &b) {
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
  return llvm::none_of(llvm::zip(a.indices, b.indices), [&](auto indices) {
    auto [x, y] = indices;
    return differ(x, y) || isApart(x, y) || isApart(y, x);
  });
}

/// Of a few integers and numbers: each iteration of a loop inside may do it again.
static bool isLittleWork(Operation &op) {
  return op.getNumRegions() == 0 && !isa<math::MathDialect>(op.getDialect()) && isMemoryEffectFree(&op);
}

// Operations that each element may do again, and iterations that make an axis of their own.
static constexpr int mostBefore = 40, fewestIterations = 5;

scf::ForOp npcc::findOnlyLoop(scf::ForOp loop, scf::ForOp outer, bool general) {
  Operation *terminator = loop.getBody()->getTerminator();
  auto inner = dyn_cast_or_null<scf::ForOp>(terminator->getPrevNode());
  if (!inner)
    return nullptr;
  for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
    if (!outer.isDefinedOutsideOfLoop(bound))
      return nullptr;
  if (&loop.getBody()->front() == inner)
    return inner;
  std::optional<APInt> count = inner.getStaticTripCount();
  if (count && count->ult(fewestIterations))
    return nullptr;
  int before = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == inner)
      continue;
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isRead = load && !outer
                               .walk([&](memref::StoreOp store) {
                                 return mayAlias(store.getMemRef(), load.getMemRef(), general) ? WalkResult::interrupt()
                                                                                               : WalkResult::advance();
                               })
                               .wasInterrupted();
    if (++before > mostBefore || !(isRead || isLittleWork(op)))
      return nullptr;
  }
  return inner;
}

void npcc::sinkInto(scf::ForOp inner) {
  Block *body = inner.getBody();
  auto &before = inner->getBlock()->getOperations();
  body->getOperations().splice(body->begin(), before, before.begin(), inner->getIterator());
}

#include "compiler/kernels/IterationTest.h"
#include "compiler/kernels/AskedChecks.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/Aliasing.h"

using namespace mlir;
using namespace npcc::np;
namespace npcc {

bool IterationTest::isIndependent() {
  if (loop.getNumResults() || !loop.getInductionVar().getType().isIndex() || !collect() || !hasKernel)
    return false;
  for (const Access &a : accesses)
    for (const Access &b : accesses)
      if (a.isStore && mayMeet(a, b)) {
        if (b.isStore || !isAhead(a, b))
          return false;
        early.insert(cast<memref::LoadOp>(b.op));
      }
  return true;
}

bool IterationTest::canMerge() { return isIndependent() && sortChecks(); }

bool IterationTest::sortChecks() {
  bool isLost = losesStores();
  for (Operation *op : checks) {
    auto meet = dyn_cast<BroadcastExtentOp>(op);
    bool canStay = isLost && (!meet || canAssert(meet));
    if (canStay || isKnownBefore(op, loop))
      continue;
    if (!canAskBefore(op, loop))
      return false;
    asked.push_back(op);
  }
  return true;
}

bool IterationTest::losesStores() {
  return llvm::all_of(accesses,
                      [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<AllocOp>(); });
}

bool IterationTest::collect() {
  WalkResult result = loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return add(op, load.getMemRef(), load.getIndices(), false);
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return add(op, store.getMemRef(), store.getIndices(), true);
    if (auto alloc = dyn_cast<AllocOp>(op))
      return addTemporary(alloc);
    if (auto meet = dyn_cast<BroadcastExtentOp>(op); meet && !canAssert(meet) && !canAskBefore(meet, loop))
      return WalkResult::interrupt();
    if (isa<CheckIndexOp, AssertOp, BroadcastExtentOp>(op)) {
      checks.push_back(op);
      return WalkResult::advance();
    }
    hasKernel |= isa<KernelOp>(op);
    bool isControl = isa<KernelOp, EndOp, FoldOp, YieldOp, scf::ForOp, scf::IfOp, scf::YieldOp, scf::ParallelOp,
                         scf::ReduceOp, scf::ReduceReturnOp>(op);
    bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
    return (isControl || isMemoryEffectFree(op)) && !holdsMemory ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

bool IterationTest::canAssert(BroadcastExtentOp meet) {
  return meet.getKind() == BroadcastKind::store && meet.getShapes().size() <= 3 && !meet.getOutputRank();
}

WalkResult IterationTest::add(Operation *op, Value memory, ValueRange indices, bool isStore) {
  if (auto alloc = memory.getDefiningOp<AllocOp>(); alloc && loop->isProperAncestor(alloc))
    return WalkResult::advance(); // the iteration's own
  if (!loop.isDefinedOutsideOfLoop(memory))
    return WalkResult::interrupt();
  SmallVector<LinearForm> positions;
  for (Value index : indices)
    positions.push_back(getForm(index));
  accesses.push_back({op, memory, std::move(positions), isStore});
  return WalkResult::advance();
}

WalkResult IterationTest::addTemporary(AllocOp alloc) {
  bool isPlain = llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp, memref::DimOp>) &&
                 llvm::all_of(alloc.getExtents(), [&](Value extent) {
                   return loop.isDefinedOutsideOfLoop(extent) || emitBound(extent, loop, nullptr, /*most=*/true);
                 });
  temporaries.push_back(alloc);
  return isPlain ? WalkResult::advance() : WalkResult::interrupt();
}

LinearForm IterationTest::getForm(Value index) {
  if (auto check = index.getDefiningOp<CheckIndexOp>()) {
    LinearForm form = getLinearForm(check.getPosition(), loop);
    std::optional<int64_t> first = getLeastStart(loop);
    bool isShifted = form.terms.size() == 1 && form.terms[0] == Term{loop.getInductionVar(), Value(), 1, Term::Number};
    if (isShifted && first && *first + form.constant >= 0)
      return form;
  }
  return getLinearForm(index, loop);
}

static ValueRange getIndices(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getIndices();
  return cast<memref::StoreOp>(access).getIndices();
}

bool IterationTest::mayMeet(const Access &a, const Access &b) {
  if (!mayAlias(a.memory, b.memory, general))
    return false;
  if (a.memory != b.memory)
    return true;
  for (const auto &[first, second] : llvm::zip_equal(a.positions, b.positions)) {
    bool isSame = first.constant == second.constant && first.terms.size() == second.terms.size() &&
                  llvm::all_of(first.terms, [&](const Term &term) { return llvm::is_contained(second.terms, term); });
    // The loop's position, moved and scaled by what is the same for all iterations.
    bool moves = isSame && llvm::all_of(first.terms, [&](const Term &term) {
                   return term.leaf == loop.getInductionVar() ? !term.scale : loop.isDefinedOutsideOfLoop(term.leaf);
                 });
    if (moves && llvm::any_of(first.terms, [&](const Term &term) { return term.leaf == loop.getInductionVar(); }))
      return false;
  }
  // Two that are the same ones in all iterations, as this row and the one before it.
  auto *function = loop->getParentOfType<FunctionOpInterface>().getOperation();
  for (const auto &[first, second] : llvm::zip_equal(getIndices(a.op), getIndices(b.op)))
    if (loop.isDefinedOutsideOfLoop(first) && loop.isDefinedOutsideOfLoop(second) &&
        getDistance(getLinearForm(first, function), getLinearForm(second, function)).value_or(0) != 0)
      return false;
  for (unsigned p = 0; p < a.positions.size(); ++p)
    for (unsigned q = 0; q < a.positions.size(); ++q)
      if (p != q && (areApart(a, b, p, q) || areApart(b, a, p, q)))
        return false;
  return true;
}

bool IterationTest::areApart(const Access &a, const Access &b, unsigned p, unsigned q) {
  LinearForm below = a.positions[p], above = b.positions[p];
  addScaled(below, a.positions[q], -1);
  addScaled(above, b.positions[q], -1);
  std::optional<int64_t> most = getMost(below, loop), least = getLeast(above, loop);
  if (!most || !least || *most > *least)
    return false;
  // On the diagonal that both touch each iteration may have one place, the same for both.
  LinearForm distance = a.positions[p];
  addScaled(distance, b.positions[q], -1);
  auto isPosition = [&](const LinearForm &form) {
    return form.terms.size() == 1 && form.terms[0] == Term{loop.getInductionVar(), Value(), 1, Term::Number};
  };
  return *most < *least || (isPosition(a.positions[p]) && isPosition(b.positions[q]) && distance.constant == *least);
}

bool IterationTest::isAhead(const Access &store, const Access &load) {
  if (store.memory != load.memory)
    return false;
  for (const auto &[stored, loaded] : llvm::zip_equal(store.positions, load.positions)) {
    Term position{loop.getInductionVar(), Value(), 1, Term::Number};
    bool isKnown = llvm::is_contained(stored.terms, position) && llvm::all_of(stored.terms, [&](const Term &term) {
                     return term == position || (!term.scale && loop.isDefinedOutsideOfLoop(term.leaf));
                   });
    // The iteration that stores, less the one that loads: stored and loaded differ by that.
    LinearForm distance = loaded;
    addScaled(distance, stored, -1);
    std::optional<int64_t> least = isKnown ? getLeast(distance, loop) : std::nullopt;
    if (least && *least > 0)
      return true;
  }
  return false;
}

} // namespace npcc

#include "compiler/kernels/Diagonals.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
namespace {

// t = a i + j: neighbours at (i - 1, j + 1) need a = 2.
constexpr int64_t greatestFactor = 3;

LinearForm subtract(LinearForm a, const LinearForm &b) {
  addScaled(a, b, -1);
  return a;
}
bool isZero(const LinearForm &form) { return form.terms.empty() && form.constant == 0; }

} // namespace

bool DiagonalNest::collect() {
  std::optional<int64_t> step = getConstantIntValue(outer.getStep());
  if (outer.getNumResults() || !outer.getInductionVar().getType().isIndex() || step != 1)
    return false;
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && isInner(loop))
      groups.push_back({loop, {}, Value(), 0});
    else if (isPrefix(&op))
      prefix.insert(&op);
    else if (!groups.empty() && !groups.back().loop)
      groups.back().statements.push_back(&op);
    else
      groups.push_back({scf::ForOp(), {&op}, Value(), 0});
  }
  return placeStatements() && collectAccesses();
}

std::optional<int64_t> DiagonalNest::findFactor() {
  for (int64_t factor = 1; factor <= greatestFactor; ++factor) {
    bool keepsOrder = llvm::all_of(accesses, [&](const Access &store) {
      return !store.isStore ||
             llvm::all_of(accesses, [&](const Access &other) { return isOrdered(store, other, factor); });
    });
    if (keepsOrder)
      return factor;
  }
  return std::nullopt;
}

LinearForm DiagonalNest::getDiagonal(const DiagonalGroup &group, int64_t factor) {
  LinearForm form = getPosition(group);
  addScaled(form, getLeafForm(outer.getInductionVar()), factor);
  return form;
}

bool DiagonalNest::losesStores() {
  return llvm::all_of(
      accesses, [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<np::AllocOp>(); });
}

LinearForm DiagonalNest::getLeafForm(Value leaf) { return LinearForm{0, {Term{leaf, Value(), 1, Term::Number}}}; }

bool DiagonalNest::isInner(scf::ForOp loop) {
  bool stores = loop.walk([](memref::StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return stores && !loop.getNumResults() && loop.getInductionVar().getType().isIndex() &&
         getConstantIntValue(loop.getStep()) == 1;
}

bool DiagonalNest::isPrefix(Operation *op) {
  bool isCheck = isa<np::CheckIndexOp>(op) && canCheckBefore(op->getOperand(0), outer) &&
                 outer.isDefinedOutsideOfLoop(op->getOperand(1));
  bool isNumber = isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
                  llvm::none_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
  if (isCheck)
    checks.push_back(op);
  return (isCheck || isNumber) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return outer.isDefinedOutsideOfLoop(operand) || operand == outer.getInductionVar() ||
                  prefix.contains(operand.getDefiningOp());
         });
}

bool DiagonalNest::placeStatements() {
  bool hasLoop = false;
  for (auto [number, group] : llvm::enumerate(groups)) {
    hasLoop |= bool(group.loop);
    if (group.loop)
      continue;
    if (number > 0) {
      group.at = groups[number - 1].loop.getUpperBound();
    } else if (groups.size() > 1) {
      group.at = groups[1].loop.getLowerBound();
      group.shift = -1;
    }
  }
  return hasLoop;
}

bool DiagonalNest::collectAccesses() {
  for (auto [number, group] : llvm::enumerate(groups)) {
    SmallVector<Operation *> roots(group.statements);
    if (group.loop)
      roots.push_back(group.loop);
    for (Operation *root : roots) {
      WalkResult result = root->walk(
          [&](Operation *op) { return add(op, group, number) ? WalkResult::advance() : WalkResult::interrupt(); });
      if (result.wasInterrupted())
        return false;
    }
  }
  return true;
}

bool DiagonalNest::add(Operation *op, const DiagonalGroup &group, size_t number) {
  auto isOwn = [&](Value value) { // of this group
    Operation *owner = value.getDefiningOp() ? value.getDefiningOp() : value.getParentRegion()->getParentOp();
    Operation *top = outer.getBody()->findAncestorOpInBlock(*owner);
    return top && (top == group.loop || llvm::is_contained(group.statements, top));
  };
  for (Value operand : op->getOperands())
    if (!outer.isDefinedOutsideOfLoop(operand) && operand != outer.getInductionVar() &&
        !prefix.contains(operand.getDefiningOp()) && !isOwn(operand))
      return false;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return addAccess(load.getMemRef(), load.getIndices(), false, number);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addAccess(store.getMemRef(), store.getIndices(), true, number);
  if (auto alloc = dyn_cast<np::AllocOp>(op)) {
    temporaries.push_back(alloc);
    return llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp>) &&
           llvm::all_of(alloc.getExtents(), [&](Value extent) { return outer.isDefinedOutsideOfLoop(extent); });
  }
  if (isa<np::CheckIndexOp, np::AssertOp>(op)) {
    checks.push_back(op);
    return true;
  }
  bool isControl = isa<np::KernelOp, np::EndOp, np::FoldOp, np::YieldOp, scf::ForOp, scf::IfOp, scf::YieldOp,
                       scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
  return (isControl || isMemoryEffectFree(op)) && llvm::none_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
}

bool DiagonalNest::addAccess(Value memory, ValueRange indices, bool isStore, size_t group) {
  if (!outer.isDefinedOutsideOfLoop(memory))
    return llvm::is_contained(temporaries, memory.getDefiningOp<np::AllocOp>());
  Access access{memory, {}, isStore, group};
  for (Value index : indices)
    access.positions.push_back(getUncheckedForm(index, outer));
  accesses.push_back(std::move(access));
  return true;
}

LinearForm DiagonalNest::getPosition(const DiagonalGroup &group) {
  if (group.loop)
    return getLeafForm(group.loop.getInductionVar());
  LinearForm form = getUncheckedForm(group.at, outer);
  form.constant += group.shift;
  return form;
}

bool DiagonalNest::isKnown(const LinearForm &form, Value position) {
  return llvm::all_of(form.terms, [&](const Term &term) {
    return term.leaf == position ||
           (outer.isDefinedOutsideOfLoop(term.leaf) && (!term.scale || outer.isDefinedOutsideOfLoop(term.scale)));
  });
}

std::optional<LinearForm> DiagonalNest::solve(const LinearForm &stored, const LinearForm &given, Value position) {
  const Term *found = llvm::find_if(stored.terms, [&](const Term &term) { return term.leaf == position; });
  if (found == stored.terms.end() || found->scale || std::abs(found->factor) != 1 || !isKnown(stored, position))
    return std::nullopt;
  LinearForm result, rest = stored;
  int64_t sign = found->factor;
  addScaled(rest, LinearForm{0, {*found}}, -1);
  addScaled(result, subtract(given, rest), sign);
  return result;
}

std::optional<LinearForm> DiagonalNest::moveTo(const LinearForm &form, const LinearForm &i) {
  if (!isKnown(form, outer.getInductionVar()))
    return std::nullopt;
  LinearForm result = form;
  for (const Term &term : form.terms)
    if (term.leaf == outer.getInductionVar()) {
      if (term.scale)
        return std::nullopt;
      addScaled(result, LinearForm{0, {term}}, -1);
      addScaled(result, i, term.factor);
    }
  return result;
}

bool DiagonalNest::isAtLeast(const LinearForm &form, int64_t bound) {
  std::optional<int64_t> least = getLeast(form, outer);
  return least && *least >= bound;
}

bool DiagonalNest::isAtMost(const LinearForm &form, int64_t bound) {
  std::optional<int64_t> most = getMost(form, outer);
  return most && *most <= bound;
}

bool DiagonalNest::differ(const LinearForm &a, const LinearForm &b) {
  return isAtLeast(subtract(a, b), 1) || isAtMost(subtract(a, b), -1);
}

bool DiagonalNest::isOutside(const DiagonalGroup &group, const LinearForm &i, const LinearForm &j) {
  if (isAtMost(subtract(i, getUncheckedForm(outer.getLowerBound(), outer)), -1) ||
      isAtLeast(subtract(i, getUncheckedForm(outer.getUpperBound(), outer)), 0))
    return true;
  if (!group.loop)
    return false;
  std::optional<LinearForm> from = moveTo(getUncheckedForm(group.loop.getLowerBound(), outer), i);
  std::optional<LinearForm> to = moveTo(getUncheckedForm(group.loop.getUpperBound(), outer), i);
  return (from && isAtMost(subtract(j, *from), -1)) || (to && isAtLeast(subtract(j, *to), 0));
}

bool DiagonalNest::isOrdered(const Access &store, const Access &other, int64_t factor) {
  if (!mayAlias(store.memory, other.memory, general))
    return true;
  if (store.memory != other.memory)
    return false;
  const DiagonalGroup &storing = groups[store.group];
  Value outerPosition = outer.getInductionVar();
  std::optional<LinearForm> i, j; // of the iteration that stores, by positions of the other one
  for (auto [stored, given] : llvm::zip_equal(store.positions, other.positions)) {
    if (isKnown(stored, Value()) && differ(stored, given))
      return true;
    if (std::optional<LinearForm> found = solve(stored, given, outerPosition)) {
      if (i && differ(*i, *found))
        return true;
      i = i ? i : found;
    } else if (storing.loop && (found = solve(stored, given, storing.loop.getInductionVar()))) {
      if (j && differ(*j, *found))
        return true;
      j = j ? j : found;
    }
  }
  if (!storing.loop && i)
    j = moveTo(getPosition(storing), *i);
  if (!j)
    return false;
  LinearForm along = subtract(*j, getPosition(groups[other.group]));
  bool isSameGroup = store.group == other.group, isBefore = store.group < other.group;
  // In one iteration of the outer loop, groups come one after the other.
  auto isOrderedInside = [&] { return isSameGroup || (isBefore ? isAtMost(along, -1) : isAtLeast(along, 1)); };
  if (!i)
    return isAtLeast(along, 1 - factor) && isAtMost(along, factor - 1) && isOrderedInside();
  if (isOutside(storing, *i, *j))
    return true;
  LinearForm across = subtract(*i, getLeafForm(outerPosition)), diagonals = along;
  if (isZero(across))
    return isOrderedInside();
  addScaled(diagonals, across, factor);
  return (isAtMost(across, -1) && isAtMost(diagonals, -1)) || (isAtLeast(across, 1) && isAtLeast(diagonals, 1));
}

} // namespace npcc

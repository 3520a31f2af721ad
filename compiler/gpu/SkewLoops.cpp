// npcc-skew-loops: two loops of the host in each other, where (i, j) needs what was stored before at (i, k < j) and (k
// < i, j), do not have iterations that are independent, but all (i, j) with the same t = a i + j are: they become one
// kernel for each t.
//
//   scf.for %i = %c0 to %n {                                     scf.for %t = %first to %end {
//     scf.for %j = %c0 to %i {                                     np.kernel (%i) = (%n) {
//       np.kernel (%u) = (%c1) {                                     %j = %t - a %i
//         %s = scf.parallel (%k) = (%c0) to (%j) ...       ->        scf.if (0 <= %j < %i) {
//         memref.store ..., %x[%i, %j]                                 %s = scf.parallel (%k) = (%c0) to (%j) ...
//       }                                                              memref.store ..., %x[%i, %j]
//     }                                                              }
//   }                                                              }
//                                                                }
//
// So a factorisation that is written element by element takes as many launches as the matrix has diagonals, and each is
// as wide as one. Several loops in a row, and statements between them, share the diagonals: a statement behind a loop
// counts as the iteration that would follow.
//
// What is stored must tell which iteration stored it: positions along two axes are i and j (or along one of them j,
// while any i may have stored there: a relaxation in place, with steps as the outer loop). Where an access meets such a
// store, both must have the order along t that they have in the program.
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/memory/Aliasing.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SKEWLOOPS
#include "compiler/gpu/Passes.h.inc"
namespace {

// With fewer rows than this, a launch for each diagonal is no better than one block for all of them.
constexpr int64_t fewestRows = 64;
// Elements of what iterations make for themselves, all together.
constexpr int64_t mostElements = int64_t(1) << 26;
// t = a i + j: neighbours at (i - 1, j + 1) need a = 2.
constexpr int64_t greatestFactor = 3;

/// A loop in the outer one, or statements between such loops.
struct Group {
  mutable scf::ForOp loop; // null: statements, of which `at` + `shift` is the position j
  SmallVector<Operation *> statements;
  Value at;
  int64_t shift = 0;
};

struct Access {
  Value memory;
  SmallVector<LinearForm> positions;
  bool isStore;
  size_t group;
};

LinearForm subtract(LinearForm a, const LinearForm &b) {
  addScaled(a, b, -1);
  return a;
}
bool isZero(const LinearForm &form) { return form.terms.empty() && form.constant == 0; }

/// The loops, what their iterations access, and whether diagonals keep the order of all accesses that meet.
class Nest {
public:
  Nest(scf::ForOp outer, bool general) : outer(outer), general(general) {}

  bool collect() {
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

  /// The least factor a, or nothing if there is none.
  std::optional<int64_t> findFactor() {
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

  /// a i + j of a group's iterations.
  LinearForm getDiagonal(const Group &group, int64_t factor) {
    LinearForm form = getPosition(group);
    addScaled(form, getLeafForm(outer.getInductionVar()), factor);
    return form;
  }

  /// Whether nobody sees what was stored when an error ends the function.
  bool losesStores() {
    return llvm::all_of(
        accesses, [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<np::AllocOp>(); });
  }

  llvm::SetVector<Operation *> prefix; // numbers that follow from i
  SmallVector<Group> groups;
  SmallVector<np::AllocOp> temporaries;
  SmallVector<Operation *> checks;

private:
  static LinearForm getLeafForm(Value leaf) { return LinearForm{0, {Term{leaf, Value(), 1, Term::Number}}}; }

  bool isInner(scf::ForOp loop) {
    bool stores = loop.walk([](memref::StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
    return stores && !loop.getNumResults() && loop.getInductionVar().getType().isIndex() &&
           getConstantIntValue(loop.getStep()) == 1;
  }

  bool isPrefix(Operation *op) {
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

  /// Statements are the iteration behind the loop before them, or the one ahead of the loop after them.
  bool placeStatements() {
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

  bool collectAccesses() {
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

  bool add(Operation *op, const Group &group, size_t number) {
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
      return llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp, np::ReleaseOp>) &&
             llvm::all_of(alloc.getExtents(), [&](Value extent) { return outer.isDefinedOutsideOfLoop(extent); });
    }
    if (auto release = dyn_cast<np::ReleaseOp>(op))
      return llvm::is_contained(temporaries, release.getBuffer().getDefiningOp<np::AllocOp>());
    if (isa<np::CheckIndexOp, np::AssertOp>(op)) {
      checks.push_back(op);
      return true;
    }
    bool isControl = isa<np::KernelOp, np::EndOp, np::FoldOp, np::YieldOp, scf::ForOp, scf::IfOp, scf::YieldOp,
                         scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
    return (isControl || isMemoryEffectFree(op)) && llvm::none_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
  }

  bool addAccess(Value memory, ValueRange indices, bool isStore, size_t group) {
    if (!outer.isDefinedOutsideOfLoop(memory))
      return llvm::is_contained(temporaries, memory.getDefiningOp<np::AllocOp>());
    Access access{memory, {}, isStore, group};
    for (Value index : indices)
      access.positions.push_back(getUncheckedForm(index, outer));
    accesses.push_back(std::move(access));
    return true;
  }

  LinearForm getPosition(const Group &group) {
    if (group.loop)
      return getLeafForm(group.loop.getInductionVar());
    LinearForm form = getUncheckedForm(group.at, outer);
    form.constant += group.shift;
    return form;
  }

  bool isKnown(const LinearForm &form, Value position) {
    return llvm::all_of(form.terms, [&](const Term &term) {
      return term.leaf == position ||
             (outer.isDefinedOutsideOfLoop(term.leaf) && (!term.scale || outer.isDefinedOutsideOfLoop(term.scale)));
    });
  }

  /// What `position` was where `stored`, which it is alone in, is equal to `given`.
  std::optional<LinearForm> solve(const LinearForm &stored, const LinearForm &given, Value position) {
    const Term *found = llvm::find_if(stored.terms, [&](const Term &term) { return term.leaf == position; });
    if (found == stored.terms.end() || found->scale || std::abs(found->factor) != 1 || !isKnown(stored, position))
      return std::nullopt;
    LinearForm result, rest = stored;
    int64_t sign = found->factor;
    addScaled(rest, LinearForm{0, {*found}}, -1);
    addScaled(result, subtract(given, rest), sign);
    return result;
  }

  /// A sum that depends on i, at another i.
  std::optional<LinearForm> moveTo(const LinearForm &form, const LinearForm &i) {
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

  bool isAtLeast(const LinearForm &form, int64_t bound) {
    std::optional<int64_t> least = getLeast(form, outer);
    return least && *least >= bound;
  }
  bool isAtMost(const LinearForm &form, int64_t bound) {
    std::optional<int64_t> most = getMost(form, outer);
    return most && *most <= bound;
  }
  bool differ(const LinearForm &a, const LinearForm &b) {
    return isAtLeast(subtract(a, b), 1) || isAtMost(subtract(a, b), -1);
  }

  /// Whether the group has no iteration (i, j).
  bool isOutside(const Group &group, const LinearForm &i, const LinearForm &j) {
    if (isAtMost(subtract(i, getUncheckedForm(outer.getLowerBound(), outer)), -1) ||
        isAtLeast(subtract(i, getUncheckedForm(outer.getUpperBound(), outer)), 0))
      return true;
    if (!group.loop)
      return false;
    std::optional<LinearForm> from = moveTo(getUncheckedForm(group.loop.getLowerBound(), outer), i);
    std::optional<LinearForm> to = moveTo(getUncheckedForm(group.loop.getUpperBound(), outer), i);
    return (from && isAtMost(subtract(j, *from), -1)) || (to && isAtLeast(subtract(j, *to), 0));
  }

  /// Whether `other`, in its iteration, meets what `store` has stored or will store only if diagonals have these two
  /// iterations in the program's order.
  bool isOrdered(const Access &store, const Access &other, int64_t factor) {
    if (!mayAlias(store.memory, other.memory, general))
      return true;
    if (store.memory != other.memory)
      return false;
    const Group &storing = groups[store.group];
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

  scf::ForOp outer;
  bool general;
  SmallVector<Access> accesses;
};

class Skewer {
public:
  Skewer(scf::ForOp outer, bool general) : outer(outer), general(general), builder(outer), loc(outer.getLoc()) {}

  bool skew() {
    Nest nest(outer, general);
    std::optional<int64_t> factor = nest.collect() ? nest.findFactor() : std::nullopt;
    if (!factor || !llvm::all_of(nest.groups, [&](const Group &group) {
          LinearForm diagonal = nest.getDiagonal(group, *factor);
          return emitBound(diagonal, outer, nullptr, false) && emitBound(diagonal, outer, nullptr, true);
        }))
      return false;
    // Each check at its own place would do where the arrays that are stored are lost with the error.
    bool areBefore = llvm::all_of(nest.checks, [&](Operation *op) {
      if (auto assertion = dyn_cast<np::AssertOp>(op))
        return outer.isDefinedOutsideOfLoop(assertion.getCondition());
      auto check = cast<np::CheckIndexOp>(op);
      return outer.isDefinedOutsideOfLoop(check.getSize()) && canCheckBefore(check.getPosition(), outer);
    });
    if (!areBefore && !nest.losesStores())
      return false;
    makeVersions(outer, {outer}, /*everywhere=*/true, emitIsWorthwhile(nest.temporaries));
    Nest checked(outer, general);
    checked.collect();
    emit(checked, *factor);
    return true;
  }

private:
  IndexMath math() { return {builder, loc}; }

  Value emitRows() {
    IndexMath m = math();
    return m.max(m.sub(outer.getUpperBound(), outer.getLowerBound()), m.constant(0));
  }

  Value emitIsWorthwhile(ArrayRef<np::AllocOp> temporaries) {
    IndexMath m = math();
    Value rows = emitRows();
    Value result = m.compare(arith::CmpIPredicate::sge, rows, m.constant(fewestRows));
    for (np::AllocOp alloc : temporaries) {
      Value elements = rows;
      for (Value extent : alloc.getExtents())
        elements = m.mul(elements, extent);
      result = m.both(result, m.compare(arith::CmpIPredicate::sle, elements, m.constant(mostElements)));
    }
    return result;
  }

  void emit(Nest &nest, int64_t factor) {
    builder.setInsertionPoint(outer);
    IndexMath m = math();
    Value rows = emitRows(), first, last;
    for (const Group &group : nest.groups) {
      LinearForm diagonal = nest.getDiagonal(group, factor);
      Value least = *emitBound(diagonal, outer, &builder, false), most = *emitBound(diagonal, outer, &builder, true);
      first = first ? m.min(first, least) : least;
      last = last ? m.max(last, most) : most;
    }
    SmallVector<Value> shared;
    for (np::AllocOp alloc : nest.temporaries) {
      auto type = cast<MemRefType>(alloc.getBuffer().getType());
      SmallVector<int64_t> shape{ShapedType::kDynamic};
      llvm::append_range(shape, type.getShape());
      SmallVector<Value> extents{rows};
      llvm::append_range(extents, alloc.getExtents());
      shared.push_back(np::AllocOp::create(builder, loc, MemRefType::get(shape, type.getElementType()), extents));
    }
    auto diagonals = scf::ForOp::create(builder, loc, first, m.add(last, 1), m.constant(1));
    for (Value buffer : shared)
      np::ReleaseOp::create(builder, loc, buffer);
    builder.setInsertionPoint(diagonals.getBody()->getTerminator());
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{rows});
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    Value row = kernel.getInductionVars()[0], i = m.add(row, outer.getLowerBound());
    IRMapping mapping;
    mapping.map(outer.getInductionVar(), i);
    for (Operation *op : nest.prefix)
      builder.clone(*op, mapping);
    Value j = m.sub(diagonals.getInductionVar(), m.mul(i, factor));
    for (const Group &group : nest.groups)
      emitGroup(group, j, mapping);
    finish(kernel, row, nest.temporaries, shared, mapping);
    outer.erase();
  }

  void emitGroup(const Group &group, Value j, IRMapping &mapping) {
    IndexMath m = math();
    Value isHere;
    if (group.loop)
      isHere = m.both(m.compare(arith::CmpIPredicate::sge, j, mapping.lookupOrDefault(group.loop.getLowerBound())),
                      m.compare(arith::CmpIPredicate::slt, j, mapping.lookupOrDefault(group.loop.getUpperBound())));
    else
      isHere = m.compare(arith::CmpIPredicate::eq, j, m.add(mapping.lookupOrDefault(group.at), group.shift));
    auto here = scf::IfOp::create(builder, loc, isHere, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(here.thenYield());
    if (group.loop) {
      mapping.map(group.loop.getInductionVar(), j);
      for (Operation &op : group.loop.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    for (Operation *op : group.statements)
      builder.clone(*op, mapping);
  }

  /// What stands in one kernel only: no kernels, and no arrays that are made there.
  void finish(np::KernelOp kernel, Value row, ArrayRef<np::AllocOp> temporaries, ArrayRef<Value> shared,
              IRMapping &mapping) {
    for (auto [made, buffer] : llvm::zip_equal(temporaries, shared)) {
      np::AllocOp alloc = made;
      Value copy = mapping.lookup(alloc.getBuffer());
      for (Operation *user : llvm::make_early_inc_range(copy.getUsers())) {
        OpBuilder at(user);
        SmallVector<Value> indices{row};
        if (auto load = dyn_cast<memref::LoadOp>(user)) {
          llvm::append_range(indices, load.getIndices());
          load.replaceAllUsesWith(memref::LoadOp::create(at, load.getLoc(), buffer, indices).getResult());
        } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
          llvm::append_range(indices, store.getIndices());
          memref::StoreOp::create(at, store.getLoc(), store.getValueToStore(), buffer, indices);
        }
        user->erase();
      }
      copy.getDefiningOp()->erase();
    }
    SmallVector<np::KernelOp> own;
    kernel.getBody()->walk([&](np::KernelOp inner) { own.push_back(inner); });
    for (np::KernelOp inner : own)
      makeInnerLoop(inner);
    // The threads of a block share the loops inside; without any, a thread has an iteration.
    if (kernel.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted())
      kernel.setKind(np::KernelKind::steps);
  }

  scf::ForOp outer;
  bool general;
  OpBuilder builder;
  Location loc;
};

struct SkewLoops : impl::SkewLoopsBase<SkewLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
      return WalkResult::advance();
    });
    llvm::SmallDenseSet<Operation *> done;
    for (scf::ForOp loop : loops) {
      if (done.contains(loop))
        continue;
      SmallVector<Operation *> inside;
      loop.walk([&](scf::ForOp each) { inside.push_back(each); });
      moveLoopInvariantCode(loop); // extents, of which checks are known then
      if (Skewer(loop, general).skew())
        done.insert(inside.begin(), inside.end());
    }
  }
};

} // namespace
} // namespace npcc

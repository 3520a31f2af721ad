#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/PositionBounds.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

namespace {
/// A check that a position of the loop, moved by a constant, is inside.
struct Check {
  np::CheckIndexOp op;
  scf::ForOp loop; // null: of loops inside, or of none
  int64_t shift;
  bool wraps = false; // whether the position may count from the end
};
} // namespace

/// A position that is no more than the induction variable and a constant, and does not count from the end.
static std::optional<int64_t> getShift(Value position, scf::ForOp loop) {
  while (auto cast = position.getDefiningOp<arith::IndexCastOp>())
    position = cast.getIn();
  LinearForm form = getLinearForm(position, loop);
  std::optional<int64_t> first = getLeastStart(loop);
  bool isMoved = form.terms.size() == 1 && form.terms[0] == Term{loop.getInductionVar(), Value(), 1, Term::Number};
  if (!isMoved || !first || *first + form.constant < 0)
    return std::nullopt;
  return form.constant;
}

bool canCheckBefore(Value position, scf::ForOp outer) {
  return emitBound(position, outer, nullptr, /*most=*/false) && emitBound(position, outer, nullptr, /*most=*/true);
}

bool isKnownBefore(Operation *op, scf::ForOp outer) {
  if (auto assertion = dyn_cast<np::AssertOp>(op))
    return outer.isDefinedOutsideOfLoop(assertion.getCondition());
  auto check = dyn_cast<np::CheckIndexOp>(op);
  return check && outer.isDefinedOutsideOfLoop(check.getSize()) && canCheckBefore(check.getPosition(), outer);
}

/// Whether each iteration of the loops around makes the check.
static bool isInLoopsAlone(np::CheckIndexOp check, scf::ForOp outer) {
  Operation *around = check->getParentOp();
  while (around != outer && isa<scf::ForOp>(around))
    around = around->getParentOp();
  return around == outer;
}

namespace {
/// Whether values are computed in the same way of the same ones, by operations with or without regions.
class Computation {
public:
  bool isSame(Value a, Value b) {
    if (a == b || alike.lookup(a) == b)
      return true;
    auto one = dyn_cast<OpResult>(a), other = dyn_cast<OpResult>(b);
    return one && other && one.getResultNumber() == other.getResultNumber() &&
           OperationEquivalence::isEquivalentTo(
               one.getOwner(), other.getOwner(), [&](Value left, Value right) { return success(isSame(left, right)); },
               [&](Value left, Value right) { alike[left] = right; }, OperationEquivalence::IgnoreLocations);
  }

private:
  DenseMap<Value, Value> alike; // arguments of blocks, and what is computed in them
};
} // namespace

/// Whether what stands from `first` to before `end`, in one block, leaves memory as it is.
static bool leavesMemory(Block::iterator first, Block::iterator end) {
  return llvm::all_of(llvm::make_range(first, end), [](Operation &op) {
    auto effects = getEffectsRecursively(&op);
    return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<MemoryEffects::Read, MemoryEffects::Allocate>(effect.getEffect());
           });
  });
}

/// Whether `place` stands in the branch that is taken where `condition` does not hold, and memory is since then as it
/// was, of which the condition may have asked elements.
static bool isKnownToFail(Value condition, Operation *place) {
  Operation *branch = place->getParentOp();
  Value asked;
  Block *other = nullptr;
  if (auto versions = dyn_cast<np::AlternativesOp>(branch)) {
    asked = versions.getCondition();
    other = versions.getGeneralBlock();
  } else if (auto either = dyn_cast<scf::IfOp>(branch); either && !either.getElseRegion().empty()) {
    asked = either.getCondition();
    other = either.elseBlock();
  }
  Operation *source = asked ? asked.getDefiningOp() : nullptr;
  return source && other == place->getBlock() && source->getBlock() == branch->getBlock() &&
         Computation().isSame(asked, condition) && leavesMemory(source->getIterator(), branch->getIterator()) &&
         leavesMemory(other->begin(), place->getIterator());
}

FailureOr<scf::ForOp> makeVersions(scf::ForOp outer, ArrayRef<scf::ForOp> nest, Asked asked, Value also) {
  SmallVector<Check> checks;
  SmallVector<np::AssertOp> assertions;
  outer.walk([&](Operation *op) {
    if (auto assertion = dyn_cast<np::AssertOp>(op);
        assertion && outer.isDefinedOutsideOfLoop(assertion.getCondition()))
      assertions.push_back(assertion);
    auto check = dyn_cast<np::CheckIndexOp>(op);
    if (!check || !outer.isDefinedOutsideOfLoop(check.getSize()))
      return;
    for (scf::ForOp loop : nest)
      if (std::optional<int64_t> shift = getShift(check.getPosition(), loop)) {
        checks.push_back({check, loop, *shift});
        return;
      }
    bool isExact = isInLoopsAlone(check, outer) && !isPositionGivenByMemory(outer, check.getPosition());
    if ((asked == Asked::all || (asked == Asked::exact && isExact)) && canCheckBefore(check.getPosition(), outer))
      checks.push_back({check, scf::ForOp(), 0});
  });
  if (checks.empty() && assertions.empty() && !also)
    return scf::ForOp();
  OpBuilder builder(outer);
  Location loc = outer.getLoc();
  Value allHold = also;
  auto require = [&](Value holds) {
    allHold = allHold ? arith::AndIOp::create(builder, loc, allHold, holds).getResult() : holds;
  };
  for (Check &check : checks) {
    LinearForm position = getUncheckedForm(check.op.getPosition(), outer),
               room = getUncheckedForm(check.op.getSize(), outer);
    room.constant -= 1;
    addScaled(room, position, -1);
    bool isAbove = isNeverNegative(position, check.op, outer), isBelow = isNeverNegative(room, check.op, outer);
    if (isAbove && isBelow)
      continue;
    if (!check.loop) {
      IndexMath m{builder, loc};
      Value least = *emitBound(check.op.getPosition(), outer, &builder, /*most=*/false);
      Value most = *emitBound(check.op.getPosition(), outer, &builder, /*most=*/true);
      check.wraps = !isAbove && asked == Asked::exact;
      if (!isAbove)
        require(m.compare(arith::CmpIPredicate::sge, least,
                          check.wraps ? m.sub(m.constant(0), check.op.getSize()) : m.constant(0)));
      if (!isBelow)
        require(m.compare(arith::CmpIPredicate::slt, most, check.op.getSize()));
      continue;
    }
    Value bound = check.loop.getUpperBound();
    if (!bound.getType().isIndex())
      bound = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), bound);
    if (check.shift)
      bound = arith::AddIOp::create(builder, loc, bound, arith::ConstantIndexOp::create(builder, loc, check.shift));
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, bound, check.op.getSize()));
  }
  for (np::AssertOp assertion : assertions)
    require(assertion.getCondition());
  if (!allHold) // nothing can fail
    allHold = arith::ConstantIntOp::create(builder, loc, 1, 1);
  if (isKnownToFail(allHold, outer))
    return failure();
  auto versions = np::AlternativesOp::create(builder, loc, outer.getResultTypes(), "loop without checks", allHold);
  outer.replaceAllUsesWith(versions.getResults());
  auto asWritten = cast<scf::ForOp>(builder.clone(*outer));
  versions.setOffered(outer);
  versions.setGeneral(asWritten);
  for (Check &check : checks) {
    Value position = check.op.getPosition();
    if (check.wraps) {
      builder.setInsertionPoint(check.op);
      position = IndexMath{builder, check.op.getLoc()}.fromStart(position, check.op.getSize());
    }
    check.op.replaceAllUsesWith(position);
    check.op.erase();
  }
  for (np::AssertOp assertion : assertions)
    assertion.erase();
  return asWritten;
}

} // namespace npcc

#include "compiler/kernels/AskedChecks.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npcc::np;
namespace npcc {

using Slice = llvm::SetVector<Operation *>;
static bool collectSlice(Value value, scf::ForOp loop, Slice &slice);

/// Whether an operation stands in the loop's body, or in branches there. What is arithmetic can be computed whether a
/// branch is taken or not.
static bool isInBranches(Operation *op, scf::ForOp loop) {
  Operation *around = op->getParentOp();
  while (isa_and_present<scf::IfOp>(around))
    around = around->getParentOp();
  return around == loop;
}

/// Whether this reads an element of an array that the loop leaves as it is, at a position that is known to be inside:
/// iterations behind the one that fails are asked as well, and would read beyond the array. So would a branch that is
/// not taken.
static bool isGiven(Operation *op, scf::ForOp loop) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || load->getBlock() != loop.getBody() || !loop.isDefinedOutsideOfLoop(load.getMemRef()) ||
      mayWriteTo(loop, load.getMemRef(), loop->getParentOfType<func::FuncOp>()->hasAttr("np.general")))
    return false;
  Slice slice;
  return llvm::all_of(load.getIndices(), [&](Value index) { return collectSlice(index, loop, slice); }) &&
         llvm::none_of(slice, llvm::IsaPred<CheckIndexOp>);
}

/// Adds what computes `value` in the loop's body; false where that is more than arithmetic and elements that are given.
static bool collectSlice(Value value, scf::ForOp loop, Slice &slice) {
  Operation *op = value.getDefiningOp();
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar() || (op && slice.contains(op)))
    return true;
  bool isNumber = op && isInBranches(op, loop) && op->getNumRegions() == 0 && value.getType().isIntOrIndex() &&
                  (isMemoryEffectFree(op) || isa<CheckIndexOp, BroadcastExtentOp>(op) || isGiven(op, loop));
  if (!isNumber)
    return false;
  slice.insert(op);
  // What a check is about is computed, its message is not.
  ValueRange operands = op->getOperands();
  if (isa<BroadcastExtentOp>(op))
    operands = operands.take_front(2);
  return llvm::all_of(operands, [&](Value operand) { return collectSlice(operand, loop, slice); });
}

static bool collectSlice(Operation *check, scf::ForOp loop, Slice &slice) {
  ValueRange asked = check->getOperands();
  if (isa<AssertOp>(check))
    asked = asked.take_front(1);
  else if (isa<BroadcastExtentOp>(check))
    asked = asked.take_front(2);
  return llvm::all_of(asked, [&](Value value) { return collectSlice(value, loop, slice); });
}

/// Adds what computes the conditions of the branches around a check, where these are such numbers, too. Under others it
/// is asked as if it were made in each iteration.
static void collectConditions(Operation *check, scf::ForOp loop, Slice &slice) {
  while (auto branch = dyn_cast<scf::IfOp>(check->getParentOp())) {
    Slice more = slice;
    if (collectSlice(branch.getCondition(), loop, more))
      slice = std::move(more);
    check = branch;
  }
}

bool canAskBefore(Operation *check, scf::ForOp loop) {
  Slice slice;
  if (!isInBranches(check, loop) || loop.getNumResults() || !collectSlice(check, loop, slice))
    return false;
  // Positions that memory gives are checked by the kernels that go to them (npcc-group-updates).
  return !isa<CheckIndexOp>(check) || llvm::none_of(slice, [](Operation *op) { return isa<memref::LoadOp>(op); });
}

namespace {
/// The copy of a loop that holds its checks alone.
class Inquiry {
public:
  Inquiry(OpBuilder &builder, scf::ForOp loop, Value soFar) : holds(soFar), builder(builder), loop(loop) {}

  IRMapping map;
  Value holds;

  void add(Operation &op, bool isAsked) {
    if (isa<CheckIndexOp, BroadcastExtentOp, AssertOp>(op))
      return addCheck(&op, isAsked);
    Operation *copy = builder.clone(op, map);
    // What an iteration that has failed divides by may be zero.
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
            arith::FloorDivSIOp>(op)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(copy);
      Value divisor = copy->getOperand(1);
      Value one = arith::ConstantOp::create(builder, op.getLoc(), builder.getIntegerAttr(divisor.getType(), 1));
      copy->setOperand(1, arith::SelectOp::create(builder, op.getLoc(), holds, divisor, one));
    }
  }

private:
  void addCheck(Operation *op, bool isAsked) {
    IndexMath m{builder, op->getLoc()};
    auto require = [&](Value condition) {
      if (isAsked)
        holds = m.both(holds, orLeftOut(condition, op));
    };
    if (auto assertion = dyn_cast<AssertOp>(op))
      return require(map.lookupOrDefault(assertion.getCondition()));
    if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
      Value lhs = map.lookupOrDefault(meet.getLhs());
      require(m.compare(arith::CmpIPredicate::eq, lhs, map.lookupOrDefault(meet.getRhs())));
      return map.map(meet.getResult(), lhs);
    }
    auto check = cast<CheckIndexOp>(op);
    Value position = map.lookupOrDefault(check.getPosition()), size = map.lookupOrDefault(check.getSize());
    Value fromStart = m.fromStart(position, size);
    require(arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::ult, fromStart, size));
    map.map(check.getResult(), fromStart);
  }

  /// Whether `condition` holds, or an iteration is known not to come to the check.
  Value orLeftOut(Value condition, Operation *check) {
    IndexMath m{builder, check->getLoc()};
    for (Operation *inner = check; auto branch = dyn_cast<scf::IfOp>(inner->getParentOp()); inner = branch) {
      Value isOut = map.lookupOrNull(branch.getCondition());
      if (!isOut && loop.isDefinedOutsideOfLoop(branch.getCondition()))
        isOut = branch.getCondition();
      bool isElse = inner->getParentRegion() == &branch.getElseRegion();
      if (isOut && !isElse)
        isOut = arith::XOrIOp::create(builder, m.loc, isOut, m.truth(true));
      if (isOut)
        condition = m.either(condition, isOut);
    }
    return condition;
  }

  OpBuilder &builder;
  scf::ForOp loop;
};
} // namespace

Value askBefore(ArrayRef<Operation *> checks, scf::ForOp loop) {
  Slice slice;
  for (Operation *check : checks) {
    collectSlice(check, loop, slice);
    slice.insert(check);
    collectConditions(check, loop, slice);
  }
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto asking = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), yes);
  builder.setInsertionPointToStart(asking.getBody());
  Inquiry inquiry(builder, loop, asking.getRegionIterArg(0));
  inquiry.map.map(loop.getInductionVar(), asking.getInductionVar());
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (slice.contains(op))
      inquiry.add(*op, llvm::is_contained(checks, op));
    return isa<scf::IfOp>(op) || op->getNumRegions() == 0 ? WalkResult::advance() : WalkResult::skip();
  });
  scf::YieldOp::create(builder, loc, inquiry.holds);
  return asking.getResult(0);
}

void dropAsked(ArrayRef<Operation *> checks) {
  for (Operation *op : checks) {
    if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
      // What is known before the loop stands for what an iteration computes.
      Value known = meet.getLhs(), other = meet.getRhs();
      if (known.getParentBlock() == op->getBlock())
        std::swap(known, other);
      meet.replaceAllUsesWith(known);
      bool isKnown = known.getParentBlock() != op->getBlock();
      if (isKnown && other.getParentBlock() == op->getBlock() && !isa<BlockArgument>(other))
        other.replaceAllUsesExcept(known, op);
    } else if (auto check = dyn_cast<CheckIndexOp>(op)) {
      OpBuilder builder(op);
      check.replaceAllUsesWith(IndexMath{builder, op->getLoc()}.fromStart(check.getPosition(), check.getSize()));
    }
    op->erase();
  }
}

} // namespace npcc

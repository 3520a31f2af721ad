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

static bool collectSlice(Value value, scf::ForOp loop, llvm::SetVector<Operation *> &slice);

/// Whether this reads an element of an array that the loop leaves as it is, at a position that is known to be inside:
/// iterations behind the one that fails are asked as well, and would read beyond the array.
static bool isGiven(Operation *op, scf::ForOp loop) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || !loop.isDefinedOutsideOfLoop(load.getMemRef()) ||
      mayWriteTo(loop, load.getMemRef(), loop->getParentOfType<func::FuncOp>()->hasAttr("np.general")))
    return false;
  llvm::SetVector<Operation *> slice;
  return llvm::all_of(load.getIndices(), [&](Value index) { return collectSlice(index, loop, slice); }) &&
         llvm::none_of(slice, llvm::IsaPred<CheckIndexOp>);
}

/// Adds what computes `value` in the loop's body; false where that is more than arithmetic and elements that are given.
static bool collectSlice(Value value, scf::ForOp loop, llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar() || (op && slice.contains(op)))
    return true;
  bool isNumber = op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
                  value.getType().isIntOrIndex() &&
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

static bool collectSlice(Operation *check, scf::ForOp loop, llvm::SetVector<Operation *> &slice) {
  ValueRange asked = check->getOperands();
  if (isa<AssertOp>(check))
    asked = asked.take_front(1);
  else if (isa<BroadcastExtentOp>(check))
    asked = asked.take_front(2);
  return llvm::all_of(asked, [&](Value value) { return collectSlice(value, loop, slice); });
}

bool canAskBefore(Operation *check, scf::ForOp loop) {
  llvm::SetVector<Operation *> slice;
  if (check->getBlock() != loop.getBody() || loop.getNumResults() || !collectSlice(check, loop, slice))
    return false;
  // Positions that memory gives are checked by the kernels that go to them (npcc-group-updates).
  return !isa<CheckIndexOp>(check) || llvm::none_of(slice, [](Operation *op) { return isa<memref::LoadOp>(op); });
}

namespace {
/// The copy of a loop that holds its checks alone.
class Inquiry {
public:
  Inquiry(OpBuilder &builder, Value soFar) : holds(soFar), builder(builder) {}

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
        holds = arith::AndIOp::create(builder, op->getLoc(), holds, condition);
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

  OpBuilder &builder;
};
} // namespace

Value askBefore(ArrayRef<Operation *> checks, scf::ForOp loop) {
  llvm::SetVector<Operation *> slice;
  for (Operation *check : checks) {
    collectSlice(check, loop, slice);
    slice.insert(check);
  }
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto asking = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), yes);
  builder.setInsertionPointToStart(asking.getBody());
  Inquiry inquiry(builder, asking.getRegionIterArg(0));
  inquiry.map.map(loop.getInductionVar(), asking.getInductionVar());
  for (Operation &op : loop.getBody()->without_terminator())
    if (slice.contains(&op))
      inquiry.add(op, llvm::is_contained(checks, &op));
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

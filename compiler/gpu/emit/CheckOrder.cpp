#include "compiler/gpu/emit/CheckOrder.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Iteration.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

bool holdsCheck(Operation *op) {
  return op
      ->walk([](Operation *inside) {
        return isa<np::CheckIndexOp, np::AssertOp>(inside) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

class CheckOrder {
public:
  CheckOrder(OpBuilder &builder, Location loc, Lane &lane) : math{builder, loc}, lane(lane) {}

  /// What is in `positions` and `extents` is compared from the last one on.
  void addPositions(ValueRange those, ValueRange extents) {
    for (auto [position, extent] : llvm::reverse(llvm::zip_equal(those, extents)))
      add(position, extent);
  }

  /// Where the operation is among those of its block that hold checks.
  void addStatement(Operation *op) {
    int64_t number = 0, count = 0;
    for (Operation &each : *op->getBlock()) {
      number = &each == op ? count : number;
      count += holdsCheck(&each);
    }
    if (count > 1)
      emit(math.constant(number), math.constant(count));
  }

  void addLoop(Operation *op) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      addPositions(loop.getInductionVars(), loop.getUpperBound());
    else if (auto loop = dyn_cast<scf::ForOp>(op); loop && getConstantIntValue(loop.getLowerBound()).value_or(-1) >= 0)
      add(loop.getInductionVar(), loop.getUpperBound());
  }

  void emitOp() {
    std::reverse(positions.begin(), positions.end());
    std::reverse(extents.begin(), extents.end());
    np::IterationOp::create(math.builder, math.loc, positions, extents);
  }

private:
  /// Positions that the code does not use have no value in it.
  void add(Value position, Value extent) {
    Value here = lane.values.lookupOrNull(position);
    if (here && here.getType().isIndex())
      emit(here, lane.values.lookupOrDefault(extent));
  }
  void emit(Value position, Value extent) {
    positions.push_back(position);
    extents.push_back(extent);
  }

  IndexMath math;
  Lane &lane;
  SmallVector<Value> positions, extents;
};

} // namespace

void emitCheckOrder(OpBuilder &builder, Location loc, Operation *check, np::KernelOp kernel, Lane &lane) {
  CheckOrder order(builder, loc, lane);
  np::IterationOp known = np::findIteration(check, kernel);
  for (Operation *place = check;; place = place->getParentOp()) {
    order.addStatement(place);
    if (known && known->getBlock() == place->getBlock()) {
      order.addPositions(known.getPositions(), known.getExtents());
      break;
    }
    if (place->getParentOp() == kernel) {
      order.addPositions(kernel.getInductionVars(), kernel.getExtents());
      break;
    }
    order.addLoop(place->getParentOp());
  }
  order.emitOp();
}

void endAtCheck(Operation *check) {
  if (auto assertion = dyn_cast<np::AssertOp>(check))
    assertion.setEnds(true);
  else
    cast<np::CheckIndexOp>(check).setEnds(true);
}

} // namespace npcc::cuda

// What comes into the names of loops and branches.
#include "compiler/memory/Incoming.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace npcc {

static SmallVector<Value> getIncoming(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && number > 0)
    return {loop.getInitArgs()[number - 1], loop.getYieldedValues()[number - 1]};
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return {};
  if (argument.getOwner() == loop.getAfterBody())
    return {loop.getConditionOp().getArgs()[number]};
  return {loop.getInits()[number], loop.getYieldOp().getOperand(number)};
}

SmallVector<Value> getIncoming(Value name) {
  if (auto argument = dyn_cast<BlockArgument>(name))
    return getIncoming(argument);
  Operation *op = name.getDefiningOp();
  unsigned number = cast<OpResult>(name).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[number]};
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  return {};
}

} // namespace npcc

#include "compiler/memory/Counts.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {

bool isCount(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return isCount(cast.getIn());
  if (auto most = value.getDefiningOp<arith::MaxSIOp>())
    return isCount(most.getLhs()) || isCount(most.getRhs());
  if (auto position = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(position.getOwner()->getParentOp()))
      return position == loop.getInductionVar() && isCount(loop.getLowerBound());
  return isa_and_present<np::DimOp, memref::DimOp>(value.getDefiningOp());
}

bool isAtMost(Value number, function_ref<bool(Value)> isBound) {
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return constant.isNonPositive();
  if (isBound(number))
    return true;
  Operation *op = number.getDefiningOp();
  if (!op)
    return false;
  auto of = [&](unsigned operand) { return isAtMost(op->getOperand(operand), isBound); };
  bool isByConstant = op->getNumOperands() == 2 && matchPattern(op->getOperand(1), m_ConstantInt(&constant));
  if (isa<arith::MinSIOp>(op))
    return of(0) || of(1);
  if (isa<arith::MaxSIOp>(op))
    return of(0) && of(1);
  if (isa<arith::SelectOp>(op))
    return of(1) && of(2);
  if (isa<arith::AddIOp>(op))
    return isByConstant && constant.isNonPositive() && of(0);
  if (isa<arith::SubIOp>(op))
    return isCount(op->getOperand(1)) && of(0);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    return isByConstant && constant.isStrictlyPositive() && of(0);
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) // the larger one, if one of them may be 1
    return meet.isMutual() ? of(0) && of(1) : of(1);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned result = cast<OpResult>(number).getResultNumber();
    return isAtMost(branch.thenYield().getOperand(result), isBound) &&
           isAtMost(branch.elseYield().getOperand(result), isBound);
  }
  return isa<arith::IndexCastOp>(op) && of(0);
}

} // namespace npcc

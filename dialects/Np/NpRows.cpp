// What elements of values cost, and how the rows of results follow from the rows of operands: ValueOpInterface.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

ElementCost npcc::np::getElementCost(Operation *op) {
  auto value = dyn_cast<ValueOpInterface>(op);
  return value ? value.getElementCost() : ElementCost::Cheap;
}

bool npcc::np::keepsPosition(OpOperand &operand) {
  auto value = dyn_cast<ValueOpInterface>(operand.getOwner());
  return value ? value.keepsPosition(operand) : isa<arith::SelectOp>(operand.getOwner());
}

ElementCost UfuncOp::getElementCost() {
  // The size of a complex number is a division and a root.
  bool isSize = getName() == Ufunc::absolute && isa<ComplexType>(getElementType(getInputs()[0].getType()));
  // By as many bits in all elements: no test of the number of bits in each.
  bool isShift = getName() == Ufunc::left_shift || getName() == Ufunc::right_shift;
  bool isPlainShift = isShift && !isa<RankedTensorType>(getInputs()[1].getType());
  return (isCheap(getName()) && !isSize) || isPlainShift ? ElementCost::Cheap : ElementCost::Costly;
}

/// Row i is that of the operand where both have the same axes.
static std::optional<int64_t> keepRows(Operation *op, OpOperand &operand) {
  if (getRank(operand.get().getType()) == getRank(op->getResult(0).getType()))
    return 0;
  return std::nullopt;
}
std::optional<int64_t> UfuncOp::getRowShift(OpOperand &operand) { return keepRows(*this, operand); }
std::optional<int64_t> CastOp::getRowShift(OpOperand &operand) { return keepRows(*this, operand); }
std::optional<int64_t> BroadcastOp::getRowShift(OpOperand &operand) { return keepRows(*this, operand); }

// Operands of fewer axes are stretched.
bool UfuncOp::keepsPosition(OpOperand &operand) { return getRowShift(operand).has_value(); }
bool CastOp::keepsPosition(OpOperand &) { return true; }
bool MatmulOp::keepsPosition(OpOperand &operand) {
  return operand.get() == getAddend() && operand.get() != getLhs() && operand.get() != getRhs();
}

/// The row of the source at which a region begins; none if it does not run along the rows one by one, or begins where
/// is known at run time only.
static std::optional<int64_t> getFirstRow(ArrayRef<int64_t> axes, ValueRange offsets, ValueRange steps) {
  APInt offset;
  if (axes.empty() || axes.front() != 0 || llvm::is_contained(axes.drop_front(), 0) ||
      !matchPattern(steps.front(), m_One()) || !matchPattern(offsets.front(), m_ConstantInt(&offset)))
    return std::nullopt;
  return offset.getSExtValue();
}
std::optional<int64_t> ViewOp::getRowShift(OpOperand &operand) {
  return &operand == &getSourceMutable() ? getFirstRow(getAxes(), getOffsets(), getSteps()) : std::nullopt;
}
std::optional<int64_t> InsertOp::getRowShift(OpOperand &operand) {
  if (&operand == &getDestinationMutable())
    return 0;
  std::optional<int64_t> first =
      &operand == &getValueMutable() ? getFirstRow(getAxes(), getOffsets(), getSteps()) : std::nullopt;
  return first ? std::optional(-*first) : std::nullopt;
}

std::optional<int64_t> ReduceOp::getRowShift(OpOperand &) {
  return getAxes().front() == 0 ? std::nullopt : std::optional<int64_t>(0);
}

std::optional<int64_t> GatherOp::getRowShift(OpOperand &operand) {
  // The axes of the positions stand where the axes that they index stood.
  bool isPosition = &operand != &getSourceMutable(), positionsLead = getAxes().front() == 0;
  if (isPosition != positionsLead || getRank(operand.get().getType()) == 0)
    return std::nullopt;
  return 0;
}

std::optional<int64_t> SearchOp::getRowShift(OpOperand &operand) {
  return &operand == &getValuesMutable() ? std::optional<int64_t>(0) : std::nullopt;
}
bool SearchOp::keepsPosition(OpOperand &operand) { return &operand == &getValuesMutable(); }
bool SearchOp::isReadOften(OpOperand &operand) { return &operand == &getSortedMutable(); }

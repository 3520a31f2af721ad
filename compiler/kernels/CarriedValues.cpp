// What loops hand on and branches give is memory, or a number in a register.
#include "compiler/kernels/CarriedValues.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/target/Target.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

static bool holdsKernels(Operation *carrier) {
  bool holds = false;
  carrier->walk([&](Operation *op) {
    bool writesArray = isSink(op) && getStoredValue(op) && getRank(getStoredValue(op).getType()) > 0;
    holds |= writesArray || isOpaque(op) || isa<ReduceOp, ScatterOp>(op);
  });
  return holds;
}

/// Whether a loop or branch holds no kernels, in a loop over elements or with all that is around it, or the host
/// computes like the kernels do.
static bool isScalarCode(Operation *carrier) {
  auto function = carrier->getParentOfType<func::FuncOp>();
  if (getTargetProperties(function).hostSharesMemory)
    return true;
  for (;; carrier = carrier->getParentOp()) {
    bool isLast = carrier->getParentOp() == function;
    if ((isLast || isa<LoopLikeOpInterface>(carrier)) && !holdsKernels(carrier))
      return true;
    if (isLast)
      return false;
  }
}

void materializeCarried(func::FuncOp function) {
  auto isValue = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  bool inRegisters = false; // scalars of the carrier at hand
  auto store = [&](OpOperand &operand) {
    OpBuilder builder(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    if (inRegisters && getRank(operand.get().getType()) == 0)
      operand.set(
          builder.createOrFold<ItemOp>(loc, getRegisterType(getElementType(operand.get().getType())), operand.get()));
    else
      operand.set(NewOp::create(builder, loc, operand.get()));
  };
  auto receive = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    if (inRegisters && type.getRank() == 0) {
      value.setType(getRegisterType(type.getElementType()));
      auto full = FullOp::create(builder, value.getLoc(), type, value, ValueRange());
      value.replaceAllUsesExcept(full.getResult(), full);
      return;
    }
    value.setType(ArrayType::get(value.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/true));
    auto load = LoadOp::create(builder, value.getLoc(), value);
    value.replaceAllUsesExcept(load.getValue(), load);
  };
  SmallVector<Operation *> carriers;
  function.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      carriers.push_back(op);
  });
  llvm::SmallDenseSet<Operation *> scalar;
  for (Operation *op : carriers)
    if (isScalarCode(op))
      scalar.insert(op);
  // Operands first, while all are still values.
  for (Operation *op : carriers) {
    inRegisters = scalar.contains(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isValue(operand.get()))
        store(operand);
    for (Region &region : op->getRegions())
      if (!region.empty())
        for (OpOperand &operand : region.front().getTerminator()->getOpOperands())
          if (isValue(operand.get()))
            store(operand);
  }
  for (Operation *op : carriers) {
    inRegisters = scalar.contains(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          if (isValue(argument))
            receive(argument);
    for (Value result : op->getResults())
      if (isValue(result))
        receive(result);
  }
}

} // namespace npcc

// Arrays that are selections, or computed of some.
#include "compiler/np/ElementSelection.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npcc;
using namespace npcc::np;

// Operations that follow each other behind a selection.
static constexpr int64_t mostComputed = 8;

bool npcc::handsOn(Operation *user) { return isa<scf::YieldOp, scf::ConditionOp>(user); }

bool npcc::isOnlyRead(NewOp made) {
  return llvm::all_of(made->getUsers(), [](Operation *user) { return isa<LoadOp, DimOp>(user) || handsOn(user); });
}

/// The value itself, or the one that the array it is loaded from was made of.
static Value getMade(Value value) {
  auto load = value.getDefiningOp<LoadOp>();
  auto made = load ? load.getArray().getDefiningOp<NewOp>() : NewOp();
  return made && isOnlyRead(made) ? made.getValue() : value;
}

ElementSelection::ElementSelection(Value array) {
  auto made = array.getDefiningOp<NewOp>();
  if (made && isElementwise(made.getValue(), 0))
    value = made.getValue();
}

Value ElementSelection::getSource() const {
  auto selection = value.getDefiningOp<CompressOp>();
  return selection ? selection.getSource() : Value();
}

Value ElementSelection::emitOfAll(OpBuilder &builder) const {
  IRMapping map;
  return emitOfAll(builder, value, map);
}

bool ElementSelection::isElementwise(Value of, int64_t depth) {
  of = getMade(of);
  if (auto selection = of.getDefiningOp<CompressOp>()) {
    bool isSame = getRank(selection.getMask().getType()) == 1 && (!mask || mask == selection.getMask());
    mask = selection.getMask();
    return isSame;
  }
  if (getRank(of.getType()) == 0)
    return true;
  Operation *op = of.getDefiningOp();
  auto fits = [&](Value operand) {
    int64_t rank = getRank(operand.getType());
    return (rank == 0 || rank == getRank(of.getType())) && isElementwise(operand, depth + 1);
  };
  return depth < mostComputed && isa_and_present<UfuncOp, CastOp>(op) && llvm::all_of(op->getOperands(), fits);
}

Value ElementSelection::emitOfAll(OpBuilder &builder, Value of, IRMapping &map) {
  of = getMade(of);
  if (auto selection = of.getDefiningOp<CompressOp>())
    return selection.getSource();
  if (getRank(of.getType()) == 0 || map.contains(of))
    return map.lookupOrDefault(of);
  Operation *op = of.getDefiningOp();
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, emitOfAll(builder, operand, map));
  Value all = builder.clone(*op, operands)->getResult(0);
  map.map(of, all);
  return all;
}

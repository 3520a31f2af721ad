#include "compiler/gpu/ArrayNames.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
namespace npcc {

bool handsOnArrays(Operation *op) {
  return isa<memref::ReinterpretCastOp, memref::CastOp, np::RebaseOp, arith::SelectOp, scf::ForOp, scf::WhileOp,
             scf::IfOp, scf::IndexSwitchOp, scf::YieldOp, scf::ConditionOp>(op);
}

ArrayNames::ArrayNames(func::FuncOp function) {
  SmallVector<Value> arrays;
  auto collect = [&](ValueRange values) {
    for (Value value : values)
      if (isa<MemRefType>(value.getType())) {
        classes.insert(value);
        arrays.push_back(value);
      }
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    collect(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        collect(block.getArguments());
  });
  function->walk([&](Operation *op) { visit(op); });
  for (Value array : arrays)
    members[getClass(array)].push_back(array);
}

void ArrayNames::unite(ValueRange a, ValueRange b) {
  for (auto [one, other] : llvm::zip_equal(a, b))
    if (isa<MemRefType>(one.getType()))
      classes.unionSets(one, other);
}

void ArrayNames::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unite(loop.getInitArgs(), loop.getRegionIterArgs());
    unite(loop.getYieldedValues(), loop.getRegionIterArgs());
    unite(loop.getResults(), loop.getRegionIterArgs());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unite(loop.getInits(), loop.getBeforeArguments());
    unite(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    unite(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    unite(loop.getResults(), loop.getAfterArguments());
  } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        unite(region.front().getTerminator()->getOperands(), op->getResults());
  } else if (handsOnArrays(op) && op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType())) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        classes.unionSets(operand, op->getResult(0));
  }
}

} // namespace npcc

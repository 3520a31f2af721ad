#include "compiler/cpu/VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;

bool VectorBody::isElement(Type type) { return type.isF32() || type.isF64() || type.isSignlessInteger(); }

bool VectorBody::take(Operation *op) {
  if (op->getNumRegions() > 0)
    return false;
  if (llvm::none_of(op->getOperands(), [&](Value operand) { return varies(operand); }))
    return isa<memref::LoadOp>(op) || isMemoryEffectFree(op);
  setVarying(op->getResults());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isElement(load.getType()) && isAlong(load.getMemref(), load.getIndices());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isElement(store.getValue().getType()) && isAlong(store.getMemref(), store.getIndices());
  return OpTrait::hasElementwiseMappableTraits(op) && llvm::all_of(op->getOperandTypes(), isElement) &&
         llvm::all_of(op->getResultTypes(), isElement);
}

bool VectorBody::isAlong(Value memref, ValueRange indices) const {
  SmallVector<int64_t> strides;
  int64_t offset;
  return !indices.empty() && indices.back() == position &&
         llvm::none_of(indices.drop_back(), [&](Value index) { return varies(index); }) &&
         succeeded(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset)) && strides.back() == 1;
}

void VectorBody::emit(OpBuilder &builder, Operation *op, IRMapping &map, int64_t width) const {
  if (llvm::none_of(op->getOperands(), [&](Value operand) { return varies(operand); })) {
    builder.clone(*op, map);
    return;
  }
  auto mapped = [&](ValueRange indices) {
    return llvm::map_to_vector(indices, [&](Value index) { return map.lookupOrDefault(index); });
  };
  Location loc = op->getLoc();
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    map.map(load.getResult(), vector::LoadOp::create(builder, loc, VectorType::get({width}, load.getType()),
                                                     load.getMemref(), mapped(load.getIndices()))
                                  .getResult());
    return;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    vector::StoreOp::create(builder, loc, emitWhole(builder, store.getValue(), map, width), store.getMemref(),
                            mapped(store.getIndices()));
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(emitWhole(builder, operand, map, width));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(VectorType::get({width}, type));
  map.map(op->getResults(),
          builder.create(loc, op->getName().getIdentifier(), operands, types, op->getAttrs())->getResults());
}

Value VectorBody::emitWhole(OpBuilder &builder, Value value, IRMapping &map, int64_t width) const {
  Value mapped = map.lookupOrDefault(value);
  if (varies(value))
    return mapped;
  return vector::BroadcastOp::create(builder, value.getLoc(), VectorType::get({width}, mapped.getType()), mapped);
}

SmallVector<std::pair<int64_t, int64_t>> npcc::getVectorParts(int64_t count) {
  SmallVector<std::pair<int64_t, int64_t>> parts;
  for (int64_t at = 0; at < count; at += parts.back().second)
    parts.push_back({at, int64_t(llvm::bit_floor(uint64_t(count - at)))});
  return parts;
}

bool npcc::isFromZero(scf::ParallelOp loop) {
  return loop.getNumLoops() == 1 && matchPattern(loop.getLowerBound()[0], m_Zero()) &&
         matchPattern(loop.getStep()[0], m_One());
}

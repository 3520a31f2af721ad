#include "compiler/kernels/OwnArrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
namespace npcc {

Value emitShared(OpBuilder &builder, np::AllocOp own, ValueRange iterations, ValueRange extents, bool iterationsLast) {
  auto type = own.getType();
  SmallVector<int64_t> shape(iterations.size(), ShapedType::kDynamic);
  shape.insert(iterationsLast ? shape.begin() : shape.end(), type.getShape().begin(), type.getShape().end());
  SmallVector<Value> all(iterations);
  all.insert(iterationsLast ? all.begin() : all.end(), extents.begin(), extents.end());
  return np::AllocOp::create(builder, own.getLoc(), MemRefType::get(shape, type.getElementType()), all);
}

void placeInShared(Value own, Value shared, ValueRange positions, bool iterationsLast) {
  auto place = [&](ValueRange indices) {
    SmallVector<Value> all(positions);
    all.insert(iterationsLast ? all.begin() : all.end(), indices.begin(), indices.end());
    return all;
  };
  for (Operation *user : llvm::make_early_inc_range(own.getUsers())) {
    OpBuilder builder(user);
    if (auto load = dyn_cast<memref::LoadOp>(user))
      load.replaceAllUsesWith(
          memref::LoadOp::create(builder, load.getLoc(), shared, place(load.getIndices())).getResult());
    else if (auto store = dyn_cast<memref::StoreOp>(user))
      memref::StoreOp::create(builder, store.getLoc(), store.getValueToStore(), shared, place(store.getIndices()));
    else
      continue;
    user->erase();
  }
}

void replaceExtents(np::AllocOp own) {
  MemRefType type = own.getType();
  for (Operation *user : llvm::make_early_inc_range(own->getUsers()))
    if (auto dim = dyn_cast<memref::DimOp>(user)) {
      OpBuilder builder(dim);
      int64_t axis = *dim.getConstantIndex();
      dim.replaceAllUsesWith(
          type.isDynamicDim(axis)
              ? own.getExtents()[type.getDynamicDimIndex(axis)]
              : arith::ConstantIndexOp::create(builder, dim.getLoc(), type.getDimSize(axis)).getResult());
      dim.erase();
    }
}

} // namespace npcc

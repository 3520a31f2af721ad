#include "compiler/kernels/OwnArrays.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
namespace npcc {

Value emitShared(OpBuilder &builder, np::AllocOp own, ValueRange iterations, ValueRange extents) {
  auto type = own.getType();
  SmallVector<int64_t> shape(iterations.size(), ShapedType::kDynamic);
  llvm::append_range(shape, type.getShape());
  SmallVector<Value> all(iterations);
  llvm::append_range(all, extents);
  return np::AllocOp::create(builder, own.getLoc(), MemRefType::get(shape, type.getElementType()), all);
}

void placeInShared(Value own, Value shared, ValueRange positions) {
  for (Operation *user : llvm::make_early_inc_range(own.getUsers())) {
    OpBuilder builder(user);
    SmallVector<Value> indices(positions);
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      llvm::append_range(indices, load.getIndices());
      load.replaceAllUsesWith(memref::LoadOp::create(builder, load.getLoc(), shared, indices).getResult());
    } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
      llvm::append_range(indices, store.getIndices());
      memref::StoreOp::create(builder, store.getLoc(), store.getValueToStore(), shared, indices);
    } else {
      continue;
    }
    user->erase();
  }
}

} // namespace npcc

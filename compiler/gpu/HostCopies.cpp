#include "compiler/gpu/HostCopies.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

Value npcc::emitLike(OpBuilder &builder, Location loc, Value array, bool onHost) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      extents.push_back(builder.createOrFold<memref::DimOp>(loc, array, axis));
  MemRefType together = MemRefType::get(type.getShape(), type.getElementType());
  return np::AllocOp::create(builder, loc, onHost ? putInHostMemory(together) : together, extents);
}

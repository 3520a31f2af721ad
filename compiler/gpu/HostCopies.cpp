#include "compiler/gpu/HostCopies.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

bool npcc::isContiguous(Value array) { return cast<MemRefType>(array.getType()).getLayout().isIdentity(); }

Value npcc::emitLike(OpBuilder &builder, Location loc, Value array, bool onHost) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      extents.push_back(builder.createOrFold<memref::DimOp>(loc, array, axis));
  MemRefType together = MemRefType::get(type.getShape(), type.getElementType());
  return np::AllocOp::create(builder, loc, onHost ? putInHostMemory(together) : together, extents);
}

/// The elements of a view, together in the memory of the host.
static Value makeContiguous(OpBuilder &builder, Location loc, Value array) {
  auto type = cast<MemRefType>(array.getType());
  Value made = npcc::emitLike(builder, loc, array, /*onHost=*/true);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> positions;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    auto loop = scf::ForOp::create(builder, loc, zero, memref::DimOp::create(builder, loc, array, axis), one);
    positions.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  memref::StoreOp::create(builder, loc, memref::LoadOp::create(builder, loc, array, positions), made, positions);
  return made;
}

Value npcc::makeDeviceCopy(OpBuilder &builder, Location loc, Value array) {
  Value source = isContiguous(array) ? array : makeContiguous(builder, loc, array);
  Value copy = emitLike(builder, loc, array, /*onHost=*/false);
  memref::CopyOp::create(builder, loc, source, copy);
  if (source != array)
    np::ReleaseOp::create(builder, loc, source);
  return copy;
}

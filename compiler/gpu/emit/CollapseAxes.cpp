// Axes that are one run in memory become one axis, as in NumPy's iterator, when the launch is made: a kernel over contiguous arrays of any
// rank runs as over one long row, and the same code serves views.
#include "compiler/gpu/emit/Emitters.h"

using namespace mlir;
namespace npcc::cuda {

/// Whether a loop position is used for nothing but positions of accesses, and not in a product that only the kernel knows.
static bool isOnlyPosition(Value value, KernelAccesses &accesses) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<memref::LoadOp>(user))
      continue;
    if (auto store = dyn_cast<memref::StoreOp>(user)) {
      if (store.getValueToStore() == value)
        return false;
      continue;
    }
    bool isArithmetic = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(user) || (isa<arith::SelectOp>(user) && user->getOperand(0) != value);
    if (!isArithmetic || !isOnlyPosition(user->getResult(0), accesses))
      return false;
    for (const Stream &stream : accesses.getStreams())
      if (stream.uses(user->getResult(0)))
        return false;
  }
  return true;
}

SmallVector<Value> emitJoins(HostSide &host, ValueRange positions, ValueRange extents) {
  IndexMath m = host.math();
  SmallVector<Value> joins;
  Value zero = m.constant(0);
  for (unsigned axis = 0; axis + 1 < positions.size(); ++axis) {
    Value outer = positions[axis], inner = positions[axis + 1], extent = extents[axis + 1];
    Value joined = m.truth(false);
    if (isInvariant(extent, host.getKernel()) && isOnlyPosition(outer, host.getAccesses()) && isOnlyPosition(inner, host.getAccesses())) {
      joined = m.truth(true);
      for (const Stream &stream : host.getAccesses().getStreams()) {
        if (!stream.uses(outer) && !stream.uses(inner))
          continue;
        Value outerStride = stream.uses(outer) ? host.getLeafStride(stream, outer) : zero;
        Value innerStride = stream.uses(inner) ? host.getLeafStride(stream, inner) : zero;
        joined = m.both(joined, m.compare(arith::CmpIPredicate::eq, outerStride, m.mul(innerStride, extent)));
      }
    }
    joins.push_back(joined);
  }
  return joins;
}

SmallVector<Value> joinExtents(IndexMath m, ArrayRef<Value> joins, ValueRange original) {
  SmallVector<Value> extents(original);
  Value one = m.constant(1);
  for (auto [axis, joined] : llvm::enumerate(joins)) {
    extents[axis + 1] = m.select(joined, m.mul(extents[axis], extents[axis + 1]), extents[axis + 1]);
    extents[axis] = m.select(joined, one, extents[axis]);
  }
  return extents;
}

} // namespace npcc::cuda

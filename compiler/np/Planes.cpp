#include "compiler/np/Planes.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

Value emitPlane(OpBuilder &builder, Location loc, Value source, int64_t axis, int64_t position, ValueRange extents,
                Type type) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<int64_t> kept, shape(getShape(source.getType()));
  SmallVector<Value> offsets(shape.size(), zero);
  offsets[axis] = arith::ConstantIndexOp::create(builder, loc, position);
  for (int64_t other = 0; other < int64_t(shape.size()); ++other)
    if (other != axis)
      kept.push_back(other);
  shape.erase(shape.begin() + axis);
  if (!type)
    type = RankedTensorType::get(shape, getElementType(source.getType()));
  return ViewOp::create(builder, loc, type, source, offsets, kept, extents, SmallVector<Value>(kept.size(), one));
}

} // namespace npcc

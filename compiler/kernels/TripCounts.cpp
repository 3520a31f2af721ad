#include "compiler/kernels/TripCounts.h"
#include "compiler/kernels/PositionBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace npcc;

Value npcc::emitTripCount(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep());
  if (!count.getType().isIndex())
    count = builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), count);
  // An extent as it is: kernels over the same positions are found by it.
  return isNotNegative(count)
             ? count
             : builder.createOrFold<arith::MaxSIOp>(loc, count, arith::ConstantIndexOp::create(builder, loc, 0));
}

Value npcc::emitIterationNumber(OpBuilder &builder, scf::ForOp loop, Value position) {
  Location loc = loop.getLoc();
  Value number = builder.createOrFold<arith::SubIOp>(loc, position, loop.getLowerBound());
  number = builder.createOrFold<arith::DivSIOp>(loc, number, loop.getStep());
  return number.getType().isIndex() ? number
                                    : builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), number);
}

Value npcc::emitPosition(OpBuilder &builder, scf::ForOp loop, Value number) {
  Location loc = loop.getLoc();
  if (loop.getInductionVar().getType() != number.getType())
    number = arith::IndexCastOp::create(builder, loc, loop.getInductionVar().getType(), number);
  number = builder.createOrFold<arith::MulIOp>(loc, number, loop.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, number, loop.getLowerBound());
}

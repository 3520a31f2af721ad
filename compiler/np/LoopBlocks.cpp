#include "compiler/np/LoopBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {

bool countsByOne(scf::ForOp loop) {
  return loop.getInductionVar().getType().isIndex() && matchPattern(loop.getStep(), m_One());
}

LoopBlock splitIntoBlocks(scf::ForOp loop, Value length, OpBuilder &builder) {
  Location loc = loop.getLoc();
  Value from = loop.getLowerBound(), to = loop.getUpperBound();
  auto blocks = scf::ForOp::create(builder, loc, from, to, length, loop.getInitArgs());
  if (!blocks.getBody()->empty())
    blocks.getBody()->back().erase();
  loop.replaceAllUsesWith(blocks.getResults());
  loop->moveBefore(blocks.getBody(), blocks.getBody()->end());
  loop.getInitArgsMutable().assign(blocks.getRegionIterArgs());
  Value begin = blocks.getInductionVar();
  builder.setInsertionPoint(loop);
  Value next = builder.createOrFold<arith::AddIOp>(loc, begin, length);
  Value end = builder.createOrFold<arith::MinSIOp>(loc, next, to);
  loop.getLowerBoundMutable().assign(begin);
  loop.getUpperBoundMutable().assign(end);
  OpBuilder last = OpBuilder::atBlockEnd(blocks.getBody());
  scf::YieldOp::create(last, loc, loop.getResults());
  return {begin, end};
}

} // namespace npcc

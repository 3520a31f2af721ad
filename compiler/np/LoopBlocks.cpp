#include "compiler/np/LoopBlocks.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

SmallVector<scf::ForOp> getLoops(func::FuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
  return loops;
}

bool countsByOne(scf::ForOp loop) {
  return loop.getInductionVar().getType().isIndex() && matchPattern(loop.getStep(), m_One());
}

void countIterations(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value from = loop.getLowerBound(), step = loop.getStep(), zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value length = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), from);
  length = builder.createOrFold<arith::MaxSIOp>(loc, length, zero);
  Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, length, step);
  loop.getLowerBoundMutable().assign(zero);
  loop.getUpperBoundMutable().assign(count);
  loop.getStepMutable().assign(arith::ConstantIndexOp::create(builder, loc, 1));
  builder.setInsertionPointToStart(loop.getBody());
  auto steps = arith::MulIOp::create(builder, loc, loop.getInductionVar(), step);
  Value position = builder.createOrFold<arith::AddIOp>(loc, from, steps);
  loop.getInductionVar().replaceUsesWithIf(position, [&](OpOperand &use) { return use.getOwner() != steps; });
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

LoopBlock splitByElements(scf::ForOp loop, Value elements, int64_t most, OpBuilder &builder) {
  Location loc = loop.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  elements = builder.createOrFold<arith::MaxSIOp>(loc, elements, one);
  Value length = arith::DivSIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, most), elements);
  return splitIntoBlocks(loop, builder.createOrFold<arith::MaxSIOp>(loc, length, one), builder);
}

Value emitPartOfAll(OpBuilder &builder, Location loc, Value all, Type type, ValueRange position, ValueRange extents) {
  int64_t rank = np::getRank(all.getType());
  SmallVector<Value> offsets(rank, arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Value> steps(extents.size(), arith::ConstantIndexOp::create(builder, loc, 1));
  llvm::copy(position, offsets.begin());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(rank - int64_t(extents.size()), rank));
  return np::ViewOp::create(builder, loc, type, all, offsets, axes, extents, steps);
}

bool isArithmetic(Operation *op) {
  return isa<arith::ArithDialect, np::NpDialect>(op->getDialect()) && op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<np::ArrayType, ShapedType>);
}

} // namespace npcc

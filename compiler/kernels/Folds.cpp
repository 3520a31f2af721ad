#include "compiler/kernels/Folds.h"
#include "compiler/kernels/IndexMath.h"

using namespace mlir;
namespace npcc {

IRMapping cloneAround(OpBuilder &builder, np::FoldOp fold, ValueRange positions) {
  auto kernel = cast<np::KernelOp>(fold->getParentOp());
  IRMapping mapping;
  mapping.map(kernel.getInductionVars(), positions);
  for (Operation &op : kernel.getBody()->without_terminator())
    if (&op != fold)
      builder.clone(op, mapping);
  return mapping;
}

Value emitTotal(OpBuilder &builder, Location loc, np::FoldOp fold, Value begin, Value count, IRMapping &mapping) {
  IndexMath m{builder, loc};
  Value init = mapping.lookupOrDefault(fold.getInitial()[0]);
  auto sum = scf::ParallelOp::create(builder, loc, m.constant(0), count, m.constant(1), init);
  OpBuilder::InsertionGuard guard(builder);
  if (sum.getBody()->mightHaveTerminator())
    sum.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(sum.getBody());
  Block &element = fold.getElement().front();
  mapping.map(fold.getPosition(), m.add(begin, sum.getInductionVars()[0]));
  for (Operation &op : element.without_terminator())
    builder.clone(op, mapping);
  Value given = mapping.lookupOrDefault(element.getTerminator()->getOperand(0));
  auto reduce = scf::ReduceOp::create(builder, loc, given);
  Block &combiner = reduce.getReductions()[0].front();
  builder.setInsertionPointToEnd(&combiner);
  Value total = fold.emitCombine(builder, combiner.getArgument(0), combiner.getArgument(1))[0];
  scf::ReduceReturnOp::create(builder, loc, total);
  return sum.getResult(0);
}

} // namespace npcc

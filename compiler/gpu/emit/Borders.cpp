#include "compiler/gpu/emit/Borders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc::cuda {

bool Borders::isInside(arith::CmpIOp op) {
  return op.getPredicate() != arith::CmpIPredicate::eq; // ne, ult, ule
}

Borders::Borders(np::KernelOp kernel) {
  kernel.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op))
      return WalkResult::skip();
    auto test = dyn_cast<arith::CmpIOp>(op);
    if (!test)
      return WalkResult::advance();
    using P = arith::CmpIPredicate;
    bool isEqual = test.getPredicate() == P::eq || test.getPredicate() == P::ne;
    if (!isEqual && test.getPredicate() != P::ult && test.getPredicate() != P::ule)
      return WalkResult::advance();
    LinearForm left = getLinearForm(test.getLhs(), kernel), right = getLinearForm(test.getRhs(), kernel);
    Value position;
    for (const LinearForm *form : {&left, &right})
      for (const Term &term : form->terms) {
        if (isInvariant(term.leaf, kernel))
          continue;
        bool isPosition = llvm::is_contained(kernel.getInductionVars(), term.leaf) && term.factor == 1 && !term.scale;
        if (!isPosition || position || form == &right)
          return WalkResult::advance();
        position = term.leaf;
      }
    if (position)
      tests.push_back({test, position});
    return WalkResult::advance();
  });
}

static Value cloneArithmetic(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *maker = value.getDefiningOp();
  if (!maker || !isa<arith::ArithDialect>(maker->getDialect()))
    return value;
  for (Value operand : maker->getOperands())
    mapping.map(operand, cloneArithmetic(builder, operand, mapping));
  return builder.clone(*maker, mapping)->getResult(0);
}

Value Borders::emitInside(OpBuilder &builder, Location loc, Value position, Value first, int64_t count) {
  IndexMath m{builder, loc};
  Value result = m.truth(true);
  for (Test &test : tests) {
    if (test.position != position)
      continue;
    bool isEqual = test.op.getPredicate() == arith::CmpIPredicate::eq || test.op.getPredicate() == arith::CmpIPredicate::ne;
    // Positions are consecutive: a range holds all of them if it holds the first and the last.
    for (int64_t number = 0; number < count; number += isEqual ? 1 : std::max<int64_t>(count - 1, 1)) {
      IRMapping mapping;
      mapping.map(position, m.add(first, number));
      Value truth = cloneArithmetic(builder, test.op.getResult(), mapping);
      result = m.both(result, isInside(test.op) ? truth : m.compare(arith::CmpIPredicate::eq, truth, m.truth(false)));
    }
  }
  return result;
}

} // namespace npcc::cuda

#include "compiler/gpu/emit/Borders.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc::cuda {

/// An extent up to which what is tested is a border.
constexpr int64_t mostBorder = 16;

Borders::Borders(np::KernelOp kernel) { collect(kernel, kernel.getBodyRegion()); }

std::optional<Borders::Test> Borders::getTest(np::KernelOp kernel, arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  bool isEqual = op.getPredicate() == P::eq || op.getPredicate() == P::ne;
  if (!isEqual && op.getPredicate() != P::ult && op.getPredicate() != P::ule)
    return std::nullopt;
  LinearForm left = getLinearForm(op.getLhs(), kernel), right = getLinearForm(op.getRhs(), kernel);
  Value position;
  for (const LinearForm *form : {&left, &right})
    for (const Term &term : form->terms) {
      if (isInvariant(term.leaf, kernel))
        continue;
      bool isPosition = llvm::is_contained(kernel.getInductionVars(), term.leaf) && term.factor == 1 && !term.scale;
      if (!isPosition || position || form == &right)
        return std::nullopt;
      position = term.leaf;
    }
  if (!position)
    return std::nullopt;
  bool isBorder = !isEqual && right.terms.empty() && right.constant <= mostBorder;
  return Test{op, position, op.getPredicate() != P::eq && !isBorder};
}

Region *Borders::getTaken(Operation *op) const {
  auto branch = dyn_cast<scf::IfOp>(op);
  for (const Test &test : tests)
    if (branch && branch.getCondition().getDefiningOp() == test.op)
      return test.inside ? &branch.getThenRegion() : &branch.getElseRegion();
  return nullptr;
}

void Borders::collect(np::KernelOp kernel, Region &region) {
  for (Operation &op : region.getOps()) {
    if (isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op))
      continue;
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      if (std::optional<Test> test = getTest(kernel, compare))
        tests.push_back(*test);
    if (Region *taken = getTaken(&op)) {
      collect(kernel, *taken);
      continue;
    }
    for (Region &inner : op.getRegions())
      collect(kernel, inner);
  }
}

int64_t Borders::countInside(Region &region) const {
  int64_t count = 0;
  for (Operation &op : region.getOps()) {
    count += countOp(&op);
    if (Region *taken = getTaken(&op)) {
      count += countInside(*taken);
      continue;
    }
    for (Region &inner : op.getRegions())
      count += countInside(inner);
  }
  return count;
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
    // Positions are consecutive: a range holds all of them if it holds the first and the last.
    bool isRange = test.inside && test.op.getPredicate() != arith::CmpIPredicate::ne;
    for (int64_t number = 0; number < count; number += isRange ? std::max<int64_t>(count - 1, 1) : 1) {
      IRMapping mapping;
      mapping.map(position, m.add(first, number));
      Value truth = cloneArithmetic(builder, test.op.getResult(), mapping);
      result = m.both(result, test.inside ? truth : m.compare(arith::CmpIPredicate::eq, truth, m.truth(false)));
    }
  }
  return result;
}

} // namespace npcc::cuda

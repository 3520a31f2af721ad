#include "compiler/memory/BranchFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc {
static constexpr size_t mostFacts = 24; // of one block
static constexpr int deepestCondition = 16;

namespace {
/// Adds what follows from a truth value being `holds`.
class Conditions {
public:
  explicit Conditions(SmallVectorImpl<BranchFacts::Fact> &facts) : facts(facts) {}

  void collect(Value condition, bool holds, int depth = 0) {
    Operation *op = condition.getDefiningOp();
    if (!op || depth == deepestCondition)
      return;
    APInt constant;
    auto is = [&](Value value, bool number) {
      return matchPattern(value, m_ConstantInt(&constant)) && constant.isOne() == number;
    };
    auto both = [&](Value one, Value other) {
      collect(one, holds, depth + 1);
      collect(other, holds, depth + 1);
    };
    // What a choice gives, `holds` of which one side does not: the other side was taken.
    auto choose = [&](Value by, Value ifTrue, Value ifFalse) {
      if (is(ifTrue, !holds)) {
        collect(by, false, depth + 1);
        collect(ifFalse, holds, depth + 1);
      } else if (is(ifFalse, !holds)) {
        collect(by, true, depth + 1);
        collect(ifTrue, holds, depth + 1);
      }
    };
    if (auto comparison = dyn_cast<arith::CmpIOp>(op)) {
      compare(comparison.getPredicate(), comparison.getLhs(), comparison.getRhs(), holds);
    } else if (isa<arith::AndIOp>(op) ? holds : isa<arith::OrIOp>(op) && !holds) {
      both(op->getOperand(0), op->getOperand(1));
    } else if (isa<arith::XOrIOp>(op) && is(op->getOperand(1), true)) {
      collect(op->getOperand(0), !holds, depth + 1);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      choose(select.getCondition(), select.getTrueValue(), select.getFalseValue());
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(condition).getResultNumber();
      choose(branch.getCondition(), branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
    }
  }

private:
  void compare(arith::CmpIPredicate predicate, Value a, Value b, bool holds) {
    if (!isPosition(a.getType()))
      return;
    using Predicate = arith::CmpIPredicate;
    if (!holds)
      predicate = arith::invertPredicate(predicate);
    if (predicate == Predicate::sge || predicate == Predicate::eq)
      facts.push_back({a, b, 0});
    if (predicate == Predicate::sle || predicate == Predicate::eq)
      facts.push_back({b, a, 0});
    if (predicate == Predicate::sgt)
      facts.push_back({a, b, 1});
    if (predicate == Predicate::slt)
      facts.push_back({b, a, 1});
  }

  SmallVectorImpl<BranchFacts::Fact> &facts;
};
} // namespace

ArrayRef<BranchFacts::Fact> BranchFacts::at(Operation *op) {
  Block *block = op->getBlock();
  Operation *parent = op->getParentOp();
  if (!parent || !parent->getBlock())
    return {};
  auto [found, isNew] = known.try_emplace(block);
  if (!isNew)
    return found->second;
  SmallVector<Fact, 0> facts;
  if (auto branch = dyn_cast<scf::IfOp>(parent))
    Conditions(facts).collect(branch.getCondition(), block == branch.thenBlock());
  llvm::append_range(facts, at(parent)); // may move what is kept
  if (facts.size() > mostFacts)
    facts.resize(mostFacts);
  return known[block] = std::move(facts);
}

SmallVector<PositionSum> BranchFacts::getLeastDifferences(Operation *user, Value a, Value b) {
  SmallVector<PositionSum> sums;
  std::optional<PositionSum> difference = getDifference(a, b);
  if (!difference)
    return sums;
  if (std::optional<PositionSum> least = getLeast(*difference))
    sums.push_back(*least);
  for (const Fact &fact : at(user)) {
    std::optional<PositionSum> less = getDifference(fact.greater, fact.less);
    if (!less)
      continue;
    // What has no value in common with the difference says nothing of it.
    bool isRelated = llvm::any_of(less->factors, [&](auto &term) { return difference->factors.count(term.first); });
    if (!isRelated)
      continue;
    PositionSum rest = *difference;
    rest.add(*less, -1);
    rest.constant += fact.by;
    if (std::optional<PositionSum> least = getLeast(rest))
      sums.push_back(*least);
  }
  return sums;
}

} // namespace npcc

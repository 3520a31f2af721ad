// What an iteration of a loop asks and does that goes on as long as a mask has an element.
#include "compiler/np/MaskedIteration.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/ValueInterface.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npcc;
using namespace npcc::np;

static SmallVector<Operation *> getOps(Block &block) {
  return llvm::map_to_vector(block.without_terminator(), [](Operation &op) { return &op; });
}

// Operations that follow each other from what iterations change to a mask.
constexpr int64_t mostAlike = 12;

bool MaskedIteration::isFound() {
  given = llvm::to_vector(loop.getBeforeArguments());
  if (!takeQuestions(loop.getConditionOp().getCondition()) || !mask || !collect(*loop.getBeforeBody()) ||
      !collect(*loop.getAfterBody()))
    return false;
  body = getOps(*loop.getAfterBody());
  findCounters();
  if (count && !(steps.contains(count->counter) && matchPattern(steps[count->counter], m_One())))
    return false;
  for (Operation *op : ops)
    if (auto check = dyn_cast<AssertOp>(op); check && isInside(check.getCondition())) {
      if (!isCheckOfCounters(check.getCondition()))
        return false;
      checks.push_back(check);
    } else if (!isElementwise(op)) {
      return false;
    }
  SmallVector<Value> asked{mask};
  if (auto load = mask.getDefiningOp<LoadOp>())
    asked.push_back(load.getArray());
  return settles(asked, /*isAsked=*/true) || settlesFromNextOn();
}

//===---- Questions ----===//

bool MaskedIteration::takeQuestions(Value goesOn) {
  if (matchPattern(goesOn, m_One()))
    return true;
  Operation *op = goesOn.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp, arith::TruncIOp>(op))
    return takeQuestions(op->getOperand(0));
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op))
    return takeQuestions(both.getLhs()) && takeQuestions(both.getRhs());
  Value condition, one, other;
  if (auto select = dyn_cast_if_present<arith::SelectOp>(op)) {
    condition = select.getCondition(), one = select.getTrueValue(), other = select.getFalseValue();
  } else if (auto branch = dyn_cast_if_present<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(goesOn).getResultNumber();
    condition = branch.getCondition();
    one = branch.thenYield().getOperand(number), other = branch.elseYield().getOperand(number);
  } else {
    return takeQuestion(goesOn, true);
  }
  if (matchPattern(other, m_Zero()))
    return takeQuestion(condition, true) && takeQuestions(one);
  return matchPattern(one, m_Zero()) && takeQuestion(condition, false) && takeQuestions(other);
}

bool MaskedIteration::takeQuestion(Value answer, bool isTrue) {
  Operation *op = answer.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp, arith::TruncIOp>(op))
    return takeQuestion(op->getOperand(0), isTrue);
  if (auto differ = dyn_cast_if_present<arith::XOrIOp>(op))
    return matchPattern(differ.getRhs(), m_One()) && takeQuestion(differ.getLhs(), !isTrue);
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op))
    return isTrue && takeQuestions(answer);
  answers[answer] = isTrue;
  if (isa_and_present<ItemOp>(op))
    return isTrue && takeMask(answer);
  if (isa_and_present<CastOp>(op) && answer.getType().isInteger(1)) // of a number
    return isTrue && takeMask(op->getOperand(0));
  auto comparison = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!comparison)
    return false;
  if (!matchPattern(comparison.getRhs(), m_Constant()))
    return isTrue && takeCount(comparison);
  // Of all numbers from zero on, zero alone ends the loop.
  return takeMask(comparison.getLhs()) && decide(answer) == isTrue;
}

/// Compares a number as an operation does.
static std::optional<bool> compare(arith::CmpIOp op, uint64_t number) {
  APInt right;
  if (!matchPattern(op.getRhs(), m_ConstantInt(&right)))
    return std::nullopt;
  return arith::applyCmpPredicate(op.getPredicate(), APInt(right.getBitWidth(), number), right);
}

bool MaskedIteration::takeMask(Value number) {
  while (auto cast = number.getDefiningOp<arith::IndexCastOp>())
    number = cast.getIn();
  auto item = number.getDefiningOp<ItemOp>();
  auto reduce = item ? item.getValue().getDefiningOp<ReduceOp>() : ReduceOp();
  if (!reduce || getRank(reduce.getType()) != 0)
    return false;
  Value source = reduce.getInput();
  bool isAny = reduce.getKind() == Reduction::logical_or || reduce.getKind() == Reduction::bitwise_or;
  if (auto cast = source.getDefiningOp<CastOp>(); cast && reduce.getKind() == Reduction::add)
    source = cast.getInput();
  else if (!isAny)
    return false;
  if (!isa<RankedTensorType>(source.getType()) || !getElementType(source.getType()).isInteger(1) ||
      (mask && mask != source))
    return false;
  mask = source;
  if (isAny) {
    answers[number] = true;
    return true;
  }
  // Nobody may tell one number of elements from another.
  SmallVector<Value> same{number};
  for (size_t k = 0; k < same.size(); k++) {
    counts.insert(same[k]);
    for (Operation *user : same[k].getUsers()) {
      auto comparison = dyn_cast<arith::CmpIOp>(user);
      if (isa<arith::IndexCastOp>(user))
        same.push_back(user->getResult(0));
      else if (isa<CastOp>(user) && user->getResult(0).getType().isInteger(1))
        answers[user->getResult(0)] = true;
      else if (!comparison || comparison.getLhs() != same[k] || !compare(comparison, 1) ||
               compare(comparison, 0) == compare(comparison, 1) || compare(comparison, 1) != compare(comparison, 2) ||
               compare(comparison, 2) != compare(comparison, int64_t(1) << 30))
        return false;
    }
  }
  return true;
}

bool MaskedIteration::takeCount(arith::CmpIOp comparison) {
  Value number = comparison.getLhs(), bound = comparison.getRhs();
  if (comparison.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(number, bound);
  else if (comparison.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  int64_t ahead = 0;
  number = resolve(number);
  while (Operation *op = number.getDefiningOp()) {
    APInt more;
    if (auto sum = dyn_cast<arith::AddIOp>(op); sum && matchPattern(sum.getRhs(), m_ConstantInt(&more)))
      ahead += more.getSExtValue();
    else if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return false;
    number = resolve(op->getOperand(0));
  }
  auto argument = dyn_cast<BlockArgument>(number);
  if (count || !argument || argument.getOwner() != loop.getBeforeBody() || isInside(bound))
    return false;
  count = {argument.getArgNumber(), ahead, bound, comparison};
  return true;
}

std::optional<bool> MaskedIteration::decide(Value condition) {
  if (matchPattern(condition, m_Zero()))
    return false;
  if (matchPattern(condition, m_One()))
    return true;
  Operation *op = condition.getDefiningOp();
  if (auto comparison = dyn_cast_if_present<arith::CmpIOp>(op))
    if (counts.contains(comparison.getLhs()))
      return compare(comparison, 1);
  if (auto answer = answers.find(condition); answer != answers.end())
    return answer->second;
  if (isa_and_present<arith::ExtUIOp, arith::TruncIOp>(op))
    return decide(op->getOperand(0));
  if (auto differ = dyn_cast_if_present<arith::XOrIOp>(op)) {
    std::optional<bool> one = decide(differ.getLhs()), other = decide(differ.getRhs());
    return one && other ? std::optional(*one != *other) : std::nullopt;
  }
  Value resolved = resolve(condition);
  return resolved != condition ? decide(resolved) : std::nullopt;
}

Value MaskedIteration::resolve(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == loop.getAfterBody()
               ? resolve(loop.getConditionOp().getArgs()[argument.getArgNumber()])
               : value;
  Operation *op = value.getDefiningOp();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (std::optional<bool> is = decide(branch.getCondition()))
      return resolve(
          (*is ? branch.thenYield() : branch.elseYield()).getOperand(cast<OpResult>(value).getResultNumber()));
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (std::optional<bool> is = decide(select.getCondition()))
      return resolve(*is ? select.getTrueValue() : select.getFalseValue());
  }
  return value;
}

//===---- Operations ----===//

bool MaskedIteration::collect(Block &block) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (std::optional<bool> is = branch ? decide(branch.getCondition()) : std::nullopt) {
      Block *side = *is ? branch.thenBlock() : branch.elseBlock();
      return !side || collect(*side);
    }
    ops.push_back(&op);
    return !op.getNumRegions() || isMemoryEffectFree(&op);
  });
}

void MaskedIteration::findCounters() {
  for (auto [k, next] : llvm::enumerate(loop.getYieldOp().getResults())) {
    auto sum = resolve(next).getDefiningOp<arith::AddIOp>();
    if (sum && resolve(sum.getLhs()) == given[k] && !isInside(sum.getRhs()))
      steps[k] = sum.getRhs();
  }
}

bool MaskedIteration::isCheckOfCounters(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return isCheckOfCounters(both.getLhs()) && isCheckOfCounters(both.getRhs());
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  return !isInside(condition) || (comparison && comparison.getPredicate() <= arith::CmpIPredicate::sge &&
                                  comparison.getPredicate() != arith::CmpIPredicate::ne &&
                                  isOfCounters(comparison.getLhs()) && isOfCounters(comparison.getRhs()));
}

/// Whether a number goes up or down by the same amount in each iteration.
bool MaskedIteration::isOfCounters(Value number) {
  number = resolve(number);
  if (!isInside(number))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(number))
    return argument.getOwner() == loop.getBeforeBody() && steps.contains(argument.getArgNumber());
  Operation *op = number.getDefiningOp();
  return isa<arith::IndexCastOp, arith::ExtSIOp, arith::AddIOp, arith::SubIOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isOfCounters(operand); });
}

/// Nothing that may fail: an iteration more could do so.
bool MaskedIteration::isElementwise(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<UfuncOp, CastOp, BroadcastOp, FullOp, ArangeOp, LoadOp, NewOp, DimOp, StoreOp, AssertOp>(
          [](auto) { return true; })
      .Case([](StoreMaskedOp store) { return !store.getSelected(); })
      .Case([](ScatterOp scatter) { return bool(scatter.getDistinct()); })
      .Case([&](ItemOp item) { return answers.contains(item.getResult()) || counts.contains(item.getResult()); })
      .Case([&](ReduceOp reduce) { // the question, or what an element has along other axes
        return getRank(reduce.getType()) == 0 || reduce.getAxes().front() >= getRank(mask.getType());
      })
      .Case<ViewOp, ReshapeOp>([&](auto view) {
        auto shifts = dyn_cast<ValueOpInterface>(view.getOperation());
        return !isInside(view.getSource()) || (shifts && shifts.getRowShift(view->getOpOperand(0)) == 0);
      })
      .Default([](Operation *other) {
        return isMemoryEffectFree(other) && !llvm::any_of(other->getResultTypes(), llvm::IsaPred<RankedTensorType>);
      });
}

//===---- What changes once the mask has no element ----===//

bool MaskedIteration::settles(ArrayRef<Value> masks, bool isAsked) {
  empty.clear(), kept.clear(), known.clear();
  empty.insert(masks.begin(), masks.end());
  if (!llvm::all_of(ops, [&](Operation *op) { return storesNothing(op); }) ||
      !(isAsked ? isKept(mask) : evaluate(mask).content == Content::empty))
    return false;
  for (auto [k, next] : llvm::enumerate(loop.getYieldOp().getResults())) {
    Settled is = evaluate(next);
    bool isSame =
        empty.contains(given[k]) ? is.content == Content::empty : is.content == Content::same && is.of == given[k];
    if (!isSame && !steps.contains(k))
      return false;
  }
  return llvm::all_of(llvm::seq(loop.getNumResults()),
                      [&](unsigned k) { return loop.getResult(k).use_empty() || isLeftAsItIs(k, isAsked); });
}

/// The iteration that asks may have changed something, and left nothing for those after it: masks go along.
bool MaskedIteration::settlesFromNextOn() {
  empty.clear(), kept.clear(), known.clear();
  empty.insert(mask);
  for (Operation *op : ops)
    if (loop.getAfter().isAncestor(op->getParentRegion()) && !storesNothing(op))
      return false;
  SmallVector<Value> masks;
  for (auto [argument, next] : llvm::zip_equal(given, loop.getYieldOp().getResults()))
    if (isa<ArrayType>(argument.getType()) && getElementType(argument.getType()).isInteger(1) &&
        evaluate(next).content == Content::empty)
      masks.push_back(argument);
  return !masks.empty() && settles(masks, /*isAsked=*/false);
}

/// Whether somebody needs a result only where the mask had an element when the loop was left.
bool MaskedIteration::isForElements(Value result) {
  auto isAnswer = [&](Value condition) {
    auto given = condition.getDefiningOp() == loop ? cast<OpResult>(condition) : OpResult();
    Value answer = given ? resolve(loop.getConditionOp().getArgs()[given.getResultNumber()]) : Value();
    return answer && answer != count->answer && answers.lookup(answer);
  };
  return count && llvm::all_of(result.getUsers(), [&](Operation *user) {
           if (auto branch = dyn_cast<scf::IfOp>(user))
             return isAnswer(branch.getCondition()) && !branch.elseBlock();
           for (Operation *op = user; op; op = op->getParentOp())
             if (auto branch = dyn_cast_if_present<scf::IfOp>(op->getParentOp()))
               if (isAnswer(branch.getCondition()) && op->getBlock() == branch.thenBlock())
                 return true;
           return false;
         });
}

bool MaskedIteration::isLeftAsItIs(unsigned result, bool isAsked) {
  if (isForElements(loop.getResult(result)))
    return true;
  Settled is = evaluate(loop.getConditionOp().getArgs()[result]);
  if (is.content != Content::same || !isInside(is.of))
    return is.content == Content::same;
  auto argument = cast<BlockArgument>(is.of);
  // What the iteration that asks has changed is what the next one begins with.
  return !steps.contains(argument.getArgNumber()) &&
         (isAsked || loop.getYieldOp().getResults()[argument.getArgNumber()] == loop.getAfterArguments()[result]);
}

bool MaskedIteration::storesNothing(Operation *op) {
  if (auto store = dyn_cast<StoreMaskedOp>(op))
    return evaluate(store.getMask()).content == Content::empty;
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getMask() && evaluate(scatter.getMask()).content == Content::empty;
  if (auto store = dyn_cast<StoreOp>(op)) {
    Settled from = evaluate(store.getValue()), to = evaluate(store.getArray());
    return from.content != Content::unknown && from.content == to.content && from.of == to.of;
  }
  return isa<LoadOp, NewOp, AssertOp>(op) || isMemoryEffectFree(op);
}

MaskedIteration::Settled MaskedIteration::evaluate(Value value) {
  value = resolve(value);
  if (auto is = known.find(value); is != known.end())
    return is->second;
  Settled is = evaluateAnew(value);
  known[value] = is;
  return is;
}

MaskedIteration::Settled MaskedIteration::evaluateAnew(Value value) {
  if (empty.contains(value) || (empty.contains(mask) && isLikeMask(value)))
    return {Content::empty, Value()};
  if (isa<BlockArgument>(value) || !isInside(value))
    return {Content::same, value};
  return TypeSwitch<Operation *, Settled>(value.getDefiningOp())
      .Case([&](NewOp made) { return evaluate(made.getValue()); })
      .Case([&](LoadOp load) { return evaluate(load.getArray()); })
      .Case([&](UfuncOp op) { return evaluate(op); })
      .Case<CastOp, BroadcastOp, ViewOp, ReshapeOp>([&](Operation *op) {
        Settled is = evaluate(op->getOperand(0));
        return is.content == Content::empty ? is : Settled();
      })
      .Default(Settled());
}

/// Whether a value is the mask, or computed again as the mask is: of the same, as nothing changes in between.
bool MaskedIteration::isLikeMask(Value value) {
  return value.getType() == mask.getType() && areAlike(value, mask, mostAlike);
}

bool MaskedIteration::areAlike(Value one, Value other, int64_t depth) {
  one = resolve(one), other = resolve(other);
  if (one == other)
    return true;
  Operation *op = one.getDefiningOp(), *like = other.getDefiningOp();
  auto ignore = [](Value, Value) { return success(); };
  return op && like && depth > 0 && !op->getNumRegions() && op->getNumResults() == 1 &&
         (isa<LoadOp>(op) || isPure(op)) &&
         OperationEquivalence::isEquivalentTo(op, like, ignore, nullptr, OperationEquivalence::IgnoreLocations) &&
         llvm::all_of(llvm::zip_equal(op->getOperands(), like->getOperands()),
                      [&](auto both) { return areAlike(std::get<0>(both), std::get<1>(both), depth - 1); });
}

MaskedIteration::Settled MaskedIteration::evaluate(UfuncOp op) {
  bool isInteger = isa<IntegerType>(getElementType(op.getType()));
  auto isEmpty = [&](Value input) { return evaluate(input).content == Content::empty; };
  switch (op.getName()) {
  case Ufunc::where:
    if (isEmpty(op.getInputs()[0]) && op.getInputs()[2].getType() == op.getType())
      return evaluate(op.getInputs()[2]);
    return {};
  case Ufunc::bitwise_and:
  case Ufunc::logical_and:
  case Ufunc::multiply:
    return isInteger && llvm::any_of(op.getInputs(), isEmpty) ? Settled{Content::empty, Value()} : Settled();
  case Ufunc::bitwise_or:
  case Ufunc::bitwise_xor:
  case Ufunc::logical_or:
  case Ufunc::add:
    for (unsigned k = 0; k < 2; k++)
      if (isInteger && isEmpty(op.getInputs()[k]) && op.getInputs()[1 - k].getType() == op.getType())
        return evaluate(op.getInputs()[1 - k]);
    return {};
  default:
    return {};
  }
}

bool MaskedIteration::isKept(Value value) {
  value = resolve(value);
  if (!isInside(value) || kept.contains(value))
    return true;
  bool is;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    is = argument.getOwner() == loop.getBeforeBody() && !steps.contains(argument.getArgNumber());
  } else {
    Operation *op = value.getDefiningOp();
    is = !op->getNumRegions() && (isa<LoadOp, NewOp>(op) || isPure(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isKept(operand); });
  }
  if (is)
    kept.insert(value);
  return is;
}

//===---- Clones ----===//

void MaskedIteration::cloneOps(ArrayRef<Operation *> ops, OpBuilder &builder, IRMapping &map) {
  for (Operation *op : ops) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (std::optional<bool> is = branch ? decide(branch.getCondition()) : std::nullopt) {
      Block *side = *is ? branch.thenBlock() : branch.elseBlock();
      if (!side)
        continue;
      cloneOps(getOps(*side), builder, map);
      for (auto [result, handed] : llvm::zip_equal(branch.getResults(), side->getTerminator()->getOperands()))
        map.map(result, map.lookupOrDefault(handed));
      continue;
    }
    if (isa<AssertOp>(op))
      continue;
    builder.clone(*op, map);
    for (Value result : op->getResults())
      if (std::optional<bool> is = result.getType().isInteger(1) ? decide(result) : std::nullopt)
        map.map(result, arith::ConstantIntOp::create(builder, op->getLoc(), *is, 1));
  }
}

void MaskedIteration::cloneWithoutQuestions(OpBuilder &builder, IRMapping &map) {
  cloneOps(getOps(*loop.getBeforeBody()), builder, map);
  for (auto [argument, handed] : llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    map.map(argument, map.lookupOrDefault(handed));
  cloneOps(body, builder, map);
}

Value MaskedIteration::cloneNumber(Value number, OpBuilder &builder, IRMapping &map) {
  number = resolve(number);
  if (!isInside(number) || map.contains(number))
    return map.lookupOrDefault(number);
  Operation *op = number.getDefiningOp();
  for (Value operand : op->getOperands())
    map.map(operand, cloneNumber(operand, builder, map));
  return builder.clone(*op, map)->getResult(0);
}

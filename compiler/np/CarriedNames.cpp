#include "compiler/np/CarriedNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
namespace npcc {

/// The operation that a value is a result, or a block's argument, of.
static Operation *getOwner(Value value) {
  return isa<BlockArgument>(value) ? value.getParentBlock()->getParentOp() : value.getDefiningOp();
}

static bool handsOn(Operation *op) { return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op); }

OpOperand &CarriedNames::getGiven() { return cast<LoopLikeOpInterface>(loop).getInitsMutable()[index]; }

bool CarriedNames::takeSources(Value value, function_ref<bool(Operation *)> isMade) {
  Operation *owner = getOwner(value);
  if (auto select = dyn_cast<arith::SelectOp>(owner)) {
    values.insert(select.getTrueValue());
    values.insert(select.getFalseValue());
    return true;
  }
  if (!handsOn(owner))
    return isMade(owner);
  if (!loop->isAncestor(owner))
    return false;
  RegionBranchInverseSuccessorMapping operandsOf;
  cast<RegionBranchOpInterface>(owner).getSuccessorInputOperandMapping(operandsOf);
  for (OpOperand *operand : operandsOf[value])
    if (operand->getOwner() != loop)
      values.insert(operand->get());
    else if (operand != &getGiven())
      return false;
  return true;
}

bool CarriedNames::takePassing(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<arith::SelectOp>(user)) {
    values.insert(user->getResult(0));
    return true;
  }
  auto owner =
      dyn_cast<RegionBranchOpInterface>(isa<scf::YieldOp, scf::ConditionOp>(user) ? user->getParentOp() : user);
  if (!owner || !handsOn(owner))
    return false;
  RegionBranchSuccessorMapping inputsOf;
  owner.getSuccessorOperandInputMapping(inputsOf);
  auto inputs = inputsOf.find(&use);
  if (inputs == inputsOf.end())
    return false;
  values.insert_range(inputs->second);
  return true;
}

bool CarriedNames::hasOneOfEach() const {
  auto count = [&](auto of) { return llvm::count_if(of, [&](Value value) { return values.contains(value); }); };
  return llvm::all_of(values, [&](Value value) {
    Operation *owner = getOwner(value);
    if (!handsOn(owner))
      return true;
    for (Region &region : owner->getRegions()) {
      Operation *end = region.front().getTerminator();
      if (count(end->getOperands()) != 1 || (!isa<scf::IfOp>(owner) && count(region.getArguments()) != 1))
        return false;
    }
    return count(owner->getResults()) == 1;
  });
}

ArrayRef<Value> CarriedNames::getNumbers(Value name) const {
  auto known = numbers.find(name);
  assert(known != numbers.end() && "a name without numbers");
  return known->second;
}

void CarriedNames::rename(Value name, Value other) {
  llvm::SmallSetVector<Value, 8> renamed;
  for (Value value : values)
    renamed.insert(value == name ? other : value);
  values = renamed;
  if (auto known = numbers.find(name); known != numbers.end())
    numbers[other] = SmallVector<Value, 2>(known->second);
  name.replaceAllUsesWith(other);
}

void CarriedNames::addNumbers(ValueRange initial, function_ref<SmallVector<Value>(Value)> ofMade,
                              function_ref<void(Value, Value)> onRename) {
  SmallVector<Operation *> owners; // those around others first
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (handsOn(op) && llvm::any_of(values, [&](Value value) { return getOwner(value) == op; }))
      owners.push_back(op);
  });
  for (Operation *&op : owners)
    op = addResults(op, initial, onRename);
  loop = owners.front();
  // In the order of the program: a select has the numbers of what stands before it.
  loop->walk([&](Operation *op) {
    if (handsOn(op) || op->getNumResults() != 1 || !values.contains(op->getResult(0)))
      return;
    Value name = op->getResult(0);
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!select)
      return setNumbers(name, ofMade(name));
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    SmallVector<Value> chosen;
    for (auto [one, other] : llvm::zip_equal(SmallVector<Value>(getNumbers(select.getTrueValue())),
                                             SmallVector<Value>(getNumbers(select.getFalseValue()))))
      chosen.push_back(arith::SelectOp::create(builder, op->getLoc(), select.getCondition(), one, other));
    setNumbers(name, chosen);
  });
  for (Operation *op : owners)
    handNumbersOn(op);
}

/// Gives a loop or a branch more results, and a loop more to carry; which numbers these are is said later.
Operation *CarriedNames::addResults(Operation *op, ValueRange initial, function_ref<void(Value, Value)> onRename) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, initial.getTypes());
  Operation *longer;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    longer = scf::IfOp::create(builder, loc, types, branch.getCondition(), /*addThenBlock=*/false,
                               /*addElseBlock=*/false);
  } else {
    SmallVector<Value> inits(cast<LoopLikeOpInterface>(op).getInits());
    llvm::append_range(inits, initial);
    if (auto counted = dyn_cast<scf::ForOp>(op)) {
      longer = scf::ForOp::create(builder, loc, counted.getLowerBound(), counted.getUpperBound(), counted.getStep(),
                                  inits, [](OpBuilder &, Location, Value, ValueRange) {});
      longer->getRegion(0).front().erase();
    } else {
      longer = scf::WhileOp::create(builder, loc, types, inits);
    }
  }
  longer->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  auto setLast = [&](auto of, ValueRange last) {
    for (Value value : of)
      if (values.contains(value))
        setNumbers(value, last);
  };
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), longer->getRegions())) {
    to.takeBody(from);
    if (isa<scf::IfOp>(op))
      continue;
    SmallVector<Value> added;
    for (Value number : initial)
      added.push_back(to.front().addArgument(number.getType(), loc));
    setLast(to.getArguments(), added);
  }
  for (auto [result, other] : llvm::zip(op->getResults(), longer->getResults())) {
    if (!values.contains(result)) {
      result.replaceAllUsesWith(other);
      continue;
    }
    onRename(result, other);
    rename(result, other);
    setNumbers(other, longer->getResults().take_back(initial.size()));
  }
  op->erase();
  return longer;
}

/// The numbers of what a loop is given, and of what the ends of a loop or branch hand on.
void CarriedNames::handNumbersOn(Operation *op) {
  if (auto inner = dyn_cast<LoopLikeOpInterface>(op); inner && op != loop) {
    MutableArrayRef<OpOperand> inits = inner.getInitsMutable();
    for (OpOperand &given : inits)
      if (values.contains(given.get())) {
        ArrayRef<Value> of = getNumbers(given.get());
        for (auto [last, number] : llvm::zip_equal(inits.take_back(of.size()), of))
          last.set(number);
        break;
      }
  }
  for (Region &region : op->getRegions()) {
    Operation *end = region.front().getTerminator();
    for (Value value : SmallVector<Value>(end->getOperands()))
      if (values.contains(value))
        end->insertOperands(end->getNumOperands(), getNumbers(value));
  }
}

} // namespace npcc

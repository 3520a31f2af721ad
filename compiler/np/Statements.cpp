#include "compiler/np/Statements.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
using namespace np;

Value getNamed(Value array) {
  while (isa_and_nonnull<ViewOp, ReshapeOp>(array.getDefiningOp()))
    array = array.getDefiningOp()->getOperand(0);
  return array;
}

/// The operations that use an array by any of its names.
static SmallVector<Operation *> getUsers(Value root) {
  SmallVector<Operation *> users;
  SmallVector<Value> names{root};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      users.push_back(user);
      if (isa<ViewOp, ReshapeOp>(user))
        names.push_back(user->getResult(0));
    }
  return users;
}

bool Statements::isOwn(Value root) {
  return isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()) && root.getParentBlock() == loop.getBody();
}

SmallVector<Operation *> Statements::getWriters(Value root) {
  llvm::SetVector<Operation *> writers;
  for (Operation *user : getUsers(root))
    if (!isa<ViewOp, ReshapeOp, DimOp, LoadOp>(user))
      writers.insert(loop.getBody()->findAncestorOpInBlock(*user));
  return writers.takeVector();
}

bool Statements::takeValue(Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp(); // none: what the loop carries
  return op && take(op);
}

/// `array` is read inside of the statement `at`.
bool Statements::takeRead(Value array, Operation *at) {
  Value root = getNamed(array);
  if (loop.isDefinedOutsideOfLoop(root))
    return !mayWriteTo(loop, root, general);
  if (isOwn(root))
    return takeContents(root, at);
  // Or the statement makes it itself.
  return isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()) && at->isProperAncestor(root.getDefiningOp());
}

/// Whether a condition is about elements and parameters, which decide about no access.
static bool isOfNumbers(Value condition) {
  if (condition.getType().isIndex())
    return false;
  Operation *op = condition.getDefiningOp();
  return !op || isa<LoadOp>(op) || (op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), isOfNumbers));
}

bool Statements::takeCheck(Operation *check, Operation *at) {
  checking.insert(at);
  if (auto index = dyn_cast<CheckIndexOp>(check)) {
    checkedExtents.insert(index.getSize());
    return loop.isDefinedOutsideOfLoop(index.getSize());
  }
  return isOfNumbers(cast<AssertOp>(check).getCondition());
}

bool Statements::takeContents(Value root, Operation *at) {
  if (!isOwn(root) || !take(root.getDefiningOp()))
    return !(hasFailed = true);
  Operation *place = loop.getBody()->findAncestorOpInBlock(*at);
  return llvm::all_of(getWriters(root), [&](Operation *writer) {
    return writer && (writer == place || !writer->isBeforeInBlock(place) || take(writer));
  });
}

bool Statements::take(Operation *op) {
  if (hasFailed || op->getBlock() != loop.getBody())
    return !(hasFailed = true);
  if (!taken.insert(op))
    return true;
  auto found = op->walk([&](Operation *inner) {
    bool can = false;
    if (auto load = dyn_cast<LoadOp>(inner))
      can = takeRead(load.getArray(), op);
    else if (auto store = dyn_cast<StoreOp>(inner))
      can = !loop.isDefinedOutsideOfLoop(getNamed(store.getArray())) && takeRead(store.getArray(), op);
    else if (isa<AssertOp, CheckIndexOp>(inner))
      can = takeCheck(inner, op);
    else if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(inner))
      can = llvm::none_of(inner->getResultTypes(), llvm::IsaPred<ArrayType>); // other names of arrays
    else
      can = isa<NewOp, EmptyOp, DimOp, scf::YieldOp, scf::ConditionOp>(inner) || isPure(inner);
    // Operands from around the statement.
    can = can && llvm::all_of(inner->getOperands(), [&](Value operand) {
            Operation *around = operand.getParentBlock()->getParentOp();
            return (around != loop && op->isAncestor(around)) || takeValue(operand);
          });
    return can ? WalkResult::advance() : WalkResult::interrupt();
  });
  hasFailed |= found.wasInterrupted();
  return !hasFailed;
}

SmallVector<Operation *> Statements::inOrder() {
  SmallVector<Operation *> ops(taken.begin(), taken.end());
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// The position that an index means, which may count from the end, or the axis' beginning where it is outside.
static Value emitInside(OpBuilder &builder, Location loc, Value index, Value size) {
  using Predicate = arith::CmpIPredicate;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isNegative = arith::CmpIOp::create(builder, loc, Predicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(builder, loc, index, size);
  Value position = arith::SelectOp::create(builder, loc, isNegative, fromEnd, index);
  Value isInside = arith::CmpIOp::create(builder, loc, Predicate::ult, position, size);
  return arith::SelectOp::create(builder, loc, isInside, position, zero);
}

/// A copy goes on where the statement would raise an exception.
static void dropChecks(Operation *copy) {
  copy->walk([](AssertOp check) { check.erase(); });
  copy->walk([](CheckIndexOp check) {
    OpBuilder builder(check);
    check.replaceAllUsesWith(emitInside(builder, check.getLoc(), check.getPosition(), check.getSize()));
    check.erase();
  });
}

SmallVector<Value> Statements::getArrays() {
  SmallVector<Value> arrays;
  for (Operation *op : inOrder())
    if (isa<NewOp, EmptyOp>(op))
      arrays.push_back(op->getResult(0));
  return arrays;
}

void Statements::emit(IRMapping &known, OpBuilder &builder) {
  for (Operation *op : inOrder()) {
    if (op->getNumResults() != 1 || !known.contains(op->getResult(0))) {
      if (auto check = dyn_cast<CheckIndexOp>(op))
        known.map(check.getResult(), emitInside(builder, check.getLoc(), known.lookupOrDefault(check.getPosition()),
                                                known.lookupOrDefault(check.getSize())));
      else if (Operation *copy = builder.clone(*op, known); checking.contains(op))
        dropChecks(copy);
      continue;
    }
    // An array from outside takes the place of an own one.
    if (auto made = dyn_cast<NewOp>(op))
      StoreOp::create(builder, made.getLoc(), known.lookupOrDefault(made.getValue()), known.lookup(made.getArray()));
  }
}

void Statements::eraseUnused() {
  llvm::SetVector<Operation *> needed = checking;
  auto isOther = [&](Operation *user) {
    Operation *statement = loop.getBody()->findAncestorOpInBlock(*user);
    return !statement || !taken.contains(statement);
  };
  for (Operation *op : taken)
    if (llvm::any_of(op->getUsers(), isOther))
      needed.insert(op);
  for (size_t k = 0; k < needed.size(); ++k)
    needed[k]->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Value root = isa<ArrayType>(operand.getType()) ? getNamed(operand) : operand;
        for (Value value : {operand, root})
          if (Operation *made = value.getDefiningOp(); made && taken.contains(made))
            needed.insert(made);
        if (isa<ArrayType>(root.getType()) && isOwn(root))
          for (Operation *writer : getWriters(root))
            if (taken.contains(writer))
              needed.insert(writer);
      }
    });
  SmallVector<Operation *> ops = inOrder();
  for (Operation *op : llvm::reverse(ops))
    if (!needed.contains(op))
      op->erase();
  forget();
}

} // namespace npcc

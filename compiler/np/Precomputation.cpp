#include "compiler/np/Precomputation.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
using namespace np;

static Value stripCasts(Value index) {
  while (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  return index;
}

bool isUntouchedBefore(Value array, Operation *at, bool mayLoad) {
  Block *block = array.getParentBlock();
  Operation *place = block->findAncestorOpInBlock(*at);
  SmallVector<Value> names{array};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ViewOp, ReshapeOp>(user))
        names.push_back(user->getResult(0));
      if (user == at || isa<ViewOp, ReshapeOp, DimOp>(user) || (mayLoad && isa<LoadOp>(user)))
        continue;
      Operation *mine = block->findAncestorOpInBlock(*user);
      if (!mine || !place)
        return false;
      if (mine == place) { // in the same branch, which goes on behind `at`
        Operation *inside = at->getBlock()->findAncestorOpInBlock(*user);
        if (!inside || !at->isBeforeInBlock(inside))
          return false;
      } else if (mine->isBeforeInBlock(place)) {
        return false;
      }
    }
  return true;
}

bool Precomputation::dependsOnPosition(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return false;
  if (auto found = moving.find(value); found != moving.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool isStored = false; // what an iteration stores into an array of its own
  if (auto load = dyn_cast_if_present<LoadOp>(op))
    if (Value root = getNamed(load.getArray()); !loop.isDefinedOutsideOfLoop(root))
      isStored = !root.getDefiningOp<NewOp>() || !isUntouchedBefore(root, load, /*mayLoad=*/true);
  bool depends = !op || op->getNumRegions() || isStored ||
                 llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnPosition(operand); });
  return moving[value] = depends;
}

bool Precomputation::canEmit(Value value) {
  if (auto found = emittable.find(value); found != emittable.end())
    return found->second;
  bool can = canEmitAnew(value);
  return emittable[value] = can;
}

/// Whether an index is the loop's position, which does not count from the end.
bool Precomputation::isPosition(Value index) {
  APInt first;
  return stripCasts(index) == loop.getInductionVar() && matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) &&
         !first.isNegative();
}

llvm::SmallBitVector Precomputation::getOwnAxes(Value array, Value root) {
  llvm::SmallBitVector own(getRank(root.getType()));
  ViewOp view; // the first one, which may have others, and reshapes, behind it
  for (Value name = array; name != root; name = name.getDefiningOp()->getOperand(0))
    view = name.getDefiningOp<ViewOp>();
  if (!view)
    return own;
  for (auto [axis, offset] : llvm::enumerate(view.getOffsets())) {
    auto check = offset.getDefiningOp<CheckIndexOp>();
    own[axis] = isPosition(check ? check.getPosition() : offset) && !llvm::is_contained(view.getAxes(), axis);
  }
  return own;
}

bool Precomputation::isChangedByItsIterationOnly(Value array, Value root, Operation *at) {
  llvm::SmallBitVector own = getOwnAxes(array, root);
  auto found = loop.getBody()->walk([&](Operation *op) {
    if (op->getNumRegions() || !mayWriteTo(op, root, general))
      return WalkResult::advance();
    auto store = dyn_cast<StoreOp>(op);
    if (!store || getNamed(store.getArray()) != root ||
        !at->isBeforeInBlock(loop.getBody()->findAncestorOpInBlock(*store)))
      return WalkResult::interrupt();
    own &= getOwnAxes(store.getArray(), root);
    return WalkResult::advance();
  });
  return !general && !found.wasInterrupted() && own.any();
}

bool Precomputation::canEmitAnew(Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return op && statements.take(op);
  if (auto load = dyn_cast<LoadOp>(op))
    return canEmitContents(load.getArray(), load) &&
           (!statements.has(getNamed(load.getArray())) || statements.take(load)); // before others store there
  if (auto check = dyn_cast<CheckIndexOp>(op)) {
    if (!isPosition(check.getPosition()) || !isInvariant(check.getSize()))
      return statements.take(check);
    limits.push_back(check.getSize());
    return true;
  }
  return isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return canEmit(operand); });
}

bool Precomputation::canEmitContents(Value array, Operation *at) {
  Value root = getNamed(array);
  for (Value name = array; name != root; name = name.getDefiningOp()->getOperand(0))
    for (Value number : name.getDefiningOp()->getOperands().drop_front())
      if (!canEmit(number))
        return false;
  if (loop.isDefinedOutsideOfLoop(root))
    return !mayWriteTo(loop, root, general) || isChangedByItsIterationOnly(array, root, at);
  auto made = root.getDefiningOp<NewOp>();
  if (made && isUntouchedBefore(root, at, /*mayLoad=*/true) && canEmit(made.getValue()))
    return true;
  return statements.takeContents(root, at);
}

Value Precomputation::emit(Value value, IRMapping &known, OpBuilder &builder) {
  if (Value made = known.lookupOrNull(value))
    return made;
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  Value result;
  if (auto load = dyn_cast<LoadOp>(op)) {
    result = emitContents(load.getArray(), known, builder);
  } else if (auto check = dyn_cast<CheckIndexOp>(op)) {
    result = emit(check.getPosition(), known, builder);
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emit(operand, known, builder));
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    result = copy->getResult(cast<OpResult>(value).getResultNumber());
  }
  known.map(value, result);
  return result;
}

Value Precomputation::emitContents(Value array, IRMapping &known, OpBuilder &builder) {
  Location loc = array.getLoc();
  Value root = getNamed(array);
  if (loop.isDefinedOutsideOfLoop(root) || statements.has(root))
    return LoadOp::create(builder, loc, emit(array, known, builder));
  if (array == root)
    return emit(root.getDefiningOp<NewOp>().getValue(), known, builder);
  // The same names, of a value.
  Operation *name = array.getDefiningOp();
  SmallVector<Value> operands{emitContents(name->getOperand(0), known, builder)};
  for (Value number : name->getOperands().drop_front())
    operands.push_back(emit(number, known, builder));
  Operation *copy = builder.clone(*name);
  copy->setOperands(operands);
  copy->getResult(0).setType(RankedTensorType::get(getShape(array.getType()), getElementType(array.getType())));
  return copy->getResult(0);
}

} // namespace npcc

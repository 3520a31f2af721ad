#include "compiler/np/Alternation.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
using namespace np;

// The body is there twice.
static constexpr int64_t mostStores = 16;

static bool hasStoresOrBranches(Region &region) {
  return region
      .walk([](Operation *op) {
        bool isOne = op->getNumRegions() || isa<StoreOp, StoreMaskedOp>(op);
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The block with the stores: of a rotated `while` it ends with the condition.
static Block *getIteration(Operation *loop) {
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  if (conditional && hasStoresOrBranches(conditional.getBefore()))
    return conditional.getBeforeBody();
  return &loop->getRegions().back().front();
}

Alternation::Alternation(Operation *loop, ExtentOrigins &origins)
    : loop(loop), body(getIteration(loop)), origins(origins), loc(loop->getLoc()) {}

bool Alternation::isRotated() { return isa<scf::WhileOp>(loop) && body == cast<scf::WhileOp>(loop).getBeforeBody(); }

Value getAccessed(Operation *access) {
  auto load = dyn_cast<LoadOp>(access);
  return load ? load.getArray() : access->getOperands().back();
}

bool Alternation::collectAccesses() {
  for (Operation &op : body->without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      loads.push_back(load);
    } else if (isa<StoreOp, StoreMaskedOp>(op)) {
      stores.push_back(&op);
    } else if (isa<AssertOp, CheckIndexOp, BroadcastExtentOp>(op)) {
      if (!llvm::all_of(op.getOperands(), [&](Value operand) { return canHoist(operand); }))
        return false;
      if (!stores.empty())
        lateChecks.push_back(&op);
    } else if (op.getNumRegions() || getElementCost(&op) == ElementCost::Whole ||
               (!isPure(&op) && !isa<NewOp, EmptyOp, DimOp>(op))) {
      return false;
    }
  }
  return !stores.empty() && int64_t(stores.size()) <= mostStores;
}

bool Alternation::canHandOn() {
  auto isNumber = [](Type type) {
    auto value = dyn_cast<RankedTensorType>(type);
    return value ? value.getRank() == 0 && !value.getElementType().isUnsignedInteger() : type.isIntOrIndexOrFloat();
  };
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return counted.getInductionVar().getType().isIndex() && llvm::all_of(counted.getResultTypes(), isNumber);
  auto conditional = cast<scf::WhileOp>(loop);
  Region &other = isRotated() ? conditional.getAfter() : conditional.getBefore();
  return llvm::all_of(conditional.getInits().getTypes(), isNumber) &&
         llvm::all_of(conditional.getResultTypes(), isNumber) && !hasStoresOrBranches(other);
}

bool Alternation::isPlain(Value array, bool isRoot) {
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewOp>(user))
      return isRoot && isPlain(view.getResult(), /*isRoot=*/false);
    // Other names of the same elements that are made before the loop: parts, reshapes.
    if (!loop->isProperAncestor(user))
      return llvm::none_of(user->getResults(), [&](Value other) {
        return isa<ArrayType>(other.getType()) && getRoot(other) == getRoot(array);
      });
    bool isStored = (isa<StoreOp>(user) || (isa<StoreMaskedOp>(user) && isRoot)) &&
                    use.getOperandNumber() + 1 == user->getNumOperands();
    return user->getBlock() == body && (isa<LoadOp, DimOp>(user) || isStored);
  });
}

bool Alternation::coversNearly(StoreOp store, Value root) {
  auto view = store.getArray().getDefiningOp<ViewOp>();
  if (!view)
    return true;
  if (view.getSource() != root) // a part of a reshape: of other axes
    return false;
  for (auto [k, axis] : llvm::enumerate(view.getAxes())) {
    if (axis != int64_t(k) || !matchPattern(view.getSteps()[k], m_One()))
      return false;
    Value extent = view.getExtents()[k];
    if (auto most = extent.getDefiningOp<arith::MaxSIOp>(); most && matchPattern(most.getRhs(), m_Zero()))
      extent = most.getLhs();
    APInt less;
    if (auto difference = extent.getDefiningOp<arith::SubIOp>();
        difference && matchPattern(difference.getRhs(), m_ConstantInt(&less)) && less.sle(8))
      extent = difference.getLhs();
    else if (auto sum = extent.getDefiningOp<arith::AddIOp>();
             sum && matchPattern(sum.getRhs(), m_ConstantInt(&less)) && less.isNegative() && less.sge(-8))
      extent = sum.getLhs();
    ExtentOrigin whole = origins.of(root, axis), own = origins.ofIndex(extent);
    bool isNear = whole.constant >= 0 && own.constant >= 0 && whole.constant - own.constant <= 8;
    if (!isNear && !(whole == own))
      return false;
  }
  return int64_t(view.getAxes().size()) == getRank(root.getType());
}

/// Whether the value is computed of a load, in the body, also by way of an array that the body makes.
static bool isComputedOf(Value value, LoadOp load, Block *body, llvm::SmallDenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (op == load)
    return true;
  if (!op || op->getBlock() != body || !seen.insert(value).second)
    return false;
  if (auto other = dyn_cast<LoadOp>(op)) {
    auto made = getRoot(other.getArray()).getDefiningOp<NewOp>();
    return made && isComputedOf(made.getValue(), load, body, seen);
  }
  return llvm::any_of(op->getOperands(), [&](Value operand) { return isComputedOf(operand, load, body, seen); });
}

/// A load along as many axes that overlaps what is stored behind it, of other elements or of all of them, and that the
/// stored value needs: what goes through another array on the way is read from there.
bool Alternation::readsElsewhere(Value root, StoreOp store) {
  return llvm::any_of(loads, [&](LoadOp load) {
    llvm::SmallDenseSet<Value> seen;
    return getRoot(load.getArray()) == root && load->isBeforeInBlock(store) &&
           countMovingAxes(load.getArray()) == getRank(root.getType()) &&
           !isSameRegion(load.getArray(), store.getArray()) && mayOverlap(load.getArray(), store.getArray(), false) &&
           isComputedOf(store.getValue(), load, body, seen);
  });
}

bool Alternation::gains(Value root) {
  return llvm::any_of(stores, [&](Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    return store && getRoot(store.getArray()) == root && coversNearly(store, root) && readsElsewhere(root, store);
  });
}

bool Alternation::canHoist(Value value) {
  if (isOutside(value))
    return true;
  Operation *op = value.getDefiningOp();
  bool isNumber = op && value.getType().isIntOrIndexOrFloat() && op->getNumRegions() == 0;
  return isNumber && (isPure(op) || isa<CheckIndexOp, BroadcastExtentOp, DimOp>(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isa<DimOp>(op) ? isOutside(operand) : canHoist(operand); });
}

void Alternation::require(OpBuilder &at, Value condition) {
  isFine = isFine ? arith::AndIOp::create(at, loc, isFine, condition).getResult() : condition;
}

Value Alternation::hoist(OpBuilder &at, Value value) {
  if (isOutside(value))
    return value;
  if (Value known = hoisted.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  using P = arith::CmpIPredicate;
  if (auto check = dyn_cast<CheckIndexOp>(op)) {
    Value position = hoist(at, check.getPosition()), size = hoist(at, check.getSize());
    Value zero = arith::ConstantIndexOp::create(at, loc, 0);
    Value fromEnd = at.createOrFold<arith::AddIOp>(loc, position, size),
          isNegative = at.createOrFold<arith::CmpIOp>(loc, P::slt, position, zero),
          inside = at.createOrFold<arith::SelectOp>(loc, isNegative, fromEnd, position);
    require(at, arith::CmpIOp::create(at, loc, P::ult, inside, size));
    hoisted.map(value, inside);
  } else if (auto meet = dyn_cast<BroadcastExtentOp>(op)) {
    Value lhs = hoist(at, meet.getLhs()), rhs = hoist(at, meet.getRhs());
    if (lhs != rhs)
      require(at, arith::CmpIOp::create(at, loc, P::eq, lhs, rhs));
    hoisted.map(value, rhs);
  } else {
    for (Value operand : op->getOperands())
      if (Value known = hoist(at, operand); known != operand)
        hoisted.map(operand, known);
    at.clone(*op, hoisted);
  }
  return hoisted.lookup(value);
}

bool Alternation::isPossible() {
  if (!canHandOn() || !collectAccesses())
    return false;
  SmallVector<Value> roots; // of all that is accessed
  for (Operation *op : llvm::concat<Operation *>(SmallVector<Operation *>(loads.begin(), loads.end()), stores)) {
    Value root = getRoot(getAccessed(op));
    if (isOutside(root) && !llvm::is_contained(roots, root))
      roots.push_back(root);
  }
  for (Value root : roots) {
    bool isAlone = llvm::none_of(roots, [&](Value other) { return other != root && mayAlias(root, other, false); });
    if (isAlone && gains(root) && isPlain(root, /*isRoot=*/true))
      arrays.insert(root);
  }
  return !arrays.empty();
}

} // namespace npcc

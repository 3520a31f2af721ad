#include "compiler/kernels/RepeatedValues.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc {
using namespace np;

static bool isInLoopBelow(Operation *user, Block *block) {
  for (Operation *parent = user; parent && parent->getBlock() != block;) {
    parent = parent->getParentOp();
    if (isa_and_nonnull<LoopLikeOpInterface>(parent))
      return true;
  }
  return false;
}

/// Whether the user takes one element of it as a position: np.view, np.item, arith.index_cast.
static bool takesPosition(Operation *user) {
  auto view = dyn_cast<ViewOp>(user);
  return view && getRank(view.getType()) == 0 && llvm::any_of(view->getUsers(), [](Operation *item) {
           return isa<ItemOp>(item) && llvm::any_of(item->getUsers(), llvm::IsaPred<arith::IndexCastOp>);
         });
}

/// Operations of an element, as code that is not vectorised runs them. NumPy's conversion of a float to an integer
/// looks at the float first.
static int64_t countScalarWork(Value value, int64_t most) {
  constexpr int64_t ofConversion = 4;
  Operation *producer = value.getDefiningOp();
  if (!producer || isa<LoadOp>(producer))
    return 0;
  auto cast = dyn_cast<CastOp>(producer);
  bool converts = cast && isa<FloatType>(getElementType(cast.getInput().getType())) &&
                  isa<IntegerType>(getElementType(cast.getType()));
  int64_t work = converts ? ofConversion : isa<UfuncOp, CastOp>(producer);
  for (Value operand : producer->getOperands())
    if (work < most && isa<RankedTensorType>(operand.getType()))
      work += countScalarWork(operand, most - work);
  return work;
}

/// Positions that a loop of the host goes to, where they are much work: neither the loop nor what is computed in it
/// is vectorised.
static bool arePositions(Value value, Block *block) {
  constexpr int64_t muchWork = 4;
  if (!getTargetProperties(value.getDefiningOp()).hostSharesMemory)
    return false;
  bool isTaken = llvm::any_of(value.getUsers(),
                              [&](Operation *user) { return isInLoopBelow(user, block) && takesPosition(user); });
  return isTaken && countScalarWork(value, muchWork) >= muchWork;
}

/// Whether an array and its transpose are read for each element, as in the sum of a matrix and its transpose: one of
/// the two is not read along its rows.
static bool readsTransposed(Value value) {
  llvm::SmallDenseSet<std::pair<Value, int>> seen;
  std::function<void(Value, bool)> follow = [&](Value at, bool isTransposed) {
    Operation *producer = at.getDefiningOp();
    if (!producer || !isa<RankedTensorType>(at.getType()) || !seen.insert({at, isTransposed}).second)
      return;
    auto view = dyn_cast<ViewOp>(producer);
    bool turns =
        view && !llvm::is_sorted(llvm::make_filter_range(view.getAxes(), [](int64_t axis) { return axis >= 0; }));
    for (Value operand : producer->getOperands())
      if (!isa<LoadOp>(producer))
        follow(operand, isTransposed != turns);
  };
  follow(value, false);
  return llvm::any_of(seen, [&](const auto &one) {
    return one.second && isa<LoadOp>(one.first.getDefiningOp()) && seen.contains({one.first, false});
  });
}

SmallVector<Value> collectValuesOfLoops(func::FuncOp function) {
  SmallVector<Value> values;
  DenseMap<Value, bool> expensive;
  function.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()) || isa<LoadOp>(op))
      return;
    Value value = op->getResult(0);
    if (llvm::none_of(value.getUsers(), [&](Operation *user) { return isInLoopBelow(user, op->getBlock()); }))
      return;
    SmallVector<TreeLoad> loads;
    collectLoads(value, loads);
    if (loads.size() > 1 || isExpensive(value, expensive) || arePositions(value, op->getBlock()) ||
        readsTransposed(value))
      values.push_back(value);
  });
  return values;
}

SmallVector<Value> collectScalarsOfElements(func::FuncOp function) {
  SmallVector<Value> values;
  DenseMap<Value, bool> expensive;
  function.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()) ||
        getRank(op->getResult(0).getType()) || isa<LoadOp>(op))
      return;
    bool isStretched = llvm::any_of(op->getUsers(), [](Operation *user) {
      return user->getNumResults() == 1 && isa<RankedTensorType>(user->getResult(0).getType()) &&
             getRank(user->getResult(0).getType());
    });
    if (isStretched && isExpensive(op->getResult(0), expensive))
      values.push_back(op->getResult(0));
  });
  return values;
}

/// Whether rows repeat the value: an axis that is stretched stands before one that is not.
static bool repeatsRows(BroadcastOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSource().getType());
  int64_t added = getRank(op.getType()) - int64_t(shape.size());
  bool isStretched = false;
  for (int64_t axis = 0; axis < getRank(op.getType()); ++axis) {
    bool isRepeated = axis < added || shape[axis - added] == 1;
    if (isStretched && !isRepeated)
      return true;
    std::optional<int64_t> few = getConstantIntValue(op.getExtents()[axis]);
    isStretched |= isRepeated && !(few && *few <= fewElements);
  }
  return false;
}

SmallVector<Value> collectStretchedRows(func::FuncOp function) {
  constexpr int64_t leastElements = int64_t(1) << 16;
  FirstCall first(function);
  SmallVector<Value> values;
  DenseMap<Value, bool> expensive;
  function.walk([&](BroadcastOp op) {
    if (!repeatsRows(op) || !isExpensive(op.getSource(), expensive))
      return;
    int64_t elements = 1;
    for (Value extent : op.getExtents()) {
      IntegerAttr known = first.evaluate(extent);
      elements =
          !known || elements < 0 ? -1 : std::min(elements * std::min(known.getInt(), leastElements), leastElements);
    }
    bool isLittle = elements >= 0 && elements < leastElements && getTargetProperties(function).launchesAreCostly;
    if (!isLittle && !llvm::is_contained(values, op.getSource()))
      values.push_back(op.getSource());
  });
  return values;
}

} // namespace npcc

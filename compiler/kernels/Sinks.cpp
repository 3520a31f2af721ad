// Where values go to memory, and which of these places share a kernel.
#include "compiler/kernels/Sinks.h"
#include "compiler/explain/Remarks.h"
#include "compiler/memory/Region.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

bool isSink(Operation *op) { return isa<NewOp, StoreOp, StoreMaskedOp>(op); }

Value getStoredValue(Operation *sink) {
  Value value = sink->getOperand(0);
  return isa<RankedTensorType>(value.getType()) ? value : Value();
}

Value getWrittenArray(Operation *sink) {
  return isa<NewOp>(sink) ? sink->getResult(0) : sink->getOperands().back();
}

bool isOpaque(Operation *op) { return op && getElementCost(op) == ElementCost::Whole; }

static void collect(Value value, bool aligned, SmallVectorImpl<TreeLoad> &loads, llvm::SmallDenseSet<std::pair<Value, int>> &seen) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !isa<RankedTensorType>(value.getType()) || !seen.insert({value, aligned}).second)
    return;
  if (auto load = dyn_cast<LoadOp>(producer)) {
    loads.push_back({load, aligned});
    return;
  }
  for (OpOperand &operand : producer->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      collect(operand.get(), aligned && np::keepsPosition(operand), loads, seen);
}

void collectLoads(Value value, SmallVectorImpl<TreeLoad> &loads) {
  llvm::SmallDenseSet<std::pair<Value, int>> seen;
  collect(value, true, loads, seen);
}

void collectSinkLoads(Operation *sink, SmallVectorImpl<TreeLoad> &loads) {
  if (Value value = getStoredValue(sink))
    collectLoads(value, loads);
  if (auto masked = dyn_cast<StoreMaskedOp>(sink)) {
    size_t first = loads.size();
    collectLoads(masked.getMask(), loads);
    // A mask of fewer axes is read at other positions.
    if (getRank(masked.getMask().getType()) != getRank(masked.getArray().getType()))
      for (TreeLoad &load : llvm::MutableArrayRef(loads).drop_front(first))
        load.aligned = false;
  }
}

/// Whether what is computed of a NumPy scalar's value takes more than code that all elements have in common.
static bool needsKernel(Value scalar, llvm::SmallDenseSet<Value> &seen) {
  Operation *producer = scalar.getDefiningOp();
  if (!producer || isa<LoadOp>(producer) || !seen.insert(scalar).second)
    return false;
  if (getElementCost(producer) >= ElementCost::Walk || getRank(scalar.getType()) > 0)
    return true;
  return llvm::any_of(producer->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) && needsKernel(operand, seen);
  });
}

bool isExpensive(Value value, llvm::DenseMap<Value, bool> &known) {
  Operation *producer = value.getDefiningOp();
  if (!producer || isa<LoadOp>(producer))
    return false;
  if (getElementCost(producer) > ElementCost::Cheap)
    return true;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  bool hasAxes = getRank(value.getType()) > 0;
  bool isExpensiveBelow = llvm::any_of(producer->getOperands(), [&](Value operand) {
    if (!isa<RankedTensorType>(operand.getType()))
      return false;
    llvm::SmallDenseSet<Value> seen;
    return hasAxes && getRank(operand.getType()) == 0 ? needsKernel(operand, seen) : isExpensive(operand, known);
  });
  known[value] = isExpensiveBelow;
  return isExpensiveBelow;
}
bool isExpensive(Value value) {
  llvm::DenseMap<Value, bool> known;
  return isExpensive(value, known);
}

bool isBranch(UfuncOp op) {
  llvm::DenseMap<Value, bool> known;
  return isBranch(op, known);
}
bool isBranch(UfuncOp op, llvm::DenseMap<Value, bool> &known) {
  if (op.getName() != Ufunc::where || getRank(op.getType()) == 0)
    return false;
  Value mask = op.getInputs()[0];
  bool isConstant = false;
  if (auto view = mask.getDefiningOp<ViewOp>())
    isConstant = !view.getAxes().empty() && view.getAxes().back() < 0;
  else if (auto broadcast = mask.getDefiningOp<BroadcastOp>())
    isConstant = getRank(broadcast.getSource().getType()) == 0 || getShape(broadcast.getSource().getType()).back() == 1;
  return isConstant && (isExpensive(op.getInputs()[1], known) || isExpensive(op.getInputs()[2], known));
}

bool keepsPosition(OpOperand &use, ExtentOrigins &origins) {
  auto broadcast = dyn_cast<BroadcastOp>(use.getOwner());
  if (!broadcast || use.get() != broadcast.getSource())
    return np::keepsPosition(use);
  if (getRank(use.get().getType()) != getRank(broadcast.getType()))
    return false;
  return llvm::all_of(llvm::enumerate(broadcast.getExtents()),
                      [&](auto axis) { return origins.of(use.get(), axis.index()) == origins.ofIndex(axis.value()); });
}

ViewOp getMove(InsertOp op) {
  auto view = op.getValue().getDefiningOp<ViewOp>();
  if (!view || view.getSource() != op.getDestination() || !getTargetProperties(op).launchesAreCostly)
    return ViewOp();
  return view;
}

bool isMovedOnly(Value value) {
  InsertOp move;
  auto isMove = [&](Operation *user) {
    auto insert = dyn_cast<InsertOp>(user);
    bool isSame = insert && insert.getDestination() == value && (!move || insert == move) && getMove(insert);
    move = isSame ? insert : move;
    return isSame;
  };
  for (Operation *user : value.getUsers()) {
    bool isView = isa<ViewOp>(user) && llvm::all_of(user->getUsers(), [&](Operation *next) { return isa<DimOp>(next) || isMove(next); });
    if (!isView && !isa<DimOp>(user) && !isMove(user))
      return false;
  }
  return bool(move);
}

//===---- Groups ---------------------------------------------------------------------------------------------------===//

namespace {
// What is compared with what is open would otherwise grow with the square of a function's length. A kernel of so many
// results gains nothing from another one.
constexpr size_t mostSinks = 64;

/// Whether a kernel that computes the value checks positions of its elements.
bool hasChecks(Value value, llvm::SmallDenseSet<Value> &seen) {
  Operation *producer = value.getDefiningOp();
  if (!producer || isa<LoadOp>(producer) || !isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
    return false;
  return isa<GatherOp>(producer) ||
         llvm::any_of(producer->getOperands(), [&](Value operand) { return hasChecks(operand, seen); });
}

/// What was found of a sink once, for all comparisons with it.
struct OpenSink {
  Operation *op;
  Value written;
  SmallVector<TreeLoad> loads;
  bool mayFail = false;

  explicit OpenSink(Operation *op) : op(op), written(getWrittenArray(op)) {
    collectSinkLoads(op, loads);
    llvm::SmallDenseSet<Value> seen;
    if (Value value = getStoredValue(op))
      mayFail = hasChecks(value, seen);
  }
};

struct OpenGroup {
  SmallVector<OpenSink> sinks;
  SmallVector<ExtentOrigin> space; // of scalars: what their reductions go over
  bool isOfScalars;
};

SmallVector<ExtentOrigin> getExtents(Value array, ExtentOrigins &origins) {
  SmallVector<ExtentOrigin> extents;
  for (int64_t axis = 0; axis < getRank(array.getType()); ++axis)
    extents.push_back(origins.of(array, axis));
  return extents;
}

/// What all reductions in a value of rank 0 go over. Nothing where it has none, where they differ, or where it holds
/// another walk.
SmallVector<ExtentOrigin> getWalk(Value scalar, ExtentOrigins &origins) {
  SmallVector<ExtentOrigin> walk;
  SmallVector<Value> open{scalar};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *producer = value.getDefiningOp();
    if (!producer || !isa<RankedTensorType>(value.getType()) || isa<LoadOp>(producer) || !seen.insert(value).second)
      continue;
    if (getElementCost(producer) >= ElementCost::Walk) {
      auto reduce = dyn_cast<ReduceOp>(producer);
      if (!reduce || getRank(reduce.getType()) > 0)
        return {};
      SmallVector<ExtentOrigin> own = getExtents(reduce.getInput(), origins);
      if (!walk.empty() && walk != own)
        return {};
      walk = std::move(own);
    }
    llvm::append_range(open, producer->getOperands());
  }
  return walk;
}

/// Why `later` may not run in the same loop as `earlier`; "" if it may.
StringRef findConflict(const OpenSink &earlier, const OpenSink &later, bool general) {
  for (TreeLoad load : later.loads)
    if (mayOverlap(load.load.getArray(), earlier.written, general))
      return "it reads what is stored there";
  // Nothing that came before names a new array.
  if (isa<NewOp>(later.op))
    return "";
  if (earlier.mayFail && Aliasing(general).mayWriteToOthers(later.op))
    return "what it stores must not be stored behind a check that has failed";
  for (TreeLoad load : earlier.loads)
    if (mayOverlap(load.load.getArray(), later.written, general) &&
        !(load.aligned && isSameRegion(load.load.getArray(), later.written)))
      return "it stores to what is read there at other positions";
  bool meet = mayOverlap(earlier.written, later.written, general) && !isSameRegion(earlier.written, later.written);
  return meet ? "both store to one array, at other positions" : "";
}

/// Whether `later` may not run in the same loop as one of those that are open.
bool conflicts(ArrayRef<OpenGroup> open, const OpenSink &later, bool general) {
  for (const OpenGroup &group : open)
    for (const OpenSink &earlier : group.sinks)
      if (StringRef reason = findConflict(earlier, later, general); !reason.empty()) {
        remarkApart(earlier.op->getLoc(), later.op->getLoc(), reason);
        return true;
      }
  return false;
}
} // namespace

SmallVector<SinkGroup> groupSinks(Block &block, bool general, ExtentOrigins &origins,
                                  const llvm::DenseSet<Operation *> &apart) {
  SmallVector<SinkGroup> done;
  SmallVector<OpenGroup> open;
  size_t openSinks = 0;
  auto closeAll = [&](Operation *before) {
    for (OpenGroup &group : open) {
      SinkGroup closed;
      for (OpenSink &sink : group.sinks)
        closed.sinks.push_back(sink.op);
      closed.end = before;
      done.push_back(std::move(closed));
    }
    open.clear();
    openSinks = 0;
  };
  for (Operation &op : block) {
    if (apart.contains(&op)) {
      closeAll(&op);
      done.push_back({{&op}, &op});
      continue;
    }
    if (isSink(&op)) {
      Value value = getStoredValue(&op);
      SmallVector<ExtentOrigin> space = getExtents(getWrittenArray(&op), origins);
      bool isScalar = space.empty();
      // Scalars whose reductions go over the same positions are found in one walk.
      if (isScalar && value && isa<NewOp>(op))
        space = getWalk(value, origins);
      bool alone = space.empty() || (value && isOpaque(value.getDefiningOp()));
      OpenSink sink(&op);
      if (alone || openSinks == mostSinks || conflicts(open, sink, general))
        closeAll(&op);
      if (alone) {
        done.push_back({{&op}, &op});
        continue;
      }
      auto fits =
          llvm::find_if(open, [&](OpenGroup &group) { return group.isOfScalars == isScalar && group.space == space; });
      if (fits == open.end()) {
        if (!open.empty())
          remarkApart(open.back().sinks.back().op->getLoc(), op.getLoc(), "it goes over other extents");
        open.push_back({{}, std::move(space), isScalar});
        fits = std::prev(open.end());
      }
      fits->sinks.push_back(std::move(sink));
      ++openSinks;
      continue;
    }
    // Values wait; whatever else touches memory, fails, or holds code finds what came before it done. Checks may go
    // before new arrays, unless these make checks themselves, whose errors come first.
    bool waits =
        op.getNumRegions() == 0 && (isMemoryEffectFree(&op) || isa<LoadOp, EmptyOp, GatherOp>(op)) && !isa<ItemOp>(op);
    bool onlyChecks =
        isa<AssertOp, CheckIndexOp, BroadcastExtentOp>(op) && llvm::all_of(open, [](OpenGroup &group) {
          return llvm::all_of(group.sinks, [](const OpenSink &sink) { return isa<NewOp>(sink.op) && !sink.mayFail; });
        });
    if (!waits && !onlyChecks)
      closeAll(&op);
  }
  closeAll(block.empty() ? nullptr : &block.back());
  return done;
}

} // namespace npcc

// Where values go to memory, and which of these places share a kernel.
#include "compiler/fuse/Sinks.h"
#include "compiler/passes/Extents.h"
#include "compiler/passes/Region.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

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

bool isOpaque(Operation *op) { return isa_and_nonnull<MatmulOp, ScanOp, CompressOp, SortOp>(op); }

static void collect(Value value, bool aligned, SmallVectorImpl<TreeLoad> &loads, llvm::SmallDenseSet<std::pair<Value, int>> &seen) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !isa<RankedTensorType>(value.getType()) || !seen.insert({value, aligned}).second)
    return;
  if (auto load = dyn_cast<LoadOp>(producer)) {
    loads.push_back({load, aligned});
    return;
  }
  bool keepsPosition = isa<UfuncOp, CastOp, arith::SelectOp>(producer);
  for (Value operand : producer->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      collect(operand, aligned && keepsPosition, loads, seen);
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

static bool isExpensive(Value value, llvm::SmallDenseSet<Value> &seen) {
  static const llvm::StringSet<> cheap = {"add",      "subtract", "multiply",     "negative",   "positive",   "absolute",   "real",
                                          "imag",     "square",   "conjugate",    "maximum",    "minimum",    "equal",      "not_equal",
                                          "less",     "less_equal", "greater",    "greater_equal", "logical_and", "logical_or",
                                          "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "where",
                                          "isnan",    "isfinite", "isinf",        "sign",       "floor",      "ceil",       "trunc", "rint"};
  Operation *producer = value.getDefiningOp();
  if (!producer || isa<LoadOp>(producer) || !seen.insert(value).second)
    return false;
  if (isa<ReduceOp, GatherOp>(producer) || isOpaque(producer))
    return true;
  if (auto ufunc = dyn_cast<UfuncOp>(producer); ufunc && !cheap.contains(ufunc.getName()))
    return true;
  // The size of a complex number is a division and a root.
  if (auto ufunc = dyn_cast<UfuncOp>(producer);
      ufunc && ufunc.getName() == "absolute" && isa<ComplexType>(getElementType(ufunc.getInputs()[0].getType())))
    return true;
  return llvm::any_of(producer->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) && isExpensive(operand, seen);
  });
}
bool isExpensive(Value value) {
  llvm::SmallDenseSet<Value> seen;
  return isExpensive(value, seen);
}

bool isBranch(UfuncOp op) {
  if (op.getName() != "where" || getRank(op.getType()) == 0)
    return false;
  Value mask = op.getInputs()[0];
  bool isConstant = false;
  if (auto view = mask.getDefiningOp<ViewOp>())
    isConstant = !view.getAxes().empty() && view.getAxes().back() < 0;
  else if (auto broadcast = mask.getDefiningOp<BroadcastOp>())
    isConstant = getRank(broadcast.getSource().getType()) == 0 || getShape(broadcast.getSource().getType()).back() == 1;
  return isConstant && (isExpensive(op.getInputs()[1]) || isExpensive(op.getInputs()[2]));
}

//===---- Groups ---------------------------------------------------------------------------------------------------===//

static SmallVector<ExtentOrigin> getSpace(Operation *sink) {
  ExtentOrigins origins(sink);
  SmallVector<ExtentOrigin> space;
  Value array = getWrittenArray(sink);
  for (int64_t axis = 0; axis < getRank(array.getType()); ++axis)
    space.push_back(origins.of(array, axis));
  return space;
}

/// May `later` not run in the same loop as `earlier`?
static bool conflict(Operation *earlier, Operation *later, bool general) {
  Value firstWritten = getWrittenArray(earlier), secondWritten = getWrittenArray(later);
  SmallVector<TreeLoad> loads;
  collectSinkLoads(later, loads);
  for (TreeLoad &load : loads)
    if (mayOverlap(load.load.getArray(), firstWritten, general))
      return true;
  loads.clear();
  collectSinkLoads(earlier, loads);
  for (TreeLoad &load : loads)
    if (mayOverlap(load.load.getArray(), secondWritten, general) &&
        !(load.aligned && isSameRegion(load.load.getArray(), secondWritten)))
      return true;
  return mayOverlap(firstWritten, secondWritten, general) && !isSameRegion(firstWritten, secondWritten);
}

SmallVector<SinkGroup> groupSinks(Block &block, bool general) {
  SmallVector<SinkGroup> done, open;
  auto closeAll = [&](Operation *before) {
    for (SinkGroup &group : open) {
      group.end = before;
      done.push_back(std::move(group));
    }
    open.clear();
  };
  for (Operation &op : block) {
    if (isSink(&op)) {
      bool alone = getRank(getWrittenArray(&op).getType()) == 0;
      if (Value value = getStoredValue(&op))
        alone = alone || isOpaque(value.getDefiningOp());
      if (alone || llvm::any_of(open, [&](SinkGroup &group) {
            return llvm::any_of(group.sinks, [&](Operation *earlier) { return conflict(earlier, &op, general); });
          }))
        closeAll(&op);
      SmallVector<ExtentOrigin> space = getSpace(&op);
      auto fits = llvm::find_if(open, [&](SinkGroup &group) { return getSpace(group.sinks.front()) == space; });
      if (alone) {
        done.push_back({{&op}, &op});
      } else if (fits != open.end()) {
        fits->sinks.push_back(&op);
      } else {
        open.push_back({{&op}, nullptr});
      }
      continue;
    }
    // Values wait; whatever else touches memory, fails, or holds code finds what came before it done.
    bool waits = op.getNumRegions() == 0 && (isPure(&op) || isa<LoadOp, EmptyOp, GatherOp>(op)) && !isa<ItemOp>(op);
    bool onlyChecks = isa<AssertOp, CheckIndexOp, BroadcastExtentOp>(op) &&
                      llvm::all_of(open, [](SinkGroup &group) {
                        return llvm::all_of(group.sinks, [](Operation *sink) { return isa<NewOp>(sink); });
                      });
    if (!waits && !onlyChecks)
      closeAll(&op);
  }
  closeAll(block.empty() ? nullptr : &block.back());
  return done;
}

} // namespace npcc

#include "compiler/np/SplitRows.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
namespace npcc {
using namespace np;

bool SplitRows::isSplit(Value value) { return getRank(value.getType()) > 0 && origins.of(value, 0) == axis; }

LogicalResult SplitRows::chooseAxis() {
  for (Value argument : function.getArguments())
    if (getRank(argument.getType()) > 0) {
      axis = origins.of(argument, 0);
      first = argument;
      return success();
    }
  return function.emitError("cannot be distributed: it has no array argument");
}

void SplitRows::collect() {
  llvm::SmallSetVector<Value, 8> tiles;
  function.walk([&](Operation *op) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (isSplit(reduce.getInput()) && reduce.getAxes().front() == 0)
        reductions.push_back(reduce);
    } else if (isa<NewOp>(op)) {
      if (isSplit(op->getResult(0)))
        sinks.push_back(op);
    } else if (isa<StoreOp, StoreMaskedOp>(op)) {
      Value root = getRoot(op->getOperands().back());
      if (isSplit(root)) {
        sinks.push_back(op);
        if (isArgument(root))
          tiles.insert(root);
      }
    } else if (isa<EmptyOp>(op) && isSplit(op->getResult(0))) {
      tiles.insert(op->getResult(0));
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [inside, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
        if (isa<ArrayType>(inside.getType()) && isSplit(inside)) {
          carried.push_back(inside);
          if (isArgument(getRoot(init)))
            tiles.insert(getRoot(init));
        }
      for (Value result : loop.getResults())
        if (isa<ArrayType>(result.getType()) && isSplit(result))
          carried.push_back(result);
    }
  });
  roots.assign(tiles.begin(), tiles.end());
  for (Value root : roots)
    for (Operation *sink : sinks)
      if (isArgument(root) && !isa<NewOp>(sink) &&
          mayAlias(sink->getOperands().back(), root, function->hasAttr("np.general")))
        written.insert(root);
}

bool SplitRows::isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &function.getBody().front();
}

std::optional<int64_t> SplitRows::getFirstRow(Value array) {
  auto view = array.getDefiningOp<ViewOp>();
  if (!view)
    return 0;
  APInt offset;
  if (getRoot(array) != view.getSource() || view.getAxes().empty() || view.getAxes().front() != 0 ||
      !matchPattern(view.getSteps().front(), m_One()) ||
      !matchPattern(view.getOffsets().front(), m_ConstantInt(&offset)))
    return std::nullopt;
  return offset.getSExtValue();
}

WalkResult SplitRows::visit(Value value, bool aligned, int64_t shift, Visitor visitor) {
  llvm::DenseSet<Need> seen;
  return visit(value, aligned, shift, visitor, seen);
}

WalkResult SplitRows::visit(Value value, bool aligned, int64_t shift, Visitor visitor, llvm::DenseSet<Need> &seen) {
  if (!seen.insert({value, {shift, aligned}}).second)
    return WalkResult::advance();
  Operation *producer = value.getDefiningOp();
  if (!producer || !isa<RankedTensorType>(value.getType()))
    return WalkResult::advance();
  if (auto load = dyn_cast<LoadOp>(producer))
    return isSplit(getRoot(load.getArray())) ? visitor(load, aligned, shift) : WalkResult::advance();
  if (auto reduce = dyn_cast<ReduceOp>(producer); reduce && reduce.getAxes().front() == 0)
    return WalkResult::advance(); // gathered: the same everywhere
  auto op = dyn_cast<ValueOpInterface>(producer);
  for (OpOperand &operand : producer->getOpOperands()) {
    std::optional<int64_t> more = op ? op.getRowShift(operand) : std::nullopt;
    if (visit(operand.get(), aligned && more, shift + more.value_or(0), visitor, seen).wasInterrupted())
      return WalkResult::interrupt();
  }
  return WalkResult::advance();
}

static LogicalResult complain(Operation *op, StringRef why) {
  op->emitError("cannot be distributed over devices: ") << why;
  return failure();
}

LogicalResult SplitRows::measureHalo() {
  for (Operation *op : sinks)
    if (failed(measureHaloOf(op)))
      return failure();
  return failure(function.walk([&](Operation *op) { return checkWhole(op); }).wasInterrupted() ||
                 function.walk([&](Operation *op) { return checkUnsplit(op); }).wasInterrupted());
}

LogicalResult SplitRows::measureHaloOf(Operation *op) {
  std::optional<int64_t> row = isa<NewOp>(op) ? 0 : getFirstRow(op->getOperands().back());
  bool wholeRowsOnly = !row;
  // A single row, or rows by steps, are stored by the device that owns them; they may read no split array.
  llvm::MapVector<Value, Operation *> exchanged;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    WalkResult result = visit(operand, true, 0, [&](LoadOp load, bool aligned, int64_t shift) {
      std::optional<int64_t> from = getFirstRow(load.getArray());
      if (!aligned || wholeRowsOnly || !from)
        return WalkResult::interrupt();
      int64_t distance = *from + shift - *row;
      halo = std::max(halo, std::abs(distance));
      if (changesBefore(load, op))
        return WalkResult::interrupt();
      if (distance && !isArgumentOnly(getRoot(load.getArray()))) {
        Operation *&earliest = exchanged[getRoot(load.getArray())];
        Operation *here = load->getBlock() == op->getBlock() ? load.getOperation() : op;
        if (!earliest || here->isBeforeInBlock(earliest))
          earliest = here;
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return complain(op, "it needs other rows than its own and their neighbours as they are now");
  }
  if (wholeRowsOnly && isFirstRowDynamic(op))
    return complain(op, "it stores into rows by a step, or into a row that is known at run time only");
  exchanges.push_back(exchanged.takeVector());
  return success();
}

/// Whether a value needs rows of a split array.
bool SplitRows::needsRows(Value value) {
  return visit(value, false, 0, [](LoadOp, bool, int64_t) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Complains about an operation that needs all rows of a split array at once.
WalkResult SplitRows::checkWhole(Operation *op) {
  if (isa<NewGeneratorOp, SeedGeneratorOp, CapturedGeneratorOp, DrawOp, DrawInTurnsOp, DrawScalarOp>(op))
    return complain(op, "random numbers come from one state, one after the other");
  auto value = dyn_cast<ValueOpInterface>(op);
  if (getElementCost(op) != ElementCost::Whole && !isa<GatherOp, ReshapeStridedOp, PartOp, ScatterOp, ItemOp>(op))
    return WalkResult::advance();
  for (OpOperand &operand : op->getOpOperands()) {
    // A device that has the positions of its rows needs no others.
    if (isa<GatherOp>(op) && value.getRowShift(operand))
      continue;
    bool isArray = isa<ArrayType>(operand.get().getType());
    if ((isArray && isSplit(getRoot(operand.get()))) || needsRows(operand.get()))
      return complain(op, "this operation needs rows of all devices");
  }
  return WalkResult::advance();
}

/// Complains about a store that is not split, of what is.
WalkResult SplitRows::checkUnsplit(Operation *op) {
  bool isUnsplit = isa<NewOp, StoreOp>(op) && !llvm::is_contained(sinks, op);
  if (isUnsplit && needsRows(op->getOperand(0)))
    return complain(op, "every device would need all rows here");
  return WalkResult::advance();
}

bool SplitRows::changesBefore(LoadOp load, Operation *use) {
  Operation *last = load->getBlock()->findAncestorOpInBlock(*use);
  for (Operation *op = load->getNextNode(); op && op != last; op = op->getNextNode()) {
    SmallVector<Value> read, stored;
    collectAccesses(op, read, stored);
    for (Value array : stored)
      if (mayOverlap(array, load.getArray(), function->hasAttr("np.general")))
        return true;
  }
  return last != use;
}

bool SplitRows::isArgumentOnly(Value root) { return isArgument(root) && !llvm::is_contained(roots, root); }

bool SplitRows::isFirstRowDynamic(Operation *op) {
  auto view = op->getOperands().back().getDefiningOp<ViewOp>();
  return !view || llvm::is_contained(view.getAxes(), 0) || getRoot(view) != view.getSource();
}

} // namespace npcc

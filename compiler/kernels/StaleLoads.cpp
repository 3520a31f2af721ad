// Which values must be arrays because memory changes: what a value reads is what was there when it was made, but it is
// computed where it is used.
//
//   %l = np.load %a                                        %l = np.load %a
//   %v = np.ufunc "add" %l, %c                             %v = np.ufunc "add" %l, %c    %n = np.new %v
//   np.store %x, %a                            ->          np.store %x, %a
//   np.store %v, %b                                        np.store (np.load %n), %b
#include "compiler/kernels/StaleLoads.h"
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/kernels/StoredValues.h"
#include "compiler/memory/Region.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

using namespace mlir;
using namespace np;

void numberInBlock(Operation *op) {
  if (Operation *next = op->getNextNode())
    (void)op->isBeforeInBlock(next);
}

namespace {
class StaleLoads {
public:
  StaleLoads(bool general, function_ref<Value(Value, const Twine &)> toArray) : general(general), toArray(toArray) {}

  void run(func::FuncOp function) {
    SmallVector<Operation *> ends;
    function.walk([&](Operation *op) {
      if (isSink(op) || isOpaque(op) || isa<ItemOp, func::ReturnOp, ScatterOp>(op))
        ends.push_back(op);
    });
    writers.clear();
    for (Operation *end : ends)
      freshen(end);
    // Then: what became an array for a later use may have been all that a store reads of its own array.
    for (Operation *end : ends)
      breakOverlap(end);
  }

private:
  bool writes(Operation *op, Value region) {
    SmallVector<Value> read, written;
    collectAccesses(op, read, written);
    return llvm::any_of(written, [&](Value array) { return mayOverlap(array, region, general); });
  }

  /// The operations of a block that write anything, in order. This pass adds none.
  DenseMap<Block *, SmallVector<Operation *>> writers;
  ArrayRef<Operation *> getWriters(Block *block) {
    auto [it, isNew] = writers.try_emplace(block);
    if (isNew)
      for (Operation &op : *block) {
        SmallVector<Value> read, written;
        collectAccesses(&op, read, written);
        if (!written.empty())
          it->second.push_back(&op);
      }
    return it->second;
  }

  /// The first operation, in the load's block, after which the load would see other elements than it should; null if
  /// none stands before `use`.
  Operation *findOverwrite(LoadOp load, Operation *use) {
    Operation *last = load->getBlock()->findAncestorOpInBlock(*use);
    if (!last)
      return nullptr;
    ArrayRef<Operation *> all = getWriters(load->getBlock());
    for (const auto *next = llvm::partition_point(all, [&](Operation *op) { return op->isBeforeInBlock(load); });
         next != all.end() && (*next)->isBeforeInBlock(last); ++next)
      if (writes(*next, load.getArray()))
        return *next;
    return last != use && writes(last, load.getArray()) ? last : nullptr;
  }

  /// The top-most value above the load, on the way to `value`, that stands before `overwrite` in the load's block.
  /// `known`: what was found of the values on the way.
  Value findTop(Value value, LoadOp load, Operation *overwrite, DenseMap<Value, Value> &known) {
    if (value == load.getValue())
      return value;
    Operation *producer = value.getDefiningOp();
    if (!producer || isa<LoadOp>(producer) || !isa<RankedTensorType>(value.getType()))
      return Value();
    if (auto it = known.find(value); it != known.end())
      return it->second;
    Value top;
    for (Value operand : producer->getOperands())
      if (Value found = findTop(operand, load, overwrite, known)) {
        bool ready = producer->getBlock() == load->getBlock() && producer->isBeforeInBlock(overwrite);
        // Not up to a value that is larger than what it is made of.
        top = ready && found == operand && !isa<BroadcastOp>(producer) ? value : found;
        break;
      }
    known[value] = top;
    return top;
  }

  /// Until `end` needs no load that changes before it. The arrays that are made for it are stored to earlier, and what
  /// they need may have changed by then too.
  void freshen(Operation *end) {
    while (Operation *array = freshenOne(end))
      freshen(array);
  }

  /// Makes one array, if one must be made; gives its np.new.
  Operation *freshenOne(Operation *end) {
    for (Value operand : end->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      SmallVector<TreeLoad> loads;
      collectLoads(operand, loads);
      for (TreeLoad &load : loads)
        if (Operation *overwrite = findOverwrite(load.load, end)) {
          DenseMap<Value, Value> known;
          std::string reason = lineOf(overwrite->getLoc()) + " overwrites what it is made of, before " +
                               lineOf(end->getLoc()) + " needs it";
          return toArray(findTop(operand, load.load, overwrite, known), reason)
              .getDefiningOp<LoadOp>()
              .getArray()
              .getDefiningOp();
        }
    }
    return nullptr;
  }

  // Rows and columns of an array that one store reads at other positions.
  static constexpr size_t mostParts = 4;

  /// Where all that is read at other positions are parts of fewer axes, a row or a column, copies of these do: a -=
  /// outer(a[:, k], a[k]).
  bool copyParts(Value value, ArrayRef<TreeLoad> loads, function_ref<bool(TreeLoad &)> isOverlapping) {
    llvm::SmallSetVector<Value, 4> parts;
    for (TreeLoad load : loads)
      if (isOverlapping(load))
        parts.insert(load.load.getValue());
    bool areSmall = llvm::all_of(parts, [&](Value part) {
      return countMovingAxes(part.getDefiningOp<LoadOp>().getArray()) < getRank(value.getType()) &&
             part.getParentBlock() == value.getParentBlock();
    });
    if (parts.empty() || !areSmall || parts.size() > mostParts)
      return false;
    for (Value part : parts)
      toArray(part, "the array that it is read from is stored to at other positions meanwhile");
    return true;
  }

  /// A store that reads what it writes at other positions stores from a copy of its value.
  void breakOverlap(Operation *sink) {
    if (!isa<StoreOp, StoreMaskedOp, ScatterOp>(sink))
      return;
    // A thread has no room for copies: what it stores goes element by element, in order.
    if (sink->getParentOfType<func::FuncOp>()->hasAttr("np.thread"))
      return;
    // One element is read before it is written, whatever it is.
    if (getRank(sink->getOperands().back().getType()) == 0 && isa<StoreOp>(sink))
      return;
    Value written = isa<ScatterOp>(sink) ? cast<ScatterOp>(sink).getArray() : getWrittenArray(sink);
    for (OpOperand &operand : sink->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      SmallVector<TreeLoad> loads;
      collectLoads(operand.get(), loads);
      bool sameRank = getRank(operand.get().getType()) == getRank(written.getType()) && !isa<ScatterOp>(sink);
      auto isOverlapping = [&](TreeLoad &load) {
        return mayOverlap(load.load.getArray(), written, general) &&
               !(load.aligned && sameRank && isSameRegion(load.load.getArray(), written));
      };
      if (sameRank && isa<StoreOp>(sink) && copyParts(operand.get(), loads, isOverlapping))
        continue;
      for (TreeLoad &load : loads)
        if (isOverlapping(load)) {
          remarkArray(sink->getLoc(),
                      lineOf(sink->getLoc()) + " stores it to an array that it reads at other positions");
          OpBuilder builder(sink);
          auto array = NewOp::create(builder, sink->getLoc(), operand.get());
          numberInBlock(array);
          operand.set(LoadOp::create(builder, sink->getLoc(), array.getArray()));
          break;
        }
    }
  }

  bool general;
  function_ref<Value(Value, const Twine &)> toArray;
};
} // namespace

void materializeStale(func::FuncOp function, bool general, function_ref<Value(Value, const Twine &)> toArray) {
  StaleLoads(general, toArray).run(function);
}

} // namespace npcc

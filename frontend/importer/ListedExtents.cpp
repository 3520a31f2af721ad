// Lists of arrays are one array with an axis more, as long as the arrays have one shape. Here the complete function is
// looked at: an array that is put into a list in a loop has the extents of the one before it if nothing that they are
// made of is computed in the loop. What a slot holds in the loop is looked through to all that it is set to there:
//
//   x = x + dt * f(x)          the extents of x are those that it had: they stay
//   parts.append(x[x > k])     they follow from elements: the list keeps the arrays themselves
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/MixedLists.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/DepthFirstIterator.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

class LoopExtents {
public:
  /// The loops that hold `op`: the blocks from which control comes back to it.
  explicit LoopExtents(Operation *op) {
    Block *home = op->getBlock();
    llvm::SmallPtrSet<Block *, 16> behind, before;
    collect(home, behind, [](Block *block) { return block->getSuccessors(); });
    collect(home, before, [](Block *block) { return block->getPredecessors(); });
    for (Block *block : behind)
      if (before.contains(block))
        blocks.insert(block);
  }

  bool mayVary(Value shaped) {
    for (int64_t axis = 0; axis < np::getRank(shaped.getType()); ++axis)
      if (extentVaries(shaped, axis, /*isChanged=*/false))
        return true;
    return false;
  }

private:
  template <typename Next> static void collect(Block *home, llvm::SmallPtrSetImpl<Block *> &found, Next next) {
    SmallVector<Block *> open{home};
    while (!open.empty())
      for (Block *block : next(open.pop_back_val()))
        if (found.insert(block).second)
          open.push_back(block);
  }

  bool isOutside(Value value) { return !blocks.contains(value.getParentBlock()); }

  /// `isChanged`: something is computed of the extent, so that it varies if it follows from itself.
  bool extentVaries(Value shaped, int64_t axis, bool isChanged) {
    if (!ShapedType::isDynamic(np::getShape(shaped.getType())[axis]) || isOutside(shaped))
      return false;
    return once({shaped, 2 * axis + isChanged}, isChanged, [&] { return followExtent(shaped, axis, isChanged); });
  }

  bool followExtent(Value shaped, int64_t axis, bool isChanged) {
    Operation *op = shaped.getDefiningOp();
    if (!op)
      return true;
    if (isa<np::LoadOp, np::NewOp>(op))
      return extentVaries(op->getOperand(0), axis, isChanged);
    if (auto empty = dyn_cast<np::EmptyOp>(op)) {
      ArrayRef<int64_t> before = cast<np::ArrayType>(shaped.getType()).getShape().take_front(axis);
      return indexVaries(empty.getExtents()[llvm::count(before, ShapedType::kDynamic)], isChanged);
    }
    if (auto room = dyn_cast<np::MakeRoomOp>(op); room && axis > 0)
      return indexVaries(room.getExtents()[axis - 1], isChanged);
    if (auto get = dyn_cast<np::GetOp>(op))
      return setsVary(get.getSlot(), isChanged, [&](Value set) { return extentVaries(set, axis, isChanged); }, axis);
    auto shapes = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
    if (!shapes)
      return true;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op); // an extent may be asked of the result itself
    ReifiedRankedShapedTypeDims extents;
    if (failed(shapes.reifyResultShapes(builder, extents)))
      return true;
    auto extent = dyn_cast<Value>(extents[cast<OpResult>(shaped).getResultNumber()][axis]);
    if (auto own = extent ? extent.getDefiningOp<np::DimOp>() : np::DimOp(); own && own.getSource() == shaped)
      return true; // it follows from elements
    return extent && indexVaries(extent, isChanged);
  }

  bool indexVaries(Value index, bool isChanged) {
    if (isOutside(index))
      return false;
    return once({index, isChanged}, isChanged, [&] { return followIndex(index, isChanged); });
  }

  bool followIndex(Value index, bool isChanged) {
    Operation *op = index.getDefiningOp();
    if (!op) // the loop's counter
      return true;
    if (auto dim = dyn_cast<np::DimOp>(op))
      return extentVaries(dim.getSource(), dim.getAxis(), isChanged);
    if (auto get = dyn_cast<np::GetOp>(op)) // a number that follows from itself counts
      return setsVary(get.getSlot(), true, [&](Value set) { return indexVaries(set, true); });
    bool isOfOthers = isa<np::BroadcastExtentOp, np::CheckIndexOp>(op) || isMemoryEffectFree(op);
    if (!isOfOthers || !index.getType().isIntOrIndex())
      return true;
    bool isNew = isChanged || !isa<np::BroadcastExtentOp, arith::SelectOp, arith::MaxSIOp, arith::MinSIOp>(op);
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isa<RankedTensorType, np::ArrayType>(operand.getType()) || indexVaries(operand, isNew);
    });
  }

  /// Whether something that the slot is set to in the loop varies.
  bool setsVary(Value slot, bool isChanged, llvm::function_ref<bool(Value)> varies, int64_t axis = -1) {
    return once({slot, 2 * axis + isChanged}, isChanged, [&] {
      return llvm::any_of(slot.getUsers(), [&](Operation *user) {
        auto set = dyn_cast<np::SetOp>(user);
        return set && blocks.contains(set->getBlock()) && varies(set.getValue());
      });
    });
  }

  /// Goes through each place once: what varies ends the search, so that what was gone through does not. What is met on
  /// the way from itself varies if it is changed there.
  bool once(std::pair<Value, int64_t> place, bool isChanged, llvm::function_ref<bool()> follow) {
    if (settled.contains(place))
      return false;
    if (!open.insert(place).second)
      return isChanged;
    if (follow())
      return true;
    open.erase(place);
    settled.insert(place);
    return false;
  }

  llvm::SmallPtrSet<Block *, 16> blocks;
  /// Being asked for, and not varying: slots with twice their axes (-1: a number), arrays with twice theirs, and indices,
  /// and one more where isChanged.
  llvm::DenseSet<std::pair<Value, int64_t>> open, settled;
};

} // namespace

void checkListedExtents(Interpreter &in) {
  SmallVector<std::tuple<np::StoreOp, std::string, std::string>> listed;
  in.ir.function.walk([&](np::StoreOp store) {
    std::string site, kind;
    if (takeMark(store, site, kind))
      listed.emplace_back(store, site, kind);
  });
  for (auto &[store, site, kind] : listed)
    if (LoopExtents(store).mayVary(store.getValue()))
      noteKinds(in, site, {kind});
}

} // namespace npcc::frontend

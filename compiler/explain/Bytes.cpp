#include "compiler/explain/Bytes.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {

Quantity getSize(Value memref, Quantities &quantities) {
  auto type = cast<MemRefType>(memref.getType());
  Quantity bytes(getElementBytes(type.getElementType()));
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    bytes = bytes * quantities.ofExtent(memref, axis);
  return bytes;
}

Quantity getLoopCount(Operation *op, np::KernelOp kernel, Quantities &quantities) {
  Quantity count(1);
  if (auto own = dyn_cast<np::KernelOp>(op)) {
    for (Value extent : own.getExtents())
      count = count * quantities.of(extent);
  } else if (auto inner = dyn_cast<scf::ParallelOp>(op)) {
    for (Value extent : inner.getUpperBound())
      count = count * quantities.bound(extent, kernel);
  } else if (auto fold = dyn_cast<np::FoldOp>(op)) {
    count = quantities.bound(fold.getExtent(), kernel);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    count = getCount(quantities.bound(loop.getLowerBound(), kernel, /*most=*/false),
                     quantities.bound(loop.getUpperBound(), kernel), quantities.bound(loop.getStep(), kernel));
  }
  return count;
}

Quantity getIterations(Operation *op, np::KernelOp kernel, Quantities &quantities) {
  Quantity count(1);
  for (Operation *around = op; around != kernel;) {
    around = around->getParentOp();
    count = count * getLoopCount(around, kernel, quantities);
  }
  return count;
}

namespace {
/// The elements of one array that accesses at positions with the same terms go to.
class Footprint {
public:
  Footprint(const Stream &stream, ArrayRef<const KernelAccess *> accesses, np::KernelOp kernel, Quantities &quantities)
      : stream(stream), accesses(accesses), kernel(kernel), quantities(quantities) {}

  Quantity count() {
    // Positions along an axis may run on through those outside of it that stand still: a kernel goes over parts of axes
    // that are one run in memory.
    Quantity elements(1), whole(1), room(1);
    for (int64_t axis = 0; axis < stream.getRank(); ++axis) {
      Quantity extent = quantities.ofExtent(stream.memref, axis);
      whole = whole * extent;
      room = room * extent;
      Quantity along = countAlong(axis, room);
      elements = elements * along;
      if (along.getNumber() != 1)
        room = Quantity(1);
    }
    // A diagonal: one element for each iteration, not for each pair of positions.
    Quantity iterations = Quantity(distinct());
    for (Value leaf : leaves)
      iterations = iterations * extentOf(leaf);
    return smaller(elements, isRepeated ? smaller(iterations, whole) : whole);
  }

private:
  /// A position that occurs along two axes ties them together.
  bool isRepeated = false;
  llvm::SmallSetVector<Value, 4> leaves;

  Quantity extentOf(Value leaf) {
    auto argument = dyn_cast<BlockArgument>(leaf);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    if (isLoopPosition(leaf)) {
      if (auto own = dyn_cast<np::KernelOp>(owner))
        return quantities.of(own.getExtents()[argument.getArgNumber()]);
      if (auto inner = dyn_cast<scf::ParallelOp>(owner))
        return quantities.bound(inner.getUpperBound()[argument.getArgNumber()], kernel);
      return getLoopCount(owner, kernel, quantities);
    }
    // Memory gives the position: another one in each iteration, perhaps.
    return getIterations(accesses.front()->op, kernel, quantities).atMost();
  }

  int64_t distinct() {
    llvm::SmallDenseSet<llvm::hash_code> seen;
    for (const KernelAccess *access : accesses)
      seen.insert(llvm::hash_combine_range(access->constants.begin(), access->constants.end()));
    return seen.size();
  }

  Quantity countAlong(int64_t axis, const Quantity &whole) {
    Quantity positions(1), width(1);
    llvm::SmallSetVector<int64_t, 4> constants;
    for (const KernelAccess *access : accesses)
      constants.insert(access->constants[axis]);
    int64_t least = *llvm::min_element(constants), most = *llvm::max_element(constants);
    width = Quantity(most - least + 1);
    bool hasWidth = true;
    SmallVector<Term> moving = llvm::to_vector(
        llvm::make_filter_range(stream.terms[axis], [&](const Term &term) { return !isInvariant(term.leaf, kernel); }));
    for (const Term &term : moving) {
      Quantity extent = extentOf(term.leaf);
      positions = positions * extent;
      isRepeated |= !leaves.insert(term.leaf);
      if (term.scale)
        extent = extent.atMost();
      hasWidth &= !term.scale;
      width = width + Quantity(std::abs(term.factor)) * (extent - 1);
    }
    if (moving.empty())
      return Quantity(int64_t(constants.size()));
    positions = positions * Quantity(int64_t(constants.size()));
    if (positions.getNumber() == 1)
      return positions;
    bool isDense = hasWidth && moving.size() == 1 && std::abs(moving.front().factor) == 1;
    return smaller(isDense ? width : hasWidth && constants.size() > 1 ? smaller(positions, width) : positions, whole);
  }

  /// Positions are inside their arrays: where one text is plainly the other one's, no comparison is needed.
  static Quantity smaller(const Quantity &a, const Quantity &b) {
    Quantity less = min(a, b);
    if (a.getText() == b.getText())
      less = a;
    less.isMost = a.isMost;
    return less;
  }

  const Stream &stream;
  ArrayRef<const KernelAccess *> accesses;
  np::KernelOp kernel;
  Quantities &quantities;
};
} // namespace

/// Whether a condition that is no comparison of positions decides about an access.
static bool isConditional(Operation *op, np::KernelOp kernel) {
  for (Operation *around = op->getParentOp(); around != kernel; around = around->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(around)) {
      SmallVector<Value> open{branch.getCondition()};
      while (!open.empty()) {
        Value value = open.pop_back_val();
        Operation *maker = value.getDefiningOp();
        if (!maker || isInvariant(value, kernel))
          continue;
        if (isa<memref::LoadOp>(maker) || maker->getNumRegions())
          return true;
        llvm::append_range(open, maker->getOperands());
      }
    } else if (isa<scf::WhileOp>(around)) {
      return true;
    }
  return false;
}

SmallVector<ArrayBytes> getBytes(np::KernelOp kernel, Quantities &quantities) {
  KernelAccesses accesses(kernel);
  struct Counted {
    std::optional<Quantity> read, written;
    Value whole; // a memref whose extents are the array's
  };
  llvm::MapVector<Value, Counted> arrays;
  for (bool isStore : {false, true})
    for (Stream &stream : accesses.getStreams()) {
      SmallVector<const KernelAccess *> own;
      bool isMost = false;
      for (Operation *op : accesses.getOps()) {
        const KernelAccess &access = accesses.lookup(op);
        bool isUpdate = isa<memref::AtomicRMWOp>(op); // reads too
        if (access.stream != &stream || (access.isStore != isStore && !isUpdate))
          continue;
        own.push_back(&access);
        isMost |= isConditional(op, kernel);
      }
      if (own.empty())
        continue;
      Quantity elements = Footprint(stream, own, kernel, quantities).count();
      Quantity bytes = Quantity(getElementBytes(stream.getType().getElementType())) * elements;
      bytes.isMost |= isMost;
      Value root = getRoot(stream.memref);
      Counted &counted = arrays[root];
      std::optional<Quantity> &sum = isStore ? counted.written : counted.read;
      if (!sum) {
        sum = bytes;
      } else if (sum->getText() != bytes.getText()) {
        // Two ways through one array may meet.
        Quantity whole = getSize(root, quantities), both = *sum + bytes;
        bool isAll = sum->getText() == whole.getText() || bytes.getText() == whole.getText();
        sum = isAll ? whole : min(both, whole).atMost();
      } else if (sum->getText() != getSize(root, quantities).getText()) {
        sum = sum->atMost();
      }
    }
  SmallVector<ArrayBytes> found;
  for (auto &[root, counted] : arrays)
    found.push_back({root, counted.read, counted.written});
  return found;
}

Quantity getArithmetic(np::KernelOp kernel, Quantities &quantities) {
  // By the block: all operations of one run equally often.
  llvm::MapVector<Block *, int64_t> blocks;
  kernel->walk([&](Operation *op) {
    bool isArithmetic = op->getNumResults() == 1 && op->getNumOperands() > 0 &&
                        isa<FloatType, ComplexType>(op->getResult(0).getType()) &&
                        isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect()) &&
                        !isa<arith::ConstantOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp>(op);
    if (isArithmetic)
      ++blocks[op->getBlock()];
  });
  Quantity sum(0);
  for (auto &[block, count] : blocks)
    sum = sum + Quantity(count) * getIterations(&block->front(), kernel, quantities);
  return sum;
}

} // namespace npcc

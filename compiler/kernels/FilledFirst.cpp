// Elements that an iteration has stored, as a range of an array:
//
//   store ..., %w[0]                       // [0, 1)
//   scf.for %i = 1 to %n {
//     load %w[%i - 1]                      // within [0, %i)
//     store ..., %w[%i] }                  // [0, %i + 1), and behind the loop [0, %n)
//   load %w[%n - 1]
#include "compiler/kernels/FilledFirst.h"
#include "compiler/kernels/PositionBounds.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npcc;

namespace {
/// From `low` on, below `high`.
struct Range {
  LinearForm low, high;
};
using Stored = std::optional<Range>; // null: nothing yet

class Filling {
public:
  Filling(np::AllocOp array, scf::ForOp loop) : array(array), loop(loop) {
    extent = getUncheckedForm(array.getExtents()[0], loop);
  }

  bool isFirst() {
    Stored stored;
    return addBlock(*loop.getBody(), stored) && isLoaded;
  }

private:
  static bool isNothing(const LinearForm &form) { return form.terms.empty() && form.constant == 0; }
  static LinearForm plus(const LinearForm &form, int64_t constant) {
    LinearForm moved = form;
    moved.constant += constant;
    return moved;
  }
  static LinearForm minus(const LinearForm &a, const LinearForm &b) {
    LinearForm difference = a;
    addScaled(difference, b, -1);
    return difference;
  }

  bool isWhole(const Range &range, Operation *place) {
    return isNothing(range.low) && isNeverNegative(minus(range.high, extent), place, loop);
  }

  bool isStored(memref::LoadOp load, const Stored &stored) {
    isLoaded = true;
    if (!stored)
      return false;
    if (isWhole(*stored, load))
      return true;
    LinearForm at = getUncheckedForm(load.getIndices()[0], loop);
    return isNeverNegative(minus(at, stored->low), load, loop) &&
           isNeverNegative(plus(minus(stored->high, at), -1), load, loop);
  }

  static void add(Stored &stored, const LinearForm &from, const LinearForm &to) {
    if (!stored)
      stored = Range{from, to};
    else if (isNothing(minus(stored->high, from)))
      stored->high = to;
    else if (isNothing(minus(stored->low, to)))
      stored->low = from;
  }

  /// In order; false if something is loaded that may not be stored yet.
  bool addBlock(Block &block, Stored &stored) {
    for (Operation &op : block) {
      if (auto load = dyn_cast<memref::LoadOp>(op); load && load.getMemRef() == array.getResult()) {
        if (!isStored(load, stored))
          return false;
      } else if (auto store = dyn_cast<memref::StoreOp>(op); store && store.getMemRef() == array.getResult()) {
        LinearForm at = getUncheckedForm(store.getIndices()[0], loop);
        add(stored, at, plus(at, 1));
      } else if (auto inner = dyn_cast<scf::ForOp>(op)) {
        if (!addLoop(inner, stored))
          return false;
      } else if (auto kernel = dyn_cast<np::KernelOp>(op)) {
        if (!addKernel(kernel, stored))
          return false;
      } else {
        // What happens under a condition only, or nobody knows how often.
        for (Region &region : op.getRegions())
          for (Block &inside : region) {
            Stored within = stored;
            if (!addBlock(inside, within))
              return false;
          }
      }
    }
    return true;
  }

  /// The store of each iteration whose positions follow each other, and how far it is from the loop's.
  std::optional<LinearForm> findShift(Block &body, Value position) {
    for (auto store : body.getOps<memref::StoreOp>()) {
      if (store.getMemRef() != array.getResult())
        continue;
      LinearForm shift = minus(getUncheckedForm(store.getIndices()[0], loop), getUncheckedForm(position, loop));
      bool isSame = llvm::none_of(shift.terms, [&](const Term &term) {
        Value leaf = term.leaf;
        return term.scale || body.getParentOp()->isAncestor(leaf.getParentRegion()->getParentOp());
      });
      if (isSame)
        return shift;
    }
    return std::nullopt;
  }

  bool addLoop(scf::ForOp inner, Stored &stored) {
    LinearForm position = getUncheckedForm(inner.getInductionVar(), loop);
    LinearForm first = getUncheckedForm(inner.getLowerBound(), loop),
               last = getUncheckedForm(inner.getUpperBound(), loop);
    std::optional<LinearForm> shift;
    if (getConstantIntValue(inner.getStep()) == 1)
      shift = findShift(*inner.getBody(), inner.getInductionVar());
    Stored within = stored, behind = stored;
    if (shift) {
      for (LinearForm *place : {&position, &first, &last})
        addScaled(*place, *shift, 1);
      add(behind, first, last);
      // Before this iteration.
      add(within, first, position);
    }
    if (!addBlock(*inner.getBody(), within))
      return false;
    stored = behind;
    return true;
  }

  bool addKernel(np::KernelOp kernel, Stored &stored) {
    Stored within = stored;
    if (!addBlock(*kernel.getBody(), within))
      return false;
    if (kernel.getNumLoops() != 1)
      return true;
    if (std::optional<LinearForm> shift = findShift(*kernel.getBody(), kernel.getInductionVars()[0])) {
      LinearForm end = getUncheckedForm(kernel.getExtents()[0], loop);
      addScaled(end, *shift, 1);
      add(stored, *shift, end);
    }
    return true;
  }

  np::AllocOp array;
  scf::ForOp loop;
  LinearForm extent;
  bool isLoaded = false;
};
} // namespace

bool npcc::isFilledFirst(np::AllocOp array, scf::ForOp loop) {
  return array.getType().getRank() == 1 && array.getExtents().size() == 1 && Filling(array, loop).isFirst();
}

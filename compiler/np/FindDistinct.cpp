// npcc-find-distinct: stores at positions of which it is known that each occurs once and lies inside the array need
// neither an order nor checks.
//
//   %order = np.sort %x positions true
//   np.scatter %v, %a[%order] axes = [0]     ->     np.scatter %v, %a[%order] axes = [0] distinct
//
// Such positions are numbers that count up to the array's extent, the order of a sort, and whatever is selected or cut
// out of them, over and over in a loop, too (`active = active[far]`), as long as nothing is stored to their arrays. The
// array must not be a view whose elements lie in one place.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/Incoming.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Positions.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npcc {
#define GEN_PASS_DEF_FINDDISTINCT
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// What numbers an array or a value of one axis may be made of: each must count from zero to the same extent, in any
/// order. Names that a loop hands on are assumed to hold such numbers until something else comes in.
class DistinctNumbers {
public:
  DistinctNumbers(func::FuncOp function, ExtentOrigins &origins)
      : function(function), aliasing(function->hasAttr("np.general")), origins(origins) {
    function.walk([&](Operation *op) {
      if (!op->getNumRegions() && !isa<NewOp>(op) && !isMemoryEffectFree(op))
        effects.push_back(op);
    });
  }

  /// Whether they are distinct and from 0 to below the extent.
  bool isBelow(Value numbers, const ExtentOrigin &extent) {
    limit = extent;
    assumed.clear();
    return extent.isKnown() && holds(numbers);
  }

private:
  bool isLimit(const ExtentOrigin &origin) { return !limit.isKnown() || limit == origin; }

  bool holds(Value numbers) {
    if (!assumed.insert(numbers).second || numbers.getDefiningOp<ub::PoisonOp>())
      return true;
    if (SmallVector<Value> incoming = getIncoming(numbers); !incoming.empty())
      return isNotStoredTo(numbers) && llvm::all_of(incoming, [&](Value each) { return holds(each); });
    Operation *op = numbers.getDefiningOp();
    if (!op || getRank(numbers.getType()) != 1)
      return false;
    return TypeSwitch<Operation *, bool>(op)
        .Case([&](ArangeOp) {
          ArangeOp count = getCountFromZero(numbers);
          return count && isLimit(origins.ofIndex(getCountExtent(count)));
        })
        .Case([&](SortOp sort) { return sort.getPositions() && isLimit(origins.of(sort.getInput(), 0)); })
        .Case([&](CompressOp selection) {
          return getRank(selection.getMask().getType()) == 1 && holds(selection.getSource());
        })
        .Case([&](GatherOp gather) {
          return gather.getIndices().size() == 1 && holds(gather.getSource()) && isDistinct(gather.getIndices()[0]);
        })
        .Case([&](ViewOp view) {
          APInt step;
          return view.getAxes() == ArrayRef<int64_t>{0} && matchPattern(view.getSteps()[0], m_ConstantInt(&step)) &&
                 !step.isZero() && holds(view.getSource());
        })
        .Case([&](BroadcastOp broadcast) {
          ExtentOrigin given = origins.of(broadcast.getSource(), 0);
          return given.isKnown() && given == origins.ofIndex(broadcast.getExtents()[0]) && holds(broadcast.getSource());
        })
        .Case([&](LoadOp load) { return holds(load.getArray()); })
        .Case([&](NewOp made) { return isNotStoredTo(numbers) && holds(made.getValue()); })
        .Default([](Operation *) { return false; });
  }

  /// Distinct, up to whatever extent.
  bool isDistinct(Value numbers) {
    DistinctNumbers any(function, origins);
    return any.holds(numbers);
  }

  bool isNotStoredTo(Value array) {
    return !isa<ArrayType>(array.getType()) ||
           llvm::none_of(effects, [&](Operation *op) { return aliasing.mayWriteTo(op, array); });
  }

  func::FuncOp function;
  Aliasing aliasing;
  ExtentOrigins &origins;
  SmallVector<Operation *> effects; // what may write to an array, other than its own new one
  ExtentOrigin limit;
  DenseSet<Value> assumed;
};

struct FindDistinct : impl::FindDistinctBase<FindDistinct> {
  void runOnOperation() override {
    markAllAnalysesPreserved(); // extents stay as they are
    SmallVector<ScatterOp> scatters;
    getOperation()->walk([&](ScatterOp op) {
      if (!op.getDistinct() && op.getIndices().size() == 1 && getRank(op.getIndices()[0].getType()) == 1)
        scatters.push_back(op);
    });
    if (scatters.empty())
      return;
    auto &origins = getAnalysis<ExtentOrigins>();
    DistinctNumbers numbers(getOperation(), origins);
    for (ScatterOp op : scatters)
      if (hasPlaceForEach(op.getArray()) &&
          numbers.isBelow(op.getIndices()[0], origins.of(op.getArray(), op.getAxes()[0])))
        op.setDistinct(true);
  }
};
} // namespace
} // namespace npcc

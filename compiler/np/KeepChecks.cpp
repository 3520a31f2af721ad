// What nobody uses is dropped, but not the error that it would raise.
//
//   %t = np.ufunc "add"(%a, %b)   // unused            ->      np.broadcast_extent "ufunc" %n, %m ...
//
// Runs first: every later pass drops what is unused. A value is used if an operation with an effect needs it, through
// other values, and names that are read (np.get) for one need what they may be bound to there. Who only asks for an
// extent (np.dim) needs no element: the extent may follow from one operand, and the others would not be looked at.
// What is stored into a new array is used where that array is, because the stores into an array that nobody reads are
// dropped with it. What code needs that never runs, as the body of a loop over range(0), is not used by that, because
// the code will be dropped.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

namespace npcc {
#define GEN_PASS_DEF_KEEPCHECKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// The np.set whose values an np.get may give: those of its name that control flow leads from, with no other between.
class Bindings {
public:
  explicit Bindings(func::FuncOp function) {
    for (Block &block : function.getBody()) {
      DenseMap<Value, SetOp> bound;
      for (Operation &op : block) {
        if (auto set = dyn_cast<SetOp>(op))
          bound[set.getSlot()] = set;
        else if (auto get = dyn_cast<GetOp>(op))
          before[get] = bound.lookup(get.getSlot());
      }
      for (auto [slot, set] : bound)
        last[{&block, slot}] = set;
    }
  }

  /// Those that have not been found for another np.get.
  void find(GetOp get, llvm::function_ref<void(SetOp)> found) {
    if (SetOp set = before.lookup(get))
      return found(set);
    SmallVector<Block *> open{get->getBlock()};
    while (!open.empty())
      for (Block *block : open.pop_back_val()->getPredecessors()) {
        if (!seen.insert({block, get.getSlot()}).second)
          continue;
        if (SetOp set = last.lookup({block, get.getSlot()}))
          found(set);
        else
          open.push_back(block);
      }
  }

private:
  DenseMap<Operation *, SetOp> before;             // of an np.get, the one in its block
  DenseMap<std::pair<Block *, Value>, SetOp> last; // at the end of a block
  DenseSet<std::pair<Block *, Value>> seen;
};

/// The blocks that conditions which are known keep from running.
class DeadCode {
public:
  explicit DeadCode(func::FuncOp function) {
    if (function.getBody().hasOneBlock())
      return;
    dataflow::loadBaselineAnalyses(solver);
    isKnown = succeeded(solver.initializeAndRun(function));
  }
  bool has(Block &block) {
    if (!isKnown)
      return false;
    auto *state = solver.lookupState<dataflow::Executable>(solver.getProgramPointBefore(&block));
    return !state || !state->isLive();
  }

private:
  DataFlowSolver solver;
  bool isKnown = false;
};

struct KeepChecks : impl::KeepChecksBase<KeepChecks> {
  /// Does the operation do something although its results may be unused?
  static bool hasEffect(Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>() ||
           (!isPure(op) && !isa<NewOp, EmptyOp, LoadOp, GetOp, SetOp, VarOp, GatherOp>(op));
  }

  /// What makes the array that is stored into, if the function itself does: the store does something where that array
  /// is used.
  static Operation *getMadeHere(Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    Operation *made = store && !store.getAsOutput() ? getRoot(store.getArray()).getDefiningOp() : nullptr;
    return isa_and_nonnull<NewOp, EmptyOp>(made) ? made : nullptr;
  }

  void runOnOperation() override {
    llvm::SetVector<Operation *> used;
    DeadCode dead(getOperation());
    DenseMap<Operation *, SmallVector<StoreOp>> stores; // into arrays that are made here
    for (Block &block : getOperation().getBody())
      if (!dead.has(block))
        block.walk([&](Operation *op) {
          if (Operation *made = getMadeHere(op))
            stores[made].push_back(cast<StoreOp>(op));
          else if (hasEffect(op))
            used.insert(op);
        });
    Bindings bindings(getOperation());
    for (size_t k = 0; k < used.size(); ++k) {
      Operation *op = used[k];
      for (StoreOp store : stores.lookup(op))
        used.insert(store);
      if (isa<DimOp>(op)) // computes nothing
        continue;
      if (auto get = dyn_cast<GetOp>(op))
        bindings.find(get, [&](SetOp set) { used.insert(set); });
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          used.insert(producer);
    }
    SmallVector<Operation *> unused;
    getOperation().walk([&](Operation *op) {
      if (isa<UfuncOp, GatherOp>(op) && !used.contains(op) && getRank(op->getResult(0).getType()))
        unused.push_back(op);
    });
    for (Operation *op : unused) {
      OpBuilder builder(op);
      if (auto gather = dyn_cast<GatherOp>(op)) {
        for (auto [indices, axis] : llvm::zip(gather.getIndices(), gather.getAxes()))
          checkIndices(builder, gather, indices, axis);
        continue;
      }
      ReifiedRankedShapedTypeDims extents; // makes the checks
      (void)cast<UfuncOp>(op).reifyResultShapes(builder, extents);
    }
  }

  /// The positions, if any is looked at, are some of the axis. The error names the first that is not, which is searched
  /// along one axis of positions; of several axes the least position and the greatest are checked.
  static void checkIndices(OpBuilder &builder, GatherOp op, Value indices, int64_t axis) {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value count = one, extent = getExtent(builder, loc, op.getSource(), axis);
    for (Value each : getExtents(builder, loc, indices))
      count = builder.createOrFold<arith::MulIOp>(loc, count, each);
    SmallVector<Value> positions;
    int64_t rank = getRank(indices.getType());
    if (rank == 0) {
      positions = {indices};
    } else if (rank == 1) {
      positions = {firstWrong(builder, loc, indices, extent)};
    } else {
      for (Reduction extremum : {Reduction::minimum, Reduction::maximum})
        positions.push_back(reduce(builder, loc, extremum, indices));
    }
    if (op.getAsTaken())
      for (int64_t before = 0; before < op.getAxes().front(); ++before)
        count = builder.createOrFold<arith::MulIOp>(loc, count, getExtent(builder, loc, op.getSource(), before));
    Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, count, zero);
    Value size = arith::SelectOp::create(builder, loc, isEmpty, one, extent);
    for (Value value : positions) {
      Value position = ItemOp::create(builder, loc, builder.getI64Type(), value);
      position = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), position);
      position = arith::SelectOp::create(builder, loc, isEmpty, zero, position);
      CheckIndexOp::create(builder, loc, builder.getIndexType(), position, size, axis);
    }
  }

  /// All elements of a value to one.
  static Value reduce(OpBuilder &builder, Location loc, Reduction kind, Value value) {
    return ReduceOp::create(builder, loc, RankedTensorType::get({}, getElementType(value.getType())), kind, value,
                            llvm::to_vector(llvm::seq<int64_t>(0, getRank(value.getType()))));
  }

  /// The first of the positions that is none of an axis of this extent, or the last position where all are.
  static Value firstWrong(OpBuilder &builder, Location loc, Value indices, Value extent) {
    Type i64 = builder.getI64Type();
    auto number = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, i64, value).getResult(); };
    Value size = arith::IndexCastOp::create(builder, loc, i64, extent);
    Value least = arith::SubIOp::create(builder, loc, number(0), size);
    Value isBelow = UfuncOp::create(builder, loc, Ufunc::less, ValueRange{indices, least});
    Value isAbove = UfuncOp::create(builder, loc, Ufunc::greater_equal, ValueRange{indices, size});
    Value isWrong = UfuncOp::create(builder, loc, Ufunc::logical_or, ValueRange{isBelow, isAbove});
    Value count = getExtent(builder, loc, indices, 0);
    Value places = ArangeOp::create(builder, loc, indices.getType(), number(0), number(1), count);
    Value last = arith::SubIOp::create(builder, loc, arith::IndexCastOp::create(builder, loc, i64, count), number(1));
    Value first = reduce(builder, loc, Reduction::minimum,
                         UfuncOp::create(builder, loc, Ufunc::where, ValueRange{isWrong, places, last}));
    Value isFirst = UfuncOp::create(builder, loc, Ufunc::equal, ValueRange{places, first});
    Value none = number(std::numeric_limits<int64_t>::min());
    Value given = UfuncOp::create(builder, loc, Ufunc::where, ValueRange{isFirst, indices, none});
    return reduce(builder, loc, Reduction::maximum, given);
  }
};
} // namespace
} // namespace npcc

// npcc-distribute-updates: a loop that updates elements at positions that memory gives is one loop for each array, and
// a loop of single updates:
//
//   scf.for %i {                                      scf.for %i {
//     %grid[%p] += %v                                   %position[%i, 0] = %p       %value[%i, 0] = %v
//     %grid[%q] += %w                          ->       %position[%i, 1] = %q       %value[%i, 1] = %w }
//     %count[%p] += 1                                 scf.for %i { scf.for %k = 0 to 2 {
//   }                                                   %grid[%position[%i, %k]] += %value[%i, %k] } }
//                                                     scf.for %i { %count[%p] += 1 }
//
// The first loop is a kernel (npcc-parallelize-loops), and the others are what npcc-group-updates knows: the elements
// get what the loop gives them, in its order. For targets where a loop in one thread is slow.
#include "compiler/kernels/DistributeLoop.h"
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {
#define GEN_PASS_DEF_DISTRIBUTEUPDATES
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct ElementUpdate {
  memref::LoadOp load;
  Operation *combine;
  memref::StoreOp store;
  Value getAdded() { return combine->getOperand(combine->getOperand(0) == load.getResult()); }
  bool isDifference() { return isa<arith::SubFOp, arith::SubIOp>(combine); }
};

/// All that a loop stores, if that is updates of elements of one array by sums, and nothing else reads the array.
class Updates {
public:
  Updates(scf::ForOp loop, bool general) : loop(loop), general(general) {}

  bool find() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto store = dyn_cast<memref::StoreOp>(op); store && !add(store))
        return false;
    if (all.size() < 2)
      return false;
    llvm::SmallPtrSet<Operation *, 8> mine;
    for (ElementUpdate &update : all) {
      mine.insert(update.load);
      mine.insert(update.store);
    }
    Value array = all.front().store.getMemRef();
    bool raises = false;
    WalkResult others = loop.getBody()->walk([&](Operation *op) {
      raises |= isa<CheckIndexOp, AssertOp>(op);
      if (mine.contains(op))
        return WalkResult::advance();
      auto load = dyn_cast<memref::LoadOp>(op);
      bool touches = load && mayAlias(load.getMemRef(), array, general);
      bool isPlain =
          load || isa<CheckIndexOp, AssertOp, scf::YieldOp>(op) || op->getNumRegions() || isMemoryEffectFree(op);
      return touches || !isPlain || isa<memref::StoreOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !others.wasInterrupted() && (!raises || array.getDefiningOp<AllocOp>());
  }

  void split() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    int64_t number = all.size();
    Value array = all.front().store.getMemRef();
    Type type = cast<MemRefType>(array.getType()).getElementType();
    Value count = emitTripCount(builder, loop);
    auto makeParts = [&](Type element) -> Value {
      return AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic, number}, element), count);
    };
    SmallVector<Value> positions;
    for (size_t axis = 0; axis < all.front().store.getIndices().size(); ++axis)
      positions.push_back(makeParts(builder.getI64Type()));
    Value values = makeParts(type);
    // What is added where.
    builder.setInsertionPointAfter(loop);
    for (auto [k, update] : llvm::enumerate(all)) {
      OpBuilder inside(update.store);
      Value row = emitIterationNumber(inside, loop, loop.getInductionVar()),
            column = arith::ConstantIndexOp::create(inside, loc, k);
      for (auto [index, part] : llvm::zip_equal(update.store.getIndices(), positions)) {
        Value position = arith::IndexCastOp::create(inside, loc, inside.getI64Type(), index);
        memref::StoreOp::create(inside, loc, position, part, ValueRange{row, column});
      }
      Value added = update.getAdded();
      if (update.isDifference() && isa<FloatType>(type))
        added = arith::NegFOp::create(inside, loc, added);
      else if (update.isDifference())
        added =
            arith::SubIOp::create(inside, loc, arith::ConstantOp::create(inside, loc, inside.getZeroAttr(type)), added);
      memref::StoreOp::create(inside, loc, added, values, ValueRange{row, column});
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto rows = scf::ForOp::create(builder, loc, zero, count, one);
    builder.setInsertionPointToStart(rows.getBody());
    auto columns = scf::ForOp::create(builder, loc, zero, arith::ConstantIndexOp::create(builder, loc, number), one);
    builder.setInsertionPointToStart(columns.getBody());
    SmallVector<Value> place{rows.getInductionVar(), columns.getInductionVar()}, indices;
    for (Value part : positions)
      indices.push_back(arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                                   memref::LoadOp::create(builder, loc, part, place).getResult()));
    Value old = memref::LoadOp::create(builder, loc, array, indices),
          added = memref::LoadOp::create(builder, loc, values, place);
    Value sum = isa<FloatType>(type) ? arith::AddFOp::create(builder, loc, old, added).getResult()
                                     : arith::AddIOp::create(builder, loc, old, added).getResult();
    memref::StoreOp::create(builder, loc, sum, array, indices);
    for (ElementUpdate &update : llvm::reverse(all)) {
      update.store.erase();
      update.combine->erase();
      update.load.erase();
    }
  }

private:
  bool add(memref::StoreOp store) {
    Operation *combine = store.getValueToStore().getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp>(combine) ||
        combine->getBlock() != loop.getBody() || !combine->hasOneUse() ||
        (!all.empty() && all.front().store.getMemRef() != store.getMemRef()))
      return false;
    for (unsigned side : {0, 1}) {
      auto load = combine->getOperand(side).getDefiningOp<memref::LoadOp>();
      bool isOld = load && load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices() &&
                   load->hasOneUse() && load->getBlock() == loop.getBody();
      // What an update before has stored is there already.
      bool isLatest = isOld && (all.empty() || all.back().store->isBeforeInBlock(load));
      if (!isLatest || (side == 1 && isa<arith::SubFOp, arith::SubIOp>(combine)))
        continue;
      all.push_back({load, combine, store});
      return true;
    }
    return false;
  }

  scf::ForOp loop;
  bool general;
  SmallVector<ElementUpdate> all;
};

struct DistributeUpdates : impl::DistributeUpdatesBase<DistributeUpdates> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    bool general = function->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    function.walk([&](scf::ForOp loop) { // loops inside come first
      bool isOuter = llvm::any_of(loops, [&](scf::ForOp inner) { return loop->isProperAncestor(inner); });
      if (!loop.getNumResults() && !isOuter && isElementLoop(loop) && updatesByMemory(loop) &&
          !LoopTest(loop, loop, general).isIndependent())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      SmallVector<scf::ForOp> parts = distributeOverArrays(loop, general);
      if (parts.empty())
        parts.push_back(loop);
      for (scf::ForOp part : parts)
        if (Updates updates(part, general); updates.find())
          updates.split();
    }
  }

  /// Whether the loop, of the host, does no more than compute, load and store elements.
  static bool isElementLoop(scf::ForOp loop) {
    return !loop->getParentOfType<KernelOp>() && !loop.walk([](Operation *op) {
                                                        return isa<KernelOp, AllocOp>(op) ? WalkResult::interrupt()
                                                                                          : WalkResult::advance();
                                                      })
                                                      .wasInterrupted();
  }

  /// Whether the loop stores at a position that memory gives.
  static bool updatesByMemory(scf::ForOp loop) {
    return loop
        .walk([&](memref::StoreOp store) {
          return llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
} // namespace npcc

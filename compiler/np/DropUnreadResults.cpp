// npcc-drop-unread-results: a routine of the runtime's libraries whose results nobody reads is dropped, or called for
// fewer of them.
//
//   %q = np.new %zeros                                                the call is gone, and
//   %f = np.routine "qr"(%stack, %tau) to(%q)  // nobody reads %q  ->  %f = arith.constant 0
//
//   %f = np.routine "svd"() to(%stack, %u, %s, %v)             ->     %f = np.routine "svdvals"() to(%stack, %s)
//       // only %s is read
//
// So `np.linalg.qr(a)[1]` computes no orthogonal factor, and `np.linalg.eigh(a)[0]` no vectors. A routine that may fail
// is called for its error, if that is asked for. Of numpy.linalg's functions, the arrays that routines write into are
// new ones (npcc/library), so that all reads of them are found.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Routines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace npcc {
#define GEN_PASS_DEF_DROPUNREADRESULTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Whether a matrix may have no result. Texts have one, but their rows are not in the table.
bool mayFail(RoutineOp routine) {
  const RoutineInfo *row = lookupRoutine(routine.getRoutine());
  return !row || row->mayFail;
}

/// Whether what a routine writes into an array may be read.
bool isRead(Value output, RoutineOp routine) {
  Value root = getRoot(output);
  Block *block = routine->getBlock();
  // Of an array that is older than an enclosing loop, the next iteration may read.
  if (!isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()) || root.getDefiningOp()->getBlock() != block)
    return true;
  SmallVector<Value> views{root};
  while (!views.empty()) {
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<DimOp>(user) || (isa<StoreOp>(user) && use.getOperandNumber() == 1))
        continue;
      if (isa<ViewOp, ReshapeOp, PartOp>(user)) {
        views.push_back(user->getResult(0));
        continue;
      }
      Operation *place = block->findAncestorOpInBlock(*user);
      if (!place || routine->isBeforeInBlock(place))
        return true;
      // What leads to another name of the array, before the routine.
      if (place != routine && !isa<LoadOp, RoutineOp>(user))
        return true;
    }
  }
  return false;
}

struct DropUnreadResults : impl::DropUnreadResultsBase<DropUnreadResults> {
  void runOnOperation() override {
    SmallVector<RoutineOp> routines;
    getOperation().walk([&](RoutineOp routine) { routines.push_back(routine); });
    // The last one first: what it read, nobody reads once it is gone.
    for (RoutineOp routine : llvm::reverse(routines))
      reduce(routine);
  }

  void reduce(RoutineOp routine) {
    SmallVector<bool> read = llvm::map_to_vector(routine.getOutputs(), [&](Value out) { return isRead(out, routine); });
    if (!llvm::is_contained(read, true) && (routine.getFailed().use_empty() || !mayFail(routine)))
      return drop(routine);
    for (const LesserRoutine &row : getLesserRoutines())
      if (row.routine == routine.getRoutine() && llvm::none_of(row.unread, [&](unsigned k) { return read[k]; }))
        return replace(routine, row);
  }

  void drop(RoutineOp routine) {
    OpBuilder builder(routine);
    if (!routine.getFailed().use_empty())
      routine.getFailed().replaceAllUsesWith(
          arith::ConstantOp::create(builder, routine.getLoc(), builder.getI64IntegerAttr(0)));
    routine.erase();
  }

  void replace(RoutineOp routine, const LesserRoutine &row) {
    OpBuilder builder(routine);
    SmallVector<Value> outputs =
        llvm::map_to_vector(row.kept, [&](unsigned k) -> Value { return routine.getOutputs()[k]; });
    Value failed = RoutineOp::create(builder, routine.getLoc(), routine.getFailed().getType(), row.lesser,
                                     routine.getInputs(), outputs);
    routine.getFailed().replaceAllUsesWith(failed);
    routine.erase();
  }
};
} // namespace
} // namespace npcc

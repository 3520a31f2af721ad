// Arrays in memory have at most as many axes as the runtime describes (npcc_array), so more are an error of the
// program:
//
//   %a = np.alloc ... : memref<?x?x ... x?xf64>     ->     error: an array of 64 axes: npcc supports at most 32
//
// Values may have more axes as long as they stay values: numpy.tile() repeats along new axes, which no array has.
#include "compiler/kernels/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npcc {
#define GEN_PASS_DEF_CHECKRANKS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

/// The place in the program of an operation; constants that were merged have none, so that it is the one of what they
/// are in.
static Location placeOf(Operation *op) {
  for (Operation *at = op; at; at = at->getParentOp()) {
    WalkResult found = at->getLoc()->walk(
        [](Location inner) { return isa<FileLineColRange>(inner) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (found.wasInterrupted())
      return at->getLoc();
  }
  return op->getLoc();
}

namespace {
struct CheckRanks : impl::CheckRanksBase<CheckRanks> {
  using CheckRanksBase::CheckRanksBase;

  void runOnOperation() override {
    bool isFit = true;
    const int64_t most = mostAxes;
    getOperation().walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto memory = dyn_cast<MemRefType>(type); memory && memory.getRank() > most) {
          emitError(placeOf(op)) << "an array of " << memory.getRank() << " axes: npcc supports at most " << most;
          isFit = false;
        }
    });
    if (!isFit)
      signalPassFailure();
  }
};
} // namespace
} // namespace npcc

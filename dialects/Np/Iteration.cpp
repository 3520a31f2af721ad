#include "dialects/Np/Iteration.h"
#include "dialects/Np/Checks.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npcc::np;

// Where no check follows, nothing has an order.
LogicalResult IterationOp::canonicalize(IterationOp op, PatternRewriter &rewriter) {
  for (Operation *next = op->getNextNode(); next && !isa<IterationOp>(next); next = next->getNextNode())
    if (next->getNumRegions() || isa<CheckIndexOp, AssertOp>(next))
      return rewriter.notifyMatchFailure(op, "there may be a check");
  rewriter.eraseOp(op);
  return success();
}

IterationOp npcc::np::findIteration(Operation *check, Operation *root) {
  for (Operation *place = check; place && place != root; place = place->getParentOp())
    for (Operation *before = place->getPrevNode(); before; before = before->getPrevNode())
      if (auto found = dyn_cast<IterationOp>(before))
        return found;
  return {};
}

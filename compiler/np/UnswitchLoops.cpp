#include "compiler/np/UnswitchLoops.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc {

/// The code of one side in place of the branch.
static void takeSide(scf::IfOp branch, Region &side) {
  if (side.empty()) {
    branch->erase();
    return;
  }
  Block *block = &side.front();
  Operation *yield = block->getTerminator();
  branch.replaceAllUsesWith(yield->getOperands());
  yield->erase();
  branch->getBlock()->getOperations().splice(branch->getIterator(), block->getOperations());
  branch->erase();
}

std::pair<scf::ForOp, scf::ForOp> unswitch(scf::ForOp loop, scf::IfOp branch) {
  OpBuilder builder(loop);
  bool hasResults = loop.getNumResults() != 0;
  auto outer =
      scf::IfOp::create(builder, loop.getLoc(), loop.getResultTypes(), branch.getCondition(), /*withElseRegion=*/true);
  loop.replaceAllUsesWith(outer.getResults());
  auto intoSide = [&](scf::ForOp mine, Block *side) {
    mine->moveBefore(side, side->begin());
    builder.setInsertionPointAfter(mine);
    if (hasResults)
      scf::YieldOp::create(builder, loop.getLoc(), mine.getResults());
  };
  IRMapping copies;
  auto other = cast<scf::ForOp>(builder.clone(*loop, copies));
  auto otherBranch = cast<scf::IfOp>(copies.lookup(branch.getOperation()));
  intoSide(loop, outer.thenBlock());
  intoSide(other, outer.elseBlock());
  takeSide(branch, branch.getThenRegion());
  takeSide(otherBranch, otherBranch.getElseRegion());
  return {loop, other};
}

} // namespace npcc

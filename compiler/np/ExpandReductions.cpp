// npcc-expand-reductions: a reduction along an axis of a few elements is an expression of them.
//
//   np.reduce "add" %d axes [2]    ->    %d[:, :, 0] + %d[:, :, 1] + %d[:, :, 2]      // of 3 elements
//
// A value of coordinates ((x[:, None] - y)**2).sum(-1) is then computed where it is needed, and is no array in memory
// with a loop of a few iterations behind it. How many elements there are must be known: in the call that the code is
// compiled for (npcc-assume-extents).
#include "compiler/np/ExpandReductions.h"
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Planes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"

namespace npcc {
#define GEN_PASS_DEF_EXPANDREDUCTIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

void expandReduction(ReduceOp op, int64_t axis, int64_t count) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value input = op.getInput(), result;
  SmallVector<Value> extents = getExtents(builder, loc, input);
  extents.erase(extents.begin() + axis);
  for (int64_t position = 0; position < count; ++position) {
    Value part = emitPlane(builder, loc, input, axis, position, extents);
    result = result ? UfuncOp::create(builder, loc, op.getType(), getCombiner(op.getKind()), ValueRange{result, part})
                          .getResult()
                    : part;
  }
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct ExpandReductions : impl::ExpandReductionsBase<ExpandReductions> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return markAllAnalysesPreserved();
    auto &origins = getAnalysis<ExtentOrigins>();
    SmallVector<std::pair<ReduceOp, int64_t>> found;
    getOperation()->walk([&](ReduceOp op) {
      bool isArg = op.getKind() == Reduction::argmax || op.getKind() == Reduction::argmin;
      if (isArg || op.getAxes().size() != 1 || getRank(op.getType()) == 0)
        return;
      int64_t count = origins.of(op.getInput(), op.getAxes()[0]).constant;
      if (count >= 2 && count <= fewElements)
        found.push_back({op, count});
    });
    if (found.empty())
      return markAllAnalysesPreserved();
    for (auto [op, count] : found)
      expandReduction(op, op.getAxes()[0], count);
  }
};
} // namespace
} // namespace npcc

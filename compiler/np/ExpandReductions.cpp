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
  SmallVector<int64_t> kept, shape(getShape(input.getType()));
  for (int64_t number = 0; number < int64_t(shape.size()); ++number)
    if (number != axis)
      kept.push_back(number);
  shape.erase(shape.begin() + axis);
  Type type = RankedTensorType::get(shape, getElementType(input.getType()));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> steps(kept.size(), one);
  for (int64_t position = 0; position < count; ++position) {
    SmallVector<Value> offsets(shape.size() + 1, zero);
    offsets[axis] = arith::ConstantIndexOp::create(builder, loc, position);
    Value part = ViewOp::create(builder, loc, type, input, offsets, kept, extents, steps);
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
      return;
    ExtentOrigins origins(getOperation());
    SmallVector<std::pair<ReduceOp, int64_t>> found;
    getOperation()->walk([&](ReduceOp op) {
      bool isArg = op.getKind() == Reduction::argmax || op.getKind() == Reduction::argmin;
      if (isArg || op.getAxes().size() != 1 || getRank(op.getType()) == 0)
        return;
      int64_t count = origins.of(op.getInput(), op.getAxes()[0]).constant;
      if (count >= 2 && count <= fewElements)
        found.push_back({op, count});
    });
    for (auto [op, count] : found)
      expandReduction(op, op.getAxes()[0], count);
  }
};
} // namespace
} // namespace npcc

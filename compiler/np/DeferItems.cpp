// npcc-defer-items: a NumPy scalar that only values need stays a value, where the host would wait for it. A number that
// is no NumPy scalar, like how many elements a mask has, is asked of the device first, though only a quotient needs it:
//
//   %n = np.item (np.reduce "add" %mask)                    %n = np.reduce "add" %mask
//   %f = np.cast %n : i64 -> f64                     ->     %f = np.cast %n : tensor<i64> -> tensor<f64>
//   %m = np.ufunc "divide"(%sum, %f)                        %m = np.ufunc "divide"(%sum, %f)
#include "compiler/np/Passes.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"

namespace npcc {
#define GEN_PASS_DEF_DEFERITEMS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct DeferItems : impl::DeferItemsBase<DeferItems> {
  void runOnOperation() override {
    SmallVector<UfuncOp> functions;
    getOperation()->walk([&](UfuncOp op) {
      if (isa<RankedTensorType>(op.getType()))
        functions.push_back(op);
    });
    for (UfuncOp op : functions)
      for (OpOperand &operand : op->getOpOperands())
        if (Value value = getDeferred(operand.get(), op))
          operand.set(value);
  }

  /// The value of rank 0 that a number was asked for, with the casts that it went through.
  static Value getDeferred(Value number, UfuncOp user) {
    if (isa<RankedTensorType>(number.getType()) || user.getName() == Ufunc::where)
      return Value();
    auto cast = number.getDefiningOp<CastOp>();
    auto item = (cast ? cast.getInput() : number).getDefiningOp<ItemOp>();
    // Of memory the host reads what it holds then.
    if (!item || !item.getValue().getDefiningOp<ReduceOp>())
      return Value();
    if (!cast)
      return item.getValue();
    OpBuilder builder(cast);
    return CastOp::create(builder, cast.getLoc(), RankedTensorType::get({}, number.getType()), item.getValue());
  }
};
} // namespace
} // namespace npcc

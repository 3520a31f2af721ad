#include "dialects/Np/Choice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace npcc::np;

// What is known when the code is made is no choice.
OpFoldResult ChoiceOp::fold(FoldAdaptor adaptor) { return adaptor.getValue(); }

/// What is offered for known calls only is nothing where no call is known.
LogicalResult ChoiceOp::canonicalize(ChoiceOp op, PatternRewriter &rewriter) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  bool isKnown = function && llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned k) {
                   return function.getArgAttr(k, "np.first") != nullptr;
                 });
  if (!op.getKnownOnly() || isKnown || !op.getType().isInteger(1))
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getBoolAttr(false));
  return success();
}

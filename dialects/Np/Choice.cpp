#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
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

//===---- np.alternatives ----===//

/// The ends of regions without results are there from the beginning.
static void ensureEnd(Region &region, OpBuilder &builder, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  Block &block = region.empty() ? region.emplaceBlock() : region.front();
  if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
    return;
  builder.setInsertionPointToEnd(&block);
  YieldOp::create(builder, loc, ValueRange());
}

void AlternativesOp::build(OpBuilder &builder, OperationState &state, TypeRange results, StringRef what,
                           Value condition) {
  state.addOperands(condition);
  state.addTypes(results);
  state.getOrAddProperties<Properties>().what = builder.getStringAttr(what);
  for (int number = 0; number < 2; ++number) {
    Region *region = state.addRegion();
    region->emplaceBlock();
    if (results.empty())
      ensureEnd(*region, builder, state.location);
  }
}

void AlternativesOp::fill(Block *block, Operation *op) {
  if (getNumResults()) {
    OpBuilder builder = OpBuilder::atBlockEnd(block);
    YieldOp::create(builder, op->getLoc(), op->getResults());
  }
  op->remove();
  block->getOperations().insert(block->getTerminator()->getIterator(), op);
}

void AlternativesOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getWhatAttr();
  if (getKnownOnly())
    printer << " known_only";
  if (getNeeded())
    printer << " needed";
  printer << ' ' << getCondition();
  if (getNumResults())
    printer << " -> (" << getResultTypes() << ')';
  printer << ' ';
  printer.printRegion(getOffered(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/getNumResults() != 0);
  printer << " or ";
  printer.printRegion(getGeneral(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/getNumResults() != 0);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"what", "known_only", "needed"});
}

ParseResult AlternativesOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  StringAttr what;
  OpAsmParser::UnresolvedOperand condition;
  if (parser.parseAttribute(what))
    return failure();
  properties.what = what;
  if (succeeded(parser.parseOptionalKeyword("known_only")))
    properties.known_only = parser.getBuilder().getUnitAttr();
  if (succeeded(parser.parseOptionalKeyword("needed")))
    properties.needed = parser.getBuilder().getUnitAttr();
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, parser.getBuilder().getI1Type(), state.operands) ||
      parser.parseOptionalArrowTypeList(state.types))
    return failure();
  Region *offered = state.addRegion(), *general = state.addRegion();
  if (parser.parseRegion(*offered) || parser.parseKeyword("or") || parser.parseRegion(*general) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  OpBuilder builder(parser.getContext());
  if (state.types.empty())
    for (Region *region : {offered, general})
      ensureEnd(*region, builder, state.location);
  return success();
}

LogicalResult AlternativesOp::verify() {
  for (Block *block : {getOfferedBlock(), getGeneralBlock()}) {
    auto end = dyn_cast<YieldOp>(block->getTerminator());
    if (!end || end.getValues().getTypes() != getResultTypes())
      return emitOpError("gives what its regions give");
  }
  return success();
}

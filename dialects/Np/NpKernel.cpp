// np.kernel: its form, what its body may hold, and the axes that it does not need.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npcc::np;

void KernelOp::build(OpBuilder &builder, OperationState &state, ValueRange extents) {
  state.addOperands(extents);
  Region *region = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(region);
  for (size_t axis = 0; axis < extents.size(); ++axis)
    body->addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*region, builder, state.location);
}

bool KernelOp::isUnit() {
  return llvm::all_of(getExtents(), [](Value extent) { return getConstantIntValue(extent) == 1; });
}

//===---- As a loop ------------------------------------------------------------------------------------------------===//

SmallVector<Region *> KernelOp::getLoopRegions() { return {&getRegion()}; }

std::optional<SmallVector<Value>> KernelOp::getLoopInductionVars() { return SmallVector<Value>(getInductionVars()); }

std::optional<SmallVector<OpFoldResult>> KernelOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>(getNumLoops(), Builder(getContext()).getIndexAttr(0));
}

std::optional<SmallVector<OpFoldResult>> KernelOp::getLoopUpperBounds() { return getAsOpFoldResult(getExtents()); }

std::optional<SmallVector<OpFoldResult>> KernelOp::getLoopSteps() {
  return SmallVector<OpFoldResult>(getNumLoops(), Builder(getContext()).getIndexAttr(1));
}

//===---- Text -----------------------------------------------------------------------------------------------------===//

void KernelOp::print(OpAsmPrinter &printer) {
  if (getKind())
    printer << ' ' << stringifyKernelKind(*getKind());
  printer << " (" << getInductionVars() << ") = (" << getExtents() << ") ";
  if (getCut() != Cut::ask)
    printer << "cut " << stringifyCut(getCut()) << ' ';
  if (getCold())
    printer << "cold ";
  if (getRunner() != Runner::block)
    printer << "by " << stringifyRunner(getRunner()) << ' ';
  if (getBeside() != Beside::alone)
    printer << "beside " << stringifyBeside(getBeside()) << ' ';
  if (getGuarded())
    printer << "guarded ";
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {getKindAttrName(), getCutAttrName(), getColdAttrName(),
                                                      getRunnerAttrName(), getBesideAttrName(), getGuardedAttrName()});
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    std::optional<KernelKind> kind = symbolizeKernelKind(keyword);
    if (!kind)
      return parser.emitError(parser.getCurrentLocation(), "unknown kind of kernel '") << keyword << "'";
    state.addAttribute(getKindAttrName(state.name), KernelKindAttr::get(builder.getContext(), *kind));
  }
  SmallVector<OpAsmParser::Argument> positions;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  if (parser.parseArgumentList(positions, OpAsmParser::Delimiter::Paren) || parser.parseEqual() ||
      parser.parseOperandList(extents, positions.size(), OpAsmParser::Delimiter::Paren) ||
      parser.resolveOperands(extents, builder.getIndexType(), state.operands))
    return failure();
  for (OpAsmParser::Argument &position : positions)
    position.type = builder.getIndexType();
  if (succeeded(parser.parseOptionalKeyword("cut"))) {
    std::optional<Cut> cut;
    if (parser.parseKeyword(&keyword) || !(cut = symbolizeCut(keyword)))
      return parser.emitError(parser.getCurrentLocation(), "expected 'ask', 'always' or 'never'");
    state.addAttribute(getCutAttrName(state.name), CutAttr::get(builder.getContext(), *cut));
  }
  if (succeeded(parser.parseOptionalKeyword("cold")))
    state.addAttribute(getColdAttrName(state.name), builder.getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("by"))) {
    std::optional<Runner> runner;
    if (parser.parseKeyword(&keyword) || !(runner = symbolizeRunner(keyword)))
      return parser.emitError(parser.getCurrentLocation(), "expected 'block', 'rows' or 'grid'");
    state.addAttribute(getRunnerAttrName(state.name), RunnerAttr::get(builder.getContext(), *runner));
  }
  if (succeeded(parser.parseOptionalKeyword("beside"))) {
    std::optional<Beside> beside;
    if (parser.parseKeyword(&keyword) || !(beside = symbolizeBeside(keyword)))
      return parser.emitError(parser.getCurrentLocation(), "expected 'alone', 'begins' or 'joins'");
    state.addAttribute(getBesideAttrName(state.name), BesideAttr::get(builder.getContext(), *beside));
  }
  if (succeeded(parser.parseOptionalKeyword("guarded")))
    state.addAttribute(getGuardedAttrName(state.name), builder.getUnitAttr());
  Region *region = state.addRegion();
  if (parser.parseRegion(*region, positions) || parser.parseOptionalAttrDict(state.attributes))
    return failure();
  ensureTerminator(*region, builder, state.location);
  return success();
}

//===---- What is a kernel -----------------------------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  if ((*this)->getParentOfType<KernelOp>())
    return emitOpError("stands in another kernel");
  if (getBody()->getNumArguments() != getNumLoops())
    return emitOpError("has ") << getBody()->getNumArguments() << " positions for " << getNumLoops() << " extents";
  if (!llvm::all_of(getBody()->getArgumentTypes(), [](Type type) { return type.isIndex(); }))
    return emitOpError("has positions that are not of type index");
  if (getNumLoops() == 0)
    return emitOpError("has no axis; one iteration is an axis of extent 1");
  bool isScanOfGrid = getRunner() == Runner::grid && getKind() == KernelKind::scan;
  if (getRunner() != Runner::block && getKind() != KernelKind::steps && !isScanOfGrid)
    return emitOpError("is by ") << stringifyRunner(getRunner()) << ", but holds no steps";
  return success();
}

static LogicalResult verifyInnerLoop(scf::ParallelOp loop) {
  for (Value step : loop.getStep())
    if (getConstantIntValue(step) != 1)
      return loop.emitOpError("in a kernel has a step that is not 1");
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  for (Region &combiner : reduce.getReductions()) {
    Block &block = combiner.front();
    Operation *combine = block.getTerminator()->getOperand(0).getDefiningOp();
    auto takes = [&](Value argument) { return llvm::is_contained(combine->getOperands(), argument); };
    if (!combine || combine->getNumOperands() != 2 || !takes(block.getArgument(0)) || !takes(block.getArgument(1)))
      return loop.emitOpError("in a kernel combines by something else than one operation on both arguments");
  }
  return success();
}

/// Nobody reads what an update leaves, and nothing else touches its array. Iterations of the kernel that meet leave the
/// same in any order; those of an inner loop meet only where their kernel's iteration has its own part of the array,
/// and may sum floats: they are summed in one order in every run.
static LogicalResult verifyUpdate(KernelOp kernel, memref::AtomicRMWOp update) {
  if (!update->use_empty())
    return update.emitOpError("in a kernel has a result that is used: it depends on the order of iterations");
  if (auto inner = update->getParentOfType<scf::ParallelOp>()) {
    Value part = update.getIndices().empty() ? Value() : Value(update.getIndices().front());
    bool isOnly = kernel.isUnit() && part && matchPattern(part, m_Zero());
    bool isOwn = isOnly || (part && part == kernel.getInductionVars().front());
    bool isOfParts = kernel.getKind() == KernelKind::updates && kernel.getNumLoops() == 1 && inner->getParentOp() == kernel;
    if (!isOfParts || !isOwn)
      return update.emitOpError("stands in an inner parallel loop of a kernel whose iterations have no arrays of their "
                                "own for it");
  } else if (!update.getType().isIntOrIndex()) {
    return update.emitOpError("sums floats in the order in which iterations come");
  }
  for (Operation *user : update.getMemref().getUsers())
    if (kernel->isProperAncestor(user) && !isa<memref::AtomicRMWOp, memref::DimOp>(user))
      return update.emitOpError("updates an array that its kernel touches otherwise");
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  WalkResult result = getBody()->walk([&](Operation *op) {
    if (isa<AllocOp, RetainOp, ReleaseOp, CallMatmulOp, CallReshapeOp, CallSortOp, RoutineOp, KeepOp, KeptOp,
            ExchangeHaloOp, NewGeneratorOp, SeedGeneratorOp, CapturedGeneratorOp, DrawOp, DrawInTurnsOp, DrawScalarOp,
            CheckStackOp, ClockOp, TextOp, TextFunctionOp, PythonOp>(op)) {
      emitOpError("holds '") << op->getName() << "', which is for host code";
      return WalkResult::interrupt();
    }
    LogicalResult verdict = success();
    for (Type type : op->getOperandTypes())
      if (auto array = dyn_cast<MemRefType>(type); array && isa_and_nonnull<StringAttr>(array.getMemorySpace())) {
        emitOpError("holds '") << op->getName() << "' of an array in another memory: " << array.getMemorySpace();
        return WalkResult::interrupt();
      }
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      verdict = verifyInnerLoop(loop);
    else if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
      verdict = verifyUpdate(*this, update);
    return failed(verdict) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===---- Canonical form -------------------------------------------------------------------------------------------===//

namespace {
/// The position along an axis of extent 1 is 0, and the axis is not needed, unless it is the only one.
struct DropUnitAxes : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp kernel, PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(kernel.getNumLoops());
    for (auto [axis, extent] : llvm::enumerate(kernel.getExtents()))
      if (getConstantIntValue(extent) == 1)
        dropped.set(axis);
    if (dropped.all())
      dropped.reset(kernel.getNumLoops() - 1);
    bool readsUnit = kernel.isUnit() && !kernel.getInductionVars().back().use_empty();
    if (dropped.none() && !readsUnit)
      return failure();
    rewriter.setInsertionPoint(kernel);
    Value zero = arith::ConstantIndexOp::create(rewriter, kernel.getLoc(), 0);
    rewriter.modifyOpInPlace(kernel, [&] {
      SmallVector<Value> kept;
      for (auto [axis, extent] : llvm::enumerate(kernel.getExtents())) {
        if (!dropped.test(axis))
          kept.push_back(extent);
        if (dropped.test(axis) || readsUnit)
          kernel.getInductionVars()[axis].replaceAllUsesWith(zero);
      }
      kernel.getBody()->eraseArguments(dropped);
      kernel.getExtentsMutable().assign(kept);
    });
    return success();
  }
};
} // namespace

void KernelOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropUnitAxes>(context);
}

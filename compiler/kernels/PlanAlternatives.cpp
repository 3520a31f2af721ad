// npcc-plan-alternatives: which of the alternatives that passes offer are compiled. It is the only pass that makes
// branches of them. An offer is an np.alternatives: general code, other code beside it, and the condition under which
// that is taken, which is known when the code runs.
//
//   func.func @f(%a: memref<?xf64> {np.first = array<i64: 1000000, 0>}) {     // the first call's extents, and the
//   address
//     %n = memref.dim %a, %c0
//     %many = arith.cmpi sge, %n, %c65536
//     np.alternatives "parts of rows" %many { A } or { B }
//
// Where nothing is known of a first call (modules that are made ahead of time), both A and B are compiled:
//
//     scf.if %many { A } else { B }
//
// as long as what offers add to the function is not more code than its target's tuning allows (`mostOffered`); after
// that, B alone, which is right in any case. Here `%many` is true in the first call. So A alone is kept, and a function
// is made that says whether the same holds for other arguments:
//
//   func.func @f(%a: memref<?xf64>) { A }
//   func.func @f.choice(%a: memref<?xf64>) -> i1 {
//     %n = memref.dim %a, %c0
//     %many = arith.cmpi sge, %n, %c65536
//     return %many
//   }
//
// The runtime asks it before each call (npcc_variant::choice). A call for which it says no has the function compiled
// anew: for that call too, until a few have code of their own, and then with all alternatives. All choose by the same
// values. A number that decides (np.choice) is planned in the same way: it becomes a constant, or its operand.
//
// The pass runs behind each pass that offers, so that what is not needed is not worked on any further. What a condition
// depends on is followed through operations without effects to extents, addresses and integers that the function is
// given. A condition that depends on the iteration of a loop is decided where it is the same in all of them, as far as
// the loop's bounds tell (IterationBounds). One that depends on anything else (an element of an array) stays in the
// code.
#include "compiler/kernels/Passes.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/IterationBounds.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_PLANALTERNATIVES
#include "compiler/kernels/Passes.h.inc"
namespace {

struct PlanAlternatives : impl::PlanAlternativesBase<PlanAlternatives> {
  using PlanAlternativesBase::PlanAlternativesBase;

  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getModule().getOps<func::FuncOp>()))
      if (!function.isDeclaration())
        plan(function);
    if (!hasPlanned) // most passes offer nothing
      markAllAnalysesPreserved();
  }

  ModuleOp getModule() { return cast<ModuleOp>(getOperation()); }

  void plan(func::FuncOp function) {
    bool knowsFirst = FirstCall::isKnown(function);
    for (Block &block : function.getBody())
      plan(block, function, knowsFirst);
  }

  /// One offer after the other, as the code has them: with an alternative that is not kept go the offers in it. What is
  /// kept comes after it in the block, or inside of the branch that it becomes.
  void plan(Block &block, func::FuncOp function, bool knowsFirst) {
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
      if (!isa<np::ChoiceOp, np::AlternativesOp>(op)) {
        for (Region &region : op->getRegions())
          for (Block &inside : region)
            plan(inside, function, knowsFirst);
        op = op->getNextNode();
        continue;
      }
      hasPlanned = true;
      Operation *before = op->getPrevNode();
      if (auto choice = dyn_cast<np::ChoiceOp>(op))
        plan(choice, function, knowsFirst);
      else
        plan(cast<np::AlternativesOp>(op), function, knowsFirst);
      op = before ? before->getNextNode() : &block.front();
    }
  }

  bool hasPlanned = false;

  void plan(np::AlternativesOp offer, func::FuncOp function, bool knowsFirst) {
    IntegerAttr known;
    if (!matchPattern(offer.getCondition(), m_Constant(&known)) && knowsFirst)
      known = decide(offer.getCondition(), function);
    if (known)
      return keepOne(offer, known.getValue().isOne() ? offer.getOfferedBlock() : offer.getGeneralBlock());
    if (offer.getKnownOnly() || (!offer.getNeeded() && !isAffordable(offer, function)))
      return keepOne(offer, offer.getGeneralBlock());
    OpBuilder builder(offer);
    auto branch = scf::IfOp::create(builder, offer.getLoc(), offer.getResultTypes(), offer.getCondition());
    branch.getThenRegion().takeBody(offer.getOffered());
    if (!llvm::hasSingleElement(*offer.getGeneralBlock()) || offer.getNumResults())
      branch.getElseRegion().takeBody(offer.getGeneral());
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty()) {
        Operation *end = region->front().getTerminator();
        builder.setInsertionPoint(end);
        scf::YieldOp::create(builder, end->getLoc(), end->getOperands());
        end->erase();
      }
    offer.replaceAllUsesWith(branch.getResults());
    offer.erase();
  }

  /// Whether there is room for both regions. What offers have added so far stands at the function.
  bool isAffordable(np::AlternativesOp offer, func::FuncOp function) {
    int64_t added = 0;
    offer.getOffered().walk([&](Operation *) { ++added; });
    if (auto before = function->getAttrOfType<IntegerAttr>(addedCode))
      added += before.getInt();
    if (added > (budget < 0 ? getTargetProperties(function).tuning.mostOffered : budget))
      return false;
    function->setAttr(addedCode, Builder(function.getContext()).getI64IntegerAttr(added));
    return true;
  }
  static constexpr llvm::StringLiteral addedCode = "np.offered";

  static void keepOne(np::AlternativesOp offer, Block *kept) {
    Operation *end = kept->getTerminator();
    offer.replaceAllUsesWith(end->getOperands());
    end->erase();
    offer->getBlock()->getOperations().splice(offer->getIterator(), kept->getOperations());
    offer.erase();
  }

  void plan(np::ChoiceOp choice, func::FuncOp function, bool knowsFirst) {
    IntegerAttr known = knowsFirst ? decide(choice.getValue(), function) : IntegerAttr();
    if (!known && choice.getKnownOnly())
      known = Builder(choice.getContext()).getIntegerAttr(choice.getType(), 0);
    if (!known) {
      choice.replaceAllUsesWith(choice.getValue());
      choice.erase();
      return;
    }
    OpBuilder builder(choice);
    Value constant = arith::ConstantOp::create(builder, choice.getLoc(), known);
    SmallVector<Operation *> users(choice->getUsers());
    choice.replaceAllUsesWith(constant);
    choice.erase();
    if (constant.getType().isInteger(1))
      for (Operation *user : users)
        if (auto branch = dyn_cast<scf::IfOp>(user))
          keepOne(branch, known.getValue().isOne());
  }

  /// What the value is in the first call, which other calls are asked for; null if that is not known, or not `wanted`.
  static IntegerAttr take(Value value, func::FuncOp function, std::optional<int64_t> wanted = std::nullopt) {
    FirstCall first(function);
    IntegerAttr known = first.evaluate(value);
    if (!known || (wanted && known.getValue() != *wanted))
      return {};
    first.requireEqual(value, known);
    return known;
  }

  /// What the value is in the first call, or a condition in all iterations of its loops there; null if that is not
  /// known.
  static IntegerAttr decide(Value value, func::FuncOp function) {
    if (IntegerAttr known = take(value, function))
      return known;
    if (!value.getType().isInteger(1) || value.getParentBlock()->getParentOp() == function)
      return {};
    for (bool expected : {true, false}) {
      Block scratch;
      OpBuilder builder(function.getContext());
      builder.setInsertionPointToEnd(&scratch);
      Value holds = IterationBounds(builder).emitHolds(value, expected);
      bool isKnown = holds && take(holds, function, /*wanted=*/1);
      scratch.dropAllReferences();
      if (isKnown)
        return builder.getIntegerAttr(builder.getI1Type(), expected ? 1 : 0);
    }
    return {};
  }

  static void keepOne(scf::IfOp branch, bool taken) {
    Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
    if (!region.empty()) {
      Block &block = region.front();
      branch.replaceAllUsesWith(block.getTerminator()->getOperands());
      block.getTerminator()->erase();
      branch->getBlock()->getOperations().splice(branch->getIterator(), block.getOperations());
    }
    branch.erase();
  }
};

} // namespace

void addOffering(OpPassManager &pm, std::unique_ptr<Pass> pass) {
  pm.addNestedPass<func::FuncOp>(std::move(pass));
  pm.addPass(createPlanAlternatives());
}

} // namespace npcc

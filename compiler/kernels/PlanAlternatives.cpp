// npcc-plan-alternatives: which of the alternatives that passes offer are compiled. An offer is an np.choice: a value
// of host code that decides, when the code runs, which way it goes.
//
//   func.func @f(%a: memref<?xf64> {np.first = array<i64: 1000000, 0>}) {     // the first call's extents, and the
//   address
//     %n = memref.dim %a, %c0
//     %many = arith.cmpi sge, %n, %c65536
//     %split = np.choice "parts of rows" %many : i1
//     scf.if %split { A } else { B }
//
// Where nothing is known of a first call (modules that are made ahead of time), the choice becomes its operand: both A
// and B are compiled. Here `%many` is true in the first call. So A alone is kept, and a function is made that says
// whether the same choices hold for other arguments:
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
// values.
//
// The pass runs behind each pass that offers, so that what is not needed is not worked on any further. What a choice
// depends on is followed through operations without effects to extents, addresses and integers that the function is
// given. A condition that depends on the iteration of a loop is decided where it is the same in all of them, as far as
// the loop's bounds tell (IterationBounds). A choice that depends on anything else (an element of an array) stays in
// the code.
#include "compiler/kernels/Passes.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/IterationBounds.h"
#include "dialects/Np/Choice.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_PLANALTERNATIVES
#include "compiler/kernels/Passes.h.inc"
namespace {

struct PlanAlternatives : impl::PlanAlternativesBase<PlanAlternatives> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getModule().getOps<func::FuncOp>()))
      if (!function.isDeclaration())
        plan(function);
  }

  ModuleOp getModule() { return cast<ModuleOp>(getOperation()); }

  void plan(func::FuncOp function) {
    bool knowsFirst = FirstCall::isKnown(function);
    for (Block &block : function.getBody())
      plan(block, function, knowsFirst);
  }

  /// One choice after the other, as the code has them: with an alternative that is not kept go the choices in it. What
  /// a choice takes away or puts elsewhere comes after it.
  void plan(Block &block, func::FuncOp function, bool knowsFirst) {
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
      auto choice = dyn_cast<np::ChoiceOp>(op);
      if (!choice) {
        for (Region &region : op->getRegions())
          for (Block &inside : region)
            plan(inside, function, knowsFirst);
        op = op->getNextNode();
        continue;
      }
      Operation *before = op->getPrevNode();
      plan(choice, function, knowsFirst);
      op = before ? before->getNextNode() : &block.front();
    }
  }

  void plan(np::ChoiceOp choice, func::FuncOp function, bool knowsFirst) {
    IntegerAttr known = knowsFirst ? decide(choice, function) : IntegerAttr();
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

  /// What the choice is in the first call, or in all iterations of its loops there; null if that is not known.
  static IntegerAttr decide(np::ChoiceOp choice, func::FuncOp function) {
    if (IntegerAttr known = take(choice.getValue(), function))
      return known;
    if (!choice.getType().isInteger(1) || choice->getParentOp() == function)
      return {};
    for (bool expected : {true, false}) {
      Block scratch;
      OpBuilder builder(function.getContext());
      builder.setInsertionPointToEnd(&scratch);
      Value holds = IterationBounds(builder).emitHolds(choice.getValue(), expected);
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
} // namespace npcc

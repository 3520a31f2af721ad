// npcc-record-failures: where a program raises an error for a matrix without a result, a GPU leaves the error in the
// record of kernels' errors, and the host goes on without waiting for what the library says:
//
//   %failed = np.routine "solve_rows"(%a) to(%x)
//   %good = arith.cmpi eq, %failed, %c0
//   np.assert %good, "LinAlgError" "Singular matrix"()
// becomes
//   np.routine "solve_rows"(%a) to(%x) {error = "LinAlgError", message = "Singular matrix"}
//
// What comes behind in Python does not happen after the error. Here it does, until the host looks at the record: so
// this is only done where nobody sees what comes behind, which are kernels and routines on arrays of the function's
// own. An array of the caller's that is stored into, print(), a draw of random numbers or Python itself keep the host
// waiting.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/LastingEffects.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_RECORDFAILURES
#include "compiler/gpu/Passes.h.inc"
namespace {

/// The check that a routine has a result for all matrices, where nothing else asks how it went.
np::AssertOp findCheck(np::RoutineOp routine) {
  if (!routine.getFailed().hasOneUse())
    return {};
  auto compare = dyn_cast<arith::CmpIOp>(*routine.getFailed().user_begin());
  bool asksForNone = compare && compare.getPredicate() == arith::CmpIPredicate::eq && compare->hasOneUse() &&
                     (matchPattern(compare.getLhs(), m_Zero()) || matchPattern(compare.getRhs(), m_Zero()));
  auto check = asksForNone ? dyn_cast<np::AssertOp>(*compare->user_begin()) : np::AssertOp();
  return check && check->getBlock() == routine->getBlock() && check.getArguments().empty() ? check : np::AssertOp();
}

class Behind {
public:
  explicit Behind(func::FuncOp function) : aliasing(/*general=*/true) {
    function.walk([&](Operation *op) { hasPython |= isa<np::PythonOp>(op); });
  }

  /// Whether somebody sees what the program does behind the operation, also in later iterations.
  bool isSeen(Operation *op) {
    if (hasPython) // it may hold arrays of the function's own
      return true;
    for (; !isa<func::FuncOp>(op); op = op->getParentOp()) {
      for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
        if (hasEffect(next))
          return true;
      if (isa<LoopLikeOpInterface>(op->getParentOp()) && hasEffect(op->getParentOp()))
        return true;
    }
    return false;
  }

private:
  bool hasEffect(Operation *op) {
    auto [known, isNew] = effects.try_emplace(op, false);
    if (isNew) {
      bool found = aliasing.mayWriteToOthers(op) || op->walk([](Operation *inner) {
                                                        return writesResource(inner) ? WalkResult::interrupt()
                                                                                     : WalkResult::advance();
                                                      }).wasInterrupted();
      effects[op] = found;
      return found;
    }
    return known->second;
  }

  Aliasing aliasing;
  llvm::DenseMap<Operation *, bool> effects;
  bool hasPython = false;
};

struct RecordFailures : impl::RecordFailuresBase<RecordFailures> {
  void runOnOperation() override {
    llvm::StringSet<> called; // what their callers do behind the call is not known here
    getOperation().walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<std::pair<np::RoutineOp, np::AssertOp>> found;
      function.walk([&](np::RoutineOp routine) {
        if (np::AssertOp check = findCheck(routine))
          found.emplace_back(routine, check);
      });
      if (found.empty() || called.contains(function.getName()))
        continue;
      Behind behind(function);
      for (auto [routine, check] : found)
        if (!behind.isSeen(routine))
          record(routine, check);
    }
  }

  static void record(np::RoutineOp routine, np::AssertOp check) {
    routine.setErrorAttr(check.getErrorAttr());
    routine.setMessageAttr(check.getMessageAttr());
    routine->setLoc(check.getLoc());
    Operation *compare = check.getCondition().getDefiningOp();
    check.erase();
    compare->erase();
  }
};

} // namespace
} // namespace npcc

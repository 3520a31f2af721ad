#include "compiler/np/CommonRooms.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
using namespace np;

namespace {
// Operations of a side: each is compared with those of the other one.
constexpr int64_t mostOperations = 128;

bool makeSameRoom(scf::IfOp branch) {
  return llvm::any_of(branch.thenBlock()->getOps<MakeRoomOp>(), [&](MakeRoomOp one) {
    return llvm::any_of(branch.elseBlock()->getOps<MakeRoomOp>(),
                        [&](MakeRoomOp other) { return one.getArray() == other.getArray(); });
  });
}

bool isCode(Operation *op) { return op->getNumRegions() == 0 && isMemoryEffectFree(op); }
/// What others may be done before: nobody can tell.
bool isIndifferent(Operation *op) { return isCode(op) || isa<LoadOp, NewOp, EmptyOp>(op); }

/// The operation of the other side that does the same, at a place where it could be done first.
Operation *findSame(Operation *op, Block *other) {
  bool isFirst = true;
  for (Operation &candidate : other->without_terminator()) {
    if ((isFirst || isCode(op)) &&
        OperationEquivalence::isEquivalentTo(op, &candidate, OperationEquivalence::IgnoreLocations))
      return &candidate;
    isFirst &= isIndifferent(&candidate);
  }
  return nullptr;
}

void hoist(scf::IfOp branch) {
  bool isFirst = true;
  for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
    bool canBe = isCode(&op) || (isFirst && isa<MakeRoomOp, AssertOp, LoadOp>(op));
    Operation *same = canBe ? findSame(&op, branch.elseBlock()) : nullptr;
    if (!same || llvm::any_of(op.getOperands(), [&](Value operand) {
          return branch->isProperAncestor(operand.getParentBlock()->getParentOp()) ||
                 operand.getParentBlock()->getParentOp() == branch;
        })) {
      isFirst &= isIndifferent(&op);
      continue;
    }
    op.moveBefore(branch);
    same->replaceAllUsesWith(&op);
    same->erase();
  }
}
} // namespace

bool hoistCommonRooms(func::FuncOp function) {
  bool changes = false;
  function.walk([&](scf::IfOp branch) {
    auto isLong = [](Block *block) { return static_cast<int64_t>(block->getOperations().size()) > mostOperations; };
    if (!branch.elseBlock() || isLong(branch.thenBlock()) || isLong(branch.elseBlock()) || !makeSameRoom(branch))
      return;
    hoist(branch);
    changes = true;
  });
  return changes;
}

} // namespace npcc

// npcc-choose-elements: a branch of a loop that decides between the elements of two arrays, by a number that a device
// has, becomes a choice for each element.
//
//   %c = np.item %is_positive                       %y = np.ufunc "divide"(%x, %s)
//   %r = scf.if %c {                                %v = np.ufunc "where"(%is_positive, %y, %x)
//     np.new (np.ufunc "divide"(%x, %s))     ->     np.store %v, %out[%i]
//   } else { %row }
//   np.store (np.load %r), %out[%i]
//
// With the branch the host asks for the number in each iteration, and no two iterations can be one kernel. Both sides
// are computed now, so they hold elementwise functions and reductions alone, which cannot fail, of parts of arrays that
// are there either way. There are two kinds of branches: those that give an array which is only read, before anybody
// changes what it may be a view of, and those that store into the same place on both sides. Other branches with stores
// are kernels as they are.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/Region.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_CHOOSEELEMENTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Of both sides, which are computed where one was.
constexpr int64_t mostOperations = 64;

bool isPoison(Value value) { return value.getDefiningOp<ub::PoisonOp>() != nullptr; }

class Branch {
public:
  Branch(scf::IfOp branch, ExtentOrigins &origins, bool general)
      : branch(branch), origins(origins), general(general), builder(branch) {}

  /// False where it stays as it is.
  bool replace() {
    if (!branch->getParentOfType<scf::ForOp>() || !branch.elseBlock() || !isOfDevice(branch.getCondition()) ||
        !isCode())
      return false;
    if (branch.getNumResults() ? !givesElements() : !findStores())
      return false;
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        if (!isa<StoreOp>(op))
          op.moveBefore(branch);
    if (branch.getNumResults())
      replaceResults();
    else
      StoreOp::create(builder, loc(), choose(stores[0].getValue(), stores[1].getValue()), stores[0].getArray(),
                      stores[0].getAsOutput());
    branch.erase();
    return true;
  }

private:
  Location loc() { return branch.getLoc(); }

  /// A bool that is compared as an integer, which says which of two things a name is bound to.
  static Value getCompared(Value condition) {
    auto comparison = condition.getDefiningOp<arith::CmpIOp>();
    auto compared = comparison ? comparison.getLhs().getDefiningOp<arith::ExtUIOp>() : arith::ExtUIOp();
    bool isBool = compared && compared.getIn().getType().isInteger(1) && isEquality(comparison.getPredicate()) &&
                  (matchPattern(comparison.getRhs(), m_Zero()) || matchPattern(comparison.getRhs(), m_One()));
    return isBool ? compared.getIn() : Value();
  }
  static bool isEquality(arith::CmpIPredicate predicate) {
    return predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne;
  }

  /// What the branch asks for is made of numbers that arrays hold, one at least, and of nothing but these.
  static bool isOfDevice(Value condition) {
    if (Value compared = getCompared(condition))
      return isOfDevice(compared);
    Operation *op = condition.getDefiningOp();
    if (isa_and_nonnull<ItemOp>(op))
      return true;
    return isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
           llvm::all_of(op->getOperands(),
                        [](Value operand) { return matchPattern(operand, m_Constant()) || isOfDevice(operand); });
  }
  /// The condition as a value.
  Value asValue(Value condition) {
    if (auto item = condition.getDefiningOp<ItemOp>())
      return item.getValue();
    if (Value compared = getCompared(condition)) {
      auto comparison = condition.getDefiningOp<arith::CmpIOp>();
      bool isSame =
          (comparison.getPredicate() == arith::CmpIPredicate::eq) == matchPattern(comparison.getRhs(), m_One());
      Value value = asValue(compared);
      return isSame ? value : UfuncOp::create(builder, loc(), Ufunc::logical_not, ValueRange{value}).getResult();
    }
    Operation *op = condition.getDefiningOp();
    if (matchPattern(condition, m_Constant()))
      return condition;
    Ufunc name = isa<arith::AndIOp>(op)  ? Ufunc::logical_and
                 : isa<arith::OrIOp>(op) ? Ufunc::logical_or
                                         : Ufunc::logical_xor;
    Value left = asValue(op->getOperand(0)), right = asValue(op->getOperand(1));
    return UfuncOp::create(builder, loc(), name, ValueRange{left, right});
  }

  /// Whether both sides may be computed, and are little.
  bool isCode() {
    int64_t operations = 0;
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : block->without_terminator()) {
        bool isValue = isa<UfuncOp, CastOp, BroadcastOp, ReduceOp, LoadOp, DimOp, NewOp>(op) ||
                       op.hasTrait<OpTrait::ConstantLike>() ||
                       (isa<arith::ArithDialect>(op.getDialect()) && isSpeculatable(&op));
        bool isPart = isa<ViewOp>(op) && isThere(cast<ViewOp>(op));
        if (!(isValue || isPart || isa<StoreOp>(op)) || ++operations > mostOperations)
          return false;
      }
    return true;
  }
  /// A part whose place does not depend on the branch: which the counter of a loop numbers.
  static bool isThere(ViewOp view) {
    return llvm::all_of(view.getOffsets(), [](Value offset) {
      auto counter = dyn_cast<BlockArgument>(offset);
      auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
      return matchPattern(offset, m_Constant()) || (loop && counter == loop.getInductionVar());
    });
  }

  std::pair<Value, Value> getSides(unsigned result) {
    return {branch.thenYield().getOperand(result), branch.elseYield().getOperand(result)};
  }

  bool givesElements() {
    auto hasStores = [](Block *block) { return !block->getOps<StoreOp>().empty(); };
    if (hasStores(branch.thenBlock()) || hasStores(branch.elseBlock()))
      return false;
    for (OpResult result : branch.getResults()) {
      auto [one, other] = getSides(result.getResultNumber());
      if (isPoison(one) || isPoison(other))
        continue;
      if (isa<ArrayType>(result.getType()) ? !haveOneShape(one, other) || !isOnlyRead(result)
                                           : !result.getType().isIntOrIndexOrFloat())
        return false;
    }
    return llvm::any_of(branch->getResultTypes(), [](Type type) { return isa<ArrayType>(type); });
  }

  bool haveOneShape(Value one, Value other) {
    for (int64_t axis = 0; axis < getRank(one.getType()); ++axis) {
      ExtentOrigin extent = origins.of(one, axis);
      if (!extent.isKnown() || !(extent == origins.of(other, axis)))
        return false;
    }
    return true;
  }

  /// Whether the array's elements are read, by operations of this iteration, and those of both sides are the same then
  /// as they are here.
  bool isOnlyRead(OpResult result) {
    auto [one, other] = getSides(result.getResultNumber());
    for (Operation *user : result.getUsers()) {
      if (isa<DimOp>(user))
        continue;
      Operation *last = isa<LoadOp>(user) ? branch->getBlock()->findAncestorOpInBlock(*user) : nullptr;
      if (!last)
        return false;
      for (Operation *op = branch->getNextNode(); op != last->getNextNode(); op = op->getNextNode())
        for (Value side : {one, other})
          if (!side.getDefiningOp<NewOp>() && (op != last || last->getNumRegions()) && mayWriteTo(op, side, general))
            return false;
    }
    return true;
  }

  /// Each side stores last, and once.
  bool findStores() {
    for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
      auto inside = block->getOps<StoreOp>();
      auto last = block->without_terminator().empty() ? StoreOp() : dyn_cast<StoreOp>(*std::prev(block->end(), 2));
      if (!last || !llvm::hasSingleElement(inside))
        return false;
      stores.push_back(last);
    }
    Value one = stores[0].getValue(), other = stores[1].getValue();
    return isSameRegion(stores[0].getArray(), stores[1].getArray()) &&
           (isScalar(one) || isScalar(other) || haveOneShape(one, other)) &&
           stores[0].getAsOutput() == stores[1].getAsOutput();
  }
  static bool isScalar(Value value) { return getRank(value.getType()) == 0; }

  Value choose(Value one, Value other) {
    if (isPoison(one) || isPoison(other) || one == other)
      return isPoison(one) ? other : one;
    if (!condition)
      condition = asValue(branch.getCondition());
    return UfuncOp::create(builder, loc(), Ufunc::where, ValueRange{condition, one, other});
  }

  void replaceResults() {
    for (OpResult result : branch.getResults()) {
      auto [one, other] = getSides(result.getResultNumber());
      Value chosen;
      if (isPoison(one) || isPoison(other))
        chosen = choose(one, other);
      else if (!isa<ArrayType>(result.getType()))
        chosen = arith::SelectOp::create(builder, loc(), branch.getCondition(), one, other);
      else {
        Value elements = choose(LoadOp::create(builder, loc(), one), LoadOp::create(builder, loc(), other));
        chosen = NewOp::create(builder, loc(), elements);
        for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
          if (auto load = dyn_cast<LoadOp>(user)) {
            load.replaceAllUsesWith(elements);
            load.erase();
          }
      }
      result.replaceAllUsesWith(chosen);
    }
  }

  scf::IfOp branch;
  ExtentOrigins &origins;
  bool general;
  OpBuilder builder;
  Value condition;
  SmallVector<StoreOp, 2> stores;
};

struct ChooseElements : impl::ChooseElementsBase<ChooseElements> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // A side that is not taken may make a NaN, or read what was never written: where these are told, nothing changes.
    if (function->hasAttr("np.thread") || getTargetProperties(function).tellsUndefined)
      return markAllAnalysesPreserved();
    auto &origins = getAnalysis<ExtentOrigins>();
    bool general = function->hasAttr("np.general"), changes = false;
    SmallVector<scf::IfOp> branches; // those inside of others before them
    function.walk([&](scf::IfOp branch) { branches.push_back(branch); });
    for (scf::IfOp branch : branches)
      if (Branch(branch, origins, general).replace()) {
        origins.forget();
        changes = true;
      }
    if (!changes)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc

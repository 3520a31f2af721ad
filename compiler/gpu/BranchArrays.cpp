#include "compiler/gpu/BranchArrays.h"
#include "compiler/gpu/StepLoop.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
namespace npcc {
namespace {

/// Branches that give arrays, inner ones first, and choices of arrays, which are branches that do nothing else.
template <typename Op> SmallVector<Op> findArrays(Operation *loop) {
  SmallVector<Op> found;
  loop->walk([&](Op op) {
    bool givesArray = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
    if (givesArray && !op->template getParentOfType<np::KernelOp>())
      found.push_back(op);
  });
  return found;
}

/// The choice as a branch, whose sides give references.
void makeBranch(arith::SelectOp choice) {
  OpBuilder builder(choice);
  auto branch = scf::IfOp::create(builder, choice.getLoc(), choice.getType(), choice.getCondition(),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [block, array] :
       {std::pair(branch.thenBlock(), choice.getTrueValue()), std::pair(branch.elseBlock(), choice.getFalseValue())}) {
    block->clear();
    OpBuilder side = OpBuilder::atBlockEnd(block);
    np::RetainOp::create(side, choice.getLoc(), array);
    scf::YieldOp::create(side, choice.getLoc(), array);
  }
  for (Operation *user : llvm::make_early_inc_range(choice->getUsers()))
    if (isa<np::RetainOp>(user))
      user->erase();
  choice.replaceAllUsesWith(branch.getResult(0));
  choice.erase();
}

class Branch {
public:
  Branch(scf::IfOp branch, Operation *loop, Operation *asWritten) : branch(branch), loop(loop), asWritten(asWritten) {}

  bool place() {
    for (OpResult result : branch.getResults())
      if (isa<MemRefType>(result.getType()) && !isPlaceable(result))
        return false;
    OpBuilder builder(branch);
    SmallVector<Type> types;
    for (OpResult result : branch.getResults())
      if (!isa<MemRefType>(result.getType()))
        types.push_back(result.getType());
    auto numbers = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
    SmallVector<Value> places;
    for (OpResult result : branch.getResults())
      places.push_back(isa<MemRefType>(result.getType()) ? makePlace(result, numbers) : Value());
    for (auto [from, to] : {std::pair(&branch.getThenRegion(), &numbers.getThenRegion()),
                            std::pair(&branch.getElseRegion(), &numbers.getElseRegion())})
      fill(*from, *to, places);
    unsigned next = 0;
    for (auto [result, place] : llvm::zip_equal(branch.getResults(), places))
      result.replaceAllUsesWith(place ? place : numbers.getResult(next++));
    for (Value place : places)
      if (place)
        forwardExtents(place.getDefiningOp<np::AllocOp>());
    branch.erase();
    return true;
  }

private:
  /// Whoever asks the array for its extents is told what it was made with.
  static void forwardExtents(np::AllocOp place) {
    for (Operation *user : llvm::make_early_inc_range(place->getUsers()))
      if (auto dim = dyn_cast<memref::DimOp>(user); dim && dim.getConstantIndex()) {
        Value extent = getAllocatedExtent(place.getBuffer(), *dim.getConstantIndex());
        if (!extent)
          continue;
        dim.replaceAllUsesWith(extent);
        dim.erase();
      }
  }

  bool isBefore(Value value) const { return !branch->isAncestor(value.getParentRegion()->getParentOp()); }

  /// An extent without the checks that it meets others: npcc-enclose-steps asks before the loop whether they are equal.
  static Value getPlain(Value extent) {
    while (auto meet = extent.getDefiningOp<np::BroadcastExtentOp>())
      extent = meet.getLhs();
    return extent;
  }

  /// Whether the extent can be had before the branch.
  bool isKnown(Value extent) const {
    auto dim = getPlain(extent).getDefiningOp<memref::DimOp>();
    return isBefore(getPlain(extent)) || (dim && isBefore(dim.getSource()) && dim.getConstantIndex());
  }

  static bool areEqual(Value a, Value b) {
    auto first = getPlain(a).getDefiningOp<memref::DimOp>(), second = getPlain(b).getDefiningOp<memref::DimOp>();
    return getPlain(a) == getPlain(b) ||
           (first && second && first.getSource() == second.getSource() && first.getConstantIndex() &&
            first.getConstantIndex() == second.getConstantIndex());
  }

  /// The array as it is made, with extents that can be had before the branch.
  np::AllocOp getMade(Value array) const {
    auto alloc = array.getDefiningOp<np::AllocOp>();
    return alloc && llvm::all_of(alloc.getExtents(), [&](Value extent) { return isKnown(extent); }) ? alloc
                                                                                                    : np::AllocOp();
  }

  SmallVector<Value> getSides(OpResult result) {
    unsigned number = result.getResultNumber();
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }

  /// The side whose extents the place has: one that is made anew.
  np::AllocOp getModel(OpResult result) {
    SmallVector<Value> sides = getSides(result);
    np::AllocOp made = getMade(sides[0]);
    return made ? made : getMade(sides[1]);
  }

  /// Whether both sides have the extents of one that is made anew: as they are the same values, or as a carried array
  /// has those of the array that takes its place, which npcc-enclose-steps asks for.
  bool isPlaceable(OpResult result) {
    if (!cast<MemRefType>(result.getType()).getLayout().isIdentity())
      return false;
    SmallVector<Value> sides = getSides(result);
    np::AllocOp made = getModel(result);
    return made && llvm::all_of(sides, [&](Value side) {
             np::AllocOp other = getMade(side);
             return other ? llvm::all_of(llvm::zip_equal(other.getExtents(), made.getExtents()),
                                         [](auto both) { return areEqual(std::get<0>(both), std::get<1>(both)); })
                          : isBefore(side) && takesPlaceOf(result, side);
           });
  }

  /// Whether the side is the carried array that the result takes the place of, and nobody can tell the array that the
  /// loop begins with from another one of the same elements: if all iterations pass it on, the loop gives that array.
  bool takesPlaceOf(OpResult result, Value carried) const {
    auto argument = dyn_cast<BlockArgument>(carried);
    if (!argument)
      return false;
    unsigned number = argument.getArgNumber();
    if (auto counted = dyn_cast<scf::ForOp>(loop))
      return argument.getOwner() == counted.getBody() && number >= counted.getNumInductionVars() &&
             counted.getYieldedValues()[number - counted.getNumInductionVars()] == result &&
             canBeCopy(counted.getInitArgs()[number - counted.getNumInductionVars()],
                       asWritten->getResult(number - counted.getNumInductionVars()));
    auto conditional = cast<scf::WhileOp>(loop);
    if (argument.getOwner() != conditional.getAfterBody())
      return false;
    auto given = dyn_cast<BlockArgument>(conditional.getConditionOp().getArgs()[number]);
    return given && given.getOwner() == conditional.getBeforeBody() &&
           conditional.getYieldOp().getOperand(given.getArgNumber()) == result &&
           canBeCopy(conditional.getInits()[given.getArgNumber()], asWritten->getResult(number));
  }

  /// Whether nobody has another name of the array, or what the loop gives is only read, and nothing is stored to
  /// either.
  bool canBeCopy(Value init, Value result) const {
    if (StepLoop(asWritten).isPrivate(init))
      return true;
    if (!llvm::all_of(result.getUsers(), llvm::IsaPred<memref::LoadOp, memref::DimOp, np::ReleaseOp>))
      return false;
    auto function = asWritten->getParentOfType<func::FuncOp>();
    Aliasing aliasing(function->hasAttr("np.general"));
    return !function
                ->walk([&](Operation *op) {
                  bool isStore = !op->getNumRegions() && !isa<np::RetainOp, np::ReleaseOp>(op);
                  return isStore && aliasing.mayWriteTo(op, init) ? WalkResult::interrupt() : WalkResult::advance();
                })
                .wasInterrupted();
  }

  Value makePlace(OpResult result, Operation *before) {
    OpBuilder builder(before);
    SmallVector<Value> extents;
    for (Value extent : getModel(result).getExtents()) {
      Value plain = getPlain(extent);
      extents.push_back(isBefore(plain) ? plain : builder.clone(*plain.getDefiningOp())->getResult(0));
      if (auto dim = extents.back().getDefiningOp<memref::DimOp>(); dim && !isBefore(plain))
        dim.getIndexMutable().assign(
            arith::ConstantIndexOp::create(builder, branch.getLoc(), *dim.getConstantIndex()).getResult());
    }
    return np::AllocOp::create(builder, branch.getLoc(), cast<MemRefType>(result.getType()), extents);
  }

  /// The side's code, at whose end the places hold what it gives.
  void fill(Region &from, Region &to, ArrayRef<Value> places) {
    to.takeBody(from);
    auto yield = cast<scf::YieldOp>(to.front().getTerminator());
    SmallVector<Value> kept;
    for (auto [value, place] : llvm::zip_equal(yield.getOperands(), places)) {
      if (!place) {
        kept.push_back(value);
        continue;
      }
      np::AllocOp made = getMade(value);
      bool isGivenOnce = llvm::count(yield.getOperands(), value) == 1;
      if (made && made->getBlock() == &to.front() && isGivenOnce && !getRetain(value, to.front())) {
        made.getResult().replaceUsesWithIf(place, [&](OpOperand &use) { return use.getOwner() != yield; });
        continue;
      }
      OpBuilder end(yield);
      StepLoop::emitCopy(end, yield.getLoc(), value, place);
      // The reference that the branch would have given.
      if (np::RetainOp retain = getRetain(value, to.front()))
        retain.erase();
      else
        np::ReleaseOp::create(end, yield.getLoc(), value);
    }
    SmallVector<Value> given(yield.getOperands());
    yield->setOperands(kept);
    for (Value value : given)
      if (auto made = value.getDefiningOp<np::AllocOp>(); made && made->use_empty())
        made.erase();
  }

  static np::RetainOp getRetain(Value array, Block &block) {
    for (Operation *user : array.getUsers())
      if (auto retain = dyn_cast<np::RetainOp>(user); retain && retain->getBlock() == &block)
        return retain;
    return {};
  }

  scf::IfOp branch;
  Operation *loop, *asWritten;
};
} // namespace

bool hasBranchArrays(Operation *loop) {
  return !findArrays<scf::IfOp>(loop).empty() || !findArrays<arith::SelectOp>(loop).empty();
}

bool placeBranchArrays(Operation *loop, Operation *asWritten) {
  llvm::for_each(findArrays<arith::SelectOp>(loop), makeBranch);
  return llvm::all_of(findArrays<scf::IfOp>(loop),
                      [&](scf::IfOp branch) { return Branch(branch, loop, asWritten).place(); });
}

} // namespace npcc

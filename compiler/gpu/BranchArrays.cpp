#include "compiler/gpu/BranchArrays.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc {
namespace {

bool givesArray(Operation *op) {
  return isa<scf::IfOp>(op) &&
         llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
}

/// Branches that give arrays, inner ones first.
SmallVector<scf::IfOp> findBranches(Operation *loop) {
  SmallVector<scf::IfOp> branches;
  loop->walk([&](scf::IfOp branch) {
    if (givesArray(branch) && !branch->getParentOfType<np::KernelOp>())
      branches.push_back(branch);
  });
  return branches;
}

class Branch {
public:
  Branch(scf::IfOp branch, Operation *loop) : branch(branch), loop(loop) {}

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
    branch.erase();
    return true;
  }

private:
  bool isBefore(Value value) const { return !branch->isAncestor(value.getParentRegion()->getParentOp()); }

  /// The array as it is made, with extents that are known before the branch.
  np::AllocOp getMade(Value array) const {
    auto alloc = array.getDefiningOp<np::AllocOp>();
    return alloc && llvm::all_of(alloc.getExtents(), [&](Value extent) { return isBefore(extent); }) ? alloc
                                                                                                      : np::AllocOp();
  }

  SmallVector<Value> getSides(OpResult result) {
    unsigned number = result.getResultNumber();
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }

  /// Whether both sides have the extents of one that is made anew: as they are the same values, or as a carried array
  /// has those of the array that takes its place, which npcc-enclose-steps asks for.
  bool isPlaceable(OpResult result) {
    if (!cast<MemRefType>(result.getType()).getLayout().isIdentity())
      return false;
    SmallVector<Value> sides = getSides(result);
    np::AllocOp made = getMade(sides[0]) ? getMade(sides[0]) : getMade(sides[1]);
    return made && llvm::all_of(sides, [&](Value side) {
             np::AllocOp other = getMade(side);
             return other ? other.getExtents() == made.getExtents() : isBefore(side) && takesPlaceOf(result, side);
           });
  }

  bool takesPlaceOf(OpResult result, Value carried) const {
    auto argument = dyn_cast<BlockArgument>(carried);
    auto counted = dyn_cast<scf::ForOp>(loop);
    if (!argument || !counted || argument.getOwner() != counted.getBody() || argument == counted.getInductionVar())
      return false;
    return counted.getYieldedValues()[argument.getArgNumber() - counted.getNumInductionVars()] == result;
  }

  Value makePlace(OpResult result, Operation *before) {
    SmallVector<Value> sides = getSides(result);
    np::AllocOp made = getMade(sides[0]) ? getMade(sides[0]) : getMade(sides[1]);
    OpBuilder builder(before);
    return np::AllocOp::create(builder, branch.getLoc(), cast<MemRefType>(result.getType()), made.getExtents());
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
      copy(end, value, place);
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

  void copy(OpBuilder &at, Value from, Value to) {
    auto place = to.getDefiningOp<np::AllocOp>();
    MemRefType type = place.getType();
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      extents.push_back(type.isDynamicDim(axis)
                            ? place.getExtents()[type.getDynamicDimIndex(axis)]
                            : arith::ConstantIndexOp::create(at, branch.getLoc(), type.getDimSize(axis)).getResult());
    if (extents.empty())
      extents.push_back(arith::ConstantIndexOp::create(at, branch.getLoc(), 1));
    auto kernel = np::KernelOp::create(at, branch.getLoc(), extents);
    kernel.setKind(np::KernelKind::map);
    OpBuilder inside(kernel.getBody()->getTerminator());
    ValueRange positions = type.getRank() ? ValueRange(kernel.getInductionVars()) : ValueRange();
    Value element = memref::LoadOp::create(inside, branch.getLoc(), from, positions);
    memref::StoreOp::create(inside, branch.getLoc(), element, to, positions);
  }

  scf::IfOp branch;
  Operation *loop;
};
} // namespace

bool hasBranchArrays(Operation *loop) { return !findBranches(loop).empty(); }

bool placeBranchArrays(Operation *loop) {
  return llvm::all_of(findBranches(loop), [&](scf::IfOp branch) { return Branch(branch, loop).place(); });
}

} // namespace npcc

// What goes round in a loop that one kernel runs.
#include "compiler/gpu/StepLoop.h"
#include "compiler/memory/Aliasing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
namespace npcc {

ValueRange StepLoop::getInits() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  return counted ? ValueRange(counted.getInitArgs()) : ValueRange(cast<scf::WhileOp>(loop).getInits());
}

Block::BlockArgListType StepLoop::getCarried() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  return counted ? counted.getRegionIterArgs() : cast<scf::WhileOp>(loop).getBeforeArguments();
}

Block *StepLoop::getBody() { return &loop->getRegions().back().front(); }
ValueRange StepLoop::getYielded() { return getBody()->getTerminator()->getOperands(); }

std::optional<unsigned> StepLoop::getNumber(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return std::nullopt;
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  if (conditional && argument.getOwner() == getBody())
    return getNumberOfResult(argument.getArgNumber());
  auto found = llvm::find(getCarried(), argument);
  return found == getCarried().end() ? std::nullopt : std::optional<unsigned>(found - getCarried().begin());
}

std::optional<unsigned> StepLoop::getNumberOfResult(unsigned result) {
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  if (!conditional)
    return result;
  auto argument = dyn_cast<BlockArgument>(conditional.getConditionOp().getArgs()[result]);
  bool isCarried = argument && argument.getOwner() == conditional.getBeforeBody();
  return isCarried ? std::optional<unsigned>(argument.getArgNumber()) : std::nullopt;
}

bool StepLoop::canCarry() {
  for (auto [number, argument] : llvm::enumerate(getCarried()))
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      if (!canCarry(number, type))
        return false;
  for (auto [number, type] : llvm::enumerate(loop->getResultTypes()))
    if (isa<MemRefType>(type) && !getNumberOfResult(number) && !getMade(number))
      return false;
  return true;
}

np::AllocOp StepLoop::getMade(unsigned result) {
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  auto alloc =
      conditional ? conditional.getConditionOp().getArgs()[result].getDefiningOp<np::AllocOp>() : np::AllocOp();
  if (!alloc || alloc->getBlock() != conditional.getBeforeBody() ||
      !llvm::all_of(alloc.getExtents(), [&](Value extent) { return !isOwn(extent); }))
    return {};
  // One reference: the loop gives it, or the body gives it back or hands it on to the next iteration.
  Value inside = conditional.getAfterArguments()[result];
  bool isPlain =
      llvm::all_of(alloc->getUsers(),
                   llvm::IsaPred<memref::LoadOp, memref::StoreOp, memref::DimOp, np::CallMatmulOp, scf::ConditionOp>) &&
      llvm::all_of(inside.getUsers(),
                   llvm::IsaPred<memref::LoadOp, memref::DimOp, np::CallMatmulOp, np::ReleaseOp, scf::YieldOp>);
  int64_t goes = llvm::count(getYielded(), inside);
  for (Operation *user : inside.getUsers())
    goes += isa<np::ReleaseOp>(user) && user->getBlock() == getBody();
  return isPlain && goes == 1 && llvm::count(conditional.getConditionOp().getArgs(), alloc.getResult()) == 1
             ? alloc
             : np::AllocOp();
}

np::AllocOp StepLoop::getMade(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  bool isInside = argument && isa<scf::WhileOp>(loop) && argument.getOwner() == getBody();
  return isInside ? getMade(argument.getArgNumber()) : np::AllocOp();
}

bool StepLoop::canCarry(unsigned number, MemRefType type) {
  Value yielded = getYielded()[number];
  // A new array, or one that had another place.
  np::AllocOp next = getNext(getCarried()[number]);
  auto isOfIteration = [&](Block *block) {
    return llvm::any_of(loop->getRegions(), [&](Region &region) { return block == &region.front(); });
  };
  bool isNew = next && isOfIteration(next->getBlock()) && next.getType() == type && yielded.getType() == type &&
               llvm::count(getYielded(), yielded) == 1;
  if (!type.getLayout().isIdentity() || !isNew ||
      !llvm::all_of(next.getExtents(), [&](Value extent) { return isFixed(extent); }))
    return false;
  if ((isRead(number) || getChain(number).size() > 1) && isChanged(number))
    return false;
  SmallVector<Value> names{getCarried()[number]}; // the last one gives the array back
  if (auto conditional = dyn_cast<scf::WhileOp>(loop)) {
    for (auto [value, argument] :
         llvm::zip_equal(conditional.getConditionOp().getArgs(), conditional.getAfterArguments()))
      if (value == getCarried()[number])
        names.push_back(argument);
    if (names.size() > 2)
      return false;
    // Whoever moves may be an array that others know, for an iteration more.
    SmallVector<unsigned> chain = getChain(number);
    if (chain.size() > 1 && !llvm::all_of(chain, [&](unsigned place) { return isPrivate(getInits()[place]); }))
      return false;
  }
  int64_t goes = llvm::count(getYielded(), names.back());
  for (Value name : names)
    for (Operation *user : name.getUsers()) {
      bool isRelease = isa<np::ReleaseOp>(user), isEnd = user == getBody()->getTerminator();
      if (!isEnd && !isa<memref::LoadOp, memref::DimOp, np::ReleaseOp, np::CallMatmulOp, scf::ConditionOp>(user))
        return false;
      if ((isRelease || isEnd) && (name != names.back() || user->getBlock() != name.getParentBlock()))
        return false;
      goes += isRelease;
    }
  return goes == 1;
}

bool StepLoop::isKept(unsigned number) {
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  return conditional && llvm::is_contained(conditional.getConditionOp().getArgs(), getCarried()[number]) &&
         (!isPrivate(getInits()[number]) || !isRead(number));
}

bool StepLoop::isRead(unsigned number) {
  auto reads = [](Value name) {
    return llvm::any_of(name.getUsers(), [](Operation *user) {
      return !isa<np::ReleaseOp>(user) && !user->hasTrait<OpTrait::IsTerminator>();
    });
  };
  if (reads(getCarried()[number]))
    return true;
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  if (!conditional)
    return false;
  return llvm::any_of(llvm::zip_equal(conditional.getConditionOp().getArgs(), conditional.getAfterArguments()),
                      [&](auto pair) { return std::get<0>(pair) == getCarried()[number] && reads(std::get<1>(pair)); });
}

bool StepLoop::isChanged(unsigned number) {
  Value init = getInits()[number];
  if (isPrivate(init))
    return false;
  Aliasing aliasing(loop->getParentOfType<func::FuncOp>()->hasAttr("np.general"));
  return loop
      ->walk([&](Operation *op) {
        bool isStore = !op->getNumRegions() && !isa<np::RetainOp, np::ReleaseOp>(op);
        return isStore && aliasing.mayWriteTo(op, init) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool StepLoop::isPrivate(Value init) {
  auto alloc = init.getDefiningOp<np::AllocOp>();
  return alloc && alloc->getBlock() == loop->getBlock() && llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
           return !isa<np::RetainOp>(user) && here && (here == loop || here->isBeforeInBlock(loop));
         });
}

SmallVector<unsigned> StepLoop::getChain(unsigned number) {
  SmallVector<unsigned> chain{number};
  while (chain.size() <= getYielded().size())
    if (std::optional<unsigned> from = getNumber(getYielded()[chain.back()]))
      chain.push_back(*from);
    else
      break;
  return chain;
}

np::AllocOp StepLoop::getNext(Value memref) {
  std::optional<unsigned> number = getNumber(memref);
  if (!number)
    return {};
  Value last = getYielded()[getChain(*number).back()];
  // What a `while` makes before its condition goes through it.
  if (np::AllocOp made = getMade(last))
    return made;
  return last.getDefiningOp<np::AllocOp>();
}

} // namespace npcc

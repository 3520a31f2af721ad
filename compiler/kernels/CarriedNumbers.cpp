#include "compiler/kernels/CarriedNumbers.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
namespace npcc {

/// The only store to an array without axes that an iteration makes and hands on, and nobody else keeps.
static memref::StoreOp findStore(Value handedOn, Operation *end) {
  auto made = handedOn.getDefiningOp<np::AllocOp>();
  if (!made || made->getBlock() != end->getBlock() || made.getType().getRank() != 0)
    return {};
  memref::StoreOp found;
  for (Operation *user : made->getUsers()) {
    auto store = dyn_cast<memref::StoreOp>(user);
    if (store && !found && store->getBlock() == end->getBlock())
      found = store;
    else if (user != end && !isa<memref::LoadOp>(user))
      return {};
  }
  return found;
}

static bool isOnlyLoaded(Value array) { return llvm::all_of(array.getUsers(), llvm::IsaPred<memref::LoadOp>); }

/// The number that an array from before the loop holds: what a kernel of one iteration, or the host, has stored as its
/// only element, or what is loaded now.
static Value findInitial(OpBuilder &builder, Value array, scf::ForOp loop) {
  memref::StoreOp only;
  if (array.getDefiningOp<np::AllocOp>())
    for (Operation *user : array.getUsers()) {
      auto store = dyn_cast<memref::StoreOp>(user);
      if (store && only)
        return memref::LoadOp::create(builder, loop.getLoc(), array, ValueRange{});
      only = store ? store : only;
    }
  auto kernel = only ? dyn_cast<np::KernelOp>(only->getParentOp()) : np::KernelOp();
  Operation *storing = kernel ? kernel : only.getOperation();
  Operation *around = storing ? storing->getBlock()->findAncestorOpInBlock(*loop) : nullptr;
  bool isBefore = around && storing->isBeforeInBlock(around) && (!kernel || kernel.isUnit());
  Operation *maker = isBefore ? only.getValueToStore().getDefiningOp() : nullptr;
  if (isBefore && (!kernel || !kernel->isAncestor(only.getValueToStore().getParentBlock()->getParentOp())))
    return only.getValueToStore();
  if (maker && maker->hasTrait<OpTrait::ConstantLike>())
    return builder.clone(*maker)->getResult(0);
  return memref::LoadOp::create(builder, loop.getLoc(), array, ValueRange{});
}

scf::ForOp carryNumbers(scf::ForOp loop) {
  bool holdsKernels = loop->walk([](np::KernelOp) { return WalkResult::interrupt(); }).wasInterrupted();
  Operation *end = loop.getBody()->getTerminator();
  llvm::SmallMapVector<unsigned, memref::StoreOp, 4> numbers;
  if (!holdsKernels)
    for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (memref::StoreOp store = findStore(end->getOperand(number), end);
          store && isOnlyLoaded(argument) && llvm::count(end->getOperands(), end->getOperand(number)) == 1)
        numbers.insert({static_cast<unsigned>(number), store});
  if (numbers.empty())
    return loop;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> initial(loop.getInitArgs());
  for (auto &[number, store] : numbers)
    initial[number] = findInitial(builder, initial[number], loop);
  auto next = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), initial);
  if (Operation *implicit = next.getBody()->mightHaveTerminator() ? next.getBody()->getTerminator() : nullptr)
    implicit->erase();
  next.getBody()->getOperations().splice(next.getBody()->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(next.getInductionVar());
  builder.setInsertionPointAfter(next);
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    Value before = loop.getRegionIterArg(number), after = next.getRegionIterArg(number),
          result = next.getResult(number);
    if (auto store = numbers.lookup(number)) {
      for (Operation *load : llvm::make_early_inc_range(before.getUsers())) {
        load->getResult(0).replaceAllUsesWith(after);
        load->erase();
      }
      auto made = store.getMemRef().getDefiningOp<np::AllocOp>();
      end->setOperand(number, store.getValueToStore());
      if (!loop.getResult(number).use_empty()) {
        Value array = np::AllocOp::create(builder, loc, store.getMemRefType(), ValueRange{});
        memref::StoreOp::create(builder, loc, result, array, ValueRange{});
        result = array;
      }
      if (made->hasOneUse()) {
        store.erase();
        made.erase();
      }
    } else {
      before.replaceAllUsesWith(after);
    }
    if (!loop.getResult(number).use_empty())
      loop.getResult(number).replaceAllUsesWith(result);
  }
  loop.erase();
  return next;
}

} // namespace npcc

// Which loops one kernel can run: the code of their iterations.
#include "compiler/gpu/StepLoop.h"
#include "compiler/explain/Remarks.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Iteration.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

// Inner loops of one kernel: each is code.
constexpr int64_t mostKernels = 32;

bool StepLoop::canEnclose() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  Type position = counted ? counted.getInductionVar().getType() : Type();
  auto stay = [&](const Twine &reason) {
    remarkLoopStays(loop->getLoc(), reason);
    return false;
  };
  if ((counted && !position.isIndex() && !position.isInteger(64)) || !canCarry())
    return stay("what an iteration hands on to the next one cannot stay in one place");
  bool isFine = true;
  Operation *failing = nullptr;
  for (Region &region : loop->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto kernel = dyn_cast<np::KernelOp>(op)) {
        kernels.push_back(kernel);
        isFine &= isThreadCode(kernel);
        failing = isFine || failing ? failing : op;
        return WalkResult::skip();
      }
      isFine &= isHostCode(op);
      failing = isFine || failing ? failing : op;
      return isFine ? WalkResult::advance() : WalkResult::interrupt();
    });
  if (failing) {
    StringRef reason = isa<np::KernelOp>(failing)    ? " is a kernel that cannot be part of another"
                       : isa<np::RoutineOp>(failing) ? " calls a library"
                                                     : " needs the host";
    return stay(lineOf(failing->getLoc()) + reason);
  }
  if (kernels.empty())
    return false;
  if (int64_t(kernels.size()) > mostKernels)
    return stay("one kernel would hold more than " + Twine(mostKernels) + " others");
  return bounds() || stay("an extent in it has no bound that is known before it");
}

Value StepLoop::emitIsPossible() {
  IndexMath m = math();
  Value isPossible = m.truth(true);
  for (np::BroadcastExtentOp meet : meetings)
    isPossible =
        m.both(isPossible, m.compare(arith::CmpIPredicate::eq, *emitBound(meet.getLhs()), *emitBound(meet.getRhs())));
  // Without an iteration the result is the first array itself, and where arrays move that is so for some more.
  if (auto counted = dyn_cast<scf::ForOp>(loop); counted && counted.getNumResults()) {
    size_t moves = 1;
    for (auto [number, argument] : llvm::enumerate(getCarried()))
      if (isa<MemRefType>(argument.getType()))
        moves = std::max(moves, getChain(number).size());
    Value first = counted.getLowerBound();
    for (size_t iteration = 1; iteration < moves; ++iteration)
      first = m.add(first, counted.getStep());
    isPossible = m.both(isPossible, m.compare(arith::CmpIPredicate::slt, first, counted.getUpperBound()));
  }
  for (auto [number, argument, init] : llvm::enumerate(getCarried(), getInits()))
    if (np::AllocOp next = getNext(argument); next && isRead(number))
      for (auto [axis, extent] : llvm::enumerate(next.getType().getShape()))
        if (ShapedType::isDynamic(extent))
          isPossible =
              m.both(isPossible, m.compare(arith::CmpIPredicate::eq, memref::DimOp::create(builder, loc, init, axis),
                                           *emitBound(next.getExtents()[next.getType().getDynamicDimIndex(axis)])));
  return isPossible;
}

bool StepLoop::isOwn(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

bool StepLoop::isMemory(Value memref) {
  Operation *op = memref.getDefiningOp();
  return !isOwn(memref) || isa_and_nonnull<np::AllocOp>(op) || getNext(memref) || getMade(memref) || (op && isView(op));
}

bool StepLoop::isView(Operation *op) {
  if (!isa<memref::ReinterpretCastOp, memref::CastOp>(op) ||
      llvm::any_of(op->getOperands().drop_front(), [&](Value extent) { return isOwn(extent); }))
    return false;
  Value source = op->getOperand(0);
  auto alloc = source.getDefiningOp<np::AllocOp>();
  return !isOwn(source) || (alloc && llvm::none_of(alloc.getExtents(), [&](Value extent) { return isOwn(extent); }));
}

bool StepLoop::isAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isMemory(load.getMemRef());
  auto store = dyn_cast<memref::StoreOp>(op);
  return store && isMemory(store.getMemRef());
}

bool StepLoop::isControl(Operation *op) {
  bool isControl =
      isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, np::FoldOp, np::YieldOp>(op);
  if (op->getParentOp() == loop && op->hasTrait<OpTrait::IsTerminator>())
    return true;
  return isControl && llvm::none_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
}

bool StepLoop::isHostCode(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isInHostMemory) || llvm::any_of(op->getResultTypes(), isInHostMemory))
    return false;
  if (auto alloc = dyn_cast<np::AllocOp>(op)) {
    // Positions in a larger array are the same: it has the most that any iteration needs, where only elements are asked
    // for.
    bool varies = llvm::any_of(alloc.getExtents(), [&](Value extent) { return !isFixed(extent); });
    bool holdsElements = llvm::all_of(alloc->getUsers(), [](Operation *user) {
      return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp>(user);
    });
    bool isPlain = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
      return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp, np::CallMatmulOp>(user) || isView(user) ||
             (user->getParentOp() == loop && user->hasTrait<OpTrait::IsTerminator>());
    });
    allocs.push_back(alloc);
    return isPlain && (!varies || holdsElements || alloc.getType().getRank() == 1);
  }
  if (auto release = dyn_cast<np::ReleaseOp>(op))
    return (release.getBuffer().getDefiningOp<np::AllocOp>() && isOwn(release.getBuffer())) ||
           getNext(release.getBuffer()) || getMade(release.getBuffer());
  waits += isa<memref::LoadOp>(op);
  if (isa<np::CheckIndexOp, np::AssertOp>(op) || isAccess(op) || isControl(op))
    return true;
  // A small product is no more than a kernel.
  if (auto product = dyn_cast<np::CallMatmulOp>(op)) {
    Type element = cast<MemRefType>(product.getResult().getType()).getElementType();
    auto isPlain = [&](Value memref, int64_t rank) {
      auto type = cast<MemRefType>(memref.getType());
      return isMemory(memref) && type.getRank() == rank && type.getElementType() == element;
    };
    products.push_back(product);
    return (element.isF64() || element.isF32()) && isPlain(product.getLhs(), 2) && isPlain(product.getRhs(), 2) &&
           isPlain(product.getResult(), 2) && (!product.getAddend() || isPlain(product.getAddend(), 2)) &&
           (!product.getBias() || isPlain(product.getBias(), 1));
  }
  // Extents that meet in every iteration are the same in all of them: where they are not equal, the host sees to them.
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
    meetings.push_back(meet);
    return isFixed(meet.getLhs()) && isFixed(meet.getRhs());
  }
  if (isView(op))
    return true;
  bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 && !holdsMemory && !isa<np::BroadcastExtentOp>(op);
}

bool StepLoop::isThreadOperation(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
    return llvm::none_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  return isa<scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp, scf::YieldOp, scf::ConditionOp, np::FoldOp,
             np::YieldOp, memref::LoadOp, memref::StoreOp, np::CheckIndexOp, np::IterationOp>(op) ||
         (isMemoryEffectFree(op) && op->getNumRegions() == 0);
}

bool StepLoop::isThreadCode(np::KernelOp kernel) {
  bool isFine = true;
  kernel.getBody()->walk([&](Operation *op) {
    bool isMemoryAccess = isa<memref::LoadOp, memref::StoreOp>(op);
    isFine &= isThreadOperation(op) && (!isMemoryAccess || isAccess(op));
  });
  return isFine;
}

} // namespace npcc

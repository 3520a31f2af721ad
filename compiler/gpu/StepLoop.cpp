#include "compiler/gpu/StepLoop.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

// Elements times operations that a block goes through in about the time of a launch.
constexpr int64_t workPerLaunch = 230000;
// What an element costs at least: to load and store it.
constexpr int64_t leastOperations = 8;
// Loops inside what threads share out are one thread's, which waits for each load.
constexpr int64_t serialFactor = 3;
// Inner loops of one kernel: each is code.
constexpr int64_t mostKernels = 24;

bool StepLoop::canEnclose() {
  if (!loop.getInductionVar().getType().isIndex() || !canCarry())
    return false;
  bool isFine = true;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto kernel = dyn_cast<np::KernelOp>(op)) {
      kernels.push_back(kernel);
      isFine &= isThreadCode(kernel);
      return WalkResult::skip();
    }
    isFine &= isHostCode(op);
    return isFine ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isFine && kernels.size() > 0 && int64_t(kernels.size()) <= mostKernels && bounds();
}

bool StepLoop::canCarry() {
  for (auto [argument, yielded] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      if (!argument.getType().isF64() && !argument.getType().isF32() && !argument.getType().isInteger(64) &&
          !argument.getType().isInteger(32))
        return false;
      continue;
    }
    auto next = yielded.getDefiningOp<np::AllocOp>();
    int64_t releases = llvm::count_if(argument.getUsers(), [&](Operation *user) {
      return isa<np::ReleaseOp>(user) && user->getBlock() == loop.getBody();
    });
    bool isPlain = llvm::all_of(argument.getUsers(),
                                llvm::IsaPred<memref::LoadOp, memref::DimOp, np::ReleaseOp, np::CallMatmulOp>);
    if (!type.getLayout().isIdentity() || !next || next->getBlock() != loop.getBody() || next.getType() != type ||
        releases != 1 || !isPlain || llvm::count(loop.getYieldedValues(), yielded) != 1 ||
        !llvm::all_of(next.getExtents(), [&](Value extent) { return isFixed(extent); }))
      return false;
  }
  return true;
}

np::AllocOp StepLoop::getNext(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  bool isCarried = argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0;
  return isCarried ? loop.getYieldedValues()[argument.getArgNumber() - 1].getDefiningOp<np::AllocOp>() : np::AllocOp();
}

Value StepLoop::emitIsSmall() {
  IndexMath m = math();
  Value work = m.constant(0), one = m.constant(1);
  auto add = [&](ArrayRef<Value> bounds, int64_t operations) {
    Value elements = m.constant(std::max(leastOperations, operations));
    for (Value bound : bounds)
      elements = m.mul(elements, m.max(*emitBound(bound), one));
    work = m.add(work, elements);
  };
  for (np::KernelOp kernel : kernels) {
    bool isSerial =
        !kernel.isUnit() &&
        kernel.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    add(getInnerBounds(kernel), cuda::countOps(*kernel.getBody()) * (isSerial ? serialFactor : 1));
  }
  for (np::CallMatmulOp product : products)
    add({emitExtent(product.getResult(), 0), emitExtent(product.getResult(), 1), emitExtent(product.getLhs(), 1)},
        leastOperations * serialFactor);
  for (Value argument : loop.getRegionIterArgs())
    if (np::AllocOp next = getNext(argument))
      add(SmallVector<Value>(next.getExtents()), 0);
  Value isSmall =
      m.compare(arith::CmpIPredicate::sle, work, m.constant(workPerLaunch * (kernels.size() + products.size())));
  for (np::BroadcastExtentOp meet : meetings)
    isSmall =
        m.both(isSmall, m.compare(arith::CmpIPredicate::eq, *emitBound(meet.getLhs()), *emitBound(meet.getRhs())));
  // Without an iteration the result is the first array itself.
  if (loop.getNumResults())
    isSmall = m.both(isSmall, m.compare(arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound()));
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (np::AllocOp next = getNext(loop.getRegionIterArg(number)))
      for (auto [axis, extent] : llvm::enumerate(next.getType().getShape()))
        if (ShapedType::isDynamic(extent))
          isSmall = m.both(isSmall, m.compare(arith::CmpIPredicate::eq, memref::DimOp::create(builder, loc, init, axis),
                                              *emitBound(next.getExtents()[next.getType().getDynamicDimIndex(axis)])));
  return isSmall;
}

Value StepLoop::emitExtent(Value memref, int64_t axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return math().constant(type.getDimSize(axis));
  auto alloc = memref.getDefiningOp<np::AllocOp>();
  np::AllocOp next = getNext(memref);
  alloc = next ? next : alloc;
  if (alloc)
    return *emitBound(alloc.getExtents()[type.getDynamicDimIndex(axis)]);
  return memref::DimOp::create(builder, loc, memref, axis);
}

bool StepLoop::isOwn(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

bool StepLoop::isMemory(Value memref) {
  return !isOwn(memref) || memref.getDefiningOp<np::AllocOp>() || getNext(memref);
}

bool StepLoop::isAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isMemory(load.getMemRef());
  auto store = dyn_cast<memref::StoreOp>(op);
  return store && isMemory(store.getMemRef());
}

bool StepLoop::isControl(Operation *op) {
  bool isControl = isa<scf::ForOp, scf::IfOp, scf::YieldOp, np::FoldOp, np::YieldOp>(op);
  if (op == loop.getBody()->getTerminator())
    return true;
  return isControl && llvm::none_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
}

bool StepLoop::isHostCode(Operation *op) {
  if (auto alloc = dyn_cast<np::AllocOp>(op)) {
    // Only the last axis may vary: positions in a larger buffer are the same.
    bool varies = false;
    for (auto [axis, extent] : llvm::enumerate(alloc.getExtents()))
      varies |= axis > 0 || alloc.getType().getRank() != 1 ? !isFixed(extent) : false;
    bool isPlain = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
      return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp, np::CallMatmulOp>(user) ||
             user == loop.getBody()->getTerminator();
    });
    allocs.push_back(alloc);
    return !varies && isPlain;
  }
  if (auto release = dyn_cast<np::ReleaseOp>(op))
    return (release.getBuffer().getDefiningOp<np::AllocOp>() && isOwn(release.getBuffer())) ||
           getNext(release.getBuffer());
  if (isa<np::CheckIndexOp, np::AssertOp>(op) || isAccess(op) || isControl(op))
    return true;
  // A small product is no more than a kernel.
  if (auto product = dyn_cast<np::CallMatmulOp>(op)) {
    auto isPlain = [&](Value memref) {
      auto type = cast<MemRefType>(memref.getType());
      return isMemory(memref) && type.getRank() == 2 &&
             (type.getElementType().isF64() || type.getElementType().isF32());
    };
    products.push_back(product);
    return isPlain(product.getLhs()) && isPlain(product.getRhs()) && isPlain(product.getResult());
  }
  // Extents that meet in every iteration are the same in all of them: where they are not equal, the host sees to them.
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
    meetings.push_back(meet);
    return isFixed(meet.getLhs()) && isFixed(meet.getRhs());
  }
  bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  return isPure(op) && op->getNumRegions() == 0 && !holdsMemory && !isa<np::BroadcastExtentOp>(op);
}

bool StepLoop::isFixed(Value extent) {
  auto meet = extent.getDefiningOp<np::BroadcastExtentOp>();
  if (auto dim = extent.getDefiningOp<memref::DimOp>(); dim && getNext(dim.getSource()))
    return dim.getConstantIndex().has_value();
  return !isOwn(extent) || (meet && isFixed(meet.getLhs()) && isFixed(meet.getRhs()));
}

bool StepLoop::isThreadCode(np::KernelOp kernel) {
  bool isFine = true;
  kernel.getBody()->walk([&](Operation *op) {
    bool isParallel = isa<scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
    isFine &= isParallel || isControl(op) || isAccess(op) || isa<np::CheckIndexOp>(op) ||
              (isPure(op) && op->getNumRegions() == 0);
  });
  return isFine;
}

std::optional<Value> StepLoop::emitBound(Value value, bool dry) {
  if (!isOwn(value))
    return value;
  IndexMath m = math();
  auto both = [&](Value a, Value b, function_ref<Value(Value, Value)> combine) -> std::optional<Value> {
    std::optional<Value> x = emitBound(a, dry), y = emitBound(b, dry);
    if (!x || !y)
      return std::nullopt;
    return dry ? *x : combine(*x, *y);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto outer = dyn_cast<scf::ForOp>(owner); outer && value == outer.getInductionVar())
      return emitBound(outer.getUpperBound(), dry);
    if (auto outer = dyn_cast<np::KernelOp>(owner))
      return emitBound(outer.getExtents()[argument.getArgNumber()], dry);
    if (auto outer = dyn_cast<scf::ParallelOp>(owner))
      return emitBound(outer.getUpperBound()[argument.getArgNumber()], dry);
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto constant = getConstantIntValue(value))
    return dry ? value : m.constant(*constant);
  if (isa<arith::MinSIOp>(op)) {
    std::optional<Value> x = emitBound(op->getOperand(0), dry), y = emitBound(op->getOperand(1), dry);
    if (x && y)
      return dry ? *x : m.min(*x, *y);
    return x ? x : y;
  }
  if (isa<arith::MaxSIOp>(op))
    return both(op->getOperand(0), op->getOperand(1), [&](Value a, Value b) { return m.max(a, b); });
  if (isa<arith::AddIOp>(op))
    return both(op->getOperand(0), op->getOperand(1), [&](Value a, Value b) { return m.add(a, b); });
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return both(select.getTrueValue(), select.getFalseValue(), [&](Value a, Value b) { return m.max(a, b); });
  // What is taken away is an offset: positions are not negative.
  if (auto difference = dyn_cast<arith::SubIOp>(op); difference && isNotNegative(difference.getRhs()))
    return emitBound(difference.getLhs(), dry);
  if (isa<np::CheckIndexOp>(op))
    return emitBound(op->getOperand(1), dry);
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
    return emitBound(meet.getLhs(), dry);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (getNext(dim.getSource())) // as at first: emitIsSmall() asks whether it stays that
      return dry ? value
                 : Value(memref::DimOp::create(builder, loc,
                                               loop.getTiedLoopInit(cast<BlockArgument>(dim.getSource()))->get(),
                                               *dim.getConstantIndex()));
  return std::nullopt;
}

bool StepLoop::isNotNegative(Value value) {
  if (auto constant = getConstantIntValue(value))
    return *constant >= 0;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto owner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
      return value == owner.getInductionVar() && isNotNegative(owner.getLowerBound());
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<memref::DimOp, np::CheckIndexOp>(op))
    return true;
  if (isa_and_nonnull<arith::MaxSIOp>(op))
    return isNotNegative(op->getOperand(0)) || isNotNegative(op->getOperand(1));
  if (isa_and_nonnull<arith::MinSIOp, arith::AddIOp>(op))
    return isNotNegative(op->getOperand(0)) && isNotNegative(op->getOperand(1));
  return false;
}

bool StepLoop::bounds() {
  bool isBounded = true;
  for (np::AllocOp alloc : allocs)
    for (Value extent : alloc.getExtents())
      isBounded &= emitBound(extent, /*dry=*/true).has_value();
  for (np::KernelOp kernel : kernels)
    for (Value bound : getInnerBounds(kernel))
      isBounded &= emitBound(bound, /*dry=*/true).has_value();
  return isBounded;
}

SmallVector<Value> StepLoop::getInnerBounds(np::KernelOp kernel) {
  SmallVector<Value> bounds(kernel.getExtents());
  kernel.getBody()->walk([&](Operation *op) {
    if (auto inner = dyn_cast<scf::ParallelOp>(op))
      llvm::append_range(bounds, inner.getUpperBound());
    else if (auto inner = dyn_cast<scf::ForOp>(op))
      bounds.push_back(inner.getUpperBound());
    else if (auto fold = dyn_cast<np::FoldOp>(op))
      bounds.push_back(fold.getExtent());
  });
  return bounds;
}

} // namespace npcc

// npcc-enclose-steps: a loop of the host that launches small kernels spends its time on launching them. If the work of an iteration is small (known
// when the loop begins), one block runs the whole loop: its kernels are inner loops of one kernel, shared out over the block's threads.
//
//   scf.for %k = %c0 to %n {                                   %work = %n + ...
//     np.kernel (%i) = (%k) { ... }                            scf.if (%work <= ...) {
//     np.kernel (%i) = (%n) { ... }                   ->         np.kernel steps (%u) = (1) {
//   }                                                              scf.for %k ... { scf.parallel (%i) ...  scf.parallel (%i) ... }
//                                                                }
//                                                              } else { as before }
//
// Buffers of an iteration are made once before, as large as the largest; kernels of one iteration are the block's own code, so that reductions in them are
// shared out. Not where an iteration needs the host: for calls of libraries, buffers that go from one iteration to the next, or extents without a bound.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/InnerLoops.h"
#include "dialects/Np/Np.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ENCLOSESTEPS
#include "compiler/gpu/Passes.h.inc"
namespace {

// Elements times operations that a block goes through in about the time of a launch.
constexpr int64_t workPerLaunch = 300000;
// What an element costs at least: to load and store it.
constexpr int64_t leastOperations = 8;
// Inner loops of one kernel: each is code.
constexpr int64_t mostKernels = 24;

class StepLoop {
public:
  explicit StepLoop(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  bool canEnclose() {
    if (!loop.getResultTypes().empty() || !loop.getInductionVar().getType().isIndex())
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

  void enclose() {
    IndexMath m = math();
    Value work = m.constant(0), zero = m.constant(0), one = m.constant(1);
    for (np::KernelOp kernel : kernels) {
      Value elements = m.constant(std::max(leastOperations, cuda::countOps(*kernel.getBody())));
      for (Value bound : getInnerBounds(kernel))
        elements = m.mul(elements, m.max(*emitBound(bound), one));
      work = m.add(work, elements);
    }
    Value isSmall = m.compare(arith::CmpIPredicate::sle, work, m.constant(workPerLaunch * kernels.size()));
    for (np::BroadcastExtentOp meet : meetings)
      isSmall = m.both(isSmall, m.compare(arith::CmpIPredicate::eq, *emitBound(meet.getLhs()), *emitBound(meet.getRhs())));
    auto choice = scf::IfOp::create(builder, loc, isSmall, /*withElseRegion=*/true);
    builder.setInsertionPoint(choice.thenYield());
    SmallVector<Value> buffers;
    for (np::AllocOp alloc : allocs) {
      SmallVector<Value> extents;
      for (Value extent : alloc.getExtents())
        extents.push_back(m.max(*emitBound(extent), zero));
      buffers.push_back(np::AllocOp::create(builder, loc, alloc.getType(), extents));
    }
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{one});
    for (Value buffer : buffers)
      np::ReleaseOp::create(builder, loc, buffer);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    Operation *copy = builder.clone(*loop);
    SmallVector<np::AllocOp> made;
    SmallVector<np::ReleaseOp> released;
    SmallVector<np::KernelOp> own;
    SmallVector<np::BroadcastExtentOp> equal;
    copy->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
        equal.push_back(meet);
      if (auto alloc = dyn_cast<np::AllocOp>(op))
        made.push_back(alloc);
      else if (auto release = dyn_cast<np::ReleaseOp>(op))
        released.push_back(release);
      else if (auto inner = dyn_cast<np::KernelOp>(op))
        own.push_back(inner);
      return isa<np::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (np::ReleaseOp release : released)
      release.erase();
    for (np::BroadcastExtentOp meet : equal) {
      meet.replaceAllUsesWith(meet.getLhs());
      meet.erase();
    }
    for (auto [alloc, buffer] : llvm::zip_equal(made, buffers)) {
      alloc.getResult().replaceAllUsesWith(buffer);
      alloc.erase();
    }
    bool isShared = false;
    for (np::KernelOp inner : own) {
      isShared |= !inner.isUnit() || !inner.getBody()->getOps<scf::ParallelOp>().empty();
      makeInnerLoop(inner);
    }
    if (isShared)
      kernel.setKind(np::KernelKind::steps);
    loop->moveBefore(choice.elseBlock()->getTerminator());
  }

private:
  IndexMath math() { return {builder, loc}; }

  bool isOwn(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Memory that is there before the loop, or is made in it.
  bool isMemory(Value memref) {
    if (!isOwn(memref))
      return true;
    return memref.getDefiningOp<np::AllocOp>() != nullptr;
  }

  bool isAccess(Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isMemory(load.getMemRef());
    auto store = dyn_cast<memref::StoreOp>(op);
    return store && isMemory(store.getMemRef());
  }

  bool isControl(Operation *op) {
    bool isControl = isa<scf::ForOp, scf::IfOp, scf::YieldOp, np::FoldOp, np::YieldOp>(op);
    return isControl && llvm::none_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  }

  bool isHostCode(Operation *op) {
    if (auto alloc = dyn_cast<np::AllocOp>(op)) {
      // Only the last axis may vary: positions in a larger buffer are the same.
      bool varies = false;
      for (auto [axis, extent] : llvm::enumerate(alloc.getExtents()))
        varies |= axis > 0 || alloc.getType().getRank() != 1 ? !isFixed(extent) : false;
      bool isPlain = llvm::all_of(alloc->getUsers(), [](Operation *user) { return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp>(user); });
      allocs.push_back(alloc);
      return !varies && isPlain;
    }
    if (auto release = dyn_cast<np::ReleaseOp>(op))
      return release.getBuffer().getDefiningOp<np::AllocOp>() && isOwn(release.getBuffer());
    if (isa<np::CheckIndexOp, np::AssertOp>(op) || isAccess(op) || isControl(op))
      return true;
    // Extents that meet in every iteration are the same in all of them: where they are not equal, the host sees to them.
    if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
      meetings.push_back(meet);
      return isFixed(meet.getLhs()) && isFixed(meet.getRhs());
    }
    bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
    return isPure(op) && op->getNumRegions() == 0 && !holdsMemory && !isa<np::BroadcastExtentOp>(op);
  }

  /// An extent that does not change from one iteration to the next.
  bool isFixed(Value extent) {
    auto meet = extent.getDefiningOp<np::BroadcastExtentOp>();
    return !isOwn(extent) || (meet && isFixed(meet.getLhs()) && isFixed(meet.getRhs()));
  }

  bool isThreadCode(np::KernelOp kernel) {
    bool isFine = true;
    kernel.getBody()->walk([&](Operation *op) {
      bool isParallel = isa<scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
      isFine &= isParallel || isControl(op) || isAccess(op) || isa<np::CheckIndexOp>(op) || (isPure(op) && op->getNumRegions() == 0);
    });
    return isFine;
  }

  /// A value before the loop that is never less than `value` in it.
  std::optional<Value> emitBound(Value value, bool dry = false) {
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
    return std::nullopt;
  }

  static bool isNotNegative(Value value) {
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

  /// Whether everything that must have a bound has one.
  bool bounds() {
    bool isBounded = true;
    for (np::AllocOp alloc : allocs)
      for (Value extent : alloc.getExtents())
        isBounded &= emitBound(extent, /*dry=*/true).has_value();
    for (np::KernelOp kernel : kernels)
      for (Value bound : getInnerBounds(kernel))
        isBounded &= emitBound(bound, /*dry=*/true).has_value();
    return isBounded;
  }

  /// Of the kernel and all loops in it.
  static SmallVector<Value> getInnerBounds(np::KernelOp kernel) {
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

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  SmallVector<np::KernelOp> kernels;
  SmallVector<np::AllocOp> allocs;
  SmallVector<np::BroadcastExtentOp> meetings;
};

struct EncloseSteps : impl::EncloseStepsBase<EncloseSteps> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        StepLoop step(loop);
        if (step.canEnclose()) {
          loops.push_back(loop);
          return WalkResult::skip();
        }
      }
      return WalkResult::advance();
    });
    for (scf::ForOp loop : loops) {
      StepLoop step(loop);
      if (step.canEnclose())
        step.enclose();
    }
  }
};

} // namespace
} // namespace npcc

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
// shared out. An array that goes from one iteration to the next stays where it is, and takes the new elements when an iteration ends. A small product is a kernel
// like others. Not where an iteration needs the host: for other calls of libraries, or extents without a bound.
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

  void enclose() {
    IndexMath m = math();
    Value zero = m.constant(0), one = m.constant(1);
    Value isSmall = emitIsSmall();
    auto choice = scf::IfOp::create(builder, loc, loop.getResultTypes(), isSmall, /*addThenBlock=*/true, /*addElseBlock=*/true);
    loop.replaceAllUsesWith(choice.getResults());
    choice.thenBlock()->clear();
    choice.elseBlock()->clear();
    builder.setInsertionPointToEnd(choice.thenBlock());
    SmallVector<Value> buffers;
    for (np::AllocOp alloc : allocs) {
      SmallVector<Value> extents;
      for (Value extent : alloc.getExtents())
        extents.push_back(m.max(*emitBound(extent), zero));
      buffers.push_back(np::AllocOp::create(builder, loc, alloc.getType(), extents));
    }
    SmallVector<Value> results = emitCarried(buffers);
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{one});
    for (Value buffer : buffers)
      np::ReleaseOp::create(builder, loc, buffer);
    SmallVector<Value> numbers;
    for (auto [result, memory] : llvm::zip_equal(loop.getResults(), results))
      if (isa<MemRefType>(result.getType())) {
        numbers.push_back(memory);
      } else {
        numbers.push_back(memref::LoadOp::create(builder, loc, memory, ValueRange()));
        np::ReleaseOp::create(builder, loc, memory);
      }
    scf::YieldOp::create(builder, loc, numbers);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    auto copy = carryIn(cast<scf::ForOp>(builder.clone(*loop)), results);
    SmallVector<np::AllocOp> made;
    SmallVector<np::ReleaseOp> released;
    SmallVector<np::BroadcastExtentOp> equal;
    SmallVector<np::CallMatmulOp> multiplied;
    copy->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto alloc = dyn_cast<np::AllocOp>(op))
        made.push_back(alloc);
      else if (auto release = dyn_cast<np::ReleaseOp>(op))
        released.push_back(release);
      else if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
        equal.push_back(meet);
      else if (auto product = dyn_cast<np::CallMatmulOp>(op))
        multiplied.push_back(product);
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
    for (np::CallMatmulOp product : multiplied)
      expandProduct(product);
    SmallVector<np::KernelOp> own;
    copy->walk([&](np::KernelOp inner) { own.push_back(inner); });
    bool isShared = false;
    for (np::KernelOp inner : own) {
      isShared |= !inner.isUnit() || !inner.getBody()->getOps<scf::ParallelOp>().empty();
      makeInnerLoop(inner);
    }
    if (isShared)
      kernel.setKind(np::KernelKind::steps);
    builder.setInsertionPointToEnd(choice.elseBlock());
    scf::YieldOp::create(builder, loc, loop.getResults());
    loop->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  }

private:
  IndexMath math() { return {builder, loc}; }

  /// Arrays that go from one iteration to the next are new ones of the same extents each time, and the one before is given back. Numbers may go round.
  bool canCarry() {
    for (auto [argument, yielded] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type) {
        if (!argument.getType().isF64() && !argument.getType().isF32() && !argument.getType().isInteger(64) && !argument.getType().isInteger(32))
          return false;
        continue;
      }
      auto next = yielded.getDefiningOp<np::AllocOp>();
      int64_t releases = llvm::count_if(argument.getUsers(), [&](Operation *user) { return isa<np::ReleaseOp>(user) && user->getBlock() == loop.getBody(); });
      bool isPlain = llvm::all_of(argument.getUsers(), llvm::IsaPred<memref::LoadOp, memref::DimOp, np::ReleaseOp, np::CallMatmulOp>);
      if (!type.getLayout().isIdentity() || !next || next->getBlock() != loop.getBody() || next.getType() != type || releases != 1 || !isPlain ||
          llvm::count(loop.getYieldedValues(), yielded) != 1 || !llvm::all_of(next.getExtents(), [&](Value extent) { return isFixed(extent); }))
        return false;
    }
    return true;
  }
  /// The new array that takes the place of a carried one.
  np::AllocOp getNext(Value memref) {
    auto argument = dyn_cast<BlockArgument>(memref);
    bool isCarried = argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0;
    return isCarried ? loop.getYieldedValues()[argument.getArgNumber() - 1].getDefiningOp<np::AllocOp>() : np::AllocOp();
  }

  /// What is there before the loop for each number and array that it carries: memory for the last number, and a copy of the first array.
  SmallVector<Value> emitCarried(ArrayRef<Value> buffers) {
    SmallVector<Value> results;
    for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
      auto type = dyn_cast<MemRefType>(init.getType());
      if (!type) {
        results.push_back(np::AllocOp::create(builder, loc, MemRefType::get({}, init.getType()), ValueRange()));
        continue;
      }
      np::AllocOp next = getNext(loop.getRegionIterArg(number));
      auto buffer = buffers[llvm::find(allocs, next) - allocs.begin()].getDefiningOp<np::AllocOp>();
      results.push_back(np::AllocOp::create(builder, loc, type, buffer.getExtents()));
      emitCopy(builder, init, results.back());
      np::ReleaseOp::create(builder, loc, init);
    }
    return results;
  }

  /// A kernel that copies an array.
  void emitCopy(OpBuilder &at, Value from, Value to) {
    SmallVector<Value> extents;
    auto type = cast<MemRefType>(to.getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      extents.push_back(memref::DimOp::create(at, loc, to, axis));
    if (extents.empty())
      extents.push_back(arith::ConstantIndexOp::create(at, loc, 1));
    auto kernel = np::KernelOp::create(at, loc, extents);
    OpBuilder::InsertionGuard guard(at);
    at.setInsertionPoint(kernel.getBody()->getTerminator());
    ValueRange positions = type.getRank() ? ValueRange(kernel.getInductionVars()) : ValueRange();
    memref::StoreOp::create(at, loc, memref::LoadOp::create(at, loc, from, positions), to, positions);
  }

  /// The loop in the kernel: numbers go round, arrays stay where they are and take the new elements when an iteration ends.
  scf::ForOp carryIn(scf::ForOp copy, ArrayRef<Value> results) {
    if (copy.getInitArgs().empty())
      return copy;
    SmallVector<Value> inits, yielded;
    for (Value init : copy.getInitArgs())
      if (!isa<MemRefType>(init.getType()))
        inits.push_back(init);
    OpBuilder at(copy);
    auto numbers = scf::ForOp::create(at, loc, copy.getLowerBound(), copy.getUpperBound(), copy.getStep(), inits);
    if (!numbers.getBody()->empty())
      numbers.getBody()->back().erase();
    copy.getInductionVar().replaceAllUsesWith(numbers.getInductionVar());
    OpBuilder end = OpBuilder::atBlockTerminator(copy.getBody());
    unsigned next = 0;
    for (auto [argument, value, result] : llvm::zip_equal(copy.getRegionIterArgs(), copy.getYieldedValues(), results)) {
      if (!isa<MemRefType>(argument.getType())) {
        argument.replaceAllUsesWith(numbers.getRegionIterArg(next++));
        yielded.push_back(value);
        continue;
      }
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
        if (isa<np::ReleaseOp>(user))
          user->erase();
      argument.replaceAllUsesWith(result);
      emitCopy(end, value, result);
    }
    copy.getBody()->getTerminator()->erase();
    numbers.getBody()->getOperations().splice(numbers.getBody()->end(), copy.getBody()->getOperations());
    OpBuilder last = OpBuilder::atBlockEnd(numbers.getBody());
    scf::YieldOp::create(last, loc, yielded);
    at.setInsertionPointAfter(numbers);
    next = 0;
    for (auto [init, result] : llvm::zip_equal(copy.getInitArgs(), results))
      if (!isa<MemRefType>(init.getType()))
        memref::StoreOp::create(at, loc, numbers.getResult(next++), result, ValueRange());
    copy.erase();
    return numbers;
  }

  /// A product as a kernel, an element of which is a sum.
  void expandProduct(np::CallMatmulOp product) {
    OpBuilder at(product);
    Value zero = arith::ConstantIndexOp::create(at, loc, 0), one = arith::ConstantIndexOp::create(at, loc, 1);
    Value left = product.getLhs(), right = product.getRhs(), out = product.getResult();
    Type type = cast<MemRefType>(out.getType()).getElementType();
    SmallVector<Value> extents{memref::DimOp::create(at, loc, out, 0), memref::DimOp::create(at, loc, out, 1)};
    Value inner = memref::DimOp::create(at, loc, left, 1);
    auto kernel = np::KernelOp::create(at, loc, extents);
    at.setInsertionPoint(kernel.getBody()->getTerminator());
    Value i = kernel.getInductionVars()[0], j = kernel.getInductionVars()[1];
    Value none = arith::ConstantOp::create(at, loc, at.getZeroAttr(type));
    auto sum = scf::ParallelOp::create(at, loc, ValueRange{zero}, ValueRange{inner}, ValueRange{one}, ValueRange{none});
    memref::StoreOp::create(at, loc, sum.getResult(0), out, ValueRange{i, j});
    at.setInsertionPointToStart(sum.getBody());
    Value k = sum.getInductionVars()[0];
    Value a = memref::LoadOp::create(at, loc, left, ValueRange{i, k}), b = memref::LoadOp::create(at, loc, right, ValueRange{k, j});
    auto reduce = scf::ReduceOp::create(at, loc, ValueRange{arith::MulFOp::create(at, loc, a, b).getResult()});
    Block &combine = reduce.getReductions()[0].front();
    at.setInsertionPointToStart(&combine);
    scf::ReduceReturnOp::create(at, loc, arith::AddFOp::create(at, loc, combine.getArgument(0), combine.getArgument(1)));
    product.erase();
  }

  /// Whether the work of an iteration is small, and extents are what the block's code takes them for.
  Value emitIsSmall() {
    IndexMath m = math();
    Value work = m.constant(0), one = m.constant(1);
    auto add = [&](ArrayRef<Value> bounds, int64_t operations) {
      Value elements = m.constant(std::max(leastOperations, operations));
      for (Value bound : bounds)
        elements = m.mul(elements, m.max(*emitBound(bound), one));
      work = m.add(work, elements);
    };
    for (np::KernelOp kernel : kernels)
      add(getInnerBounds(kernel), cuda::countOps(*kernel.getBody()));
    for (np::CallMatmulOp product : products)
      add({emitExtent(product.getResult(), 0), emitExtent(product.getResult(), 1), emitExtent(product.getLhs(), 1)}, 0);
    for (Value argument : loop.getRegionIterArgs())
      if (np::AllocOp next = getNext(argument))
        add(SmallVector<Value>(next.getExtents()), 0);
    Value isSmall = m.compare(arith::CmpIPredicate::sle, work, m.constant(workPerLaunch * (kernels.size() + products.size())));
    for (np::BroadcastExtentOp meet : meetings)
      isSmall = m.both(isSmall, m.compare(arith::CmpIPredicate::eq, *emitBound(meet.getLhs()), *emitBound(meet.getRhs())));
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

  /// The extent of an array in the loop, as a value before it.
  Value emitExtent(Value memref, int64_t axis) {
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

  bool isOwn(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Memory that is there before the loop, or is made in it.
  bool isMemory(Value memref) {
    return !isOwn(memref) || memref.getDefiningOp<np::AllocOp>() || getNext(memref);
  }

  bool isAccess(Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isMemory(load.getMemRef());
    auto store = dyn_cast<memref::StoreOp>(op);
    return store && isMemory(store.getMemRef());
  }

  bool isControl(Operation *op) {
    bool isControl = isa<scf::ForOp, scf::IfOp, scf::YieldOp, np::FoldOp, np::YieldOp>(op);
    if (op == loop.getBody()->getTerminator())
      return true;
    return isControl && llvm::none_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  }

  bool isHostCode(Operation *op) {
    if (auto alloc = dyn_cast<np::AllocOp>(op)) {
      // Only the last axis may vary: positions in a larger buffer are the same.
      bool varies = false;
      for (auto [axis, extent] : llvm::enumerate(alloc.getExtents()))
        varies |= axis > 0 || alloc.getType().getRank() != 1 ? !isFixed(extent) : false;
      bool isPlain = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
        return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp, np::CallMatmulOp>(user) || user == loop.getBody()->getTerminator();
      });
      allocs.push_back(alloc);
      return !varies && isPlain;
    }
    if (auto release = dyn_cast<np::ReleaseOp>(op))
      return (release.getBuffer().getDefiningOp<np::AllocOp>() && isOwn(release.getBuffer())) || getNext(release.getBuffer());
    if (isa<np::CheckIndexOp, np::AssertOp>(op) || isAccess(op) || isControl(op))
      return true;
    // A small product is no more than a kernel.
    if (auto product = dyn_cast<np::CallMatmulOp>(op)) {
      auto isPlain = [&](Value memref) {
        auto type = cast<MemRefType>(memref.getType());
        return isMemory(memref) && type.getRank() == 2 && (type.getElementType().isF64() || type.getElementType().isF32());
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

  /// An extent that does not change from one iteration to the next.
  bool isFixed(Value extent) {
    auto meet = extent.getDefiningOp<np::BroadcastExtentOp>();
    if (auto dim = extent.getDefiningOp<memref::DimOp>(); dim && getNext(dim.getSource()))
      return dim.getConstantIndex().has_value();
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
    if (auto dim = dyn_cast<memref::DimOp>(op))
      if (np::AllocOp next = getNext(dim.getSource()))
        return emitBound(next.getExtents()[next.getType().getDynamicDimIndex(*dim.getConstantIndex())], dry);
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
  SmallVector<np::CallMatmulOp> products;
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

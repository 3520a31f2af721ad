// npcc-enclose-steps: a loop of the host that launches small kernels spends its time on launching them. If the work of
// an iteration is small (known when the loop begins), one block runs the whole loop: its kernels are inner loops of one
// kernel, shared out over the block's threads.
//
//   scf.for %k = %c0 to %n {                                   %work = %n + ...
//     np.kernel (%i) = (%k) { ... }                            scf.if (%work <= ...) {
//     np.kernel (%i) = (%n) { ... }                   ->         np.kernel steps (%u) = (1) {
//   }                                                              scf.for %k ... { scf.parallel (%i) ...  scf.parallel
//   (%i) ... }
//                                                                }
//                                                              } else { as before }
//
// Buffers of an iteration are made once before, as large as the largest; kernels of one iteration are the block's own
// code, so that reductions in them are shared out. An array that goes from one iteration to the next stays where it is,
// and takes the new elements when an iteration ends. A small product is a kernel like others. Not where an iteration
// needs the host: for other calls of libraries, or extents without a bound.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/StepLoop.h"
#include "compiler/kernels/InnerLoops.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ENCLOSESTEPS
#include "compiler/gpu/Passes.h.inc"

void StepLoop::enclose() {
  IndexMath m = math();
  Value zero = m.constant(0), one = m.constant(1);
  Value isSmall = emitIsSmall();
  auto choice =
      scf::IfOp::create(builder, loc, loop.getResultTypes(), isSmall, /*addThenBlock=*/true, /*addElseBlock=*/true);
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

SmallVector<Value> StepLoop::emitCarried(ArrayRef<Value> buffers) {
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

void StepLoop::emitCopy(OpBuilder &at, Value from, Value to) {
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

scf::ForOp StepLoop::carryIn(scf::ForOp copy, ArrayRef<Value> results) {
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

void StepLoop::expandProduct(np::CallMatmulOp product) {
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
  Value a = memref::LoadOp::create(at, loc, left, ValueRange{i, k}),
        b = memref::LoadOp::create(at, loc, right, ValueRange{k, j});
  auto reduce = scf::ReduceOp::create(at, loc, ValueRange{arith::MulFOp::create(at, loc, a, b).getResult()});
  Block &combine = reduce.getReductions()[0].front();
  at.setInsertionPointToStart(&combine);
  scf::ReduceReturnOp::create(at, loc, arith::AddFOp::create(at, loc, combine.getArgument(0), combine.getArgument(1)));
  product.erase();
}

namespace {

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

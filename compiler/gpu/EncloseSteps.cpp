// npcc-enclose-steps: a loop of the host that launches kernels spends its time on launching them, and on waiting for
// the numbers that decide whether it goes on. By the work of an iteration, known when the loop begins, one block runs
// the whole loop, or the whole grid does (the kernel's extent is the number of blocks that have work): its kernels are
// inner loops of one kernel, which threads share out. Where every iteration needs only what its own row holds, in all
// arrays that the loop writes, teams of threads have rows (the extent is the number of rows): an ensemble of
// simulations, a batch of sequences. They never wait for each other.
//
//   scf.for %k = %c0 to %n {              np.alternatives (the work is small) {
//     np.kernel (%i) = (%k) { ... }         np.kernel steps (%u) = (1) {
//     np.kernel (%i) = (%n) { ... }   ->      scf.for %k { scf.parallel (%i) ... scf.parallel (%i) ... }
//   }                                       }
//                                         } or { np.alternatives (it is not large) {
//                                           np.kernel steps (%b) = (%blocks) by grid { the same }
//                                         } or { as before } }
//
// Buffers of an iteration are made once before, as large as the largest; kernels of one iteration are the surrounding
// code, so that reductions in them are shared out. An array that goes from one iteration to the next stays where it is,
// and takes the new elements when an iteration ends; or, on the grid, has two places (StepTurns.cpp). So does one that
// a branch chooses (BranchArrays.h), but for the loop as the host runs it. A small product is a kernel like others. Not
// where an iteration needs the host: for other calls of libraries, or extents without a bound. And not where some
// kernels make checks and some store into what the caller sees, which must not happen behind a check that has failed:
// launches of their own ask for that (npcc-guard-kernels).
#include "compiler/explain/Remarks.h"
#include "compiler/gpu/BranchArrays.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/StepLoop.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Choice.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ENCLOSESTEPS
#include "compiler/gpu/Passes.h.inc"

/// Numbers in memory: bytes for truth, 64 bits for positions.
static Type getStoredType(Type type) {
  Builder builder(type.getContext());
  return type.isInteger(1) ? builder.getI8Type() : type.isIndex() ? builder.getI64Type() : type;
}
static Value toMemory(OpBuilder &at, Value value) {
  Type type = getStoredType(value.getType());
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(at, value.getLoc(), type, value);
  return value.getType().isIndex() ? arith::IndexCastOp::create(at, value.getLoc(), type, value).getResult() : value;
}
static Value fromMemory(OpBuilder &at, Value value, Type type) {
  if (type.isInteger(1))
    return arith::TruncIOp::create(at, value.getLoc(), type, value);
  return type.isIndex() ? arith::IndexCastOp::create(at, value.getLoc(), type, value).getResult() : value;
}

void StepLoop::enclose() {
  for (Value result : asWritten->getResults())
    isUsed.push_back(!result.use_empty() || isa<ComplexType>(result.getType()));
  Value isPossible = emitIsPossible();
  Costs costs = emitCosts();
  IndexMath m = math();
  auto yield = [&](ValueRange results) {
    if (!results.empty())
      np::YieldOp::create(builder, loc, results);
  };
  np::AlternativesOp last;
  for (auto [runner, name, suits] : {std::tuple(Runner::rows, "steps by rows", costs.suitRows),
                                     {Runner::block, "steps in one block", costs.suitBlock},
                                     {Runner::grid, "steps on the grid", costs.suitGrid}}) {
    if (!suits)
      continue;
    if (last)
      builder.setInsertionPointToStart(last.getGeneralBlock());
    auto offer = np::AlternativesOp::create(builder, loc, loop->getResultTypes(), name, m.both(isPossible, suits));
    if (last)
      yield(offer.getResults());
    else
      asWritten->replaceAllUsesWith(offer.getResults());
    last = offer;
    builder.setInsertionPointToStart(last.getOfferedBlock());
    yield(emitKernel(runner));
  }
  last.setGeneral(asWritten);
  if (loop != asWritten)
    loop->erase();
}

void StepLoop::encloseOnce() {
  Value suits = math().both(emitIsPossible(), emitSuitsOnce());
  auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "kernels in one block", suits);
  builder.setInsertionPoint(offer.getOfferedEnd());
  emitKernel(Runner::block);
  offer.setGeneral(loop);
}

SmallVector<Value> StepLoop::emitKernel(Runner runner) {
  IndexMath m = math();
  Value zero = m.constant(0), one = m.constant(1);
  SmallVector<Value> buffers;
  for (np::AllocOp alloc : allocs) {
    SmallVector<Value> extents;
    for (Value extent : alloc.getExtents())
      extents.push_back(m.max(*emitBound(extent), zero));
    buffers.push_back(np::AllocOp::create(builder, loc, alloc.getType(), extents));
  }
  SmallVector<Value> arrays = emitCarried(buffers), numbers = emitNumbers(), results;
  hasRun = Value();
  for (unsigned number = 0; number < arrays.size() && !hasRun; ++number)
    if (isKept(number)) {
      hasRun = np::AllocOp::create(builder, loc, MemRefType::get({}, builder.getI64Type()), ValueRange());
      memref::StoreOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, 0, 64), hasRun, ValueRange());
    }
  auto kernel = np::KernelOp::create(builder, loc,
                                     runner == Runner::grid   ? emitBlocks()
                                     : runner == Runner::rows ? emitRowCount()
                                                              : one);
  SmallVector<Value> kept;
  Value ran;
  if (hasRun) {
    ran = memref::LoadOp::create(builder, loc, hasRun, ValueRange());
    ran = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, ran,
                                arith::ConstantIntOp::create(builder, loc, 0, 64));
    np::ReleaseOp::create(builder, loc, hasRun);
  }
  for (auto [number, memory] : llvm::enumerate(numbers)) {
    Type type = loop->getResult(number).getType();
    if (isa<MemRefType>(type)) {
      np::AllocOp own = getMade(number);
      Value array = own ? buffers[llvm::find(allocs, own) - allocs.begin()] : arrays[*getNumberOfResult(number)];
      kept.push_back(array);
      results.push_back(!own && isKept(*getNumberOfResult(number))
                            ? emitChoice(ran, array, getInits()[*getNumberOfResult(number)])
                            : array);
    } else if (memory) {
      results.push_back(fromMemory(builder, memref::LoadOp::create(builder, loc, memory, ValueRange()), type));
      np::ReleaseOp::create(builder, loc, memory);
    } else { // nobody asks
      results.push_back(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
    }
  }
  for (Value array : llvm::concat<Value>(buffers, arrays))
    if (array && !llvm::is_contained(kept, array))
      np::ReleaseOp::create(builder, loc, array);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel.getBody()->getTerminator());
  copies.clear();
  carryIn(builder.clone(*loop), arrays, numbers);
  Block *copy = kernel.getBody();
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
  if (runner == Runner::grid)
    takeTurns(kernel);
  SmallVector<np::KernelOp> own;
  copy->walk([&](np::KernelOp inner) { own.push_back(inner); });
  bool isShared = runner != Runner::block;
  for (np::KernelOp inner : own) {
    isShared |= !inner.isUnit() || !inner.getBody()->getOps<scf::ParallelOp>().empty();
    if (runner == Runner::rows)
      makeInnerLoop(inner, kernel.getInductionVars()[0]);
    else if (runner == Runner::block)
      shareOut(inner, kernel);
    else
      makeInnerLoop(inner);
  }
  if (isShared)
    kernel.setKind(np::KernelKind::steps);
  kernel.setRunner(runner);
  return results;
}

Value StepLoop::emitChoice(Value condition, Value array, Value other) {
  auto choice =
      scf::IfOp::create(builder, loc, array.getType(), condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [block, kept, unused] :
       {std::tuple(choice.thenBlock(), array, other), std::tuple(choice.elseBlock(), other, array)}) {
    block->clear();
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    np::ReleaseOp::create(inside, loc, unused);
    scf::YieldOp::create(inside, loc, kept);
  }
  return choice.getResult(0);
}

SmallVector<Value> StepLoop::emitCarried(ArrayRef<Value> buffers) {
  SmallVector<Value> arrays;
  for (auto [argument, init] : llvm::zip_equal(getCarried(), getInits())) {
    auto type = dyn_cast<MemRefType>(init.getType());
    arrays.push_back(Value());
    if (!type)
      continue;
    auto buffer = buffers[llvm::find(allocs, getNext(argument)) - allocs.begin()].getDefiningOp<np::AllocOp>();
    arrays.back() = np::AllocOp::create(builder, loc, type, buffer.getExtents());
    if (isRead(arrays.size() - 1))
      emitCopy(builder, loc, init, arrays.back());
    if (!isKept(arrays.size() - 1))
      np::ReleaseOp::create(builder, loc, init);
  }
  return arrays;
}

SmallVector<Value> StepLoop::emitNumbers() {
  SmallVector<Value> numbers;
  for (auto [type, isNeeded] : llvm::zip_equal(loop->getResultTypes(), isUsed)) {
    numbers.push_back(Value());
    if (!isa<MemRefType>(type) && isNeeded)
      numbers.back() = np::AllocOp::create(builder, loc, MemRefType::get({}, getStoredType(type)), ValueRange());
  }
  return numbers;
}

np::KernelOp StepLoop::emitCopy(OpBuilder &at, Location loc, ValueRange from, ValueRange to) {
  SmallVector<Value> extents;
  auto buffer = to[0].getDefiningOp<np::AllocOp>();
  auto type = buffer.getType();
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(type.isDynamicDim(axis) ? buffer.getExtents()[type.getDynamicDimIndex(axis)]
                                              : arith::ConstantIndexOp::create(at, loc, type.getDimSize(axis)));
  if (extents.empty())
    extents.push_back(arith::ConstantIndexOp::create(at, loc, 1));
  auto kernel = np::KernelOp::create(at, loc, extents);
  OpBuilder::InsertionGuard guard(at);
  at.setInsertionPoint(kernel.getBody()->getTerminator());
  ValueRange positions = type.getRank() ? ValueRange(kernel.getInductionVars()) : ValueRange();
  SmallVector<Value> elements; // all before the first is overwritten
  for (Value array : from)
    elements.push_back(memref::LoadOp::create(at, loc, array, positions));
  for (auto [element, array] : llvm::zip_equal(elements, to))
    memref::StoreOp::create(at, loc, element, array, positions);
  return kernel;
}

void StepLoop::carryIn(Operation *copy, ArrayRef<Value> arrays, ArrayRef<Value> numbers) {
  auto stay = [](Value argument, Value array) {
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (isa<np::ReleaseOp>(user))
        user->erase();
    argument.replaceAllUsesWith(array);
  };
  // What the block hands on, without arrays: these are copied to where they stay.
  auto handOn = [&](Operation *terminator) {
    OpBuilder end(terminator);
    SmallVector<Value> kept;
    llvm::MapVector<Operation *, std::pair<SmallVector<Value>, SmallVector<Value>>> copied; // by the new array
    for (auto [number, array] : llvm::enumerate(arrays)) {
      Value value = terminator->getOperand(number);
      if (!array) {
        kept.push_back(value);
        continue;
      }
      auto &[from, to] = copied[getNext(getCarried()[number])];
      from.push_back(value);
      to.push_back(array);
    }
    for (auto &[next, pair] : copied) {
      np::KernelOp made = emitCopy(end, loc, pair.first, pair.second);
      if (pair.first.size() == 1)
        copies.push_back(made);
    }
    terminator->setOperands(kept);
  };
  OpBuilder at(copy);
  SmallVector<Value> inits;
  for (auto [init, array] : llvm::zip_equal(getInits(), arrays))
    if (!array)
      inits.push_back(init);
  auto eraseArrays = [](Block &block) {
    block.eraseArguments([](BlockArgument argument) { return isa<MemRefType>(argument.getType()); });
  };
  Operation *made;
  if (auto counted = dyn_cast<scf::ForOp>(copy)) {
    auto plain =
        scf::ForOp::create(at, loc, counted.getLowerBound(), counted.getUpperBound(), counted.getStep(), inits);
    for (auto [argument, array] : llvm::zip_equal(counted.getRegionIterArgs(), arrays))
      if (array)
        stay(argument, array);
    handOn(counted.getBody()->getTerminator());
    plain.getRegion().takeBody(counted.getRegion());
    eraseArrays(*plain.getBody());
    made = plain;
  } else {
    auto conditional = cast<scf::WhileOp>(copy);
    scf::ConditionOp condition = conditional.getConditionOp();
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (auto [value, argument] : llvm::zip_equal(condition.getArgs(), conditional.getAfterArguments())) {
      if (isa<MemRefType>(value.getType())) {
        auto carried = dyn_cast<BlockArgument>(value);
        stay(argument, carried ? arrays[carried.getArgNumber()] : value);
        continue;
      }
      types.push_back(value.getType());
      kept.push_back(value);
    }
    condition.getArgsMutable().assign(kept);
    for (auto [argument, array] : llvm::zip_equal(conditional.getBeforeArguments(), arrays))
      if (array)
        stay(argument, array);
    handOn(conditional.getYieldOp());
    auto plain = scf::WhileOp::create(at, loc, types, inits);
    plain.getBefore().takeBody(conditional.getBefore());
    plain.getAfter().takeBody(conditional.getAfter());
    eraseArrays(plain.getBefore().front());
    eraseArrays(plain.getAfter().front());
    if (hasRun) {
      OpBuilder inside = OpBuilder::atBlockBegin(&plain.getAfter().front());
      memref::StoreOp::create(inside, loc, arith::ConstantIntOp::create(inside, loc, 1, 64), hasRun, ValueRange());
    }
    made = plain;
  }
  unsigned next = 0;
  for (auto [result, memory] : llvm::zip_equal(copy->getResults(), numbers)) {
    if (isa<MemRefType>(result.getType()))
      continue;
    Value number = made->getResult(next++);
    if (memory)
      memref::StoreOp::create(at, loc, toMemory(at, number), memory, ValueRange());
  }
  copy->erase();
}

/// What the product's epilogue makes of an element.
static Value emitEpilogue(OpBuilder &at, np::CallMatmulOp product, Value element, Value i, Value j) {
  Location loc = product.getLoc();
  Type type = element.getType();
  auto scale = [&](Value value, Value factor) -> Value {
    if (!factor)
      return value;
    if (!type.isF64())
      factor = arith::TruncFOp::create(at, loc, type, factor);
    return arith::MulFOp::create(at, loc, factor, value);
  };
  element = scale(element, product.getAlpha());
  if (Value addend = product.getAddend())
    element = arith::AddFOp::create(
        at, loc, element, scale(memref::LoadOp::create(at, loc, addend, ValueRange{i, j}), product.getBeta()));
  if (Value bias = product.getBias())
    element = arith::AddFOp::create(at, loc, element, memref::LoadOp::create(at, loc, bias, ValueRange{j}));
  if (product.getActivation() == np::Activation::relu)
    element = arith::MaximumFOp::create(at, loc, element, arith::ConstantOp::create(at, loc, at.getZeroAttr(type)));
  return element;
}

void StepLoop::expandProduct(np::CallMatmulOp product) {
  OpBuilder at(product);
  Value zero = arith::ConstantIndexOp::create(at, loc, 0), one = arith::ConstantIndexOp::create(at, loc, 1);
  Value left = product.getLhs(), right = product.getRhs(), out = product.getResult();
  Type type = cast<MemRefType>(out.getType()).getElementType();
  // Before the kernel, where they can be: how many threads are of use is known there.
  auto outer = product->getParentOfType<np::KernelOp>();
  auto extentOf = [&](Value matrix, int64_t axis) -> Value {
    OpBuilder before(outer);
    bool isInside = outer->isAncestor(matrix.getParentRegion()->getParentOp());
    return memref::DimOp::create(isInside ? at : before, loc, matrix, axis);
  };
  SmallVector<Value> extents{extentOf(out, 0), extentOf(out, 1)};
  Value inner = extentOf(left, 1);
  auto kernel = np::KernelOp::create(at, loc, extents);
  at.setInsertionPoint(kernel.getBody()->getTerminator());
  Value i = kernel.getInductionVars()[0], j = kernel.getInductionVars()[1];
  Value none = arith::ConstantOp::create(at, loc, at.getZeroAttr(type));
  auto sum = scf::ParallelOp::create(at, loc, ValueRange{zero}, ValueRange{inner}, ValueRange{one}, ValueRange{none});
  memref::StoreOp::create(at, loc, emitEpilogue(at, product, sum.getResult(0), i, j), out, ValueRange{i, j});
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
  /// The loop if a device can run it, or else a copy before it, whose branches give no arrays, if it can run that.
  static Operation *findSteps(Operation *loop) {
    if (!hasBranchArrays(loop))
      return StepLoop(loop).canEnclose() ? loop : nullptr;
    Operation *copy = OpBuilder(loop).clone(*loop);
    bool isPlaced = placeBranchArrays(copy, loop);
    if (isPlaced && StepLoop(copy).canEnclose())
      return copy;
    copy->erase();
    if (!isPlaced)
      StepLoop(loop).canEnclose(); // for the remark that says why it stays
    return nullptr;
  }

  /// Whether a kernel in the loop makes checks, each thread its own.
  static bool holdsChecks(Operation *loop) {
    return loop
        ->walk(
            [](np::KernelOp kernel) { return makesChecks(kernel) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  }

  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    Aliasing aliasing(getOperation()->hasAttr("np.general"));
    SmallVector<std::pair<Operation *, Operation *>> loops; // as a device runs them, and as they are written
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      bool isLoop = isa<scf::ForOp, scf::WhileOp>(op);
      if (isLoop && holdsChecks(op) && aliasing.mayWriteToOthers(op)) {
        remarkLoopStays(op->getLoc(), "what it stores must not be stored behind a check that has failed");
        return WalkResult::advance();
      }
      Operation *loop = isLoop ? findSteps(op) : nullptr;
      if (!loop)
        return WalkResult::advance();
      loops.emplace_back(loop, op);
      return WalkResult::skip();
    });
    for (auto [loop, asWritten] : loops) {
      StepLoop step(loop, asWritten);
      if (!step.canEnclose()) {
        if (loop != asWritten)
          loop->erase();
        continue;
      }
      remarkLoop(loop->getLoc(), "a loop of steps: one kernel where a step is little work, else a launch for each of "
                                 "its kernels");
      step.enclose();
    }
  }
};

} // namespace
} // namespace npcc

#include "compiler/gpu/StepLoop.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/GridBarriers.h"
#include "dialects/Np/Iteration.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

// Elements times operations that a block goes through in about the time of a launch.
constexpr int64_t workPerLaunch = 230000;
// A number that the host waits for takes as long as so many launches.
constexpr int64_t launchesPerWait = 3;
// .. and in the time that all blocks wait for each other.
constexpr int64_t workPerBarrier = 40000;
// What the grid goes through in the time that launches cost more than its barriers, and the best code for each kernel
// saves: about a million elements.
constexpr int64_t gridWorkPerLaunch = 8000000;
// How much longer a row takes that a warp goes through than one that the grid goes through.
constexpr int64_t rowFactor = 1000;
// What an element costs at least: to load and store it.
constexpr int64_t leastOperations = 8;
// Loops inside what threads share out are one thread's, which waits for each load.
constexpr int64_t serialFactor = 3;
// Inner loops of one kernel: each is code.
constexpr int64_t mostKernels = 32;

bool StepLoop::canEnclose() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  Type position = counted ? counted.getInductionVar().getType() : Type();
  if ((counted && !position.isIndex() && !position.isInteger(64)) || !canCarry())
    return false;
  bool isFine = true;
  for (Region &region : loop->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
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
  // One reference: the loop gives it, or the body gives it back.
  Value inside = conditional.getAfterArguments()[result];
  bool isPlain = llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp, scf::ConditionOp>) &&
                 llvm::all_of(inside.getUsers(), llvm::IsaPred<memref::LoadOp, np::ReleaseOp>);
  bool isReleased = llvm::count_if(inside.getUsers(), [&](Operation *user) {
                      return isa<np::ReleaseOp>(user) && user->getBlock() == getBody();
                    }) == 1;
  return isPlain && isReleased && llvm::count(conditional.getConditionOp().getArgs(), alloc.getResult()) == 1
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
  bool isNew = next && next->getBlock() == getBody() && next.getType() == type && yielded.getType() == type &&
               llvm::count(getYielded(), yielded) == 1;
  if (!type.getLayout().isIdentity() || !isNew ||
      !llvm::all_of(next.getExtents(), [&](Value extent) { return isFixed(extent); }))
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
         !isPrivate(getInits()[number]);
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
  return number ? getYielded()[getChain(*number).back()].getDefiningOp<np::AllocOp>() : np::AllocOp();
}

StepLoop::Costs StepLoop::emitCosts() {
  IndexMath m = math();
  auto multiply = [&](Value work, ValueRange bounds) {
    for (Value bound : bounds)
      work = m.mul(work, emitUsual(bound));
    return work;
  };
  Value block = m.constant(0), grid = block;
  for (np::KernelOp kernel : kernels) {
    bool holdsLoops =
        kernel.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    bool isSerial = !kernel.isUnit() && holdsLoops;
    Value row = emitWork(*kernel.getBody()), work = multiply(row, kernel.getExtents());
    block = m.add(block, isSerial ? m.mul(work, serialFactor) : work);
    // A warp has a row, whatever the others do.
    grid = m.add(grid, isSerial ? m.max(work, m.mul(row, rowFactor)) : work);
  }
  for (np::CallMatmulOp product : products) {
    Value inner = m.mul(m.max(emitExtent(product.getLhs(), 1), m.constant(1)), leastOperations), work = inner;
    for (int64_t axis : {0, 1})
      work = m.mul(work, m.max(emitExtent(product.getResult(), axis), m.constant(1)));
    block = m.add(block, m.mul(work, serialFactor));
    grid = m.add(grid, m.max(work, m.mul(inner, rowFactor)));
  }
  for (Value argument : getCarried())
    if (np::AllocOp next = getNext(argument)) {
      Value work = multiply(m.constant(leastOperations), next.getExtents());
      block = m.add(block, work);
      grid = m.add(grid, work);
    }
  int64_t barriers = kernels.size() + products.size(), launches = barriers + waits * launchesPerWait;
  auto isAtMost = [&](Value work, int64_t most) {
    return m.compare(arith::CmpIPredicate::sle, work, m.constant(most));
  };
  if (!suitsGrid())
    return {isAtMost(block, workPerLaunch * launches), Value()};
  Value suitGrid = isAtMost(grid, gridWorkPerLaunch * launches);
  for (Value extent : checkedExtents)
    suitGrid =
        m.both(suitGrid, m.compare(arith::CmpIPredicate::sge, *emitFixed(extent), m.constant(cuda::leastGridExtent)));
  return {isAtMost(block, workPerBarrier * barriers), suitGrid};
}

Value StepLoop::emitBlocks() {
  IndexMath m = math();
  Value most = m.constant(1);
  auto take = [&](ArrayRef<Value> extents) {
    Value elements = m.constant(1);
    for (Value extent : extents)
      elements = m.mul(elements, m.max(extent, m.constant(1)));
    most = m.max(most, elements);
  };
  // A loop, and the longest of those inside it: threads share out both.
  for (np::KernelOp kernel : kernels) {
    SmallVector<Value> extents;
    for (Value extent : kernel.getExtents())
      extents.push_back(*emitBound(extent));
    kernel.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
      SmallVector<Value> all(extents);
      for (Value bound : inner.getUpperBound())
        all.push_back(*emitBound(bound));
      take(all);
      return WalkResult::skip();
    });
    take(extents);
  }
  for (np::CallMatmulOp product : products)
    take({emitExtent(product.getResult(), 0), emitExtent(product.getResult(), 1), emitExtent(product.getLhs(), 1)});
  return m.min(m.ceilDiv(most, m.constant(cuda::threadsOfGrid)), m.constant(cuda::mostBlocksOfGrid));
}

Value StepLoop::emitUsual(Value bound) {
  IndexMath m = math();
  Value most = m.max(*emitBound(bound), m.constant(1));
  return isFixed(bound) ? most : m.ceilDiv(most, m.constant(2));
}

Value StepLoop::emitWork(Block &body) {
  IndexMath m = math();
  int64_t own = cuda::countOps(body);
  Value work = m.constant(0);
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<Value> bounds;
    if (auto inner = dyn_cast<scf::ParallelOp>(op))
      bounds.assign(inner.getUpperBound().begin(), inner.getUpperBound().end());
    else if (auto inner = dyn_cast<scf::ForOp>(op))
      bounds.push_back(inner.getUpperBound());
    else if (auto fold = dyn_cast<np::FoldOp>(op))
      bounds.push_back(fold.getExtent());
    else
      return WalkResult::advance();
    for (Region &region : op->getRegions()) {
      own -= cuda::countOps(region.front());
      Value inside = emitWork(region.front());
      for (Value bound : bounds)
        inside = m.mul(inside, emitUsual(bound));
      work = m.add(work, inside);
    }
    return WalkResult::skip();
  });
  return m.add(work, std::max(leastOperations, own));
}

bool StepLoop::suitsGrid() {
  // What one thread does alone the grid waits for.
  auto isSerial = [](np::KernelOp kernel) {
    return kernel.isUnit() && kernel.getBody()
                                  ->walk<WalkOrder::PreOrder>([](Operation *op) {
                                    if (isa<scf::ParallelOp>(op))
                                      return WalkResult::skip();
                                    return isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt()
                                                                        : WalkResult::advance();
                                  })
                                  .wasInterrupted();
  };
  checkedExtents.clear();
  loop->walk([&](np::CheckIndexOp check) {
    bool isFixed = getConstantIntValue(check.getPosition()) && emitFixed(check.getSize(), /*dry=*/true);
    if (isFixed && !getConstantIntValue(check.getSize()))
      checkedExtents.insert(check.getSize());
  });
  return llvm::none_of(kernels, isSerial);
}

std::optional<Value> StepLoop::emitFixed(Value extent, bool dry) {
  if (!isOwn(extent))
    return extent;
  if (auto meet = extent.getDefiningOp<np::BroadcastExtentOp>())
    return emitFixed(meet.getLhs(), dry);
  auto dim = extent.getDefiningOp<memref::DimOp>();
  if (dim && dim.getConstantIndex() && !isOwn(dim.getSource()))
    return dry ? extent : Value(memref::DimOp::create(builder, loc, dim.getSource(), *dim.getConstantIndex()));
  if (dim && getNext(dim.getSource()) && isFixed(extent))
    return emitBound(extent, dry);
  return std::nullopt;
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
  for (auto [argument, init] : llvm::zip_equal(getCarried(), getInits()))
    if (np::AllocOp next = getNext(argument))
      for (auto [axis, extent] : llvm::enumerate(next.getType().getShape()))
        if (ShapedType::isDynamic(extent))
          isPossible =
              m.both(isPossible, m.compare(arith::CmpIPredicate::eq, memref::DimOp::create(builder, loc, init, axis),
                                           *emitBound(next.getExtents()[next.getType().getDynamicDimIndex(axis)])));
  return isPossible;
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
  if (auto alloc = dyn_cast<np::AllocOp>(op)) {
    // Only the last axis may vary: positions in a larger buffer are the same.
    bool varies = false;
    for (auto [axis, extent] : llvm::enumerate(alloc.getExtents()))
      varies |= axis > 0 || alloc.getType().getRank() != 1 ? !isFixed(extent) : false;
    bool isPlain = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
      return isa<memref::LoadOp, memref::StoreOp, np::ReleaseOp, np::CallMatmulOp>(user) || isView(user) ||
             (user->getParentOp() == loop && user->hasTrait<OpTrait::IsTerminator>());
    });
    allocs.push_back(alloc);
    return !varies && isPlain;
  }
  if (auto release = dyn_cast<np::ReleaseOp>(op))
    return (release.getBuffer().getDefiningOp<np::AllocOp>() && isOwn(release.getBuffer())) ||
           getNext(release.getBuffer()) || getMade(release.getBuffer());
  waits += isa<memref::LoadOp>(op);
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
  if (isView(op))
    return true;
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
    isFine &= isParallel || isControl(op) || isAccess(op) || isa<np::CheckIndexOp, np::IterationOp>(op) ||
              (isPure(op) && op->getNumRegions() == 0);
  });
  return isFine;
}

std::optional<Value> StepLoop::emitBound(Value value, bool dry) {
  if (!isOwn(value))
    return dry || value.getType().isIndex()
               ? value
               : Value(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value));
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
  // Positions become Python's integers and positions again.
  if (auto cast = dyn_cast<arith::IndexCastOp>(op);
      cast && (value.getType().isIndex() || value.getType().isInteger(64)))
    return emitBound(cast.getIn(), dry);
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
    return emitBound(meet.getLhs(), dry);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (getNext(dim.getSource())) // as at first: emitIsSmall() asks whether it stays that
      return dry ? value
                 : Value(memref::DimOp::create(builder, loc, getInits()[*getNumber(dim.getSource())],
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
  if (isa_and_nonnull<arith::IndexCastOp>(op))
    return isNotNegative(op->getOperand(0));
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

// npcc-compute-once: arrays that every iteration of a loop of the host would fill with the same elements are filled in
// its first iteration, and kept for the others.
//
//   scf.for %k = %from to %to {                            %order = np.alloc(%n)
//     %order = np.alloc(%n)                                scf.for %k = %from to %to {
//     np.call_sort %keys into %order                         %first = arith.cmpi eq, %k, %from
//     np.kernel (%i) = (%n) { ... %order, %x ... }    ->     scf.if %first { np.call_sort %keys into %order }
//     np.release %order                                      np.kernel (%i) = (%n) { ... %order, %x ... }
//   }                                                      }
//                                                          np.release %order
//
// npcc-hoist-invariants does this for values, before they have memory. Here are left what statements fill (np.add.at of
// the same positions), and what passes have made in the meantime: the order of updates at positions, above all. A map
// that fills such an array beside others is cut in two. The code stays where it was, so its checks are made where they
// were, and a loop without an iteration computes nothing.
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_COMPUTEONCE
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// An array of an iteration's own.
struct OwnArray {
  AllocOp alloc;
  ReleaseOp release;
  llvm::SetVector<Operation *> users; // with those of its views, as they stand in blocks of the host
};

class Once {
public:
  Once(LoopLikeOpInterface loop, bool general) : loop(loop), aliasing(general) {}

  void run() {
    for (Region *region : loop.getLoopRegions())
      findIn(region->front());
    while (!kept.empty() && dropChanging())
      continue;
    if (kept.empty())
      return;
    for (auto &[array, own] : kept)
      for (Operation *user : own.users)
        if (!once.contains(user) && aliasing.mayWriteTo(user, array))
          splitOff(cast<KernelOp>(user), array);
    Value isFirst = emitIsFirst();
    for (Block *block : blocks)
      moveInto(*block, isFirst);
    for (auto &[array, own] : kept)
      keep(own);
  }

private:
  /// Collects the arrays that an iteration makes and gives up, also in branches that all iterations take alike.
  void findIn(Block &block) {
    blocks.push_back(&block);
    for (Operation &op : block) {
      if (auto alloc = dyn_cast<AllocOp>(op)) {
        OwnArray own{alloc, {}, {}};
        if (areKnownBefore(alloc.getExtents()) && collectUsers(alloc, own) && own.release)
          kept.insert({alloc.getBuffer(), std::move(own)});
      }
      if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults() == 0 && isSame(branch.getCondition()))
        for (Region &region : branch->getRegions())
          if (!region.empty())
            findIn(region.front());
    }
  }

  /// Whether the extents can be computed before the loop, and are no negative ones, which a check would find too late.
  bool areKnownBefore(ValueRange extents) {
    return llvm::all_of(extents, [&](Value extent) { return isSame(extent, /*before=*/true) && isCount(extent); });
  }
  bool isCount(Value value) {
    value = getExtentOfNew(value);
    if (value.getDefiningOp<memref::DimOp>())
      return true;
    if (auto max = value.getDefiningOp<arith::MaxSIOp>())
      return isCount(max.getLhs()) || isCount(max.getRhs());
    if (auto min = value.getDefiningOp<arith::MinSIOp>())
      return isCount(min.getLhs()) && isCount(min.getRhs());
    if (isa_and_present<arith::AddIOp, arith::MulIOp, arith::DivUIOp>(value.getDefiningOp()))
      return llvm::all_of(value.getDefiningOp()->getOperands(), [&](Value operand) { return isCount(operand); });
    IntegerAttr number;
    // What is there before the loop has been looked at before it, too.
    return matchPattern(value, m_Constant(&number)) ? !number.getValue().isNegative()
                                                    : loop.isDefinedOutsideOfLoop(value);
  }

  /// The extent that a new array was made with, for the question after it.
  static Value getExtentOfNew(Value value) {
    auto dim = value.getDefiningOp<memref::DimOp>();
    std::optional<int64_t> axis = dim ? dim.getConstantIndex() : std::nullopt;
    Value given = axis ? getAllocatedExtent(dim.getSource(), *axis) : Value();
    return given ? given : value;
  }

  /// Whether a value is the same in all iterations. `before`: and can be computed before the loop.
  bool isSame(Value value, bool before = false) {
    value = getExtentOfNew(value);
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (op && !before && isa<AllocOp>(op))
      return kept.contains(value);
    bool isCode = op && op->getNumRegions() == 0 && isMemoryEffectFree(op) && (!before || isSpeculatable(op));
    return isCode && llvm::all_of(op->getOperands(), [&](Value operand) { return isSame(operand, before); });
  }

  /// Whether an operation may do no more to arrays than read and write their elements: what counts a reference keeps
  /// the array, and so may Python.
  static bool touchesElementsOnly(Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffects(effects);
    return interface && llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<SideEffects::DefaultResource, Failure>(effect.getResource());
           });
  }

  /// Whether the array stays with the iteration: looked at and filled, itself and through views, and given up.
  bool collectUsers(Operation *array, OwnArray &own) {
    for (Operation *user : array->getUsers()) {
      if (auto release = dyn_cast<ReleaseOp>(user)) {
        if (own.release || release->getBlock() != own.alloc->getBlock())
          return false;
        own.release = release;
        continue;
      }
      bool isView = isa<ViewLikeOpInterface, RebaseOp>(user);
      bool isKnown =
          user->getNumRegions() == 0 && !user->hasTrait<OpTrait::IsTerminator>() && touchesElementsOnly(user);
      bool givesArray = llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
      if (!isKnown || givesArray != isView || (isView && !collectUsers(user, own)))
        return false;
      own.users.insert(own.alloc->getBlock()->findAncestorOpInBlock(*user));
    }
    return true;
  }

  /// The part of a kernel that fills one array beside others, which change; false if it cannot be a kernel of its own.
  bool collectPart(Operation *op, Value array, llvm::SetVector<Operation *> &part) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel || !llvm::all_of(kernel.getExtents(), [&](Value extent) { return isSame(extent); }))
      return false;
    for (Operation &op : *kernel.getBody()) {
      auto store = dyn_cast<memref::StoreOp>(op);
      if (store && getRoot(store.getMemRef()) == array) {
        if (!collectSame(store, kernel, part))
          return false;
        continue;
      }
      auto find = [&](Operation *inner) {
        return touches(inner, array) ? WalkResult::interrupt() : WalkResult::advance();
      };
      if (op.walk(find).wasInterrupted())
        return false;
    }
    return true;
  }
  static bool touches(Operation *op, Value array) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isa<BaseMemRefType>(operand.getType()) && getRoot(operand) == array;
    });
  }
  /// Collects what an operation of a kernel's body is computed by, if that is the same in all iterations of the loop.
  bool collectSame(Operation *op, KernelOp kernel, llvm::SetVector<Operation *> &part) {
    if (part.contains(op))
      return true;
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isCode = isMemoryEffectFree(op) || isa<memref::StoreOp>(op) || (load && holdsSame(getRoot(load.getMemRef())));
    if (!isCode || op->getNumRegions() || op->getBlock() != kernel.getBody())
      return false;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      bool isInside = kernel->isAncestor(operand.getParentRegion()->getParentOp());
      if (isInside ? producer && !collectSame(producer, kernel, part) : !isSame(operand))
        return false;
    }
    part.insert(op);
    return true;
  }

  /// Takes arrays out that not all iterations fill with the same elements; false if there is none.
  bool dropChanging() {
    once.clear();
    for (Block *block : blocks)
      for (Operation &op : *block)
        if (isOnce(&op))
          once.insert(&op);
    size_t before = kept.size();
    kept.remove_if([&](auto &entry) { return !isFilledOnce(entry.first, entry.second); });
    return kept.size() < before;
  }

  /// Whether all that fill the array are done once, and all others look at it when it has all of its elements: they see
  /// the last ones from the second iteration on.
  bool isFilledOnce(Value array, OwnArray &own) {
    Operation *last = nullptr;
    llvm::SetVector<Operation *> part;
    for (Operation *user : own.users) {
      if (!aliasing.mayWriteTo(user, array))
        continue;
      if (!once.contains(user) && !collectPart(user, array, part))
        return false;
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
    return last && llvm::all_of(own.users, [&](Operation *user) {
             return once.contains(user) || user == last || last->isBeforeInBlock(user) || isMemoryEffectFree(user);
           });
  }

  /// Whether an array has the same elements in all iterations.
  bool holdsSame(Value array) {
    return kept.contains(array) || (loop.isDefinedOutsideOfLoop(array) && !aliasing.mayWriteTo(loop, array));
  }

  /// What an operation does to arrays that it does not make itself, with those in its regions, and what it needs.
  struct Deeds {
    bool areKnown = false;
    llvm::SmallSetVector<Value, 4> read, written; // roots
    llvm::SetVector<Value> needed;
  };
  const Deeds &getDeeds(Operation *op) {
    auto [known, isNew] = deeds.try_emplace(op);
    if (!isNew)
      return *known->second;
    known->second = std::make_unique<Deeds>();
    Deeds &found = *known->second;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
    bool isPlain = op->getNumResults() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !isa<ReleaseOp>(op) &&
                   !op->walk([](RetainOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!effects || !isPlain)
      return found;
    for (MemoryEffects::EffectInstance &effect : *effects) {
      if (isa<Failure, References>(effect.getResource()))
        continue;
      Value array = effect.getValue() ? getRoot(effect.getValue()) : Value();
      if (!array || isa<np::Output, np::Random>(effect.getResource()))
        return found;
      if (op->isAncestor(array.getParentRegion()->getParentOp()))
        continue; // an array of its own
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        found.read.insert(array);
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        found.written.insert(array);
      else
        return found;
    }
    found.needed.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), found.needed);
    found.areKnown = true;
    return found;
  }

  /// Whether an operation does nothing but fill arrays that are kept, with what all iterations have alike.
  bool isOnce(Operation *op) {
    const Deeds &found = getDeeds(op);
    return found.areKnown && !found.written.empty() &&
           llvm::all_of(found.written, [&](Value array) { return kept.contains(array); }) &&
           llvm::all_of(found.read, [&](Value array) { return holdsSame(array); }) &&
           llvm::all_of(found.needed, [&](Value value) { return isSame(value); });
  }

  /// Whether this is the loop's first iteration, as a value of its body.
  Value emitIsFirst() {
    Location loc = loop.getLoc();
    if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation())) {
      auto builder = OpBuilder::atBlockBegin(counted.getBody());
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, counted.getInductionVar(),
                                   counted.getLowerBound());
    }
    // A while loop hands it on.
    auto loop = cast<scf::WhileOp>(this->loop.getOperation());
    OpBuilder builder(loop);
    SmallVector<Value> inits(loop.getInits());
    inits.push_back(arith::ConstantIntOp::create(builder, loc, 1, 1));
    SmallVector<Type> types(loop.getResultTypes());
    types.push_back(builder.getI1Type());
    auto flagged = scf::WhileOp::create(builder, loc, types, inits);
    flagged->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    flagged.getBefore().takeBody(loop.getBefore());
    flagged.getAfter().takeBody(loop.getAfter());
    Value before = flagged.getBeforeBody()->addArgument(builder.getI1Type(), loc);
    isFirstOfAfter = flagged.getAfterBody()->addArgument(builder.getI1Type(), loc);
    flagged.getConditionOp().getArgsMutable().append(before);
    scf::YieldOp yield = flagged.getYieldOp();
    builder.setInsertionPoint(yield);
    yield.getResultsMutable().append(Value(arith::ConstantIntOp::create(builder, loc, 0, 1)));
    loop.replaceAllUsesWith(flagged.getResults().drop_back());
    loop.erase();
    this->loop = flagged;
    return before;
  }

  void splitOff(KernelOp kernel, Value array) {
    llvm::SetVector<Operation *> part;
    collectPart(kernel, array, part);
    IRMapping copies;
    auto first = cast<KernelOp>(OpBuilder(kernel).clone(*kernel, copies));
    llvm::SmallPtrSet<Operation *, 16> wanted{first.getBody()->getTerminator()};
    for (Operation *op : part)
      wanted.insert(copies.lookup(op));
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*first.getBody())))
      if (!wanted.contains(&op))
        op.erase();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*kernel.getBody())))
      if (part.contains(&op) && op.use_empty())
        op.erase();
    once.insert(first);
  }

  /// The operations of the block that are done once, in a branch for each group of them.
  void moveInto(Block &block, Value isFirst) {
    auto loop = dyn_cast<scf::WhileOp>(this->loop.getOperation());
    if (loop && loop.getAfter().isAncestor(block.getParent()))
      isFirst = isFirstOfAfter;
    SmallVector<Operation *> group;
    auto finish = [&] {
      if (group.empty())
        return;
      OpBuilder builder(group.back());
      auto branch = scf::IfOp::create(builder, group.back()->getLoc(), isFirst, /*withElseRegion=*/false);
      for (Operation *op : group)
        op->moveBefore(branch.thenYield());
      group.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (once.contains(&op))
        group.push_back(&op);
      else if (!isMemoryEffectFree(&op) && !isa<AllocOp>(op))
        finish();
    }
    finish();
  }

  void keep(OwnArray &own) {
    OpBuilder builder(loop);
    IRMapping copies;
    for (auto [number, extent] : llvm::enumerate(own.alloc.getExtents()))
      own.alloc->setOperand(number, copyBefore(extent, builder, copies));
    own.alloc->moveBefore(loop);
    own.release->moveAfter(loop);
  }
  Value copyBefore(Value value, OpBuilder &builder, IRMapping &copies) {
    value = getExtentOfNew(value);
    if (loop.isDefinedOutsideOfLoop(value) || copies.contains(value))
      return copies.lookupOrDefault(value);
    IRMapping operands;
    for (Value operand : value.getDefiningOp()->getOperands())
      operands.map(operand, copyBefore(operand, builder, copies));
    copies.map(value, builder.clone(*value.getDefiningOp(), operands)->getResult(0));
    return copies.lookup(value);
  }

  LoopLikeOpInterface loop;
  Aliasing aliasing;
  SmallVector<Block *> blocks;           // of the loop, that all iterations go through
  llvm::MapVector<Value, OwnArray> kept; // by their buffers
  llvm::SmallPtrSet<Operation *, 16> once;
  llvm::DenseMap<Operation *, std::unique_ptr<Deeds>> deeds;
  Value isFirstOfAfter; // of a while loop's second region
};

struct ComputeOnce : impl::ComputeOnceBase<ComputeOnce> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<LoopLikeOpInterface> loops;
    for (Block *block : getHostBlocks(getOperation()))
      for (Operation &op : *block)
        if (isa<scf::ForOp, scf::WhileOp>(op))
          loops.push_back(cast<LoopLikeOpInterface>(op));
    // Inner loops first: what leaves one may leave the loop around it, too.
    for (LoopLikeOpInterface loop : llvm::reverse(loops))
      Once(loop, getOperation()->hasAttr("np.general")).run();
  }
};
} // namespace
} // namespace npcc

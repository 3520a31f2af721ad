// npcc-fuse-rows: kernels that go over the same rows one after the other become one that does all its work on a row before the next row, so
// that the row is read from memory once and intermediate results stay near.
//
//   np.kernel (%i) = (%n)         { %m = scf.parallel (%k) ... maximum of %x[%i, %k]    store %m, %max[%i] }
//   np.kernel (%i, %k) = (%n, %l) { store exp(%x[%i, %k] - %max[%i]), %e[%i, %k] }
//   np.kernel (%i) = (%n)         { %s = scf.parallel (%k) ... sum of %e[%i, %k]        store %s, %sum[%i] }
//   np.kernel (%i, %k) = (%n, %l) { store %e[%i, %k] / %sum[%i], %y[%i, %k] }
// becomes, if there are rows enough to keep a device busy with one team each,
//   np.kernel (%i) = (%n) {
//     %m = scf.parallel (%k) ... maximum of %x[%i, %k]
//     scf.parallel (%k) = to (%l) { store exp(%x[%i, %k] - %m), %y[%i, %k] }
//     %s = scf.parallel (%k) ... sum of %y[%i, %k]
//     scf.parallel (%k) = to (%l) { store %y[%i, %k] / %s, %y[%i, %k] }
//   }
//
// A group grows around a reduction along rows. It takes kernels whose first axes are the reduction's and that share a whole row of some array
// with it. What one of them writes the others touch in the row at hand only. Arrays that the group alone uses are forwarded where they hold one element a
// row, and are replaced by an array of the result where that is written last, element by element.
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_FUSEROWS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {

struct Access {
  Operation *op;
  Value memory;
  SmallVector<Value> indices;
  bool isStore;
};

SmallVector<Access> getAccesses(Operation *kernel) {
  SmallVector<Access> accesses;
  kernel->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      accesses.push_back({op, load.getMemRef(), load.getIndices(), false});
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      accesses.push_back({op, store.getMemRef(), store.getIndices(), true});
  });
  return accesses;
}

bool startsWithRow(const Access &access, KernelOp kernel, unsigned rank) {
  if (access.indices.size() < rank)
    return false;
  auto row = kernel.getInductionVars();
  for (unsigned axis = 0; axis < rank; ++axis)
    if (access.indices[axis] != row[axis])
      return false;
  return true;
}

/// A reduction along the last axis of rows that the kernel's axes number.
bool isRowReduction(KernelOp kernel) {
  if (kernel.isUnit())
    return false;
  bool reducesRows = false;
  for (auto inner : kernel.getBody()->getOps<scf::ParallelOp>())
    for (const Access &access : getAccesses(inner))
      reducesRows |= inner.getNumResults() > 0 && access.indices.size() > kernel.getNumLoops() && startsWithRow(access, kernel, kernel.getNumLoops()) &&
                     access.indices.back() == inner.getInductionVars().back();
  return reducesRows;
}

/// Row kernels and maps; other control flow makes threads of a team wait for each other.
bool isSimple(KernelOp kernel, unsigned rank) {
  if (kernel.getNumLoops() < rank)
    return false;
  bool isSimple = true;
  kernel.getBody()->walk([&](Operation *op) {
    bool isInner = isa<scf::ParallelOp>(op) && op->getParentOp() == kernel && kernel.getNumLoops() == rank;
    bool isInReduce = isa<scf::ReduceOp, scf::ReduceReturnOp>(op);
    isSimple &= isInner || isInReduce || isa<memref::LoadOp, memref::StoreOp, scf::IfOp, scf::YieldOp>(op) ||
                isMemoryEffectFree(op);
  });
  return isSimple;
}

class RowGroup {
public:
  RowGroup(KernelOp reduction, bool general, const TargetProperties &target)
      : rank(reduction.getNumLoops()), general(general), target(target) {
    kernels.push_back(reduction);
    scf::ParallelOp inner = *reduction.getBody()->getOps<scf::ParallelOp>().begin();
    length = inner.getUpperBound().back();
  }

  void grow() {
    bool grown = true;
    while (grown) {
      KernelOp before = findNeighbour(kernels.front(), /*forward=*/false), after = findNeighbour(kernels.back(), /*forward=*/true);
      grown = false;
      if (before && canTake(before)) {
        kernels.insert(kernels.begin(), before);
        grown = true;
      }
      if (after && canTake(after)) {
        kernels.push_back(after);
        grown = true;
      }
    }
  }

  bool isWorthwhile() { return kernels.size() > 1 && length.getParentRegion()->isAncestor(kernels.front()->getParentRegion()); }
  ArrayRef<KernelOp> getKernels() { return kernels; }

  /// Both versions, and the choice.
  void fuse() {
    OpBuilder builder(kernels.back());
    Location loc = kernels.front().getLoc();
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value rows = constant(1);
    for (unsigned axis = 0; axis < rank; ++axis)
      rows = builder.createOrFold<arith::MulIOp>(loc, rows, kernels.front().getExtents()[axis]);
    Value many =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, rows, constant(target.tuning.fusedRows));
    Value isShort =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, length, constant(target.tuning.shortRow));
    SmallVector<AllocOp> locals = findLocals();
    Value worth = arith::OrIOp::create(builder, loc, many, isShort);
    auto offer = AlternativesOp::create(builder, loc, TypeRange(), "rows as one kernel", worth);
    builder.setInsertionPoint(offer.getOfferedEnd());
    emitFused(builder, loc, locals);
    builder.setInsertionPoint(offer.getGeneralEnd());
    IRMapping one;
    for (AllocOp local : locals)
      builder.clone(*local, one);
    for (KernelOp kernel : kernels) {
      // Rows to cut: the pass that does it has nothing left to choose.
      auto copy = cast<KernelOp>(builder.clone(*kernel, one));
      if (target.cutsKernels)
        copy.setCut(Cut::always);
      kernel.erase();
    }
    for (AllocOp local : locals)
      local.erase();
  }

private:
  /// The next kernel, with nothing between that must come after one of the group's or before the next.
  static KernelOp findNeighbour(Operation *op, bool forward) {
    for (op = forward ? op->getNextNode() : op->getPrevNode(); op; op = forward ? op->getNextNode() : op->getPrevNode()) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        return kernel;
      if (!isa<AllocOp>(op) && !isMemoryEffectFree(op))
        return {};
    }
    return {};
  }

  bool canTake(KernelOp kernel) {
    if (!isSimple(kernel, rank))
      return false;
    for (unsigned axis = 0; axis < rank; ++axis)
      if (kernel.getExtents()[axis] != kernels.front().getExtents()[axis])
        return false;
    bool sharesRows = false;
    SmallVector<Access> own = getAccesses(kernel);
    for (KernelOp member : kernels)
      for (const Access &theirs : getAccesses(member))
        for (const Access &mine : own) {
          bool inRow = mine.memory == theirs.memory && startsWithRow(mine, kernel, rank) && startsWithRow(theirs, member, rank);
          sharesRows |= inRow && mine.indices.size() > rank;
          if ((mine.isStore || theirs.isStore) && !inRow && mayAlias(mine.memory, theirs.memory, general))
            return false;
        }
    return sharesRows;
  }

  /// Arrays that nothing but the group uses.
  SmallVector<AllocOp> findLocals() {
    llvm::SetVector<Operation *> found;
    for (KernelOp kernel : kernels)
      for (const Access &access : getAccesses(kernel))
        if (auto alloc = access.memory.getDefiningOp<AllocOp>(); alloc && alloc->getBlock() == kernel->getBlock()) {
          bool isLocal = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
            return isa<memref::LoadOp, memref::StoreOp>(user) && llvm::any_of(kernels, [&](Operation *member) { return member->isAncestor(user); });
          });
          if (isLocal)
            found.insert(alloc);
        }
    SmallVector<AllocOp> locals;
    for (Operation *op : found)
      locals.push_back(cast<AllocOp>(op));
    return locals;
  }

  void emitFused(OpBuilder &builder, Location loc, ArrayRef<AllocOp> locals) {
    IRMapping mapping;
    SmallVector<AllocOp> own;
    for (AllocOp local : locals)
      own.push_back(cast<AllocOp>(builder.clone(*local, mapping)));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> extents(kernels.front().getExtents().take_front(rank));
    auto fused = KernelOp::create(builder, loc, extents);
    builder.setInsertionPoint(fused.getBody()->getTerminator());
    for (KernelOp kernel : kernels) {
      OpBuilder::InsertionGuard guard(builder);
      SmallVector<Value> positions(fused.getInductionVars());
      if (kernel.getNumLoops() > rank) {
        unsigned rest = kernel.getNumLoops() - rank;
        auto walk = scf::ParallelOp::create(builder, loc, SmallVector<Value>(rest, zero), SmallVector<Value>(kernel.getExtents().drop_front(rank)),
                                            SmallVector<Value>(rest, one));
        llvm::append_range(positions, walk.getInductionVars());
        builder.setInsertionPoint(walk.getBody()->getTerminator());
      }
      mapping.map(kernel.getInductionVars(), positions);
      for (Operation &op : kernel.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    for (AllocOp local : own)
      forward(local, fused);
    llvm::erase_if(own, [](AllocOp local) { return local->use_empty() && (local.erase(), true); });
    for (AllocOp local : own)
      reuseResult(local, fused);
  }

  /// One element a row, stored before it is loaded: the value itself.
  void forward(AllocOp local, KernelOp fused) {
    memref::StoreOp store;
    for (Operation *user : local->getUsers())
      if (auto other = dyn_cast<memref::StoreOp>(user)) {
        if (store || other->getParentOp() != fused)
          return;
        store = other;
      }
    if (!store)
      return;
    SmallVector<memref::LoadOp> loads;
    for (Operation *user : local->getUsers())
      if (auto load = dyn_cast<memref::LoadOp>(user)) {
        Operation *top = fused.getBody()->findAncestorOpInBlock(*load);
        bool isSame = llvm::equal(load.getIndices(), store.getIndices(), isSameIndex);
        if (!isSame || !store->isBeforeInBlock(top))
          return;
        loads.push_back(load);
      }
    for (memref::LoadOp load : loads) {
      load.replaceAllUsesWith(store.getValueToStore());
      load.erase();
    }
    store.erase();
  }

  static bool isSameIndex(Value a, Value b) {
    APInt first, second;
    return a == b || (matchPattern(a, m_ConstantInt(&first)) && matchPattern(b, m_ConstantInt(&second)) && first == second);
  }

  /// An array whose elements are last loaded where an array of the same extents is stored, position by position, shares its memory.
  void reuseResult(AllocOp local, KernelOp fused) {
    SmallVector<Access> accesses = getAccesses(fused);
    for (const Access &access : accesses) {
      auto result = access.memory.getDefiningOp<AllocOp>();
      if (!access.isStore || !result || result == local || result.getType() != local.getType() || !llvm::equal(result.getExtents(), local.getExtents()))
        continue;
      if (canShare(local, result, accesses, fused)) {
        local.replaceAllUsesWith(result.getResult());
        local.erase();
        return;
      }
    }
  }

  static bool canShare(AllocOp local, AllocOp result, ArrayRef<Access> accesses, KernelOp fused) {
    Operation *last = nullptr, *store = nullptr; // where the result is written
    const Access *stored = nullptr;
    for (const Access &access : accesses)
      if (access.memory == result.getResult()) {
        if (!access.isStore || stored)
          return false;
        stored = &access;
        store = access.op;
        last = fused.getBody()->findAncestorOpInBlock(*store);
      }
    // In one walk over all positions, each of which is one element.
    auto walk = dyn_cast_or_null<scf::ParallelOp>(last);
    if (!walk || store->getBlock() != walk.getBody())
      return false;
    SmallVector<Value> positions(fused.getInductionVars());
    llvm::append_range(positions, walk.getInductionVars());
    if (positions != stored->indices)
      return false;
    for (const Access &access : accesses) {
      if (access.memory != local.getResult())
        continue;
      Operation *top = fused.getBody()->findAncestorOpInBlock(*access.op);
      if (top == last ? access.isStore || access.indices != stored->indices || access.op->getBlock() != store->getBlock() || !access.op->isBeforeInBlock(store)
                      : !top->isBeforeInBlock(last))
        return false;
    }
    return true;
  }

  unsigned rank;
  bool general;
  const TargetProperties &target;
  Value length;
  SmallVector<KernelOp> kernels;
};

struct FuseRows : impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    bool general = getOperation()->hasAttr("np.general");
    const TargetProperties &target = getTargetProperties(getOperation());
    SmallVector<KernelOp> reductions;
    getOperation()->walk<WalkOrder::PreOrder>([&](KernelOp kernel) {
      if (isRowReduction(kernel) && isSimple(kernel, kernel.getNumLoops()))
        reductions.push_back(kernel);
      return WalkResult::skip();
    });
    llvm::SmallDenseSet<Operation *> done;
    for (KernelOp reduction : reductions) {
      if (done.contains(reduction))
        continue;
      RowGroup group(reduction, general, target);
      group.grow();
      if (!group.isWorthwhile())
        continue;
      for (KernelOp member : group.getKernels())
        done.insert(member);
      group.fuse();
    }
  }
};

} // namespace
} // namespace npcc

#include "compiler/gpu/emit/GridBarriers.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"

using namespace mlir;
namespace npcc::cuda {

GridBarriers::GridBarriers(np::KernelOp kernel, KernelAccesses &accesses, llvm::DenseSet<Operation *> repeated)
    : kernel(kernel), accesses(accesses), ranges(kernel, leastGridExtent),
      aliasing(kernel->getParentOfType<func::FuncOp>()->hasAttr("np.general")), repeated(std::move(repeated)) {
  findOwn();
  kernel.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
    mostAxes = std::max(mostAxes, loop.getNumLoops());
    sharedReductions += loop.getNumResults() > 0 && !isRepeated(loop);
    return WalkResult::skip();
  });
  Pending pending;
  visit(*kernel.getBody(), pending);
}

void GridBarriers::findOwn() {
  for (const Stream &stream : accesses.getStreams())
    if (stream.getRank() == 0 && !isa<ComplexType>(stream.getType().getElementType()) &&
        stream.memref.getDefiningOp<np::AllocOp>())
      own.insert(stream.memref);
  for (const Stream &stream : accesses.getStreams()) // a view of the number is in memory
    if (Value root = getRoot(stream.memref); root != stream.memref)
      own.erase(root);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ParallelOp>(op) && !isAlone(op))
      return WalkResult::advance();
    op->walk([&](memref::StoreOp store) { own.erase(store.getMemref()); });
    return WalkResult::skip();
  });
}

bool GridBarriers::isAlone(Operation *op) {
  if (!isa<scf::ForOp>(op) || !op->use_empty() || !mayWrite(op))
    return false;
  return !op->walk([](Operation *inside) {
              return isa<scf::ParallelOp, np::FoldOp, np::CheckIndexOp, np::AssertOp>(inside) ? WalkResult::interrupt()
                                                                                              : WalkResult::advance();
            }).wasInterrupted();
}

void GridBarriers::visit(Block &block, Pending &pending) {
  for (Operation &op : block)
    visit(op, pending);
}

void GridBarriers::unite(Pending &pending, const Pending &others) {
  for (const Access &access : others) {
    auto known = llvm::find(pending, access);
    if (known == pending.end())
      pending.push_back(access);
    else
      known->isSettled &= access.isSettled;
  }
}

bool GridBarriers::isEdge(Operation *op) const {
  auto loop = dyn_cast<scf::ParallelOp>(op);
  return loop && loop.getNumResults() == 0 && loop.getNumLoops() < mostAxes &&
         llvm::all_of(
             loop.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); }) &&
         !loop.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void GridBarriers::visit(Operation &op, Pending &pending) {
  if (isRepeated(&op)) {
    touch(op, pending, {}, /*isFirstAlone=*/false);
  } else if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    touch(op, pending, loop, /*isFirstAlone=*/false);
    if (loop.getNumResults() > 0) // all threads wait for the parts of the result
      pending.clear();
  } else if (isAlone(&op)) {
    touch(op, pending, {}, /*isFirstAlone=*/true);
  } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
    visitLoop(op, pending);
  } else if (op.getNumRegions() > 0) {
    Pending before = pending, after;
    bool isSkipped = false;
    for (Region &region : op.getRegions()) {
      Pending inside = before;
      if (region.empty())
        isSkipped = true;
      else
        visit(region.front(), inside);
      unite(after, inside);
    }
    if (isSkipped)
      unite(after, before);
    pending = after;
  } else if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(op)) {
    touch(op, pending, {}, !isa<memref::LoadOp>(op));
  }
}

/// What an iteration leaves behind the next one meets: again until nothing is added.
void GridBarriers::visitLoop(Operation &loop, Pending &pending) {
  Pending entry = pending, after;
  for (size_t known = ~size_t(0), settled = 0;;) {
    after = entry;
    for (Region &region : loop.getRegions()) {
      visit(region.front(), after);
      if (isa<scf::WhileOp>(loop) && region.getRegionNumber() == 0)
        pending = after; // a loop ends behind its condition
    }
    unite(entry, after);
    size_t nowSettled = llvm::count_if(entry, [](const Access &access) { return access.isSettled; });
    if (entry.size() == known && nowSettled == settled)
      break;
    known = entry.size(), settled = nowSettled;
  }
  if (!isa<scf::WhileOp>(loop))
    pending = entry;
}

void GridBarriers::touch(Operation &op, Pending &pending, scf::ParallelOp loop, bool isFirstAlone) {
  Pending made;
  bool isAtEdge = isFirstAlone || (loop && isEdge(loop));
  op.walk([&](Operation *inside) {
    if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(inside) &&
        !isOwn(accesses.lookup(inside).stream->memref))
      made.push_back({&accesses.lookup(inside), loop, isFirstAlone, isAtEdge, false});
  });
  bool waits = waitsBefore(&op), waitsAtEdge = waitingAtEdge.contains(&op);
  for (const Access &access : made)
    for (const Access &before : pending)
      if (conflict(before, access)) {
        bool isEnough = before.isAtEdge && access.isAtEdge;
        waits |= !isEnough;
        waitsAtEdge |= isEnough && !before.isSettled;
      }
  if (waits) {
    waiting.insert(&op);
    pending.clear();
  } else if (waitsAtEdge) {
    waitingAtEdge.insert(&op);
    for (Access &before : pending)
      before.isSettled |= before.isAtEdge;
  }
  for (const Access &access : made) // again in an iteration: not waited for yet
    llvm::erase(pending, access);
  unite(pending, made);
}

/// Whether an element belongs to one iteration of the loop: along some axis each position of the loop stands alone.
static bool isOneIteration(scf::ParallelOp loop, const Stream &stream) {
  return llvm::all_of(loop.getInductionVars(), [&](Value position) {
    return llvm::any_of(stream.terms, [&](ArrayRef<Term> terms) {
      return terms.size() == 1 && terms[0].leaf == position && !terms[0].scale;
    });
  });
}

/// An extent where there are iterations: not max(0, ...).
static Value getBound(Value extent) {
  if (auto most = extent.getDefiningOp<arith::MaxSIOp>())
    for (unsigned number : {0, 1})
      if (getConstantIntValue(most->getOperand(number)) == 0)
        return most->getOperand(1 - number);
  return extent;
}

/// Whether two accesses of shared-out loops meet in an element only in the thread that makes both.
static bool isSameThread(const KernelAccess &a, scf::ParallelOp loop, const KernelAccess &b, scf::ParallelOp other,
                         np::KernelOp kernel) {
  auto isPlain = [](scf::ParallelOp loop) { // else a thread takes several iterations, or several threads one
    return !loop.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted();
  };
  auto isSame = [&](Value left, Value right) {
    left = getBound(left), right = getBound(right);
    std::optional<int64_t> x = getConstantIntValue(left), y = getConstantIntValue(right);
    return (left == right && isInvariant(left, kernel)) || (x && x == y);
  };
  if (loop.getNumLoops() != other.getNumLoops() || !isPlain(loop) || !isPlain(other) ||
      a.stream->memref != b.stream->memref || a.constants != b.constants || !isOneIteration(loop, *a.stream))
    return false;
  SmallVector<Value> positions(loop.getInductionVars());
  for (auto [left, right] : llvm::zip_equal(loop.getUpperBound(), other.getUpperBound()))
    if (!isSame(left, right))
      return false;
  for (auto [left, right] : llvm::zip_equal(a.stream->terms, b.stream->terms)) {
    if (left.size() != right.size())
      return false;
    for (auto [x, y] : llvm::zip_equal(left, right)) {
      Term moved = x;
      if (auto position = llvm::find(positions, x.leaf); position != positions.end())
        moved.leaf = other.getInductionVars()[position - positions.begin()];
      else if (!isInvariant(x.leaf, kernel))
        return false;
      if (!(moved == y))
        return false;
    }
  }
  return true;
}

bool GridBarriers::conflict(const Access &a, const Access &b) {
  // Loops are gone through until nothing is added, so the same two meet often.
  auto [known, isNew] = conflicts.try_emplace({a.access, b.access}, false);
  if (isNew)
    known->second = findConflict(a, b);
  return known->second;
}

bool GridBarriers::findConflict(const Access &a, const Access &b) {
  if ((!a.access->isStore && !b.access->isStore) || (a.isFirstAlone && b.isFirstAlone) ||
      !aliasing.mayAlias(a.access->stream->memref, b.access->stream->memref))
    return false;
  if (a.loop && b.loop && isEdge(a.loop) == isEdge(b.loop) &&
      isSameThread(*a.access, a.loop, *b.access, b.loop, kernel))
    return false;
  return !ranges.areApart(*a.access, *b.access);
}

} // namespace npcc::cuda

// Arrays that go round in a loop that the grid runs have two places, which take turns: an iteration reads one and
// writes the other. Nobody has to wait until all have read what an iteration began with, and nothing is copied when it
// ends.
//
//   scf.for %k {                                    scf.for %k {
//     np.kernel (%i) { ... load %a[%i + 1] ...         %turn = (%k - start) / step % 2
//                      store %b[%i] }           ->     np.kernel (%i) { ... load %pair[%turn, %i + 1] ...
//     np.kernel (%i) { copy %b[%i] to %a[%i] }                          store %pair[1 - %turn, %i] }
//   }                                               }
//
// Before the loop the array is copied into the first place, and after it, from where it is then, to where the host
// looks for it. An array has two places
// * if threads read elements of it that others write: where each needs its own only, nobody waits anyway; and
// * if an iteration reads it for the last time before it writes the new one: what the analysis of waits knows does not
//   tell the places of two iterations apart, so that a later read would have to wait for what was written.
#include "compiler/gpu/StepLoop.h"

using namespace mlir;
namespace npcc {
namespace {

/// An array that stays where it is, and the one that an iteration makes.
class TurningArray {
public:
  TurningArray(scf::ForOp loop, np::KernelOp copy) : loop(loop), copy(copy) {
    for (Operation &op : *copy.getBody())
      if (auto load = dyn_cast<memref::LoadOp>(op))
        made = load.getMemref();
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        kept = store.getMemref();
  }

  bool shouldTurn() {
    auto type = cast<MemRefType>(made.getType());
    if (type.getRank() == 0 || kept.getType() != type || copy->getBlock() != loop.getBody())
      return false;
    // In the order of the loop's body: whether the new array has been written.
    bool isWritten = false, isShared = false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (&op == copy)
        continue;
      bool reads = false, writes = false, isPlain = true;
      op.walk([&](Operation *inside) {
        bool hasKept = llvm::is_contained(inside->getOperands(), kept),
             hasMade = llvm::is_contained(inside->getOperands(), made);
        isPlain &= (!hasKept || isa<memref::LoadOp, memref::DimOp>(inside)) &&
                   (!hasMade || isa<memref::LoadOp, memref::StoreOp, memref::DimOp>(inside));
        auto load = dyn_cast<memref::LoadOp>(inside);
        reads |= hasKept && load;
        isShared |= hasKept && load && !isOwn(load);
        writes |= hasMade && isa<memref::StoreOp>(inside);
      });
      if (!isPlain || (reads && isWritten))
        return false;
      isWritten |= writes;
    }
    return isShared;
  }

  /// `turn` and `other` are the places that an iteration reads and writes; `last` the one that is read behind the loop.
  void turnIn(OpBuilder &before, np::KernelOp kernel, Value turn, Value other, Value last) {
    Location loc = copy.getLoc();
    auto alloc = made.getDefiningOp<np::AllocOp>();
    auto type = cast<MemRefType>(made.getType());
    SmallVector<int64_t> shape{2};
    llvm::append_range(shape, type.getShape());
    OpBuilder host(kernel);
    Value pair = np::AllocOp::create(host, loc, MemRefType::get(shape, type.getElementType()), alloc.getExtents());
    host.setInsertionPointAfter(kernel);
    np::ReleaseOp::create(host, loc, pair);
    for (auto [memref, place] : {std::pair(kept, turn), std::pair(made, other)})
      for (Operation *user : llvm::make_early_inc_range(memref.getUsers())) {
        if (!loop->isAncestor(user) || copy->isAncestor(user) || isa<memref::DimOp>(user))
          continue;
        OpBuilder at(user);
        auto load = dyn_cast<memref::LoadOp>(user);
        SmallVector<Value> indices{place};
        llvm::append_range(indices, load ? load.getIndices() : cast<memref::StoreOp>(user).getIndices());
        if (load)
          load.replaceAllUsesWith(memref::LoadOp::create(at, loc, pair, indices).getResult());
        else
          memref::StoreOp::create(at, loc, cast<memref::StoreOp>(user).getValueToStore(), pair, indices);
        user->erase();
      }
    OpBuilder after(loop->getContext());
    after.setInsertionPointAfter(loop);
    move(before, arith::ConstantIndexOp::create(before, loc, 0), pair, /*isIn=*/true);
    move(after, last, pair, /*isIn=*/false);
    copy.erase();
    if (!llvm::all_of(made.getUsers(), llvm::IsaPred<np::ReleaseOp>))
      return;
    for (Operation *release : llvm::make_early_inc_range(made.getUsers()))
      release->erase();
    alloc.erase();
  }

private:
  /// Whether the thread that loads the element is the one that copies it: threads take the same elements of all loops.
  static bool isOwn(memref::LoadOp load) {
    Operation *shared = load->getParentOfType<np::KernelOp>();
    if (auto kernel = cast<np::KernelOp>(shared); kernel.isUnit())
      for (Operation *op = load->getParentOp(); op != kernel; op = op->getParentOp())
        if (isa<scf::ParallelOp>(op))
          shared = op;
    ValueRange positions;
    if (auto loop = dyn_cast<scf::ParallelOp>(shared))
      positions = loop.getInductionVars();
    else
      positions = cast<np::KernelOp>(shared).getInductionVars();
    return ValueRange(load.getIndices()) == positions;
  }

  void move(OpBuilder &at, Value place, Value pair, bool isIn) {
    Location loc = copy.getLoc();
    auto made = np::KernelOp::create(at, loc, copy.getExtents());
    OpBuilder inside(made.getBody()->getTerminator());
    SmallVector<Value> own(made.getInductionVars()), indices{place};
    llvm::append_range(indices, own);
    Value from = isIn ? kept : pair, to = isIn ? pair : kept;
    Value element = memref::LoadOp::create(inside, loc, from, isIn ? own : indices);
    memref::StoreOp::create(inside, loc, element, to, isIn ? indices : own);
  }

  scf::ForOp loop;
  np::KernelOp copy;
  Value made, kept;
};

} // namespace

void StepLoop::takeTurns(np::KernelOp kernel) {
  auto loops = kernel.getBody()->getOps<scf::ForOp>();
  if (!llvm::hasSingleElement(loops))
    return;
  scf::ForOp counted = *loops.begin();
  if (!counted.getInductionVar().getType().isIndex())
    return;
  Value turn, other, last;
  OpBuilder before(counted);
  for (np::KernelOp copy : copies) {
    TurningArray array(counted, copy);
    if (!array.shouldTurn())
      continue;
    if (!turn) {
      OpBuilder inside = OpBuilder::atBlockBegin(counted.getBody());
      IndexMath i{inside, loc}, b{before, loc};
      Value start = counted.getLowerBound(), end = counted.getUpperBound(), step = counted.getStep();
      turn = i.bitAnd(i.div(i.sub(counted.getInductionVar(), start), step), i.constant(1));
      other = i.sub(i.constant(1), turn);
      Value iterations = b.ceilDiv(b.max(b.sub(end, start), b.constant(0)), step);
      last = b.bitAnd(iterations, b.constant(1));
    }
    array.turnIn(before, kernel, turn, other, last);
  }
}

} // namespace npcc

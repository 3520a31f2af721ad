// npcc-unroll-stacks: where a kernel has a small matrix for each of its positions, what makes these matrices element by
// element, or is made of them, becomes part of that kernel: straight code for each element of a matrix.
//
//   np.kernel (%i) = (%n) { ... store %x, %a[%i, 0, 0] ... store %y, %a[%i, 1, 1] }   // inverses of 2 x 2 matrices
//   np.kernel (%i, %j, %k) = (%n, %c2, %c2) { store 3 * %a[%i, %j, %k], %b[%i, %j, %k] }
// becomes
//   np.kernel (%i) = (%n) { ... store 3 * %x, %b[%i, 0, 0] ... store 3 * %y, %b[%i, 1, 1] }
//
// The elements of %a stay in registers, and where nobody else reads it there is no such array. A kernel of 2 x 2
// positions for each %i reads its other operands side by side, and one of a position for each %i does not, so kernels
// are unrolled only where they share an array that one of them takes apart already, by constant positions behind its
// own. Loops inside of a few positions (sums over the axes of a matrix) are straight code then, too. What becomes one
// kernel, and what stands between the two, is the matter of npcc-merge-kernels.
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/KernelMerge.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/SumQuotients.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_UNROLLSTACKS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t mostElements = 16;     // of a matrix: 4 x 4
constexpr int64_t mostOperations = 2048; // of all copies of a body

/// How many positions these extents span; null if they are not known, or too many to write each of them out.
std::optional<int64_t> countFew(ValueRange extents) {
  int64_t count = 1;
  for (Value extent : extents) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (!known || *known < 1 || *known > mostElements)
      return std::nullopt;
    count *= *known;
  }
  return count <= mostElements ? std::optional(count) : std::nullopt;
}

/// Goes through positions in C order.
void forEachPosition(OpBuilder &builder, Location loc, ValueRange extents, function_ref<void(ArrayRef<Value>)> body) {
  SmallVector<int64_t> shape, at(extents.size(), 0);
  for (Value extent : extents)
    shape.push_back(*getConstantIntValue(extent));
  for (;;) {
    SmallVector<Value> position;
    for (int64_t index : at)
      position.push_back(arith::ConstantIndexOp::create(builder, loc, index));
    body(position);
    int64_t axis = shape.size() - 1;
    while (axis >= 0 && ++at[axis] == shape[axis])
      at[axis--] = 0;
    if (axis < 0)
      return;
  }
}

/// Kernels whose code is straight along the axes behind the first `rank`, or can be written out so.
class Unroller {
public:
  Unroller(KernelOp kernel, unsigned rank) : kernel(kernel), rank(rank) {}

  bool canUnroll() {
    std::optional<int64_t> count = countFew(kernel.getExtents().drop_front(rank));
    if (!count)
      return false;
    int64_t operations = 0;
    for (Operation &op : *kernel.getBody()) {
      int64_t copies = 1;
      if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
        std::optional<int64_t> inside = countFew(loop.getUpperBound());
        if (!inside)
          return false;
        copies = *inside;
      }
      op.walk([&](Operation *) { operations += copies; });
    }
    return operations * *count <= mostOperations;
  }

  bool isStraight() { return kernel.getNumLoops() == rank && kernel.getBody()->getOps<scf::ParallelOp>().empty(); }

  /// Gives the kernel over the first axes.
  KernelOp unroll() {
    SmallVector<scf::ParallelOp> loops(kernel.getBody()->getOps<scf::ParallelOp>());
    for (scf::ParallelOp loop : loops)
      unrollLoop(loop);
    if (kernel.getNumLoops() == rank)
      return kernel;
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    auto narrow = KernelOp::create(builder, loc, SmallVector<Value>(kernel.getExtents().take_front(rank)));
    builder.setInsertionPoint(narrow.getBody()->getTerminator());
    forEachPosition(builder, loc, kernel.getExtents().drop_front(rank), [&](ArrayRef<Value> position) {
      IRMapping mapping;
      mapping.map(kernel.getInductionVars().take_front(rank), narrow.getInductionVars());
      mapping.map(kernel.getInductionVars().drop_front(rank), position);
      for (Operation &op : kernel.getBody()->without_terminator())
        builder.clone(op, mapping);
    });
    kernel.erase();
    return narrow;
  }

private:
  static void unrollLoop(scf::ParallelOp loop) {
    OpBuilder builder(loop);
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    SmallVector<Value> totals(loop.getInitVals());
    forEachPosition(builder, loop.getLoc(), loop.getUpperBound(), [&](ArrayRef<Value> position) {
      IRMapping mapping;
      mapping.map(loop.getInductionVars(), position);
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
      for (auto [total, value, region] : llvm::zip_equal(totals, reduce.getOperands(), reduce.getReductions())) {
        Block &combine = region.front();
        IRMapping inside;
        inside.map(combine.getArguments(), ArrayRef<Value>{total, mapping.lookupOrDefault(value)});
        for (Operation &op : combine.without_terminator())
          builder.clone(op, inside);
        total = inside.lookupOrDefault(combine.getTerminator()->getOperand(0));
      }
    });
    loop.replaceAllUsesWith(totals);
    loop.erase();
  }

  KernelOp kernel;
  unsigned rank;
};

/// Loads from an array whose first two axes are seen as one (p @ h of matrices p and one h) are from the array itself
/// where their position is one of both axes.
void loadFromStacks(KernelOp kernel, Value array) {
  auto own = array.getDefiningOp<AllocOp>();
  if (!own || own.getExtents().size() < 2 || int64_t(own.getExtents().size()) != own.getType().getRank())
    return;
  SmallVector<Value> rest(own.getExtents().drop_front(2));
  std::optional<int64_t> extent = getConstantIntValue(own.getExtents()[1]);
  for (Operation *user : llvm::to_vector(array.getUsers())) {
    auto view = dyn_cast<memref::ReinterpretCastOp>(user);
    if (!view || !extent || view.isDynamicOffset(0) || view.getStaticOffset(0) != 0 ||
        view.getType().getRank() != int64_t(rest.size() + 1))
      continue;
    int64_t stride = 1;
    bool isContiguous = true;
    for (int64_t axis = rest.size(); axis >= 0; --axis) {
      isContiguous &= !view.isDynamicStride(axis) && view.getStaticStride(axis) == stride;
      if (axis == 0)
        break;
      std::optional<int64_t> size = getConstantIntValue(rest[axis - 1]);
      isContiguous &= size && !view.isDynamicSize(axis) && view.getStaticSize(axis) == *size;
      stride *= size.value_or(1);
    }
    for (Operation *access : llvm::to_vector(view->getUsers())) {
      auto load = dyn_cast<memref::LoadOp>(access);
      if (!load || !isContiguous || !kernel->isAncestor(load))
        continue;
      OpBuilder builder(load);
      auto parts = splitNumber(builder, load.getIndices()[0], *extent);
      if (!parts)
        continue;
      SmallVector<Value> position{parts->first, parts->second};
      llvm::append_range(position, load.getIndices().drop_front());
      load.replaceAllUsesWith(memref::LoadOp::create(builder, load.getLoc(), array, position).getResult());
      load.erase();
    }
  }
}

/// Whether a kernel takes the rows of an array apart that its positions have: by constant positions behind its own.
bool takesApart(KernelOp kernel, Value array) {
  unsigned rank = kernel.getNumLoops();
  llvm::SmallDenseSet<int64_t> seen;
  for (Operation *user : array.getUsers()) {
    if (!kernel->isAncestor(user))
      continue;
    if (!isa<memref::LoadOp, memref::StoreOp>(user))
      return false;
    ValueRange indices = getAccess(user).second;
    if (indices.size() <= rank || !llvm::equal(indices.take_front(rank), kernel.getInductionVars()))
      return false;
    for (Value index : indices.drop_front(rank)) {
      LinearForm form = getLinearForm(index, kernel);
      if (!form.terms.empty())
        return false;
      seen.insert(form.constant);
    }
  }
  return seen.size() > 1;
}

/// Arrays that a kernel stores to.
SmallVector<Value> getStored(KernelOp kernel) {
  llvm::SetVector<Value> arrays;
  kernel->walk([&](memref::StoreOp store) { arrays.insert(store.getMemRef()); });
  return arrays.takeVector();
}

bool uses(KernelOp kernel, Value array) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) { return kernel->isAncestor(user); });
}

/// A load of an element that straight code of the same kernel has stored before is what it stored. An array that only
/// this kernel uses is none then (npcc-clean-loops).
void forwardStores(KernelOp kernel, AllocOp array, bool general) {
  Block *body = kernel.getBody();
  SmallVector<memref::StoreOp> stores; // in order
  SmallVector<memref::LoadOp> loads;
  bool isOther = false;
  kernel->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (store.getMemRef() == array.getResult())
        stores.push_back(store);
      else
        isOther |= mayAlias(store.getMemRef(), array, general);
    } else if (auto load = dyn_cast<memref::LoadOp>(op); load && load.getMemRef() == array.getResult()) {
      loads.push_back(load);
    }
  });
  if (isOther || llvm::any_of(stores, [&](memref::StoreOp store) { return store->getBlock() != body; }))
    return; // a view's store, or a branch, may decide what was stored last
  auto getDistances = [&](ValueRange a, ValueRange b) {
    SmallVector<std::optional<int64_t>> distances;
    for (auto [x, y] : llvm::zip_equal(a, b))
      distances.push_back(getDistance(getLinearForm(x, kernel), getLinearForm(y, kernel)));
    return distances;
  };
  for (memref::LoadOp load : loads) {
    Operation *top = body->findAncestorOpInBlock(*load);
    for (memref::StoreOp store : llvm::reverse(stores)) {
      if (!store->isBeforeInBlock(top))
        continue;
      auto distances = getDistances(store.getIndices(), load.getIndices());
      if (llvm::all_of(distances, [](auto distance) { return distance == 0; })) {
        load.replaceAllUsesWith(store.getValueToStore());
        load.erase();
        break;
      }
      bool isElsewhere = llvm::any_of(distances, [](auto distance) { return distance && *distance; });
      if (!isElsewhere)
        break;
    }
  }
}

struct UnrollStacks : impl::UnrollStacksBase<UnrollStacks> {
  bool general = false;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || !getTargetProperties(function).launchesAreCostly)
      return;
    general = function->hasAttr("np.general");
    for (Block *block : getHostBlocks(function))
      while (joinOne(*block))
        ;
  }

  bool joinOne(Block &block) {
    KernelOp last;
    for (KernelOp kernel : llvm::make_early_inc_range(block.getOps<KernelOp>())) {
      if (last && tryJoin(last, kernel))
        return true;
      last = kernel;
    }
    return false;
  }

  /// Whether both kernels became one.
  bool tryJoin(KernelOp first, KernelOp second) {
    unsigned rank = std::min(first.getNumLoops(), second.getNumLoops());
    if (first.isUnit() || second.isUnit() ||
        first.getExtents().take_front(rank) != second.getExtents().take_front(rank))
      return false;
    SmallVector<Value> stored = getStored(first);
    for (Value array : stored)
      loadFromStacks(second, array);
    bool shareRows = llvm::any_of(stored, [&](Value array) {
      return uses(second, array) && ((first.getNumLoops() == rank && takesApart(first, array)) ||
                                     (second.getNumLoops() == rank && takesApart(second, array)));
    });
    KernelOp kernels[] = {first, second};
    for (KernelOp kernel : kernels)
      if (!shareRows || !(Unroller(kernel, rank).isStraight() || Unroller(kernel, rank).canUnroll()))
        return false;
    Operation *before[] = {nullptr, nullptr}; // as they were
    for (auto [kernel, original] : llvm::zip_equal(kernels, before))
      if (Unroller unroller(kernel, rank); !unroller.isStraight()) {
        original = kernel->clone();
        kernel = unroller.unroll();
      }
    StringRef reason;
    KernelOp merged = mergeKernels(kernels[0], kernels[1], general, reason);
    for (auto [kernel, original] : llvm::zip_equal(kernels, before)) {
      if (!original)
        continue;
      if (merged) {
        original->destroy();
      } else {
        OpBuilder(kernel).insert(original);
        kernel.erase();
      }
    }
    if (!merged)
      return false;
    for (Value array : getStored(merged))
      if (auto own = array.getDefiningOp<AllocOp>())
        forwardStores(merged, own, general);
    return true;
  }
};
} // namespace
} // namespace npcc

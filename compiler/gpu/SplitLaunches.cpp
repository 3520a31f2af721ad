// npcc-split-launches: a block of threads is too little for a reduction over a whole array, and a column of threads for
// a tall one. Such a kernel becomes several, in order: for each of its inner loops
// * a reduction: a kernel over parts of the loop that stores one partial result for each, and a kernel that combines
//   the partial results
// * a walk: a kernel over the outer and the inner positions
// and the outer code goes to the kernels that need it (what reads memory or computes is repeated, what writes comes
// last).
//
//   np.kernel (%i) = (1) {
//     %s = scf.parallel (%k) = (0) to (%n) init (%zero) -> f64 { ... %x[%k] ... }
//     memref.store (math.sqrt %s), %out[]
//   }
// becomes
//   %partials = np.alloc(%parts)
//   np.kernel (%c) = (%parts) {
//     %s = scf.parallel (%j) = (0) to (min(%length, %n - %c * %length)) init (%zero) -> f64 { ... %x[%c * %length + %j]
//     ... } memref.store %s, %partials[%c]
//   }
//   np.kernel (%i) = (1) {
//     %s = scf.parallel (%c) = (0) to (%parts) init (%zero) -> f64 { ... %partials[%c] ... }
//     memref.store (math.sqrt %s), %out[]
//   }
//   np.release %partials
// A column's loop is cut in the same way, into whole rounds of the threads that go down it; where the columns alone are
// threads enough, or few terms are in each, it stays whole. The parts depend on the extents only, and so do the
// results.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/SplitKernel.h"
#include "compiler/gpu/emit/Emitters.h"
#include "dialects/Np/Choice.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SPLITLAUNCHES
#include "compiler/gpu/Passes.h.inc"
namespace {

/// Where a kernel is split: always, or by a choice that the host makes.
class Splitter : cuda::SplitKernel {
public:
  using cuda::SplitKernel::split;
  using cuda::SplitKernel::SplitKernel;

  /// One row: a short one is not worth a second launch.
  void splitIfLong() {
    isLong = hasOneLoop();
    splitWhere(math().compare(arith::CmpIPredicate::sgt, emitLongest(), math().constant(4 * tuning.leastPart)));
  }

  /// Few rows, long ones: at run time one or the other.
  void splitIfFew() {
    IndexMath m = math();
    Value rows = m.product(kernel.getExtents());
    Value length = m.product((*kernel.getBody()->getOps<scf::ParallelOp>().begin()).getUpperBound());
    isLong = hasOneLoop();
    Value isFew = m.compare(arith::CmpIPredicate::sle, rows, m.constant(tuning.fewRows));
    splitWhere(m.both(isFew, m.compare(arith::CmpIPredicate::sge, length, m.constant(tuning.longRow))));
  }

  /// Several reductions down columns, one after the other: a kernel for each, unless the columns alone are threads enough.
  void splitIfFewColumns() {
    IndexMath m = math();
    Value columns = m.mul(m.product(kernel.getExtents()), 2);
    Value isFew = m.compare(arith::CmpIPredicate::sle, columns, m.constant(tuning.columnThreads));
    Value isLong = m.compare(arith::CmpIPredicate::sge, emitLongest(), m.constant(tuning.longColumn));
    splitWhere(m.both(isFew, isLong));
  }

  /// Columns, each with one reduction: parts of them where columns alone are not threads enough.
  void splitIfTall() {
    IndexMath m = math();
    auto loop = *kernel.getBody()->getOps<scf::ParallelOp>().begin();
    auto joins = cuda::emitJoins(host, loop.getInductionVars(), loop.getUpperBound());
    Parts parts = getColumnParts(loop, cuda::joinExtents(m, joins, loop.getUpperBound()).back());
    splitWhere(m.compare(arith::CmpIPredicate::sgt, parts.count, m.constant(1)));
  }

private:
  void splitWhere(Value condition) {
    if (std::optional<int64_t> known = getConstantIntValue(condition)) {
      if (!*known)
        return;
      split();
      kernel.erase();
      return;
    }
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "rows in parts", condition);
    host.getBuilder().setInsertionPoint(offer);
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    split();
    offer.setGeneral(kernel);
  }

  bool hasOneLoop() { return llvm::hasSingleElement(kernel.getBody()->getOps<scf::ParallelOp>()); }
};

/// Whether rows are likely to be few: the loop runs over an axis that lies outside the rows' own in memory (channels of images); and where it
/// costs little to be prepared, with one inner loop.
bool maybeFew(np::KernelOp kernel, KernelAccesses &accesses) {
  SmallVector<scf::ParallelOp> loops(kernel.getBody()->getOps<scf::ParallelOp>());
  if (loops.size() == 1)
    return true;
  for (const Stream &stream : accesses.getStreams()) {
    bool hasInner = false;
    for (auto &terms : stream.terms)
      for (const Term &term : terms) {
        bool isOuter = llvm::is_contained(kernel.getInductionVars(), term.leaf);
        if (isOuter && hasInner)
          return true;
        hasInner |= !isOuter && !isInvariant(term.leaf, kernel);
      }
  }
  return false;
}

/// Inner loops that run down columns, several of them.
bool areSeveralColumns(np::KernelOp kernel, KernelAccesses &accesses) {
  return kernel.getKind() == np::KernelKind::map && getDirections(kernel, accesses).areColumns();
}

struct SplitLaunches : impl::SplitLaunchesBase<SplitLaunches> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<np::KernelOp> kernels;
    getOperation()->walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      KernelAccesses accesses(kernel);
      if (kernel.getCut() == np::Cut::never || accesses.getUnsupported() ||
          !cuda::SplitKernel::canSplit(kernel, accesses))
        continue;
      bool isSingle = kernel.isUnit(), isRows = kernel.getKind() == np::KernelKind::rows;
      bool isColumns = kernel.getKind() == np::KernelKind::columns;
      // npcc-fuse-rows leaves kernels as they are where rows are few and long: no choice at run time, and no kernel for the other case.
      bool isFew = kernel.getCut() == np::Cut::always && isRows;
      if (!isSingle && !isFew && isRows && maybeFew(kernel, accesses)) {
        Splitter(kernel, accesses, /*isColumns=*/false).splitIfFew();
        continue;
      }
      if (!isSingle && areSeveralColumns(kernel, accesses)) {
        Splitter(kernel, accesses, /*isColumns=*/true).splitIfFewColumns();
        continue;
      }
      if (!isSingle && !isFew && !isColumns)
        continue;
      if (isSingle) {
        Splitter(kernel, accesses, /*isColumns=*/false).splitIfLong();
        continue;
      }
      if (isColumns) {
        Splitter(kernel, accesses, /*isColumns=*/true).splitIfTall();
        continue;
      }
      Splitter(kernel, accesses, /*isColumns=*/false).split();
      kernel.erase();
    }
  }
};

} // namespace
} // namespace npcc

// npcc-merge-kernels: kernels over the same positions, one after the other, become one where no position needs what
// another one has made. Where launches are costly, that is less of them, and what they share is loaded once.
//
//   np.kernel (%i) = (%n) { ... store %a[%i] }               np.kernel (%i) = (%n) {
//   %c = np.alloc(%m)                                          ... store %a[%i]
//   np.kernel (%i) = (%n) {                          ->        ... load %a[%i], store %c[%p]
//     ... load %a[%i], store %c[%p] }                        }
//
// Two accesses to what may be one array, one of them a store, are to the element that belongs to the position. What
// both become runs where the first one stood; what the second one needs of the code between them is moved before it.
// Where that cannot be, it runs where the second one stood, if nothing between them needs what the first one does. So a
// check between them may only fail where nobody sees what the kernel stores that has moved past it, and a check in the
// first kernel only where nobody sees what the second one stores. Kernels with loops that threads share are left alone.
//
// In a loop of the host, kernels over one axis beside others over more of them are short: what they do takes less time
// than their launches. They become one also where their extents differ and neither needs what the other one makes; each
// has its part of the longer one's positions.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/KernelMerge.h"
#include "compiler/kernels/Passes.h"
#include "compiler/target/Target.h"

namespace npcc {
#define GEN_PASS_DEF_MERGEKERNELS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct MergeKernels : impl::MergeKernelsBase<MergeKernels> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || !getTargetProperties(function).launchesAreCostly)
      return;
    bool general = function->hasAttr("np.general");
    for (Block *block : getHostBlocks(function))
      mergeIn(*block, general);
  }

  static void mergeIn(Block &block, bool general) {
    SmallVector<KernelOp> kernels(block.getOps<KernelOp>());
    KernelOp last;
    for (KernelOp kernel : kernels) {
      KernelOp merged = last ? tryMerge(last, kernel, general) : KernelOp();
      last = merged ? merged : kernel;
    }
  }

  /// The kernel that both become; null if they stay two.
  static KernelOp tryMerge(KernelOp first, KernelOp second, bool general) {
    StringRef reason;
    KernelOp merged = mergeKernels(first, second, general, reason);
    if (!merged)
      remarkApart(first.getLoc(), second.getLoc(), reason);
    return merged;
  }
};
} // namespace
} // namespace npcc

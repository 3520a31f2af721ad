#include "compiler/kernels/KernelMerge.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/KernelMember.h"
#include "compiler/memory/Aliasing.h"

using namespace mlir;
namespace npcc {
using namespace np;

namespace {
// Stores of one kernel: more make it no faster, and its threads need more registers.
constexpr size_t mostStores = 32;

class Merge {
public:
  Merge(KernelMember &first, KernelMember &second, bool general)
      : first(first), second(second), pair(first, second, getAxes(second), general), general(general) {}

  /// Why the two stay apart; "" if they may be one.
  StringRef findReason() {
    isSameSpace = first.kernel.getExtents() == second.kernel.getExtents();
    if (!isSameSpace && !areShort())
      return "it goes over other extents";
    if (first.countStores(second.kernel) + second.countStores(first.kernel) > mostStores)
      return "a kernel of more than 32 stores would be no faster";
    for (const KernelMember::Access &a : first.accesses)
      for (const KernelMember::Access &b : second.accesses)
        if ((a.isStore || b.isStore) && mayAlias(a.memory, b.memory, general) &&
            !(isSameSpace && pair.isOwnElement(a, b)))
          return "its positions need what other positions store there";
    if (first.hasChecks && Aliasing(general).mayWriteToOthers(second.kernel))
      return "what it stores must not be stored behind a check that has failed";
    if (pair.canPass())
      return "";
    firstWaits = isSameSpace && pair.canWait();
    return firstWaits ? "" : "what stands between the two comes before it";
  }

  /// Gives the kernel that both are.
  KernelOp apply() {
    if (firstWaits)
      first.kernel->moveBefore(second.kernel);
    else
      pair.moveNeeded();
    if (!isSameSpace)
      return applyInParts();
    inlineKernel(second.kernel, SmallVector<Value>(first.kernel.getInductionVars()), first.kernel.getBody(),
                 first.kernel.getBody()->getTerminator()->getIterator());
    return first.kernel;
  }

private:
  /// Whether both go over one axis in a loop in which others go over more.
  bool areShort() {
    Block *block = first.kernel->getBlock();
    bool isBeside = llvm::any_of(block->getOps<KernelOp>(), [](KernelOp other) { return other.getNumLoops() > 1; });
    return isBeside && isa<LoopLikeOpInterface>(block->getParentOp()) && first.kernel.getNumLoops() == 1 &&
           second.kernel.getNumLoops() == 1 && !first.kernel.isUnit() && !second.kernel.isUnit() && !first.hasChecks &&
           !second.hasChecks && !first.hasLoops && !second.hasLoops;
  }

  KernelOp applyInParts() {
    OpBuilder builder(first.kernel);
    Location loc = first.kernel.getLoc();
    Value extents[] = {first.kernel.getExtents()[0], second.kernel.getExtents()[0]};
    Value longer = arith::MaxSIOp::create(builder, loc, extents[0], extents[1]);
    auto both = KernelOp::create(builder, loc, ValueRange{longer});
    builder.setInsertionPoint(both.getBody()->getTerminator());
    Value position = both.getInductionVars()[0];
    KernelOp kernels[] = {first.kernel, second.kernel};
    for (auto [kernel, extent] : llvm::zip_equal(kernels, extents)) {
      Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, position, extent);
      auto part = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
      inlineKernel(kernel, {position}, part.thenBlock(), part.thenBlock()->getTerminator()->getIterator());
    }
    return both;
  }

  static SmallVector<unsigned> getAxes(const KernelMember &member) {
    return llvm::to_vector(llvm::seq<unsigned>(0, member.space.size()));
  }

  KernelMember &first, &second;
  KernelPair pair;
  bool general, isSameSpace = true;
  bool firstWaits = false; // until the second kernel runs
};
} // namespace

KernelOp mergeKernels(KernelOp first, KernelOp second, bool general, StringRef &reason) {
  KernelMember one(first), other(second);
  if (!one.collect() || !other.collect()) {
    reason = "one of the two holds loops that threads share";
    return KernelOp();
  }
  Merge merge(one, other, general);
  reason = merge.findReason();
  return reason.empty() ? merge.apply() : KernelOp();
}

} // namespace npcc

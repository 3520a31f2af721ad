// npcc-elide-copies: an array that is copied as a whole, and that nobody looks at afterwards, is the copy.
//
//   %a = np.alloc(%n)   ... %a ...                            %a = np.alloc(%n)   ... %a ...
//   %b = np.alloc(%n)                                    ->   return %a
//   np.kernel (%i) = (%n) { store (load %a[%i]), %b[%i] }
//   return %b
//
// Such are the array of a list (np.stack(history)), and what a function gives that its own name for it does not outlive.
// Before references are counted: where the last one looks at the array is asked here.
#include "compiler/kernels/Passes.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace npcc {
#define GEN_PASS_DEF_ELIDECOPIES
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// A kernel that does nothing but copy each element of an array to the same position of another one.
class Copy {
public:
  explicit Copy(KernelOp kernel) : kernel(kernel) {
    Block &body = *kernel.getBody();
    if (body.getOperations().size() != 3) // with its end
      return;
    load = dyn_cast<memref::LoadOp>(body.front());
    store = dyn_cast<memref::StoreOp>(*std::next(body.begin()));
  }

  bool canElide() {
    auto isOwnPosition = [&](ValueRange indices) { return indices == ValueRange(kernel.getInductionVars()); };
    if (!load || !store || store.getValueToStore() != load.getResult() || !isOwnPosition(load.getIndices()) ||
        !isOwnPosition(store.getIndices()))
      return false;
    from = load.getMemRef().getDefiningOp<AllocOp>();
    to = store.getMemRef().getDefiningOp<AllocOp>();
    return from && to && from != to && from->getBlock() == kernel->getBlock() && to->getBlock() == kernel->getBlock() &&
           from.getType() == to.getType() && from.getExtents() == to.getExtents() &&
           ValueRange(kernel.getExtents()) == ValueRange(to.getExtents()) && isLookedAt(from, /*isBefore=*/true) &&
           isLookedAt(to, /*isBefore=*/false);
  }

  void elide() {
    Value copy = to.getBuffer();
    kernel.erase();
    copy.replaceAllUsesWith(from.getBuffer());
    to.erase();
  }

private:
  /// Whether all others look at the array before the copy is made, or behind that, through views too. Nobody has it for
  /// longer: what a loop hands on, or a list keeps, is known under other names. Extents may be asked at any time.
  bool isLookedAt(Value array, bool isBefore) {
    return llvm::all_of(array.getUsers(), [&](Operation *user) {
      if (user == load || user == store || isa<memref::DimOp>(user))
        return true;
      Operation *here = kernel->getBlock()->findAncestorOpInBlock(*user);
      if (!here || here == kernel || here->isBeforeInBlock(kernel) != isBefore)
        return false;
      if (!isBefore) // under the name that it has there
        return true;
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        return llvm::all_of(view->getResults(), [&](Value other) {
          return !isa<MemRefType>(other.getType()) || isLookedAt(other, isBefore);
        });
      return isa<memref::LoadOp, memref::AtomicRMWOp>(user) ||
             (user->getNumResults() == 0 && !user->hasTrait<OpTrait::IsTerminator>());
    });
  }

  KernelOp kernel;
  memref::LoadOp load;
  memref::StoreOp store;
  AllocOp from, to;
};

struct ElideCopies : impl::ElideCopiesBase<ElideCopies> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      Copy copy(kernel);
      if (copy.canElide())
        copy.elide();
    }
  }
};
} // namespace
} // namespace npcc

// npcc-elide-copies: an array that is copied as a whole, and that nobody looks at afterwards, is the copy.
//
//   %a = np.alloc(%n)   ... %a ...                            %a = np.alloc(%n)   ... %a ...
//   %b = np.alloc(%n)                                    ->   return %a
//   np.kernel (%i) = (%n) { store (load %a[%i]), %b[%i] }
//   return %b
//
// Such are the array of a list (np.stack(history)), and what a function gives that its own name for it does not
// outlive. What is copied to other extents is the array with those: a library gives the products of a stack as rows.
// Before references are counted: where the last one looks at the array is asked here.
#include "compiler/kernels/IndexMath.h"
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
    to = store.getMemRef().getDefiningOp<AllocOp>();
    if (!to)
      return false;
    auto reshaped = load.getMemRef().getDefiningOp<memref::ReinterpretCastOp>();
    isReshaped = reshaped && startsWithCopy(reshaped);
    from = (isReshaped ? reshaped.getSource() : load.getMemRef()).getDefiningOp<AllocOp>();
    return from && from != to && from->getBlock() == kernel->getBlock() && to->getBlock() == kernel->getBlock() &&
           (isReshaped || (from.getType() == to.getType() && from.getExtents() == to.getExtents())) &&
           ValueRange(kernel.getExtents()) == ValueRange(to.getExtents()) && isLookedAt(from, /*isBefore=*/true) &&
           isLookedAt(to, /*isBefore=*/false) && isFirst();
  }

  void elide() {
    Value copy = to.getBuffer(), same = isReshaped ? reshape() : from.getBuffer();
    kernel.erase();
    copy.replaceAllUsesWith(same);
    to.erase();
  }

private:
  /// Whether what is read is the array from its first element on, with the extents of the copy.
  bool startsWithCopy(memref::ReinterpretCastOp reshaped) {
    SmallVector<OpFoldResult> sizes = reshaped.getMixedSizes(), extents = getAsOpFoldResult(to.getExtents());
    return reshaped.getType() == to.getBuffer().getType() && sizes == extents &&
           isConstantIntValue(reshaped.getMixedOffsets().front(), 0);
  }

  /// Whether the array stands before all who name the copy.
  bool isFirst() {
    return from->isBeforeInBlock(to) || llvm::all_of(to.getBuffer().getUsers(), [&](Operation *user) {
             return from->isBeforeInBlock(kernel->getBlock()->findAncestorOpInBlock(*user));
           });
  }

  /// The array with the extents of the copy, where both are known.
  Value reshape() {
    OpBuilder builder(from->isBeforeInBlock(to) ? to->getNextNode() : from->getNextNode());
    IndexMath m{builder, kernel.getLoc()};
    SmallVector<OpFoldResult> strides;
    Value stride;
    for (Value extent : llvm::reverse(to.getExtents())) {
      strides.push_back(stride ? OpFoldResult(stride) : builder.getIndexAttr(1));
      stride = stride ? m.mul(extent, stride) : extent;
    }
    std::reverse(strides.begin(), strides.end());
    return memref::ReinterpretCastOp::create(builder, kernel.getLoc(), cast<MemRefType>(to.getBuffer().getType()),
                                             from.getBuffer(), OpFoldResult(builder.getIndexAttr(0)),
                                             getAsOpFoldResult(to.getExtents()), strides);
  }

  /// Whether all others look at the array before the copy is made, or behind that, through views too, wherever these
  /// are made. Nobody has it for longer: what a loop hands on, or a list keeps, is known under other names. Extents may
  /// be asked at any time.
  bool isLookedAt(Value array, bool isBefore) {
    return llvm::all_of(array.getUsers(), [&](Operation *user) {
      if (user == load || user == store || isa<memref::DimOp>(user))
        return true;
      if (auto view = dyn_cast<ViewLikeOpInterface>(user))
        return llvm::all_of(view->getResults(), [&](Value other) {
          return !isa<MemRefType>(other.getType()) || isLookedAt(other, isBefore);
        });
      Operation *here = kernel->getBlock()->findAncestorOpInBlock(*user);
      if (!here || here == kernel || here->isBeforeInBlock(kernel) != isBefore)
        return false;
      if (!isBefore) // under the name that it has there
        return true;
      return isa<memref::LoadOp, memref::AtomicRMWOp>(user) ||
             (user->getNumResults() == 0 && !user->hasTrait<OpTrait::IsTerminator>());
    });
  }

  KernelOp kernel;
  memref::LoadOp load;
  memref::StoreOp store;
  AllocOp from, to;
  bool isReshaped = false; // the copy has other extents
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

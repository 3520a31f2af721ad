// npcc-store-without-branches: a kernel that stores some elements at positions that it has loaded or counted, as
// x[mask] does, stores in every iteration: into the array, or into a place of its own that nobody reads.
//
//   np.kernel map (%i) = (%n) {                              np.kernel map (%i) = (%n) {
//     %c = ... load %mask[%i], load %p[%i] ...                 %nowhere = memref.alloca : memref<1xf64>
//     scf.if %c {                                              %c = ...
//       %v = load %x[%i]                               ->      %v = load (select %c, %x, %nowhere)[select %c, %i, 0]
//       store %v, %a[%p]                                       store %v, (select %c, %a, %nowhere)[select %c, %p, 0]
//     }                                                      }
//   }
//
// Nobody can guess which elements a mask selects, and a branch that was guessed wrongly costs as much as storing ten
// elements. The positions are scattered, so that these stores are no vector's either way. What is stored at the
// iteration's own position keeps its branch: vectors store parts of themselves there.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_STOREWITHOUTBRANCHES
#include "compiler/cpu/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr size_t mostOperations = 12; // in the branch, which every iteration does then

/// Whether a value of a kernel's body is made of one that it loads.
bool isLoaded(Value value, KernelOp kernel) {
  Operation *op = value.getDefiningOp();
  if (!op || kernel.isDefinedOutsideOfLoop(value))
    return false;
  return isa<memref::LoadOp>(op) || llvm::any_of(op->getOperands(), [&](Value one) { return isLoaded(one, kernel); });
}

/// A branch that stores one element, and does little before.
bool isStoreOfOne(scf::IfOp branch, KernelOp kernel) {
  if (branch.getNumResults() > 0 || branch.elseBlock() || !isLoaded(branch.getCondition(), kernel))
    return false;
  memref::StoreOp store;
  size_t operations = 0;
  for (Operation &op : branch.thenBlock()->without_terminator()) {
    if (++operations > mostOperations || op.getNumRegions() > 0)
      return false;
    if (auto one = dyn_cast<memref::StoreOp>(op); one && !store)
      store = one;
    else if (!isa<memref::LoadOp>(op) && !isPure(&op))
      return false;
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      if (Value memref = getAccess(&op).first; !kernel.isDefinedOutsideOfLoop(memref))
        return false;
  }
  return store && llvm::any_of(store.getIndices(), [&](Value index) { return isLoaded(index, kernel); });
}

class Selector {
public:
  Selector(scf::IfOp branch, KernelOp kernel)
      : branch(branch), kernel(kernel), builder(branch), loc(branch.getLoc()), condition(branch.getCondition()) {}

  void run() {
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
      op.moveBefore(branch);
      auto load = dyn_cast<memref::LoadOp>(op);
      if (memref::LoadOp same = load ? findSame(load) : nullptr) {
        load.replaceAllUsesWith(same.getResult());
        load.erase();
      } else if (isa<memref::LoadOp, memref::StoreOp>(op)) {
        redirect(&op);
      }
    }
    branch.erase();
  }

private:
  /// The same element, loaded before the branch, with no store between.
  memref::LoadOp findSame(memref::LoadOp load) {
    for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
      if (auto other = dyn_cast<memref::LoadOp>(op))
        if (other.getMemRef() == load.getMemRef() && other.getIndices() == load.getIndices())
          return other;
      if (!isa<memref::LoadOp>(op) && !isPure(op))
        return nullptr;
    }
    return nullptr;
  }

  /// Lets an access go to the place of its own where the condition does not hold.
  void redirect(Operation *op) {
    auto [memref, indices] = getAccess(op);
    auto type = cast<MemRefType>(memref.getType());
    builder.setInsertionPointToStart(kernel.getBody());
    auto single = MemRefType::get(SmallVector<int64_t>(type.getRank(), 1), type.getElementType());
    Value nowhere = memref::AllocaOp::create(builder, loc, single);
    builder.setInsertionPoint(op);
    SmallVector<int64_t> unknown(type.getRank(), ShapedType::kDynamic);
    auto any = MemRefType::get(unknown, type.getElementType(),
                               StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, unknown));
    Value target =
        arith::SelectOp::create(builder, loc, condition, memref::CastOp::create(builder, loc, any, memref).getResult(),
                                memref::CastOp::create(builder, loc, any, nowhere).getResult());
    SmallVector<Value> positions;
    for (Value index : indices)
      positions.push_back(arith::SelectOp::create(builder, loc, condition, index, zero));
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      memref::StoreOp::create(builder, loc, store.getValue(), target, positions);
    } else {
      auto load = memref::LoadOp::create(builder, loc, target, positions);
      op->replaceAllUsesWith(load->getResults());
    }
    op->erase();
  }

  scf::IfOp branch;
  KernelOp kernel;
  OpBuilder builder;
  Location loc;
  Value condition, zero;
};

struct StoreWithoutBranches : impl::StoreWithoutBranchesBase<StoreWithoutBranches> {
  void runOnOperation() override {
    getOperation().walk([](KernelOp kernel) {
      if (kernel.getKind() != KernelKind::map)
        return;
      for (Operation &op : llvm::make_early_inc_range(kernel.getBody()->without_terminator()))
        if (auto branch = dyn_cast<scf::IfOp>(op); branch && isStoreOfOne(branch, kernel))
          Selector(branch, kernel).run();
    });
  }
};
} // namespace
} // namespace npcc

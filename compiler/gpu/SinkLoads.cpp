// npcc-sink-loads: host code that reads an element of an array waits for the device. Where only a kernel or a store needs what it read, the
// device reads it instead, and a store of what was read becomes a kernel of one iteration.
//
//   %p = memref.load %a[%k, %k]                  np.kernel (%j) = (%n) {
//   %q = arith.divf %one, %p                       %p = memref.load %a[%k, %k]
//   np.kernel (%j) = (%n) {                 ->     %q = arith.divf %one, %p
//     ... %q ...                                   ... %q ...
//   }                                            }
// The array is given back behind the kernel then. Not where something between may write the element, or the kernel itself. Positions stay with the host: kernels whose accesses it cannot
// compute are slower than the wait.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Memory.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SINKLOADS
#include "compiler/gpu/Passes.h.inc"
namespace {

struct SinkLoads : impl::SinkLoadsBase<SinkLoads> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<Operation *> users;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp, memref::StoreOp>(op))
        users.push_back(op);
      return isa<np::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (Operation *op : users) {
      if (auto kernel = dyn_cast<np::KernelOp>(op))
        sinkIntoKernel(kernel);
      else
        sinkIntoStore(cast<memref::StoreOp>(op));
    }
    // What nobody on the host needs any more.
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : llvm::to_vector(sunk))
        if (isOpTriviallyDead(op)) {
          sunk.remove(op);
          op->erase();
          changed = true;
        }
    }
    sunk.clear();
  }

  llvm::SetVector<Operation *> sunk;

  bool isGeneral() { return getOperation()->hasAttr("np.general"); }
  bool mayWriteTo(Operation *op, Value memref) { return npcc::mayWriteTo(op, memref, isGeneral()); }

  /// The scalar code of the user's block that `value` is made of, with the loads at its ends; nothing if it has no loads, or one that may
  /// not move to the user.
  SmallVector<Operation *> getSlice(Value value, Operation *user) {
    llvm::SetVector<Operation *> slice;
    SmallVector<Value> work{value};
    SmallVector<np::ReleaseOp> releases;
    bool hasLoad = false;
    while (!work.empty()) {
      Operation *maker = work.pop_back_val().getDefiningOp();
      if (!maker || maker->getBlock() != user->getBlock() || slice.contains(maker))
        continue;
      auto load = dyn_cast<memref::LoadOp>(maker);
      bool isScalarCode = isMemoryEffectFree(maker) && maker->getNumRegions() == 0 && maker->getNumResults() == 1 &&
                          (maker->getResult(0).getType().isIntOrFloat() || isa<ComplexType>(maker->getResult(0).getType())) &&
                          !isa<np::NpDialect>(maker->getDialect());
      if (load ? isInHostMemory(load.getMemref().getType()) : !isScalarCode)
        continue; // the host's own
      slice.insert(maker);
      if (load) {
        hasLoad = true;
        for (Operation *between = load->getNextNode(); between != user; between = between->getNextNode())
          if (auto release = dyn_cast<np::ReleaseOp>(between);
              release && mayAlias(release.getBuffer(), load.getMemref(), isGeneral())) {
            if (release.getBuffer() != load.getMemref())
              return {};
            releases.push_back(release);
          } else if (mayWriteTo(between, load.getMemref())) {
            return {};
          }
        if (isa<np::KernelOp>(user) && mayWriteTo(user, load.getMemref()))
          return {};
      } else {
        llvm::append_range(work, maker->getOperands());
      }
    }
    if (!hasLoad)
      return {};
    // Who reads the buffer last gives it back.
    for (np::ReleaseOp release : releases)
      release->moveAfter(user);
    SmallVector<Operation *> ordered(slice.takeVector());
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return ordered;
  }

  void sinkIntoKernel(np::KernelOp kernel) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(kernel.getRegion(), captured);
    for (Value value : captured) {
      if (!isa<FloatType, ComplexType>(value.getType()) && !value.getType().isInteger(1) && !value.getType().isInteger(8))
        continue;
      SmallVector<Operation *> slice = getSlice(value, kernel);
      if (slice.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(kernel.getBody());
      IRMapping mapping;
      for (Operation *op : slice)
        builder.clone(*op, mapping);
      sunk.insert_range(slice);
      Value inside = mapping.lookup(value);
      value.replaceUsesWithIf(inside, [&](OpOperand &use) {
        return kernel.getRegion().isAncestor(use.getOwner()->getParentRegion());
      });
    }
  }

  void sinkIntoStore(memref::StoreOp store) {
    if (isInHostMemory(store.getMemref().getType()))
      return;
    SmallVector<Operation *> slice = getSlice(store.getValueToStore(), store);
    if (slice.empty())
      return;
    OpBuilder builder(store);
    Location loc = store.getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{one});
    builder.setInsertionPointToStart(kernel.getBody());
    IRMapping mapping;
    for (Operation *op : slice)
      builder.clone(*op, mapping);
    sunk.insert_range(slice);
    store->moveBefore(kernel.getBody()->getTerminator());
    store.getValueMutable().assign(mapping.lookup(store.getValueToStore()));
  }
};

} // namespace
} // namespace npcc

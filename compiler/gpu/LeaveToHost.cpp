// npcc-leave-to-host: long loops of which an iteration needs the one before are offered to the host, with copies of
// their arrays.
//
//   scf.for %k = %c1 to %n {                          %host = (%times ...)
//     ... memref.load %x[...]                         np.alternatives "loops left to the host" %host {
//     memref.store %v, %y[...]                          %h = np.alloc : "host"    memref.copy %x, %h
//   }                                         ->        %m = np.mirror %y         // y was not made here
//                                                       scf.for %k ... { ... memref.load %h, memref.store %v, %m }
//                                                       memref.copy %m, %y
//                                                       np.release %h, %m
//                                                     } or { as before }
//
// One thread of a GPU takes ten to forty times as long for such a loop as one of the host, and keeps all others waiting
// that long; a loop that launches a kernel for each of many short rows is no better. What the host has to do beside the
// loop is waiting for the device, and copying: the choice compares both (LoopTimes). Kernels in the loop become loops
// of the host, too, and the arrays that it makes lie in the host's memory. Only loops that go through elements
// themselves, somewhere, are offered, and kernels whose threads go through loops, if they are known to be few: others
// are the device's. Not where arrays may overlap, one of which is stored to: their copies would not.
#include "compiler/explain/Remarks.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/HostCopies.h"
#include "compiler/gpu/LoopTimes.h"
#include "compiler/gpu/OrderedUpdate.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Memory.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LEAVETOHOST
#include "compiler/gpu/Passes.h.inc"
namespace {
// The host may have less memory than the device.
constexpr int64_t mostBytes = int64_t(1) << 33;

class Offer {
public:
  explicit Offer(Operation *loop) : loop(loop), builder(loop), loc(loop->getLoc()) {}

  /// Whether the host can run the loop on copies.
  bool isPossible() {
    if (auto kernel = dyn_cast<np::KernelOp>(loop))
      return canBeHostLoops(kernel, /*inPython=*/true) && findArrays();
    // What the host runs anyway has its arrays there (npcc-place-on-host).
    for (Operation *op = loop; (op = op->getParentOfType<LoopLikeOpInterface>());)
      if (goesThroughElements(op, /*but=*/loop))
        return false;
    bool isCode = llvm::none_of(loop->getOperandTypes(), isMemory) && llvm::none_of(loop->getResultTypes(), isMemory);
    loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
      isCode &= op == loop || canBeOfHost(op);
      if (!isCode)
        return WalkResult::interrupt();
      return isa<np::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    return isCode && goesThroughElements(loop) && findArrays();
  }

  void make() {
    IndexMath m{builder, loc};
    const Tuning &tuning = getTargetProperties(loop).tuning;
    LoopTimes::Times times = LoopTimes(loop, builder).emit();
    Value bytes = emitBytes(), copying = m.div(bytes, m.constant(tuning.bytesPerNanosecond));
    Value host = m.add(m.add(times.host, copying), m.constant(tuning.hostWait));
    Value isWorth = m.both(m.compare(arith::CmpIPredicate::sgt, times.device, m.mul(host, 2)),
                           m.compare(arith::CmpIPredicate::sle, bytes, m.constant(mostBytes)));
    auto versions = np::AlternativesOp::create(builder, loc, loop->getResultTypes(), "loops left to the host", isWorth);
    versions.setKnownOnly(isa<np::KernelOp>(loop));
    loop->replaceAllUsesWith(versions.getResults());
    Operation *ofHost = builder.clone(*loop);
    versions.setOffered(ofHost);
    versions.setGeneral(loop);
    builder.setInsertionPoint(ofHost);
    makeLoops(ofHost);
    remarkLoop(loc, "one after the other, on the host with copies of its arrays where that is faster");
  }

private:
  static bool isMemory(Type type) { return isa<BaseMemRefType>(type); }

  static bool canBeOfHost(Operation *op) {
    if (auto kernel = dyn_cast<np::KernelOp>(op))
      return canBeHostLoops(kernel, /*inPython=*/true);
    if (auto made = dyn_cast<np::AllocOp>(op))
      return llvm::all_of(made->getUsers(), [](Operation *user) {
        return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp, memref::DimOp, np::ReleaseOp>(user);
      });
    bool isControl = isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp, scf::IndexSwitchOp>(op);
    bool isAccess = isa<memref::LoadOp, memref::StoreOp, memref::DimOp, np::ReleaseOp>(op);
    return llvm::none_of(op->getResultTypes(), isMemory) &&
           (isControl || isAccess || isHostNumber(op) || isa<np::CheckIndexOp, np::AssertOp>(op));
  }

  /// Outside of kernels and of updates that become kernels, and not only to read what one of them has summed up. What
  /// `but` does is left out.
  static bool goesThroughElements(Operation *outer, Operation *but = nullptr) {
    return outer
        ->walk<WalkOrder::PreOrder>([&](Operation *op) {
          auto counted = dyn_cast<scf::ForOp>(op);
          if (op == but || isa<np::KernelOp>(op) || (counted && findOrderedUpdate(counted, /*general=*/false)))
            return WalkResult::skip();
          auto load = dyn_cast<memref::LoadOp>(op);
          auto store = dyn_cast<memref::StoreOp>(op);
          bool isElement = (load && !load.getIndices().empty()) || (store && !store.getIndices().empty());
          return isElement ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The arrays from before the loop, and whether they are stored to; false where copies would not do.
  bool findArrays() {
    loop->walk([&](Operation *op) {
      auto store = dyn_cast<memref::StoreOp>(op);
      bool isAccess = store || isa<memref::LoadOp, memref::AtomicRMWOp>(op);
      Value array = store ? store.getMemRef() : Value();
      if (auto load = dyn_cast<memref::LoadOp>(op))
        array = load.getMemRef();
      else if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
        array = update.getMemref();
      if (isAccess && array.getParentRegion()->isAncestor(loop->getParentRegion()))
        arrays[array] |= !isa<memref::LoadOp>(op);
    });
    Aliasing aliasing(/*general=*/false);
    for (auto &[array, isStored] : arrays) {
      auto type = cast<MemRefType>(array.getType());
      if (!type.getLayout().isIdentity() || type.getMemorySpace() || array.getDefiningOp<memref::AllocaOp>())
        return false;
      for (auto &[other, otherIsStored] : arrays)
        if (other != array && isStored && aliasing.mayAlias(array, other))
          return false;
    }
    return !arrays.empty();
  }

  /// What is copied, both ways.
  Value emitBytes() {
    IndexMath m{builder, loc};
    Value all = m.constant(0);
    for (auto &[array, isStored] : arrays) {
      auto type = cast<MemRefType>(array.getType());
      Value bytes = m.constant(getElementBytes(type.getElementType()) * (isStored ? 2 : 1));
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        bytes = m.mul(bytes, builder.createOrFold<memref::DimOp>(loc, array, axis));
      all = m.add(all, bytes);
    }
    return all;
  }

  Value makeCopy(Value array, bool isStored) {
    // Nobody sees what a failed call has made itself.
    if (isStored && !getRoot(array).getDefiningOp<np::AllocOp>())
      return np::MirrorOp::create(builder, loc, putInHostMemory(array.getType()), array);
    Value copy = emitLike(builder, loc, array, /*onHost=*/true);
    memref::CopyOp::create(builder, loc, array, copy);
    return copy;
  }

  void makeLoops(Operation *ofHost) {
    SmallVector<Value> copies;
    for (auto &[array, isStored] : arrays)
      copies.push_back(makeCopy(array, isStored));
    builder.setInsertionPointAfter(ofHost);
    for (auto [entry, copy] : llvm::zip_equal(arrays, copies))
      entry.first.replaceUsesWithIf(copy, [&](OpOperand &use) { return ofHost->isAncestor(use.getOwner()); });
    SmallVector<np::AllocOp> own;
    ofHost->walk([&](np::AllocOp made) { own.push_back(made); });
    for (np::AllocOp made : own)
      made.getBuffer().setType(putInHostMemory(made.getBuffer().getType()));
    SmallVector<np::KernelOp> kernels;
    ofHost->walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    llvm::for_each(kernels, makeHostLoops);
    llvm::for_each(own, handOver);
    for (auto [entry, copy] : llvm::zip_equal(arrays, copies)) {
      if (entry.second)
        memref::CopyOp::create(builder, loc, copy, entry.first);
      np::ReleaseOp::create(builder, loc, copy);
    }
  }

  /// A number that a kernel gave to the host in memory needs none now: it is stored once, before it is read.
  static void handOver(np::AllocOp made) {
    if (made.getBuffer().getType().getRank() != 0)
      return;
    memref::StoreOp store;
    for (Operation *user : made->getUsers())
      if (auto found = dyn_cast<memref::StoreOp>(user)) {
        if (store || found->getBlock() != made->getBlock())
          return;
        store = found;
      } else if (!isa<memref::LoadOp, np::ReleaseOp>(user)) {
        return;
      }
    auto isBehind = [&](Operation *user) {
      Operation *place = made->getBlock()->findAncestorOpInBlock(*user);
      return user == store || (place && store->isBeforeInBlock(place));
    };
    if (!store || !llvm::all_of(made->getUsers(), isBehind))
      return;
    for (Operation *user : llvm::make_early_inc_range(made->getUsers())) {
      if (isa<memref::LoadOp>(user))
        user->replaceAllUsesWith(ValueRange{store.getValueToStore()});
      if (user != store)
        user->erase();
    }
    store.erase();
    made.erase();
  }

  Operation *loop;
  OpBuilder builder;
  Location loc;
  llvm::MapVector<Value, bool> arrays;
};

struct LeaveToHost : impl::LeaveToHostBase<LeaveToHost> {
  void runOnOperation() override {
    // In the general version arguments may overlap. Functions of threads run on the device as they are.
    if (getOperation()->hasAttr("np.general") || getOperation()->hasAttr("np.thread"))
      return;
    bool knowsFirst = FirstCall::isKnown(getOperation());
    SmallVector<std::unique_ptr<Offer>> offers; // the outermost loops for which that is possible
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto kernel = dyn_cast<np::KernelOp>(op);
      if (kernel ? !knowsFirst || !isSerialInside(kernel) : !isa<scf::ForOp, scf::WhileOp>(op))
        return kernel ? WalkResult::skip() : WalkResult::advance();
      auto offer = std::make_unique<Offer>(op);
      if (!offer->isPossible())
        return kernel ? WalkResult::skip() : WalkResult::advance();
      offers.push_back(std::move(offer));
      return WalkResult::skip();
    });
    for (auto &offer : offers)
      offer->make();
  }

  /// Whether a thread goes through loops by itself.
  static bool isSerialInside(np::KernelOp kernel) {
    bool isSerial = false, isShared = false;
    kernel.getBody()->walk([&](Operation *op) {
      isSerial |= isa<scf::ForOp, scf::WhileOp>(op);
      isShared |= isa<scf::ParallelOp>(op);
    });
    return isSerial && !isShared;
  }
};

} // namespace
} // namespace npcc

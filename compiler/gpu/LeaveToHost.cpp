// npcc-leave-to-host: long loops that one thread of the device would run are offered to the host, with copies of their
// arrays.
//
//   np.kernel (%u) = (1) {                              %host = np.choice "loops left to the host" (%work ...)
//     scf.for %k = %c1 to %n {                          scf.if %host {
//       ... memref.load %x[...]                           %h = np.alloc : "host"    memref.copy %x, %h
//       memref.store %v, %y[...] }                 ->     %m = np.mirror %y         // y was not made here
//   }                                                     scf.for %k ... { ... memref.load %h, memref.store %v, %m }
//                                                         memref.copy %m, %y
//                                                         np.release %h, %m
//                                                       } else { as before }
//
// One thread of a GPU takes ten to forty times as long for such a loop as one of the host, and keeps all others waiting
// that long. What the host has to do beside it is waiting for the device, and copying: the choice compares both, by the
// number of iterations, which must be known when the loop begins, and by the bytes of the arrays. Nothing is offered
// within loops that one kernel runs (npcc-enclose-steps), nor where arrays may overlap, one of which is stored to: their
// copies would not.
#include "compiler/explain/Remarks.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LEAVETOHOST
#include "compiler/gpu/Passes.h.inc"
namespace {

/// Iterations that a loop is taken to have where nothing says how many.
constexpr int64_t usualTrips = 8;

/// How an array is used in the kernel.
struct Use {
  bool isStored = false;
  bool isOnce = true; // all accesses are stores outside of loops
};

class Offer {
public:
  explicit Offer(np::KernelOp kernel)
      : kernel(kernel), builder(kernel), loc(kernel.getLoc()), tuning(getTargetProperties(kernel).tuning) {}

  /// Whether the host can run the kernel on copies, and knows how long that takes.
  bool isPossible() {
    if (!kernel.isUnit() || kernel.getKind() || !canBeHostLoops(kernel, /*allowsFunctions=*/true))
      return false;
    bool isCounted = false, isSerial = true;
    for (Operation &op : *kernel.getBody()) {
      isCounted |= isa<scf::ForOp>(op);
      isSerial &= !isa<scf::WhileOp>(op);
    }
    kernel.getBody()->walk([&](Operation *op) { isSerial &= !isa<scf::ParallelOp>(op); });
    return isCounted && isSerial && findArrays();
  }

  void make() {
    IndexMath m = math();
    Work work = emitWork(*kernel.getBody());
    Value host = m.add(work.host, m.constant(tuning.hostWait)), bytes = emitBytes();
    host = m.add(host, m.div(bytes, m.constant(tuning.bytesPerNanosecond)));
    Value isWorth = m.compare(arith::CmpIPredicate::sgt, work.device, m.mul(host, 2));
    Value chosen = np::ChoiceOp::create(builder, loc, "loops left to the host", isWorth);
    auto branch = scf::IfOp::create(builder, loc, chosen, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    makeLoops();
    kernel->moveBefore(branch.elseBlock()->getTerminator());
    remarkLoop(loc, "one after the other, on the host with copies of its arrays where that is faster");
  }

private:
  /// Nanoseconds, of one after the other on the host and on one thread of the device.
  struct Work {
    Value host, device;
  };
  IndexMath math() { return {builder, loc}; }

  /// False where copies would not do.
  bool findArrays() {
    kernel.getBody()->walk([&](Operation *op) {
      Use *use = nullptr;
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        use = &arrays[load.getMemref()];
      } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
        use = &arrays[store.getMemref()];
        use->isStored = true;
      }
      if (use)
        use->isOnce &= isa<memref::StoreOp>(op) && op->getBlock() == kernel.getBody();
    });
    // What is stored to once, when the loops have ended, needs no copy.
    arrays.remove_if([](auto &entry) { return entry.second.isOnce; });
    Aliasing aliasing(/*general=*/false);
    for (auto &[array, use] : arrays) {
      auto type = cast<MemRefType>(array.getType());
      if (!isFromOutside(array) || !type.getLayout().isIdentity() || type.getMemorySpace() ||
          array.getDefiningOp<memref::AllocaOp>())
        return false;
      for (auto &[other, otherUse] : arrays)
        if (other != array && use.isStored && aliasing.mayAlias(array, other))
          return false;
    }
    return !arrays.empty();
  }

  bool isFromOutside(Value value) { return value.getParentRegion()->isAncestor(kernel->getParentRegion()); }

  /// About the greatest or the least that a number is in the kernel, by what is known before it: what memory gives
  /// counts as nothing. Null if nothing is known.
  Value emitAbout(Value number, bool isGreatest) {
    IndexMath m = math();
    if (!number.getType().isIntOrIndex())
      return {};
    if (isFromOutside(number))
      return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), number);
    if (auto argument = dyn_cast<BlockArgument>(number)) {
      auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!inner || argument != inner.getInductionVar())
        return {};
      if (!isGreatest)
        return emitAbout(inner.getLowerBound(), false);
      Value end = emitAbout(inner.getUpperBound(), true);
      return end ? m.sub(end, 1) : end;
    }
    Operation *op = number.getDefiningOp();
    if (std::optional<int64_t> constant = getConstantIntValue(number))
      return m.constant(*constant);
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return emitAbout(op->getOperand(0), isGreatest);
    if (isa<arith::SelectOp>(op))
      return combine(op->getOperand(1), op->getOperand(2), isGreatest, isGreatest,
                     [&](Value a, Value b) { return isGreatest ? m.max(a, b) : m.min(a, b); });
    if (op->getNumOperands() != 2)
      return {};
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (isa<arith::MaxSIOp>(op))
      return combine(a, b, isGreatest, isGreatest, [&](Value x, Value y) { return m.max(x, y); });
    if (isa<arith::MinSIOp>(op))
      return combine(a, b, isGreatest, isGreatest, [&](Value x, Value y) { return m.min(x, y); });
    if (isa<arith::AddIOp>(op))
      return combine(a, b, isGreatest, isGreatest, [&](Value x, Value y) { return m.add(x, y); });
    if (isa<arith::SubIOp>(op)) {
      Value x = emitAbout(a, isGreatest), y = emitAbout(b, !isGreatest);
      return x && y ? m.sub(x, y) : x;
    }
    Value x = emitAbout(a, isGreatest), y = emitAbout(b, isGreatest);
    if (!x || !y)
      return {};
    if (isa<arith::MulIOp>(op))
      return m.mul(x, y);
    if (isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivUIOp>(op))
      return m.div(x, m.max(y, m.constant(1)));
    return {};
  }

  /// Of two numbers, of which one may be unknown.
  Value combine(Value a, Value b, bool greatestOfA, bool greatestOfB, function_ref<Value(Value, Value)> both) {
    Value x = emitAbout(a, greatestOfA), y = emitAbout(b, greatestOfB);
    return x && y ? both(x, y) : x ? x : y;
  }

  /// How many iterations the loop has: in the mean, if that differs, and as many as usual where nothing says it.
  Value emitTrips(scf::ForOp loop) {
    IndexMath m = math();
    Value bounds[] = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
    Value first = emitAbout(bounds[0], /*isGreatest=*/false), last = emitAbout(bounds[1], /*isGreatest=*/true);
    Value step = emitAbout(bounds[2], /*isGreatest=*/false);
    if (!first || !last || !step)
      return m.constant(usualTrips);
    Value trips = m.ceilDiv(m.max(m.sub(last, first), m.constant(0)), m.max(step, m.constant(1)));
    // Triangles: half of the most, in the mean.
    bool isSame = llvm::all_of(bounds, [&](Value bound) { return isFromOutside(bound) || getConstantIntValue(bound); });
    return isSame ? trips : m.ceilDiv(trips, m.constant(2));
  }

  /// Of one iteration of a loop with this body, or of the kernel.
  Work emitWork(Block &body) {
    IndexMath m = math();
    int64_t own = cuda::countOps(body);
    Work all{m.constant(0), m.constant(0)};
    body.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<LoopLikeOpInterface>(op))
        return WalkResult::advance();
      auto counted = dyn_cast<scf::ForOp>(op);
      Value trips = counted ? emitTrips(counted) : m.constant(usualTrips);
      Work inside{m.constant(0), m.constant(0)};
      for (Region &region : op->getRegions()) {
        own -= cuda::countOps(region.front());
        Work more = emitWork(region.front());
        inside = {m.add(inside.host, more.host), m.add(inside.device, more.device)};
      }
      inside = {m.mul(inside.host, trips), m.mul(inside.device, trips)};
      // Threads of a block share it.
      if (counted && isFold(counted, /*general=*/false, /*ignoresChecks=*/true)) {
        bool isAnyOrder = isReduction(counted, /*general=*/false);
        Value share = m.constant(isAnyOrder ? tuning.sharedInAnyOrder : tuning.sharedInOrder);
        inside.device = m.add(m.div(inside.device, share), m.constant(tuning.sharingBegins));
      }
      all = {m.add(all.host, inside.host), m.add(all.device, inside.device)};
      return WalkResult::skip();
    });
    own = std::max<int64_t>(own, 1);
    return {m.add(all.host, m.constant(1 + own * tuning.hostOperation / 16)),
            m.add(all.device, m.constant(own * tuning.threadOperation / 16))};
  }

  /// What is copied, both ways.
  Value emitBytes() {
    IndexMath m = math();
    Value all = m.constant(0);
    for (auto &[array, use] : arrays) {
      auto type = cast<MemRefType>(array.getType());
      Value bytes = m.constant(getElementBytes(type.getElementType()) * (use.isStored ? 2 : 1));
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        bytes = m.mul(bytes, builder.createOrFold<memref::DimOp>(loc, array, axis));
      all = m.add(all, bytes);
    }
    return all;
  }

  void makeLoops() {
    IRMapping mapping;
    for (auto &[array, use] : arrays) {
      auto type = cast<MemRefType>(array.getType());
      Type onHost = putInHostMemory(type);
      // Nobody sees what a failed call has made itself.
      if (use.isStored && !getRoot(array).getDefiningOp<np::AllocOp>()) {
        mapping.map(array, np::MirrorOp::create(builder, loc, onHost, array).getResult());
        continue;
      }
      SmallVector<Value> extents;
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        if (type.isDynamicDim(axis))
          extents.push_back(builder.createOrFold<memref::DimOp>(loc, array, axis));
      Value copy = np::AllocOp::create(builder, loc, onHost, extents);
      memref::CopyOp::create(builder, loc, array, copy);
      mapping.map(array, copy);
    }
    auto loops = cast<np::KernelOp>(builder.clone(*kernel, mapping));
    for (auto &[array, use] : arrays) {
      Value copy = mapping.lookup(array);
      if (use.isStored)
        memref::CopyOp::create(builder, loc, copy, array);
      np::ReleaseOp::create(builder, loc, copy);
    }
    makeHostLoops(loops);
  }

  np::KernelOp kernel;
  OpBuilder builder;
  Location loc;
  const Tuning &tuning;
  llvm::MapVector<Value, Use> arrays;
};

struct LeaveToHost : impl::LeaveToHostBase<LeaveToHost> {
  void runOnOperation() override {
    // In the general version arguments may overlap. Functions of threads run on the device as they are.
    if (getOperation()->hasAttr("np.general") || getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<np::KernelOp> kernels;
    getOperation()->walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      Offer offer(kernel);
      if (offer.isPossible())
        offer.make();
    }
  }
};

} // namespace
} // namespace npcc

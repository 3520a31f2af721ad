// npcc-enclose-loops: a loop of the host that touches memory element by element and launches nothing would wait for the
// device at each element; one thread of the device runs it instead, in a kernel of one iteration.
//
//   %s = scf.for %k = %c0 to %n iter_args(%t = %x) {                     np.kernel (%u) = (%c1) {
//     %v = memref.load %a[%k]   ...   scf.yield %w                         %s = scf.for %k ...
//   }                                                           ->         memref.store (math.sqrt %s), %out[]
//   %r = math.sqrt %s                                                    }
//   memref.store %r, %out[]
//
// What depends on the result moves into the kernel as long as it is scalar code or a store, and nothing between touches
// memory. What the host needs itself goes through a buffer of one element, which it reads. Loops that launch kernels stay
// where they are, and so do those within a loop that the host runs without sending anything to the device: the elements
// come to the host in windows (runtime/cuda/ElementWindows.h). A loop that would be a fold (npcc-raise-folds) but for
// checks of its positions gets two versions.
#include "compiler/explain/Remarks.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/SerialLoops.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ENCLOSELOOPS
#include "compiler/gpu/Passes.h.inc"
namespace {

struct EncloseLoops : impl::EncloseLoopsBase<EncloseLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<Operation *> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      if (isa<scf::ForOp, scf::WhileOp>(op) && isSerialLoop(op)) {
        loops.push_back(op);
        return WalkResult::skip();
      }
      return WalkResult::advance();
    });
    bool general = getOperation()->hasAttr("np.general");
    llvm::erase_if(loops, [&](Operation *loop) { return isOfHost(loop, general); });
    for (Operation *op : llvm::to_vector(loops)) {
      // A check in the middle of what is stored is all that keeps threads from sharing the work.
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && isFold(loop, general, /*ignoresChecks=*/true) && !isFold(loop, general))
        if (FailureOr<scf::ForOp> asWritten = makeVersions(loop, loop); succeeded(asWritten) && *asWritten)
          loops.push_back(*asWritten);
    }
    llvm::SmallDenseSet<Operation *> done;
    for (Operation *loop : loops)
      if (!done.contains(loop))
        enclose(loop, done);
  }

  /// Whether the host does better: the loop stands in another one, which sends nothing to the device. The host would wait
  /// for each kernel, and otherwise for windows of elements only. Threads that share its work would be worth it.
  static bool isOfHost(Operation *loop, bool general) {
    Operation *outermost = getOutermostLoop(loop);
    bool holdsLoops = loop->walk([&](LoopLikeOpInterface inner) {
                            return inner == loop ? WalkResult::advance() : WalkResult::interrupt();
                          }).wasInterrupted();
    auto counted = dyn_cast<scf::ForOp>(loop);
    bool isShared = counted && (holdsLoops || isFold(counted, general, /*ignoresChecks=*/true));
    return outermost && !isShared && !sendsWork(outermost, [](Operation *) { return true; });
  }

  static bool usesAny(Operation *op, const llvm::SetVector<Operation *> &group) {
    return op->walk([&](Operation *inside) {
               for (Value operand : inside->getOperands())
                 if (operand.getDefiningOp() && group.contains(operand.getDefiningOp()))
                   return WalkResult::interrupt();
               return WalkResult::advance();
             })
        .wasInterrupted();
  }

  /// What the kernel would hold: the loop, and what depends on it and may move behind everything else in its block.
  static llvm::SetVector<Operation *> getGroup(Operation *loop) {
    llvm::SetVector<Operation *> group;
    group.insert(loop);
    for (Operation *op = loop->getNextNode(); op && !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
      if (isa<np::AllocOp, np::RetainOp>(op))
        continue;
      if (!usesAny(op, group)) {
        if (isMemoryEffectFree(op))
          continue;
        break;
      }
      bool isScalar = isMemoryEffectFree(op) && op->getNumRegions() == 0 && !isa<np::CheckIndexOp, np::BroadcastExtentOp>(op) &&
                      llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrFloat() || isa<ComplexType>(type); });
      auto store = dyn_cast<memref::StoreOp>(op);
      if (!isScalar && (!store || isInHostMemory(store.getMemref().getType())))
        break;
      group.insert(op);
    }
    // Integer code may compute the host's bounds; only what ends in memory is worth moving.
    while (group.back() != loop && !isa<memref::StoreOp>(group.back()))
      group.pop_back();
    return group;
  }

  /// What the loop begins with, where it is read from memory that nothing writes until then: the kernel reads it itself.
  void readInside(Operation *loop, np::KernelOp kernel) {
    bool general = getOperation()->hasAttr("np.general");
    for (OpOperand &operand : loop->getOpOperands()) {
      Operation *reader = operand.get().getDefiningOp();
      if (!isa_and_nonnull<memref::LoadOp, scf::IfOp>(reader) || reader->getNumResults() != 1)
        continue;
      bool onlyReads = true;
      SmallVector<Value> memory;
      reader->walk([&](Operation *op) {
        if (auto load = dyn_cast<memref::LoadOp>(op)) {
          memory.push_back(load.getMemref());
          onlyReads &= !isInHostMemory(load.getMemref().getType());
        } else {
          onlyReads &= isMemoryEffectFree(op) || isa<scf::IfOp>(op);
        }
      });
      // From the reader on: what stands in its block, then, in a version of the loop, nothing.
      Operation *top = reader->getBlock()->findAncestorOpInBlock(*kernel);
      bool isNear = top && (top == kernel || kernel->getPrevNode() == nullptr || llvm::all_of(kernel->getBlock()->getOperations(), [&](Operation &op) {
                              return !op.isBeforeInBlock(kernel) || isMemoryEffectFree(&op) || isa<np::AllocOp>(op);
                            }));
      for (Operation *op = reader->getNextNode(); onlyReads && isNear && op != top; op = op->getNextNode())
        isNear &= llvm::none_of(memory, [&](Value each) { return mayWriteTo(op, each, general); });
      if (!onlyReads || !isNear || memory.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(kernel.getBody());
      operand.set(builder.clone(*reader)->getResult(0));
      if (reader->use_empty())
        reader->erase();
    }
  }

  void enclose(Operation *loop, llvm::SmallDenseSet<Operation *> &done) {
    remarkLoop(loop->getLoc(), "a loop over elements in which an iteration needs the one before: one thread, or the "
                               "threads of a block");
    llvm::SetVector<Operation *> group = getGroup(loop);
    // Values that only the host uses stay with it.
    OpBuilder builder(group.back()->getNextNode());
    Location loc = loop->getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<std::pair<Value, Value>> exported;
    for (Operation *op : group)
      for (Value result : op->getResults()) {
        bool isUsedOutside = llvm::any_of(result.getUsers(), [&](Operation *user) {
          return llvm::none_of(group, [&](Operation *member) { return member->isAncestor(user); });
        });
        if (!isUsedOutside)
          continue;
        Type type = result.getType();
        auto memory = MemRefType::get({}, type.isInteger(1) ? builder.getI8Type() : type);
        exported.push_back({result, np::AllocOp::create(builder, loc, memory, ValueRange())});
      }
    auto kernel = np::KernelOp::create(builder, loc, ValueRange{one});
    for (auto [result, memory] : exported) {
      Type type = result.getType();
      Value loaded = memref::LoadOp::create(builder, loc, memory, ValueRange());
      if (type.isInteger(1))
        loaded = arith::TruncIOp::create(builder, loc, type, loaded);
      np::ReleaseOp::create(builder, loc, memory);
      result.replaceUsesWithIf(loaded, [&](OpOperand &use) {
        return llvm::none_of(group, [&](Operation *member) { return member->isAncestor(use.getOwner()); });
      });
    }
    for (Operation *op : group) {
      op->moveBefore(kernel.getBody()->getTerminator());
      done.insert(op);
    }
    readInside(loop, kernel);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    for (auto [result, memory] : exported) {
      Value value = result.getType().isInteger(1) ? arith::ExtUIOp::create(builder, loc, builder.getI8Type(), result).getResult() : result;
      memref::StoreOp::create(builder, loc, value, memory, ValueRange());
    }
  }
};

} // namespace
} // namespace npcc

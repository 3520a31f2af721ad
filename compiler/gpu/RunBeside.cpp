// npcc-run-beside: kernels that follow each other, none of which needs or changes what another one writes, are marked,
// so that the runtime may run them side by side on streams of the device's own. It does so where all of them together
// leave multiprocessors idle (runtime/cuda/Beside.h).
//
//   np.kernel rows (%i) = (1) { ... serial loop over %a }        np.kernel rows (%i) = (1) beside begins { ... }
//   %c = np.alloc(%n)                                       ->   np.kernel rows (%i) = (1) beside joins { ... }
//   np.kernel rows (%i) = (1) { ... serial loop over %c }        // with np.alloc before both
//
// The marks stay at the launches that become of the kernels. A wait between two streams takes as long as a short
// kernel, so kernels without loops are left alone. What allocates between the kernels goes before them: memory of the
// pool is ordered by the device's own stream, and the other streams wait for what was there when the first kernel was
// launched.
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/HostBlocks.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Memory.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_RUNBESIDE
#include "compiler/gpu/Passes.h.inc"
namespace {

constexpr size_t mostMembers = 8;

bool hasLoop(np::KernelOp kernel) {
  return kernel.getBody()
      ->walk(
          [](Operation *op) { return isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// The arrays that a kernel loads from or stores to; false where something else touches memory, or asks for errors of
/// the kernel before.
bool collectArrays(np::KernelOp kernel, llvm::SmallSetVector<Value, 8> &arrays) {
  KernelAccesses accesses(kernel);
  if (accesses.getUnsupported())
    return false;
  for (Stream &stream : accesses.getStreams())
    arrays.insert(getRoot(stream.memref));
  return !kernel.getBody()
              ->walk([](Operation *op) {
                return isa<CallOpInterface, np::PrintOp, np::IsReachedOp>(op) ? WalkResult::interrupt()
                                                                              : WalkResult::advance();
              })
              .wasInterrupted();
}

struct Member {
  np::KernelOp kernel;
  llvm::SmallSetVector<Value, 8> arrays;
};

class Group {
public:
  explicit Group(Aliasing &aliasing) : aliasing(aliasing) {}

  bool isEmpty() const { return members.empty(); }
  bool isIndependent(Member &next) {
    return llvm::all_of(members, [&](Member &member) {
      auto changes = [&](np::KernelOp writer, Member &other) {
        return llvm::any_of(other.arrays, [&](Value array) { return aliasing.mayWriteTo(writer, array); });
      };
      return !changes(member.kernel, next) && !changes(next.kernel, member);
    });
  }
  void add(Member member) { members.push_back(std::move(member)); }
  /// What stands between the members: it may go before the first one, if it needs nothing that is left behind.
  bool addBetween(Operation *op) {
    if (!isMemoryEffectFree(op) && !isa<np::AllocOp>(op))
      return false;
    if (!members.empty())
      between.push_back(op);
    return true;
  }
  void finish() {
    if (members.size() > 1) {
      np::KernelOp first = members.front().kernel;
      for (Operation *op : between)
        if (op->isBeforeInBlock(members.back().kernel))
          op->moveBefore(first);
      first.setBeside(np::Beside::begins);
      for (Member &member : llvm::drop_begin(members))
        member.kernel.setBeside(np::Beside::joins);
    }
    members.clear();
    between.clear();
  }
  bool isFull() const { return members.size() >= mostMembers; }

private:
  Aliasing &aliasing;
  SmallVector<Member> members;
  SmallVector<Operation *> between;
};

struct RunBeside : impl::RunBesideBase<RunBeside> {
  void runOnOperation() override {
    Aliasing aliasing(getOperation()->hasAttr("np.general"));
    for (Block *block : getHostBlocks(getOperation()))
      mark(*block, aliasing);
  }

  void mark(Block &block, Aliasing &aliasing) {
    Group group(aliasing);
    for (Operation &op : block) {
      auto kernel = dyn_cast<np::KernelOp>(op);
      if (!kernel) {
        if (!group.isEmpty() && !group.addBetween(&op))
          group.finish();
        continue;
      }
      Member member{kernel, {}};
      if (kernel.getRunner() == np::Runner::grid || !hasLoop(kernel) || !collectArrays(kernel, member.arrays)) {
        group.finish();
        continue;
      }
      if (group.isFull() || !group.isIndependent(member))
        group.finish();
      group.add(std::move(member));
    }
    group.finish();
  }
};

} // namespace
} // namespace npcc

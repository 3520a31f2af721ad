// npcc-interchange-loops: a loop of the host around kernels in which every position needs what its own line holds, and
// nothing of other lines, goes inside: one kernel, in which a thread walks along its line.
//
//   scf.for %j = %c2 to %m step %c1 {                        np.kernel map (%i) = (%n) {
//     np.kernel (%i) = (%n) {                                  scf.for %j = %c2 to %m step %c1 {
//       ... %y[%i, %j - 1], %y[%i, %j - 2]           ->          ... %y[%i, %j - 1], %y[%i, %j - 2]
//       store %y[%i, %j]                                         store %y[%i, %j]
//     }                                                        }
//   }                                                        }
//
// So recurrences along rows or columns, and element by element updates that are made many times, are one launch. All
// kernels of an iteration have the same positions, and any two accesses to what may be one array, one of them a store,
// have for each position an axis that it moves: then different positions touch different elements, in whatever
// iterations, and each position's own statements keep their order. Arrays that an iteration makes for itself are made
// once.
//
// Where host and kernels share their memory, the lines of an iteration lie side by side in vectors. So a thread takes a
// block of lines, whose elements stay in its cache from one iteration to the next; in each iteration it goes through
// them as the kernel did:
//
//   np.kernel map (%block) = (%n / 1024) {
//     scf.for %j = %c2 to %m step %c1 {
//       scf.for %i = %block * 1024 to min(%n, (%block + 1) * 1024) { ... } } }
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/AskedChecks.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/kernels/LoopVersions.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Iteration.h"
#include "dialects/Np/Memory.h"

namespace npcc {
#define GEN_PASS_DEF_INTERCHANGELOOPS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Interchange {
public:
  Interchange(scf::ForOp loop, bool general, bool inBlocks) : loop(loop), general(general), inBlocks(inBlocks) {}

  bool apply() {
    if (loop.getNumResults() || !loop.getInductionVar().getType().isIndex())
      return false;
    hoistNumbers(loop);
    if (!collect() || kernels.empty() || !areLinesApart() || (inBlocks ? !areStraight() : isUpdateOfRows()))
      return false;
    // Rows at positions that memory gives are checked, and shared out, by npcc-group-updates.
    if (llvm::any_of(checks, [&](Operation *op) {
          auto check = dyn_cast<CheckIndexOp>(op);
          return check && isPositionGivenByMemory(loop, check.getPosition());
        }))
      return false;
    // What an iteration stores must not be stored where a check of one before has failed.
    if (llvm::any_of(kernels, [](KernelOp kernel) { return makesChecks(kernel); }) && !losesStores())
      return false;
    if (!checks.empty()) {
      SmallVector<Operation *> asked;
      llvm::copy_if(checks, std::back_inserter(asked), [&](Operation *op) { return !isKnownBefore(op, loop); });
      bool canCheck = llvm::all_of(asked, [&](Operation *op) { return canAskBefore(op, loop); });
      bool canStay = !inBlocks && losesStores() && llvm::none_of(asked, llvm::IsaPred<BroadcastExtentOp>);
      if (!canCheck && !canStay)
        return false;
      if (canCheck) {
        Value hold = asked.empty() ? Value() : askBefore(asked, loop);
        if (failed(makeVersions(loop, loop, Asked::all, hold)))
          return false;
        dropAsked(asked);
      }
    }
    remarkLoop(loop.getLoc(), "a loop inside a kernel: each position needs only what its own line holds");
    if (inBlocks)
      emitBlocks();
    else
      emit();
    return true;
  }

private:
  struct Access {
    KernelOp kernel;
    Value memory;
    SmallVector<Value> indices;
    SmallVector<LinearForm> positions; // along each axis
    bool isStore;
  };

  bool collect() {
    WalkResult result = loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        return collect(kernel) ? WalkResult::skip() : WalkResult::interrupt();
      if (auto alloc = dyn_cast<AllocOp>(op)) {
        temporaries.push_back(alloc);
        bool isPlain =
            llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::LoadOp, memref::StoreOp, memref::DimOp>) &&
            llvm::all_of(alloc.getExtents(), [&](Value extent) { return loop.isDefinedOutsideOfLoop(extent); });
        return isPlain ? WalkResult::advance() : WalkResult::interrupt();
      }
      if (isa<CheckIndexOp, AssertOp, BroadcastExtentOp>(op)) {
        checks.push_back(op);
        return WalkResult::advance();
      }
      // What an iteration asks memory first, such as where its window begins, each thread asks.
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        given.push_back(load);
        return loop.isDefinedOutsideOfLoop(load.getMemRef()) ? WalkResult::advance() : WalkResult::interrupt();
      }
      bool isControl = isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op);
      bool holdsMemory = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
      return (isControl || isMemoryEffectFree(op)) && !holdsMemory ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// The accesses of a kernel with the same positions as the others.
  bool collect(KernelOp kernel) {
    bool isSame = kernels.empty() || kernel.getExtents() == kernels.front().getExtents();
    if (!isSame || kernel.isUnit() || kernel.getNumLoops() == 0 ||
        !llvm::all_of(kernel.getExtents(), [&](Value extent) { return loop.isDefinedOutsideOfLoop(extent); }))
      return false;
    kernels.push_back(kernel);
    auto add = [&](Value memory, ValueRange indices, bool isStore) {
      SmallVector<LinearForm> positions;
      for (Value index : indices)
        positions.push_back(getLinearForm(index, loop));
      accesses.push_back({kernel, memory, indices, std::move(positions), isStore});
      auto alloc = memory.getDefiningOp<AllocOp>();
      bool isOwn = alloc && loop->isProperAncestor(alloc);
      return isOwn || loop.isDefinedOutsideOfLoop(memory) ? WalkResult::advance() : WalkResult::interrupt();
    };
    WalkResult result = kernel.getBody()->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        return add(load.getMemRef(), load.getIndices(), false);
      if (auto store = dyn_cast<memref::StoreOp>(op))
        return add(store.getMemRef(), store.getIndices(), true);
      bool isCode =
          isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp, EndOp, CheckIndexOp, AssertOp>(op);
      return isCode || isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// Whether iterations add to rows that memory gives, or change them in another way that reads them, and nothing else:
  /// a device has better ways than a thread for each column (npcc-group-updates). Not where rows are only stored to.
  bool isUpdateOfRows() {
    const Access *store = nullptr;
    for (const Access &access : accesses)
      if (access.isStore) {
        if (store)
          return false;
        store = &access;
      }
    if (!store || kernels.size() > 1 ||
        llvm::none_of(store->indices, [&](Value index) { return isPositionGivenByMemory(loop, index); }))
      return false;
    bool readsRow = false;
    for (const Access &access : accesses) {
      if (!mayAlias(access.memory, store->memory, general))
        continue;
      if (access.memory != store->memory || access.indices != store->indices)
        return false;
      readsRow |= !access.isStore;
    }
    return readsRow;
  }

  bool areLinesApart() {
    for (const Access &a : accesses)
      for (const Access &b : accesses)
        if (a.isStore && mayAlias(a.memory, b.memory, general) && !(a.memory == b.memory && areApart(a, b)))
          return false;
    return llvm::none_of(accesses, [&](const Access &access) {
      return access.isStore && llvm::any_of(given, [&](memref::LoadOp load) {
               return mayAlias(load.getMemRef(), access.memory, general);
             });
    });
  }

  /// Whether for each position of the kernels there is an axis along which both move with it alone, by what is the same
  /// in all iterations.
  bool areApart(const Access &a, const Access &b) {
    KernelOp one = a.kernel, other = b.kernel;
    for (unsigned number = 0; number < one.getNumLoops(); ++number) {
      auto withoutPosition = [&](LinearForm form, KernelOp kernel) {
        addScaled(form, LinearForm{0, {Term{kernel.getInductionVars()[number], Value(), 1}}}, -1);
        return form;
      };
      bool moves = false;
      for (unsigned axis = 0; axis < a.positions.size(); ++axis) {
        LinearForm first = withoutPosition(a.positions[axis], one), second = withoutPosition(b.positions[axis], other);
        moves |= first.constant == second.constant && first.terms.size() == second.terms.size() &&
                 llvm::all_of(first.terms, [&](const Term &term) {
                   return llvm::is_contained(second.terms, term) && loop.isDefinedOutsideOfLoop(term.leaf);
                 });
      }
      if (!moves)
        return false;
    }
    return true;
  }

  /// Whether the kernels are what vectors can do.
  bool areStraight() {
    return llvm::all_of(kernels, [](KernelOp kernel) {
      return llvm::all_of(kernel.getBody()->getOperations(),
                          [](Operation &op) { return op.getNumRegions() == 0 && !isa<CheckIndexOp, AssertOp>(op); });
    });
  }

  bool losesStores() {
    return llvm::all_of(accesses,
                        [](const Access &access) { return !access.isStore || access.memory.getDefiningOp<AllocOp>(); });
  }

  void emit() {
    for (AllocOp alloc : temporaries)
      alloc->moveBefore(loop);
    OpBuilder builder(loop);
    auto outer = KernelOp::create(builder, loop.getLoc(), SmallVector<Value>(kernels.front().getExtents()));
    outer.setKind(KernelKind::map);
    loop->moveBefore(outer.getBody()->getTerminator());
    if (makesChecks(loop)) {
      // Of errors, that of the least iteration counts, whatever the line.
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> positions{loop.getInductionVar()}, extents{loop.getUpperBound()};
      llvm::append_range(positions, outer.getInductionVars());
      llvm::append_range(extents, outer.getExtents());
      IterationOp::create(builder, loop.getLoc(), positions, extents);
    }
    for (KernelOp kernel : kernels)
      inlineKernel(kernel, SmallVector<Value>(outer.getInductionVars()), kernel->getBlock(), kernel->getIterator());
  }

  /// The loop in a kernel over blocks of neighbouring lines.
  void emitBlocks() {
    for (AllocOp alloc : temporaries)
      alloc->moveBefore(loop);
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    IndexMath m(builder, loc);
    SmallVector<Value> extents(kernels.front().getExtents()), sizes = getBlock(m, extents), blocks;
    for (auto [extent, size] : llvm::zip_equal(extents, sizes))
      blocks.push_back(size ? m.ceilDiv(extent, size) : extent);
    auto outer = KernelOp::create(builder, loc, blocks);
    outer.setKind(KernelKind::map);
    builder.setInsertionPoint(outer.getBody()->getTerminator());
    IndexMath inside(builder, loc);
    SmallVector<Value> from, to;
    for (auto [extent, size, position] : llvm::zip_equal(extents, sizes, outer.getInductionVars())) {
      from.push_back(size ? inside.mul(position, size) : Value(position));
      to.push_back(size ? inside.min(inside.add(from.back(), size), extent) : Value());
    }
    loop->moveBefore(outer.getBody()->getTerminator());
    for (KernelOp kernel : kernels) {
      builder.setInsertionPoint(kernel);
      SmallVector<Value> positions;
      for (auto [first, end] : llvm::zip_equal(from, to)) {
        positions.push_back(first);
        if (!end)
          continue;
        auto lines = scf::ForOp::create(builder, loc, first, end, inside.constant(1));
        positions.back() = lines.getInductionVar();
        builder.setInsertionPointToStart(lines.getBody());
      }
      inlineKernel(kernel, positions, builder.getInsertionBlock(), builder.getInsertionPoint());
    }
  }

  /// How many neighbours along each axis are a block: along the last one, and along the one before it where that is
  /// short. Along the others, one.
  SmallVector<Value> getBlock(IndexMath &m, ArrayRef<Value> extents) {
    llvm::SmallDenseSet<Value> handedOn;
    int64_t bytes = 0;
    for (const Access &access : accesses)
      if (access.isStore && handedOn.insert(access.memory).second)
        bytes += getElementBytes(cast<MemRefType>(access.memory.getType()).getElementType());
    const Tuning &tuning = getTargetProperties(loop).tuning;
    int64_t least = tuning.leastLines;
    Value elements = m.product(extents);
    Value fewest = m.constant(least);
    Value most = m.constant(std::max(least, tuning.bytesOfLines / std::max<int64_t>(bytes, 1) / least * least));
    Value size =
        m.max(fewest, m.min(m.mul(m.ceilDiv(elements, m.constant(tuning.blocksOfLines * least)), fewest), most));
    SmallVector<Value> sizes(extents.size());
    sizes.back() = size;
    if (extents.size() > 1) {
      Value last = m.max(extents.back(), m.constant(1));
      sizes[extents.size() - 2] = m.max(m.div(size, last), m.constant(1));
    }
    return sizes;
  }

  scf::ForOp loop;
  bool general, inBlocks;
  SmallVector<KernelOp> kernels;
  SmallVector<Access> accesses;
  SmallVector<AllocOp> temporaries;
  SmallVector<memref::LoadOp> given; // numbers that an iteration reads before its kernels
  SmallVector<Operation *> checks;
};

struct InterchangeLoops : impl::InterchangeLoopsBase<InterchangeLoops> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread"))
      return;
    bool general = function->hasAttr("np.general"), inBlocks = getTargetProperties(function).hostSharesMemory;
    forEachHostLoop(function, [&](scf::ForOp loop) { return Interchange(loop, general, inBlocks).apply(); });
  }
};
} // namespace
} // namespace npcc

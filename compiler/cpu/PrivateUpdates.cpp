// npcc-private-updates: kernels whose iterations update elements that others update too.
//
//   np.kernel (%i) = (%n) { memref.atomic_rmw addi %v, %out[%p] }
// becomes, where %n is many times the elements of %out,
//   %own = np.alloc(%chunks * %bins)
//   np.kernel (%c) = (%chunks) {
//     for %b: %own[%c, %b] = 0
//     for %i of chunk %c: %own[%c, %p] += %v }
//   np.kernel (%b) = (%bins) { for %c: %out[%b] += %own[%c, %b] }
// and otherwise the loop in order: atomic updates cost several times what plain ones do. How many chunks there are
// depends on the extents only.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_PRIVATEUPDATES
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {
/// An array that is updated.
struct Target {
  arith::AtomicRMWKind kind;
  SmallVector<Value> extents;
  Value bins, own; // the copies of all chunks
};
using Targets = llvm::MapVector<Value, Target>;

struct PrivateUpdates : npcc::impl::PrivateUpdatesBase<PrivateUpdates> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) {
      if (kernel.walk([](memref::AtomicRMWOp) { return WalkResult::interrupt(); }).wasInterrupted())
        kernels.push_back(kernel);
    });
    for (np::KernelOp kernel : kernels)
      split(kernel);
    // Those of kernels of one iteration, which are host code by now.
    getOperation().walk([&](memref::AtomicRMWOp op) {
      if (op->getParentOfType<np::KernelOp>())
        return;
      OpBuilder builder(op);
      update(builder, op.getLoc(), op.getKind(), op.getValue(), op.getMemref(), op.getIndices());
      op.erase();
    });
  }

  static void update(OpBuilder &builder, Location loc, arith::AtomicRMWKind kind, Value value, Value memory,
                     ValueRange indices) {
    Value old = memref::LoadOp::create(builder, loc, memory, indices);
    Value next = arith::getReductionOp(kind, builder, loc, old, value);
    memref::StoreOp::create(builder, loc, next, memory, indices);
  }

  static void split(np::KernelOp kernel) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    auto multiply = [&](Value x, Value y) -> Value { return builder.createOrFold<arith::MulIOp>(loc, x, y); };
    Value zero = index(0), one = index(1), elements = product(builder, loc, kernel.getExtents()), bins = zero;
    Targets targets;
    kernel.walk([&](memref::AtomicRMWOp op) {
      auto [entry, isNew] = targets.insert({op.getMemref(), Target{op.getKind(), {}, {}, {}}});
      if (!isNew)
        return;
      Target &target = entry->second;
      for (int64_t axis = 0; axis < op.getMemRefType().getRank(); ++axis)
        target.extents.push_back(builder.createOrFold<memref::DimOp>(loc, op.getMemref(), axis));
      target.bins = product(builder, loc, target.extents);
      bins = builder.createOrFold<arith::AddIOp>(loc, bins, target.bins);
    });
    const Tuning &tuning = getTargetProperties(kernel).tuning;
    Value least = builder.createOrFold<arith::MaxUIOp>(loc, multiply(bins, index(tuning.elementsPerBin)),
                                                       index(tuning.leastOfChunk));
    Value chunks = arith::MinUIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, elements, least),
                                          index(tuning.mostChunks));
    Value isWorth = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, chunks, one);
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "sums of their own for chunks", isWorth);

    builder.setInsertionPointToStart(offer.getOfferedBlock());
    for (auto &[memory, target] : targets) {
      auto type = MemRefType::get({ShapedType::kDynamic}, cast<MemRefType>(memory.getType()).getElementType());
      target.own = np::AllocOp::create(builder, loc, type, ValueRange{multiply(chunks, target.bins)});
    }
    auto first = np::KernelOp::create(builder, loc, chunks);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(first.getBody());
      Value chunk = first.getInductionVars()[0];
      for (auto &[memory, target] : targets) {
        Value neutral =
            arith::getIdentityValue(target.kind, cast<MemRefType>(memory.getType()).getElementType(), builder, loc);
        Value start = multiply(chunk, target.bins);
        auto loop =
            scf::ForOp::create(builder, loc, start, arith::AddIOp::create(builder, loc, start, target.bins), one);
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToStart(loop.getBody());
        memref::StoreOp::create(builder, loc, neutral, target.own, loop.getInductionVar());
      }
      Value from = arith::DivUIOp::create(builder, loc, multiply(chunk, elements), chunks);
      Value next = arith::AddIOp::create(builder, loc, chunk, one);
      Value to = arith::DivUIOp::create(builder, loc, multiply(next, elements), chunks);
      auto loop = scf::ForOp::create(builder, loc, from, to, one);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> extents = llvm::to_vector(kernel.getExtents()), positions{loop.getInductionVar()};
      if (extents.size() > 1)
        positions = delinearize(builder, loc, loop.getInductionVar(), extents);
      copyBody(builder, kernel, positions, &targets, chunk);
    }
    for (auto &[memory, target] : targets) {
      SmallVector<Value> space = target.extents;
      if (space.empty())
        space.push_back(one);
      auto second = np::KernelOp::create(builder, loc, space);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(second.getBody());
      ValueRange position = target.extents.empty() ? ValueRange() : ValueRange(second.getInductionVars());
      Value bin = linearize(builder, loc, position, target.extents),
            old = memref::LoadOp::create(builder, loc, memory, position);
      auto loop = scf::ForOp::create(builder, loc, zero, chunks, one, old);
      {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToStart(loop.getBody());
        Value at = arith::AddIOp::create(builder, loc, multiply(loop.getInductionVar(), target.bins), bin);
        Value part = memref::LoadOp::create(builder, loc, target.own, at);
        scf::YieldOp::create(builder, loc,
                             arith::getReductionOp(target.kind, builder, loc, loop.getRegionIterArg(0), part));
      }
      memref::StoreOp::create(builder, loc, loop.getResult(0), memory, position);
    }
    for (auto &[memory, target] : targets)
      np::ReleaseOp::create(builder, loc, target.own);

    builder.setInsertionPointToStart(offer.getGeneralBlock());
    SmallVector<Value> lower(kernel.getNumLoops(), zero);
    buildNest(builder, loc, lower, kernel.getExtents(),
              [&](OpBuilder &inside, ValueRange positions) { copyBody(inside, kernel, positions, nullptr, Value()); });
    kernel.erase();
  }

  static Value linearize(OpBuilder &builder, Location loc, ValueRange positions, ArrayRef<Value> extents) {
    Value result;
    for (auto [position, extent] : llvm::zip_equal(positions, extents)) {
      Value before = result ? builder.createOrFold<arith::MulIOp>(loc, result, extent) : Value();
      result = before ? builder.createOrFold<arith::AddIOp>(loc, before, position) : Value(position);
    }
    return result ? result : Value(arith::ConstantIndexOp::create(builder, loc, 0));
  }

  /// One iteration, with plain updates: of a chunk's copies, or of the arrays.
  static void copyBody(OpBuilder &builder, np::KernelOp kernel, ValueRange positions, Targets *targets, Value chunk) {
    IRMapping map;
    map.map(kernel.getInductionVars(), positions);
    SmallVector<memref::AtomicRMWOp> updates;
    for (Operation &op : kernel.getBody()->without_terminator())
      builder.clone(op, map)->walk([&](memref::AtomicRMWOp copy) { updates.push_back(copy); });
    for (memref::AtomicRMWOp op : updates) {
      OpBuilder inside(op);
      Location loc = op.getLoc();
      if (targets) {
        Target &target = targets->find(op.getMemref())->second;
        Value start = inside.createOrFold<arith::MulIOp>(loc, chunk, target.bins);
        Value at = arith::AddIOp::create(inside, loc, start, linearize(inside, loc, op.getIndices(), target.extents));
        update(inside, loc, op.getKind(), op.getValue(), target.own, at);
      } else {
        update(inside, loc, op.getKind(), op.getValue(), op.getMemref(), op.getIndices());
      }
      op.erase();
    }
  }
};
} // namespace

// npcc-split-reductions: reductions that would keep few threads busy become a kernel over blocks of what is reduced,
// which stores one partial result for each, and a second reduction of those.
//
// A reduction in host code (a full reduction: see npcc-inline-unit-kernels)
//   %s = scf.parallel (%i, %k) = (0, 0) to (%n, %m) init (%zero) -> f64 { ... }
// becomes
//   %partials = <%blocks elements: on the stack if they are few>
//   np.kernel (%b) = (%blocks) {
//     %p = scf.parallel (%row, %k) = (%row0, %k0) to (%row1, %k1) init (%zero) -> f64 { ... }
//     memref.store %p, %partials[%b]
//   }
//   %s = scf.parallel (%b) = (0) to (%blocks) init (%zero) -> f64 { memref.load %partials[%b] ... }
//
// The only reduction of a kernel becomes a function `@f.reduction0(..., bounds)`. The kernel calls it for all that is
// to be reduced; a second version, taken when the kernel has few iterations of many elements each (the channels of an
// image, a handful of long rows), calls it for blocks and combines `%partials[%b * %iterations + %iteration]`.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/ReductionBlocks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

static constexpr int64_t partialsOnStack = 64;

namespace {
struct SplitReductions : npcc::impl::SplitReductionsBase<SplitReductions> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    SmallVector<scf::ParallelOp> reductions; // of the host
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto kernel = dyn_cast<np::KernelOp>(op))
          kernels.push_back(kernel);
        else if (auto loop = dyn_cast<scf::ParallelOp>(op))
          reductions.push_back(loop);
        else
          return WalkResult::advance();
        return WalkResult::skip();
      });
    for (np::KernelOp kernel : kernels)
      splitKernel(kernel);
    for (scf::ParallelOp loop : reductions)
      splitFull(loop);
  }

  void splitFull(scf::ParallelOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    ReductionBlocks blocks(builder, loop);
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    SmallVector<Value> partials;
    Value many = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, blocks.count, index(partialsOnStack));
    many = np::ChoiceOp::create(builder, loc, "room on the stack", many);
    for (Type type : loop.getResultTypes())
      partials.push_back(allocate(builder, loop, type, blocks.count, many));

    auto kernel = np::KernelOp::create(builder, loc, blocks.count);
    builder.setInsertionPointToStart(kernel.getBody());
    Value block = kernel.getInductionVars()[0];
    scf::ParallelOp part = blocks.build(builder, blocks.getBlock(builder, block), IRMapping());
    for (auto [partial, value] : llvm::zip_equal(partials, part.getResults()))
      memref::StoreOp::create(builder, loc, value, partial, block);

    builder.setInsertionPointAfter(kernel);
    scf::ParallelOp combined = blocks.combine(builder, partials, [](OpBuilder &, Value block) { return block; });
    loop.replaceAllUsesWith(combined.getResults());
    scf::IfOp::create(builder, loc, many, [&](OpBuilder &inside, Location) {
      for (Value buffer : partials)
        np::ReleaseOp::create(inside, loc, buffer);
      scf::YieldOp::create(inside, loc);
    });
    loop.erase();
  }

  /// Room for the partial results: few of them on the stack.
  Value allocate(OpBuilder &builder, scf::ParallelOp loop, Type element, Value count, Value many) {
    Location loc = loop.getLoc();
    auto type = MemRefType::get({ShapedType::kDynamic}, element);
    Value onStack;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
      onStack = memref::AllocaOp::create(builder, loc, MemRefType::get({partialsOnStack}, element));
      onStack = memref::CastOp::create(builder, loc, type, onStack);
    }
    auto chosen = scf::IfOp::create(
        builder, loc, many,
        [&](OpBuilder &inside, Location) {
          scf::YieldOp::create(inside, loc, np::AllocOp::create(inside, loc, type, ValueRange{count}).getResult());
        },
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, onStack); });
    return chosen.getResult(0);
  }
};
} // namespace

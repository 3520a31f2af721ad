// npcc-column-reductions: kernels whose inner reductions run down columns walk the rows outside and a block of columns
// inside.
//
//   np.kernel (%i) = (%n) {
//     %s = scf.parallel (%k) = (0) to (%m) init (%zero) -> f64 { %a[%k, %i] }
//     %r = math.sqrt %s
//     memref.store %r, %out[%i] }
// becomes
//   np.kernel (%block) = (%n / 512) {
//     for %k: for %i in the block: %sums[%i - %first] += %a[%k, %i]          // vectorised over %i
//     for %i in the block: %r = math.sqrt %sums[%i - %first]; memref.store %r, %out[%i] },
// if there are at least 16 columns; otherwise the kernel stays what it is. The body is cut at its inner loops; what one
// piece gives to a later one lies in arrays on the stack. Sums of floats: leaves of 16 rows are combined in a binary
// tree (see PairwiseTree), for the whole block at once.
#include "compiler/cpu/ColumnBlock.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "dialects/Np/Choice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_COLUMNREDUCTIONS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

static constexpr int64_t fewColumns = 16;

namespace {

/// Is this the same for all columns of the kernel, and computed without touching memory?
bool isSameForColumns(Value value, np::KernelOp kernel) {
  if (kernel.isDefinedOutsideOfLoop(value))
    return true;
  if (isa<BlockArgument>(value)) // a position of the kernel or of a reduction in it
    return isa<np::KernelOp, scf::ParallelOp>(value.getParentBlock()->getParentOp()) &&
           value != kernel.getInductionVars().back();
  Operation *op = value.getDefiningOp();
  return isPure(op) && !op->getNumRegions() &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isSameForColumns(operand, kernel); });
}

struct ColumnReductions : npcc::impl::ColumnReductionsBase<ColumnReductions> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) {
      if (runsDownColumns(kernel))
        kernels.push_back(kernel);
    });
    for (np::KernelOp kernel : kernels)
      rewrite(kernel);
  }

  /// More loads of its reductions are contiguous along the kernel's last axis than along their own; and all inner loops
  /// stand at the top of its body, so that it can be cut there.
  static bool runsDownColumns(np::KernelOp kernel) {
    Value column = kernel.getInductionVars().back();
    int64_t columns = 0, rows = 0;
    for (Operation &op : kernel.getBody()->without_terminator()) {
      auto inner = dyn_cast<scf::ParallelOp>(op);
      if (!inner) {
        if (op.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
          return false;
        continue;
      }
      auto known = [&](Value value) { return isSameForColumns(value, kernel); };
      if (!isVectorizable(inner.getBody()) || !llvm::all_of(inner.getLowerBound(), known) ||
          !llvm::all_of(inner.getUpperBound(), known) || !llvm::all_of(inner.getInitVals(), known))
        return false;
      Value row = inner.getInductionVars().back();
      inner.walk([&](memref::LoadOp load) {
        if (inner.getInitVals().empty() || load.getIndices().empty())
          return;
        // What is the same for all columns is loaded once for a vector of them; the columns of a window that slides are
        // neighbours.
        Value last = load.getIndices().back();
        bool isAcross = movesWith(last, column);
        columns += isAcross;
        rows += !isAcross && movesWith(last, row) &&
                llvm::any_of(load.getIndices(), [&](Value index) { return !known(index); });
      });
    }
    return columns > rows;
  }

  void rewrite(np::KernelOp kernel) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    // With few columns (the channels of an image) there is nothing to vectorise over them.
    Value few = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, kernel.getExtents().back(),
                                      arith::ConstantIndexOp::create(builder, loc, fewColumns));
    few = np::ChoiceOp::create(builder, loc, "few columns", few);
    auto choice = scf::IfOp::create(builder, loc, few, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(choice.thenBlock());
    builder.clone(*kernel);
    builder.setInsertionPointToStart(choice.elseBlock());
    unsigned bytes = getWidestBytes(kernel.getBody());
    int64_t width = ColumnBlock::bytes / std::max(bytes, 1u);
    Value blockWidth = arith::ConstantIndexOp::create(builder, loc, width);
    Value extent = kernel.getExtents().back();
    Value blocks = arith::CeilDivUIOp::create(builder, loc, extent, blockWidth);
    SmallVector<Value> upper = llvm::to_vector(kernel.getExtents());
    upper.back() = blocks;
    auto blocked = np::KernelOp::create(builder, loc, upper);
    builder.setInsertionPointToStart(blocked.getBody());
    SmallVector<Value> positions(blocked.getInductionVars());
    Value first = arith::MulIOp::create(builder, loc, positions.back(), blockWidth);
    Value end = arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, first, blockWidth), extent);
    positions.pop_back();
    ColumnBlock(builder, kernel, positions, first, end, width).build();
    kernel.erase();
  }
};
} // namespace

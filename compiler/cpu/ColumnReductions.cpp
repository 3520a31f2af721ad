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
// if there are at least 16 columns; otherwise the kernel stays what it is. Many rows of few columns (a sum over axis 0)
// are cut into parts first, each of which is such a kernel, and so is the sum of what the parts give. The body is cut
// at its inner loops; what one piece gives to a later one lies in arrays on the stack. Sums of floats: leaves of 16
// rows are combined in a binary tree (see PairwiseTree), for the whole block at once. Loops that carry values (a
// search, a filter, a polynomial) are cut out in the same way: see ColumnSerial.cpp.
#include "compiler/cpu/ColumnBlock.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/ReductionBlocks.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
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

static constexpr int64_t mostUnrolled = 16;

namespace {

/// Is this the same for all columns of the kernel, and computed without touching memory?
bool isSameForColumns(Value value, np::KernelOp kernel) {
  if (kernel.isDefinedOutsideOfLoop(value))
    return true;
  if (isa<BlockArgument>(value)) { // a position of the kernel or of a loop in it, not what a loop carries
    Operation *parent = value.getParentBlock()->getParentOp();
    if (auto serial = dyn_cast<scf::ForOp>(parent))
      return value == serial.getInductionVar();
    return isa<np::KernelOp, scf::ParallelOp>(parent) && value != kernel.getInductionVars().back();
  }
  Operation *op = value.getDefiningOp();
  return isPure(op) && !op->getNumRegions() &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isSameForColumns(operand, kernel); });
}

/// Whether a reduction combines by one operation on bits, which is the same on bytes that are 0 or 1.
bool combinesBits(Region &reduction) {
  Block &block = reduction.front();
  return block.getOperations().size() == 2 && isa<arith::OrIOp, arith::AndIOp, arith::XOrIOp>(block.front());
}

/// Lets reductions of bits (np.any down the columns) work on bytes. What a block of columns has so far lies in arrays,
/// and LLVM makes no vectors of loops that load and store single bits.
void widenBits(np::KernelOp kernel) {
  for (auto loop : llvm::make_early_inc_range(kernel.getOps<scf::ParallelOp>())) {
    auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    SmallVector<unsigned> bits;
    for (auto [k, type] : llvm::enumerate(loop.getResultTypes()))
      if (type.isInteger(1) && combinesBits(reduce.getReductions()[k]))
        bits.push_back(k);
    if (bits.empty())
      continue;
    OpBuilder builder(loop), inside(reduce);
    Type byte = builder.getI8Type();
    SmallVector<Value> starts(loop.getInitVals()), results;
    for (unsigned k : bits) {
      starts[k] = arith::ExtUIOp::create(builder, loop.getLoc(), byte, starts[k]);
      Value element = reduce.getOperands()[k];
      reduce.getOperandsMutable()[k].assign(arith::ExtUIOp::create(inside, loop.getLoc(), byte, element));
      Block &combine = reduce.getReductions()[k].front();
      for (BlockArgument argument : combine.getArguments())
        argument.setType(byte);
      combine.front().getResult(0).setType(byte);
    }
    auto wide = scf::ParallelOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                        loop.getStep(), starts);
    wide->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    wide.getRegion().takeBody(loop.getRegion());
    for (auto [k, result] : llvm::enumerate(wide.getResults()))
      results.push_back(llvm::is_contained(bits, k)
                            ? arith::TruncIOp::create(builder, loop.getLoc(), builder.getI1Type(), result).getResult()
                            : result);
    loop.replaceAllUsesWith(results);
    loop.erase();
  }
}

struct ColumnReductions : npcc::impl::ColumnReductionsBase<ColumnReductions> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) {
      if (runsDownColumns(kernel))
        kernels.push_back(kernel);
    });
    SmallVector<np::KernelOp> parts;
    for (np::KernelOp kernel : kernels)
      widenBits(kernel);
    for (np::KernelOp kernel : kernels)
      splitRows(kernel, parts);
    for (np::KernelOp part : parts)
      rewriteMany(part); // which has no few columns
    for (np::KernelOp kernel : kernels)
      rewrite(kernel);
  }

  /// Where columns are too few to keep threads busy and rows are many: a second version, a kernel over parts of the
  /// rows and one over the parts' results. The parts depend on the extents only.
  static void splitRows(np::KernelOp kernel, SmallVectorImpl<np::KernelOp> &made) {
    scf::ParallelOp reduction = findOnlyReduction(kernel);
    bool isNarrow = llvm::any_of(kernel.getOps<scf::ParallelOp>(), [](scf::ParallelOp loop) {
      return llvm::any_of(loop.getResultTypes(),
                          [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32; });
    });
    if (!reduction || reduction.getNumLoops() != 1 || isNarrow || // a part's sum would be rounded
        !llvm::all_of(reduction.getBody()->without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op) || isa<memref::LoadOp>(op); }))
      return;
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    auto index = [&](OpBuilder &at, int64_t value) -> Value { return arith::ConstantIndexOp::create(at, loc, value); };
    auto compare = [&](arith::CmpIPredicate predicate, Value value, int64_t with) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, value, index(builder, with));
    };
    SmallVector<Value> extents = llvm::to_vector(kernel.getExtents());
    Value rows = reduction.getUpperBound()[0], columns = product(builder, loc, extents);
    Value elements = arith::MulIOp::create(builder, loc, rows, columns);
    const Tuning &tuning = getTargetProperties(kernel).tuning;
    Value split = arith::AndIOp::create(builder, loc, compare(arith::CmpIPredicate::uge, rows, 2 * tuning.rowsInPart),
                                        compare(arith::CmpIPredicate::ule, columns, tuning.mostCutColumns));
    split = arith::AndIOp::create(builder, loc, split, compare(arith::CmpIPredicate::uge, elements, 4 * blockElements));
    split = arith::AndIOp::create(builder, loc, split,
                                  compare(arith::CmpIPredicate::uge, extents.back(), tuning.fewColumns));
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "rows of columns in parts", split);

    builder.setInsertionPointToStart(offer.getOfferedBlock());
    Value wanted = arith::MinUIOp::create(builder, loc,
                                          arith::DivUIOp::create(builder, loc, rows, index(builder, tuning.rowsInPart)),
                                          index(builder, tuning.mostPartsOfColumns));
    Value length = arith::CeilDivUIOp::create(builder, loc, rows, wanted),
          count = arith::CeilDivUIOp::create(builder, loc, rows, length);
    SmallVector<Value> space{count}, partials;
    space.append(extents);
    for (Type type : reduction.getResultTypes())
      partials.push_back(np::AllocOp::create(
          builder, loc, MemRefType::get(SmallVector<int64_t>(space.size(), ShapedType::kDynamic), type), space));

    auto first = np::KernelOp::create(builder, loc, space);
    {
      OpBuilder inside = OpBuilder::atBlockBegin(first.getBody());
      SmallVector<Value> positions(first.getInductionVars());
      IRMapping map;
      map.map(kernel.getInductionVars(), ValueRange(positions).drop_front());
      for (Operation &op : *kernel.getBody()) {
        if (&op == reduction.getOperation())
          break;
        inside.clone(op, map);
      }
      Value from = arith::MulIOp::create(inside, loc, positions[0], length);
      Value to = arith::MinUIOp::create(inside, loc, arith::AddIOp::create(inside, loc, from, length), rows);
      auto part = cast<scf::ParallelOp>(inside.clone(*reduction, map));
      part.getLowerBoundMutable().assign(from);
      part.getUpperBoundMutable().assign(to);
      for (auto [partial, value] : llvm::zip_equal(partials, part.getResults()))
        memref::StoreOp::create(inside, loc, value, partial, positions);
    }

    // The kernel with the partial results in place of the elements.
    IRMapping map;
    auto second = cast<np::KernelOp>(builder.clone(*kernel, map));
    auto loop = cast<scf::ParallelOp>(map.lookup(reduction.getOperation()));
    {
      loop.getUpperBoundMutable().assign(count);
      auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
      OpBuilder inside(reduce);
      SmallVector<Value> positions{loop.getInductionVars()[0]}, values;
      positions.append(second.getInductionVars().begin(), second.getInductionVars().end());
      for (Value partial : partials)
        values.push_back(memref::LoadOp::create(inside, loc, partial, positions));
      reduce.getOperandsMutable().assign(values);
      SmallVector<Operation *> elements;
      for (Operation &op : loop.getBody()->without_terminator())
        elements.push_back(&op);
      for (Operation *op : llvm::reverse(elements))
        if (op->use_empty())
          op->erase();
    }
    for (Value partial : partials)
      np::ReleaseOp::create(builder, loc, partial);
    made.push_back(first);
    // Few values, that are not worth much code.
    second.setCold(true);
    annotateShort(loop);
    offer.setGeneral(kernel);
  }

  /// A loop that is the same for all columns but for what it carries, as a search in a sorted vector.
  static bool isSerial(scf::ForOp loop, np::KernelOp kernel) {
    auto known = [&](Value value) { return isSameForColumns(value, kernel); };
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (trips && trips->ule(mostUnrolled)) // by LLVM, which then makes vectors of columns itself
      return false;
    bool isScalar = llvm::none_of(loop.getResultTypes(),
                                  [](Type type) { return !type.isIntOrIndexOrFloat() || type.isInteger(1); });
    return loop.getNumResults() && isScalar && isVectorizable(loop.getBody()) && known(loop.getLowerBound()) &&
           known(loop.getUpperBound()) && known(loop.getStep()) &&
           !loop.getBody()->walk([](memref::StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  /// More loads of its reductions are contiguous along the kernel's last axis than along their own; and all inner loops
  /// stand at the top of its body, so that it can be cut there. With a loop that carries values, no load need be:
  /// several columns at once do not wait for each other.
  static bool runsDownColumns(np::KernelOp kernel) {
    Value column = kernel.getInductionVars().back();
    int64_t columns = 0, rows = 0;
    bool carries = false;
    auto known = [&](Value value) { return isSameForColumns(value, kernel); };
    // What is the same for all columns is loaded once for a vector of them; the columns of a window that slides are
    // neighbours.
    auto count = [&](Operation *inner, Value row) {
      inner->walk([&](memref::LoadOp load) {
        if (load.getIndices().empty())
          return;
        Value last = load.getIndices().back();
        bool isAcross = movesWith(last, column);
        columns += isAcross;
        rows += !isAcross && movesWith(last, row) &&
                llvm::any_of(load.getIndices(), [&](Value index) { return !known(index); });
      });
    };
    for (Operation &op : kernel.getBody()->without_terminator()) {
      if (auto serial = dyn_cast<scf::ForOp>(op); serial && isSerial(serial, kernel)) {
        carries = true;
        count(serial, serial.getInductionVar());
        continue;
      }
      auto inner = dyn_cast<scf::ParallelOp>(op);
      if (!inner) {
        if (op.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
          return false;
        continue;
      }
      if (!isVectorizable(inner.getBody()) || !llvm::all_of(inner.getLowerBound(), known) ||
          !llvm::all_of(inner.getUpperBound(), known) || !llvm::all_of(inner.getInitVals(), known))
        return false;
      if (!inner.getInitVals().empty())
        count(inner, inner.getInductionVars().back());
    }
    return columns > rows || (carries && rows == 0);
  }

  static void rewrite(np::KernelOp kernel) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    // With few columns (the channels of an image) there is nothing to vectorise over them.
    Value many = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::uge, kernel.getExtents().back(),
        arith::ConstantIndexOp::create(builder, loc, getTargetProperties(kernel).tuning.fewColumns));
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "many columns", many);
    offer.setGeneral(builder.clone(*kernel));
    offer.setOffered(kernel);
    rewriteMany(kernel);
  }

  static void rewriteMany(np::KernelOp kernel) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    unsigned bytes = getWidestBytes(kernel.getBody());
    int64_t width = ColumnBlock::bytes / std::max(bytes, 1u);
    // What is carried stays near; and a long loop for few columns should be shared.
    if (!kernel.getBody()->getOps<scf::ForOp>().empty())
      width /= 4;
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

// npcc-merge-axes: the trailing axes of a loop nest over contiguous arrays become its last one.
//
//   np.kernel (%i, %j) = (%n, %m) { ... %a[%i, %j] ... }
// becomes, where the rows of every array that is accessed have %m elements,
//   np.kernel (%i, %j) = (1, %n * %m) { ... %a[%i, %j] ... }
// whose positions run beyond the row into the next ones. What is not known at compile time (is %a's second extent %m?)
// is asked at run time, and chooses the bounds: there is one version of the code.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/memory/Extents.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_MERGEAXES
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {

/// One array's part in merging axis k into the next: its axis that k + 1 runs along.
struct Row {
  Value memref;
  int64_t axis;
};

struct MergeAxes : npcc::impl::MergeAxesBase<MergeAxes> {
  void runOnOperation() override {
    getOperation().walk([&](np::KernelOp kernel) { merge(kernel, kernel.getExtentsMutable()); });
    getOperation().walk([&](scf::ParallelOp loop) {
      if (llvm::all_of(loop.getLowerBound(), [](Value bound) { return matchPattern(bound, m_Zero()); }))
        merge(loop, loop.getUpperBoundMutable());
    });
  }

  void merge(LoopLikeOpInterface loop, MutableOperandRange bounds) {
    if (bounds.size() < 2)
      return;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    size_t last = bounds.size() - 1;
    SmallVector<Value> extents(bounds.getAsOperandRange()), merged = extents;
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value all = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (size_t k = last; k-- > 0;) {
      SmallVector<Row> rows;
      if (!canMerge(loop, k, rows))
        break;
      for (Row row : rows)
        all = both(builder, loc, all, hasExtent(builder, loc, row, extents[k + 1]));
      merged[last] =
          select(builder, loc, all, arith::MulIOp::create(builder, loc, merged[last], extents[k]), merged[last]);
      merged[k] = select(builder, loc, all, one, extents[k]);
    }
    bounds.assign(merged);
  }

  /// Are the positions of axes k, k + 1, ..., last only used together, for adjacent axes of contiguous arrays? Adds the
  /// arrays to ask.
  bool canMerge(LoopLikeOpInterface loop, size_t k, SmallVectorImpl<Row> &rows) {
    SmallVector<Value> positions = *loop.getLoopInductionVars();
    ValueRange chain = ValueRange(positions).drop_front(k);
    for (Value position : chain)
      for (Operation *user : position.getUsers()) {
        Value memref;
        ValueRange indices;
        if (auto load = dyn_cast<memref::LoadOp>(user)) {
          memref = load.getMemRef();
          indices = load.getIndices();
        } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
          memref = store.getMemRef();
          indices = store.getIndices();
        } else {
          return false;
        }
        auto first = llvm::find(indices, Value(chain[0]));
        size_t axis = first - indices.begin();
        if (axis + chain.size() > indices.size() || !std::equal(chain.begin(), chain.end(), first))
          return false;
        for (auto [other, index] : llvm::enumerate(indices))
          if ((other < axis || other >= axis + chain.size()) && llvm::is_contained(chain, Value(index)))
            return false;
        if (!cast<MemRefType>(memref.getType()).getLayout().isIdentity() || !loop.isDefinedOutsideOfLoop(memref))
          return false;
        if (llvm::none_of(rows, [&](Row row) { return row.memref == memref && row.axis == int64_t(axis) + 1; }))
          rows.push_back({memref, int64_t(axis) + 1});
      }
    return true;
  }

  /// memref.dim(row) == extent, as a value; a constant where it is known.
  Value hasExtent(OpBuilder &builder, Location loc, Row row, Value extent) {
    auto known = [&](bool value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
    };
    if (getAllocatedExtent(row.memref, row.axis) == extent)
      return known(true);
    if (auto dim = extent.getDefiningOp<memref::DimOp>())
      if (dim.getSource() == row.memref && dim.getConstantIndex() == row.axis)
        return known(true);
    Value axis = arith::ConstantIndexOp::create(builder, loc, row.axis);
    Value dim = memref::DimOp::create(builder, loc, row.memref, axis);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, dim, extent);
  }

  static Value both(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
    if (matchPattern(lhs, m_One()))
      return rhs;
    return matchPattern(rhs, m_One()) ? lhs : arith::AndIOp::create(builder, loc, lhs, rhs).getResult();
  }
  static Value select(OpBuilder &builder, Location loc, Value condition, Value yes, Value no) {
    return matchPattern(condition, m_One()) ? yes
                                            : arith::SelectOp::create(builder, loc, condition, yes, no).getResult();
  }
};
} // namespace

// npcc-tile-transposes: kernels that read along one axis and write along another walk in tiles, so that a line of the
// cache is used up before it goes.
//
//   np.kernel (%i, %j) = (%n, %m) { %b[%i, %j] = %a[%j, %i] }
// becomes
//   np.kernel (%ti, %tj) = (%n / 32, %m / 32) {
//     for %i in tile %ti { for %j in tile %tj { %b[%i, %j] = %a[%j, %i] } } }             // vectorised over %j
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_TILETRANSPOSES
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

static constexpr int64_t tile = 32;

namespace {
struct TileTransposes : npcc::impl::TileTransposesBase<TileTransposes> {
  void runOnOperation() override {
    SmallVector<std::pair<np::KernelOp, int64_t>> kernels;
    getOperation().walk([&](np::KernelOp loop) {
      if (loop.getNumLoops() > 1 && isVectorizable(loop.getBody()))
        if (int64_t axis = findOtherAxis(loop); axis >= 0)
          kernels.emplace_back(loop, axis);
    });
    for (auto [loop, axis] : kernels)
      rewrite(loop, axis);
  }

  /// The axis, not the last one, along which some accesses are contiguous while others are along the last one; or -1.
  static int64_t findOtherAxis(np::KernelOp loop) {
    int64_t found = -1;
    bool alongLast = false;
    SmallVector<Value> positions(loop.getInductionVars());
    auto visit = [&](ValueRange indices) {
      if (indices.empty())
        return;
      for (auto [axis, position] : llvm::enumerate(positions))
        if (movesWith(indices.back(), position)) {
          if (axis + 1 == positions.size())
            alongLast = true;
          else if (llvm::any_of(indices.drop_back(), [&](Value index) { return movesWith(index, positions.back()); }))
            found = axis;
        }
    };
    loop.getBody()->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        visit(load.getIndices());
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        visit(store.getIndices());
    });
    return alongLast ? found : -1;
  }

  static void rewrite(np::KernelOp loop, int64_t axis) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value size = arith::ConstantIndexOp::create(builder, loc, tile),
          one = arith::ConstantIndexOp::create(builder, loc, 1);
    SmallVector<Value> upper = llvm::to_vector(loop.getExtents());
    size_t last = upper.size() - 1;
    for (size_t tiled : {size_t(axis), last})
      upper[tiled] = arith::CeilDivUIOp::create(builder, loc, upper[tiled], size);
    auto tiles = np::KernelOp::create(builder, loc, upper);
    builder.setInsertionPointToStart(tiles.getBody());
    SmallVector<Value> positions(tiles.getInductionVars());
    auto bounds = [&](size_t tiled) {
      Value from = arith::MulIOp::create(builder, loc, positions[tiled], size);
      Value to = arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, from, size),
                                        loop.getExtents()[tiled]);
      return std::pair(from, to);
    };
    auto [rowFrom, rowTo] = bounds(axis);
    auto [columnFrom, columnTo] = bounds(last);
    auto rows = scf::ForOp::create(builder, loc, rowFrom, rowTo, one);
    setTrips(rows, tile * tile);
    builder.setInsertionPointToStart(rows.getBody());
    auto columns = scf::ForOp::create(builder, loc, columnFrom, columnTo, one);
    builder.setInsertionPointToStart(columns.getBody());
    IRMapping map;
    map.map(loop.getInductionVars(), positions);
    map.map(loop.getInductionVars()[axis], rows.getInductionVar());
    map.map(loop.getInductionVars()[last], columns.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, map);
    annotateMap(columns);
    loop.erase();
  }
};
} // namespace

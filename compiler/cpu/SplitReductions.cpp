// npcc-split-reductions: a reduction in host code (a full reduction: see npcc-inline-unit-kernels) becomes a kernel over blocks, which stores
// one partial result each, and a reduction of those.
//
//   %s = scf.parallel (%i, %k) = (0, 0) to (%n, %m) init (%zero) -> f64 { ... }
// becomes
//   %partials = <%blocks elements: on the stack if they are few>
//   scf.parallel (%b) = (0) to (%blocks) {
//     %p = scf.parallel (%row, %k) = (%row0, %k0) to (%row1, %k1) init (%zero) -> f64 { ... }
//     memref.store %p, %partials[%b]
//   }
//   %s = scf.parallel (%b) = (0) to (%blocks) init (%zero) -> f64 { memref.load %partials[%b] ... }
// A block is a part of a row, or several whole rows: about `blockElements` either way. It depends on the extents only, so that the result does not
// depend on the number of threads.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace npcc;

// 128 KiB of f64: well worth the handing over to another thread.
static constexpr int64_t blockElements = 16384;
static constexpr int64_t partialsOnStack = 64;

namespace {
struct SplitReductions : PassWrapper<SplitReductions, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitReductions)
  StringRef getArgument() const override { return "npcc-split-reductions"; }
  StringRef getDescription() const override { return "Split full reductions into blocks"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, memref::MemRefDialect, np::NpDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> reductions;
    getOperation().walk([&](scf::ParallelOp loop) {
      if (isOutermost(loop) && !loop.getInitVals().empty())
        reductions.push_back(loop);
    });
    for (scf::ParallelOp loop : reductions)
      split(loop);
  }

  void split(scf::ParallelOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    auto mul = [&](Value x, Value y) -> Value { return arith::MulIOp::create(builder, loc, x, y); };
    auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(builder, loc, x, y); };
    auto min = [&](Value x, Value y) -> Value { return arith::MinUIOp::create(builder, loc, x, y); };
    auto max = [&](Value x, Value y) -> Value { return arith::MaxUIOp::create(builder, loc, x, y); };
    auto div = [&](Value x, Value y) -> Value { return arith::DivUIOp::create(builder, loc, x, y); };
    auto ceilDiv = [&](Value x, Value y) -> Value { return div(add(x, arith::SubIOp::create(builder, loc, y, index(1))), y); };

    // Rows are all axes but the last.
    SmallVector<Value> extents = llvm::to_vector(loop.getUpperBound());
    ValueRange rowExtents = ValueRange(extents).drop_back();
    Value columns = extents.back(), rows = product(builder, loc, rowExtents), zero = index(0), one = index(1);
    Value rowsInBlock = max(div(index(blockElements), max(columns, one)), one);
    Value rowBlocks = ceilDiv(rows, rowsInBlock), columnBlocks = max(ceilDiv(columns, index(blockElements)), one);
    Value blocks = mul(rowBlocks, columnBlocks);

    SmallVector<Value> partials, onHeap;
    Value many = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, blocks, index(partialsOnStack));
    for (Type type : loop.getResultTypes())
      partials.push_back(allocate(builder, loop, type, blocks, many, onHeap));

    auto outer = scf::ParallelOp::create(builder, loc, ValueRange{zero}, ValueRange{blocks}, ValueRange{one});
    builder.setInsertionPointToStart(outer.getBody());
    Value block = outer.getInductionVars()[0];
    Value row0 = mul(div(block, columnBlocks), rowsInBlock), row1 = min(add(row0, rowsInBlock), rows);
    Value column0 = mul(arith::RemUIOp::create(builder, loc, block, columnBlocks), index(blockElements));
    Value column1 = min(add(column0, index(blockElements)), columns);
    SmallVector<Value> from, to;
    if (!rowExtents.empty()) {
      from.push_back(row0);
      to.push_back(row1);
    }
    from.push_back(column0);
    to.push_back(column1);
    auto part = scf::ParallelOp::create(builder, loc, from, to, SmallVector<Value>(from.size(), one), loop.getInitVals());
    builder.setInsertionPointToStart(part.getBody());
    IRMapping map;
    SmallVector<Value> positions = part.getInductionVars();
    if (!rowExtents.empty())
      for (auto [old, position] : llvm::zip(loop.getInductionVars(), delinearize(builder, loc, positions[0], rowExtents)))
        map.map(old, position);
    map.map(loop.getInductionVars().back(), positions.back());
    if (part.getBody()->mightHaveTerminator())
      part.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(part.getBody());
    for (Operation &op : *loop.getBody())
      builder.clone(op, map);
    builder.setInsertionPointAfter(part);
    for (auto [partial, value] : llvm::zip_equal(partials, part.getResults()))
      memref::StoreOp::create(builder, loc, value, partial, block);

    builder.setInsertionPointAfter(outer);
    loop.replaceAllUsesWith(combine(builder, loop, partials, blocks));
    for (Value buffer : onHeap)
      scf::IfOp::create(builder, loc, many, [&](OpBuilder &inside, Location) {
        np::ReleaseOp::create(inside, loc, buffer);
        scf::YieldOp::create(inside, loc);
      });
    loop.erase();
  }

  /// Room for the partial results: few of them on the stack.
  Value allocate(OpBuilder &builder, scf::ParallelOp loop, Type element, Value count, Value many, SmallVectorImpl<Value> &onHeap) {
    Location loc = loop.getLoc();
    auto type = MemRefType::get({ShapedType::kDynamic}, element);
    Value onStack;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&getOperation().getBody().front());
      onStack = memref::AllocaOp::create(builder, loc, MemRefType::get({partialsOnStack}, element));
      onStack = memref::CastOp::create(builder, loc, type, onStack);
    }
    auto chosen = scf::IfOp::create(
        builder, loc, many,
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, np::AllocOp::create(inside, loc, type, ValueRange{count}).getResult()); },
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, onStack); });
    onHeap.push_back(chosen.getResult(0));
    return chosen.getResult(0);
  }

  /// The reduction of the partial results, a serial one.
  SmallVector<Value> combine(OpBuilder &builder, scf::ParallelOp loop, ValueRange partials, Value blocks) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = loop.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto serial = scf::ParallelOp::create(builder, loc, ValueRange{zero}, ValueRange{blocks}, ValueRange{one}, loop.getInitVals());
    serial->setAttr("npcc.serial", builder.getUnitAttr());
    if (serial.getBody()->mightHaveTerminator())
      serial.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(serial.getBody());
    SmallVector<Value> values;
    for (Value partial : partials)
      values.push_back(memref::LoadOp::create(builder, loc, partial, serial.getInductionVars()));
    auto reduce = scf::ReduceOp::create(builder, loc, values);
    auto original = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    for (auto [to, from] : llvm::zip_equal(reduce.getReductions(), original.getReductions())) {
      IRMapping map;
      to.getBlocks().clear();
      from.cloneInto(&to, map);
    }
    return llvm::to_vector_of<Value>(serial.getResults());
  }
};
} // namespace

std::unique_ptr<Pass> npcc::createSplitReductionsPass() { return std::make_unique<SplitReductions>(); }

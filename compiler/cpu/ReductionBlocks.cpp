#include "compiler/cpu/ReductionBlocks.h"
#include "compiler/cpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace npcc;

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

ReductionBlocks::ReductionBlocks(OpBuilder &builder, scf::ParallelOp reduction)
    : reduction(reduction), rowExtents(llvm::to_vector(reduction.getUpperBound().drop_back())), columns(reduction.getUpperBound().back()) {
  Location loc = reduction.getLoc();
  rows = product(builder, loc, rowExtents);
  Value one = constant(builder, loc, 1), elements = constant(builder, loc, blockElements);
  Value atLeastOne = arith::MaxUIOp::create(builder, loc, columns, one);
  rowsInBlock = arith::MaxUIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, elements, atLeastOne), one);
  Value rowBlocks = arith::CeilDivUIOp::create(builder, loc, rows, rowsInBlock);
  columnBlocks = arith::MaxUIOp::create(builder, loc, arith::CeilDivUIOp::create(builder, loc, columns, elements), one);
  count = arith::MulIOp::create(builder, loc, rowBlocks, columnBlocks);
}

ReductionBlocks::Bounds ReductionBlocks::getBlock(OpBuilder &builder, Value block) {
  Location loc = reduction.getLoc();
  Value elements = constant(builder, loc, blockElements);
  Bounds bounds;
  auto add = [&](Value index, Value length, Value limit) {
    Value from = arith::MulIOp::create(builder, loc, index, length);
    bounds.first.push_back(from);
    bounds.second.push_back(arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, from, length), limit));
  };
  if (!rowExtents.empty())
    add(arith::DivUIOp::create(builder, loc, block, columnBlocks), rowsInBlock, rows);
  add(arith::RemUIOp::create(builder, loc, block, columnBlocks), elements, columns);
  return bounds;
}

ReductionBlocks::Bounds ReductionBlocks::getWhole(OpBuilder &builder) {
  Value zero = constant(builder, reduction.getLoc(), 0);
  if (rowExtents.empty())
    return {{zero}, {columns}};
  return {{zero, zero}, {rows, columns}};
}

scf::ParallelOp ReductionBlocks::build(OpBuilder &builder, const Bounds &bounds, IRMapping map) {
  Location loc = reduction.getLoc();
  SmallVector<Value> steps(bounds.first.size(), constant(builder, loc, 1)), inits, extents;
  for (Value init : reduction.getInitVals())
    inits.push_back(map.lookupOrDefault(init));
  for (Value extent : rowExtents)
    extents.push_back(map.lookupOrDefault(extent));
  auto loop = scf::ParallelOp::create(builder, loc, bounds.first, bounds.second, steps, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> positions = loop.getInductionVars(), old = reduction.getInductionVars();
  if (!extents.empty())
    for (auto [from, to] : llvm::zip(old, delinearize(builder, loc, positions[0], extents)))
      map.map(from, to);
  map.map(old.back(), positions.back());
  for (Operation &op : *reduction.getBody())
    builder.clone(op, map);
  return loop;
}

scf::ParallelOp ReductionBlocks::combine(OpBuilder &builder, ValueRange partials, llvm::function_ref<Value(OpBuilder &, Value)> place) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = reduction.getLoc();
  Value zero = constant(builder, loc, 0), one = constant(builder, loc, 1);
  auto combined = scf::ParallelOp::create(builder, loc, ValueRange{zero}, ValueRange{count}, ValueRange{one}, reduction.getInitVals());
  builder.setInsertionPointToEnd(combined.getBody());
  Value position = place(builder, combined.getInductionVars()[0]);
  SmallVector<Value> values;
  for (Value partial : partials)
    values.push_back(memref::LoadOp::create(builder, loc, partial, position));
  auto reduce = scf::ReduceOp::create(builder, loc, values);
  auto original = cast<scf::ReduceOp>(reduction.getBody()->getTerminator());
  for (auto [to, from] : llvm::zip_equal(reduce.getReductions(), original.getReductions())) {
    IRMapping map;
    to.getBlocks().clear();
    from.cloneInto(&to, map);
  }
  // Few values: nothing to vectorise.
  annotateShort(combined);
  return combined;
}

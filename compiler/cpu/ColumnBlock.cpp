#include "compiler/cpu/ColumnBlock.h"
#include "compiler/cpu/Loops.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace npcc;

// Leaves of the tree, and room for the results of 2^40 of them.
static constexpr int64_t rowsInLeaf = 16, levels = 40;
// Rows that one pass over the columns adds up, where their code is not long.
static constexpr int64_t rowsTogether = 4, mostOperationsTogether = 24;

ColumnBlock::ColumnBlock(OpBuilder &builder, np::KernelOp kernel, ValueRange outer, Value first, Value end,
                         int64_t width)
    : builder(builder), kernel(kernel), loc(kernel.getLoc()), first(first), end(end), width(width) {
  for (auto [iv, position] : llvm::zip(kernel.getInductionVars(), outer))
    base.map(iv, position);
}

void ColumnBlock::build() {
  SmallVector<Operation *> piece;
  auto flush = [&] {
    if (!piece.empty())
      buildScalars(piece);
    piece.clear();
  };
  for (Operation &op : kernel.getBody()->without_terminator()) {
    if (auto serial = dyn_cast<scf::ForOp>(op)) {
      flush();
      buildSerial(serial);
      continue;
    }
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (!loop) {
      // What is the same for all columns is computed once.
      bool same = isMemoryEffectFree(&op) && !op.getNumRegions() && llvm::all_of(op.getOperands(), [&](Value operand) {
                    return kernel.isDefinedOutsideOfLoop(operand) || base.contains(operand);
                  });
      if (same)
        builder.clone(op, base);
      else
        piece.push_back(&op);
      continue;
    }
    flush();
    if (loop.getInitVals().empty())
      buildMap(loop);
    else
      buildReduction(loop);
  }
  flush();
}

scf::ForOp ColumnBlock::overColumns(OpBuilder &builder, Body body) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, first, end, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value column = loop.getInductionVar();
  body(builder, column, arith::SubIOp::create(builder, loc, column, first));
  annotateMap(loop);
  return loop;
}

Value ColumnBlock::makeArray(Type element, int64_t count) {
  OpBuilder atStart(builder.getContext());
  Block *body = builder.getInsertionBlock();
  atStart.setInsertionPointToStart(body);
  return memref::AllocaOp::create(atStart, loc, MemRefType::get({count}, element));
}

/// Is there something to compute it from in every piece?
static bool isCheap(Operation *op, np::KernelOp kernel) {
  return op && isPure(op) && !op->getNumRegions() && llvm::all_of(op->getOperands(), [&](Value operand) {
           return kernel.isDefinedOutsideOfLoop(operand) || isa<BlockArgument>(operand);
         });
}

IRMapping ColumnBlock::enter(OpBuilder &builder, ArrayRef<Operation *> piece, Value column, Value place) {
  IRMapping map = base;
  map.map(kernel.getInductionVars().back(), column);
  llvm::SmallPtrSet<Operation *, 16> members(piece.begin(), piece.end());
  for (Operation *op : piece)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (!producer || producer->getBlock() != kernel.getBody() || members.contains(producer) ||
            map.contains(operand))
          continue;
        if (auto array = arrays.find(operand); array != arrays.end())
          map.map(operand, memref::LoadOp::create(builder, loc, array->second, place).getResult());
        else
          builder.clone(*producer, map);
      }
    });
  return map;
}

void ColumnBlock::buildScalars(ArrayRef<Operation *> piece) {
  llvm::SmallPtrSet<Operation *, 16> members(piece.begin(), piece.end());
  SmallVector<Value> leaving;
  for (Operation *op : piece)
    for (Value result : op->getResults()) {
      bool leaves = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !members.contains(kernel.getBody()->findAncestorOpInBlock(*user));
      });
      if (leaves && !isCheap(op, kernel))
        leaving.push_back(result);
    }
  for (Value value : leaving)
    arrays[value] = makeArray(value.getType(), width);
  // Pieces that only compute what is made again where it is used are empty.
  bool needed = !leaving.empty() || llvm::any_of(piece, [](Operation *op) { return !isMemoryEffectFree(op); });
  if (!needed)
    return;
  overColumns(builder, [&](OpBuilder &inside, Value column, Value place) {
    IRMapping map = enter(inside, piece, column, place);
    for (Operation *op : piece)
      inside.clone(*op, map);
    for (Value value : leaving)
      memref::StoreOp::create(inside, loc, map.lookup(value), arrays[value], place);
  });
}

void ColumnBlock::buildMap(scf::ParallelOp loop) {
  SmallVector<Value> lower, upper;
  for (Value bound : loop.getLowerBound())
    lower.push_back(base.lookupOrDefault(bound));
  for (Value bound : loop.getUpperBound())
    upper.push_back(base.lookupOrDefault(bound));
  OpBuilder &outside = builder;
  buildNest(outside, loc, lower, upper, [&](OpBuilder &nest, ValueRange rows) {
    overColumns(nest, [&](OpBuilder &inside, Value column, Value place) {
      IRMapping map = enter(inside, {loop.getOperation()}, column, place);
      map.map(loop.getInductionVars(), rows);
      for (Operation &op : loop.getBody()->without_terminator())
        inside.clone(op, map);
    });
  });
}

void ColumnBlock::fill(OpBuilder &builder, ValueRange arrays, ValueRange values) {
  overColumns(builder, [&](OpBuilder &inside, Value, Value place) {
    for (auto [array, value] : llvm::zip_equal(arrays, values))
      memref::StoreOp::create(inside, loc, value, array, place);
  });
}

void ColumnBlock::accumulate(OpBuilder &builder, scf::ParallelOp loop, ValueRange rows, int64_t count,
                             ArrayRef<Combiner> combiners, ValueRange sums) {
  overColumns(builder, [&](OpBuilder &inside, Value column, Value place) {
    SmallVector<Value> totals;
    for (Value sum : sums)
      totals.push_back(memref::LoadOp::create(inside, loc, sum, place));
    for (int64_t k = 0; k < count; ++k) {
      IRMapping map = enter(inside, {loop.getOperation()}, column, place);
      SmallVector<Value> positions = llvm::to_vector(rows);
      if (k)
        positions.back() =
            arith::AddIOp::create(inside, loc, rows.back(), arith::ConstantIndexOp::create(inside, loc, k));
      map.map(loop.getInductionVars(), positions);
      for (Operation &op : loop.getBody()->without_terminator())
        inside.clone(op, map);
      auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
      for (auto [combiner, total, value] : llvm::zip_equal(combiners, totals, reduce.getOperands()))
        total = combiner.combine(inside, loc, total, combiner.widen(inside, loc, map.lookupOrDefault(value)));
    }
    for (auto [sum, total] : llvm::zip_equal(sums, totals))
      memref::StoreOp::create(inside, loc, total, sum, place);
  });
}

void ColumnBlock::accumulateRange(OpBuilder &builder, scf::ParallelOp loop, SmallVector<Value> rows, Value from,
                                  Value to, ArrayRef<Combiner> combiners, ValueRange sums) {
  auto build = [&](Value lo, Value hi, int64_t count) {
    Value step = arith::ConstantIndexOp::create(builder, loc, count);
    auto made = scf::ForOp::create(builder, loc, lo, hi, step);
    OpBuilder inside = OpBuilder::atBlockBegin(made.getBody());
    SmallVector<Value> positions = rows;
    positions.push_back(made.getInductionVar());
    accumulate(inside, loop, positions, count, combiners, sums);
  };
  int64_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  if (operations > mostOperationsTogether)
    return build(from, to, 1);
  // The sums go through memory once for several rows.
  Value together = arith::ConstantIndexOp::create(builder, loc, rowsTogether);
  Value length = arith::SubIOp::create(builder, loc, to, from);
  Value rest = arith::RemUIOp::create(builder, loc, length, together),
        middle = arith::SubIOp::create(builder, loc, to, rest);
  build(from, middle, rowsTogether);
  build(middle, to, 1);
}

void ColumnBlock::combineLevel(OpBuilder &builder, ArrayRef<Combiner> combiners, ValueRange pending, Value level,
                               ValueRange sums) {
  Value start = arith::MulIOp::create(builder, loc, level, arith::ConstantIndexOp::create(builder, loc, width));
  overColumns(builder, [&](OpBuilder &inside, Value, Value place) {
    Value position = arith::AddIOp::create(inside, loc, start, place);
    for (auto [combiner, stack, sum] : llvm::zip_equal(combiners, pending, sums)) {
      Value left = memref::LoadOp::create(inside, loc, stack, position),
            right = memref::LoadOp::create(inside, loc, sum, place);
      memref::StoreOp::create(inside, loc, combiner.combine(inside, loc, left, right), sum, place);
    }
  });
}

void ColumnBlock::buildReduction(scf::ParallelOp loop) {
  SmallVector<Combiner> combiners = getCombiners(loop);
  bool exact = llvm::all_of(combiners, [](const Combiner &combiner) { return combiner.isExact(); });
  SmallVector<Value> neutral, sums, pending, lower, upper;
  for (auto [combiner, init] : llvm::zip_equal(combiners, loop.getInitVals())) {
    neutral.push_back(combiner.widen(builder, loc, base.lookupOrDefault(init)));
    sums.push_back(makeArray(combiner.getType(), width));
    if (!exact)
      pending.push_back(makeArray(combiner.getType(), width * levels));
  }
  for (Value bound : loop.getLowerBound())
    lower.push_back(base.lookupOrDefault(bound));
  for (Value bound : loop.getUpperBound())
    upper.push_back(base.lookupOrDefault(bound));
  auto constant = [&](OpBuilder &at, int64_t value) -> Value { return arith::ConstantIndexOp::create(at, loc, value); };
  auto nonzero = [&](OpBuilder &at, Value value) -> Value {
    return arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ne, value, constant(at, 0));
  };

  fill(builder, sums, neutral);
  if (exact) {
    auto outer = [&](OpBuilder &nest, ValueRange rows) {
      accumulateRange(nest, loop, llvm::to_vector(rows), lower.back(), upper.back(), combiners, sums);
    };
    if (lower.size() == 1)
      outer(builder, ValueRange());
    else
      buildNest(builder, loc, ArrayRef(lower).drop_back(), ArrayRef(upper).drop_back(), outer);
  } else {
    // The count of leaves so far is carried through the loops.
    OpBuilder::InsertionGuard guard(builder);
    Value count = constant(builder, 0), one = constant(builder, 1), step = constant(builder, rowsInLeaf);
    SmallVector<scf::ForOp> nest;
    SmallVector<Value> rows;
    for (size_t axis = 0; axis < lower.size(); ++axis) {
      bool last = axis + 1 == lower.size();
      nest.push_back(scf::ForOp::create(builder, loc, lower[axis], upper[axis], last ? step : one, ValueRange{count}));
      rows.push_back(nest.back().getInductionVar());
      count = nest.back().getRegionIterArg(0);
      builder.setInsertionPointToStart(nest.back().getBody());
    }
    Value from = rows.back(),
          to = arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, from, step), upper.back());
    rows.pop_back();
    accumulateRange(builder, loop, rows, from, to, combiners, sums);
    // As PairwiseTree::push.
    auto climb = scf::WhileOp::create(
        builder, loc, TypeRange{one.getType(), one.getType()}, ValueRange{count, constant(builder, 0)},
        [&](OpBuilder &inside, Location, ValueRange state) {
          Value bit = arith::AndIOp::create(inside, loc, state[0], constant(inside, 1));
          scf::ConditionOp::create(inside, loc, nonzero(inside, bit), state);
        },
        [&](OpBuilder &inside, Location, ValueRange state) {
          combineLevel(inside, combiners, pending, state[1], sums);
          Value bits = arith::ShRUIOp::create(inside, loc, state[0], constant(inside, 1));
          Value level = arith::AddIOp::create(inside, loc, state[1], constant(inside, 1));
          scf::YieldOp::create(inside, loc, ValueRange{bits, level});
        });
    Value start = arith::MulIOp::create(builder, loc, climb.getResult(1), constant(builder, width));
    overColumns(builder, [&](OpBuilder &inside, Value, Value place) {
      Value position = arith::AddIOp::create(inside, loc, start, place);
      for (auto [stack, sum, init] : llvm::zip_equal(pending, sums, neutral)) {
        memref::StoreOp::create(inside, loc, memref::LoadOp::create(inside, loc, sum, place), stack, position);
        memref::StoreOp::create(inside, loc, init, sum, place);
      }
    });
    Value next = arith::AddIOp::create(builder, loc, count, one);
    for (scf::ForOp each : llvm::reverse(nest)) {
      scf::YieldOp::create(builder, loc, next);
      next = each.getResult(0);
      builder.setInsertionPointAfter(each);
    }
    // As PairwiseTree::finish.
    scf::WhileOp::create(
        builder, loc, TypeRange{one.getType(), one.getType()}, ValueRange{next, constant(builder, 0)},
        [&](OpBuilder &inside, Location, ValueRange state) {
          scf::ConditionOp::create(inside, loc, nonzero(inside, state[0]), state);
        },
        [&](OpBuilder &inside, Location, ValueRange state) {
          Value bit = arith::AndIOp::create(inside, loc, state[0], constant(inside, 1));
          scf::IfOp::create(inside, loc, nonzero(inside, bit), [&](OpBuilder &then, Location) {
            combineLevel(then, combiners, pending, state[1], sums);
            scf::YieldOp::create(then, loc);
          });
          Value bits = arith::ShRUIOp::create(inside, loc, state[0], constant(inside, 1));
          Value level = arith::AddIOp::create(inside, loc, state[1], constant(inside, 1));
          scf::YieldOp::create(inside, loc, ValueRange{bits, level});
        });
  }
  // Half floats become half again.
  for (auto [combiner, sum, result] : llvm::zip_equal(combiners, sums, loop.getResults())) {
    if (combiner.getType() == result.getType()) {
      arrays[result] = sum;
      continue;
    }
    Value narrow = makeArray(result.getType(), width);
    overColumns(builder, [&](OpBuilder &inside, Value, Value place) {
      Value value = combiner.narrow(inside, loc, memref::LoadOp::create(inside, loc, sum, place));
      memref::StoreOp::create(inside, loc, value, narrow, place);
    });
    arrays[result] = narrow;
  }
}

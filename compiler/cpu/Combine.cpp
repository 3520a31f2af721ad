#include "compiler/cpu/Combine.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace npcc;

//===---- The tree -----------------------------------------------------------------------------------------------------===//

PairwiseTree::PairwiseTree(OpBuilder &builder, scf::ParallelOp loop, ArrayRef<Combiner> combiners, ValueRange neutral)
    : combiners(combiners), neutral(neutral) {
  // Once for each function or kernel, not where the loop stands: that may be in a loop itself.
  OpBuilder::InsertionGuard guard(builder);
  Block *body = &loop->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
  for (Operation *parent = loop->getParentOp(); parent; parent = parent->getParentOp())
    if (auto kernel = dyn_cast<np::KernelOp>(parent))
      body = kernel.getBody();
  builder.setInsertionPointToStart(body);
  for (const Combiner &combiner : combiners)
    pending.push_back(memref::AllocaOp::create(builder, loop.getLoc(), MemRefType::get({64}, combiner.getType())));
}

SmallVector<Value> PairwiseTree::combineWith(OpBuilder &builder, Location loc, Value level, ValueRange values) {
  SmallVector<Value> sums;
  for (auto [combiner, stack, value] : llvm::zip_equal(combiners, pending, values))
    sums.push_back(combiner.combine(builder, loc, memref::LoadOp::create(builder, loc, stack, level), value));
  return sums;
}

Value PairwiseTree::push(OpBuilder &builder, Location loc, Value count, ValueRange values) {
  auto one = [&](OpBuilder &inside) -> Value { return arith::ConstantIndexOp::create(inside, loc, 1); };
  auto zero = [&](OpBuilder &inside) -> Value { return arith::ConstantIndexOp::create(inside, loc, 0); };
  // (bits of the count, level, values)
  SmallVector<Value> start{count, zero(builder)};
  llvm::append_range(start, values);
  auto climb = scf::WhileOp::create(
      builder, loc, ValueRange(start).getTypes(), start,
      [&](OpBuilder &inside, Location, ValueRange state) {
        Value bit = arith::AndIOp::create(inside, loc, state[0], one(inside));
        Value waiting = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ne, bit, zero(inside));
        scf::ConditionOp::create(inside, loc, waiting, state);
      },
      [&](OpBuilder &inside, Location, ValueRange state) {
        SmallVector<Value> next{arith::ShRUIOp::create(inside, loc, state[0], one(inside)),
                                arith::AddIOp::create(inside, loc, state[1], one(inside))};
        llvm::append_range(next, combineWith(inside, loc, state[1], state.drop_front(2)));
        scf::YieldOp::create(inside, loc, next);
      });
  for (auto [stack, value] : llvm::zip_equal(pending, climb.getResults().drop_front(2)))
    memref::StoreOp::create(builder, loc, value, stack, climb.getResult(1));
  return arith::AddIOp::create(builder, loc, count, one(builder));
}

SmallVector<Value> PairwiseTree::finish(OpBuilder &builder, Location loc, Value count) {
  auto constant = [&](OpBuilder &inside, int64_t value) -> Value { return arith::ConstantIndexOp::create(inside, loc, value); };
  SmallVector<Value> start{count, constant(builder, 0)};
  llvm::append_range(start, neutral);
  auto walk = scf::WhileOp::create(
      builder, loc, ValueRange(start).getTypes(), start,
      [&](OpBuilder &inside, Location, ValueRange state) {
        Value more = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ne, state[0], constant(inside, 0));
        scf::ConditionOp::create(inside, loc, more, state);
      },
      [&](OpBuilder &inside, Location, ValueRange state) {
        Value bit = arith::AndIOp::create(inside, loc, state[0], constant(inside, 1));
        Value waiting = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ne, bit, constant(inside, 0));
        ValueRange values = state.drop_front(2);
        auto combined = scf::IfOp::create(
            inside, loc, waiting,
            [&](OpBuilder &then, Location) { scf::YieldOp::create(then, loc, combineWith(then, loc, state[1], values)); },
            [&](OpBuilder &otherwise, Location) { scf::YieldOp::create(otherwise, loc, values); });
        SmallVector<Value> next{arith::ShRUIOp::create(inside, loc, state[0], constant(inside, 1)),
                                arith::AddIOp::create(inside, loc, state[1], constant(inside, 1))};
        llvm::append_range(next, combined.getResults());
        scf::YieldOp::create(inside, loc, next);
      });
  return llvm::to_vector_of<Value>(walk.getResults().drop_front(2));
}

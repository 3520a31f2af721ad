#include "compiler/kernels/Updates.h"
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {

static std::optional<arith::AtomicRMWKind> getKind(Operation *combine) {
  if (isa<arith::AddIOp, arith::SubIOp>(combine))
    return arith::AtomicRMWKind::addi;
  if (isa<arith::AndIOp>(combine))
    return arith::AtomicRMWKind::andi;
  if (isa<arith::OrIOp>(combine))
    return arith::AtomicRMWKind::ori;
  if (isa<arith::MaxSIOp>(combine))
    return arith::AtomicRMWKind::maxs;
  if (isa<arith::MinSIOp>(combine))
    return arith::AtomicRMWKind::mins;
  if (isa<arith::MaxUIOp>(combine))
    return arith::AtomicRMWKind::maxu;
  if (isa<arith::MinUIOp>(combine))
    return arith::AtomicRMWKind::minu;
  return std::nullopt;
}

void collectSlice(scf::ForOp loop, Value value, llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op) || slice.contains(op))
    return;
  slice.insert(op);
  op->walk([&](Operation *inside) {
    slice.insert(inside);
    for (Value operand : inside->getOperands())
      collectSlice(loop, operand, slice);
  });
}

bool isPositionGivenByMemory(scf::ForOp loop, Value index) {
  llvm::SetVector<Operation *> slice;
  collectSlice(loop, index, slice);
  return llvm::any_of(slice, [](Operation *op) { return isa<memref::LoadOp>(op); });
}

SmallVector<Update> findUpdates(scf::ForOp loop) {
  SmallVector<Update> updates;
  loop.walk([&](memref::StoreOp store) {
    Operation *combine = store.getValueToStore().getDefiningOp();
    if (!combine || !combine->hasOneUse() || combine->getBlock() != store->getBlock())
      return;
    std::optional<arith::AtomicRMWKind> kind = getKind(combine);
    if (!kind)
      return;
    for (Value operand : combine->getOperands()) {
      auto load = operand.getDefiningOp<memref::LoadOp>();
      bool isSame = load && load->getBlock() == store->getBlock() && load->hasOneUse() && load.getMemRef() == store.getMemRef() &&
                    llvm::equal(load.getIndices(), store.getIndices()) && (!isa<arith::SubIOp>(combine) || operand == combine->getOperand(0));
      if (!isSame)
        continue;
      if (llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); }))
        updates.push_back({load, combine, store, *kind});
      return;
    }
  });
  return updates;
}

void Update::makeAtomic() {
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value other = combine->getOperand(combine->getOperand(0) == load.getResult() ? 1 : 0);
  if (isa<arith::SubIOp>(combine)) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(other.getType()));
    other = arith::SubIOp::create(builder, loc, zero, other);
  }
  memref::AtomicRMWOp::create(builder, loc, kind, other, store.getMemRef(), store.getIndices());
  store.erase();
  combine->erase();
  load.erase();
}

scf::IfOp getBranch(Block *block, scf::ForOp loop) {
  auto branch = dyn_cast_if_present<scf::IfOp>(block->getParentOp());
  bool isPart = branch && branch->getBlock() == loop.getBody() && branch.getNumResults() == 0 && !branch.elseBlock();
  return isPart ? branch : scf::IfOp();
}

bool checkPositionsBefore(scf::ForOp outer, scf::ForOp innermost, bool releases) {
  SmallVector<np::CheckIndexOp> checks;
  outer.walk([&](np::CheckIndexOp check) { checks.push_back(check); });
  if (checks.empty())
    return true;
  // All of them are made in every iteration, or where a condition of the iteration holds.
  Block *checked = checks.front()->getBlock();
  scf::IfOp branch = getBranch(checked, innermost);
  if (!llvm::all_of(checks, [&](np::CheckIndexOp check) { return check->getBlock() == checked; }) ||
      (checked != innermost.getBody() && !branch))
    return false;
  llvm::SetVector<Operation *> slice;
  if (branch)
    collectSlice(outer, branch.getCondition(), slice);
  for (np::CheckIndexOp check : checks) {
    collectSlice(outer, check.getPosition(), slice);
    collectSlice(outer, check.getSize(), slice);
  }
  bool isSimple = llvm::all_of(slice, [&](Operation *op) {
    bool isPlain = (op->getBlock() == innermost.getBody() || op->getBlock() == checked) && op->getNumRegions() == 0;
    return isPlain && (isa<memref::LoadOp>(op) || (isMemoryEffectFree(op) && !isa<np::CheckIndexOp>(op)));
  });
  if (!isSimple)
    return false;

  OpBuilder builder(outer);
  Location loc = outer.getLoc();
  SmallVector<scf::ForOp> nest;
  for (Operation *op = innermost; op != outer->getParentOp(); op = op->getParentOp())
    nest.insert(nest.begin(), cast<scf::ForOp>(op));
  Value holds = arith::ConstantIntOp::create(builder, loc, 1, 1);
  SmallVector<scf::ForOp> loops;
  IRMapping map;
  SmallVector<Value> lower, extents, steps;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (scf::ForOp loop : nest) {
    Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
    Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep());
    if (!count.getType().isIndex())
      count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), count);
    extents.push_back(builder.createOrFold<arith::MaxSIOp>(loc, count, zero));
    lower.push_back(zero);
    steps.push_back(one);
  }
  // The host reads the outcome from memory.
  auto outcome = np::AllocOp::create(builder, loc, MemRefType::get({}, builder.getI8Type()), ValueRange());
  auto kernel = np::KernelOp::create(builder, loc, ValueRange{one});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(kernel.getBody());
    auto all = scf::ParallelOp::create(builder, loc, lower, extents, steps, ValueRange{holds});
    Value stored = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), all.getResult(0));
    memref::StoreOp::create(builder, loc, stored, outcome, ValueRange());
    builder.setInsertionPointToStart(all.getBody());
    for (auto [loop, position] : llvm::zip(nest, all.getInductionVars())) {
      Value index = position;
      Type type = loop.getInductionVar().getType();
      if (type != index.getType())
        index = arith::IndexCastOp::create(builder, loc, type, index);
      index = builder.createOrFold<arith::MulIOp>(loc, index, loop.getStep());
      map.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound()));
    }
    auto cloneSlice = [&](Block &block) {
      for (Operation &op : block)
        if (slice.contains(&op))
          builder.clone(op, map);
    };
    cloneSlice(*innermost.getBody());
    scf::IfOp where;
    if (branch) {
      where = scf::IfOp::create(builder, loc, builder.getI1Type(), map.lookupOrDefault(branch.getCondition()),
                                /*withElseRegion=*/true);
      builder.setInsertionPointToEnd(&where.getElseRegion().front());
      scf::YieldOp::create(builder, loc, holds);
      builder.setInsertionPointToEnd(&where.getThenRegion().front());
      cloneSlice(*checked);
    }
    Value isInside = holds;
    for (np::CheckIndexOp check : checks) {
      Value position = map.lookupOrDefault(check.getPosition()), size = map.lookupOrDefault(check.getSize());
      Value least = arith::SubIOp::create(builder, loc, zero, size);
      Value high = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, position, size);
      Value low = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, position, least);
      isInside = builder.createOrFold<arith::AndIOp>(loc, isInside, arith::AndIOp::create(builder, loc, high, low));
    }
    if (where) {
      scf::YieldOp::create(builder, loc, isInside);
      isInside = where.getResult(0);
      builder.setInsertionPointAfter(where);
    }
    auto reduce = scf::ReduceOp::create(builder, loc, ValueRange{isInside});
    Block &combiner = reduce.getReductions()[0].front();
    builder.setInsertionPointToStart(&combiner);
    Value both = arith::AndIOp::create(builder, loc, combiner.getArgument(0), combiner.getArgument(1));
    scf::ReduceReturnOp::create(builder, loc, both);
  }
  Value allHold = memref::LoadOp::create(builder, loc, outcome, ValueRange());
  allHold = arith::TruncIOp::create(builder, loc, builder.getI1Type(), allHold);
  if (releases)
    np::ReleaseOp::create(builder, loc, outcome);
  auto versions = np::AlternativesOp::create(builder, loc, TypeRange(), "updates without checks", allHold);
  versions.setGeneral(builder.clone(*outer));
  versions.setOffered(outer);
  for (np::CheckIndexOp check : checks) {
    builder.setInsertionPoint(check);
    check.replaceAllUsesWith(IndexMath{builder, loc}.fromStart(check.getPosition(), check.getSize()));
    check.erase();
  }
  return true;
}

} // namespace npcc

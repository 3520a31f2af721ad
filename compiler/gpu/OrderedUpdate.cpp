#include "compiler/gpu/OrderedUpdate.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
namespace {

/// A perfect nest, rectangular, that carries nothing.
SmallVector<scf::ForOp> getNest(scf::ForOp outer) {
  SmallVector<scf::ForOp> nest{outer};
  while (auto inner = dyn_cast<scf::ForOp>(nest.back().getBody()->front())) {
    bool isPerfect = inner->getNextNode() == nest.back().getBody()->getTerminator() && inner.getNumResults() == 0;
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      isPerfect &= !outer->isAncestor(bound.getParentRegion()->getParentOp());
    if (!isPerfect)
      break;
    nest.push_back(inner);
  }
  return nest;
}

/// The branch that an iteration ends with.
scf::IfOp getLastBranch(scf::ForOp innermost) {
  auto last = dyn_cast<scf::IfOp>(innermost.getBody()->getTerminator()->getPrevNode());
  scf::IfOp branch = last ? getBranch(last.thenBlock(), innermost) : scf::IfOp();
  return branch && !branch.thenBlock()->without_terminator().empty() ? branch : scf::IfOp();
}

/// The kernel that an iteration is, behind what finds its row: as long in each iteration.
np::KernelOp getRow(scf::ForOp outer, Block *iteration) {
  auto kernel = dyn_cast<np::KernelOp>(iteration->getTerminator()->getPrevNode());
  bool isSame = kernel && llvm::none_of(kernel.getExtents(), [&](Value extent) {
                  return outer->isAncestor(extent.getParentRegion()->getParentOp());
                });
  return isSame ? kernel : np::KernelOp();
}

/// Whether each element of a row is stored by one of its threads: the elements are numbered by the threads' own
/// positions, each of which is one index.
bool storesOwnElements(OrderedUpdate &update) {
  auto isOne = [&](Value position) { return llvm::count(update.store.getIndices(), position) == 1; };
  bool areOthersGiven = llvm::all_of(update.store.getIndices(), [&](Value index) {
    return update.isAlongRow(index) || !update.row->isAncestor(index.getParentRegion()->getParentOp());
  });
  return areOthersGiven && llvm::all_of(update.row.getInductionVars(), isOne);
}

} // namespace

void hoistFromRow(scf::ForOp loop, bool general) {
  if (loop.getNumResults() || loop.getBody()->without_terminator().empty())
    return;
  scf::ForOp innermost = getNest(loop).back();
  if (innermost.getBody()->without_terminator().empty())
    return;
  scf::IfOp branch = getLastBranch(innermost);
  np::KernelOp row = getRow(loop, branch ? branch.thenBlock() : innermost.getBody());
  if (!row)
    return;
  auto isOutside = [&](Value value) { return !row->isAncestor(value.getParentRegion()->getParentOp()); };
  bool isMoved = false;
  for (Operation &op : llvm::make_early_inc_range(row.getBody()->without_terminator())) {
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isSame = isa<np::CheckIndexOp>(op) || (load && !mayWriteTo(loop, load.getMemRef(), general)) ||
                  (isMemoryEffectFree(&op) && !op.getNumRegions());
    if (!isSame || !llvm::all_of(op.getOperands(), isOutside))
      continue;
    op.moveBefore(row);
    isMoved = true;
  }
  if (!isMoved)
    return;
  // A row without elements does nothing, and fails at nothing.
  OpBuilder builder(loop);
  IndexMath m{builder, loop.getLoc()};
  Value hasElements = m.truth(true);
  for (Value extent : row.getExtents())
    hasElements = m.both(hasElements, m.compare(arith::CmpIPredicate::sgt, extent, m.constant(0)));
  auto guard = scf::IfOp::create(builder, loop.getLoc(), hasElements, /*withElseRegion=*/false);
  loop->moveBefore(guard.thenYield());
}

std::optional<OrderedUpdate> findOrderedUpdate(scf::ForOp loop, bool general) {
  if (loop.getNumResults() || loop.getBody()->without_terminator().empty())
    return std::nullopt;
  OrderedUpdate update;
  update.nest = getNest(loop);
  if (update.nest.back().getBody()->without_terminator().empty())
    return std::nullopt;
  update.branch = getLastBranch(update.nest.back());
  update.row = getRow(loop, update.getIteration());
  SmallVector<memref::LoadOp> loads;
  auto look = [&](Operation &op) {
    if (llvm::any_of(op.getOperandTypes(), isInHostMemory)) // the host's own loop
      return false;
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      bool isFirst = !update.store && store->getBlock() == update.getBody();
      update.store = store;
      return isFirst;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      loads.push_back(load);
      return true;
    }
    bool mayFail = isa<np::CheckIndexOp, np::AssertOp>(op) && op.getBlock() == update.getIteration();
    if (auto assertion = dyn_cast<np::AssertOp>(op))
      update.assertions.push_back(assertion);
    return &op == update.row || &op == update.branch || (!op.getNumRegions() && (isMemoryEffectFree(&op) || mayFail));
  };
  if (!llvm::all_of(update.nest.back().getBody()->without_terminator(), look))
    return std::nullopt;
  if (update.branch && !llvm::all_of(update.getIteration()->without_terminator(), look))
    return std::nullopt;
  if (update.row && !llvm::all_of(update.getBody()->without_terminator(), look))
    return std::nullopt;
  if (!update.store || update.isInside(update.store.getMemRef()) || (update.row && !storesOwnElements(update)))
    return std::nullopt;
  if (!update.assertions.empty() && update.branch)
    return std::nullopt;
  if (!update.assertions.empty() && !update.store.getMemRef().getDefiningOp<np::AllocOp>())
    return std::nullopt;
  llvm::DenseSet<Value> changing;
  for (memref::LoadOp load : loads) {
    if (!mayAlias(load.getMemRef(), update.store.getMemRef(), general))
      continue;
    if (load.getMemRef() != update.store.getMemRef() || !llvm::equal(load.getIndices(), update.store.getIndices()))
      return std::nullopt;
    update.olds.push_back(load);
    changing.insert(load.getResult());
  }
  for (Operation &op : update.getBody()->without_terminator()) {
    if (&op == update.store ||
        !llvm::any_of(op.getOperands(), [&](Value operand) { return changing.contains(operand); }))
      continue;
    if (!isMemoryEffectFree(&op))
      return std::nullopt; // a position that depends on what is stored
    update.chain.insert(&op);
    changing.insert_range(op.getResults());
  }
  if (llvm::any_of(update.store.getIndices(), [&](Value index) { return changing.contains(index); }))
    return std::nullopt;
  if (update.branch && changing.contains(update.branch.getCondition()))
    return std::nullopt;
  auto addInput = [&](Value value) {
    if (!changing.contains(value) && update.isInside(value))
      update.inputs.insert(value);
  };
  for (Operation *op : update.chain)
    for (Value operand : op->getOperands())
      addInput(operand);
  addInput(update.store.getValueToStore());
  bool isSimple = llvm::all_of(
      update.inputs, [](Value value) { return isa<IntegerType, IndexType, FloatType, ComplexType>(value.getType()); });
  bool isMoving = llvm::any_of(update.store.getIndices(), [&](Value index) { return update.isInside(index); });
  return isSimple && isMoving ? std::optional(update) : std::nullopt;
}

UpdateCode::UpdateCode(OrderedUpdate &update)
    : update(update), builder(update.nest.front()), loc(update.nest.front().getLoc()) {
  zero = math().constant(0), one = math().constant(1);
  count = one;
  for (scf::ForOp loop : update.nest) {
    Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
    Value trips = toIndex(builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep()));
    extents.push_back(math().max(trips, zero));
    count = math().mul(count, extents.back());
  }
}

void UpdateCode::emitKernel(ValueRange bounds, function_ref<void(ValueRange)> emitBody) {
  auto kernel = np::KernelOp::create(builder, loc, bounds);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel.getBody()->getTerminator());
  emitBody(kernel.getInductionVars());
}

void UpdateCode::emitIteration(Value number, IRMapping &map, ValueRange wanted) {
  for (auto [loop, position] : llvm::zip_equal(update.nest, math().unravel(number, extents))) {
    Type type = loop.getInductionVar().getType();
    if (!type.isIndex())
      position = arith::IndexCastOp::create(builder, loc, type, position);
    position = builder.createOrFold<arith::MulIOp>(loc, position, loop.getStep());
    map.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, position, loop.getLowerBound()));
  }
  llvm::SetVector<Operation *> slice;
  for (Value value : wanted)
    collect(value, slice);
  for (Operation *op : slice)
    builder.clone(*op, map);
}

void UpdateCode::enterWhereUpdated(Value number, IRMapping &map) {
  if (!update.branch)
    return;
  Value condition = update.branch.getCondition();
  emitIteration(number, map, condition);
  auto where = scf::IfOp::create(builder, loc, map.lookupOrDefault(condition), /*withElseRegion=*/false);
  builder.setInsertionPoint(where.thenYield());
}

void UpdateCode::emitAssertions() {
  if (update.assertions.empty())
    return;
  emitKernel(count, [&](ValueRange at) {
    IRMapping map;
    emitIteration(at[0], map, {});
    for (Operation &op : update.nest.back().getBody()->without_terminator())
      if (&op != update.store && &op != update.row && !update.chain.contains(&op) &&
          !llvm::is_contained(update.olds, dyn_cast<memref::LoadOp>(op)))
        builder.clone(op, map);
  });
}

void UpdateCode::collect(Value value, llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || !update.isInside(value) || slice.contains(op))
    return;
  for (Value operand : op->getOperands())
    collect(operand, slice);
  slice.insert(op);
}

SmallVector<Value> UpdateCode::getBounds() {
  SmallVector<Value> bounds{count};
  if (update.row)
    llvm::append_range(bounds, update.row.getExtents());
  return bounds;
}

Value UpdateCode::toIndex(Value value) {
  return value.getType().isIndex() ? value
                                   : Value(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value));
}
Value UpdateCode::toI64(Value value) { return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value); }

} // namespace npcc

// Kernels of groups of sinks, and code of single elements.
#include "compiler/kernels/FunctionFuser.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/ScalarOps.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Ufunc.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace npcc::np;
namespace npcc {

/// Begins a kernel over these extents, or one that runs once if there are none. The builder inserts into its body from
/// then on. Gives the position of an iteration.
static SmallVector<Value> beginKernel(OpBuilder &builder, Location loc, ArrayRef<Value> extents) {
  SmallVector<Value> bounds(extents);
  if (extents.empty())
    bounds.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  auto kernel = KernelOp::create(builder, loc, bounds);
  builder.setInsertionPoint(kernel.getBody()->getTerminator());
  return extents.empty() ? SmallVector<Value>() : llvm::to_vector_of<Value>(kernel.getBody()->getArguments());
}

static void emitCheck(OpBuilder &builder, Location loc, Value position, Value extent, int64_t axis) {
  Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), position);
  CheckIndexOp::create(builder, loc, builder.getIndexType(), index, extent, axis);
}

void FunctionFuser::emitGroup(SinkGroup &group) {
  Operation *first = group.sinks.front();
  builder.setInsertionPoint(group.end);
  if (auto gather = dyn_cast<GatherOp>(first))
    return emitChecks(gather);
  Location loc = first->getLoc();
  if (Value value = getStoredValue(first)) {
    if (auto matmul = value.getDefiningOp<MatmulOp>())
      return emitMatmul(matmul, getWrittenArray(first));
    if (auto sort = value.getDefiningOp<SortOp>())
      return emitSort(sort, getWrittenArray(first));
    if (isOpaque(value.getDefiningOp()))
      return emitOpaque(value.getDefiningOp(), getWrittenArray(first));
  }
  checkWhereNothingIsComputed(group);
  SmallVector<Value> extents = getResolvedExtents(builder, loc, getWrittenArray(first), origins);
  ElementEmitter elements = makeElements();
  if (extents.empty()) {
    bool needsKernel = llvm::any_of(group.sinks, [&](Operation *sink) {
      Value value = getStoredValue(sink);
      return value && (hasReduction(value) || (!target.hostSharesMemory && isa<NewOp>(sink) && !isInLoop(sink)));
    });
    if (!needsKernel) {
      for (Operation *sink : group.sinks)
        emitSink(elements, sink, {});
      failedOnce |= elements.hasFailed();
      return;
    }
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> position = beginKernel(builder, loc, extents);
  elements.inScope([&] {
    for (Operation *sink : group.sinks)
      emitSink(elements, sink, position);
  });
  failedOnce |= elements.hasFailed();
}

bool FunctionFuser::isInLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>() != nullptr; }

bool FunctionFuser::hasReduction(Value value) {
  llvm::SmallDenseSet<Value> seen;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *producer = next.getDefiningOp();
    if (!producer || isa<LoadOp>(producer) || !seen.insert(next).second)
      continue;
    if (isa<ReduceOp>(producer))
      return true;
    for (Value operand : producer->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        open.push_back(operand);
  }
  return false;
}

void FunctionFuser::emitSink(ElementEmitter &elements, Operation *sink, ArrayRef<Value> position) {
  Location loc = sink->getLoc();
  Value stored = sink->getOperand(0);
  auto storeElement = [&] {
    ArrayRef<Value> at = getRank(stored.getType()) ? position : ArrayRef<Value>();
    elements.store(loc, elements.emit(loc, stored, at), getWrittenArray(sink), position);
  };
  auto masked = dyn_cast<StoreMaskedOp>(sink);
  if (!masked)
    return storeElement();
  Value mask = elements.emit(loc, masked.getMask(), position.take_front(getRank(masked.getMask().getType())));
  auto branch = scf::IfOp::create(builder, loc, mask, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  elements.inScope(storeElement);
}

void FunctionFuser::emitChecks(GatherOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> bounds = getResolvedExtents(builder, loc, op.getIndices().front(), origins);
  SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getSource(), origins);
  for (auto [indices, axis] : llvm::zip_equal(op.getIndices(), op.getAxes())) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> position = beginKernel(builder, loc, bounds);
    ElementEmitter elements = makeElements();
    emitCheck(builder, loc, elements.emit(loc, indices, position), extents[axis], axis);
    failedOnce |= elements.hasFailed();
  }
}

void FunctionFuser::checkWhereNothingIsComputed(SinkGroup &group) {
  // With the last broadcast that each value goes through, which may stretch one element to none.
  llvm::MapVector<Value, BroadcastOp> tree;
  for (Operation *sink : group.sinks)
    for (Value operand : sink->getOperands())
      tree.insert({operand, BroadcastOp()});
  for (size_t k = 0; k < tree.size(); ++k) {
    auto [value, stretched] = *(tree.begin() + k);
    Operation *producer = value.getDefiningOp();
    if (!producer || !isa<RankedTensorType>(value.getType()) || isa<LoadOp>(producer))
      continue;
    if (auto broadcast = dyn_cast<BroadcastOp>(producer))
      stretched = broadcast;
    for (Value operand : producer->getOperands())
      tree.insert({operand, stretched});
    auto gather = dyn_cast<GatherOp>(producer);
    if (gather && !checkedFirst.contains(gather) && !checkedWhereEmpty.contains(gather))
      checkIfEmpty(gather, stretched, group.end->getBlock());
  }
}

void FunctionFuser::checkIfEmpty(GatherOp gather, BroadcastOp stretched, Block *block) {
  if (!mayBeEmpty(gather, origins))
    return;
  Location loc = gather.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  IndexMath m{builder, loc};
  SmallVector<Value> none, outer; // where one of these is 0, there are no elements; nor does anybody look at positions
  SmallVector<Value> extents = getResolvedExtents(builder, loc, gather.getSource(), origins);
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (!llvm::is_contained(gather.getAxes(), int64_t(axis)))
      (gather.getAsTaken() && int64_t(axis) < gather.getAxes().front() ? outer : none).push_back(extent);
  if (stretched)
    llvm::append_range(none, getResolvedExtents(builder, loc, stretched, origins));
  if (none.empty())
    return;
  if (block == gather->getBlock())
    checkedWhereEmpty.insert(gather);
  Value isEmpty = m.truth(false);
  for (Value extent : none)
    isEmpty = m.either(isEmpty, m.compare(arith::CmpIPredicate::eq, extent, m.constant(0)));
  for (Value extent : outer)
    isEmpty = m.both(isEmpty, m.compare(arith::CmpIPredicate::ne, extent, m.constant(0)));
  auto checks = AlternativesOp::create(builder, loc, TypeRange(), "positions without elements", isEmpty);
  checks.setNeeded(true);
  builder.setInsertionPoint(checks.getOfferedEnd());
  emitChecks(gather);
}

/// Goes on where the mask, if there is one, is true.
void FunctionFuser::enterWhere(Value mask, Location loc, ElementEmitter &elements, ArrayRef<Value> position) {
  if (!mask)
    return;
  auto chosen = scf::IfOp::create(builder, loc, elements.emit(loc, mask, position), /*withElseRegion=*/false);
  builder.setInsertionPoint(chosen.thenYield());
}

void FunctionFuser::checkPositions(ScatterOp op, ArrayRef<Value> indexExtents, ArrayRef<Value> extents) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [indices, axis] : llvm::zip_equal(op.getIndices(), op.getAxes())) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> position;
    for (Value extent : indexExtents) {
      auto loop = scf::ForOp::create(builder, loc, zero, extent, one);
      builder.setInsertionPointToStart(loop.getBody());
      position.push_back(loop.getInductionVar());
    }
    ElementEmitter elements = makeElements();
    enterWhere(op.getMask(), loc, elements, position);
    emitCheck(builder, loc, elements.emit(loc, indices, position), extents[axis], axis);
  }
}

void FunctionFuser::emitScatter(ScatterOp op) {
  builder.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> indexExtents = getResolvedExtents(builder, loc, op.getIndices().front(), origins);
  SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getArray(), origins);
  // NumPy looks at all positions before it stores. A device stores on behind a check that has failed in any case.
  bool isChecked = !op.getDistinct() && target.hostSharesMemory;
  if (isChecked)
    checkPositions(op, indexExtents, extents);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> bounds, position;
  bool isPoint = true;
  int64_t first = op.getAxes().front();
  for (int64_t axis = 0; axis < getRank(op.getArray().getType()); ++axis) {
    if (axis == first)
      bounds.append(indexExtents);
    if (!llvm::is_contained(op.getAxes(), axis))
      bounds.push_back(extents[axis]);
  }
  OpBuilder::InsertionGuard guard(builder);
  ElementEmitter elements = makeElements();
  size_t last = first + indexExtents.size();
  if (op.getDistinct()) {
    if (bounds.empty())
      bounds.push_back(one);
    else
      isPoint = false;
    auto kernel = KernelOp::create(builder, loc, bounds);
    if (!isPoint)
      llvm::append_range(position, kernel.getInductionVars());
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    enterWhere(op.getMask(), loc, elements, ArrayRef(position).slice(first, isPoint ? 0 : indexExtents.size()));
  } else {
    for (Value bound : bounds) {
      auto loop = scf::ForOp::create(builder, loc, zero, bound, one);
      builder.setInsertionPointToStart(loop.getBody());
      position.push_back(loop.getInductionVar());
      if (position.size() == last)
        enterWhere(op.getMask(), loc, elements, ArrayRef(position).slice(first));
    }
  }
  SmallVector<Value> place;
  ArrayRef<Value> indexPosition = ArrayRef(position).slice(first, indexExtents.size());
  Value isInside;
  size_t next = 0;
  for (int64_t axis = 0; axis < static_cast<int64_t>(extents.size()); ++axis) {
    if (!llvm::is_contained(op.getAxes(), axis)) {
      place.push_back(position[axis < first ? axis : axis - op.getAxes().size() + indexExtents.size()]);
      continue;
    }
    Value raw = elements.emit(loc, op.getIndices()[next++], indexPosition);
    Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), raw);
    if (isChecked) {
      place.push_back(IndexMath{builder, loc}.fromStart(index, extents[axis]));
      continue;
    }
    if (!op.getDistinct()) {
      place.push_back(CheckIndexOp::create(builder, loc, builder.getIndexType(), index, extents[axis], axis));
      continue;
    }
    place.push_back(index);
    Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, extents[axis]);
    isInside = isInside ? arith::AndIOp::create(builder, loc, isInside, isBelow) : isBelow;
  }
  if (isInside)
    builder.setInsertionPoint(scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false).thenYield());
  // The value broadcasts to the shape of the selection.
  int64_t valueRank = getRank(op.getValue().getType());
  SmallVector<Value> valuePosition(ArrayRef(position).take_back(valueRank));
  for (int64_t axis = 0; axis < valueRank; ++axis)
    if (getShape(op.getValue().getType())[axis] == 1)
      valuePosition[axis] = zero;
  elements.store(loc, elements.emit(loc, op.getValue(), valuePosition), op.getArray(), place);
}

void FunctionFuser::emitSort(SortOp op, Value result) {
  Value input = asMemory(op.getInput().getDefiningOp<LoadOp>().getArray());
  bool isUnsigned = getElementType(op.getInput().getType()).isUnsignedInteger();
  CallSortOp::create(builder, op.getLoc(), input, asMemory(result), /*bound=*/Value(), op.getPositions(), isUnsigned);
}

void FunctionFuser::emitMatmul(MatmulOp op, Value result) {
  auto memoryOf = [&](Value value) { return value ? asMemory(value.getDefiningOp<LoadOp>().getArray()) : Value(); };
  CallMatmulOp::create(builder, op.getLoc(), memoryOf(op.getLhs()), memoryOf(op.getRhs()), asMemory(result),
                       getElementType(op.getType()).isUnsignedInteger(), op.getAlpha(), memoryOf(op.getAddend()),
                       op.getBeta(), memoryOf(op.getBias()), op.getActivationAttr(), op.getTf32());
}

void FunctionFuser::emitOpaque(Operation *op, Value result) {
  auto scan = dyn_cast<ScanOp>(op);
  if (!scan) {
    op->emitError("boolean indexing that makes an array of unknown size is not supported here");
    failedOnce = true;
    return;
  }
  Location loc = op->getLoc();
  SmallVector<Value> extents = getResolvedExtents(builder, loc, result, origins);
  int64_t axis = scan.getAxis(), rank = extents.size();
  SmallVector<Value> bounds;
  for (int64_t k = 0; k < rank; ++k)
    if (k != axis)
      bounds.push_back(extents[k]);
  if (bounds.empty())
    bounds.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  auto kernel = KernelOp::create(builder, loc, bounds);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel.getBody()->getTerminator());
  // Grouped totals of half precision would each be rounded where NumPy's are not; in single they are nearer to the sum
  // than NumPy's.
  Type stored = getElementType(scan.getType());
  bool isWide = stored.isBF16() || (target.groupsScans && stored.isF16());
  Type type = isWide ? builder.getF32Type() : stored;
  Ufunc combiner = scan.getKind();
  Value neutral = emitNeutral(builder, loc, combiner, type);
  if (combiner == Ufunc::add && isa<FloatType>(type)) // the first total is the first element, -0.0 too
    neutral = emitConstant(builder, loc, type, -0.0);
  auto fold = FoldOp::create(builder, loc, neutral.getType(), Grouping::any, /*neutral=*/true, extents[axis], neutral);
  ElementEmitter elements = makeElements();
  auto fill = [&](Region &region, TypeRange takes, llvm::function_ref<SmallVector<Value>(Block &)> emit) {
    Block *block = builder.createBlock(&region, region.end(), takes, SmallVector<Location>(takes.size(), loc));
    SmallVector<Value> gives;
    elements.inScope([&] { gives = emit(*block); });
    YieldOp::create(builder, loc, gives);
  };
  auto at = [&](Value position) {
    SmallVector<Value> all;
    for (int64_t k = 0, next = 0; k < rank; ++k)
      all.push_back(k == axis ? position : Value(kernel.getInductionVars()[next++]));
    return all;
  };
  Type index = builder.getIndexType();
  fill(fold.getElement(), index, [&](Block &block) -> SmallVector<Value> {
    return {emitCast(builder, loc, elements.emit(loc, scan.getInput(), at(block.getArgument(0))), stored, type)};
  });
  fill(fold.getCombine(), {neutral.getType(), neutral.getType()}, [&](Block &block) -> SmallVector<Value> {
    return {emitCombine(builder, loc, combiner, block.getArgument(0), block.getArgument(1), type)};
  });
  // Of complex numbers the greater one is found by several operations.
  if (std::distance(fold.getCombine().front().begin(), fold.getCombine().front().end()) > 2)
    fold.setGrouping(Grouping::ordered);
  fill(fold.getEach(), {index, neutral.getType()}, [&](Block &block) -> SmallVector<Value> {
    elements.store(loc, emitCast(builder, loc, block.getArgument(1), type, stored), result, at(block.getArgument(0)));
    return {};
  });
  failedOnce |= elements.hasFailed();
}

void FunctionFuser::makeThreadArray(ThreadArrayOp op) {
  auto type = cast<ArrayType>(op.getArray().getType());
  SmallVector<int64_t> shape(op.getShape());
  if (op.getKind() == ThreadArrayKind::dynamic)
    shape.assign(1, ShapedType::kDynamic);
  auto memory = MemRefType::get(shape, getMemoryType(type.getElementType()));
  Value made = ThreadArrayOp::create(builder, op.getLoc(), memory, op.getKindAttr(), op.getShapeAttr(),
                                     op.getValuesAttr(), op.getRecordsAttr());
  buffers[op.getArray()] = made.getType() == getMemRefType(type)
                               ? made
                               : memref::CastOp::create(builder, op.getLoc(), getMemRefType(type), made).getResult();
}

void FunctionFuser::makeField(FieldOp op) {
  Location loc = op.getLoc();
  auto type = cast<ArrayType>(op.getArray().getType());
  ElementEmitter elements = makeElements();
  auto [bytes, position] = elements.locate(loc, op.getBytes(), {arith::ConstantIndexOp::create(builder, loc, 0)});
  auto memory = MemRefType::get(op.getShape(), getMemoryType(type.getElementType()));
  Value made = FieldOp::create(builder, loc, memory, bytes, position, op.getShapeAttr(), op.getAlignmentAttr());
  buffers[op.getArray()] = memory == getMemRefType(type)
                               ? made
                               : memref::CastOp::create(builder, loc, getMemRefType(type), made).getResult();
  failedOnce |= elements.hasFailed();
}

void FunctionFuser::lowerElements() {
  SmallVector<Operation *> accesses;
  function.walk([&](Operation *op) {
    if (isa<ReadElementOp, WriteElementOp, AtomicOp>(op))
      accesses.push_back(op);
  });
  for (Operation *op : accesses) {
    builder.setInsertionPoint(op);
    Location loc = op->getLoc();
    ElementEmitter elements = makeElements();
    if (auto read = dyn_cast<ReadElementOp>(op)) {
      read.getValue().replaceAllUsesWith(elements.load(loc, read.getArray(), {}));
    } else if (auto write = dyn_cast<WriteElementOp>(op)) {
      elements.store(loc, write.getValue(), write.getArray(), {});
    } else {
      auto atomic = cast<AtomicOp>(op);
      auto [buffer, position] = elements.locate(loc, atomic.getArray(), {});
      atomic.getOld().replaceAllUsesWith(AtomicOp::create(builder, loc, atomic.getOld().getType(), atomic.getKindAttr(),
                                                          buffer, position, atomic.getValues(),
                                                          atomic.getIsUnsignedAttr()));
    }
    failedOnce |= elements.hasFailed();
    op->erase();
  }
}

void FunctionFuser::readItems() {
  SmallVector<ItemOp> items;
  function.walk([&](ItemOp op) { items.push_back(op); });
  for (ItemOp op : items) {
    builder.setInsertionPoint(op);
    ElementEmitter elements = makeElements();
    Value scalar = elements.emit(op.getLoc(), op.getValue(), {});
    failedOnce |= elements.hasFailed();
    op.replaceAllUsesWith(scalar);
    op.erase();
  }
}

} // namespace npcc

// Values become kernels: loop nests over memory (the loop form of docs/design.md).
//
//   %t = np.ufunc "add"(%a, %b)          np.kernel (%i) = (%n) {
//   %c = np.new %t                  ->     %x = memref.load %a[%i]  %y = memref.load %b[%i]
//                                          %z = arith.addf %x, %y   memref.store %z, %c[%i] }
//
// Each group of sinks (Sinks.h) is one kernel; ElementEmitter computes in it what the sinks store. Arrays become memrefs. Sinks of rank 0 without a
// reduction are plain loads and stores in host code, so that explicit element loops become loops over memory.
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Extents.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Region.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"

namespace npcc {
#define GEN_PASS_DEF_FUSE
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
MemRefType getMemRefType(ArrayType type) {
  Type element = getMemoryType(type.getElementType());
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  if (type.getContiguous())
    return MemRefType::get(shape, element);
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(shape, element, layout);
}

class FunctionFuser {
public:
  explicit FunctionFuser(func::FuncOp function)
      : function(function), builder(function.getContext()), origins(function), general(function->hasAttr("np.general")),
        target(getTargetProperties(function)) {}

  LogicalResult run() {
    SmallVector<SinkGroup> groups;
    function.walk([&](Block *block) {
      if (!isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(block->getParentOp()))
        return;
      for (SinkGroup &group : groupSinks(*block, general, origins))
        groups.push_back(std::move(group));
    });
    lowerScalars();
    makeRootsMemory();
    allocateNew();
    for (SinkGroup &group : groups)
      emitGroup(group);
    function.walk([&](Operation *op) {
      if (isa<ScatterOp>(op))
        emitScatter(cast<ScatterOp>(op));
    });
    function.walk([&](ExchangeHaloOp op) { op.getTileMutable().assign(asMemory(op.getTile())); });
    function.walk([&](RoutineOp op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(asMemory(operand.get()));
    });
    function.walk([&](Operation *op) {
      if (!isa<DrawOp, NewGeneratorOp, SeedGeneratorOp>(op))
        return;
      for (OpOperand &operand : op->getOpOperands())
        if (isa<ArrayType>(operand.get().getType()))
          operand.set(asMemory(operand.get()));
    });
    lowerElements();
    readItems();
    materializeDepartures();
    removeValues();
    return success(!failedOnce);
  }

private:
  //===---- Python's scalars -----------------------------------------------------------------------------------------===//

  /// They are computed once, where they stand, in the register types (unsigned ones signless).
  void lowerScalars() {
    auto toRegister = [](Value value) {
      if (value.getType().isUnsignedInteger())
        value.setType(getRegisterType(value.getType()));
    };
    SmallVector<Operation *> scalars;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<FitsOp>(op) || (isa<UfuncOp, CastOp>(op) && !isa<RankedTensorType>(op->getResult(0).getType())))
        scalars.push_back(op);
    });
    DenseMap<Value, Value> lowered;
    for (Operation *op : scalars) {
      builder.setInsertionPoint(op);
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(lowered.count(operand) ? lowered[operand] : operand);
      Value result;
      if (auto ufunc = dyn_cast<UfuncOp>(op))
        result = emitUfunc(builder, op->getLoc(), ufunc.getName(), operands, ufunc.getInputs().back().getType());
      if (isa<UfuncOp>(op) && !result) {
        op->emitError("numpy." + cast<UfuncOp>(op).getName() + " of complex numbers cannot be compiled");
        failedOnce = true;
        result = ub::PoisonOp::create(builder, op->getLoc(), op->getResult(0).getType(), ub::PoisonAttr::get(builder.getContext()));
      }
      if (auto fits = dyn_cast<FitsOp>(op))
        result = emitFits(builder, op->getLoc(), fits.getKind(), operands[0], operands[1]);
      if (isa<CastOp>(op))
        result = emitCast(builder, op->getLoc(), operands[0], op->getOperand(0).getType(), op->getResult(0).getType());
      lowered[op->getResult(0)] = result;
    }
    for (Operation *op : llvm::reverse(scalars)) {
      op->getResult(0).replaceAllUsesWith(lowered[op->getResult(0)]);
      op->erase();
    }
    for (Value argument : function.getArguments())
      toRegister(argument);
    function.walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            toRegister(argument);
      for (Value result : op->getResults())
        toRegister(result);
    });
  }

  //===---- Memory ---------------------------------------------------------------------------------------------------===//

  /// Arguments and carried arrays are memory from here on. Their array types are kept aside: element types tell bool from i8.
  void makeRootsMemory() {
    auto convert = [&](Value value) {
      if (auto type = dyn_cast<ArrayType>(value.getType()))
        roots.push_back({value, type});
    };
    function.walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            convert(argument);
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, arith::SelectOp, func::CallOp>(op))
        for (Value result : op->getResults())
          convert(result);
    });
    for (auto &[value, type] : roots) {
      // A cast stands for the array until all types change at the end.
      builder.setInsertionPointAfterValue(value);
      auto memory = UnrealizedConversionCastOp::create(builder, value.getLoc(), getMemRefType(type), value);
      buffers[value] = memory.getResult(0);
    }
  }

  void allocateNew() {
    SmallVector<Operation *> fresh;
    function.walk([&](Operation *op) {
      if (isa<NewOp, EmptyOp, ReshapeStridedOp, ThreadArrayOp, FieldOp>(op) ||
          (isa<PartOp>(op) && isa<ArrayType>(op->getResult(0).getType())))
        fresh.push_back(op);
    });
    for (Operation *op : fresh) {
      builder.setInsertionPoint(op);
      if (isa<PartOp>(op)) {
        asMemory(op->getResult(0));
        continue;
      }
      if (auto own = dyn_cast<ThreadArrayOp>(op)) {
        makeThreadArray(own);
        continue;
      }
      if (auto field = dyn_cast<FieldOp>(op)) {
        makeField(field);
        continue;
      }
      if (auto reshape = dyn_cast<ReshapeStridedOp>(op)) {
        builder.setInsertionPointAfter(op); // the kernels that make the source come before it
        auto type = cast<ArrayType>(reshape.getResult().getType());
        buffers[reshape.getResult()] = CallReshapeOp::create(builder, op->getLoc(), getMemRefType(type), asMemory(reshape.getSource()), reshape.getExtents(),
                                                             reshape.getRavel(), type.getElementType().isUnsignedInteger());
        continue;
      }
      Value array = op->getResult(0);
      SmallVector<Value> extents = getResolvedExtents(builder, op->getLoc(), array, origins);
      buffers[array] = AllocOp::create(builder, op->getLoc(), getMemRefType(cast<ArrayType>(array.getType())), extents);
    }
    // A name that is not bound on some path is never read there, but carried and counted: it is an array of no elements.
    function.walk([&](ub::PoisonOp op) {
      auto type = dyn_cast<ArrayType>(op.getType());
      if (!type)
        return;
      builder.setInsertionPoint(op);
      Location loc = op.getLoc();
      auto contiguous = ArrayType::get(builder.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/true);
      SmallVector<Value> extents;
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        extents.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
      Value buffer = AllocOp::create(builder, loc, getMemRefType(contiguous), extents);
      if (buffer.getType() != getMemRefType(type))
        buffer = memref::CastOp::create(builder, loc, getMemRefType(type), buffer);
      buffers[op.getResult()] = buffer;
    });
  }

  //===---- Kernels --------------------------------------------------------------------------------------------------===//

  void emitGroup(SinkGroup &group) {
    Operation *first = group.sinks.front();
    builder.setInsertionPoint(group.end);
    Location loc = first->getLoc();
    if (Value value = getStoredValue(first)) {
      if (auto matmul = value.getDefiningOp<MatmulOp>())
        return emitMatmul(matmul, getWrittenArray(first));
      if (auto sort = value.getDefiningOp<SortOp>())
        return emitSort(sort, getWrittenArray(first));
      if (isOpaque(value.getDefiningOp()))
        return emitOpaque(value.getDefiningOp(), getWrittenArray(first));
    }
    SmallVector<Value> extents = getResolvedExtents(builder, loc, getWrittenArray(first), origins);
    ElementEmitter elements(builder, buffers, origins);
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
    bool isPoint = extents.empty();
    if (isPoint)
      extents.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
    auto kernel = KernelOp::create(builder, loc, extents);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    SmallVector<Value> position;
    if (!isPoint)
      llvm::append_range(position, kernel.getBody()->getArguments());
    elements.inScope([&] {
      for (Operation *sink : group.sinks)
        emitSink(elements, sink, position);
    });
    failedOnce |= elements.hasFailed();
  }

  static bool isInLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>() != nullptr; }

  static bool hasReduction(Value value) {
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

  void emitSink(ElementEmitter &elements, Operation *sink, ArrayRef<Value> position) {
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

  /// a[i, j] = v in the order of the positions, so that the last of equal ones stays: one serial loop. Distinct positions: a kernel.
  void emitScatter(ScatterOp op) {
    builder.setInsertionPoint(op);
    Location loc = op.getLoc();
    SmallVector<Value> indexExtents = getResolvedExtents(builder, loc, op.getIndices().front(), origins);
    SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getArray(), origins);
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
    if (op.getDistinct()) {
      if (bounds.empty())
        bounds.push_back(one);
      else
        isPoint = false;
      auto kernel = KernelOp::create(builder, loc, bounds);
      if (!isPoint)
        llvm::append_range(position, kernel.getInductionVars());
      builder.setInsertionPoint(kernel.getBody()->getTerminator());
    } else {
      for (Value bound : bounds) {
        auto loop = scf::ForOp::create(builder, loc, zero, bound, one);
        builder.setInsertionPointToStart(loop.getBody());
        position.push_back(loop.getInductionVar());
      }
    }
    ElementEmitter elements(builder, buffers, origins);
    SmallVector<Value> target;
    ArrayRef<Value> indexPosition = ArrayRef(position).slice(first, indexExtents.size());
    Value isInside;
    size_t next = 0;
    for (int64_t axis = 0; axis < static_cast<int64_t>(extents.size()); ++axis) {
      if (!llvm::is_contained(op.getAxes(), axis)) {
        target.push_back(position[axis < first ? axis : axis - op.getAxes().size() + indexExtents.size()]);
        continue;
      }
      Value raw = elements.emit(loc, op.getIndices()[next++], indexPosition);
      Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), raw);
      if (!op.getDistinct()) {
        target.push_back(CheckIndexOp::create(builder, loc, builder.getIndexType(), index, extents[axis], axis));
        continue;
      }
      target.push_back(index);
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
    elements.store(loc, elements.emit(loc, op.getValue(), valuePosition), op.getArray(), target);
  }

  void emitSort(SortOp op, Value result) {
    Value input = asMemory(op.getInput().getDefiningOp<LoadOp>().getArray());
    bool isUnsigned = getElementType(op.getInput().getType()).isUnsignedInteger();
    CallSortOp::create(builder, op.getLoc(), input, asMemory(result), op.getPositions(), isUnsigned);
  }

  void emitMatmul(MatmulOp op, Value result) {
    Value lhs = asMemory(op.getLhs().getDefiningOp<LoadOp>().getArray());
    Value rhs = asMemory(op.getRhs().getDefiningOp<LoadOp>().getArray());
    Type type = getElementType(op.getType());
    CallMatmulOp::create(builder, op.getLoc(), lhs, rhs, asMemory(result), type.isUnsignedInteger());
  }

  /// Running reductions: a fold along the axis for every line.
  void emitOpaque(Operation *op, Value result) {
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
    // Grouped totals of half precision would each be rounded where NumPy's are not; in single they are nearer to the sum than NumPy's.
    Type stored = getElementType(scan.getType()), type = target.groupsScans && stored.isF16() ? builder.getF32Type() : stored;
    Value neutral = emitNeutral(builder, loc, scan.getKind(), type);
    if (scan.getKind() == "add" && isa<FloatType>(type)) // the first total is the first element, -0.0 too
      neutral = emitConstant(builder, loc, type, -0.0);
    auto fold = FoldOp::create(builder, loc, neutral.getType(), Grouping::any, /*neutral=*/true, extents[axis], neutral);
    ElementEmitter elements(builder, buffers, origins);
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
      return {emitCombine(builder, loc, scan.getKind(), block.getArgument(0), block.getArgument(1), type)};
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

  /// The memory of a block or a thread has a static shape; what is indexed has the type of any other array.
  void makeThreadArray(ThreadArrayOp op) {
    auto type = cast<ArrayType>(op.getArray().getType());
    SmallVector<int64_t> shape(op.getShape());
    if (op.getKind() == "dynamic")
      shape.assign(1, ShapedType::kDynamic);
    auto memory = MemRefType::get(shape, getMemoryType(type.getElementType()));
    auto own =
        ThreadArrayOp::create(builder, op.getLoc(), memory, op.getKindAttr(), op.getShapeAttr(), op.getValuesAttr());
    own->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Value made = own;
    buffers[op.getArray()] = made.getType() == getMemRefType(type) ? made : memref::CastOp::create(builder, op.getLoc(), getMemRefType(type), made).getResult();
  }

  /// A field lies where the first of its bytes does.
  void makeField(FieldOp op) {
    Location loc = op.getLoc();
    auto type = cast<ArrayType>(op.getArray().getType());
    ElementEmitter elements(builder, buffers, origins);
    auto [bytes, position] = elements.locate(loc, op.getBytes(), {arith::ConstantIndexOp::create(builder, loc, 0)});
    auto memory = MemRefType::get(op.getShape(), getMemoryType(type.getElementType()));
    Value made = FieldOp::create(builder, loc, memory, bytes, position, op.getShapeAttr(), op.getAlignmentAttr());
    buffers[op.getArray()] = memory == getMemRefType(type)
                                 ? made
                                 : memref::CastOp::create(builder, loc, getMemRefType(type), made).getResult();
    failedOnce |= elements.hasFailed();
  }

  /// What threads do with single elements: accesses where they stand.
  void lowerElements() {
    SmallVector<Operation *> accesses;
    function.walk([&](Operation *op) {
      if (isa<ReadElementOp, WriteElementOp, AtomicOp>(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses) {
      builder.setInsertionPoint(op);
      Location loc = op->getLoc();
      ElementEmitter elements(builder, buffers, origins);
      if (auto read = dyn_cast<ReadElementOp>(op)) {
        read.getValue().replaceAllUsesWith(elements.load(loc, read.getArray(), {}));
      } else if (auto write = dyn_cast<WriteElementOp>(op)) {
        elements.store(loc, write.getValue(), write.getArray(), {});
      } else {
        auto atomic = cast<AtomicOp>(op);
        auto [buffer, position] = elements.locate(loc, atomic.getArray(), {});
        atomic.getOld().replaceAllUsesWith(
            AtomicOp::create(builder, loc, atomic.getOld().getType(), atomic.getKindAttr(), buffer, position, atomic.getValues(), atomic.getIsUnsignedAttr()));
      }
      failedOnce |= elements.hasFailed();
      op->erase();
    }
  }

  void readItems() {
    SmallVector<ItemOp> items;
    function.walk([&](ItemOp op) { items.push_back(op); });
    for (ItemOp op : items) {
      builder.setInsertionPoint(op);
      ElementEmitter elements(builder, buffers, origins);
      Value scalar = elements.emit(op.getLoc(), op.getValue(), {});
      failedOnce |= elements.hasFailed();
      op.replaceAllUsesWith(scalar);
      op.erase();
    }
  }

  //===---- Arrays that leave as descriptors: results, carried views, operands of library calls ------------------------===//

  Value asMemory(Value array) {
    if (Value buffer = buffers.lookup(array))
      return buffer;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(array);
    Location loc = array.getLoc();
    auto type = getMemRefType(cast<ArrayType>(array.getType()));
    Value result;
    if (auto view = array.getDefiningOp<ViewOp>()) {
      Value source = asMemory(view.getSource());
      auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
      Value offset = metadata.getOffset();
      for (auto [start, stride] : llvm::zip(view.getOffsets(), metadata.getStrides()))
        offset = add(loc, offset, multiply(loc, start, stride));
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      SmallVector<Value> strides;
      for (auto [axis, step] : llvm::zip(view.getAxes(), view.getSteps()))
        strides.push_back(axis < 0 ? zero : multiply(loc, step, metadata.getStrides()[axis]));
      auto strided = getMemRefType(ArrayType::get(builder.getContext(), cast<ArrayType>(array.getType()).getShape(),
                                                  getElementType(array.getType()), /*contiguous=*/false));
      result = memref::ReinterpretCastOp::create(builder, loc, strided, source, offset, ValueRange(view.getExtents()), strides);
    } else if (auto part = array.getDefiningOp<PartOp>()) {
      Value source = asMemory(part.getSource());
      auto strided = getMemRefType(ArrayType::get(builder.getContext(), cast<ArrayType>(array.getType()).getShape(),
                                                  getElementType(array.getType()), /*contiguous=*/false));
      // A contiguous array marked as read-only stays contiguous, with whatever place its first element has.
      result =
          PartOp::create(builder, loc, isContiguousBuffer(source) && type.getLayout().isIdentity() ? type : strided,
                         part.getKind(), source, part.getExtents());
    } else {
      auto reshape = array.getDefiningOp<ReshapeOp>();
      Value source = asMemory(reshape.getSource());
      auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
      SmallVector<Value> strides(type.getRank());
      Value stride = arith::ConstantIndexOp::create(builder, loc, 1);
      for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
        strides[axis] = stride;
        stride = multiply(loc, stride, reshape.getExtents()[axis]);
      }
      auto strided = MemRefType::get(type.getShape(), type.getElementType(),
                                     StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic,
                                                            SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic)));
      result = memref::ReinterpretCastOp::create(builder, loc, strided, source, metadata.getOffset(),
                                                 ValueRange(reshape.getExtents()), strides);
    }
    buffers[array] = result;
    return result;
  }
  static bool isContiguousBuffer(Value memory) { return cast<MemRefType>(memory.getType()).getLayout().isIdentity(); }
  /// A strided type takes any memory; a contiguous one has no place for an offset.
  Value castTo(Location loc, Value memory, Type wanted) {
    auto own = cast<MemRefType>(memory.getType()), type = cast<MemRefType>(wanted);
    if (own == type)
      return memory;
    if (type.getLayout().isIdentity() && !own.getLayout().isIdentity())
      return RebaseOp::create(builder, loc, type, memory);
    return memref::CastOp::create(builder, loc, type, memory);
  }
  Value add(Location loc, Value x, Value y) { return builder.createOrFold<arith::AddIOp>(loc, x, y); }
  Value multiply(Location loc, Value x, Value y) { return builder.createOrFold<arith::MulIOp>(loc, x, y); }

  /// All remaining uses of arrays by control flow and returns, and the types of arguments, results and regions.
  void materializeDepartures() {
    SmallVector<OpOperand *> uses;
    function.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, func::ReturnOp, func::CallOp, arith::SelectOp, LaunchOp>(op))
        for (OpOperand &operand : op->getOpOperands())
          if (isa<ArrayType>(operand.get().getType()))
            uses.push_back(&operand);
    });
    for (OpOperand *use : uses) {
      Value memory = asMemory(use->get());
      Type wanted = getMemRefType(cast<ArrayType>(use->get().getType()));
      builder.setInsertionPoint(use->getOwner());
      use->set(castTo(use->getOwner()->getLoc(), memory, wanted));
    }
    // Carried arrays take the type of their loop's slot; a strided slot takes contiguous arrays by a cast.
    for (auto &[value, type] : roots)
      replaceRoot(value, type);
    fixCarriedTypes();
    SmallVector<Type> inputs, results;
    for (Value argument : function.getArguments())
      inputs.push_back(argument.getType());
    for (Type type : function.getResultTypes())
      results.push_back(isa<ArrayType>(type) ? Type(getMemRefType(cast<ArrayType>(type))) : getRegisterType(type));
    function.setFunctionType(builder.getFunctionType(inputs, results));
    function.walk([&](func::ReturnOp op) { castOperands(op, op->getOpOperands(), function.getResultTypes()); });
  }

  void replaceRoot(Value value, ArrayType type) {
    auto cast = buffers[value].getDefiningOp<UnrealizedConversionCastOp>();
    value.setType(getMemRefType(type));
    cast.getResult(0).replaceAllUsesWith(value);
    cast.erase();
    buffers[value] = value;
  }

  void castOperands(Operation *op, MutableArrayRef<OpOperand> operands, TypeRange types) {
    for (auto [operand, type] : llvm::zip(operands, types))
      if (operand.get().getType() != type && isa<MemRefType>(type)) {
        builder.setInsertionPoint(op);
        operand.set(castTo(op->getLoc(), operand.get(), type));
      }
  }
  void fixCarriedTypes() {
    function.walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        castOperands(loop, loop.getInitArgsMutable(), ValueRange(loop.getRegionIterArgs()).getTypes());
        castOperands(loop.getBody()->getTerminator(), loop.getBody()->getTerminator()->getOpOperands(), loop.getResultTypes());
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        castOperands(loop, loop->getOpOperands(), loop.getBeforeBody()->getArgumentTypes());
        castOperands(loop.getConditionOp(), loop.getConditionOp()->getOpOperands().drop_front(), loop.getResultTypes());
        castOperands(loop.getYieldOp(), loop.getYieldOp()->getOpOperands(), loop.getBeforeBody()->getArgumentTypes());
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        for (Region &region : branch->getRegions())
          if (!region.empty())
            castOperands(region.front().getTerminator(), region.front().getTerminator()->getOpOperands(), branch.getResultTypes());
      }
    });
  }

  /// np.dim of what is memory now, then everything that only values needed.
  void removeValues() {
    SmallVector<Operation *> leftovers;
    function.walk([&](Operation *op) {
      if (auto dim = dyn_cast<DimOp>(op)) {
        Value memory = buffers.lookup(dim.getSource());
        if (!memory && isa<MemRefType>(dim.getSource().getType()))
          memory = dim.getSource();
        if (!memory && isa<ArrayType>(dim.getSource().getType()))
          memory = asMemory(dim.getSource());
        if (memory) {
          builder.setInsertionPoint(dim);
          Value axis = arith::ConstantIndexOp::create(builder, dim.getLoc(), dim.getAxis());
          dim.replaceAllUsesWith(memref::DimOp::create(builder, dim.getLoc(), memory, axis).getResult());
        }
      }
      if (auto question = dyn_cast<IsReadOnlyOp>(op); question && isa<ArrayType>(question.getArray().getType()))
        question.getArrayMutable().assign(asMemory(question.getArray()));
      if (auto question = dyn_cast<IsContiguousOp>(op); question && isa<ArrayType>(question.getArray().getType()))
        question.getArrayMutable().assign(asMemory(question.getArray()));
      if (auto poison = dyn_cast<ub::PoisonOp>(op); poison && isa<ArrayType>(poison.getType()))
        leftovers.push_back(op);
      if (isa<arith::SelectOp>(op) && isa<RankedTensorType>(op->getResult(0).getType()))
        leftovers.push_back(op);
      if (isa<NpDialect>(op->getDialect()) && !(isa<PartOp>(op) && isa<MemRefType>(op->getResult(0).getType())) &&
          !isa<ChoiceOp, KernelOp, EndOp, FoldOp, YieldOp, AllocOp, RetainOp, ReleaseOp, CallMatmulOp, CallReshapeOp, CallSortOp,
               RoutineOp, RebaseOp, CheckIndexOp, AssertOp, PrintOp, TextOp, TextFunctionOp, BroadcastExtentOp, RankOp, IsReadOnlyOp,
               IsContiguousOp, DeviceCountOp, ExchangeHaloOp, UndefinedOp, NewGeneratorOp, SeedGeneratorOp,
               CapturedGeneratorOp, DrawOp, DrawScalarOp, CheckStackOp, ClockOp, LaunchOp, ThreadOp, AtomicOp,
               LibdeviceOp>(op) &&
          !(isa<ThreadArrayOp, FieldOp>(op) && isa<MemRefType>(op->getResult(0).getType())))
        leftovers.push_back(op);
    });
    for (Operation *op : llvm::reverse(leftovers)) {
      if (!op->use_empty()) {
        op->emitError("internal: ") << op->getName() << " is left after fusion";
        failedOnce = true;
        op->dropAllUses();
      }
      op->erase();
    }
  }

  func::FuncOp function;
  OpBuilder builder;
  ExtentOrigins origins; // asked until the arrays leave: until then values stay as they are
  bool general, failedOnce = false;
  const TargetProperties &target;
  SmallVector<std::pair<Value, ArrayType>> roots;
  DenseMap<Value, Value> buffers;
};

struct Fuse : impl::FuseBase<Fuse> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(FunctionFuser(function).run()))
        signalPassFailure();
  }
};
} // namespace
} // namespace npcc

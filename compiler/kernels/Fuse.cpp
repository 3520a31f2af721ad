// Values become kernels: loop nests over memory (the loop form of docs/design.md).
//
//   %t = np.ufunc "add"(%a, %b)          np.kernel (%i) = (%n) {
//   %c = np.new %t                  ->     %x = memref.load %a[%i]  %y = memref.load %b[%i]
//                                          %z = arith.addf %x, %y   memref.store %z, %c[%i] }
//
// Each group of sinks (Sinks.h) is one kernel; ElementEmitter computes in it what the sinks store. Arrays become
// memrefs. Sinks of rank 0 without a reduction are plain loads and stores in host code, so that explicit element loops
// become loops over memory.
#include "compiler/kernels/FunctionFuser.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Ufunc.h"

namespace npcc {
#define GEN_PASS_DEF_FUSE
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

LogicalResult FunctionFuser::run() {
  SmallVector<SinkGroup> groups;
  checkedFirst = findGathersToCheck(function, origins);
  function.walk([&](Block *block) {
    if (!isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(block->getParentOp()))
      return;
    for (SinkGroup &group : groupSinks(*block, general, origins, checkedFirst))
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
    SmallVector<int64_t> unsignedOperands; // memory does not say it
    for (OpOperand &operand : op->getOpOperands()) {
      if (getElementType(operand.get().getType()).isUnsignedInteger())
        unsignedOperands.push_back(operand.getOperandNumber());
      operand.set(asMemory(operand.get()));
    }
    op.setUnsignedOperands(unsignedOperands);
  });
  function.walk([&](Operation *op) {
    if (!isa<DrawOp, DrawInTurnsOp, NewGeneratorOp, SeedGeneratorOp>(op))
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

void FunctionFuser::lowerScalars() {
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
      op->emitError("numpy." + stringifyUfunc(cast<UfuncOp>(op).getName()) + " of complex numbers cannot be compiled");
      failedOnce = true;
      result = ub::PoisonOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                    ub::PoisonAttr::get(builder.getContext()));
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

void FunctionFuser::makeRootsMemory() {
  auto convert = [&](Value value) {
    if (auto type = dyn_cast<ArrayType>(value.getType()))
      roots.push_back({value, type});
  };
  function.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          convert(argument);
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, arith::SelectOp, func::CallOp, KeptOp>(op))
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

void FunctionFuser::allocateNew() {
  SmallVector<Operation *> fresh;
  function.walk([&](Operation *op) {
    if (isa<NewOp, EmptyOp, ReshapeStridedOp, ThreadArrayOp, FieldOp>(op) ||
        (isa<PartOp>(op) && isa<ArrayType>(op->getResult(0).getType())))
      fresh.push_back(op);
  });
  // A name that is not bound on some path is never read there, but carried and counted: it is an array of no elements.
  // Views and parts of it are made of that, so it comes first.
  bool isThread = function->hasAttr("np.thread"); // which makes none but its own
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
    SmallVector<int64_t> none(type.getRank(), 0);
    Value buffer =
        isThread ? ThreadArrayOp::create(builder, loc, MemRefType::get(none, getMemoryType(type.getElementType())),
                                         ThreadArrayKind::local, none, ElementsAttr())
                       .getArray()
                 : AllocOp::create(builder, loc, getMemRefType(contiguous), extents).getBuffer();
    if (buffer.getType() != getMemRefType(type))
      buffer = memref::CastOp::create(builder, loc, getMemRefType(type), buffer);
    buffers[op.getResult()] = buffer;
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
      buffers[reshape.getResult()] = CallReshapeOp::create(
          builder, op->getLoc(), getMemRefType(type), asMemory(reshape.getSource()), reshape.getExtents(),
          reshape.getTransposed(), reshape.getRavel(), type.getElementType().isUnsignedInteger());
      continue;
    }
    Value array = op->getResult(0);
    SmallVector<Value> extents = getResolvedExtents(builder, op->getLoc(), array, origins);
    buffers[array] = AllocOp::create(builder, op->getLoc(), getMemRefType(cast<ArrayType>(array.getType())), extents);
  }
}

/// Where the extent of a value that is in no memory comes from: an array, a value, or (axis < 0) the extent itself. All
/// operands of an elementwise function have its extents by now, so one of them tells.
ExtentSource FunctionFuser::traceExtent(ExtentSource from) {
  while (isa<RankedTensorType>(from.value.getType()) && !buffers.contains(from.value)) {
    Operation *producer = from.value.getDefiningOp();
    ExtentSource next = from;
    if (auto load = dyn_cast_if_present<LoadOp>(producer)) {
      next.value = load.getArray();
    } else if (auto ufunc = dyn_cast_if_present<UfuncOp>(producer)) {
      for (Value input : ufunc.getInputs()) {
        int64_t axis = from.axis - (getRank(from.value.getType()) - getRank(input.getType()));
        if (axis >= 0 && getShape(input.getType())[axis] != 1)
          next = {input, axis};
      }
    } else if (auto op = dyn_cast_if_present<ValueOpInterface>(producer)) {
      next = op.getExtentSource(from.axis);
    }
    if (next.value == from.value || next.axis < 0)
      return next;
    from = next;
  }
  return from;
}

void FunctionFuser::removeValues() {
  SmallVector<Operation *> leftovers;
  function.walk([&](Operation *op) {
    if (auto dim = dyn_cast<DimOp>(op)) {
      ExtentSource source = traceExtent({dim.getSource(), static_cast<int64_t>(dim.getAxis())});
      Value memory = buffers.lookup(source.value);
      if (!memory && isa<MemRefType>(source.value.getType()))
        memory = source.value;
      if (!memory && isa<ArrayType>(source.value.getType()))
        memory = asMemory(source.value);
      if (source.axis < 0) {
        dim.replaceAllUsesWith(source.value);
      } else if (memory) {
        builder.setInsertionPoint(dim);
        Value axis = arith::ConstantIndexOp::create(builder, dim.getLoc(), source.axis);
        dim.replaceAllUsesWith(memref::DimOp::create(builder, dim.getLoc(), memory, axis).getResult());
      }
    }
    if (auto stride = dyn_cast<StrideOp>(op)) {
      Value memory = asMemory(stride.getArray());
      builder.setInsertionPoint(stride);
      auto metadata = memref::ExtractStridedMetadataOp::create(builder, stride.getLoc(), memory);
      stride.replaceAllUsesWith(metadata.getStrides()[stride.getAxis()]);
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
        !isa<ChoiceOp, AlternativesOp, KernelOp, EndOp, FoldOp, YieldOp, AllocOp, RetainOp, ReleaseOp, CallMatmulOp,
             CallReshapeOp, CallSortOp, RoutineOp, RebaseOp, CheckIndexOp, AssertOp, PrintOp, TextOp, TextFunctionOp,
             PythonOp, BroadcastExtentOp, KeepOp, KeptOp, RankOp, IsReadOnlyOp, IsContiguousOp, DeviceCountOp,
             ExchangeHaloOp, UndefinedOp, NewGeneratorOp, SeedGeneratorOp, CapturedGeneratorOp, DrawOp, DrawInTurnsOp,
             DrawScalarOp, CheckStackOp, ClockOp, LaunchOp, ThreadOp, CallLinkedOp, AtomicOp, LibdeviceOp>(op) &&
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

namespace {
struct Fuse : impl::FuseBase<Fuse> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(FunctionFuser(function).run()))
        signalPassFailure();
  }
};
} // namespace
} // namespace npcc

// Arrays as memory where they leave the code of kernels: results, carried views, operands of library calls.
#include "compiler/kernels/FunctionFuser.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Memory.h"

using namespace mlir;
using namespace npcc::np;
namespace npcc {

MemRefType getMemRefType(ArrayType type) {
  Type element = getMemoryType(type.getElementType());
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  if (type.getContiguous())
    return MemRefType::get(shape, element);
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(shape, element, layout);
}

Value FunctionFuser::asMemory(Value array) {
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
    result = memref::ReinterpretCastOp::create(builder, loc, strided, source, offset, ValueRange(view.getExtents()),
                                               strides);
  } else if (auto part = array.getDefiningOp<PartOp>(); part && part.getKind() == PartKind::line) {
    Value source = asMemory(part.getSource()), zero = arith::ConstantIndexOp::create(builder, loc, 0),
          one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
    Value lowest = metadata.getOffset();
    for (auto [size, stride] : llvm::zip(metadata.getSizes(), metadata.getStrides())) {
      Value before = arith::SubIOp::create(builder, loc, size, one);
      Value last = multiply(loc, arith::MaxSIOp::create(builder, loc, before, zero), stride);
      lowest = add(loc, lowest, arith::MinSIOp::create(builder, loc, last, zero));
    }
    result = memref::ReinterpretCastOp::create(builder, loc, type, source, lowest, ValueRange(part.getExtents()),
                                               ValueRange{one});
  } else if (auto part = array.getDefiningOp<PartOp>()) {
    Value source = asMemory(part.getSource());
    auto strided = getMemRefType(ArrayType::get(builder.getContext(), cast<ArrayType>(array.getType()).getShape(),
                                                getElementType(array.getType()), /*contiguous=*/false));
    // A contiguous array marked as read-only stays contiguous, with whatever place its first element has.
    result = PartOp::create(builder, loc, isContiguousBuffer(source) && type.getLayout().isIdentity() ? type : strided,
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

bool FunctionFuser::isContiguousBuffer(Value memory) {
  return cast<MemRefType>(memory.getType()).getLayout().isIdentity();
}

Value FunctionFuser::castTo(Location loc, Value memory, Type wanted) {
  auto own = cast<MemRefType>(memory.getType()), type = cast<MemRefType>(wanted);
  if (own == type)
    return memory;
  if (type.getLayout().isIdentity() && !own.getLayout().isIdentity())
    return RebaseOp::create(builder, loc, type, memory);
  return memref::CastOp::create(builder, loc, type, memory);
}

Value FunctionFuser::add(Location loc, Value x, Value y) { return builder.createOrFold<arith::AddIOp>(loc, x, y); }

Value FunctionFuser::multiply(Location loc, Value x, Value y) { return builder.createOrFold<arith::MulIOp>(loc, x, y); }

void FunctionFuser::materializeDepartures() {
  SmallVector<OpOperand *> uses;
  function.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, func::ReturnOp, func::CallOp,
            arith::SelectOp, KeepOp, LaunchOp>(op))
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

void FunctionFuser::replaceRoot(Value value, ArrayType type) {
  auto cast = buffers[value].getDefiningOp<UnrealizedConversionCastOp>();
  value.setType(getMemRefType(type));
  cast.getResult(0).replaceAllUsesWith(value);
  cast.erase();
  buffers[value] = value;
}

void FunctionFuser::castOperands(Operation *op, MutableArrayRef<OpOperand> operands, TypeRange types) {
  for (auto [operand, type] : llvm::zip(operands, types))
    if (operand.get().getType() != type && isa<MemRefType>(type)) {
      builder.setInsertionPoint(op);
      operand.set(castTo(op->getLoc(), operand.get(), type));
    }
}

void FunctionFuser::fixCarriedTypes() {
  function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      castOperands(loop, loop.getInitArgsMutable(), ValueRange(loop.getRegionIterArgs()).getTypes());
      castOperands(loop.getBody()->getTerminator(), loop.getBody()->getTerminator()->getOpOperands(),
                   loop.getResultTypes());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      castOperands(loop, loop->getOpOperands(), loop.getBeforeBody()->getArgumentTypes());
      castOperands(loop.getConditionOp(), loop.getConditionOp()->getOpOperands().drop_front(), loop.getResultTypes());
      castOperands(loop.getYieldOp(), loop.getYieldOp()->getOpOperands(), loop.getBeforeBody()->getArgumentTypes());
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region &region : branch->getRegions())
        if (!region.empty())
          castOperands(region.front().getTerminator(), region.front().getTerminator()->getOpOperands(),
                       branch.getResultTypes());
    }
  });
}

} // namespace npcc

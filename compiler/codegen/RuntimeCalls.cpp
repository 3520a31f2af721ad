
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Memory.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "runtime/abi/arrays.h"
#include "runtime/abi/products.h"
#include "runtime/abi/routines.h"
#include <limits>

using namespace mlir;
using namespace npcc;

namespace {

/// The bytes of an array, or the largest number where 64 bits do not hold them, which the runtime complains of.
Value bytesToAllocate(ConversionPatternRewriter &rewriter, Location loc, Type element, ArrayRef<Value> sizes) {
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(value));
  };
  Value bytes = constant(getElementBytes(element)), overflows;
  auto pair = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {rewriter.getI64Type(), rewriter.getI1Type()});
  for (Value size : sizes) {
    Value product = LLVM::SMulWithOverflowOp::create(rewriter, loc, pair, bytes, size);
    bytes = LLVM::ExtractValueOp::create(rewriter, loc, product, 0);
    Value flag = LLVM::ExtractValueOp::create(rewriter, loc, product, 1);
    overflows = overflows ? LLVM::OrOp::create(rewriter, loc, overflows, flag).getResult() : flag;
  }
  if (!overflows) // one element
    return bytes;
  return LLVM::SelectOp::create(rewriter, loc, overflows, constant(std::numeric_limits<int64_t>::max()), bytes);
}

struct AllocPattern : ConvertOpToLLVMPattern<np::AllocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::AllocOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getBuffer().getType());
    if (!isConvertibleAndHasIdentityMaps(type))
      return rewriter.notifyMatchFailure(op, "a buffer is contiguous");
    SmallVector<Value> sizes, strides;
    Value bytes;
    getMemRefDescriptorSizes(op.getLoc(), type, adaptor.getExtents(), rewriter, sizes, strides, bytes);
    bytes = bytesToAllocate(rewriter, op.getLoc(), type.getElementType(), sizes);
    StringRef name = isInHostMemory(type) ? "npcc_rt_alloc_host" : "npcc_rt_alloc";
    Value base =
        callFunction(rewriter, op.getLoc(), op->getParentOfType<ModuleOp>(), name, getPtrType(), {bytes}).getResult();
    rewriter.replaceOp(op, {createMemRefDescriptor(op.getLoc(), type, base, base, sizes, strides, rewriter)});
    return success();
  }
};

template <typename ReferenceOp> struct ReferencePattern : ConvertOpToLLVMPattern<ReferenceOp> {
  using ConvertOpToLLVMPattern<ReferenceOp>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(ReferenceOp op, typename ReferenceOp::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value base = MemRefDescriptor(adaptor.getBuffer()).allocatedPtr(rewriter, op.getLoc());
    StringRef name = std::is_same_v<ReferenceOp, np::RetainOp> ? "npcc_rt_retain" : "npcc_rt_release";
    callFunction(rewriter, op.getLoc(), op->template getParentOfType<ModuleOp>(), name, nullptr, {base});
    rewriter.eraseOp(op);
    return success();
  }
};

/// npcc_arrays on the stack.
class ArrayRecords {
public:
  ArrayRecords(Operation *op, int32_t count, ConversionPatternRewriter &rewriter)
      : rewriter(rewriter), loc(op->getLoc()) {
    Type i32 = rewriter.getI32Type(), pointer = LLVM::LLVMPointerType::get(op->getContext());
    Type axes = LLVM::LLVMArrayType::get(rewriter.getI64Type(), NPCC_MAX_RANK);
    layout = LLVM::LLVMStructType::getLiteral(op->getContext(), {pointer, pointer, i32, i32, i32, i32, axes, axes});
    records = allocateOnStack(rewriter, op, layout, count);
  }

  enum Field : int32_t { Base = 0, Data = 1, Dtype = 2, Rank = 3, Shape = 6, Strides = 7 };
  Value address(int32_t array = 0, int32_t field = -1, int32_t axis = -1) {
    SmallVector<LLVM::GEPArg> path{array};
    if (field >= 0)
      path.push_back(field);
    if (axis >= 0)
      path.push_back(axis);
    return LLVM::GEPOp::create(rewriter, loc, records.getType(), layout, records, path);
  }
  void store(Value value, int32_t array, int32_t field, int32_t axis = -1) {
    LLVM::StoreOp::create(rewriter, loc, value, address(array, field, axis));
  }
  void storeType(int32_t array, MemRefType type, bool isUnsigned) {
    auto number = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    store(number(getMemoryDtype(type.getElementType(), isUnsigned)), array, Dtype);
    store(number(type.getRank()), array, Rank);
  }
  /// `data` is the address of the first element.
  void store(int32_t array, MemRefDescriptor from, Value data, MemRefType type, bool isUnsigned) {
    store(from.allocatedPtr(rewriter, loc), array, Base);
    store(data, array, Data);
    storeType(array, type, isUnsigned);
    for (int32_t axis = 0; axis < type.getRank(); ++axis) {
      store(from.size(rewriter, loc, axis), array, Shape, axis);
      store(from.stride(rewriter, loc, axis), array, Strides, axis);
    }
  }
  Value load(Type type, int32_t array, int32_t field, int32_t axis = -1) {
    return LLVM::LoadOp::create(rewriter, loc, type, address(array, field, axis));
  }

private:
  ConversionPatternRewriter &rewriter;
  Location loc;
  Type layout;
  Value records;
};

struct KeepPattern : ConvertOpToLLVMPattern<np::KeepOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::KeepOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getArray().getType());
    MemRefDescriptor array(adaptor.getArray());
    ArrayRecords records(op, 1, rewriter);
    records.store(0, array, array.bufferPtr(rewriter, loc, *getTypeConverter(), type), type, op.getIsUnsigned());
    rewriter.replaceOp(op, callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_keep",
                                        rewriter.getI64Type(), records.address()));
    return success();
  }
};

struct KeptPattern : ConvertOpToLLVMPattern<np::KeptOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::KeptOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getArray().getType());
    ArrayRecords records(op, 1, rewriter);
    records.storeType(0, type, op.getIsUnsigned());
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_kept", nullptr,
                 {adaptor.getNumber(), records.address()});
    MemRefDescriptor array = MemRefDescriptor::poison(rewriter, loc, getTypeConverter()->convertType(type));
    array.setAllocatedPtr(rewriter, loc, records.load(getPtrType(), 0, ArrayRecords::Base));
    array.setAlignedPtr(rewriter, loc, records.load(getPtrType(), 0, ArrayRecords::Data));
    array.setConstantOffset(rewriter, loc, 0);
    Type i64 = rewriter.getI64Type();
    for (int32_t axis = 0; axis < type.getRank(); ++axis) {
      array.setSize(rewriter, loc, axis, records.load(i64, 0, ArrayRecords::Shape, axis));
      array.setStride(rewriter, loc, axis, records.load(i64, 0, ArrayRecords::Strides, axis));
    }
    rewriter.replaceOp(op, {array});
    return success();
  }
};

struct ReshapePattern : ConvertOpToLLVMPattern<np::CallReshapeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::CallReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto from = cast<MemRefType>(op.getSource().getType()), to = cast<MemRefType>(op.getResult().getType());
    MemRefDescriptor source(adaptor.getSource());
    ArrayRecords records(op, 2, rewriter);
    records.store(0, source, source.bufferPtr(rewriter, loc, *getTypeConverter(), from), from, op.getIsUnsigned());
    records.storeType(1, MemRefType::get(to.getShape(), from.getElementType()), op.getIsUnsigned());
    for (auto [axis, extent] : llvm::enumerate(adaptor.getExtents()))
      records.store(extent, 1, ArrayRecords::Shape, axis);
    auto flag = [&](int32_t bits) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(bits));
    };
    int32_t always = op.getRavel() ? NPCC_RESHAPE_RAVEL : 0;
    Value how = flag(always);
    if (Value isTransposed = adaptor.getTransposed())
      how = LLVM::SelectOp::create(rewriter, loc, isTransposed, flag(always | NPCC_RESHAPE_TRANSPOSED), how);
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_reshape", nullptr,
                 {records.address(), records.address(1), how});
    MemRefDescriptor result = MemRefDescriptor::poison(rewriter, loc, getTypeConverter()->convertType(to));
    result.setAllocatedPtr(rewriter, loc, records.load(getPtrType(), 1, ArrayRecords::Base));
    result.setAlignedPtr(rewriter, loc, records.load(getPtrType(), 1, ArrayRecords::Data));
    result.setConstantOffset(rewriter, loc, 0);
    for (auto [axis, extent] : llvm::enumerate(adaptor.getExtents())) {
      result.setSize(rewriter, loc, axis, extent);
      result.setStride(rewriter, loc, axis, records.load(rewriter.getI64Type(), 1, ArrayRecords::Strides, axis));
    }
    rewriter.replaceOp(op, {result});
    return success();
  }
};

struct SortPattern : ConvertOpToLLVMPattern<np::CallSortOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::CallSortOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto from = cast<MemRefType>(op.getInput().getType()), to = cast<MemRefType>(op.getResult().getType());
    MemRefDescriptor input(adaptor.getInput()), result(adaptor.getResult());
    auto number = [&](int32_t value) {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    Value lines = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(1));
    int64_t last = from.getRank() - 1;
    for (int64_t axis = 0; axis < last; ++axis)
      lines = LLVM::MulOp::create(rewriter, loc, lines, input.size(rewriter, loc, axis));
    Value none = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_sort", nullptr,
                 {number(getMemoryDtype(from.getElementType(), op.getIsUnsigned())), number(op.getPositions()), lines,
                  input.size(rewriter, loc, last), op.getBound() ? adaptor.getBound() : none,
                  input.bufferPtr(rewriter, loc, *getTypeConverter(), from),
                  result.bufferPtr(rewriter, loc, *getTypeConverter(), to)});
    rewriter.eraseOp(op);
    return success();
  }
};

struct MatmulPattern : ConvertOpToLLVMPattern<np::CallMatmulOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  /// A number for each axis of a stack, on the stack.
  Value storeAxes(Operation *op, int64_t count, ConversionPatternRewriter &rewriter,
                  llvm::function_ref<Value(int64_t)> get) const {
    Location loc = op->getLoc();
    Type i64 = rewriter.getI64Type();
    Value slots = allocateOnStack(rewriter, op, i64, count);
    for (int64_t axis = 0; axis < count; ++axis) {
      Value slot =
          LLVM::GEPOp::create(rewriter, loc, slots.getType(), i64, slots, ArrayRef<LLVM::GEPArg>{int32_t(axis)});
      LLVM::StoreOp::create(rewriter, loc, get(axis), slot);
    }
    return slots;
  }

  /// An npcc_matrix on the stack.
  Value store(Operation *op, MemRefType type, MemRefDescriptor matrix, ConversionPatternRewriter &rewriter) const {
    Location loc = op->getLoc();
    Type i64 = rewriter.getI64Type(), pointer = getPtrType();
    Type layout = LLVM::LLVMStructType::getLiteral(op->getContext(), {pointer, i64, i64});
    Value slot = allocateOnStack(rewriter, op, layout, 1);
    Value element = matrix.bufferPtr(rewriter, loc, *getTypeConverter(), type);
    int64_t rank = type.getRank();
    Value fields[] = {element, matrix.stride(rewriter, loc, rank - 2), matrix.stride(rewriter, loc, rank - 1)};
    for (auto [k, field] : llvm::enumerate(fields)) {
      Value address = LLVM::GEPOp::create(rewriter, loc, pointer, layout, slot, ArrayRef<LLVM::GEPArg>{0, int32_t(k)});
      LLVM::StoreOp::create(rewriter, loc, field, address);
    }
    return slot;
  }

  /// An npcc_epilogue on the stack.
  Value storeEpilogue(np::CallMatmulOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Type f64 = rewriter.getF64Type(), i64 = rewriter.getI64Type(), i32 = rewriter.getI32Type(), pointer = getPtrType();
    Type matrix = LLVM::LLVMStructType::getLiteral(op->getContext(), {pointer, i64, i64});
    Type layout = LLVM::LLVMStructType::getLiteral(op->getContext(), {f64, f64, matrix, pointer, i64, i32});
    auto zero = [&](Type type) -> Value { return LLVM::ZeroOp::create(rewriter, loc, type); };
    auto factor = [&](Value given) -> Value {
      return given ? given : LLVM::ConstantOp::create(rewriter, loc, rewriter.getF64FloatAttr(1));
    };
    auto element = [&](Value descriptor, Value memref) {
      return descriptor ? MemRefDescriptor(descriptor)
                              .bufferPtr(rewriter, loc, *getTypeConverter(), cast<MemRefType>(memref.getType()))
                        : zero(pointer);
    };
    // Along an axis of one element all elements are that one.
    auto stride = [&](Value descriptor, int64_t axis) {
      if (!descriptor)
        return zero(i64);
      MemRefDescriptor memref(descriptor);
      Value one = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(1));
      Value isOne = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, memref.size(rewriter, loc, axis), one);
      return LLVM::SelectOp::create(rewriter, loc, isOne, zero(i64), memref.stride(rewriter, loc, axis)).getResult();
    };
    Value addend = adaptor.getAddend(), bias = adaptor.getBias();
    int32_t activation = op.getActivation() == np::Activation::relu ? NPCC_ACTIVATION_RELU : NPCC_ACTIVATION_NONE;
    const std::pair<SmallVector<int32_t>, Value> fields[] = {
        {{0}, factor(adaptor.getAlpha())},
        {{1}, factor(adaptor.getBeta())},
        {{2, 0}, element(addend, op.getAddend())},
        {{2, 1}, stride(addend, 0)},
        {{2, 2}, stride(addend, 1)},
        {{3}, element(bias, op.getBias())},
        {{4}, stride(bias, 0)},
        {{5}, LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(activation))}};
    Value slot = allocateOnStack(rewriter, op, layout, 1);
    for (const auto &[place, field] : fields) {
      SmallVector<LLVM::GEPArg> indices{0};
      indices.append(place.begin(), place.end());
      LLVM::StoreOp::create(rewriter, loc, field, LLVM::GEPOp::create(rewriter, loc, pointer, layout, slot, indices));
    }
    return slot;
  }

  LogicalResult matchAndRewrite(np::CallMatmulOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto typeOf = [](Value value) { return cast<MemRefType>(value.getType()); };
    MemRefDescriptor lhs(adaptor.getLhs()), rhs(adaptor.getRhs()), result(adaptor.getResult());
    auto number = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    auto dtypeOf = [&](Value matrix) {
      return number(getMemoryDtype(typeOf(matrix).getElementType(), op.getIsUnsigned()));
    };
    Value dtype = dtypeOf(op.getLhs()), resultDtype = dtypeOf(op.getResult()),
          flags = number(op.getTf32() ? NPCC_MATMUL_TF32 : 0);
    int64_t stacked = typeOf(op.getResult()).getRank() - 2;
    Value m = lhs.size(rewriter, loc, stacked), k = lhs.size(rewriter, loc, stacked + 1),
          n = rhs.size(rewriter, loc, stacked + 1);
    Value a = store(op, typeOf(op.getLhs()), lhs, rewriter), b = store(op, typeOf(op.getRhs()), rhs, rewriter);
    Value c = store(op, typeOf(op.getResult()), result, rewriter);
    if (stacked == 0) {
      SmallVector<Value> arguments{dtype, resultDtype, flags, m, n, k, a, b, c};
      if (op.hasEpilogue())
        arguments.push_back(storeEpilogue(op, adaptor, rewriter));
      callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(),
                   op.hasEpilogue() ? "npcc_rt_matmul_epilogue" : "npcc_rt_matmul", nullptr, arguments);
    } else {
      SmallVector<Value> arguments{
          dtype, resultDtype, flags, m, n, k, number(stacked), storeAxes(op, stacked, rewriter, [&](int64_t axis) {
            return result.size(rewriter, loc, axis);
          })};
      for (auto [matrix, descriptor] : {std::pair(a, lhs), std::pair(b, rhs), std::pair(c, result)}) {
        arguments.push_back(matrix);
        arguments.push_back(storeAxes(op, stacked, rewriter, [&, stack = descriptor](int64_t axis) mutable {
          return stack.stride(rewriter, loc, axis);
        }));
      }
      callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_matmul_stack", nullptr, arguments);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct RoutinePattern : ConvertOpToLLVMPattern<np::RoutineOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(np::RoutineOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    auto number = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    int32_t count = op->getNumOperands();
    ArrayRecords records(op, count, rewriter);
    for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
      auto type = cast<MemRefType>(operand.getType());
      MemRefDescriptor array(adaptor.getOperands()[k]);
      bool isUnsigned = llvm::is_contained(op.getUnsignedOperands(), int64_t(k));
      records.store(k, array, array.bufferPtr(rewriter, loc, *getTypeConverter(), type), type, isUnsigned);
    }
    Value name = getTextAddress(rewriter, loc, module, op.getRoutine());
    if (std::optional<StringRef> error = op.getError()) { // nothing is left to ask
      auto [file, line] = getSourcePosition(loc);
      callFunction(rewriter, loc, module, "npcc_rt_routine_or_error", nullptr,
                   {name, number(op.getInputs().size()), number(count), records.address(), number(getErrorCode(*error)),
                    getTextAddress(rewriter, loc, module, *op.getMessage()),
                    getTextAddress(rewriter, loc, module, file), number(line)});
      rewriter.eraseOp(op);
      return success();
    }
    rewriter.replaceOp(op, callFunction(rewriter, loc, module, "npcc_rt_routine", rewriter.getI64Type(),
                                        {name, number(op.getInputs().size()), number(count), records.address()})
                               .getResult());
    return success();
  }
};

struct CheckStackPattern : ConvertOpToLLVMPattern<np::CheckStackOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::CheckStackOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    auto [file, line] = getSourcePosition(loc);
    Value text = getTextAddress(rewriter, loc, module, file);
    Value number = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(line));
    callFunction(rewriter, loc, module, "npcc_rt_check_stack", nullptr, {text, number});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ClockPattern : ConvertOpToLLVMPattern<np::ClockOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::ClockOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto module = op->getParentOfType<ModuleOp>();
    Value kind = getTextAddress(rewriter, op.getLoc(), module, op.getKind());
    rewriter.replaceOp(
        op, callFunction(rewriter, op.getLoc(), module, "npcc_rt_clock", rewriter.getF64Type(), {kind}).getResult());
    return success();
  }
};

/// What npcc_rt_text_method() takes: a text, and numbers.
static SmallVector<Value> methodOperands(Operation *op, StringRef method, ArrayRef<Value> arguments,
                                         ConversionPatternRewriter &rewriter) {
  Location loc = op->getLoc();
  Type i64 = rewriter.getI64Type();
  Value array = allocateOnStack(rewriter, op, i64, std::max<size_t>(arguments.size(), 1));
  for (auto [k, argument] : llvm::enumerate(arguments)) {
    Value place = LLVM::GEPOp::create(rewriter, loc, array.getType(), i64, array, ArrayRef<LLVM::GEPArg>{int32_t(k)});
    LLVM::StoreOp::create(rewriter, loc, argument, place);
  }
  Value count = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(arguments.size()));
  return {getTextAddress(rewriter, loc, op->getParentOfType<ModuleOp>(), method), count, array};
}

struct PythonPattern : ConvertOpToLLVMPattern<np::PythonOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::PythonOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands =
        methodOperands(op, op.getPart(), SmallVector<Value>(adaptor.getArguments()), rewriter);
    auto module = op->getParentOfType<ModuleOp>();
    rewriter.replaceOp(
        op, callFunction(rewriter, op.getLoc(), module, "npcc_rt_text_method", rewriter.getI64Type(), operands)
                .getResult());
    return success();
  }
};

struct TextFunctionPattern : ConvertOpToLLVMPattern<np::TextFunctionOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::TextFunctionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    Type i64 = rewriter.getI64Type();
    SmallVector<Value> operands(adaptor.getArguments());
    bool isMethod = op.getFunction().contains(':');
    if (isMethod)
      operands = methodOperands(op, op.getFunction(), operands, rewriter);
    std::string name = isMethod ? "npcc_rt_text_method" : "npcc_rt_text_" + op.getFunction().str();
    rewriter.replaceOp(op, callFunction(rewriter, loc, module, name, i64, operands).getResult());
    return success();
  }
};

/// np.rank and np.device_count.
template <typename GroupOp> struct GroupPattern : ConvertOpToLLVMPattern<GroupOp> {
  using ConvertOpToLLVMPattern<GroupOp>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(GroupOp op, typename GroupOp::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef name = std::is_same_v<GroupOp, np::RankOp> ? "npcc_rt_rank" : "npcc_rt_size";
    auto module = op->template getParentOfType<ModuleOp>();
    rewriter.replaceOp(op, callFunction(rewriter, op.getLoc(), module, name, rewriter.getI64Type(), {}).getResult());
    return success();
  }
};

struct ExchangeHaloPattern : ConvertOpToLLVMPattern<np::ExchangeHaloOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::ExchangeHaloOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getTile().getType());
    MemRefDescriptor tile(adaptor.getTile());
    Value ghosts = LLVM::AddOp::create(rewriter, loc, adaptor.getBefore(), adaptor.getAfter());
    Value rows = LLVM::SubOp::create(rewriter, loc, tile.size(rewriter, loc, 0), ghosts);
    Value rowBytes = LLVM::MulOp::create(rewriter, loc, tile.stride(rewriter, loc, 0),
                                         getSizeInBytes(loc, type.getElementType(), rewriter));
    Value first = tile.bufferPtr(rewriter, loc, *getTypeConverter(), type);
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_halo_exchange", nullptr,
                 {first, rows, rowBytes, adaptor.getBefore(), adaptor.getAfter()});
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void npcc::populateRuntimeCallPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<AllocPattern, ReferencePattern<np::RetainOp>, ReferencePattern<np::ReleaseOp>, MatmulPattern, KeepPattern,
           KeptPattern, ReshapePattern, SortPattern, RoutinePattern, ExchangeHaloPattern, CheckStackPattern,
           ClockPattern, TextFunctionPattern, PythonPattern, GroupPattern<np::RankOp>, GroupPattern<np::DeviceCountOp>>(
          converter);
  populateViewPatterns(converter, patterns);
}

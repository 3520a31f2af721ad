// Generators of random numbers and what is drawn from them: calls of the runtime.
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/target/HostMemory.h"
#include "dialects/Np/Random.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace npcc;

namespace {

/// The number of a row of Distributions.def, -1 if there is none of that name.
int32_t findDistribution(StringRef name) {
  static constexpr StringRef names[] = {
#define NPCC_DISTRIBUTION(name, ...) #name,
#include "runtime/random/Distributions.def"
  };
  const StringRef *found = llvm::find(names, name);
  return found == std::end(names) ? -1 : int32_t(found - names);
}

int32_t findDtype(StringRef name) {
  for (int32_t dtype = 0; dtype < NPCC_DTYPE_COUNT; ++dtype) {
    static constexpr StringRef names[] = {"bool",    "int8",    "int16",     "int32",     "int64",
                                          "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                          "float32", "float64", "complex64", "complex128",
                                          "bfloat16"};
    static_assert(std::size(names) == NPCC_DTYPE_COUNT);
    if (names[dtype] == name)
      return dtype;
  }
  return -1;
}

/// What the patterns here share: constants, and arrays given by their first element and their size.
template <typename Op> struct RandomPattern : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  static Value number(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  Value data(OpBuilder &builder, Location loc, Value array, Value converted) const {
    return MemRefDescriptor(converted).bufferPtr(builder, loc, *this->getTypeConverter(),
                                                 cast<MemRefType>(array.getType()));
  }
  static Value count(OpBuilder &builder, Location loc, Value array, Value converted) {
    MemRefDescriptor descriptor(converted);
    Value product = number(builder, loc, 1);
    for (int64_t axis = 0; axis < cast<MemRefType>(array.getType()).getRank(); ++axis)
      product = LLVM::MulOp::create(builder, loc, product, descriptor.size(builder, loc, axis));
    return product;
  }
  /// The two arguments that a seed is.
  SmallVector<Value> seed(OpBuilder &builder, Location loc, Value array, Value converted) const {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    if (!array)
      return {LLVM::ZeroOp::create(builder, loc, pointer), number(builder, loc, 0)};
    return {data(builder, loc, array, converted), count(builder, loc, array, converted)};
  }
};

struct NewGeneratorPattern : RandomPattern<np::NewGeneratorOp> {
  using RandomPattern::RandomPattern;
  LogicalResult matchAndRewrite(np::NewGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    Value parent = adaptor.getParent();
    if (!parent)
      parent = LLVM::ZeroOp::create(rewriter, loc, getPtrType());
    SmallVector<Value> arguments{getTextAddress(rewriter, loc, module, op.getBits()),
                                 getTextAddress(rewriter, loc, module, op.getSeeding()), parent};
    arguments.append(seed(rewriter, loc, op.getSeed(), adaptor.getSeed()));
    rewriter.replaceOp(
        op, callFunction(rewriter, loc, module, "npcc_rt_new_generator", getPtrType(), arguments).getResult());
    return success();
  }
};

struct SeedGeneratorPattern : RandomPattern<np::SeedGeneratorOp> {
  using RandomPattern::RandomPattern;
  LogicalResult matchAndRewrite(np::SeedGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    SmallVector<Value> arguments{getTextAddress(rewriter, loc, module, op.getSeeding()), adaptor.getGenerator()};
    arguments.append(seed(rewriter, loc, op.getSeed(), adaptor.getSeed()));
    callFunction(rewriter, loc, module, "npcc_rt_seed_generator", nullptr, arguments);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CapturedGeneratorPattern : RandomPattern<np::CapturedGeneratorOp> {
  using RandomPattern::RandomPattern;
  LogicalResult matchAndRewrite(np::CapturedGeneratorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto module = op->getParentOfType<ModuleOp>();
    Value position = number(rewriter, op.getLoc(), op.getNumber());
    rewriter.replaceOp(
        op, callFunction(rewriter, op.getLoc(), module, "npcc_rt_captured_generator", getPtrType(), {position})
                .getResult());
    return success();
  }
};

/// npcc_draw on the stack, and the call.
template <typename Op> struct DrawPattern : RandomPattern<Op> {
  using RandomPattern<Op>::RandomPattern;
  static constexpr bool isScalar = std::is_same_v<Op, np::DrawScalarOp>;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->template getParentOfType<ModuleOp>();
    MLIRContext *context = op->getContext();
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type(), pointer = this->getPtrType();
    auto store = [&](Value value, Type layout, Value base, ArrayRef<LLVM::GEPArg> path) {
      LLVM::StoreOp::create(rewriter, loc, value, LLVM::GEPOp::create(rewriter, loc, pointer, layout, base, path));
    };
    int32_t distribution = findDistribution(op.getDistribution()), dtype = findDtype(op.getDtype());
    if (distribution < 0 || dtype < 0)
      return op.emitError("there is no distribution ") << op.getDistribution() << " of dtype " << op.getDtype();

    Value null = LLVM::ZeroOp::create(rewriter, loc, pointer), scalars = null, arrays = null, out;
    int32_t scalarCount = op.getScalars().size(), arrayCount = 0;
    if (scalarCount) {
      scalars = allocateOnStack(rewriter, op, i64, scalarCount);
      for (auto [k, scalar] : llvm::enumerate(adaptor.getScalars()))
        store(scalar, i64, scalars, {LLVM::GEPArg(int32_t(k))});
    }
    Value elements = this->number(rewriter, loc, 1);
    if constexpr (isScalar) {
      out = allocateOnStack(rewriter, op, i64, 1);
    } else {
      Type layout = LLVM::LLVMStructType::getLiteral(context, {pointer, i64});
      arrayCount = op.getArrays().size();
      if (arrayCount)
        arrays = allocateOnStack(rewriter, op, layout, arrayCount);
      for (auto [k, array] : llvm::enumerate(op.getArrays())) {
        store(this->data(rewriter, loc, array, adaptor.getArrays()[k]), layout, arrays, {int32_t(k), 0});
        store(this->count(rewriter, loc, array, adaptor.getArrays()[k]), layout, arrays, {int32_t(k), 1});
      }
      out = this->data(rewriter, loc, op.getOut(), adaptor.getOut());
      elements = this->count(rewriter, loc, op.getOut(), adaptor.getOut());
    }
    Type layout = LLVM::LLVMStructType::getLiteral(context, {i32, i32, i32, i32, i64, pointer, pointer, pointer});
    Value draw = allocateOnStack(rewriter, op, layout, 1);
    auto word = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    Value fields[] = {
        word(distribution), word(dtype), word(scalarCount), word(arrayCount), elements, scalars, arrays, out};
    for (auto [k, field] : llvm::enumerate(fields))
      store(field, layout, draw, {0, int32_t(k)});
    callFunction(rewriter, loc, module, isScalar ? "npcc_rt_draw_scalar" : "npcc_rt_draw", nullptr,
                 {adaptor.getGenerator(), draw});
    if constexpr (isScalar) {
      Type type = this->getTypeConverter()->convertType(op.getResult().getType());
      Value result = LLVM::LoadOp::create(rewriter, loc, type.isInteger(1) ? i64 : type, out);
      if (type.isInteger(1))
        result = LLVM::TruncOp::create(rewriter, loc, type, result);
      rewriter.replaceOp(op, result);
    } else {
      rewriter.eraseOp(op);
    }
    return success();
  }
};
} // namespace

void npcc::addHostTypes(LLVMTypeConverter &converter) {
  converter.addConversion([](np::GeneratorType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext()); });
  // To LLVM, arrays of both memories are pointers of one kind.
  using Result = TypeConverter::AttributeConversionResult;
  converter.addTypeAttributeConversion([](BaseMemRefType type, StringAttr memory) -> Result {
    if (memory != getHostMemory(type.getContext()))
      return Result::na();
    return IntegerAttr::get(IntegerType::get(type.getContext(), 64), 0);
  });
}

void npcc::populateRandomCallPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<NewGeneratorPattern, SeedGeneratorPattern, CapturedGeneratorPattern, DrawPattern<np::DrawOp>,
               DrawPattern<np::DrawScalarOp>>(converter);
}

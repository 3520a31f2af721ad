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

/// Draws as the runtime has them described: each is an npcc_draw in memory.
template <typename Op> struct DrawingPattern : RandomPattern<Op> {
  using RandomPattern<Op>::RandomPattern;

  struct Piece {
    Value data, count;
  };
  /// What an npcc_draw says, in LLVM's types.
  struct Description {
    StringRef distribution, dtype;
    ValueRange scalars;
    SmallVector<Piece> arrays;
    Piece out;
  };

  static Type getLayout(OpBuilder &builder) {
    Type i32 = builder.getI32Type(), pointer = LLVM::LLVMPointerType::get(builder.getContext());
    return LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                            {i32, i32, i32, i32, builder.getI64Type(), pointer, pointer, pointer});
  }

  Piece pieceOf(OpBuilder &builder, Location loc, Value array, Value converted) const {
    return {this->data(builder, loc, array, converted), this->count(builder, loc, array, converted)};
  }

  /// Writes number `position` of the descriptions that begin at `draws`.
  LogicalResult describe(ConversionPatternRewriter &rewriter, Op op, const Description &given, Value draws,
                         int32_t position) const {
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type(), pointer = this->getPtrType();
    auto store = [&](Value value, Type layout, Value base, ArrayRef<LLVM::GEPArg> path) {
      LLVM::StoreOp::create(rewriter, loc, value, LLVM::GEPOp::create(rewriter, loc, pointer, layout, base, path));
    };
    const np::DistributionInfo *row = np::lookupDistribution(given.distribution);
    int32_t dtype = findDtype(given.dtype), scalarCount = given.scalars.size(), arrayCount = given.arrays.size();
    if (!row || dtype < 0)
      return op.emitError("there is no distribution \"") << given.distribution << "\" of dtype " << given.dtype;
    Value null = LLVM::ZeroOp::create(rewriter, loc, pointer), scalars = null, arrays = null;
    if (scalarCount)
      scalars = allocateOnStack(rewriter, op, i64, scalarCount);
    for (auto [k, scalar] : llvm::enumerate(given.scalars))
      store(scalar, i64, scalars, {LLVM::GEPArg(int32_t(k))});
    Type layout = LLVM::LLVMStructType::getLiteral(op->getContext(), {pointer, i64});
    if (arrayCount)
      arrays = allocateOnStack(rewriter, op, layout, arrayCount);
    for (auto [k, array] : llvm::enumerate(given.arrays)) {
      store(array.data, layout, arrays, {int32_t(k), 0});
      store(array.count, layout, arrays, {int32_t(k), 1});
    }
    auto word = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    Value fields[] = {word(row->number), word(dtype), word(scalarCount), word(arrayCount), given.out.count,
                      scalars,           arrays,      given.out.data};
    for (auto [k, field] : llvm::enumerate(fields))
      store(field, getLayout(rewriter), draws, {position, int32_t(k)});
    return success();
  }
};

template <typename Op> struct DrawPattern : DrawingPattern<Op> {
  using DrawingPattern<Op>::DrawingPattern;
  static constexpr bool isScalar = std::is_same_v<Op, np::DrawScalarOp>;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->template getParentOfType<ModuleOp>();
    typename DrawingPattern<Op>::Description given{op.getDistribution(), op.getDtype(), adaptor.getScalars(), {}, {}};
    if constexpr (isScalar) {
      given.out = {allocateOnStack(rewriter, op, rewriter.getI64Type(), 1), this->number(rewriter, loc, 1)};
    } else {
      for (auto [array, converted] : llvm::zip_equal(op.getArrays(), adaptor.getArrays()))
        given.arrays.push_back(this->pieceOf(rewriter, loc, array, converted));
      given.out = this->pieceOf(rewriter, loc, op.getOut(), adaptor.getOut());
    }
    Value draw = allocateOnStack(rewriter, op, this->getLayout(rewriter), 1);
    if (failed(this->describe(rewriter, op, given, draw, 0)))
      return failure();
    callFunction(rewriter, loc, module, isScalar ? "npcc_rt_draw_scalar" : "npcc_rt_draw", nullptr,
                 {adaptor.getGenerator(), draw});
    if constexpr (isScalar) {
      Type type = this->getTypeConverter()->convertType(op.getResult().getType()), i64 = rewriter.getI64Type();
      Value result = LLVM::LoadOp::create(rewriter, loc, type.isInteger(1) ? i64 : type, given.out.data);
      if (type.isInteger(1))
        result = LLVM::TruncOp::create(rewriter, loc, type, result);
      rewriter.replaceOp(op, result);
    } else {
      rewriter.eraseOp(op);
    }
    return success();
  }
};

/// Each draw is described as that of one turn.
struct DrawInTurnsPattern : DrawingPattern<np::DrawInTurnsOp> {
  using DrawingPattern::DrawingPattern;

  LogicalResult matchAndRewrite(np::DrawInTurnsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int32_t count = op.getOuts().size();
    Value draws = allocateOnStack(rewriter, op, getLayout(rewriter), count), turns;
    ValueRange scalars = adaptor.getScalars();
    for (auto [k, out, converted] : llvm::enumerate(op.getOuts(), adaptor.getOuts())) {
      MemRefDescriptor descriptor(converted);
      if (k == 0)
        turns = descriptor.size(rewriter, loc, 0);
      Value each = number(rewriter, loc, 1);
      for (int64_t axis = 1; axis < cast<MemRefType>(out.getType()).getRank(); ++axis)
        each = LLVM::MulOp::create(rewriter, loc, each, descriptor.size(rewriter, loc, axis));
      int32_t mine = op.getScalarCounts()[k];
      Description given{cast<StringAttr>(op.getDistributions()[k]).getValue(),
                        cast<StringAttr>(op.getDtypes()[k]).getValue(),
                        scalars.take_front(mine),
                        {},
                        {data(rewriter, loc, out, converted), each}};
      scalars = scalars.drop_front(mine);
      if (failed(describe(rewriter, op, given, draws, int32_t(k))))
        return failure();
    }
    Value length = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(count));
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_draw_in_turns", nullptr,
                 {adaptor.getGenerator(), draws, length, turns});
    rewriter.eraseOp(op);
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
               DrawPattern<np::DrawScalarOp>, DrawInTurnsPattern>(converter);
}

// npcc-launch-threads: thread-level kernels as gpu.launch, with the function of a thread as its body.
//
//   np.launch @scale.threads0 grid(%gx, ...) block(%bx, ...) shared(%s) (%x, %f) : memref<?xf32>, f64
// becomes
//   %address = the first element of %x, as !llvm.ptr<1>     %n = memref.dim %x, 0
//   gpu.launch blocks(...) threads(...) dynamic_shared_memory_size %s { %x = a memref of %address and %n; the
//   function's body }
// Arrays go as an address, extents and, where they are not contiguous, strides. Shared arrays are workgroup memory,
// local ones memref.alloca, constants globals. What threads do together is NVVM's.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/codegen/ThreadMemory.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/ThreadActions.h"
#include "compiler/gpu/ThreadLoops.h"
#include "compiler/gpu/image/EntryFunctions.h"
#include "dialects/Np/Host.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LAUNCHTHREADS
#include "compiler/gpu/Passes.h.inc"
namespace {

constexpr unsigned sharedSpace = 3, constantSpace = 4; // NVVM's address spaces

struct LaunchThreads : impl::LaunchThreadsBase<LaunchThreads> {
  void runOnOperation() override {
    SmallVector<np::LaunchOp> launches;
    getOperation().walk([&](np::LaunchOp launch) { launches.push_back(launch); });
    llvm::StringSet<> launched;
    for (np::LaunchOp launch : launches)
      launched.insert(launch.getCallee());
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr("np.thread"))
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      if (!launched.contains(function.getName()))
        continue;
      if (failed(prepareThreadFunction(function)))
        return signalPassFailure();
      lowerAtomics(function, LLVM::AtomicOrdering::monotonic, "device");
      lowerFields(function);
      lowerRebases(function);
      boundUnrolling(function);
    }
    for (np::LaunchOp launch : launches)
      lower(launch, getOperation().lookupSymbol<func::FuncOp>(launch.getCallee()));
    // Other kernels call linked code, too (cuda::emitMatrices).
    SmallVector<gpu::LaunchOp> others;
    getOperation().walk([&](gpu::LaunchOp launch) { others.push_back(launch); });
    for (gpu::LaunchOp launch : others)
      cuda::lowerThreadActions(getOperation(), launch, /*gridCounter=*/Value());
    for (func::FuncOp function : functions)
      function.erase();
  }

  /// An array as the host hands it over: an address, extents, and strides unless it is contiguous.
  struct HostArray {
    Value address;
    SmallVector<Value> sizes, strides;
  };

  HostArray describe(OpBuilder &host, Location loc, Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    HostArray array;
    Type i64 = host.getI64Type(), global = LLVM::LLVMPointerType::get(&getContext(), 1);
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(host, loc, memory);
    if (type.getLayout().isIdentity()) {
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        array.sizes.push_back(memref::DimOp::create(host, loc, memory, axis));
    } else {
      auto metadata = memref::ExtractStridedMetadataOp::create(host, loc, memory);
      Value bytes = arith::ConstantIndexOp::create(host, loc, getElementBytes(type.getElementType()));
      address =
          arith::AddIOp::create(host, loc, address, arith::MulIOp::create(host, loc, metadata.getOffset(), bytes));
      llvm::append_range(array.sizes, metadata.getSizes());
      llvm::append_range(array.strides, metadata.getStrides());
    }
    array.address =
        LLVM::IntToPtrOp::create(host, loc, global, Value(arith::IndexCastOp::create(host, loc, i64, address)));
    return array;
  }

  void lower(np::LaunchOp op, func::FuncOp function) {
    Location loc = function.getLoc();
    OpBuilder host(op);
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i32 = host.getI32Type();
    SmallVector<HostArray> arrays;
    for (Value argument : op.getArguments())
      if (isa<MemRefType>(argument.getType()))
        arrays.push_back(describe(host, loc, argument));
    bool syncsGrid = false;
    function.walk([&](np::ThreadOp thread) { syncsGrid |= thread.getAction() == np::ThreadAction::grid_sync; });
    Value counter, hostCounter;
    if (syncsGrid) {
      hostCounter = callFunction(host, loc, getOperation(), "npcc_rt_alloc", pointer,
                                 {LLVM::ConstantOp::create(host, loc, host.getI64IntegerAttr(8))})
                        .getResult();
      Value zero = allocateOnStack(host, op, host.getI64Type(), 1);
      LLVM::StoreOp::create(host, loc, LLVM::ConstantOp::create(host, loc, host.getI64IntegerAttr(0)), zero);
      callFunction(host, loc, getOperation(), "npcc_rt_write", nullptr,
                   {hostCounter, zero, LLVM::ConstantOp::create(host, loc, host.getI64IntegerAttr(8))});
      Value bits = LLVM::PtrToIntOp::create(host, loc, host.getI64Type(), hostCounter);
      counter = LLVM::IntToPtrOp::create(host, loc, LLVM::LLVMPointerType::get(&getContext(), 1), bits);
    }
    Value sharedBytes = arith::IndexCastOp::create(host, loc, i32, op.getSharedBytes());
    auto grid = op.getGrid(), block = op.getBlock();
    SmallVector<Type> shared;
    SmallVector<np::ThreadArrayOp> own;
    function.walk([&](np::ThreadArrayOp array) { own.push_back(array); });
    for (np::ThreadArrayOp array : llvm::reverse(own)) // those in branches too
      array->moveBefore(&function.getBody().front(), function.getBody().front().begin());
    for (np::ThreadArrayOp array : own)
      if (array.getKind() == np::ThreadArrayKind::shared) {
        auto type = cast<MemRefType>(array.getArray().getType());
        shared.push_back(
            MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                            gpu::AddressSpaceAttr::get(&getContext(), gpu::GPUDialect::getWorkgroupAddressSpace())));
      }
    int64_t declared = 0;
    for (Type type : shared)
      declared += (getStaticBytes(cast<MemRefType>(type)) + 15) / 16 * 16;
    Value described = describeGrid(host, getOperation(), op, loc,
                                   cast<StringAttr>(function->getAttr("np.thread")).getValue(), declared, 0);
    callFunction(host, loc, getOperation(), "npcc_rt_check_grid", nullptr, {described});
    auto launch = gpu::LaunchOp::create(host, loc, grid[0], grid[1], grid[2], block[0], block[1], block[2], sharedBytes,
                                        /*asyncTokenType=*/Type(),
                                        /*asyncDependencies=*/ValueRange(), shared);
    setOptions(launch, op, function);

    OpBuilder body = OpBuilder::atBlockEnd(&launch.getBody().front());
    IRMapping mapping;
    size_t nextArray = 0, nextShared = 0;
    for (auto [parameter, argument] : llvm::zip(function.getArguments(), op.getArguments())) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type) {
        mapping.map(parameter, argument);
        continue;
      }
      HostArray &array = arrays[nextArray++];
      Value address = LLVM::AddrSpaceCastOp::create(body, loc, pointer, array.address);
      mapping.map(parameter, makeMemRef(body, loc, address, type, array.sizes, array.strides));
    }
    if (function->hasAttr("np.kernel_entry"))
      nameParameters(body, loc, op, arrays);
    for (np::ThreadArrayOp array : own) {
      auto type = cast<MemRefType>(array.getArray().getType());
      Value memory;
      if (array.getKind() == np::ThreadArrayKind::shared)
        memory = memref::MemorySpaceCastOp::create(body, loc, type, launch.getWorkgroupAttributions()[nextShared++]);
      else if (array.getKind() == np::ThreadArrayKind::local)
        memory = memref::AllocaOp::create(body, loc, type, body.getI64IntegerAttr(16));
      else if (array.getKind() == np::ThreadArrayKind::constant)
        memory = makeMemRef(body, loc, makeConstants(body, getOperation(), array, constantSpace), type);
      else if (array.getKind() == np::ThreadArrayKind::result)
        memory = makeMemRef(body, loc, makeResult(body, loc, type.getElementType()), type);
      else
        memory = makeDynamic(body, loc, type, op.getSharedBytes());
      mapping.map(array.getArray(), memory);
    }
    for (Operation &each : function.getBody().front().without_terminator())
      if (!isa<np::ThreadArrayOp>(each))
        body.clone(each, mapping);
    gpu::TerminatorOp::create(body, loc);
    cuda::lowerThreadActions(getOperation(), launch, counter);
    SmallVector<np::PrintOp> prints;
    launch.walk([&](np::PrintOp print) { prints.push_back(print); });
    for (np::PrintOp print : prints)
      lower(print);
    if (syncsGrid) {
      host.setInsertionPointAfter(launch);
      callFunction(host, loc, getOperation(), "npcc_rt_release", nullptr, {hostCounter});
    }
    op.erase();
  }

  /// Says what the kernel takes, in the order of the function's parameters: each array as its address, extents, and
  /// strides unless it is contiguous. What is known is no parameter.
  static void nameParameters(OpBuilder &builder, Location loc, np::LaunchOp op, ArrayRef<HostArray> arrays) {
    SmallVector<Value> values;
    size_t next = 0;
    for (Value argument : op.getArguments()) {
      if (!isa<MemRefType>(argument.getType())) {
        values.push_back(argument);
        continue;
      }
      const HostArray &array = arrays[next++];
      values.push_back(array.address);
      llvm::append_range(values, array.sizes);
      llvm::append_range(values, array.strides);
    }
    np::LaunchParametersOp::create(builder, loc, values);
  }

  /// The place of a function's result, which becomes a register or a parameter (image/EntryFunctions.cpp).
  Value makeResult(OpBuilder &builder, Location loc, Type element) {
    if (!getOperation().lookupSymbol(cuda::resultSymbol)) {
      OpBuilder atModule = OpBuilder::atBlockBegin(getOperation().getBody());
      Type type = LLVMTypeConverter(&getContext()).convertType(element);
      LLVM::GlobalOp::create(atModule, loc, type.isInteger(1) ? builder.getI8Type() : type, /*isConstant=*/false,
                             LLVM::Linkage::External, cuda::resultSymbol, Attribute());
    }
    return LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(&getContext()), cuda::resultSymbol);
  }

  /// print() by CUDA's printf: floats have six digits behind the point. More numbers than it takes are printed by
  /// several calls.
  static void lower(np::PrintOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    std::string format;
    SmallVector<Value> arguments;
    constexpr size_t mostArguments = 32; // of CUDA's printf
    auto give = [&](StringRef conversion, Value value) {
      if (arguments.size() == mostArguments) {
        gpu::PrintfOp::create(builder, loc, format, arguments);
        format.clear();
        arguments.clear();
      }
      format += conversion;
      arguments.push_back(value);
    };
    auto giveFloat = [&](StringRef conversion, Value value) {
      give(conversion, value.getType().isF64()
                           ? value
                           : arith::ExtFOp::create(builder, loc, builder.getF64Type(), value).getResult());
    };
    for (Attribute piece : op.getPieces()) {
      if (auto text = dyn_cast<StringAttr>(piece)) {
        for (char character : text.getValue())
          format += character == '%' ? std::string("%%") : std::string(1, character);
        continue;
      }
      auto pair = cast<ArrayAttr>(piece);
      Value value = op.getArguments()[cast<IntegerAttr>(pair[0]).getInt()];
      bool isUnsigned = pair.size() > 2 && cast<StringAttr>(pair[2]).getValue() == "unsigned";
      Type type = value.getType(), i64 = builder.getI64Type();
      if (auto complex = dyn_cast<ComplexType>(type)) {
        giveFloat("(%f", complex::ReOp::create(builder, loc, value));
        giveFloat("%+fj)", complex::ImOp::create(builder, loc, value));
      } else if (isa<FloatType>(type)) {
        giveFloat("%f", value);
      } else if (type.isIndex()) {
        give("%lld", arith::IndexCastOp::create(builder, loc, i64, value));
      } else if (type.isInteger(64)) {
        give(isUnsigned ? "%llu" : "%lld", value);
      } else if (isUnsigned || type.isInteger(1)) {
        give("%llu", arith::ExtUIOp::create(builder, loc, i64, value));
      } else {
        give("%lld", arith::ExtSIOp::create(builder, loc, i64, value));
      }
    }
    gpu::PrintfOp::create(builder, loc, format, arguments);
    op.erase();
  }

  void setOptions(gpu::LaunchOp launch, np::LaunchOp op, func::FuncOp function) {
    Builder builder(&getContext());
    launch->setAttr("np.thread", function->getAttr("np.thread")); // the name in Python
    launch->setAttr("np.class", builder.getStringAttr("threads"));
    if (op.getCooperative())
      launch->setAttr("np.cooperative", builder.getUnitAttr());
    auto number = [&](StringRef name) {
      auto attribute = function->getAttrOfType<IntegerAttr>(name);
      return attribute ? int32_t(attribute.getInt()) : 0;
    };
    if (function->hasAttr("np.fastmath"))
      launch->setAttr("np.fastmath", builder.getUnitAttr());
    if (Attribute entry = function->getAttr("np.kernel_entry"))
      launch->setAttr("np.kernel_entry", entry);
    if (Attribute lines = function->getAttr("np.lines"))
      launch->setAttr("np.lines", lines);
    if (int32_t registers = number("np.max_registers"))
      launch->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(), builder.getI32IntegerAttr(registers));
    if (int32_t threads = number("np.max_threads"))
      launch->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), builder.getDenseI32ArrayAttr({threads}));
    if (int32_t blocks = number("np.min_blocks"))
      launch->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(blocks));
  }

  /// The memory that the launch gives each block, from its beginning.
  Value makeDynamic(OpBuilder &builder, Location loc, MemRefType type, Value bytes) {
    // A variable of no size that is defined elsewhere, as CUDA C declares it.
    constexpr StringLiteral name = "npcc_dynamic_shared";
    if (!getOperation().lookupSymbol(name)) {
      OpBuilder atModule = OpBuilder::atBlockBegin(getOperation().getBody());
      LLVM::GlobalOp::create(atModule, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), 0), /*isConstant=*/false,
                             LLVM::Linkage::External, name, Attribute(),
                             /*alignment=*/16, sharedSpace);
    }
    Value shared =
        LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(&getContext(), sharedSpace), name);
    Value address = LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(&getContext()), shared);
    Value size = arith::ConstantIndexOp::create(builder, loc, getElementBytes(type.getElementType()));
    return makeMemRef(builder, loc, address, type, arith::DivUIOp::create(builder, loc, bytes, size).getResult());
  }
};

} // namespace
} // namespace npcc

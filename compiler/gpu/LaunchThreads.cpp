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
#include "compiler/gpu/ThreadLoops.h"
#include "compiler/gpu/image/EntryFunctions.h"
#include "dialects/Np/Host.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LAUNCHTHREADS
#include "compiler/gpu/Passes.h.inc"
namespace {

constexpr unsigned sharedSpace = 3, constantSpace = 4; // NVVM's address spaces

/// What np.thread and np.call_linked are for NVVM, inside one launch.
class WarpLowering {
public:
  WarpLowering(ModuleOp module, OpBuilder &builder, Location loc, Value gridCounter)
      : module(module), builder(builder), loc(loc), gridCounter(gridCounter) {}

  SmallVector<Value> lower(np::ThreadOp op) {
    ValueRange operands = op.getOperands();
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
    auto give = [&](const char *name, Type result) -> SmallVector<Value> { return {call(name, result, operands)}; };
    auto act = [&](const char *name) -> SmallVector<Value> { return call(name, {}, operands), SmallVector<Value>(); };
    switch (op.getAction()) {
    case np::ThreadAction::syncthreads:
      return gpu::BarrierOp::create(builder, loc), SmallVector<Value>();
    case np::ThreadAction::syncthreads_count:
      return {reduceAtBarrier("popc", i32, operands[0])};
    case np::ThreadAction::syncthreads_and:
      return {arith::ExtUIOp::create(builder, loc, i32, reduceAtBarrier("and", i1, operands[0]))};
    case np::ThreadAction::syncthreads_or:
      return {arith::ExtUIOp::create(builder, loc, i32, reduceAtBarrier("or", i1, operands[0]))};
    case np::ThreadAction::syncwarp:
      return act("llvm.nvvm.bar.warp.sync");
    case np::ThreadAction::fence_block:
      return act("llvm.nvvm.membar.cta");
    case np::ThreadAction::fence_grid:
      return act("llvm.nvvm.membar.gl");
    case np::ThreadAction::fence_system:
      return act("llvm.nvvm.membar.sys");
    case np::ThreadAction::grid_sync:
      return syncGrid(), SmallVector<Value>();
    case np::ThreadAction::shuffle_idx:
      return shuffle("idx", operands);
    case np::ThreadAction::shuffle_up:
      return shuffle("up", operands);
    case np::ThreadAction::shuffle_down:
      return shuffle("down", operands);
    case np::ThreadAction::shuffle_xor:
      return shuffle("bfly", operands);
    case np::ThreadAction::vote_all:
      return give("llvm.nvvm.vote.all.sync", i1);
    case np::ThreadAction::vote_any:
      return give("llvm.nvvm.vote.any.sync", i1);
    case np::ThreadAction::vote_eq:
      return give("llvm.nvvm.vote.uni.sync", i1);
    case np::ThreadAction::ballot:
      return give("llvm.nvvm.vote.ballot.sync", i32);
    case np::ThreadAction::match_any:
    case np::ThreadAction::match_all:
      return match(op.getAction() == np::ThreadAction::match_all, operands);
    case np::ThreadAction::active_mask:
      return give("llvm.nvvm.activemask", i32);
    case np::ThreadAction::lane_mask_lt:
      return give("llvm.nvvm.read.ptx.sreg.lanemask.lt", i32);
    case np::ThreadAction::lane_id:
      return give("llvm.nvvm.read.ptx.sreg.laneid", i32);
    case np::ThreadAction::nanosleep:
      return act("llvm.nvvm.nanosleep");
    }
    llvm_unreachable("a case for each action");
  }

  /// A function of linked code stores its result where its first parameter points, and returns a status.
  SmallVector<Value> lower(np::CallLinkedOp op) {
    StringRef name = op.getCallee();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
    LLVMTypeConverter converter(builder.getContext());
    Type result = op.getNumResults() ? converter.convertType(op.getResult(0).getType()) : builder.getI32Type();
    OpBuilder entry = OpBuilder::atBlockBegin(&op->getParentOfType<gpu::LaunchOp>().getBody().front());
    Value one = LLVM::ConstantOp::create(entry, loc, builder.getI64IntegerAttr(1));
    SmallVector<Value> arguments{LLVM::AllocaOp::create(entry, loc, pointer, result, one)};
    SmallVector<Type> types{pointer};
    for (Value operand : op.getOperands()) {
      Type type = converter.convertType(operand.getType());
      types.push_back(type);
      arguments.push_back(type == operand.getType()
                              ? operand
                              : UnrealizedConversionCastOp::create(builder, loc, type, operand).getResult(0));
    }
    if (!module.lookupSymbol(name)) {
      OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
      auto function = LLVM::LLVMFuncOp::create(atModule, loc, name, LLVM::LLVMFunctionType::get(i32, types));
      function.setConvergent(true); // threads may wait for each other in it
    }
    LLVM::CallOp::create(builder, loc, TypeRange(i32), FlatSymbolRefAttr::get(builder.getContext(), name), arguments);
    if (!op.getNumResults())
      return {};
    Value loaded = LLVM::LoadOp::create(builder, loc, result, arguments[0]);
    Type type = op.getResult(0).getType();
    return {type == result ? loaded : UnrealizedConversionCastOp::create(builder, loc, type, loaded).getResult(0)};
  }

private:
  Value number(int32_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }

  Value call(const std::string &name, Type result, ValueRange operands) {
    StringAttr intrinsic = builder.getStringAttr(name);
    if (!result) {
      LLVM::CallIntrinsicOp::create(builder, loc, intrinsic, operands);
      return {};
    }
    return LLVM::CallIntrinsicOp::create(builder, loc, result, intrinsic, operands)->getResult(0);
  }

  /// A barrier of the block that tells how many threads say yes, or whether all or any do.
  Value reduceAtBarrier(StringRef kind, Type result, Value asked) {
    Value isTrue = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, asked, number(0));
    return call(("llvm.nvvm.barrier.cta.red." + kind + ".aligned.all").str(), result, {number(0), isTrue});
  }

  SmallVector<Value> match(bool isAll, ValueRange operands) {
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type();
    Value bits = widen(operands[1]);
    std::string type = bits.getType().isInteger(64) ? "i64" : "i32";
    if (!isAll)
      return {call("llvm.nvvm.match.any.sync." + type, i32, {operands[0], bits})};
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32, i1});
    Value both = call("llvm.nvvm.match.all.sync." + type + "p", pair, {operands[0], bits});
    return {LLVM::ExtractValueOp::create(builder, loc, both, 0), LLVM::ExtractValueOp::create(builder, loc, both, 1)};
  }

  /// As i32, or i64 where it is as wide.
  Value widen(Value value) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (isa<FloatType>(value.getType()))
      value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(width), value);
    return width < 32 ? arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value).getResult() : value;
  }
  Value narrow(Value bits, Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (bits.getType().getIntOrFloatBitWidth() != width)
      bits = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), bits);
    return bits.getType() == type ? bits : arith::BitcastOp::create(builder, loc, type, bits).getResult();
  }

  /// (mask, value, lane, width): 32 bits at a time.
  SmallVector<Value> shuffle(StringRef kind, ValueRange operands) {
    Type i1 = builder.getI1Type(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32, i1});
    // The segment that lanes come from, and the last lane of it that may: PTX's operand c.
    Value segment =
        arith::ShLIOp::create(builder, loc, arith::SubIOp::create(builder, loc, number(32), operands[3]), number(8));
    Value clamp = kind == "up" ? segment : arith::OrIOp::create(builder, loc, segment, number(31)).getResult();
    std::string name = ("llvm.nvvm.shfl.sync." + kind + ".i32p").str();
    Value inside;
    auto part = [&](Value bits) -> Value {
      Value both = call(name, pair, {operands[0], bits, operands[2], clamp});
      inside = LLVM::ExtractValueOp::create(builder, loc, both, 1);
      return LLVM::ExtractValueOp::create(builder, loc, both, 0);
    };
    Value bits = widen(operands[1]);
    if (bits.getType().isInteger(64)) {
      Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
      Value low = part(arith::TruncIOp::create(builder, loc, i32, bits));
      Value high = part(arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, bits, shift)));
      bits = arith::OrIOp::create(
          builder, loc, arith::ExtUIOp::create(builder, loc, i64, low),
          arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), shift));
    } else {
      bits = part(bits);
    }
    return {narrow(bits, operands[1].getType()), inside};
  }

  /// All blocks add to a counter of the launch; the highest bit of it changes when the last one has come. The first
  /// block adds what completes the number of blocks to that bit, the others 1 each.
  void syncGrid() {
    gpu::BarrierOp::create(builder, loc);
    Type i32 = builder.getI32Type(), index = builder.getIndexType();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst, isFirstBlock, blocks = number(1);
    auto both = [&](Value left, Value right) -> Value {
      return left ? arith::AndIOp::create(builder, loc, left, right).getResult() : right;
    };
    auto isZero = [&](Value value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, zero);
    };
    for (gpu::Dimension axis : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
      isFirst = both(isFirst, isZero(gpu::ThreadIdOp::create(builder, loc, index, axis)));
      isFirstBlock = both(isFirstBlock, isZero(gpu::BlockIdOp::create(builder, loc, index, axis)));
      Value size = arith::IndexCastOp::create(builder, loc, i32, gpu::GridDimOp::create(builder, loc, index, axis));
      blocks = arith::MulIOp::create(builder, loc, blocks, size);
    }
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    call("llvm.nvvm.membar.gl", {}, {});
    Value rest =
        arith::SubIOp::create(builder, loc, number(INT32_MIN), arith::SubIOp::create(builder, loc, blocks, number(1)));
    Value step = arith::SelectOp::create(builder, loc, isFirstBlock, rest, number(1));
    Value old = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, gridCounter, step,
                                          LLVM::AtomicOrdering::acq_rel, "device");
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&loop.getBefore());
    Value now = LLVM::LoadOp::create(builder, loc, i32, gridCounter, /*alignment=*/4, /*isVolatile=*/true);
    Value changed = arith::XOrIOp::create(builder, loc, old, now);
    Value waits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, changed, number(0));
    scf::ConditionOp::create(builder, loc, waits, ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
    builder.setInsertionPointAfter(loop);
    call("llvm.nvvm.membar.gl", {}, {});
    builder.setInsertionPointAfter(branch);
    gpu::BarrierOp::create(builder, loc);
  }

  ModuleOp module;
  OpBuilder &builder;
  Location loc;
  Value gridCounter;
};

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
      lowerTogether(launch, /*counter=*/Value());
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
    lowerTogether(launch, counter);
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

  /// What threads do together, and calls of linked code.
  void lowerTogether(gpu::LaunchOp launch, Value counter) {
    SmallVector<Operation *> together;
    launch.walk([&](Operation *op) {
      if (isa<np::ThreadOp, np::CallLinkedOp>(op))
        together.push_back(op);
    });
    for (Operation *op : together) {
      OpBuilder builder(op);
      WarpLowering lowering(getOperation(), builder, op->getLoc(), counter);
      auto call = dyn_cast<np::CallLinkedOp>(op);
      op->replaceAllUsesWith(call ? lowering.lower(call) : lowering.lower(cast<np::ThreadOp>(op)));
      op->erase();
    }
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

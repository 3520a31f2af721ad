// npcc-outline-threads: thread-level kernels as functions that the runtime calls.
//
//   np.launch @scale.threads0 grid(%gx, %gy, %gz) block(%bx, %by, %bz) shared(%s) (%x, %f)
// becomes
//   llvm.call @npcc_rt_launch_threads(%shape, @scale.threads0.body, %context)           // %context: the arguments, in
//   a struct on the stack func.func private @scale.threads0.body(%thread, %context) {                        // where
//   threads do not wait for each other
//     for %z, %y, %x of the block { func.call @scale.threads0(%thread, %x, %y, %z, %a, %f) } }
// Where they do, the body runs one thread, and the runtime has a stack for each of them. Positions come from
// npcc_thread; barriers and what the lanes of a warp exchange are calls of the runtime.
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/codegen/ThreadMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Np.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "runtime/abi/threads.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_OUTLINETHREADS
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

// The fields of npcc_thread, in words.
static constexpr int32_t threadField = 0, blockField = 3, blockSizeField = 6, gridSizeField = 9, sharedField = 12,
                         dynamicField = 13, dynamicBytesField = 14;
static_assert(offsetof(npcc_thread, dynamic_bytes) == 8 * dynamicBytesField);

namespace {
/// One function of threads: what it asks the GPU for, it asks the runtime.
class ThreadLowering {
public:
  ThreadLowering(ModuleOp module, func::FuncOp function)
      : module(module), function(function), entry(function.getContext()) {
    pointer = LLVM::LLVMPointerType::get(function.getContext());
    Type index = IndexType::get(function.getContext());
    SmallVector<Type> leading{pointer, index, index, index};
    for (auto [k, type] : llvm::enumerate(leading))
      (void)function.insertArgument(k, type, {}, function.getLoc());
    // Before an operation that stays.
    entry.setInsertionPointToStart(&function.getBody().front());
    entry.setInsertionPoint(arith::ConstantIndexOp::create(entry, function.getLoc(), 0));
  }

  int64_t sharedBytes = 0, localBytes = 0;

  /// Tells the runtime of what threads reach that others may reach too, before they do: the target "debug" looks for
  /// races.
  void reportAccesses() {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      auto thread = dyn_cast<np::ThreadOp>(op);
      bool isFence = thread && np::isFence(thread.getAction());
      if (isa<memref::LoadOp, memref::StoreOp, np::AtomicOp>(op) || isFence)
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto load = dyn_cast<memref::LoadOp>(op))
        report(builder, op, load.getMemRef(), load.getIndices(), 0);
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        report(builder, op, store.getMemRef(), store.getIndices(), 1);
      else if (auto atomic = dyn_cast<np::AtomicOp>(op))
        report(builder, op, atomic.getArray(), atomic.getPosition(), 2);
      else
        callFunction(builder, op->getLoc(), module, "npcc_rt_thread_fence", nullptr, place(builder));
    }
  }

  void run() {
    lowerAtomics(function, LLVM::AtomicOrdering::acq_rel, "");
    lowerFields(function);
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, np::ThreadArrayOp, np::ThreadOp,
              np::LibdeviceOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      SmallVector<Value> results = lower(builder, op);
      op->replaceAllUsesWith(results);
      op->erase();
    }
  }

private:
  /// The state of the thread and its position in the block, as the runtime takes them.
  SmallVector<Value> place(OpBuilder &builder) {
    SmallVector<Value> values{state()};
    for (unsigned axis = 0; axis < 3; ++axis)
      values.push_back(
          arith::IndexCastOp::create(builder, loc(), builder.getI64Type(), function.getArgument(1 + axis)));
    return values;
  }

  void report(OpBuilder &builder, Operation *op, Value memory, ValueRange position, int32_t kind) {
    Value root = memory;
    while (Operation *view = root.getDefiningOp()) {
      if (auto field = dyn_cast<np::FieldOp>(view))
        root = field.getBytes();
      else if (auto other = dyn_cast<ViewLikeOpInterface>(view))
        root = other.getViewSource();
      else
        break;
    }
    if (auto own = root.getDefiningOp<np::ThreadArrayOp>();
        own && own.getKind() != np::ThreadArrayKind::shared && own.getKind() != np::ThreadArrayKind::dynamic)
      return; // only this thread has it
    auto [file, line] = getSourcePosition(op->getLoc());
    SmallVector<Value> arguments = place(builder);
    arguments.push_back(getAddress(builder, op->getLoc(), memory, position));
    int64_t bytes = getElementBytes(cast<MemRefType>(memory.getType()).getElementType());
    arguments.push_back(LLVM::ConstantOp::create(builder, loc(), builder.getI64IntegerAttr(bytes)));
    arguments.push_back(i32(builder, kind));
    arguments.push_back(getTextAddress(builder, op->getLoc(), module, file));
    arguments.push_back(i32(builder, line));
    callFunction(builder, op->getLoc(), module, "npcc_rt_thread_access", nullptr, arguments);
  }

  Value state() { return function.getArgument(0); }
  Location loc() { return function.getLoc(); }

  Value fieldAddress(OpBuilder &builder, int32_t word) {
    return LLVM::GEPOp::create(builder, loc(), pointer, builder.getI64Type(), state(), ArrayRef<LLVM::GEPArg>{word});
  }

  /// A field that does not change, read at the entry.
  Value field(int32_t word) {
    Value &known = fields[word];
    if (!known) {
      Value number = LLVM::LoadOp::create(entry, loc(), entry.getI64Type(), fieldAddress(entry, word));
      known = arith::IndexCastOp::create(entry, loc(), entry.getIndexType(), number);
    }
    return known;
  }

  SmallVector<Value> lower(OpBuilder &builder, Operation *op) {
    auto axis = [](auto id) { return static_cast<int32_t>(id.getDimension()); };
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return {function.getArgument(1 + axis(id))};
    if (auto id = dyn_cast<gpu::BlockIdOp>(op))
      return {field(blockField + axis(id))};
    if (auto id = dyn_cast<gpu::BlockDimOp>(op))
      return {field(blockSizeField + axis(id))};
    if (auto id = dyn_cast<gpu::GridDimOp>(op))
      return {field(gridSizeField + axis(id))};
    if (auto array = dyn_cast<np::ThreadArrayOp>(op))
      return {makeArray(array)};
    if (auto libdevice = dyn_cast<np::LibdeviceOp>(op))
      return callLibdevice(builder, entry, libdevice, [&](Type result, ValueRange arguments) {
        return callFunction(builder, loc(), module, ("npcc_rt_nv_" + libdevice.getName()).str(), result, arguments);
      });
    return callRuntime(builder, cast<np::ThreadOp>(op));
  }

  /// Arrays are made at the entry: they are the same in every iteration of a loop, as on a GPU.
  Value makeArray(np::ThreadArrayOp op) {
    auto type = cast<MemRefType>(op.getArray().getType());
    np::ThreadArrayKind kind = op.getKind();
    if (kind == np::ThreadArrayKind::constant)
      return makeMemRef(entry, loc(), makeConstants(entry, module, op), type);
    if (kind == np::ThreadArrayKind::local) {
      localBytes += getStaticBytes(type);
      return memref::AllocaOp::create(entry, loc(), type, entry.getI64IntegerAttr(16));
    }
    bool isDynamic = kind == np::ThreadArrayKind::dynamic;
    Value base =
        LLVM::LoadOp::create(entry, loc(), pointer, fieldAddress(entry, isDynamic ? dynamicField : sharedField));
    if (isDynamic) {
      Value bytes = field(dynamicBytesField),
            size = arith::ConstantIndexOp::create(entry, loc(), getElementBytes(type.getElementType()));
      return makeMemRef(entry, loc(), base, type, arith::DivUIOp::create(entry, loc(), bytes, size).getResult());
    }
    Value address = LLVM::GEPOp::create(entry, loc(), pointer, entry.getI8Type(), base,
                                        ArrayRef<LLVM::GEPArg>{int32_t(sharedBytes)});
    sharedBytes += (getStaticBytes(type) + 15) / 16 * 16;
    return makeMemRef(entry, loc(), address, type);
  }

  //===---- What threads do together ----===//

  Value i32(OpBuilder &builder, int64_t value) { return arith::ConstantIntOp::create(builder, loc(), value, 32); }
  Value call(OpBuilder &builder, StringRef name, Type result, ArrayRef<Value> arguments) {
    SmallVector<Value> all{state()};
    llvm::append_range(all, arguments);
    LLVM::CallOp made = callFunction(builder, loc(), module, name, result, all);
    return result ? made.getResult() : Value();
  }
  Value compare(OpBuilder &builder, arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc(), predicate, left, right);
  }

  /// The bits of a number in a word.
  Value toBits(OpBuilder &builder, Value value) {
    Type type = value.getType(), i64 = builder.getI64Type();
    if (isa<FloatType>(type))
      value = arith::BitcastOp::create(builder, loc(), builder.getIntegerType(type.getIntOrFloatBitWidth()), value);
    return value.getType() == i64 ? value : arith::ExtUIOp::create(builder, loc(), i64, value).getResult();
  }
  Value fromBits(OpBuilder &builder, Value word, Type type) {
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    if (bits != word.getType())
      word = arith::TruncIOp::create(builder, loc(), bits, word);
    return bits == type ? word : arith::BitcastOp::create(builder, loc(), type, word).getResult();
  }

  SmallVector<Value> callRuntime(OpBuilder &builder, np::ThreadOp op) {
    using P = arith::CmpIPredicate;
    using Action = np::ThreadAction;
    Type i32Type = builder.getI32Type();
    Value zero = i32(builder, 0), one = i32(builder, 1);
    ValueRange operands = op.getOperands();
    auto barrier = [&](bool isOfGrid, Value asked) {
      return call(builder, "npcc_rt_thread_barrier", i32Type, {i32(builder, isOfGrid), asked});
    };
    auto widened = [&](Value bit) -> Value { return arith::ExtUIOp::create(builder, loc(), i32Type, bit); };
    auto ballot = [&](Value bit) { return call(builder, "npcc_rt_warp_ballot", i32Type, {operands[0], bit}); };
    switch (op.getAction()) {
    case Action::syncthreads:
    case Action::grid_sync:
      barrier(op.getAction() == Action::grid_sync, zero);
      return {};
    case Action::syncthreads_count:
      return {barrier(false, operands[0])};
    case Action::syncthreads_and: // all are true if none is false
      return {
          widened(compare(builder, P::eq, barrier(false, widened(compare(builder, P::eq, operands[0], zero))), zero))};
    case Action::syncthreads_or:
      return {widened(compare(builder, P::ne, barrier(false, operands[0]), zero))};
    case Action::fence_block:
    case Action::fence_grid:
    case Action::fence_system:
      LLVM::FenceOp::create(builder, loc(), LLVM::AtomicOrdering::seq_cst);
      return {};
    case Action::syncwarp:
      ballot(zero);
      return {};
    case Action::shuffle_idx:
      return shuffle(builder, 0, operands);
    case Action::shuffle_up:
      return shuffle(builder, 1, operands);
    case Action::shuffle_down:
      return shuffle(builder, 2, operands);
    case Action::shuffle_xor:
      return shuffle(builder, 3, operands);
    case Action::ballot:
      return {ballot(widened(operands[1]))};
    case Action::vote_any:
      return {compare(builder, P::ne, ballot(widened(operands[1])), zero)};
    case Action::vote_all:
      return {compare(builder, P::eq, ballot(flip(builder, widened(operands[1]))), zero)};
    case Action::vote_eq: {
      Value bit = widened(operands[1]);
      Value isNone = compare(builder, P::eq, ballot(bit), zero);
      Value isAll = compare(builder, P::eq, ballot(flip(builder, bit)), zero);
      return {arith::OrIOp::create(builder, loc(), isNone, isAll)};
    }
    case Action::match_any:
      return {call(builder, "npcc_rt_warp_match", i32Type, {operands[0], toBits(builder, operands[1])})};
    case Action::match_all: {
      Value same = call(builder, "npcc_rt_warp_match", i32Type, {operands[0], toBits(builder, operands[1])});
      Value isAll = compare(builder, P::eq, same, ballot(one));
      return {arith::SelectOp::create(builder, loc(), isAll, same, zero), isAll};
    }
    case Action::active_mask:
      return {call(builder, "npcc_rt_warp_active", i32Type, {})};
    case Action::lane_id:
      return {laneId(builder)};
    case Action::lane_mask_lt:
      return {arith::SubIOp::create(builder, loc(), arith::ShLIOp::create(builder, loc(), one, laneId(builder)), one)};
    case Action::nanosleep:
      return {};
    }
    llvm_unreachable("a case for each action");
  }

  Value flip(OpBuilder &builder, Value bit) { return arith::XOrIOp::create(builder, loc(), bit, i32(builder, 1)); }

  /// (mask, value, lane, width) -> (value, whether the lane was there)
  SmallVector<Value> shuffle(OpBuilder &builder, int64_t kind, ValueRange operands) {
    Type i8 = builder.getI8Type();
    Value inside = LLVM::AllocaOp::create(entry, loc(), pointer, i8,
                                          LLVM::ConstantOp::create(entry, loc(), entry.getI64IntegerAttr(1)));
    Value word =
        call(builder, "npcc_rt_warp_shuffle", builder.getI64Type(),
             {i32(builder, kind), operands[0], toBits(builder, operands[1]), operands[2], operands[3], inside});
    Value flag = LLVM::LoadOp::create(builder, loc(), i8, inside);
    return {fromBits(builder, word, operands[1].getType()),
            arith::TruncIOp::create(builder, loc(), builder.getI1Type(), flag)};
  }

  Value laneId(OpBuilder &builder) {
    auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(builder, loc(), x, y); };
    auto multiply = [&](Value x, Value y) -> Value { return arith::MulIOp::create(builder, loc(), x, y); };
    Value width = field(blockSizeField), height = field(blockSizeField + 1);
    Value number = add(function.getArgument(1),
                       multiply(width, add(function.getArgument(2), multiply(height, function.getArgument(3)))));
    Value lane = arith::AndIOp::create(builder, loc(), number, arith::ConstantIndexOp::create(builder, loc(), 31));
    return arith::IndexCastOp::create(builder, loc(), builder.getI32Type(), lane);
  }

  ModuleOp module;
  func::FuncOp function;
  OpBuilder entry;
  Type pointer;
  DenseMap<int32_t, Value> fields;
};

struct OutlineThreads : npcc::impl::OutlineThreadsBase<OutlineThreads> {
  struct Facts {
    int64_t flags, sharedBytes;
    StringRef name;
    LocationAttr loc;
  };

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<np::LaunchOp> launches;
    module.walk([&](np::LaunchOp launch) { launches.push_back(launch); });
    llvm::StringSet<> launched, checked;
    for (np::LaunchOp launch : launches) {
      launched.insert(launch.getCallee());
      if (getTargetProperties(launch).checksAccesses)
        checked.insert(launch.getCallee());
    }
    llvm::StringMap<Facts> facts;
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      auto name = function->getAttrOfType<StringAttr>("np.thread");
      if (!name)
        continue;
      if (!launched.contains(function.getName())) { // an import that was taken back
        function.erase();
        continue;
      }
      if (failed(prepareThreadFunction(function)))
        return signalPassFailure();
      bool meets = meetsOthers(function);
      ThreadLowering lowering(module, function);
      if (checked.contains(function.getName()))
        lowering.reportAccesses();
      lowering.run();
      int64_t check = checked.contains(function.getName()) ? NPCC_THREADS_CHECKED : 0;
      facts[function.getName()] = {check | (meets ? NPCC_THREADS_MEET : 0) |
                                       (lowering.localBytes + 1023) / 1024 << NPCC_THREADS_LOCAL_SHIFT,
                                   lowering.sharedBytes, name.getValue(), function.getLoc()};
      function->removeAttr("np.thread");
      makeBody(function, meets);
    }
    for (np::LaunchOp launch : launches)
      lower(launch, facts[launch.getCallee()]);
  }

  static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
    return value.getType() == type ? value : UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
  }

  static LLVM::LLVMStructType getLayout(TypeRange arguments) {
    LLVMTypeConverter converter(arguments.empty() ? nullptr : arguments.front().getContext());
    SmallVector<Type> types;
    for (Type type : arguments)
      types.push_back(converter.convertType(type));
    return LLVM::LLVMStructType::getLiteral(arguments.front().getContext(), types);
  }

  /// What the runtime calls, with the thread (or the block's first) and the arguments.
  void makeBody(func::FuncOp function, bool meets) {
    MLIRContext *context = &getContext();
    Location loc = function.getLoc();
    OpBuilder builder(context);
    builder.setInsertionPointAfter(function);
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type(), index = builder.getIndexType();
    auto body = func::FuncOp::create(builder, loc, (function.getName() + ".body").str(),
                                     builder.getFunctionType({pointer, pointer}, {}));
    body.setPrivate();
    Block *entry = body.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    Value thread = entry->getArgument(0);
    SmallVector<Value> arguments{thread, Value(), Value(), Value()};
    TypeRange types = TypeRange(function.getArgumentTypes()).drop_front(4);
    if (!types.empty()) {
      LLVM::LLVMStructType layout = getLayout(types);
      for (auto [k, type] : llvm::enumerate(types)) {
        Value address = LLVM::GEPOp::create(builder, loc, pointer, layout, entry->getArgument(1),
                                            ArrayRef<LLVM::GEPArg>{0, int32_t(k)});
        arguments.push_back(
            convert(builder, loc, LLVM::LoadOp::create(builder, loc, layout.getBody()[k], address), type));
      }
    }
    auto word = [&](int32_t number) -> Value {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, i64, thread, ArrayRef<LLVM::GEPArg>{number});
      return arith::IndexCastOp::create(builder, loc, index, LLVM::LoadOp::create(builder, loc, i64, address));
    };
    if (meets) {
      for (int32_t axis = 0; axis < 3; ++axis)
        arguments[1 + axis] = word(threadField + axis);
      func::CallOp::create(builder, loc, function, arguments);
      func::ReturnOp::create(builder, loc);
      return;
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value sizes[] = {word(blockSizeField), word(blockSizeField + 1), word(blockSizeField + 2)};
    OpBuilder::InsertPoint end = builder.saveInsertionPoint();
    for (int32_t axis = 2; axis >= 0; --axis) {
      auto loop = scf::ForOp::create(builder, loc, zero, sizes[axis], one);
      arguments[1 + axis] = loop.getInductionVar();
      builder.setInsertionPointToStart(loop.getBody());
    }
    func::CallOp::create(builder, loc, function, arguments);
    builder.setInsertionPointToEnd(entry);
    func::ReturnOp::create(builder, loc);
  }

  void lower(np::LaunchOp launch, const Facts &facts) {
    MLIRContext *context = &getContext();
    Location loc = launch.getLoc();
    OpBuilder builder(launch);
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type();
    Value room = LLVM::ZeroOp::create(builder, loc, pointer);
    if (!launch.getArguments().empty()) {
      LLVM::LLVMStructType layout = getLayout(launch.getArguments().getTypes());
      room = allocateOnStack(builder, launch, layout, 1);
      for (auto [k, value] : llvm::enumerate(launch.getArguments())) {
        Value address = LLVM::GEPOp::create(builder, loc, pointer, layout, room, ArrayRef<LLVM::GEPArg>{0, int32_t(k)});
        LLVM::StoreOp::create(builder, loc, convert(builder, loc, value, layout.getBody()[k]), address);
      }
    }
    int64_t flags = facts.flags | (launch.getCooperative() ? int64_t(NPCC_THREADS_COOPERATIVE) : 0);
    Value grid =
        describeGrid(builder, getOperation(), launch, Location(facts.loc), facts.name, facts.sharedBytes, flags);
    std::string name = (launch.getCallee() + ".body").str();
    auto body = getOperation().lookupSymbol<func::FuncOp>(name);
    Value address = convert(
        builder, loc, func::ConstantOp::create(builder, loc, body.getFunctionType(), SymbolRefAttr::get(context, name)),
        pointer);
    callFunction(builder, loc, getOperation(), "npcc_rt_launch_threads", nullptr, {grid, address, room});
    launch.erase();
  }
};
} // namespace

#include "compiler/codegen/ThreadMemory.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Libdevice.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "runtime/abi/threads.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace npcc;

static constexpr int64_t mostDeclared = 48 << 10; // of shared memory, which every GPU has

int64_t npcc::getStaticBytes(MemRefType type) { return type.getNumElements() * getElementBytes(type.getElementType()); }

Value npcc::makeMemRef(OpBuilder &builder, Location loc, Value address, MemRefType type, ValueRange sizes,
                       ValueRange strides) {
  LLVMTypeConverter converter(builder.getContext());
  MemRefDescriptor descriptor = MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, address);
  descriptor.setAlignedPtr(builder, loc, address);
  descriptor.setConstantOffset(builder, loc, 0);
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  auto word = [&](Value value) -> Value {
    return value.getType() == i64 ? value : UnrealizedConversionCastOp::create(builder, loc, i64, value).getResult(0);
  };
  Value stride = number(1);
  size_t next = sizes.size();
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    Value size = type.isDynamicDim(axis) ? word(sizes[--next]) : number(type.getDimSize(axis));
    descriptor.setSize(builder, loc, axis, size);
    descriptor.setStride(builder, loc, axis, strides.empty() ? stride : word(strides[axis]));
    stride = LLVM::MulOp::create(builder, loc, stride, size);
  }
  return UnrealizedConversionCastOp::create(builder, loc, type, Value(descriptor)).getResult(0);
}

/// Of NVVM's address spaces: that of memory, and what fits into that of constants.
static constexpr unsigned globalSpace = 1;
static constexpr size_t mostConstants = 64 << 10;

/// The constants of the module with these bytes, which each place that names a global array asks for. What does not fit
/// into the space of constants is in global memory.
static LLVM::GlobalOp findOrMakeConstants(ModuleOp module, Location loc, StringRef bytes, unsigned space) {
  const std::string prefix = "npcc_constants_";
  size_t used = 0; // bytes of the space
  for (auto known : module.getOps<LLVM::GlobalOp>()) {
    if (!known.getName().starts_with(prefix))
      continue;
    StringRef other = cast<StringAttr>(known.getValueOrNull()).getValue();
    if (other == bytes && (known.getAddrSpace() == 0) == (space == 0))
      return known;
    used += known.getAddrSpace() == space ? llvm::alignTo(other.size(), 16) : 0;
  }
  if (space && used + bytes.size() > mostConstants)
    space = globalSpace;
  int number = 0;
  while (module.lookupSymbol(prefix + std::to_string(number)))
    ++number;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                                /*isConstant=*/true, LLVM::Linkage::Internal, prefix + std::to_string(number),
                                builder.getStringAttr(bytes), /*alignment=*/16, space);
}

Value npcc::makeConstants(OpBuilder &builder, ModuleOp module, np::ThreadArrayOp op, unsigned space) {
  auto type = cast<MemRefType>(op.getArray().getType());
  auto values = cast<DenseElementsAttr>(*op.getValues());
  ArrayRef<char> raw = values.getRawData();
  std::string bytes;
  int64_t size = getElementBytes(type.getElementType());
  for (int64_t k = 0; k < values.getNumElements(); ++k)
    bytes.append(raw.data() + (values.isSplat() ? 0 : k * size), size);
  LLVM::GlobalOp global = findOrMakeConstants(module, op.getLoc(), bytes, space);
  Value address = LLVM::AddressOfOp::create(builder, op.getLoc(), global);
  if (global.getAddrSpace() == 0)
    return address;
  return LLVM::AddrSpaceCastOp::create(builder, op.getLoc(), LLVM::LLVMPointerType::get(builder.getContext()), address);
}

//===---- Atomics ----===//

Value npcc::getAddress(OpBuilder &builder, Location loc, Value memref, ValueRange position) {
  LLVMTypeConverter converter(builder.getContext());
  auto type = cast<MemRefType>(memref.getType());
  Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(builder.getContext());
  MemRefDescriptor descriptor(
      UnrealizedConversionCastOp::create(builder, loc, converter.convertType(type), memref).getResult(0));
  Value place = descriptor.offset(builder, loc);
  for (auto [axis, index] : llvm::enumerate(position)) {
    Value word = UnrealizedConversionCastOp::create(builder, loc, i64, index).getResult(0);
    place = LLVM::AddOp::create(builder, loc, place,
                                LLVM::MulOp::create(builder, loc, word, descriptor.stride(builder, loc, axis)));
  }
  Type element = converter.convertType(type.getElementType()); // a complex number is a struct
  return LLVM::GEPOp::create(builder, loc, pointer, element, descriptor.alignedPtr(builder, loc), place);
}

static LLVM::AtomicBinOp getKind(np::AtomicKind kind, Type type, bool isUnsigned) {
  using Kind = np::AtomicKind;
  using Op = LLVM::AtomicBinOp;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case Kind::max:
  case Kind::nanmax:
    return isFloat ? Op::fmax : isUnsigned ? Op::umax : Op::max;
  case Kind::min:
  case Kind::nanmin:
    return isFloat ? Op::fmin : isUnsigned ? Op::umin : Op::min;
  case Kind::add:
    return isFloat ? Op::fadd : Op::add;
  case Kind::sub: // of floats what is added is negative
    return isFloat ? Op::fadd : Op::sub;
  case Kind::bits_and:
    return Op::_and;
  case Kind::bits_or:
    return Op::_or;
  case Kind::bits_xor:
    return Op::_xor;
  case Kind::inc:
    return Op::uinc_wrap;
  case Kind::dec:
    return Op::udec_wrap;
  case Kind::exch:
    return Op::xchg;
  case Kind::cas:
    break;
  }
  llvm_unreachable("two values");
}

/// The greater or smaller float, where what is no number stays and none takes the place of a number: exchanges until
/// one succeeds.
static Value emitExtremum(OpBuilder &builder, Location loc, Value address, Value value, bool isMax,
                          LLVM::AtomicOrdering ordering, StringRef scope) {
  Type type = value.getType(), bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  LLVM::AtomicOrdering otherwise = ordering == LLVM::AtomicOrdering::acq_rel ? LLVM::AtomicOrdering::acquire : ordering;
  Value first = LLVM::LoadOp::create(builder, loc, bits, address);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(bits), first,
      [&](OpBuilder &inside, Location, ValueRange arguments) {
        Value old = arith::BitcastOp::create(inside, loc, type, arguments[0]);
        Value chosen = isMax ? arith::MaxNumFOp::create(inside, loc, old, value).getResult()
                             : arith::MinNumFOp::create(inside, loc, old, value).getResult();
        Value isNone = arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::UNO, old, old);
        Value wanted = arith::BitcastOp::create(inside, loc, bits,
                                                arith::SelectOp::create(inside, loc, isNone, old, chosen).getResult());
        auto exchange =
            LLVM::AtomicCmpXchgOp::create(inside, loc, address, arguments[0], wanted, ordering, otherwise, scope);
        Value now = LLVM::ExtractValueOp::create(inside, loc, exchange, 0),
              done = LLVM::ExtractValueOp::create(inside, loc, exchange, 1);
        Value again = arith::XOrIOp::create(inside, loc, done, arith::ConstantIntOp::create(inside, loc, 1, 1));
        scf::ConditionOp::create(inside, loc, again, now);
      },
      [&](OpBuilder &inside, Location, ValueRange arguments) { scf::YieldOp::create(inside, loc, arguments); });
  return arith::BitcastOp::create(builder, loc, type, loop.getResult(0));
}

static Value lower(OpBuilder &builder, np::AtomicOp op, LLVM::AtomicOrdering ordering, StringRef scope) {
  Location loc = op.getLoc();
  Type type = op.getOld().getType();
  Value address = getAddress(builder, loc, op.getArray(), op.getPosition()), value = op.getValues().front();
  if (op.getKind() == np::AtomicKind::cas) {
    // Compared as bits, as the processor does.
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    auto toBits = [&](Value one) -> Value {
      return one.getType() == bits ? one : LLVM::BitcastOp::create(builder, loc, bits, one).getResult();
    };
    auto exchange = LLVM::AtomicCmpXchgOp::create(
        builder, loc, address, toBits(value), toBits(op.getValues()[1]), ordering,
        ordering == LLVM::AtomicOrdering::acq_rel ? LLVM::AtomicOrdering::acquire : ordering, scope);
    Value old = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
    return type == bits ? old : LLVM::BitcastOp::create(builder, loc, type, old).getResult();
  }
  if (isa<FloatType>(type) && (op.getKind() == np::AtomicKind::max || op.getKind() == np::AtomicKind::min))
    return emitExtremum(builder, loc, address, value, op.getKind() == np::AtomicKind::max, ordering, scope);
  if (op.getKind() == np::AtomicKind::sub && isa<FloatType>(type))
    value = LLVM::FNegOp::create(builder, loc, value);
  return LLVM::AtomicRMWOp::create(builder, loc, getKind(op.getKind(), type, op.getIsUnsigned()), address, value,
                                   ordering, scope);
}

void npcc::lowerAtomics(func::FuncOp function, LLVM::AtomicOrdering ordering, StringRef scope) {
  SmallVector<np::AtomicOp> ops;
  function.walk([&](np::AtomicOp op) { ops.push_back(op); });
  for (np::AtomicOp op : ops) {
    OpBuilder builder(op);
    op.getOld().replaceAllUsesWith(lower(builder, op, ordering, scope));
    op.erase();
  }
}

//===---- Fields of records ----===//

/// Where the memory of a field is read or written, through its views.
static void setAlignment(Value memory, int64_t alignment) {
  IntegerAttr attribute = IntegerAttr::get(IntegerType::get(memory.getContext(), 64), alignment);
  for (Operation *user : memory.getUsers()) {
    if (auto load = dyn_cast<memref::LoadOp>(user))
      load.setAlignmentAttr(attribute);
    else if (auto store = dyn_cast<memref::StoreOp>(user))
      store.setAlignmentAttr(attribute);
    else if (isa<memref::CastOp, memref::ReinterpretCastOp, memref::SubViewOp>(user))
      setAlignment(user->getResult(0), alignment);
  }
}

void npcc::lowerRebases(func::FuncOp function) {
  SmallVector<np::RebaseOp> rebases;
  function.walk([&](np::RebaseOp op) { rebases.push_back(op); });
  for (np::RebaseOp op : rebases) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getResult().getType());
    Value source = op->getOperand(0), zero = arith::ConstantIndexOp::create(builder, loc, 0);
    SmallVector<Value> first(type.getRank(), zero), sizes, strides;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        sizes.push_back(memref::DimOp::create(builder, loc, source, axis));
    if (!type.getLayout().isIdentity())
      llvm::append_range(strides, memref::ExtractStridedMetadataOp::create(builder, loc, source).getStrides());
    Value address = getAddress(builder, loc, source, first);
    op.getResult().replaceAllUsesWith(makeMemRef(builder, loc, address, type, sizes, strides));
    op.erase();
  }
}

void npcc::lowerFields(func::FuncOp function) {
  SmallVector<np::FieldOp> fields;
  function.walk([&](np::FieldOp field) { fields.push_back(field); });
  for (np::FieldOp field : fields) {
    OpBuilder builder(field);
    auto type = cast<MemRefType>(field.getArray().getType());
    if (int64_t alignment = field.getAlignment(); alignment < getElementBytes(type.getElementType()))
      setAlignment(field.getArray(), alignment);
    Value address = getAddress(builder, field.getLoc(), field.getBytes(), field.getPosition());
    field.getArray().replaceAllUsesWith(makeMemRef(builder, field.getLoc(), address, type));
    field.erase();
  }
}

//===---- Functions of libdevice ----===//

SmallVector<Value> npcc::callLibdevice(OpBuilder &builder, OpBuilder &entry, np::LibdeviceOp op,
                                       llvm::function_ref<LLVM::CallOp(Type, ValueRange)> call) {
  Location loc = op.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto prototype = *np::findLibdeviceFunction(builder.getContext(), op.getName());
  SmallVector<Value> arguments, slots, results;
  size_t next = 0;
  for (const auto &parameter : prototype.parameters) {
    if (!parameter.isResult) {
      arguments.push_back(op.getOperands()[next++]);
      continue;
    }
    Value one = LLVM::ConstantOp::create(entry, loc, entry.getI64IntegerAttr(1));
    slots.push_back(LLVM::AllocaOp::create(entry, loc, pointer, parameter.type, one));
    arguments.push_back(slots.back());
  }
  LLVM::CallOp made = call(prototype.returned, arguments);
  if (prototype.returned)
    results.push_back(made.getResult());
  for (Value slot : slots)
    results.push_back(
        LLVM::LoadOp::create(builder, loc, cast<LLVM::AllocaOp>(slot.getDefiningOp()).getElemType(), slot));
  return results;
}

//===---- What threads can do ----===//

/// A walk over an array is a loop of the thread's: of one value for each position, without reductions.
static bool makeLoops(np::KernelOp kernel) {
  bool isPlain = true;
  kernel.getBody()->walk([&](Operation *op) { isPlain &= !isa<scf::ParallelOp, np::FoldOp>(op); });
  if (!isPlain)
    return false;
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  IRMapping map;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [extent, position] : llvm::zip(kernel.getExtents(), kernel.getInductionVars())) {
    auto loop = scf::ForOp::create(builder, loc, zero, extent, one);
    map.map(position, loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  for (Operation &op : kernel.getBody()->without_terminator())
    builder.clone(op, map);
  kernel.erase();
  return true;
}

/// Whether it stores into constants of the kernel.
static bool changesConstants(Operation *op) {
  Value memory;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    memory = store.getMemRef();
  else if (auto atomic = dyn_cast<np::AtomicOp>(op))
    memory = atomic.getArray();
  while (Operation *made = memory ? memory.getDefiningOp() : nullptr) {
    if (auto array = dyn_cast<np::ThreadArrayOp>(made))
      return array.getKind() == np::ThreadArrayKind::constant;
    if (!isa<np::FieldOp, memref::CastOp>(made))
      return false;
    memory = made->getOperand(0);
  }
  return false;
}

LogicalResult npcc::prepareThreadFunction(func::FuncOp function) {
  bool good = true;
  if (function->hasAttr("np.fastmath"))
    function.walk([](Operation *op) {
      if (auto each = dyn_cast<arith::ArithFastMathInterface>(op))
        op->setAttr(each.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::fast));
    });
  int64_t declared = 0;
  SmallVector<np::KernelOp> walks;
  function.walk([&](np::KernelOp kernel) { walks.push_back(kernel); });
  for (np::KernelOp kernel : walks)
    makeLoops(kernel);
  function.walk([&](Operation *op) {
    if (isa<np::KernelOp, np::FoldOp, np::CallMatmulOp, np::CallSortOp, np::CallReshapeOp, np::RoutineOp>(op)) {
      op->emitError("a thread cannot compute a whole array: write a loop over its elements");
      good = false;
    } else if (isa<np::AllocOp, np::KeepOp, np::KeptOp>(op)) {
      op->emitError(
          "a thread cannot make an array: use cuda.local.array or cuda.shared.array, and loops over elements");
      good = false;
    } else if (isa<np::NewGeneratorOp, np::DrawOp, np::DrawScalarOp>(op)) {
      op->emitError("a thread cannot draw random numbers: give it an array of them");
      good = false;
    } else if (changesConstants(op)) {
      op->emitError("ValueError: assignment destination is read-only: it is a constant of the kernel");
      good = false;
    } else if (auto array = dyn_cast<np::ThreadArrayOp>(op); array && array.getKind() == np::ThreadArrayKind::shared) {
      declared += (getStaticBytes(cast<MemRefType>(array.getArray().getType())) + 15) / 16 * 16;
    }
  });
  if (declared > mostDeclared) {
    function.emitError("ValueError: kernel '")
        << cast<StringAttr>(function->getAttr("np.thread")).getValue() << "' declares " << declared
        << " bytes of shared memory: a block has " << mostDeclared
        << "; more of it is given with the launch (shape 0, and kernel[grid, block, stream, bytes])";
    good = false;
  }
  return success(good);
}

Value npcc::describeGrid(OpBuilder &builder, ModuleOp module, np::LaunchOp launch, Location place, StringRef name,
                         int64_t sharedBytes, int64_t flags) {
  // In words.
  static_assert(sizeof(npcc_grid) == 11 * sizeof(int64_t) && offsetof(npcc_grid, flags) == 64 &&
                offsetof(npcc_grid, name) == 72);
  Location loc = launch.getLoc();
  Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto [file, line] = getSourcePosition(place);
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  auto word = [&](Value index) -> Value { return arith::IndexCastOp::create(builder, loc, i64, index); };
  SmallVector<Value> words;
  for (Value extent : launch.getGrid())
    words.push_back(word(extent));
  for (Value extent : launch.getBlock())
    words.push_back(word(extent));
  words.push_back(number(sharedBytes));
  words.push_back(word(launch.getSharedBytes()));
  words.push_back(number(flags | int64_t(line) << 32));
  words.push_back(getTextAddress(builder, loc, module, name));
  words.push_back(getTextAddress(builder, loc, module, file));
  Value grid = allocateOnStack(builder, launch, i64, words.size());
  for (auto [k, each] : llvm::enumerate(words))
    LLVM::StoreOp::create(builder, loc, each,
                          LLVM::GEPOp::create(builder, loc, pointer, i64, grid, ArrayRef<LLVM::GEPArg>{int32_t(k)}));
  return grid;
}

bool npcc::meetsOthers(func::FuncOp function) {
  bool meets = false;
  function.walk([&](np::ThreadOp op) { meets |= np::waitsForOthers(op.getAction()); });
  return meets;
}

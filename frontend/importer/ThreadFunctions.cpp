// What npcc.cuda has for the code of a thread: positions, barriers, bits of integers, and which function a call is for.
// Each is an object of npcc.threads.names.ThreadName, whose name says which one.
#include "dialects/Np/Threads.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {

static std::string threadName(const py::Object &object) {
  std::string type = py::typeName(object);
  return type == "ThreadName" || type == "Returned" ? object.string("name") : std::string();
}

static PyValue nothing() { return PyValue::object(py::none()); }

//===---- Arguments ----===//

bool takeArguments(Interpreter &in, StringRef function, StringRef names, const Call &call,
                   std::vector<PyValue> &values) {
  SmallVector<StringRef> parameters;
  names.split(parameters, ", ", -1, /*KeepEmpty=*/false);
  if (call.args.size() > parameters.size()) {
    in.fail("TypeError: " + Twine(function) + "() takes " + Twine(parameters.size()) + " arguments but " +
            Twine(call.args.size()) + " were given");
    return false;
  }
  values.assign(parameters.size(), PyValue::unbound());
  std::copy(call.args.begin(), call.args.end(), values.begin());
  for (const auto &[keyword, value] : call.keywords) {
    auto at = llvm::find_if(parameters, [&](StringRef one) { return one.split('=').first == keyword; });
    if (at == parameters.end()) {
      in.fail("TypeError: " + Twine(function) + "() got an unexpected keyword argument '" + keyword + "'");
      return false;
    }
    values[at - parameters.begin()] = value;
  }
  for (auto [parameter, value] : llvm::zip(parameters, values)) {
    if (!value.is(PyValue::Kind::Unbound))
      continue;
    auto [name, otherwise] = parameter.split('=');
    int64_t number = 0;
    if (otherwise.empty()) {
      in.fail("TypeError: " + Twine(function) + "() missing its argument '" + name + "'");
      return false;
    }
    value = otherwise.getAsInteger(10, number) ? nothing() : PyValue::object(py::integer(number));
  }
  return true;
}

ThreadScalar scalarOf(Interpreter &in, const PyValue &value) {
  ThreadScalar result;
  Type type = value.isRuntime() || value.isObject() ? runtimeType(in, value) : Type();
  if (!type || np::getRank(type) > 0 || isa<np::ArrayType>(type)) {
    if (!value.isPoison())
      in.fail("TypeError: a number is wanted, not " + describe(in, value));
    return result;
  }
  result.isNumpy = isa<RankedTensorType>(type);
  result.value = operandAs(in, value, getElementTypeOrSelf(type));
  if (result.value && isa<RankedTensorType>(result.value.getType()))
    result.value = in.ir.item(result.value);
  return result;
}

Value bits32(Interpreter &in, const PyValue &value) {
  ThreadScalar scalar = scalarOf(in, value);
  if (scalar.value && !isa<IntegerType>(scalar.value.getType())) {
    in.fail("TypeError: an integer is wanted, not " + describe(in, value));
    return {};
  }
  return scalar.value ? in.ir.castTo(scalar.value, in.ir.getI32Type()) : Value();
}

PyValue fromMask(Interpreter &in, Value mask) {
  return PyValue::runtime(in.ir.createOrFold<arith::ExtUIOp>(in.ir.getI64Type(), mask));
}

SmallVector<Value> threadOp(Interpreter &in, np::ThreadAction action, TypeRange results, ValueRange operands) {
  auto op = np::ThreadOp::create(in.ir, results, action, operands);
  in.ir.clobber();
  return SmallVector<Value>(op.getResults());
}

//===---- Positions ----===//

/// A number of a launch, with the most that any launch may ask for along this axis.
static Value position(Interpreter &in, StringRef kind, gpu::Dimension axis) {
  Type index = in.ir.getIndexType();
  bool isOfThreads = kind == "threadIdx" || kind == "blockDim";
  int64_t most = isOfThreads ? (axis == gpu::Dimension::z ? 64 : 1024) : (axis == gpu::Dimension::x ? INT32_MAX : 65535);
  IntegerAttr bound = in.ir.getIndexAttr(most);
  if (kind == "threadIdx")
    return gpu::ThreadIdOp::create(in.ir, index, axis, bound);
  if (kind == "blockIdx")
    return gpu::BlockIdOp::create(in.ir, index, axis, bound);
  if (kind == "blockDim")
    return gpu::BlockDimOp::create(in.ir, index, axis, bound);
  return gpu::GridDimOp::create(in.ir, index, axis, bound);
}

static constexpr gpu::Dimension axes[] = {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};

/// cuda.grid(n), cuda.gridsize(n)
static PyValue gridPosition(Interpreter &in, StringRef name, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, name, "ndim", call, values))
    return PyValue::poison();
  std::optional<int64_t> count = asInteger(in, values[0]);
  if (!count || *count < 1 || *count > 3)
    return in.fail("ValueError: cuda." + Twine(name) + "(ndim): ndim is 1, 2 or 3, known at compile time");
  std::vector<PyValue> items;
  for (gpu::Dimension axis : ArrayRef(axes).take_front(*count)) {
    Value size = position(in, "blockDim", axis);
    if (name == "gridsize") {
      items.push_back(fromIndex(in, arith::MulIOp::create(in.ir, size, position(in, "gridDim", axis))));
      continue;
    }
    Value start = arith::MulIOp::create(in.ir, position(in, "blockIdx", axis), size);
    items.push_back(fromIndex(in, arith::AddIOp::create(in.ir, start, position(in, "threadIdx", axis))));
  }
  return *count == 1 ? items[0] : PyValue::sequence(std::move(items));
}

static PyValue outsideKernel(Interpreter &in, StringRef name) {
  return in.fail("cuda." + Twine(name) + " is for functions of threads: @npcc.cuda.jit");
}

std::optional<PyValue> threadValue(Interpreter &in, const py::Object &object) {
  std::string name = threadName(object);
  if (name.empty() || !py::isTrue(object["is_value"]))
    return std::nullopt;
  if (!in.ir.isThread)
    return outsideKernel(in, name);
  if (name == "laneid")
    return fromMask(in, threadOp(in, np::ThreadAction::lane_id, in.ir.getI32Type())[0]);
  auto [kind, axis] = StringRef(name).split('.');
  return fromIndex(in, position(in, kind, axes[axis[0] - 'x']));
}

//===---- Barriers ----===//

/// The barrier or fence of this name. The other actions have functions of their own, with arguments that meet() does
/// not take.
static std::optional<np::ThreadAction> barrierOrFence(StringRef name) {
  using np::ThreadAction;
  return StringSwitch<std::optional<ThreadAction>>(name)
      .Case("syncthreads", ThreadAction::syncthreads)
      .Case("syncthreads_count", ThreadAction::syncthreads_count)
      .Case("syncthreads_and", ThreadAction::syncthreads_and)
      .Case("syncthreads_or", ThreadAction::syncthreads_or)
      .Case("syncwarp", ThreadAction::syncwarp)
      .Case("fence_block", ThreadAction::fence_block)
      .Case("fence_grid", ThreadAction::fence_grid)
      .Case("fence_system", ThreadAction::fence_system)
      .Case("grid_sync", ThreadAction::grid_sync)
      .Default(std::nullopt);
}

static PyValue meet(Interpreter &in, StringRef name, np::ThreadAction action, Call &call) {
  using np::ThreadAction;
  bool asks = action == ThreadAction::syncthreads_count || action == ThreadAction::syncthreads_and ||
              action == ThreadAction::syncthreads_or;
  if (asks) {
    std::vector<PyValue> values;
    if (!takeArguments(in, name, "predicate", call, values))
      return PyValue::poison();
    ThreadScalar predicate = scalarOf(in, values[0]);
    if (!predicate.value)
      return PyValue::poison();
    Value isTrue = in.ir.castTo(predicate.value, in.ir.getI1Type());
    Value bits = in.ir.createOrFold<arith::ExtUIOp>(in.ir.getI32Type(), isTrue);
    return fromMask(in, threadOp(in, action, in.ir.getI32Type(), bits)[0]);
  }
  if (!call.args.empty() || !call.keywords.empty())
    return in.fail("TypeError: " + Twine(name) + "() takes no arguments");
  threadOp(in, action, {});
  return nothing();
}

//===---- Bits and arithmetic ----===//

/// popc, clz, ffs, brev: of an integer, as many bits as its type has.
static PyValue integerBits(Interpreter &in, StringRef name, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, name, "x", call, values))
    return PyValue::poison();
  ThreadScalar x = scalarOf(in, values[0]);
  auto type = x.value ? dyn_cast<IntegerType>(x.value.getType()) : IntegerType();
  if (!type)
    return x.value ? in.fail("TypeError: cuda." + Twine(name) + " takes an integer") : PyValue::poison();
  Type signless = in.ir.getIntegerType(type.getWidth());
  Value bits = in.ir.castTo(x.value, signless);
  if (name == "brev") {
    Value reversed = LLVM::BitReverseOp::create(in.ir, signless, bits);
    return x.wrap(in, in.ir.castTo(reversed, type));
  }
  Value result;
  if (name == "popc") {
    result = math::CtPopOp::create(in.ir, bits);
  } else if (name == "clz") {
    result = math::CountLeadingZerosOp::create(in.ir, bits);
  } else { // ffs: the place of the lowest bit, from 1; 0 if there is none
    Value zero = in.ir.constantInteger(signless, 0), one = in.ir.constantInteger(signless, 1);
    Value place = arith::AddIOp::create(in.ir, math::CountTrailingZerosOp::create(in.ir, bits), one);
    Value isZero = arith::CmpIOp::create(in.ir, arith::CmpIPredicate::eq, bits, zero);
    result = arith::SelectOp::create(in.ir, isZero, zero, place);
  }
  return PyValue::runtime(type.getWidth() < 64 ? Value(arith::ExtUIOp::create(in.ir, in.ir.getI64Type(), result))
                                               : result);
}

static PyValue fusedMultiplyAdd(Interpreter &in, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "fma", "a, b, c", call, values))
    return PyValue::poison();
  Type type = resultType(in, values);
  if (!type || !isa<FloatType>(type))
    type = in.ir.getF64Type();
  bool isNumpy = llvm::any_of(values, [&](const PyValue &value) {
    Type one = runtimeType(in, value);
    return one && isa<RankedTensorType>(one);
  });
  SmallVector<Value> operands;
  for (const PyValue &value : values) {
    Value one = operandAs(in, value, type);
    if (!one)
      return PyValue::poison();
    operands.push_back(isa<RankedTensorType>(one.getType()) ? in.ir.item(one) : one);
  }
  Value result = math::FmaOp::create(in.ir, operands[0], operands[1], operands[2]);
  return PyValue::runtime(isNumpy ? in.ir.rankZero(result) : result);
}

//===---- Calls ----===//

std::optional<PyValue> callThreadFunction(Interpreter &in, const py::Object &callee, Call &call) {
  if (isKernel(callee)) {
    if (!in.ir.isThread && !py::isTrue(callee["device"]))
      return in.fail("a kernel is launched with a grid and blocks: " + callee.string("__name__") +
                     "[grid, block](...)");
    return callDeviceFunction(in, callee, call);
  }
  if (py::typeName(callee) == "DeviceFunction" && callee["returned"]) {
    if (!in.ir.isThread)
      return outsideKernel(in, callee.string("name"));
    return callLinkedFunction(in, callee, call);
  }
  // A class whose metaclass has a __getattr__ has that name, too.
  if (py::Object dtype = PyType_Check(callee.get()) ? callee["vector_dtype"] : py::Object();
      dtype && py::isInstance(dtype, in.dtypes.numpy["dtype"]))
    return newVector(in, callee, call);
  // npcc.f32(x): what stands for a dtype converts to it.
  bool isFunction = PyType_Check(callee.get()) || StringRef(py::typeName(callee)).contains("function");
  if (py::Object dtype = isFunction ? py::Object() : py::call(py::lookup("npcc.types.dtype_of"), {callee});
      dtype && py::isInstance(dtype, in.dtypes.numpy["dtype"]))
    return callObject(in, dtype["type"], call);
  std::string name = threadName(callee);
  if (name.empty())
    return std::nullopt;
  if (!in.ir.isThread)
    return outsideKernel(in, name);
  if (StringRef(name).starts_with("libdevice."))
    return callLibdeviceFunction(in, StringRef(name).split('.').second, call);
  if (name == "member")
    return memberOf(in, call);
  if (name == "field")
    return fieldOf(in, call);
  if (name == "returned")
    return returnedValue(in, callee, call);
  if (name == "grid" || name == "gridsize")
    return gridPosition(in, name, call);
  if (name == "shared.array" || name == "local.array")
    return newThreadArray(in, StringRef(name).split('.').first, call);
  if (name == "const.array_like")
    return newConstants(in, call);
  if (name == "this_grid")
    return PyValue::object(py::lookup("npcc.threads.names.GRID"));
  if (name == "nanosleep") {
    Value time = call.args.size() == 1 ? bits32(in, call.args[0]) : Value();
    if (!time)
      return in.hasErrors() ? PyValue::poison() : in.fail("TypeError: nanosleep takes one number");
    threadOp(in, np::ThreadAction::nanosleep, {}, time);
    return nothing();
  }
  if (name == "popc" || name == "clz" || name == "ffs" || name == "brev")
    return integerBits(in, name, call);
  if (name == "fma")
    return fusedMultiplyAdd(in, call);
  if (std::optional<PyValue> result = callAtomic(in, name, call))
    return *result;
  if (std::optional<PyValue> result = callWarpFunction(in, name, call))
    return *result;
  if (std::optional<np::ThreadAction> action = barrierOrFence(name))
    return meet(in, name, *action, call);
  return in.fail("TypeError: cuda." + name + " is not a function");
}

} // namespace npcc::frontend

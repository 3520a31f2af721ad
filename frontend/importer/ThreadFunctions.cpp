// What npcc.cuda has for the code of a thread: positions, memory of blocks and threads, barriers, bits of integers.
// Each is an object of npcc.threads.names.ThreadName, whose name says which one.
#include "dialects/Np/Libdevice.h"
#include "dialects/Np/Threads.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;

namespace npcc::frontend {

static std::string threadName(const py::Object &object) {
  std::string type = py::typeName(object);
  return type == "ThreadName" || type == "Returned" ? object.string("name") : std::string();
}

static PyValue nothing() { return PyValue::object(py::none()); }

//===---- Arguments
//--------------------------------------------------------------------------------------------------===//

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

//===---- Positions
//--------------------------------------------------------------------------------------------------===//

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

//===---- Memory of blocks and threads
//-------------------------------------------------------------------------------===//

/// The dtype of records, with fields; null for any other.
static py::Object recordDtype(Interpreter &in, const PyValue &value) {
  py::Object given = asObject(in, value), dtype = given && !given.isNone() ? in.dtypes.toDtype(given) : py::Object();
  py::Object fields = dtype ? dtype["fields"] : py::Object();
  return fields && !fields.isNone() ? dtype : py::Object();
}

static Type recordByte(Interpreter &in) { return in.ir.getIntegerType(8, /*isSigned=*/false); }

/// Bytes with one axis more, as the array of records that the library has for them.
static PyValue recordsOf(Interpreter &in, np::ThreadArrayOp bytes, const py::Object &dtype) {
  bytes.setRecords(true);
  constexpr int64_t alignment = 16; // of the memory of blocks, threads and constants
  int64_t unit = std::gcd(alignment, dtype.integer("itemsize"));
  Call call;
  call.args = {PyValue::runtime(bytes), PyValue::object(dtype),
               PyValue::object(py::call(py::lookup("npcc.threads.records.bytes_dtype"), {py::integer(unit)}))};
  return callObject(in, py::lookup("npcc.threads.records.Records"), call);
}

static constexpr int64_t mostLocal = 512 << 10; // bytes of a thread

/// shared.array(shape, dtype), local.array(shape, dtype)
static PyValue newThreadArray(Interpreter &in, StringRef kind, Call &call) {
  std::vector<PyValue> values, items;
  if (!takeArguments(in, (kind + ".array").str(), "shape, dtype, alignment=None", call, values))
    return PyValue::poison();
  if (!asSequence(in, values[0], items))
    items = {values[0]};
  py::Object records = recordDtype(in, values[1]);
  Type element = records ? Type(recordByte(in)) : asDtype(in, values[1], {});
  if (!element)
    return in.hasErrors() ? PyValue::poison() : in.fail("TypeError: " + Twine(kind) + ".array needs a dtype");
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (const PyValue &item : items) {
    std::optional<int64_t> extent = asInteger(in, item);
    if (!extent)
      return item.isPoison() ? item
                             : in.fail("the shape of " + Twine(kind) +
                                       ".array must be known at compile time: integers, or globals that hold them");
    shape.push_back(*extent);
    count *= *extent;
  }
  if (records && (kind != "shared" || count != 0)) {
    shape.push_back(records.integer("itemsize"));
    count *= shape.back();
  } else if (records) {
    return in.fail("the memory that a launch gives is an array of numbers: records cannot be compiled there");
  }
  bool isDynamic = kind == "shared" && shape.size() == 1 && shape[0] == 0;
  if (!isDynamic && (shape.empty() || llvm::any_of(shape, [](int64_t extent) { return extent < 1; })))
    return in.fail("ValueError: the extents of " + Twine(kind) + ".array are at least 1" +
                   (kind == "shared" ? ", or all of the shape is 0 for the memory that the launch gives" : ""));
  Type bits = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
  int64_t bytes = count * std::max<int64_t>(bits.getIntOrFloatBitWidth() / 8, 1) * (isa<ComplexType>(element) ? 2 : 1);
  if (kind == "local" && bytes > mostLocal)
    return in.fail("ValueError: local.array of " + Twine(bytes) + " bytes: a thread has at most " + Twine(mostLocal));
  if (isDynamic)
    shape.clear();
  SmallVector<int64_t> extents(isDynamic ? 1 : shape.size(), ShapedType::kDynamic);
  Type type = np::ArrayType::get(in.ir.getContext(), extents, element, /*contiguous=*/true);
  auto made = np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr(isDynamic ? "dynamic" : kind),
                                        in.ir.getDenseI64ArrayAttr(shape), ElementsAttr());
  return records ? recordsOf(in, made, records) : PyValue::runtime(made);
}

/// const.array_like(array)
static PyValue newConstants(Interpreter &in, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "const.array_like", "array", call, values))
    return PyValue::poison();
  py::Object known = asObject(in, values[0]);
  if (!known || !py::isInstance(known, in.dtypes.numpy["ndarray"]))
    return in.fail("TypeError: const.array_like takes a NumPy array that is known at compile time: a global");
  py::Object records = recordDtype(in, PyValue::object(known["dtype"]));
  if (records) {
    std::vector<py::Object> shape = known.list("shape");
    shape.push_back(records["itemsize"]);
    py::Object bytes =
        py::call(in.dtypes.numpy["frombuffer"], {py::call(known["tobytes"], {}), in.dtypes.numpy["uint8"]});
    known = py::call(bytes["reshape"], {py::tuple(shape)});
  }
  Value made = constantArray(in, known);
  if (!made)
    return PyValue::poison();
  return records ? recordsOf(in, made.getDefiningOp<np::ThreadArrayOp>(), records) : PyValue::runtime(made);
}

Value constantArray(Interpreter &in, const py::Object &array) {
  Type element = in.dtypes.elementType(array["dtype"]);
  if (!element) {
    in.fail("dtype " + py::text(array["dtype"]) + " cannot be compiled");
    return {};
  }
  SmallVector<int64_t> shape;
  for (const py::Object &extent : array.list("shape"))
    shape.push_back(*py::asInteger(extent));
  py::Object bytes = py::call(array["tobytes"], {});
  Type stored = element;
  if (auto integer = dyn_cast<IntegerType>(element))
    stored = in.ir.getIntegerType(std::max(8u, integer.getWidth()));
  ArrayRef<char> raw(PyBytes_AsString(bytes.get()), PyBytes_Size(bytes.get()));
  auto values = DenseElementsAttr::getFromRawBuffer(RankedTensorType::get(shape, stored), raw);
  Type type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(shape.size(), ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  return np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr("constant"), in.ir.getDenseI64ArrayAttr(shape),
                                   cast<ElementsAttr>(Attribute(values)));
}

//===---- Barriers
//---------------------------------------------------------------------------------------------------===//

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

//===---- Bits and arithmetic
//----------------------------------------------------------------------------------------===//

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

//===---- libdevice, fields of records
//--------------------------------------------------------------------------------------------===//

/// libdevice.sincos(x): numbers become what the prototype declares; several results are a tuple.
static PyValue callLibdeviceFunction(Interpreter &in, StringRef name, Call &call) {
  auto prototype = np::findLibdeviceFunction(in.ir.getContext(), name);
  if (!prototype)
    return in.fail("AttributeError: libdevice has no function '" + Twine(name) + "'");
  SmallVector<Type> types = prototype->operandTypes();
  if (call.args.size() != types.size() || !call.keywords.empty())
    return in.fail("TypeError: libdevice." + Twine(name) + "() takes " + Twine(types.size()) + " arguments but " +
                   Twine(call.args.size() + call.keywords.size()) + " were given");
  SmallVector<Value> operands;
  for (auto [value, type] : llvm::zip(call.args, types)) {
    ThreadScalar scalar = scalarOf(in, value);
    if (!scalar.value)
      return PyValue::poison();
    if (isa<ComplexType>(scalar.value.getType()))
      return in.fail("TypeError: libdevice." + Twine(name) + "() takes no complex numbers");
    operands.push_back(in.ir.castTo(scalar.value, type));
  }
  auto op = np::LibdeviceOp::create(in.ir, prototype->resultTypes(), name, operands);
  std::vector<PyValue> results;
  for (Value result : op.getResults())
    results.push_back(PyValue::runtime(in.ir.rankZero(result)));
  return results.size() == 1 ? results[0] : PyValue::sequence(std::move(results));
}

/// member(dtype, name): the dtype and the offset of a field, which is known.
static PyValue memberOf(Interpreter &in, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "member", "dtype, name", call, values))
    return PyValue::poison();
  py::Object dtype = asObject(in, values[0]), name = asObject(in, values[1]);
  if (!name || !PyUnicode_Check(name.get()))
    return in.fail("the name of a field must be known at compile time");
  py::Object found = dtype ? py::call(dtype["fields"]["get"], {name}) : py::Object();
  if (!found || found.isNone())
    return in.fail("AttributeError: a record of dtype " + py::text(dtype) + " has no field '" +
                   py::toString(name.get()) + "'");
  std::vector<py::Object> parts = py::elements(found);
  return PyValue::sequence({PyValue::object(parts[0]), PyValue::object(parts[1])});
}

/// field(bytes, dtype, shape, alignment): what lies in the bytes of a record, as npcc.threads.records asks for it.
static PyValue fieldOf(Interpreter &in, Call &call) {
  std::vector<PyValue> values, extents;
  if (!takeArguments(in, "field", "bytes, dtype, shape, alignment", call, values))
    return PyValue::poison();
  PyValue bytes = in.env.bound(values[0]);
  Type element = asDtype(in, values[1], {});
  std::optional<int64_t> alignment = asInteger(in, values[3]);
  if (!element || !bytes.arrayType() || bytes.rank() != 1 || !alignment || !asSequence(in, values[2], extents))
    return in.hasErrors() ? PyValue::poison()
                          : in.fail("field() takes the bytes of a record, not " + describe(in, bytes));
  SmallVector<int64_t> shape;
  for (const PyValue &extent : extents)
    shape.push_back(asInteger(in, extent).value_or(0));
  Type type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(shape.size(), ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  return PyValue::runtime(np::FieldOp::create(in.ir, type, bytes.ir(), ValueRange(), in.ir.getDenseI64ArrayAttr(shape),
                                              in.ir.getI64IntegerAttr(*alignment)));
}

/// returned(value): what a device function that is compiled alone gives. Its dtype is told to the object, or converted
/// to the one that the object declares.
static PyValue returnedValue(Interpreter &in, const py::Object &place, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "returned", "value", call, values))
    return PyValue::poison();
  PyValue value = values[0];
  py::Object declared = place["declared"];
  if (value.isNone() && declared.isNone())
    return nothing();
  if (!declared.isNone()) {
    Call conversion{call.node, {value}, {}};
    value = callObject(in, declared["type"], conversion);
  }
  ThreadScalar scalar = scalarOf(in, value);
  if (!scalar.value)
    return PyValue::poison();
  Type element = scalar.value.getType();
  py::call(place["note"], {in.dtypes.dtype(element)});
  Type type = np::ArrayType::get(in.ir.getContext(), {}, element, /*contiguous=*/true);
  auto result = np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr("result"), in.ir.getDenseI64ArrayAttr({}),
                                          ElementsAttr());
  np::WriteElementOp::create(in.ir, scalar.value, result);
  return nothing();
}

/// A function of another compiler's code, which cuda.declare_device names: numbers become what is declared.
static PyValue callLinkedFunction(Interpreter &in, const py::Object &callee, Call &call) {
  std::string name = callee.string("name");
  std::vector<py::Object> parameters = callee.list("parameters");
  if (call.args.size() != parameters.size() || !call.keywords.empty())
    return in.fail("TypeError: " + Twine(name) + "() takes " + Twine(parameters.size()) + " arguments but " +
                   Twine(call.args.size() + call.keywords.size()) + " were given");
  SmallVector<Value> operands;
  for (auto [type, value] : llvm::zip(parameters, call.args)) {
    Type wanted = in.dtypes.elementType(type);
    if (!wanted)
      return in.fail("TypeError: linked functions take numbers, not " + Twine(py::text(type)) + " as '" + name +
                     "' is declared");
    Call conversion{call.node, {value}, {}};
    ThreadScalar scalar = scalarOf(in, callObject(in, in.dtypes.dtype(wanted)["type"], conversion));
    if (!scalar.value)
      return PyValue::poison();
    operands.push_back(scalar.value);
  }
  py::Object returned = callee["returned"];
  SmallVector<Type> results;
  if (!returned.isNone()) {
    results.push_back(in.dtypes.elementType(returned));
    if (!results[0])
      return in.fail("TypeError: linked functions give a number, not " + Twine(py::text(returned)) + " as '" + name +
                     "' is declared");
  }
  auto made = np::CallLinkedOp::create(in.ir, results, name, operands);
  in.ir.clobber();
  return results.empty() ? nothing() : PyValue::runtime(in.ir.rankZero(made.getResult(0)));
}

/// A device function that is declared for one list of types takes numbers as these.
static PyValue callDeviceFunction(Interpreter &in, const py::Object &callee, Call &call) {
  std::vector<py::Object> declared = callee.list("declared");
  std::vector<py::Object> types = declared.size() == 1 ? py::elements(declared[0]) : std::vector<py::Object>();
  for (auto [type, value] : llvm::zip(types, call.args)) {
    Type wanted = in.dtypes.elementType(StringRef(py::toString(type.get())));
    bool isNumber = wanted && (value.isObject() || (value.isRuntime() && value.rank() == 0 && !value.arrayType()));
    if (!isNumber)
      continue;
    Call conversion{call.node, {value}, {}};
    value = callObject(in, in.dtypes.dtype(wanted)["type"], conversion);
  }
  return callObject(in, callee["py_func"], call);
}

/// cuda.float32x4(...): a named tuple of numbers of one type, of numbers and shorter vectors.
static PyValue newVector(Interpreter &in, const py::Object &cls, Call &call) {
  std::vector<PyValue> items;
  for (const PyValue &given : call.args) {
    std::vector<PyValue> parts;
    if (!given.isSequence() || !asSequence(in, given, parts))
      parts = {given};
    for (const PyValue &part : parts) {
      Call conversion{call.node, {part}, {}};
      items.push_back(callObject(in, cls["vector_dtype"]["type"], conversion));
      if (items.back().isPoison())
        return items.back();
    }
  }
  size_t count = cls.list("_fields").size();
  if (items.size() != count)
    return in.fail("TypeError: " + cls.string("__name__") + " is made of " + Twine(count) + " numbers, not of " +
                   Twine(items.size()));
  PyValue vector = PyValue::sequence(std::move(items));
  vector->cls = cls;
  return vector;
}

//===---- Calls
//------------------------------------------------------------------------------------------------------===//

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

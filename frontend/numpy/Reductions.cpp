// Reductions and running reductions: over all axes, one, or several; NumPy's accumulation types.
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;

namespace npcc::frontend {

/// What changes no result of a reduction, or null.
static Value neutral(Interpreter &in, StringRef kind, Type element) {
  std::optional<np::Ufunc> combiner = np::symbolizeUfunc(kind);
  std::optional<np::Neutral> neutral = combiner ? np::getNeutral(*combiner) : std::nullopt;
  if (!neutral)
    return {};
  bool isExtreme = neutral == np::Neutral::Least || neutral == np::Neutral::Greatest;
  if (isExtreme && isa<FloatType>(element))
    return constant(in, element, py::real(neutral == np::Neutral::Least ? -HUGE_VAL : HUGE_VAL));
  if (isExtreme && (element.isInteger(1) || !isa<IntegerType>(element)))
    return {};
  if (auto integer = dyn_cast<IntegerType>(element))
    return in.ir.constantInteger(element, np::getNeutralBits(*neutral, integer).getSExtValue());
  return in.ir.constantInteger(element, neutral == np::Neutral::One);
}

PyValue emitReduce(Interpreter &in, StringRef kind, Value value, ArrayRef<int64_t> axes, bool keepdims) {
  SmallVector<int64_t> ascending(axes);
  llvm::sort(ascending);
  Value result = value;
  if (!ascending.empty())
    result = np::ReduceOp::create(in.ir, *np::symbolizeReduction(kind), value, in.ir.getDenseI64ArrayAttr(ascending));
  if (keepdims)
    result = in.ir.expandDims(result, ascending);
  return PyValue::runtime(result);
}

/// What npcc.library has for a method of all ufuncs.
static PyValue callLibraryMethod(Interpreter &in, const py::Object &ufunc, const std::string &method, Call &call) {
  py::Object function = py::import("npcc.library.ufunc_methods")[method.c_str()];
  if (!function)
    return in.fail("numpy." + ufunc.string("__name__") + "." + method + " cannot be compiled");
  call.args.insert(call.args.begin(), PyValue::object(ufunc));
  return callFunction(in, functionOf(in, function, true), call);
}

namespace {

/// The argument as a value; Python scalars have rank 0.
Value operand(Interpreter &in, const PyValue &argument) {
  Value array = asArray(in, argument);
  return array && isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array;
}

/// keepdims. A ufunc's reduction takes an integer; argmax and argmin take anything that is true or not.
std::optional<bool> flag(Interpreter &in, const PyValue &argument, bool isInteger = true) {
  if (argument.isObject() && isInteger && !PyLong_Check(argument.object().get())) { // True and False are integers
    in.fail(PyFloat_Check(argument.object().get())
                ? std::string("TypeError: integer argument expected, got float")
                : "TypeError: " + nameOfType(in, argument) + " object cannot be interpreted as an integer");
    return std::nullopt;
  }
  if (argument.isObject())
    return py::isTrue(argument.object());
  in.fail("keepdims must be known at compile time");
  return std::nullopt;
}

/// The axes of a reduction: numbers may be reduced along axis 0.
bool axesOf(Interpreter &in, const PyValue &argument, int64_t rank, SmallVectorImpl<int64_t> &axes) {
  std::optional<int64_t> axis = asInteger(in, argument);
  return (rank == 0 && (axis == 0 || axis == -1)) || asAxes(in, argument, rank, axes);
}

/// Small integers and bools are summed in 64 bits.
Type accumulationType(Interpreter &in, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() == 64)
    return element;
  return in.dtypes.elementType(integer.isUnsigned() ? StringRef("uint64") : StringRef("int64"));
}

/// No axis is added to a reduction's result: an output has as many.
bool hasAxesOf(Interpreter &in, Arguments &args, int64_t rank, bool keepdims, const Twine &function) {
  PyValue out = args.given("out") ? outputOf(in, args["out"]) : PyValue::object(py::none());
  if (!out.isRuntime() || !out.isArray() || out.rank() == rank)
    return true;
  in.fail("ValueError: output parameter for reduction operation " + function +
          " has the wrong number of dimensions: Found " + Twine(out.rank()) + " but expected " + Twine(rank) +
          (keepdims ? " (must match the operand's when keepdims=True)" : ""));
  return false;
}

/// The mask that `where=` says, which meets the operand and has no more axes and elements than it.
Value maskOf(Interpreter &in, const PyValue &where, Value operand) {
  if (where.arrayType() && !where.elementType().isInteger(1)) {
    in.fail("TypeError: Cannot cast array data from " + py::repr(in.dtypes.dtype(where.elementType())) +
            " to dtype('bool') according to the rule 'safe'");
    return {};
  }
  Value mask = tensorOf(in, where, in.ir.getI1Type());
  if (!mask || np::getRank(mask.getType()) == 0)
    return mask;
  if (np::getRank(mask.getType()) > np::getRank(operand.getType())) {
    in.fail("ValueError: input operand has more dimensions than allowed by the axis remapping");
    return {};
  }
  Value doMeet, isWhole = in.ir.boolean(true);
  SmallVector<Value> together = in.ir.broadcastExtents(ArrayRef<Value>{operand, mask}, doMeet), extents;
  std::string shapes = in.ir.shapeText(operand, extents) + " ";
  shapes += in.ir.shapeText(mask, extents) + " ";
  in.ir.check(doMeet, "ValueError",
              "operands could not be broadcast together with remapped shapes [original->remapped]: " + shapes, extents);
  for (auto [mine, other] : llvm::zip(in.ir.dims(operand), together))
    if (mine != other)
      isWhole = in.ir.createOrFold<arith::AndIOp>(isWhole, in.ir.compareIndex(arith::CmpIPredicate::eq, mine, other));
  SmallVector<Value> numbers;
  std::string narrow = in.ir.shapeText(operand, numbers), wide = in.ir.extentText(together, numbers);
  in.ir.check(isWhole, "ValueError",
              "non-broadcastable operand with shape " + narrow + " doesn't match the broadcast shape " + wide, numbers);
  return mask;
}

PyValue reduction(Interpreter &in, Arguments &args, StringRef kind, StringRef function, Type element, Value value) {
  SmallVector<int64_t> axes;
  std::optional<bool> keepdims = flag(in, args["keepdims"]);
  if (!value || !keepdims || !axesOf(in, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  value = in.ir.castTo(value, element);
  if (args.given("where") && !(args["where"].isObject() && py::isTrue(args["where"].object()))) {
    Value mask = maskOf(in, args["where"], value);
    if (!mask)
      return PyValue::poison();
    if ((function == "maximum" || function == "minimum") && !args.given("initial"))
      return in.fail("ValueError: reduction operation '" + function +
                     "' does not have an identity, so to use a where mask one has to specify 'initial'");
    value = in.ir.emitUfunc("where", {mask, value, neutral(in, kind, element)});
  }
  PyValue result = emitReduce(in, kind, value, axes, *keepdims);
  if (axes.empty() && kind == "add" &&
      isa<FloatType, ComplexType>(element)) // a sum begins with 0: -0.0 has none of its own
    result = PyValue::runtime(in.ir.emitUfunc("add", {result.ir(), in.ir.constantInteger(element, 0)}));
  if (llvm::is_contained(args.names, "initial") && args.given("initial")) { // any and all take none
    Value first = itemAs(in, args["initial"], element, /*isItem=*/true);
    if (!first)
      return PyValue::poison();
    result = PyValue::runtime(in.ir.emitUfunc(kind, {result.ir(), first}));
  }
  if (!args.given("out"))
    return result;
  PyValue out = outputOf(in, args["out"]);
  if (!hasAxesOf(in, args, result.rank(), *keepdims, function))
    return PyValue::poison();
  if (out.arrayType() && result.isRuntime())
    checkOutputOfReduction(in, value, axes, *keepdims, result.ir(), out.ir());
  return storeOut(in, result, out, "unsafe", function); // NumPy casts what is reduced to any output
}

/// The dtype in which a reduction into an output computes: the output's and the operand's decide; `wide` without one.
Type typeWithOutput(Interpreter &in, Arguments &args, Type own, Type wide) {
  std::vector<PyValue> items;
  PyValue out = args["out"];
  if (args.given("out") && asSequence(in, out, items) && items.size() == 1)
    out = items[0];
  return out.arrayType() ? in.dtypes.resultType({in.dtypes.dtype(own), in.dtypes.dtype(out.elementType())}) : wide;
}

PyValue summing(Interpreter &in, Arguments &args, StringRef kind, StringRef function) {
  Value value = operand(in, args["a"]);
  if (!value)
    return PyValue::poison();
  Type own = np::getElementType(value.getType());
  Type wide = typeWithOutput(in, args, own, accumulationType(in, own));
  Type element = asDtype(in, args["dtype"], wide);
  if (element && element.isInteger(1))
    kind = kind == "add" ? "logical_or" : "logical_and";
  return element ? reduction(in, args, kind, function, element, value) : PyValue::poison();
}
PyValue emitSum(Interpreter &in, Arguments &args) { return summing(in, args, "add", "add"); }
const Registered sumRows{
    {"numpy.sum", "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None", emitSum}};

PyValue emitProd(Interpreter &in, Arguments &args) { return summing(in, args, "multiply", "multiply"); }
const Registered prodRows{
    {"numpy.prod", "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None", emitProd}};

/// Extrema of nothing are an error.
void checkNotEmpty(Interpreter &in, Value value, ArrayRef<int64_t> axes, const Twine &message) {
  Value zero = in.ir.index(0);
  for (int64_t axis : axes)
    if (np::getShape(value.getType())[axis] != 1)
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, in.ir.dim(value, axis), zero), "ValueError", message);
}

PyValue extremum(Interpreter &in, Arguments &args, StringRef kind) {
  Value value = operand(in, args["a"]);
  SmallVector<int64_t> axes;
  if (!value || !axesOf(in, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  if (isa<ComplexType>(element)) { // in the order of the real parts, then of the imaginary ones
    Call call;
    call.node = in.currentNode;
    call.args = {PyValue::runtime(value)};
    for (const char *name : {"axis", "out", "keepdims", "initial", "where"})
      if (args.given(name) || StringRef(name) == "axis")
        call.keywords.emplace_back(name, args[name]);
    return callLibraryMethod(in, in.dtypes.numpy[kind.str().c_str()], "reduce", call);
  }
  std::optional<bool> keepdims = flag(in, args["keepdims"]);
  int64_t rank = np::getRank(value.getType()), kept = keepdims && *keepdims ? rank : rank - int64_t(axes.size());
  if (!keepdims || !hasAxesOf(in, args, kept, *keepdims, kind))
    return PyValue::poison();
  bool isMasked = args.given("where") && !(args["where"].isObject() && py::isTrue(args["where"].object()));
  if (!args.given("initial") && !isMasked) // with a mask that is an error anyway
    checkNotEmpty(in, value, axes, "zero-size array to reduction operation " + kind + " which has no identity");
  // An initial value that the operand's dtype does not hold.
  if (Type wide = typeWithOutput(in, args, element, element); args.given("initial") && isa<FloatType>(wide))
    element = wide;
  if (element.isInteger(1))
    return reduction(in, args, kind == "maximum" ? "logical_or" : "logical_and", kind, element, value);
  return reduction(in, args, kind, kind, element, value);
}
PyValue emitMax(Interpreter &in, Arguments &args) { return extremum(in, args, "maximum"); }
const Registered maxRows{
    {"numpy.max", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMax},
    {"numpy.amax", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMax},
};

PyValue emitMin(Interpreter &in, Arguments &args) { return extremum(in, args, "minimum"); }
const Registered minRows{
    {"numpy.min", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMin},
    {"numpy.amin", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMin},
};

PyValue logical(Interpreter &in, Arguments &args, StringRef kind) {
  Value value = operand(in, args["a"]);
  return value ? reduction(in, args, kind, kind, in.ir.getI1Type(), value) : PyValue::poison();
}
PyValue emitAny(Interpreter &in, Arguments &args) { return logical(in, args, "logical_or"); }
const Registered anyRows{{"numpy.any", "a, axis=None, out=None, keepdims=False, *, where=None", emitAny}};

PyValue emitAll(Interpreter &in, Arguments &args) { return logical(in, args, "logical_and"); }
const Registered allRows{{"numpy.all", "a, axis=None, out=None, keepdims=False, *, where=None", emitAll}};

PyValue emitCountNonzero(Interpreter &in, Arguments &args) {
  Value value = operand(in, args["a"]);
  SmallVector<int64_t> axes;
  std::optional<bool> keepdims = flag(in, args["keepdims"], /*isInteger=*/!args["axis"].isNone());
  if (!value || !keepdims || !axesOf(in, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  Value truth = in.ir.castTo(in.ir.castTo(value, in.ir.getI1Type()), in.ir.getI64Type());
  PyValue result = emitReduce(in, "add", truth, axes, *keepdims);
  // Over everything it is a Python int in older versions of NumPy.
  static const bool isPythonInt = PyLong_CheckExact(py::call(in.dtypes.numpy["count_nonzero"], {py::tuple({})}).get());
  if (isPythonInt && args["axis"].isNone() && !*keepdims)
    return PyValue::runtime(in.ir.item(result.ir()));
  return result;
}
const Registered countNonzeroRows{{"numpy.count_nonzero", "a, axis=None, keepdims=False", emitCountNonzero}};

Value flatten(Interpreter &in, Value value) {
  return np::getRank(value.getType()) == 1 ? value : in.ir.reshape(value, {in.ir.size(value)}, {});
}

PyValue position(Interpreter &in, Arguments &args, StringRef kind) {
  Value value = operand(in, args["a"]);
  std::optional<bool> keepdims = flag(in, args["keepdims"], /*isInteger=*/false);
  if (!value || !keepdims)
    return PyValue::poison();
  int64_t rank = np::getRank(value.getType());
  SmallVector<int64_t> axes;
  bool all = args["axis"].isNone() || rank == 0;
  if (args["axis"].isSequence()) // one axis only, so that the error is asAxis's
    return asAxis(in, args["axis"], rank), PyValue::poison();
  if (!args["axis"].isNone() && !axesOf(in, args["axis"], rank, axes))
    return PyValue::poison();
  if (all) {
    value = flatten(in, value);
    axes.assign({0});
  }
  checkNotEmpty(in, value, axes, "attempt to get " + kind + " of an empty sequence");
  if (np::getElementType(value.getType()).isInteger(1))
    value = in.ir.castTo(value, in.dtypes.elementType(StringRef("uint8")));
  PyValue result;
  if (isa<ComplexType>(np::getElementType(value.getType()))) {
    py::Object function = py::import("npcc.library.ordering")["position_of_extremum"];
    Call call;
    call.args = {PyValue::runtime(value), PyValue::object(py::integer(axes[0])),
                 PyValue::object(py::boolean(kind == "argmax")), PyValue::object(py::boolean(*keepdims && !all))};
    result = callFunction(in, functionOf(in, function, true), call);
    if (!result.isRuntime())
      return result;
  } else {
    result = emitReduce(in, kind, value, axes, *keepdims && !all);
  }
  if (*keepdims && all) {
    SmallVector<int64_t> everywhere;
    for (int64_t axis = 0; axis < rank; ++axis)
      everywhere.push_back(axis);
    result = PyValue::runtime(in.ir.expandDims(result.ir(), everywhere));
  }
  if (!args.given("out") || !result.isRuntime())
    return result;
  if (PyValue out = outputOf(in, args["out"]); out.arrayType()) {
    if (!checkShapeOfOutput(in, result.ir(), out.ir(), "output array does not match result of np." + kind + "."))
      return out;
    if (!in.dtypes.canCast(out.elementType(), in.ir.getI64Type(), "safe")) // as NumPy asks it: it may write a copy back
      return in.fail("TypeError: Cannot cast " + Twine(out.rank() ? "array data" : "scalar") + " from " +
                     py::repr(in.dtypes.dtype(out.elementType())) + " to dtype('int64') according to the rule 'safe'");
  }
  return storeOut(in, result, args["out"], "unsafe", kind);
}
PyValue emitArgmax(Interpreter &in, Arguments &args) { return position(in, args, "argmax"); }
const Registered argmaxRows{{"numpy.argmax", "a, axis=None, out=None, keepdims=False", emitArgmax}};

PyValue emitArgmin(Interpreter &in, Arguments &args) { return position(in, args, "argmin"); }
const Registered argminRows{{"numpy.argmin", "a, axis=None, out=None, keepdims=False", emitArgmin}};

PyValue running(Interpreter &in, Arguments &args, StringRef kind) {
  Value value = operand(in, args["a"]);
  if (!value)
    return PyValue::poison();
  Type element = asDtype(in, args["dtype"], accumulationType(in, np::getElementType(value.getType())));
  if (!element)
    return PyValue::poison();
  value = in.ir.castTo(value, element);
  int64_t axis = 0;
  if (args["axis"].isNone()) {
    value = flatten(in, value);
  } else {
    if (np::getRank(value.getType()) == 0) // of numbers too it is the running sum along one axis
      value = flatten(in, value);
    std::optional<int64_t> given = asAxis(in, args["axis"], np::getRank(value.getType()));
    if (!given)
      return PyValue::poison();
    axis = *given;
  }
  PyValue result = PyValue::runtime(np::ScanOp::create(in.ir, *np::symbolizeUfunc(kind), value, axis));
  if (!args.given("out"))
    return result;
  if (PyValue out = outputOf(in, args["out"]); out.arrayType() && !checkOutputOfScan(in, result.ir(), out.ir()))
    return out;
  return storeOut(in, result, args["out"], "unsafe", kind);
}
PyValue emitCumsum(Interpreter &in, Arguments &args) { return running(in, args, "add"); }
const Registered cumsumRows{{"numpy.cumsum", "a, axis=None, dtype=None, out=None", emitCumsum}};

PyValue emitCumprod(Interpreter &in, Arguments &args) { return running(in, args, "multiply"); }
const Registered cumprodRows{{"numpy.cumprod", "a, axis=None, dtype=None, out=None", emitCumprod}};

} // namespace

/// numpy.add.reduce(a), numpy.maximum.accumulate(a), numpy.multiply.outer(a, b): axis 0 unless said.
PyValue callUfuncMethod(Interpreter &in, const py::Object &ufunc, const std::string &method, Call &call) {
  static const std::map<std::string, const char *> reductions = {{"add", "sum"},         {"multiply", "prod"},
                                                                 {"maximum", "max"},     {"minimum", "min"},
                                                                 {"logical_and", "all"}, {"logical_or", "any"}};
  static const std::set<std::string> kinds = {"add",         "multiply",   "maximum",    "minimum",
                                              "bitwise_and", "bitwise_or", "bitwise_xor"};
  std::string name = ufunc.string("__name__");
  bool isReduce = method == "reduce", isAccumulate = method == "accumulate",
       isSum = name == "add" || name == "multiply";
  auto reduction = reductions.find(name);
  if (method == "at" && !call.keywords.empty())
    return in.fail("TypeError: ufunc.at() takes no keyword arguments");
  if (isReduce || isAccumulate || method == "reduceat") {
    static const std::set<std::string> common = {"array", "axis", "dtype", "out"},
                                       more = {"keepdims", "initial", "where"};
    for (const auto &[keyword, value] : call.keywords)
      if (!common.count(keyword) && !(isReduce && more.count(keyword)) &&
          !(method == "reduceat" && keyword == "indices"))
        return in.fail("TypeError: " + method + "() got an unexpected keyword argument '" + keyword + "'");
  }
  bool isNative = (isReduce && reduction != reductions.end()) || ((isReduce || isAccumulate) && kinds.count(name));
  if (!isNative)
    return callLibraryMethod(in, ufunc, method, call);
  // Positional arguments in the order of the methods' signatures.
  static const char *const parameters[] = {"array", "axis", "dtype", "out", "keepdims", "initial", "where"};
  while (call.args.size() > 1) {
    if (call.args.size() > (isReduce ? 7 : 4))
      return in.fail("TypeError: " + method + "() takes from 1 to " + (isReduce ? "7" : "4") +
                     " positional arguments but " + Twine(call.args.size()) + " were given");
    call.keywords.emplace_back(parameters[call.args.size() - 1], call.args.back());
    call.args.pop_back();
  }
  PyValue axis = PyValue::object(py::integer(0));
  bool hasAxis = false, hasDtype = false, isPlain = true;
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword == "axis")
      axis = value;
    hasAxis |= keyword == "axis";
    hasDtype |= keyword == "dtype" && !value.isNone();
    isPlain &= keyword == "axis";
  }
  if (isReduce && reduction != reductions.end() && !(hasDtype && !isSum)) {
    if (!hasAxis)
      call.keywords.emplace_back("axis", axis);
    // numpy.any and all take no initial value, where their ufuncs do, and the functions no dtype.
    llvm::erase_if(call.keywords,
                   [&](const auto &keyword) { return keyword.first == "dtype" && keyword.second.isNone() && !isSum; });
    auto initial = llvm::find_if(call.keywords, [](const auto &keyword) { return keyword.first == "initial"; });
    if (initial == call.keywords.end() || (name.compare(0, 8, "logical_") && !initial->second.isNone()))
      return callObject(in, in.dtypes.numpy[reduction->second], call);
    PyValue first = initial->second;
    call.keywords.erase(initial);
    if (first.isNone()) // none at all
      return callObject(in, in.dtypes.numpy[reduction->second], call);
    return applyUfunc(in, ufunc, {callObject(in, in.dtypes.numpy[reduction->second], call), first});
  }
  std::vector<PyValue> axes;
  if (isAccumulate && hasAxis && asSequence(in, axis, axes) && axes.size() == 1) {
    axis = axes[0];
    for (auto &[keyword, value] : call.keywords)
      if (keyword == "axis")
        value = axis;
  }
  if (isAccumulate && (axis.isNone() || (axis.isSequence() && axes.size() != 1)))
    return in.fail("ValueError: accumulate does not allow multiple axes");
  if (isAccumulate && !call.args.empty() && !call.args[0].hasItems() && call.args[0].rank() == 0)
    return in.fail("TypeError: cannot accumulate on a scalar");
  if (isAccumulate && isSum) {
    if (!hasAxis)
      call.keywords.emplace_back("axis", axis);
    return callObject(in, in.dtypes.numpy[name == "add" ? "cumsum" : "cumprod"], call);
  }
  if (!isPlain || call.args.empty())
    return callLibraryMethod(in, ufunc, method, call);
  Value value = operand(in, call.args[0]);
  if (!value)
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  bool isBitwise = llvm::StringRef(name).starts_with("bitwise_");
  if (isa<ComplexType>(element) || (isBitwise && isa<FloatType>(element)))
    return callLibraryMethod(in, ufunc, method, call);
  if (isReduce) {
    SmallVector<int64_t> axes;
    if (!asAxes(in, axis, np::getRank(value.getType()), axes))
      return PyValue::poison();
    return emitReduce(in, name, value, axes, false);
  }
  std::optional<int64_t> along = asAxis(in, axis, np::getRank(value.getType()));
  if (!along)
    return PyValue::poison();
  // The extrema of bools are logical.
  StringRef kind = !element.isInteger(1) ? StringRef(name)
                   : name == "maximum"   ? "logical_or"
                   : name == "minimum"   ? "logical_and"
                                         : StringRef(name);
  return PyValue::runtime(np::ScanOp::create(in.ir, *np::symbolizeUfunc(kind), value, *along));
}

} // namespace npcc::frontend

// Reductions and running reductions: over all axes, one, or several; NumPy's accumulation types.
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;

namespace npcc::frontend {

/// What changes no result of a reduction, or null.
static Value neutral(FunctionImporter &importer, StringRef kind, Type element) {
  if (kind == "add" || kind == "bitwise_or" || kind == "bitwise_xor" || kind == "logical_or")
    return importer.constantInteger(element, 0);
  if (kind == "multiply" || kind == "logical_and")
    return importer.constantInteger(element, 1);
  if (kind == "bitwise_and")
    return importer.constantInteger(element, element.isInteger(1) ? 1 : -1);
  if (kind != "maximum" && kind != "minimum")
    return {};
  bool isMaximum = kind == "maximum";
  if (isa<FloatType>(element))
    return importer.constant(element, py::real(isMaximum ? -HUGE_VAL : HUGE_VAL));
  if (element.isInteger(1) || !isa<IntegerType>(element))
    return {};
  py::Object info = py::call(importer.dtypes.numpy["iinfo"], {importer.dtypes.dtype(element)});
  return importer.constant(element, info[isMaximum ? "min" : "max"]);
}

/// The mask with axes of extent 1 for the trailing axes of a value.
static Value maskFor(FunctionImporter &importer, Value mask, Value value) {
  SmallVector<int64_t> trailing;
  for (int64_t axis = np::getRank(mask.getType()); axis < np::getRank(value.getType()); ++axis)
    trailing.push_back(axis);
  return importer.expandDims(mask, trailing);
}

PyValue emitReduce(FunctionImporter &importer, StringRef kind, Value value, ArrayRef<int64_t> axes, bool keepdims) {
  SmallVector<int64_t> ascending(axes);
  llvm::sort(ascending);
  // Of selected elements: of all, where the others count for nothing.
  if (auto selection = value.getDefiningOp<np::CompressOp>(); selection && llvm::is_contained(ascending, 0)) {
    if (Value nothing = neutral(importer, kind, np::getElementType(value.getType()))) {
      Value source = selection.getSource();
      int64_t maskRank = np::getRank(selection.getMask().getType());
      SmallVector<int64_t> all;
      for (int64_t axis = 0; axis < maskRank; ++axis)
        all.push_back(axis);
      for (int64_t axis : ascending)
        if (axis > 0)
          all.push_back(axis + maskRank - 1);
      Value chosen = importer.emitUfunc("where", {maskFor(importer, selection.getMask(), source), source, nothing});
      Value result = emitReduce(importer, kind, chosen, all, false).ir();
      return PyValue::runtime(keepdims ? importer.expandDims(result, ascending) : result);
    }
  }
  Value result = value;
  if (!ascending.empty())
    result = np::ReduceOp::create(importer.builder, importer.here(), kind, value, importer.builder.getDenseI64ArrayAttr(ascending));
  if (keepdims)
    result = importer.expandDims(result, ascending);
  return PyValue::runtime(result);
}

namespace {

/// The argument as a value; Python scalars have rank 0.
Value operand(FunctionImporter &importer, const PyValue &argument) {
  Value array = importer.asArray(argument);
  return array && isa<np::ArrayType>(array.getType()) ? importer.load(array) : array;
}

std::optional<bool> flag(FunctionImporter &importer, const PyValue &argument) {
  if (argument.isObject())
    return py::isTrue(argument.object());
  importer.fail("keepdims must be known at compile time");
  return std::nullopt;
}

/// The axes of a reduction: numbers may be reduced along axis 0.
bool axesOf(FunctionImporter &importer, const PyValue &argument, int64_t rank, SmallVectorImpl<int64_t> &axes) {
  std::optional<int64_t> axis = importer.asInteger(argument);
  return (rank == 0 && (axis == 0 || axis == -1)) || importer.asAxes(argument, rank, axes);
}

/// Small integers and bools are summed in 64 bits.
Type accumulationType(FunctionImporter &importer, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() == 64)
    return element;
  return importer.dtypes.elementType(integer.isUnsigned() ? StringRef("uint64") : StringRef("int64"));
}

PyValue reduction(FunctionImporter &importer, Arguments &args, StringRef kind, StringRef function, Type element, Value value) {
  SmallVector<int64_t> axes;
  std::optional<bool> keepdims = flag(importer, args["keepdims"]);
  if (!value || !keepdims || !axesOf(importer, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  value = importer.castTo(value, element);
  if (args.given("where") && !(args["where"].isObject() && py::isTrue(args["where"].object()))) {
    Value mask = importer.tensorOf(args["where"], importer.builder.getI1Type());
    if (!mask)
      return PyValue::poison();
    if ((kind == "maximum" || kind == "minimum") && !args.given("initial"))
      return importer.fail("ValueError: reduction operation '" + kind + "' does not have an identity, so to use a where mask one has to specify 'initial'");
    value = importer.emitUfunc("where", {mask, value, neutral(importer, kind, element)});
  }
  PyValue result = emitReduce(importer, kind, value, axes, *keepdims);
  if (axes.empty() && kind == "add" &&
      isa<FloatType, ComplexType>(element)) // a sum begins with 0: -0.0 has none of its own
    result = PyValue::runtime(importer.emitUfunc("add", {result.ir(), importer.constantInteger(element, 0)}));
  if (llvm::is_contained(args.names, "initial") && args.given("initial")) { // any and all take none
    Value first = importer.operandAs(args["initial"], element);
    if (!first)
      return PyValue::poison();
    result = PyValue::runtime(importer.emitUfunc(kind, {result.ir(), first}));
  }
  if (args.given("out"))
    return storeOut(importer, result, args["out"], "same_kind", function);
  return result;
}

PyValue summing(FunctionImporter &importer, Arguments &args, StringRef kind, StringRef function) {
  Value value = operand(importer, args["a"]);
  if (!value)
    return PyValue::poison();
  Type own = np::getElementType(value.getType()), wide = accumulationType(importer, own);
  // With an output, its dtype and the operand's decide.
  std::vector<PyValue> items;
  PyValue out = args["out"];
  if (args.given("out") && importer.asSequence(out, items) && items.size() == 1)
    out = items[0];
  if (out.arrayType())
    wide = importer.dtypes.resultType({importer.dtypes.dtype(own), importer.dtypes.dtype(out.elementType())});
  Type element = importer.asDtype(args["dtype"], wide);
  if (element && element.isInteger(1))
    kind = kind == "add" ? "logical_or" : "logical_and";
  return element ? reduction(importer, args, kind, function, element, value) : PyValue::poison();
}
PyValue emitSum(FunctionImporter &importer, Arguments &args) { return summing(importer, args, "add", "add"); }
PyValue emitProd(FunctionImporter &importer, Arguments &args) { return summing(importer, args, "multiply", "multiply"); }

/// Extrema of nothing are an error.
void checkNotEmpty(FunctionImporter &importer, Value value, ArrayRef<int64_t> axes, const Twine &message) {
  Value zero = importer.index(0);
  for (int64_t axis : axes)
    if (np::getShape(value.getType())[axis] != 1)
      importer.check(importer.compareIndex(arith::CmpIPredicate::ne, importer.dim(value, axis), zero), "ValueError", message);
}

PyValue extremum(FunctionImporter &importer, Arguments &args, StringRef kind) {
  Value value = operand(importer, args["a"]);
  SmallVector<int64_t> axes;
  if (!value || !axesOf(importer, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  if (isa<ComplexType>(element))
    return importer.fail("the extrema of complex numbers cannot be compiled", "take them of the absolute values");
  if (!args.given("initial"))
    checkNotEmpty(importer, value, axes, "zero-size array to reduction operation " + kind + " which has no identity");
  if (element.isInteger(1))
    return reduction(importer, args, kind == "maximum" ? "logical_or" : "logical_and", kind, element, value);
  return reduction(importer, args, kind, kind, element, value);
}
PyValue emitMax(FunctionImporter &importer, Arguments &args) { return extremum(importer, args, "maximum"); }
PyValue emitMin(FunctionImporter &importer, Arguments &args) { return extremum(importer, args, "minimum"); }

PyValue logical(FunctionImporter &importer, Arguments &args, StringRef kind) {
  Value value = operand(importer, args["a"]);
  return value ? reduction(importer, args, kind, kind, importer.builder.getI1Type(), value) : PyValue::poison();
}
PyValue emitAny(FunctionImporter &importer, Arguments &args) { return logical(importer, args, "logical_or"); }
PyValue emitAll(FunctionImporter &importer, Arguments &args) { return logical(importer, args, "logical_and"); }

PyValue emitCountNonzero(FunctionImporter &importer, Arguments &args) {
  Value value = operand(importer, args["a"]);
  SmallVector<int64_t> axes;
  std::optional<bool> keepdims = flag(importer, args["keepdims"]);
  if (!value || !keepdims || !axesOf(importer, args["axis"], np::getRank(value.getType()), axes))
    return PyValue::poison();
  Value truth = importer.castTo(importer.castTo(value, importer.builder.getI1Type()), importer.builder.getI64Type());
  PyValue result = emitReduce(importer, "add", truth, axes, *keepdims);
  // Over everything it is a Python int in older versions of NumPy.
  static const bool isPythonInt = PyLong_CheckExact(py::call(importer.dtypes.numpy["count_nonzero"], {py::tuple({})}).get());
  if (isPythonInt && args["axis"].isNone() && !*keepdims)
    return PyValue::runtime(importer.item(result.ir()));
  return result;
}

Value flatten(FunctionImporter &importer, Value value) {
  return np::getRank(value.getType()) == 1 ? value : importer.reshape(value, {importer.size(value)}, {});
}

PyValue position(FunctionImporter &importer, Arguments &args, StringRef kind) {
  Value value = operand(importer, args["a"]);
  std::optional<bool> keepdims = flag(importer, args["keepdims"]);
  if (!value || !keepdims)
    return PyValue::poison();
  if (isa<ComplexType>(np::getElementType(value.getType())))
    return importer.fail("numpy." + kind + " of complex numbers cannot be compiled");
  int64_t rank = np::getRank(value.getType());
  SmallVector<int64_t> axes;
  bool all = args["axis"].isNone() || rank == 0;
  if (!args["axis"].isNone() && !axesOf(importer, args["axis"], rank, axes))
    return PyValue::poison();
  if (all) {
    value = flatten(importer, value);
    axes.assign({0});
  }
  checkNotEmpty(importer, value, axes, "attempt to get " + kind + " of an empty sequence");
  if (np::getElementType(value.getType()).isInteger(1))
    value = importer.castTo(value, importer.dtypes.elementType(StringRef("uint8")));
  PyValue result = emitReduce(importer, kind, value, axes, *keepdims && !all);
  if (*keepdims && all) {
    SmallVector<int64_t> everywhere;
    for (int64_t axis = 0; axis < rank; ++axis)
      everywhere.push_back(axis);
    result = PyValue::runtime(importer.expandDims(result.ir(), everywhere));
  }
  return args.given("out") ? storeOut(importer, result, args["out"], "same_kind", kind) : result;
}
PyValue emitArgmax(FunctionImporter &importer, Arguments &args) { return position(importer, args, "argmax"); }
PyValue emitArgmin(FunctionImporter &importer, Arguments &args) { return position(importer, args, "argmin"); }

PyValue running(FunctionImporter &importer, Arguments &args, StringRef kind) {
  Value value = operand(importer, args["a"]);
  if (!value)
    return PyValue::poison();
  Type element = importer.asDtype(args["dtype"], accumulationType(importer, np::getElementType(value.getType())));
  if (!element)
    return PyValue::poison();
  value = importer.castTo(value, element);
  int64_t axis = 0;
  if (args["axis"].isNone()) {
    value = flatten(importer, value);
  } else {
    if (np::getRank(value.getType()) == 0) // of numbers too it is the running sum along one axis
      value = flatten(importer, value);
    std::optional<int64_t> given = importer.asAxis(args["axis"], np::getRank(value.getType()));
    if (!given)
      return PyValue::poison();
    axis = *given;
  }
  PyValue result = PyValue::runtime(np::ScanOp::create(importer.builder, importer.here(), kind, value, axis));
  return args.given("out") ? storeOut(importer, result, args["out"], "same_kind", kind) : result;
}
PyValue emitCumsum(FunctionImporter &importer, Arguments &args) { return running(importer, args, "add"); }
PyValue emitCumprod(FunctionImporter &importer, Arguments &args) { return running(importer, args, "multiply"); }

const FunctionRow rows[] = {
    {"numpy.sum", "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None", emitSum},
    {"numpy.prod", "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None", emitProd},
    {"numpy.max", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMax},
    {"numpy.amax", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMax},
    {"numpy.min", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMin},
    {"numpy.amin", "a, axis=None, out=None, keepdims=False, initial=None, where=None", emitMin},
    {"numpy.any", "a, axis=None, out=None, keepdims=False, *, where=None", emitAny},
    {"numpy.all", "a, axis=None, out=None, keepdims=False, *, where=None", emitAll},
    {"numpy.count_nonzero", "a, axis=None, keepdims=False", emitCountNonzero},
    {"numpy.argmax", "a, axis=None, out=None, keepdims=False", emitArgmax},
    {"numpy.argmin", "a, axis=None, out=None, keepdims=False", emitArgmin},
    {"numpy.cumsum", "a, axis=None, dtype=None, out=None", emitCumsum},
    {"numpy.cumprod", "a, axis=None, dtype=None, out=None", emitCumprod},
};
} // namespace

/// numpy.add.reduce(a), numpy.maximum.accumulate(a), numpy.multiply.outer(a, b): axis 0 unless said.
PyValue callUfuncMethod(FunctionImporter &importer, const py::Object &ufunc, const std::string &method, FunctionImporter::Call &call) {
  static const std::map<std::string, const char *> reductions = {{"add", "sum"},         {"multiply", "prod"},    {"maximum", "max"},
                                                                 {"minimum", "min"},     {"logical_and", "all"}, {"logical_or", "any"}};
  static const std::set<std::string> kinds = {"add", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"};
  std::string name = ufunc.string("__name__");
  if (method == "outer" && call.args.size() == 2) {
    if (!call.keywords.empty())
      return importer.fail("numpy." + name + ".outer() takes no keywords in compiled code");
    Value left = importer.asArray(call.args[0]), right = importer.asArray(call.args[1]);
    if (!left || !right)
      return PyValue::poison();
    int64_t leftRank = np::getRank(left.getType()), rightRank = np::getRank(right.getType());
    SmallVector<int64_t> added;
    for (int64_t axis = 0; axis < rightRank; ++axis)
      added.push_back(leftRank + axis);
    return importer.applyUfunc(ufunc, {PyValue::runtime(importer.expandDims(left, added)), PyValue::runtime(right)});
  }
  bool isReduce = method == "reduce", isAccumulate = method == "accumulate";
  auto reduction = reductions.find(name);
  if (!(isReduce && reduction != reductions.end()) && !((isReduce || isAccumulate) && kinds.count(name)))
    return importer.fail("numpy." + name + "." + method + " cannot be compiled", "npcc.supported() lists the functions that can");
  PyValue axis = call.args.size() > 1 ? call.args[1] : PyValue::object(py::integer(0));
  for (const auto &[keyword, value] : call.keywords)
    if (keyword == "axis")
      axis = value;
  if (isReduce && reduction != reductions.end()) {
    if (call.args.size() < 2 && llvm::none_of(call.keywords, [](const auto &keyword) { return keyword.first == "axis"; }))
      call.keywords.emplace_back("axis", axis);
    // numpy.any and all take no initial value, where their ufuncs do.
    auto initial = llvm::find_if(call.keywords, [](const auto &keyword) { return keyword.first == "initial"; });
    if (name.compare(0, 8, "logical_") || initial == call.keywords.end())
      return importer.callObject(importer.dtypes.numpy[reduction->second], call);
    PyValue first = initial->second;
    call.keywords.erase(initial);
    return importer.applyUfunc(ufunc, {importer.callObject(importer.dtypes.numpy[reduction->second], call), first});
  }
  for (const auto &[keyword, value] : call.keywords)
    if (keyword != "axis" && keyword != "dtype" && keyword != "out" && keyword != "keepdims")
      return importer.fail("numpy." + name + "." + method + "() does not take the keyword '" + keyword + "' in compiled code");
  if (isAccumulate && axis.isNone())
    return importer.fail("ValueError: accumulate does not allow multiple axes");
  if (isAccumulate && !call.args.empty() && !call.args[0].hasItems() && call.args[0].rank() == 0)
    return importer.fail("TypeError: cannot accumulate on a scalar");
  if (isAccumulate && (name == "add" || name == "multiply")) {
    if (call.args.size() < 2 && llvm::none_of(call.keywords, [](const auto &keyword) { return keyword.first == "axis"; }))
      call.keywords.emplace_back("axis", axis);
    return importer.callObject(importer.dtypes.numpy[name == "add" ? "cumsum" : "cumprod"], call);
  }
  if (call.args.empty() || call.args.size() > 2 || (call.keywords.size() > 1 || (call.keywords.size() == 1 && call.keywords[0].first != "axis")))
    return importer.fail("numpy." + name + "." + method + "() takes an array and an axis in compiled code");
  Value value = operand(importer, call.args[0]);
  if (!value)
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  if (isa<ComplexType>(element))
    return importer.fail("numpy." + name + "." + method + " of complex numbers cannot be compiled");
  if (isReduce) {
    SmallVector<int64_t> axes;
    if (!importer.asAxes(axis, np::getRank(value.getType()), axes))
      return PyValue::poison();
    return emitReduce(importer, name, value, axes, false);
  }
  std::optional<int64_t> along = importer.asAxis(axis, np::getRank(value.getType()));
  if (!along)
    return PyValue::poison();
  // The extrema of bools are logical.
  StringRef kind = !element.isInteger(1) ? StringRef(name) : name == "maximum" ? "logical_or" : name == "minimum" ? "logical_and" : StringRef(name);
  return PyValue::runtime(np::ScanOp::create(importer.builder, importer.here(), kind, value, *along));
}

ArrayRef<FunctionRow> reductionRows() { return rows; }

} // namespace npcc::frontend

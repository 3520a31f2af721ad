// Python's builtin functions.
#include "frontend/numpy/Table.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue none() { return PyValue::object(py::none()); }
PyValue boolean(bool value) { return PyValue::object(py::boolean(value)); }
py::Object builtin(const char *name) { return py::import("builtins")[name]; }

/// Calls a builtin on known arguments.
PyValue evaluate(FunctionImporter &importer, const char *name, const std::vector<py::Object> &args) {
  std::string errorType, message;
  py::Object result = py::tryCall(builtin(name), args, {}, errorType, message);
  return result ? importer.fromObject(result) : importer.fail(errorType + ": " + message);
}

PyValue emitLen(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["obj"];
  std::vector<PyValue> items;
  if (value.isArray()) {
    if (value.rank() == 0)
      return importer.fail("TypeError: len() of unsized object");
    return importer.fromIndex(importer.dim(value.ir(), 0));
  }
  if (value.isRuntimeList())
    return importer.fromIndex(importer.dim(importer.listArray(value), 0));
  if (value.isObject() && !value.isPoison())
    return evaluate(importer, "len", {value.object()});
  if (importer.asSequence(value, items))
    return PyValue::object(py::integer(items.size()));
  return importer.fail("TypeError: " + importer.describe(value) + " has no len()");
}

PyValue emitRange(FunctionImporter &importer, Arguments &args) {
  auto data = std::make_shared<Composite>();
  PyValue zero = PyValue::object(py::integer(0)), one = PyValue::object(py::integer(1));
  bool single = args["stop"].isNone();
  data->items = {single ? zero : args["start"], single ? args["start"] : args["stop"], args.given("step") ? args["step"] : one};
  for (PyValue &bound : data->items) {
    bool isInteger = importer.asInteger(bound) || (bound.isRuntime() && bound.rank() == 0 && isa<IntegerType>(bound.elementType()));
    if (!isInteger)
      return importer.fail("TypeError: " + importer.describe(bound) + " object cannot be interpreted as an integer", "use int()");
  }
  return PyValue::composite(PyValue::Kind::Range, data);
}

PyValue iterator(FunctionImporter &importer, const char *name, std::vector<PyValue> operands) {
  auto data = std::make_shared<Composite>();
  data->name = name;
  for (PyValue &operand : operands)
    operand = importer.bound(operand);
  data->items = std::move(operands);
  return PyValue::composite(PyValue::Kind::Iterator, data);
}
PyValue emitEnumerate(FunctionImporter &importer, Arguments &args) { return iterator(importer, "enumerate", {args["iterable"], args["start"]}); }
PyValue emitZip(FunctionImporter &importer, Arguments &args) { return iterator(importer, "zip", args["iterables"]->items); }
PyValue emitReversed(FunctionImporter &importer, Arguments &args) { return iterator(importer, "reversed", {args["sequence"]}); }

PyValue emitMap(FunctionImporter &importer, Arguments &args) {
  std::vector<PyValue> rows, results;
  if (!importer.asSequence(iterator(importer, "zip", args["iterables"]->items), rows))
    return importer.fail("map() needs tuples or lists of known length", "write the loop out");
  for (const PyValue &row : rows) {
    FunctionImporter::Call call{importer.currentNode, row->items, {}};
    results.push_back(importer.bound(importer.call(args["function"], call)));
  }
  PyValue list = PyValue::sequence(std::move(results), true);
  list->depth = importer.depth;
  return list;
}

PyValue sequenceOf(FunctionImporter &importer, Arguments &args, bool isList) {
  std::vector<PyValue> items;
  PyValue &value = args["iterable"];
  if (value.isNone())
    return PyValue::sequence({}, isList);
  if (isList && (value.isRuntimeList() || (value.isArray() && value.rank() > 0)))
    return importer.listOf(value);
  if (value.isArray() && value.rank() > 0) {
    ArrayRef<int64_t> shape = np::getShape(value.type());
    if (shape[0] != 1)
      return importer.fail("an array's length is not known at compile time: it cannot be made a " + Twine(isList ? "list" : "tuple"), "use the array");
  }
  if (!importer.asSequence(value, items))
    return value.isPoison() ? value : importer.fail(importer.describe(value) + " has no length known at compile time", "use an array");
  PyValue result = PyValue::sequence(std::move(items), isList);
  result->depth = importer.depth;
  return result;
}
PyValue emitTuple(FunctionImporter &importer, Arguments &args) { return sequenceOf(importer, args, false); }
PyValue emitList(FunctionImporter &importer, Arguments &args) { return sequenceOf(importer, args, true); }

/// A number or the element of a 0-d array, as a Python scalar.
Value pythonScalar(FunctionImporter &importer, const PyValue &value) {
  if (value.isRuntime() && value.rank() > 0) {
    importer.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars", "take an element: a[0]");
    return {};
  }
  Value scalar = importer.valueOf(value);
  return scalar && isa<RankedTensorType>(scalar.getType()) ? importer.item(scalar) : scalar;
}

PyValue emitInt(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["x"];
  if (value.isObject())
    return evaluate(importer, "int", {value.object()});
  Value scalar = pythonScalar(importer, value);
  if (!scalar)
    return PyValue::poison();
  if (isa<ComplexType>(scalar.getType()))
    return importer.fail("TypeError: int() argument must be a string, a bytes-like object or a real number, not 'complex'");
  return PyValue::runtime(importer.wholeNumber(scalar));
}
PyValue emitFloat(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["x"];
  if (value.isObject())
    return evaluate(importer, "float", {value.object()});
  Value scalar = pythonScalar(importer, value);
  if (!scalar)
    return PyValue::poison();
  if (isa<ComplexType>(scalar.getType()))
    return importer.fail("TypeError: float() argument must be a string or a real number, not 'complex'");
  return PyValue::runtime(importer.castTo(scalar, importer.builder.getF64Type()));
}
PyValue emitComplex(FunctionImporter &importer, Arguments &args) {
  Type f64 = importer.builder.getF64Type(), type = ComplexType::get(f64);
  py::Object real = importer.asObject(args["real"]), imag = importer.asObject(args["imag"]);
  if (real && imag)
    return evaluate(importer, "complex", args.given("imag") ? std::vector<py::Object>{real, imag} : std::vector<py::Object>{real});
  if (!args.given("imag")) {
    Value scalar = pythonScalar(importer, args["real"]);
    return scalar ? PyValue::runtime(importer.castTo(scalar, type)) : PyValue::poison();
  }
  // The parts themselves where they are real: infinity times 1j is none of them.
  for (const char *name : {"real", "imag"})
    if (args[name].rank() > 0)
      return importer.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars",
                           "take an element: a[0]");
  if (args["imag"].arrayType() && isa<ComplexType>(args["imag"].elementType()))
    return importer.fail("TypeError: float() argument must be a string or a real number, not 'complex'");
  Value first = importer.runtimeType(args["real"]) ? pythonScalar(importer, args["real"]) : Value();
  Value second = importer.runtimeType(args["imag"]) ? pythonScalar(importer, args["imag"]) : Value();
  if (!first || !second)
    return args["real"].isPoison() || args["imag"].isPoison() || first || second
               ? PyValue::poison()
               : importer.fail("TypeError: complex() needs numbers");
  if (args["imag"].isRuntime() && !args["imag"].isPythonScalar() &&
      second.getType() == ComplexType::get(importer.builder.getF32Type()))
    second =
        importer.emitUfunc("real", {second}); // NumPy's complex64 is no Python complex: it passes for its real part
  OpBuilder &b = importer.builder;
  auto part = [&](Value number, bool isReal) {
    if (isa<ComplexType>(number.getType()))
      return importer.castTo(importer.emitUfunc(isReal ? "real" : "imag", {number}), f64);
    return isReal ? importer.castTo(number, f64) : importer.constant(f64, py::real(0));
  };
  Value realPart = importer.emitUfunc("subtract", {part(first, true), part(second, false)});
  Value imaginary = isa<ComplexType>(first.getType())
                        ? importer.emitUfunc("add", {part(first, false), part(second, true)})
                        : part(second, true);
  if (!isa<ComplexType>(second.getType()))
    realPart = part(first, true);
  return PyValue::runtime(complex::CreateOp::create(b, importer.here(), type, realPart, imaginary));
}
PyValue emitBool(FunctionImporter &importer, Arguments &args) {
  std::optional<bool> known;
  Value bit = importer.truth(args["x"], known);
  return known ? boolean(*known) : PyValue::runtime(bit);
}

PyValue emitAbs(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["x"];
  if (value.isObject() && !py::isInstance(value.object(), importer.dtypes.numpy["ndarray"]))
    return evaluate(importer, "abs", {value.object()});
  if (!value.isPythonScalar())
    return importer.applyUfunc("absolute", {value});
  Value number = value.type().isInteger(1) ? importer.castTo(value.ir(), importer.builder.getI64Type()) : value.ir();
  if (number.getType().isInteger(64))
    importer.checkFits(np::Arithmetic::subtract, importer.constantInteger(number.getType(), 0), number);
  return PyValue::runtime(importer.emitUfunc("absolute", {number}));
}

/// Whether a loop would go over an array's items; an error for arrays and NumPy scalars that have none.
bool isIterated(FunctionImporter &importer, const PyValue &value) {
  if (!value.isArray() && !value.isNumpyScalar())
    return false;
  if (value.rank() > 0)
    return true;
  importer.fail(value.arrayType()
                    ? "TypeError: iteration over a 0-d array"
                    : "TypeError: '" + importer.dtypes.name(value.elementType()) + "' object is not iterable");
  return true;
}

/// min and max keep the first of equals, and compare as Python does.
/// NumPy's function of a list of Python's numbers, as a Python number; nothing if the list is another.
std::optional<PyValue> ofList(FunctionImporter &importer, const PyValue &list, const char *numpy) {
  if (!list.isRuntimeList() || !list->isPython || list->items[0].rank() != 1)
    return std::nullopt;
  PyValue result = callNumpy(importer, numpy, {PyValue::runtime(importer.listArray(list))});
  return result.isNumpyScalar() ? PyValue::runtime(importer.item(result.ir())) : result;
}

PyValue extremum(FunctionImporter &importer, Arguments &args, const char *operation, const char *numpy) {
  std::vector<PyValue> &given = args["values"]->items, items;
  if (given.size() == 1) {
    if (given[0].isArray() && given[0].rank() > 0) {
      if (given[0].rank() == 1 && isa<FloatType>(given[0].elementType())) {
        // A first item that is NaN stays, others are passed over.
        PyValue first = importer.subscript(given[0], PyValue::object(py::integer(0)));
        return importer.choose(
            importer.compare("NotEq", first, first), [&] { return first; },
            [&] { return callNumpy(importer, StringRef(numpy) == "min" ? "nanmin" : "nanmax", {given[0]}); });
      }
      if (given[0].rank() == 1)
        return callNumpy(importer, numpy, {given[0]});
      return importer.fail("ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()", "use numpy." + Twine(numpy));
    }
    // Floats are compared one by one: where a NaN stands decides.
    if (given[0].isRuntimeList() && given[0]->isPython && isa<IntegerType>(given[0]->items[0].elementType())) {
      Value count = importer.dim(importer.listArray(given[0]), 0);
      importer.check(importer.compareIndex(arith::CmpIPredicate::ne, count, importer.index(0)), "ValueError",
                     Twine(numpy) + (PY_VERSION_HEX < 0x030c0000 ? "() arg is an empty sequence" : "() iterable argument is empty"));
      if (std::optional<PyValue> result = ofList(importer, given[0], numpy))
        return *result;
    }
    if (!importer.asSequence(given[0], items))
      return given[0].isPoison() ? given[0] : importer.fail("TypeError: " + importer.describe(given[0]) + " object is not iterable");
  } else {
    items = given;
  }
  if (items.empty())
    return importer.fail("ValueError: " + Twine(numpy) + "() iterable argument is empty");
  PyValue best = items[0];
  for (size_t k = 1; k < items.size(); ++k) {
    PyValue item = items[k], before = best;
    // Numbers of one type need no branch.
    Type left = importer.runtimeType(before), right = importer.runtimeType(item);
    if (before.isRuntime() && item.isRuntime() && left == right && left.isInteger(64)) {
      best = PyValue::runtime(importer.emitUfunc(StringRef(operation) == "Lt" ? "minimum" : "maximum", {before.ir(), item.ir()}));
      continue;
    }
    best = importer.choose(importer.compare(operation, item, before), [&] { return item; }, [&] { return before; });
  }
  return best;
}
PyValue emitMin(FunctionImporter &importer, Arguments &args) { return extremum(importer, args, "Lt", "min"); }
PyValue emitMax(FunctionImporter &importer, Arguments &args) { return extremum(importer, args, "Gt", "max"); }

PyValue emitSum(FunctionImporter &importer, Arguments &args) {
  PyValue total = args["start"], &value = args["iterable"];
  if (isIterated(importer, value)) {
    // Item by item: in the array's own dtype, and of bools in int64.
    Type own = importer.resultType({total, value});
    PyValue dtype = PyValue::object(own ? importer.dtypes.dtype(own) : py::none());
    return importer.binary("Add", callNumpy(importer, "sum", {value, PyValue::object(py::integer(0)), dtype}), total);
  }
  if (std::optional<PyValue> result = ofList(importer, value, "sum"))
    return importer.binary("Add", *result, total);
  std::vector<PyValue> items;
  if (!importer.asSequence(value, items))
    return value.isPoison() ? value : importer.fail("sum() of " + importer.describe(value) + " cannot be compiled", "write the loop out");
  for (const PyValue &item : items)
    total = importer.bound(importer.binary("Add", total, item));
  return total;
}

PyValue quantified(FunctionImporter &importer, const PyValue &value, bool isAny) {
  if (isIterated(importer, value)) {
    if (value.rank() > 1)
      return importer.fail(
          "ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    PyValue result = callNumpy(importer, isAny ? "any" : "all", {value});
    return result.isNumpyScalar() ? PyValue::runtime(importer.item(result.ir())) : result;
  }
  if (std::optional<PyValue> result = ofList(importer, value, isAny ? "any" : "all"))
    return *result;
  std::vector<PyValue> items;
  if (!importer.asSequence(value, items))
    return value.isPoison() ? value : importer.fail(Twine(isAny ? "any" : "all") + "() of " + importer.describe(value) + " cannot be compiled");
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == items.size())
      return boolean(!isAny);
    auto rest = [&] { return from(k + 1); };
    auto decided = [&] { return boolean(isAny); };
    return isAny ? importer.choose(items[k], decided, rest) : importer.choose(items[k], rest, decided);
  };
  return from(0);
}
PyValue emitAny(FunctionImporter &importer, Arguments &args) { return quantified(importer, args["iterable"], true); }
PyValue emitAll(FunctionImporter &importer, Arguments &args) { return quantified(importer, args["iterable"], false); }

PyValue emitRound(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["number"];
  if (py::Object known = importer.asObject(value); known && importer.asObject(args["ndigits"]))
    return evaluate(importer, "round", args.given("ndigits") ? std::vector<py::Object>{known, args["ndigits"].object()} : std::vector<py::Object>{known});
  if (value.isArray() || value.arrayType())
    return importer.fail("TypeError: type numpy.ndarray doesn't define __round__ method", "use numpy.round");
  if (value.isNumpyScalar() && !isa<FloatType>(value.elementType()) &&
      (value.elementType().isInteger(1) || isa<ComplexType>(value.elementType())))
    return importer.fail("TypeError: type numpy." + importer.dtypes.name(value.elementType()) +
                         " doesn't define __round__ method");
  if (value.isNumpyScalar() && !args.given("ndigits") && !isa<ComplexType>(value.elementType())) {
    Value number = importer.item(value.ir());
    return PyValue::runtime(
        importer.wholeNumber(isa<FloatType>(number.getType()) ? importer.emitUfunc("rint", {number}) : number));
  }
  if (!value.isPythonScalar())
    return callNumpy(importer, "round", args.given("ndigits") ? std::vector<PyValue>{value, args["ndigits"]} : std::vector<PyValue>{value});
  if (isa<ComplexType>(value.type()))
    return importer.fail("TypeError: type complex doesn't define __round__ method");
  if (isa<IntegerType>(value.type()) && !args.given("ndigits"))
    return value.type().isInteger(1) ? PyValue::runtime(importer.castTo(value.ir(), importer.builder.getI64Type())) : value;
  if (args.given("ndigits") || !isa<FloatType>(value.type()))
    return importer.fail("round() to a number of digits cannot be compiled for Python's numbers", "use numpy.round");
  return PyValue::runtime(importer.wholeNumber(importer.emitUfunc("rint", {value.ir()})));
}

PyValue emitPow(FunctionImporter &importer, Arguments &args) { return importer.binary("Pow", args["base"], args["exp"]); }
PyValue emitDivmod(FunctionImporter &importer, Arguments &args) {
  // Of Python's floats the error has words of its own.
  Type left = importer.runtimeType(args["x"]), right = importer.runtimeType(args["y"]);
  auto isNumber = [](Type type) { return type && isa<IntegerType, FloatType>(type); };
  if (isNumber(left) && isNumber(right) && (isa<FloatType>(left) || isa<FloatType>(right))) {
    OpBuilder &b = importer.builder;
    Value divisor = importer.operandAs(args["y"], b.getF64Type());
    if (!divisor)
      return PyValue::poison();
    Value zero = arith::ConstantOp::create(b, importer.here(), b.getF64FloatAttr(0));
    importer.check(b.createOrFold<arith::CmpFOp>(importer.here(), arith::CmpFPredicate::UNE, divisor, zero),
                   "ZeroDivisionError", "float divmod()");
  }
  PyValue quotient = importer.binary("FloorDiv", args["x"], args["y"]);
  return PyValue::sequence({importer.bound(quotient), importer.bound(importer.binary("Mod", args["x"], args["y"]))});
}

/// The Python type a value has.
py::Object typeOf(FunctionImporter &importer, const PyValue &value) {
  if (value.isObject())
    return py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(value.object().get())));
  if (value.hasItems())
    return builtin(value->isList ? "list" : "tuple");
  if (value.is(PyValue::Kind::Slice))
    return builtin("slice");
  if (value.is(PyValue::Kind::Range))
    return builtin("range");
  if (value.is(PyValue::Kind::Text))
    return builtin("str");
  if (!value.isRuntime())
    return {};
  if (value.isNumpyScalar())
    return importer.dtypes.dtype(value.elementType())["type"];
  if (!value.isPythonScalar())
    return importer.dtypes.numpy["ndarray"];
  Type type = value.type();
  return builtin(isa<ComplexType>(type) ? "complex" : isa<FloatType>(type) ? "float" : type.isInteger(1) ? "bool" : "int");
}

PyValue emitIsinstance(FunctionImporter &importer, Arguments &args) {
  py::Object type = typeOf(importer, args["obj"]), classes = importer.asObject(args["class"]);
  if (!type || !classes)
    return importer.fail("isinstance() cannot be decided at compile time");
  return evaluate(importer, "issubclass", {type, classes});
}
PyValue emitType(FunctionImporter &importer, Arguments &args) {
  py::Object type = typeOf(importer, args["obj"]);
  return type ? PyValue::object(type) : importer.fail("type() cannot be decided at compile time");
}
PyValue emitCallable(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["obj"];
  return boolean(value.is(PyValue::Kind::Function) || value.is(PyValue::Kind::Method) || (value.isObject() && PyCallable_Check(value.object().get())));
}

PyValue emitPrint(FunctionImporter &importer, Arguments &args) {
  FunctionImporter::Call call{importer.currentNode, args["values"]->items, {}};
  for (const char *name : {"sep", "end", "flush"})
    if (args.given(name))
      call.keywords.emplace_back(name, args[name]);
  importer.print(call);
  return none();
}

/// str(x) of a number of the program: text that can be printed.
PyValue emitStr(FunctionImporter &importer, Arguments &args) { return importer.text(args["object"], ""); }

PyValue emitRepr(FunctionImporter &importer, Arguments &args) { return importer.text(args["object"], "", /*isRepr=*/true); }

PyValue emitSlice(FunctionImporter &importer, Arguments &args) {
  std::vector<PyValue> bounds = args["bounds"]->items;
  if (bounds.empty() || bounds.size() > 3)
    return importer.fail("TypeError: slice expected 1 to 3 arguments, got " + Twine(bounds.size()));
  if (bounds.size() == 1)
    bounds.insert(bounds.begin(), none());
  if (bounds.size() == 2)
    bounds.push_back(none());
  auto data = std::make_shared<Composite>();
  data->items = std::move(bounds);
  return PyValue::composite(PyValue::Kind::Slice, data);
}

const FunctionRow rows[] = {
    {"builtins.slice", "*bounds", emitSlice},
    {"builtins.len", "obj", emitLen},
    {"builtins.range", "start, stop=None, step=None", emitRange},
    {"builtins.enumerate", "iterable, start=0", emitEnumerate},
    {"builtins.zip", "*iterables, strict=None", emitZip},
    {"builtins.map", "function, *iterables", emitMap},
    {"builtins.reversed", "sequence", emitReversed},
    {"builtins.tuple", "iterable=None", emitTuple},
    {"builtins.list", "iterable=None", emitList},
    {"builtins.int", "x=0", emitInt},
    {"builtins.float", "x=0", emitFloat},
    {"builtins.complex", "real=0, imag=None", emitComplex},
    {"builtins.bool", "x=False", emitBool},
    {"builtins.str", "object", emitStr},
    {"builtins.repr", "object", emitRepr},
    {"builtins.abs", "x", emitAbs},
    {"builtins.min", "*values", emitMin},
    {"builtins.max", "*values", emitMax},
    {"builtins.sum", "iterable, start=0", emitSum},
    {"builtins.any", "iterable", emitAny},
    {"builtins.all", "iterable", emitAll},
    {"builtins.round", "number, ndigits=None", emitRound},
    {"builtins.pow", "base, exp", emitPow},
    {"builtins.divmod", "x, y", emitDivmod},
    {"builtins.isinstance", "obj, class", emitIsinstance},
    {"builtins.type", "obj", emitType},
    {"builtins.callable", "obj", emitCallable},
    {"builtins.print", "*values, sep=None, end=None, flush=None", emitPrint},
};

} // namespace

ArrayRef<FunctionRow> builtinRows() { return rows; }

} // namespace npcc::frontend

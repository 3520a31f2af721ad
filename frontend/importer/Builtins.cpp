// Python's builtin functions.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"
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
PyValue evaluate(Interpreter &in, const char *name, const std::vector<py::Object> &args) {
  std::string errorType, message;
  py::Object result = py::tryCall(builtin(name), args, {}, errorType, message);
  return result ? fromResult(in, result) : in.fail(errorType + ": " + message);
}

/// What a function gives for one argument that may be Python's number (PythonBits.h).
PyValue ofEitherNumber(Interpreter &in, Arguments &args, StringRef name, Emitter emit) {
  return overAlternatives(in, splitNumber(in, args[name]), [&](PyValue one) {
    args[name] = one;
    return emit(in, args);
  });
}

PyValue emitLen(Interpreter &in, Arguments &args) {
  PyValue value = unboxed(in, args["obj"]);
  std::vector<PyValue> items;
  if (value.isArray()) {
    if (value.rank() == 0)
      return in.fail("TypeError: len() of unsized object");
    return fromIndex(in, in.ir.dim(value.ir(), 0));
  }
  if (value.isRecords() && !isRecord(value)) {
    std::vector<PyValue> shape = recordsShape(in, value);
    return shape.empty() ? in.fail("TypeError: len() of unsized object") : shape[0];
  }
  if (value.isRecords())
    return PyValue::object(py::integer(value->items.size()));
  if (isRuntimeLength(value))
    return fromIndex(in, listLength(in, value));
  if (isRuntimeString(value))
    return stringLength(in, value);
  if (value.isObject() && !value.isPoison())
    return evaluate(in, "len", {value.object()});
  if (std::optional<PyValue> result = callSpecial(in, value, "__len__", {}))
    return *result;
  if (asSequence(in, value, items))
    return PyValue::object(py::integer(items.size()));
  if (value.is(PyValue::Kind::Range))
    return callIteration(in, "length_of_range", value->items);
  std::string type = nameOfType(in, value);
  if (StringRef(type).starts_with("numpy.")) // a scalar, which goes without the module there
    type = "'" + type.substr(6) + "'";
  return in.fail("TypeError: object of type " + type + " has no len()");
}
const Registered lenRows{{"builtins.len", "obj", emitLen}};

PyValue emitRange(Interpreter &in, Arguments &args) {
  auto data = std::make_shared<Composite>();
  PyValue zero = PyValue::object(py::integer(0)), one = PyValue::object(py::integer(1));
  bool single = args["stop"].isNone();
  data->items = {single ? zero : args["start"], single ? args["start"] : args["stop"],
                 args.given("step") ? args["step"] : one};
  for (PyValue &bound : data->items) {
    bound = intOf(in, asIndex(in, bound), "TypeError", "'float' object cannot be interpreted as an integer");
    bool isInteger =
        asInteger(in, bound) || (bound.isRuntime() && bound.rank() == 0 && isa<IntegerType>(bound.elementType()));
    if (!isInteger)
      return in.fail("TypeError: " + nameOfType(in, bound) + " object cannot be interpreted as an integer",
                     "use int()");
    if (bound.isNumpyScalar()) // what a range holds and gives are Python's ints
      bound = fromIndex(in, toIndex(in, bound));
  }
  return PyValue::composite(PyValue::Kind::Range, data);
}
const Registered rangeRows{{"builtins.range", "start, stop=None, step=None", emitRange}};

/// A number or the element of a 0-d array, as a Python scalar.
Value pythonScalar(Interpreter &in, const PyValue &value) {
  if (value.isRuntime() && value.rank() > 0) {
    in.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars", "take an element: a[0]");
    return {};
  }
  Value scalar = valueOf(in, value);
  return scalar && isa<RankedTensorType>(scalar.getType()) ? in.ir.item(scalar) : scalar;
}

/// What int() and float() are given, as a Python scalar: a complex number of NumPy's without its imaginary part, where
/// NumPy only warns. Null with an error reported: `words` are those about Python's complex numbers and arrays of them.
Value realScalar(Interpreter &in, const PyValue &value, const char *words) {
  Value scalar = pythonScalar(in, value);
  if (!scalar || !isa<ComplexType>(scalar.getType()))
    return scalar;
  if (value.isNumpyScalar())
    return in.ir.emitUfunc("real", {scalar});
  in.fail(words);
  return {};
}

PyValue emitInt(Interpreter &in, Arguments &args) {
  PyValue &value = args["x"];
  if (std::optional<PyValue> result = callSpecial(in, value, "__int__", {}))
    return *result;
  if (isRuntimeString(value))
    return integerOfString(in, value, args["base"]);
  if (args.given("base"))
    return value.isObject() && args["base"].isObject()
               ? evaluate(in, "int", {value.object(), args["base"].object()})
               : in.fail("TypeError: int() can't convert non-string with explicit base");
  if (value.isObject())
    return evaluate(in, "int", {value.object()});
  Value scalar = realScalar(
      in, value, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'complex'");
  return scalar ? PyValue::runtime(wholeNumber(in, scalar)) : PyValue::poison();
}
const Registered intRows{{"builtins.int", "x=0, base=None", emitInt}};
PyValue emitFloat(Interpreter &in, Arguments &args) {
  PyValue &value = args["x"];
  if (std::optional<PyValue> result = callSpecial(in, value, "__float__", {}))
    return *result;
  if (value.isObject())
    return evaluate(in, "float", {value.object()});
  if (isRuntimeString(value))
    return floatOfString(in, value);
  Value scalar = realScalar(in, value, "TypeError: float() argument must be a string or a real number, not 'complex'");
  return scalar ? PyValue::runtime(in.ir.castTo(scalar, in.ir.getF64Type())) : PyValue::poison();
}
const Registered floatRows{{"builtins.float", "x=0", emitFloat}};
PyValue emitComplex(Interpreter &in, Arguments &args) {
  Type f64 = in.ir.getF64Type(), type = ComplexType::get(f64);
  py::Object real = asObject(in, args["real"]), imag = asObject(in, args["imag"]);
  if (real && imag)
    return evaluate(in, "complex",
                    args.given("imag") ? std::vector<py::Object>{real, imag} : std::vector<py::Object>{real});
  if (!args.given("imag")) {
    Value scalar = pythonScalar(in, args["real"]);
    return scalar ? PyValue::runtime(in.ir.castTo(scalar, type)) : PyValue::poison();
  }
  // The parts themselves where they are real: infinity times 1j is none of them.
  for (const char *name : {"real", "imag"})
    if (args[name].rank() > 0)
      return in.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars",
                     "take an element: a[0]");
  if (args["imag"].arrayType() && isa<ComplexType>(args["imag"].elementType()))
    return in.fail("TypeError: float() argument must be a string or a real number, not 'complex'");
  Value first = runtimeType(in, args["real"]) ? pythonScalar(in, args["real"]) : Value();
  Value second = runtimeType(in, args["imag"]) ? pythonScalar(in, args["imag"]) : Value();
  if (!first || !second)
    return args["real"].isPoison() || args["imag"].isPoison() || first || second
               ? PyValue::poison()
               : in.fail("TypeError: complex() needs numbers");
  if (args["imag"].isRuntime() && !args["imag"].isPythonScalar() &&
      second.getType() == ComplexType::get(in.ir.getF32Type()))
    second = in.ir.emitUfunc("real", {second}); // NumPy's complex64 is no Python complex: it passes for its real part
  NpBuilder &b = in.ir;
  auto part = [&](Value number, bool isReal) {
    if (isa<ComplexType>(number.getType()))
      return in.ir.castTo(in.ir.emitUfunc(isReal ? "real" : "imag", {number}), f64);
    return isReal ? in.ir.castTo(number, f64) : constant(in, f64, py::real(0));
  };
  Value realPart = in.ir.emitUfunc("subtract", {part(first, true), part(second, false)});
  Value imaginary = isa<ComplexType>(first.getType()) ? in.ir.emitUfunc("add", {part(first, false), part(second, true)})
                                                      : part(second, true);
  if (!isa<ComplexType>(second.getType()))
    realPart = part(first, true);
  return PyValue::runtime(complex::CreateOp::create(b, type, realPart, imaginary));
}
const Registered complexRows{{"builtins.complex", "real=0, imag=None", emitComplex}};
PyValue emitBool(Interpreter &in, Arguments &args) {
  std::optional<bool> known;
  Value bit = truth(in, args["x"], known);
  return known ? boolean(*known) : PyValue::runtime(bit);
}
const Registered boolRows{{"builtins.bool", "x=False", emitBool}};

PyValue emitAbs(Interpreter &in, Arguments &args) {
  PyValue &value = args["x"];
  if (std::optional<PyValue> result = callSpecial(in, value, "__abs__", {}))
    return *result;
  if (value.pythonBit && isa<IntegerType>(value.elementType())) // Python's do not wrap
    return ofEitherNumber(in, args, "x", emitAbs);
  if (Value isPython = value.pythonBit) {
    Type type = value.pythonType;
    value = withoutPythonBit(value);
    return withPythonBit(in, emitAbs(in, args), isPython, type);
  }
  if (value.isObject() && !py::isInstance(value.object(), in.dtypes.numpy["ndarray"]))
    return evaluate(in, "abs", {value.object()});
  if (!value.isPythonScalar())
    return applyUfunc(in, "absolute", {value});
  Value number = value.type().isInteger(1) ? in.ir.castTo(value.ir(), in.ir.getI64Type()) : value.ir();
  if (number.getType().isInteger(64))
    checkFits(in, np::Arithmetic::subtract, in.ir.constantInteger(number.getType(), 0), number);
  return PyValue::runtime(in.ir.emitUfunc("absolute", {number}));
}
const Registered absRows{{"builtins.abs", "x", emitAbs}};

PyValue emitRound(Interpreter &in, Arguments &args) {
  if (args["number"].pythonBit)
    return ofEitherNumber(in, args, "number", emitRound);
  PyValue &value = args["number"];
  std::vector<PyValue> digits;
  if (args.given("ndigits"))
    digits.push_back(args["ndigits"]);
  if (std::optional<PyValue> result = callSpecial(in, value, "__round__", digits))
    return *result;
  if (py::Object known = asObject(in, value); known && asObject(in, args["ndigits"]))
    return evaluate(in, "round",
                    args.given("ndigits") ? std::vector<py::Object>{known, args["ndigits"].object()}
                                          : std::vector<py::Object>{known});
  if (value.isArray() || value.arrayType())
    return in.fail("TypeError: type numpy.ndarray doesn't define __round__ method", "use numpy.round");
  if (value.isNumpyScalar() && !isa<FloatType>(value.elementType()) &&
      (value.elementType().isInteger(1) || isa<ComplexType>(value.elementType())))
    return in.fail("TypeError: type numpy." + in.dtypes.name(value.elementType()) + " doesn't define __round__ method");
  if (value.isNumpyScalar() && !args.given("ndigits") && !isa<ComplexType>(value.elementType())) {
    Value number = in.ir.item(value.ir());
    return PyValue::runtime(
        wholeNumber(in, isa<FloatType>(number.getType()) ? in.ir.emitUfunc("rint", {number}) : number));
  }
  if (value.isPythonScalar() && isa<ComplexType>(value.type()))
    return in.fail("TypeError: type complex doesn't define __round__ method");
  bool isPythons =
      value.isPythonScalar() ||
      (value.isObject() && (PyFloat_CheckExact(value.object().get()) || PyLong_Check(value.object().get())));
  if (isPythons && args.given("ndigits"))
    return callInLibrary(in, "python_numbers.rounded", {value, args["ndigits"]});
  if (!isPythons)
    return callNumpy(in, "round",
                     args.given("ndigits") ? std::vector<PyValue>{value, args["ndigits"]}
                                           : std::vector<PyValue>{value});
  if (isa<IntegerType>(value.type()) && !args.given("ndigits"))
    return value.type().isInteger(1) ? PyValue::runtime(in.ir.castTo(value.ir(), in.ir.getI64Type())) : value;
  return PyValue::runtime(wholeNumber(in, in.ir.emitUfunc("rint", {value.ir()})));
}
const Registered roundRows{{"builtins.round", "number, ndigits=None", emitRound}};

PyValue emitPow(Interpreter &in, Arguments &args) {
  if (!args.given("mod"))
    return binary(in, "Pow", args["base"], args["exp"]);
  std::vector<py::Object> known{asObject(in, args["base"]), asObject(in, args["exp"]), asObject(in, args["mod"])};
  if (known[0] && known[1] && known[2])
    return evaluate(in, "pow", known);
  if (std::optional<PyValue> own = callSpecial(in, args["base"], "__pow__", {args["exp"], args["mod"]}))
    return *own;
  Call call{in.currentNode, {args["base"], args["exp"], args["mod"]}, {}};
  return callFunction(in, functionOf(in, py::import("npcc.library.python_numbers")["modular_power"], true), call);
}
const Registered powRows{{"builtins.pow", "base, exp, mod=None", emitPow}};

PyValue emitDivmod(Interpreter &in, Arguments &args) {
  if (std::optional<PyValue> own = callSpecial(in, args["x"], "__divmod__", {args["y"]}))
    return *own;
  if (std::optional<PyValue> own = callSpecial(in, args["y"], "__rdivmod__", {args["x"]}))
    return *own;
  // Of Python's floats the error has words of its own.
  Type left = runtimeType(in, args["x"]), right = runtimeType(in, args["y"]);
  auto isNumber = [](Type type) { return type && isa<IntegerType, FloatType>(type); };
  if (isNumber(left) && isNumber(right) && (isa<FloatType>(left) || isa<FloatType>(right))) {
    NpBuilder &b = in.ir;
    Value divisor = operandAs(in, args["y"], b.getF64Type());
    if (!divisor)
      return PyValue::poison();
    Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0));
    in.ir.check(b.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::UNE, divisor, zero), "ZeroDivisionError",
                "float divmod()");
  }
  PyValue quotient = binary(in, "FloorDiv", args["x"], args["y"]);
  return PyValue::sequence({in.env.bound(quotient), in.env.bound(binary(in, "Mod", args["x"], args["y"]))});
}
const Registered divmodRows{{"builtins.divmod", "x, y", emitDivmod}};

} // namespace

py::Object typeOf(Interpreter &in, const PyValue &value) {
  if (value.isObject())
    return py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(value.object().get())));
  if (value.is(PyValue::Kind::Instance) || (value.isSequence() && value->cls))
    return value->cls;
  if (value.isRecords())
    return recordsClass(value);
  if (value.hasItems())
    return builtin(value->isList ? "list" : "tuple");
  if (value.is(PyValue::Kind::Slice))
    return builtin("slice");
  if (value.is(PyValue::Kind::Range))
    return builtin("range");
  if (isGenerator(value) || isResumable(value))
    return py::lookup("types.GeneratorType");
  if (value.is(PyValue::Kind::Iterator)) // enumerate, zip, reversed
    return builtin(value->name.c_str());
  if (value.is(PyValue::Kind::Function))
    return py::lookup("types.FunctionType");
  if (value.is(PyValue::Kind::Text)) // a number's class says so
    return builtin("str");
  if (!value.isRuntime())
    return {};
  if (value.isGenerator()) { // of a bit generator the class is not known
    std::string kind = cast<np::GeneratorType>(value.type()).getKind().str();
    return kind == "BitGenerator" ? py::Object() : py::lookup((kind == "Random" ? "random." : "numpy.random.") + kind);
  }
  if (value.isNumpyScalar())
    return in.dtypes.dtype(value.elementType())["type"];
  if (!value.isPythonScalar())
    return in.dtypes.numpy["ndarray"];
  Type type = value.type();
  return builtin(isa<ComplexType>(type) ? "complex"
                 : isa<FloatType>(type) ? "float"
                 : type.isInteger(1)    ? "bool"
                                        : "int");
}

namespace {

/// As a program sees it: dicts, sets and deques are Python's own there and polynomials NumPy's, and the package's
/// classes in the package.
static py::Object visibleType(Interpreter &in, const PyValue &value) {
  py::Object type = typeOf(in, value);
  if (in.env.frame->isLibrary || !value.is(PyValue::Kind::Instance))
    return type;
  static const py::Object pythons = py::lookup("npcc.library.containers.SEEN_AS");
  PyObject *own = PyDict_GetItemWithError(pythons.get(), type.get());
  if (own)
    return py::Object::borrow(own);
  static const py::Object classOfCaught = py::lookup("npcc.library.exceptions.class_of_caught");
  py::Object caught = py::call(classOfCaught, {type});
  return caught.isNone() ? type : caught;
}

PyValue emitIsinstance(Interpreter &in, Arguments &args) {
  if (args["obj"].pythonBit)
    return ofEitherNumber(in, args, "obj", emitIsinstance);
  py::Object type = visibleType(in, args["obj"]), classes = asObject(in, args["class"]);
  if (!type || !classes)
    return in.fail("isinstance() cannot be decided at compile time");
  return evaluate(in, "issubclass", {type, classes});
}
const Registered isinstanceRows{{"builtins.isinstance", "obj, class", emitIsinstance}};
PyValue emitType(Interpreter &in, Arguments &args) {
  if (args["obj"].pythonBit)
    return ofEitherNumber(in, args, "obj", emitType);
  py::Object type = visibleType(in, args["obj"]);
  return type ? PyValue::object(type) : in.fail("type() cannot be decided at compile time");
}
const Registered typeRows{{"builtins.type", "obj", emitType}};
PyValue emitCallable(Interpreter &in, Arguments &args) {
  PyValue &value = args["obj"];
  return boolean(value.is(PyValue::Kind::Function) || value.is(PyValue::Kind::Method) ||
                 (value.isObject() && PyCallable_Check(value.object().get())));
}
const Registered callableRows{{"builtins.callable", "obj", emitCallable}};

/// Whether the call says `file=sys.stdout`. What it was bound to when a global was set may be another stream later.
bool printsToStandardOutput(Interpreter &in, const PyValue &file) {
  if (!file.isObject() || py::typeName(in.currentNode) != "Call")
    return false;
  py::Object stream = py::import("sys")["stdout"];
  return file.object() == stream && llvm::any_of(in.currentNode.list("keywords"), [](const py::Object &keyword) {
           py::Object value = keyword["value"];
           return !keyword["arg"].isNone() && keyword.string("arg") == "file" && py::typeName(value) == "Attribute" &&
                  value.string("attr") == "stdout";
         });
}

PyValue emitPrint(Interpreter &in, Arguments &args) {
  if (args.given("file") && !args["file"].isNone() && !printsToStandardOutput(in, args["file"]))
    return in.fail("print() to another file than sys.stdout cannot be compiled",
                   "leave out 'file', or return the text");
  Call call{in.currentNode, args["values"]->items, {}};
  for (const char *name : {"sep", "end", "flush"})
    if (args.given(name))
      call.keywords.emplace_back(name, args[name]);
  print(in, call);
  return none();
}
const Registered printRows{{"builtins.print", "*values, sep=None, end=None, file=None, flush=None", emitPrint}};

/// str(x) of a number of the program: text that can be printed.
PyValue emitStr(Interpreter &in, Arguments &args) { return text(in, args["object"], ""); }
const Registered strRows{{"builtins.str", "object=''", emitStr}};

PyValue emitRepr(Interpreter &in, Arguments &args) { return text(in, args["object"], "", /*isRepr=*/true); }
const Registered reprRows{{"builtins.repr", "object", emitRepr}};

PyValue emitSlice(Interpreter &in, Arguments &args) {
  std::vector<PyValue> bounds = args["bounds"]->items;
  if (bounds.empty() || bounds.size() > 3)
    return in.fail("TypeError: slice expected 1 to 3 arguments, got " + Twine(bounds.size()));
  if (bounds.size() == 1)
    bounds.insert(bounds.begin(), none());
  if (bounds.size() == 2)
    bounds.push_back(none());
  auto data = std::make_shared<Composite>();
  data->items = std::move(bounds);
  return PyValue::composite(PyValue::Kind::Slice, data);
}
const Registered sliceRows{{"builtins.slice", "*bounds", emitSlice}};

} // namespace

} // namespace npcc::frontend

// Calls of objects that are known when the function is compiled: classes, functions of Python's, NumPy's and of
// packages, and what the program itself defines.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Enumerations.h"
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/MaskedArrays.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Source.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Autocast.h"
#include "frontend/numpy/Table.h"
#include "frontend/numpy/random/Random.h"

using namespace mlir;

namespace npcc::frontend {

/// Remembers the types that a function of the program is called with, where all its arguments have one.
static void reportCall(Interpreter &in, const py::Object &function, const Call &call) {
  if (!in.report || in.env.frame->isLibrary)
    return;
  ImportReport::InlinedCall made{function, {}};
  if (!call.keywords.empty())
    return;
  for (const PyValue &arg : call.args) {
    Type type = arg.isRuntime() || arg.isObject() ? runtimeType(in, arg) : Type();
    if (!type) // a string, a tuple, a function
      return;
    ParamType param;
    if (auto generator = dyn_cast<np::GeneratorType>(type)) {
      param.kind = ParamType::Kind::Generator;
      param.dtype = generator.getKind().str();
      made.params.push_back(param);
      continue;
    }
    bool isArray = isa<np::ArrayType>(type) || np::getRank(type) > 0;
    param.kind = isArray ? ParamType::Kind::Array : ParamType::Kind::Scalar;
    param.dtype = in.dtypes.name(np::getElementType(type));
    param.rank = np::getRank(type);
    param.weak = !isArray && !isa<RankedTensorType>(type);
    if (auto array = dyn_cast<np::ArrayType>(type))
      param.contiguous = array.getContiguous();
    made.params.push_back(param);
  }
  in.report->calls.push_back(std::move(made));
}

/// Whether a function belongs to a module of Python's own that works on objects written in C, as patterns and readers
/// are: its Python code is of no use without them.
static bool worksOnObjectsOfC(const py::Object &callee) {
  static const std::set<std::string> modules = {"re",           "json",    "csv",     "logging",  "textwrap",
                                                "difflib",      "pprint",  "inspect", "decimal",  "shlex",
                                                "configparser", "pathlib", "locale",  "calendar", "traceback"};
  return modules.count(StringRef(callee.string("__module__")).split('.').first.str()) > 0;
}

/// A class or function of Python's that compiled code has in its own way: containers, named tuples, super().
static std::optional<PyValue> callOfPythons(Interpreter &in, const py::Object &callee, Call &call) {
  static const py::Object dict = py::lookup("builtins.dict"), super = py::lookup("builtins.super"),
                          hold = py::lookup("builtins.object")["__setattr__"];
  if (callee == dict)
    return newDict(in, call);
  static const std::pair<py::Object, const char *> containers[] = {
      {py::lookup("builtins.set"), "Set"},
      {py::lookup("builtins.frozenset"), "FrozenSet"},
      {py::lookup("collections.deque"), "Deque"},
      {py::lookup("collections.defaultdict"), "DefaultDict"},
      {py::lookup("collections.Counter"), "Counter"},
  };
  for (const auto &[type, container] : containers)
    if (callee == type && call.args.size() == 1 && isContainer(call.args[0], "FrozenSet") &&
        StringRef(container) == "FrozenSet")
      return call.args[0]; // which cannot change
    else if (callee == type)
      return callClass(in, py::import("npcc.library.containers")[container], call);
  static const py::Object partial = py::lookup("functools.partial");
  if (callee == partial)
    return callClass(in, py::import("npcc.library.partials")["Partial"], call);
  static const py::Object orderedDict = py::lookup("collections.OrderedDict");
  if (callee == orderedDict)
    return call.keywords.empty() ? newContainer(in, "OrderedDict", call.args)
                                 : callClass(in, py::lookup("npcc.library.dicts.OrderedDict"), call);
  static const py::Object namedTuple = py::lookup("collections.namedtuple");
  if (callee == namedTuple)
    return newNamedTuple(in, call);
  // A program that has imported no dataclasses calls none of its functions.
  if (PyDict_GetItemString(PyImport_GetModuleDict(), "dataclasses") && callee == py::lookup("dataclasses.replace"))
    return replaceFields(in, call);
  if (callee == super)
    return makeSuper(in, call);
  if (callee == hold)
    return holdAttribute(in, call);
  return std::nullopt;
}

/// A function that makes operations: of records, of strings, of threads, and what stands in the tables of NumPy's
/// functions and in npcc.library.
static std::optional<PyValue> callOfNumpys(Interpreter &in, const py::Object &callee, Call &call) {
  if (std::optional<PyValue> result = callOfRecords(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callOfStringArrays(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callOfMaskedArrays(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callFieldFunction(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callThreadFunction(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callAutocast(in, callee, call))
    return *result;
  if (const FunctionRow *row = findFunction(callee))
    return callRow(in, *row, call, callee);
  if (py::typeName(callee) == "ufunc")
    return refuseGenerators(in, call, callee.string("__name__")) ? PyValue::poison() : callUfunc(in, callee, call);
  if (isEvaluated(callee))
    if (std::optional<PyValue> result = evaluate(in, callee, call))
      return *result;
  if (py::Object library = findLibraryFunction(callee)) {
    bool isRandom = StringRef(library.string("__module__")).starts_with("npcc.library.random");
    if (!isRandom && refuseGenerators(in, call, callee.string("__name__")))
      return PyValue::poison();
    return callLibrary(in, library, callee, call);
  }
  return callGeneratorMethod(in, callee, call);
}

/// A function or method that is written in Python, or an object that calls one: it is imported.
static std::optional<PyValue> callPythonCode(Interpreter &in, const py::Object &callee, Call &call) {
  std::string type = py::typeName(callee);
  bool isNumpy = isOfPackage(callee, "numpy");
  if (type == "function" && (worksOnObjectsOfC(callee) || isOfPythonsPackage(in, callee)))
    return in.fail(callee.string("__module__") + "." + callee.string("__qualname__") + " cannot be compiled");
  if (type == "function" && !isNumpy) {
    reportCall(in, callee, call);
    bool isLibrary = StringRef(callee.string("__module__")).starts_with("npcc.library");
    return callFunction(in, functionOf(in, callee, isLibrary), call);
  }
  bool isOfArrays = type == "method_descriptor" || type == "wrapper_descriptor"; // np.ndarray.sum(x)
  if (isOfArrays && callee["__objclass__"] == in.dtypes.numpy["ndarray"] && !call.args.empty() &&
      call.args[0].isArray()) {
    PyValue receiver = call.args[0];
    call.args.erase(call.args.begin());
    return callMethod(in, receiver, callee.string("__name__"), call);
  }
  if (type == "vectorize" && callee["pyfunc"])
    return callVectorized(in, callee, call);
  if (type == "partial" && callee["func"]) {
    std::vector<PyValue> args;
    for (const py::Object &arg : callee.list("args"))
      args.push_back(fromObject(in, arg));
    call.args.insert(call.args.begin(), args.begin(), args.end());
    for (const py::Object &item : py::elements(py::call(callee["keywords"]["items"], {}))) {
      std::vector<py::Object> pair = py::elements(item);
      call.keywords.emplace_back(py::toString(pair[0].get()), fromObject(in, pair[1]));
    }
    return callObject(in, callee["func"], call);
  }
  if (type == "method" && py::typeName(callee["__func__"]) == "function" && !isNumpy) { // Class.of, instance.method
    call.args.insert(call.args.begin(), fromObject(in, callee["__self__"]));
    py::Object function = callee["__func__"], implementation = function["__npcc_compiled__"];
    return callObject(in, implementation ? implementation : function, call);
  }
  // An object whose calls are a function of the package in compiled code: what npcc.vectorize gives.
  if (!PyType_Check(callee.get()))
    if (py::Object method = callee["__call__"];
        method && py::typeName(method) == "method" && method["__func__"]["__npcc_compiled__"])
      return callObject(in, method, call);
  if (!PyType_Check(callee.get()))
    if (py::Object method = callee["__class__"]["__call__"]; method && py::typeName(method) == "function") {
      call.args.insert(call.args.begin(), PyValue::object(callee)); // an object of a global
      return callObject(in, method, call);
    }
  return std::nullopt;
}

/// A method of an object that is known, or a type of NumPy's numbers, which converts.
static std::optional<PyValue> callOfC(Interpreter &in, const py::Object &callee, Call &call) {
  py::Object self = callee["__self__"];
  if (self && py::typeName(callee) == "builtin_function_or_method" && py::typeName(self) != "module")
    if (std::optional<PyValue> result = callKnownMethod(in, callee, self, call))
      return *result;
  // numpy.add.reduce and the like.
  if (self && py::typeName(self) == "ufunc")
    return callUfuncMethod(in, self, callee.string("__name__"), call);
  // numpy.float32(x), bool(x): types that convert.
  if (PyType_Check(callee.get()) &&
      py::isTrue(py::call(py::import("builtins")["issubclass"], {callee, in.dtypes.numpy["generic"]})))
    return refuseGenerators(in, call, callee.string("__name__")) ? PyValue::poison() : convertToType(in, callee, call);
  return std::nullopt;
}

/// A decorated function, as functools.wraps marks it.
static PyValue callWrapped(Interpreter &in, const py::Object &callee, const py::Object &wrapped, Call &call) {
  if (py::typeName(callee) == "_lru_cache_wrapper") {
    if (in.outlines->parts && in.outlines->askedCaches.count(callee.get()))
      return callInPython(in, PyValue::object(callee), call);
    PyValue function = functionOf(in, wrapped);
    bool isFound = in.outlines->remembering.count(callee.get()) > 0;
    if (isFound || (!function.isPoison() && isOutlined(in, function->definition)))
      return callRemembering(in, callee, call);
  }
  return callObject(in, wrapped, call);
}

/// Says that an object cannot be called in compiled code, and what to do instead.
static PyValue refuseCall(Interpreter &in, const py::Object &callee) {
  bool isNumpy = isOfPackage(callee, "numpy");
  std::string name = callee.string("__qualname__");
  if (name.empty())
    name = callee.string("__name__");
  std::string moduleName = callee.string("__module__");
  if (name.empty())
    return in.fail("'" + py::typeName(callee) + "' object is not callable in compiled code");
  static const std::set<StringRef> ofFiles = {"save",    "savez",      "savez_compressed", "load",   "loadtxt",
                                              "savetxt", "genfromtxt", "fromfile",         "memmap", "open_memmap"};
  if (isNumpy && ofFiles.count(name))
    return in.fail("numpy." + name + " cannot be compiled", "read and write files outside of the compiled function");
  std::string near = isNumpy ? nearestFunction(name) : "";
  // numpy.linalg.svd, but numpy.median of numpy.lib._function_base_impl.
  if (isNumpy && py::lookup(moduleName + "." + name).get() == callee.get())
    return in.fail(moduleName + "." + name + " cannot be compiled", "npcc.supported() lists the functions that can");
  return in.fail((isNumpy                                          ? "numpy."
                  : moduleName.empty() || moduleName == "builtins" ? ""
                                                                   : moduleName + ".") +
                     name + " cannot be compiled",
                 isNumpy ? (near.empty() ? "npcc.supported() lists the functions that can"
                                         : "did you mean " + near + "? npcc.supported() lists the functions that can")
                         : "call it outside, or write it as a Python function");
}

PyValue callObject(Interpreter &in, const py::Object &callee, Call &call) {
  for (auto *callIfKnown : {callOfPythons, callOfNumpys, callPythonCode, callOfC})
    if (std::optional<PyValue> result = callIfKnown(in, callee, call))
      return *result;
  if (py::Object wrapped = callee["__wrapped__"]; wrapped && !isOfPackage(callee, "numpy"))
    return callWrapped(in, callee, wrapped, call);
  if (PyType_Check(callee.get()) && py::isInstance(callee, py::import("builtins")["type"]) &&
      py::isTrue(py::call(py::import("builtins")["issubclass"], {callee, py::import("builtins")["BaseException"]})))
    return madeException(in, callee, call);
  if (isEnumeration(callee))
    return callEnumeration(in, callee, call);
  if (isCompiledClass(in, callee))
    return callClass(in, callee, call);
  // NumPy's own Python code is not imported: what is not in a table is an error.
  return refuseCall(in, callee);
}

} // namespace npcc::frontend

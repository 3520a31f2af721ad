// From a Python function to machine code or the text of a phase: the importer and the driver behind one call each.
#include "compiler/Driver.h"
#include "compiler/Targets.h"
#include "compiler/codegen/Object.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Libdevice.h"
#include "dialects/Np/Values.h"
#include "frontend/extension/Diagnostics.h"
#include "frontend/extension/Types.h"
#include "frontend/importer/Importer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include <set>
#include <thread>

using namespace npcc;
using namespace npcc::extension;

namespace {
/// The importer makes many objects of Python that live as long as it runs: the collector goes over them in vain.
class WithoutCollections {
public:
  ~WithoutCollections() {
    if (wasEnabled)
      PyGC_Enable();
  }

private:
  bool wasEnabled = PyGC_Disable();
};
} // namespace

/// What first_call() gave of the parameters that are none of the constants.
static std::vector<std::vector<int64_t>> readFirstCall(PyObject *tuple) {
  std::vector<std::vector<int64_t>> known(PyTuple_Size(tuple));
  for (size_t k = 0; k < known.size(); ++k) {
    PyObject *numbers = PyTuple_GetItem(tuple, k);
    for (Py_ssize_t number = 0; number < PyTuple_Size(numbers); ++number)
      known[k].push_back(PyLong_AsLongLong(PyTuple_GetItem(numbers, number)));
  }
  return known;
}

/// The dict that the package calls options; false with an exception set.
static bool readOptions(PyObject *dict, Options &options) {
  PyObject *key, *value;
  Py_ssize_t position = 0;
  while (PyDict_Next(dict, &position, &key, &value)) {
    std::string name = py::toString(key);
    if (name == "target")
      options.target = py::toString(value);
    else if (name == "arch")
      options.arch = py::toString(value);
    else if (name == "cpu")
      options.cpu = py::toString(value);
    else if (name == "cuda_path")
      options.cudaPath = py::toString(value);
    else if (name == "devices")
      options.devices = PyLong_AsLongLong(value);
    else if (name == "general")
      options.general = PyObject_IsTrue(value) == 1;
    else if (name == "matmul")
      options.matmul = py::toString(value);
    else if (name == "check_nans")
      options.checkNans = PyObject_IsTrue(value) == 1;
    else if (name == "first_call")
      options.firstCall = readFirstCall(value);
    else if (name == "first_call_on_host")
      options.mayMoveToHost = true;
    else if (name == "moved_up_to")
      options.movedUpTo = PyLong_AsLongLong(value);
    else if (name == "tiers")
      options.tiers = PyObject_IsTrue(value) == 1;
    else if (name == "opt_level")
      options.optLevel = static_cast<int>(PyLong_AsLong(value));
    else if (name != "prepare" && name != "symbol" && name != "autocast" && name != "structure" && name != "generators" &&
             name != "arrays" && name != "assigned" && name != "raise_errors" && name != "uses_python") {
      PyErr_Format(PyExc_TypeError, "unknown option %R", key);
      return false;
    }
  }
  registerTargets();
  if (!findTarget(options.target)) {
    PyErr_Format(PyExc_ValueError, "unknown target '%s': there are %s", options.target.c_str(), listTargets().c_str());
    return false;
  }
  return !PyErr_Occurred();
}

int64_t npcc::extension::compilations = 0, npcc::extension::imports = 0; // under the GIL

/// One compilation, as the methods below are called: (function, types, options, ...).
namespace {
struct Compilation {
  ~Compilation() {
    if (driver && driver->hasLostModule())
      (void)module.release();
  }
  std::unique_ptr<Driver> driver;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<frontend::Diagnostic> diagnostics;
  frontend::ImportReport report;
  bool imported = false;
};
} // namespace

static bool readParameters(PyObject *function, PyObject *types, frontend::ImportRequest &request) {
  py::Object code = py::Object::take(PyObject_GetAttrString(function, "__code__"));
  std::vector<py::Object> names = code ? code.list("co_varnames") : std::vector<py::Object>();
  for (Py_ssize_t k = 0; k < PyTuple_Size(types); ++k) {
    frontend::ParamType type;
    PyObject *item = PyTuple_GetItem(types, k);
    // A text, or an object that holds a constant (jit.Constant); `types` keeps it alive.
    py::Object constant =
        PyUnicode_Check(item) ? py::Object() : py::Object::take(PyObject_GetAttrString(item, "value"));
    request.constants.push_back(constant.get());
    if (constant)
      type.kind = frontend::ParamType::Kind::Constant;
    else if (!parseTypeText(item, type))
      return false;
    if (size_t(k) < names.size())
      type.name = py::toString(names[k].get());
    request.params.push_back(std::move(type));
  }
  return true;
}

/// What messages call the function: "step(float64[:,:], float)".
static std::string signatureOf(const std::string &name, const frontend::ImportRequest &request) {
  std::string signature = name + "(";
  for (size_t k = 0; k < request.params.size(); ++k) {
    PyObject *constant = request.constants[k];
    signature += (k ? ", " : "") + (constant ? py::repr(py::Object::borrow(constant)) : typeText(request.params[k]));
  }
  return signature + ")";
}

static void nameFunction(mlir::ModuleOp module, PyObject *function, const frontend::ImportRequest &request) {
  std::string name = py::Object::borrow(function).string("__name__"), signature = signatureOf(name, request);
  for (auto op : module.getOps<mlir::func::FuncOp>()) {
    op->setAttr("np.python_name", mlir::StringAttr::get(op.getContext(), name));
    op->setAttr("np.signature", mlir::StringAttr::get(op.getContext(), signature));
  }
}

/// An import that crashed is an error at the function, with the types that repeat it.
static void reportCrash(PyObject *function, const frontend::ImportRequest &request, const std::string &reason,
                        Compilation &compilation) {
  PyErr_Clear();
  compilation.driver->loseModule();
  py::Object code = py::Object::take(PyObject_GetAttrString(function, "__code__"));
  frontend::Diagnostic diagnostic;
  diagnostic.message = "internal error: " + reason + " while it read this function";
  diagnostic.file = code.string("co_filename");
  diagnostic.line = static_cast<int>(py::asInteger(code["co_firstlineno"]).value_or(0));
  diagnostic.hint =
      "to reproduce: npcc.jit(f)(...) for " + signatureOf(py::Object::borrow(function).string("__name__"), request);
  compilation.diagnostics.push_back(std::move(diagnostic));
}

/// False with a Python exception; what is wrong with the program is in `diagnostics`.
static bool import(PyObject *function, PyObject *types, PyObject *dict, Compilation &compilation) {
  Options options;
  frontend::ImportRequest request;
  if (!readOptions(dict, options) || !readParameters(function, types, request))
    return false;
  request.function = function;
  request.target = options.target;
  request.general = options.general;
  PyObject *raises = PyDict_GetItemString(dict, "raise_errors");
  request.raiseErrors = raises && PyObject_IsTrue(raises) == 1;
  PyObject *usesPython = PyDict_GetItemString(dict, "uses_python");
  request.usesPython = usesPython && PyObject_IsTrue(usesPython) == 1;
  request.structure = PyDict_GetItemString(dict, "structure");
  if (PyObject *autocast = PyDict_GetItemString(dict, "autocast"))
    request.autocast = py::toString(autocast);
  if (PyObject *symbol = PyDict_GetItemString(dict, "symbol"))
    request.symbol = py::toString(symbol);
  if (PyObject *generators = PyDict_GetItemString(dict, "generators"))
    for (Py_ssize_t k = 0; k < PyTuple_Size(generators); ++k)
      request.generators.push_back(PyTuple_GetItem(generators, k));
  if (PyObject *arrays = PyDict_GetItemString(dict, "arrays"))
    for (Py_ssize_t k = 0; k < PyTuple_Size(arrays); ++k)
      request.arrays.push_back(PyTuple_GetItem(arrays, k));
  if (PyObject *assigned = PyDict_GetItemString(dict, "assigned"))
    for (const py::Object &place : py::elements(py::Object::borrow(assigned)))
      request.assigned.emplace_back(PyTuple_GetItem(place.get(), 0), py::toString(PyTuple_GetItem(place.get(), 1)));
  compilation.driver = std::make_unique<Driver>(options);
  mlir::MLIRContext &context = compilation.driver->getContext();
  compilation.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  {
    PhaseTimer timer("import");
    WithoutCollections pause;
    // What an import that crashes was changing is left alone: what it reports goes into lists of its own.
    auto *diagnostics = new std::vector<frontend::Diagnostic>;
    auto *report = new frontend::ImportReport;
    llvm::Error crash = guardCrashes([&]() -> llvm::Error {
      compilation.imported = frontend::importFunction(request, *compilation.module, *diagnostics, report);
      return llvm::Error::success();
    });
    if (crash) {
      compilation.imported = false;
      reportCrash(function, request, llvm::toString(std::move(crash)), compilation);
      return true;
    }
    compilation.diagnostics = std::move(*diagnostics);
    compilation.report = std::move(*report);
    delete diagnostics;
    delete report;
  }
  imports += compilation.report.imports;
  if (PyErr_Occurred()) // a bug of the importer, but an exception must not linger
    return false;
  for (const auto &[name, cls] : compilation.report.classes) {
    py::Object key = py::string(name);
    if (npcc_register_class(key.get(), cls.get()))
      return false;
  }
  if (compilation.imported)
    nameFunction(*compilation.module, function, request);
  return true;
}

/// A tuple of the texts of types.
static PyObject *typeTexts(const std::vector<frontend::ParamType> &params) {
  PyObject *types = PyTuple_New(params.size());
  for (size_t k = 0; types && k < params.size(); ++k)
    PyTuple_SetItem(types, k, extension::toPython(typeText(params[k])));
  return types;
}

/// [(function, types), ...]: the functions that were compiled in place, and the types of their positional arguments.
static PyObject *calls(const frontend::ImportReport &report) {
  py::Object list = py::Object::take(PyList_New(0));
  for (const frontend::ImportReport::InlinedCall &call : report.calls) {
    auto isKnown = [](const frontend::ParamType &type) {
      return type.kind != frontend::ParamType::Kind::Constant && !type.dtype.empty();
    };
    if (!llvm::all_of(call.params, isKnown))
      continue;
    py::Object pair = py::Object::take(Py_BuildValue("ON", call.function.get(), typeTexts(call.params)));
    PyList_Append(list.get(), pair.get());
  }
  return Py_NewRef(list.get());
}

/// (value or None, diagnostics, calls, whether another process may use the code, the parameters that have to be given as objects)
static PyObject *answer(const Compilation &compilation, PyObject *value) {
  py::Object list = py::Object::take(PyList_New(0));
  for (const frontend::Diagnostic &diagnostic : compilation.diagnostics)
    appendDiagnostic(list.get(), diagnostic);
  for (const SourceDiagnostic &diagnostic : compilation.driver->getDiagnostics())
    appendDiagnostic(list.get(), diagnostic);
  py::Object names = py::Object::take(PyList_New(0));
  for (const std::string &name : compilation.report.objectParameters)
    PyList_Append(names.get(), py::string(name).get());
  bool isPortable = compilation.report.classes.empty() && !compilation.report.holdsObjects;
  return Py_BuildValue("NONNO", value ? value : Py_NewRef(Py_None), list.get(), calls(compilation.report),
                       PyBool_FromLong(isPortable), names.get());
}

namespace {
/// Makes ready what the call will wait for that the code is compiled for: the GPU, and the libraries which the function calls. Meanwhile the code is compiled.
class Preparation {
public:
  /// `device` is an ordinal, or negative where nothing is to be made ready.
  Preparation(int32_t device, mlir::ModuleOp module) {
    if (device < 0)
      return;
    std::set<std::string> routines;
    module.walk([&](mlir::Operation *op) {
      if (mlir::isa<np::MatmulOp>(op))
        routines.insert("matmul");
      if (auto routine = mlir::dyn_cast<np::RoutineOp>(op))
        routines.insert(routine.getRoutine().str());
    });
    // What goes wrong here goes wrong in the call, which tells it.
    thread = std::thread([device, routines] {
      npcc_rt_prepare(device, nullptr);
      for (const std::string &routine : routines)
        npcc_rt_prepare(device, routine.c_str());
    });
  }
  ~Preparation() {
    if (thread.joinable())
      thread.join();
  }

private:
  std::thread thread;
};
} // namespace

/// As `compile`; `movableUpTo` is Driver::getMovableUpTo, and then nothing was made.
static PyObject *compileOnce(PyObject *function, PyObject *types, PyObject *options, int64_t &movableUpTo) {
  Compilation compilation;
  if (!import(function, types, options, compilation))
    return nullptr;
  std::optional<std::string> bytes;
  if (compilation.imported) {
    PyObject *prepare = PyDict_GetItemString(options, "prepare");
    int32_t device = prepare ? static_cast<int32_t>(PyLong_AsLong(prepare)) : -1;
    ReleaseGil released;
    Preparation preparation(device, *compilation.module);
    if (std::optional<CompiledCode> code = compilation.driver->compile(*compilation.module))
      bytes = code->serialize();
    movableUpTo = compilation.driver->getMovableUpTo();
  }
  return answer(compilation, bytes ? PyBytes_FromStringAndSize(bytes->data(), bytes->size()) : nullptr);
}

/// The options for code of the host that is made instead of a GPU's.
static py::Object moveToHost(PyObject *options, int64_t upTo) {
  py::Object moved = py::Object::take(PyDict_Copy(options));
  PyDict_SetItemString(moved.get(), "first_call", PyDict_GetItemString(options, "first_call_on_host"));
  for (const char *name : {"first_call_on_host", "arch", "prepare"})
    if (PyDict_GetItemString(moved.get(), name))
      PyDict_DelItemString(moved.get(), name);
  setItem(moved.get(), "target", toPython(std::string("cpu")));
  setItem(moved.get(), "moved_up_to", PyLong_FromLongLong(upTo));
  return moved;
}

/// compile(function, types, options) -> (bytes or None, diagnostics, calls, portable)
static PyObject *compile(PyObject *, PyObject *args) {
  PyObject *function, *types, *options;
  if (!PyArg_ParseTuple(args, "OO!O!", &function, &PyTuple_Type, &types, &PyDict_Type, &options))
    return nullptr;
  ++compilations;
  int64_t movableUpTo = 0;
  PyObject *made = compileOnce(function, types, options, movableUpTo);
  if (!made || !movableUpTo)
    return made;
  Py_DECREF(made);
  return compileOnce(function, types, moveToHost(options, movableUpTo).get(), movableUpTo);
}

/// check(function, types, options) -> diagnostics: what the front end says of the function, without compiling it
static PyObject *check(PyObject *, PyObject *args) {
  PyObject *function, *types, *options;
  Compilation compilation;
  if (!PyArg_ParseTuple(args, "OO!O!", &function, &PyTuple_Type, &types, &PyDict_Type, &options) ||
      !import(function, types, options, compilation))
    return nullptr;
  PyObject *list = PyList_New(0);
  for (const frontend::Diagnostic &diagnostic : compilation.diagnostics)
    appendDiagnostic(list, diagnostic);
  return list;
}

/// emit(function, types, options, phase) -> (text or None, as answer() has the rest)
static PyObject *emit(PyObject *, PyObject *args) {
  PyObject *function, *types, *options;
  const char *name;
  Compilation compilation;
  if (!PyArg_ParseTuple(args, "OO!O!s", &function, &PyTuple_Type, &types, &PyDict_Type, &options, &name))
    return nullptr;
  std::optional<Phase> phase = parsePhase(name);
  if (!phase) {
    PyErr_Format(PyExc_ValueError, "unknown phase '%s'", name);
    return nullptr;
  }
  if (!import(function, types, options, compilation))
    return nullptr;
  std::optional<std::string> text;
  if (compilation.imported) {
    ReleaseGil released;
    text = compilation.driver->emit(*compilation.module, *phase);
  }
  return answer(compilation, text ? toPython(*text) : nullptr);
}

static PyObject *toPython(const std::vector<frontend::Signature> &signatures) {
  py::Object list = py::Object::take(PyList_New(0));
  for (const frontend::Signature &signature : signatures) {
    py::Object pair =
        py::Object::take(Py_BuildValue("NN", extension::toPython(signature.function), typeTexts(signature.params)));
    PyList_Append(list.get(), pair.get());
  }
  return Py_NewRef(list.get());
}

/// parse_signatures(text) -> [(function, types), ...]
static PyObject *parseSignatures(PyObject *, PyObject *text) {
  std::vector<frontend::Signature> signatures;
  std::string error;
  if (!frontend::parseSignatures(py::toString(text), signatures, error)) {
    PyErr_SetString(PyExc_ValueError, error.c_str());
    return nullptr;
  }
  return toPython(signatures);
}

/// find_exports(source) -> ([(function, types), ...], [(line, message), ...])
static PyObject *findExports(PyObject *, PyObject *source) {
  std::vector<frontend::Signature> signatures;
  std::vector<frontend::ExportError> errors;
  frontend::findExports(py::toString(source), signatures, errors);
  py::Object list = py::Object::take(PyList_New(0));
  for (const frontend::ExportError &error : errors) {
    py::Object pair = py::Object::take(Py_BuildValue("is", error.line, error.message.c_str()));
    PyList_Append(list.get(), pair.get());
  }
  return Py_BuildValue("NO", toPython(signatures), list.get());
}

static PyObject *supported(PyObject *, PyObject *) {
  py::Object list = py::Object::take(PyList_New(0));
  auto strings = [](const std::vector<std::string> &texts) {
    PyObject *result = PyList_New(0);
    for (const std::string &text : texts) {
      py::Object item = py::Object::take(extension::toPython(text));
      PyList_Append(result, item.get());
    }
    return result;
  };
  for (const frontend::SupportedFunction &function : frontend::supportedFunctions()) {
    py::Object row = py::Object::take(PyDict_New());
    setItem(row.get(), "name", extension::toPython(function.name));
    setItem(row.get(), "keywords", strings(function.keywords));
    PyList_Append(list.get(), row.get());
  }
  return Py_NewRef(list.get());
}

static PyObject *libdeviceFunctions(PyObject *, PyObject *) {
  PyObject *names = PyList_New(0);
  for (const std::string &name : np::libdeviceFunctions()) {
    py::Object item = py::Object::take(extension::toPython(name));
    PyList_Append(names, item.get());
  }
  return names;
}

PyMethodDef npcc::extension::compileMethods[] = {{"compile", compile, METH_VARARGS, nullptr},
                                                 {"check", check, METH_VARARGS, nullptr},
                                                 {"emit", emit, METH_VARARGS, nullptr},
                                                 {"parse_signatures", parseSignatures, METH_O, nullptr},
                                                 {"find_exports", findExports, METH_O, nullptr},
                                                 {"supported", supported, METH_NOARGS, nullptr},
                                                 {"libdevice_functions", libdeviceFunctions, METH_NOARGS, nullptr},
                                                 {nullptr, nullptr, 0, nullptr}};

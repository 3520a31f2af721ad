#include "frontend/numpy/Table.h"
#include "frontend/numpy/Autocast.h"
#include "frontend/numpy/random/Random.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace npcc::frontend {

/// All rows, in no order: families register themselves before main().
static std::vector<FunctionRow> &registered() {
  static std::vector<FunctionRow> rows;
  return rows;
}

Registered::Registered(std::initializer_list<FunctionRow> rows) { llvm::append_range(registered(), rows); }

static const py::Object &library() {
  static const py::Object module = py::import("npcc.library");
  return module;
}

/// The object that a row names, as far as it can be there without an import: what the program asks for is in a module
/// that it has imported.
static py::Object lookupImported(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  std::string path = parts.front().str();
  py::Object found = py::Object::borrow(PyDict_GetItemString(PyImport_GetModuleDict(), path.c_str()));
  for (StringRef part : llvm::drop_begin(parts)) {
    if (!found)
      return {};
    path += "." + part.str();
    py::Object inside = py::Object::borrow(PyDict_GetItemString(PyImport_GetModuleDict(), path.c_str()));
    // A module may import others when it is asked for them.
    bool isModule = PyModule_Check(found.get());
    if (!inside && isModule)
      inside = py::Object::borrow(PyDict_GetItemString(PyModule_GetDict(found.get()), part.str().c_str()));
    else if (!inside)
      inside = found[part.str().c_str()];
    found = inside;
  }
  return found;
}

namespace {
/// Rows by the objects that they name. Rows of modules that are not imported wait until they are.
class RowTable {
public:
  RowTable() {
    for (const FunctionRow &row : registered())
      if (!StringRef(row.name).starts_with("ndarray."))
        waiting.push_back(&row);
  }

  const FunctionRow *find(PyObject *object) {
    Py_ssize_t modules = PyDict_Size(PyImport_GetModuleDict());
    if (modules != imported) {
      imported = modules;
      llvm::erase_if(waiting, [&](const FunctionRow *row) {
        py::Object found = lookupImported(row->name);
        if (found) {
          Py_INCREF(found.get()); // for as long as the table lives
          rows[found.get()] = row;
        }
        return bool(found);
      });
    }
    return rows.lookup(object);
  }

private:
  std::vector<const FunctionRow *> waiting;
  llvm::DenseMap<PyObject *, const FunctionRow *> rows;
  Py_ssize_t imported = 0; // how many modules there were
};
} // namespace

const FunctionRow *findFunction(const py::Object &object) {
  static RowTable table;
  return table.find(object.get());
}

const FunctionRow *findMethod(StringRef name) {
  static const llvm::StringMap<const FunctionRow *> table = [] {
    llvm::StringMap<const FunctionRow *> result;
    for (const FunctionRow &row : registered())
      if (StringRef method(row.name); method.consume_front("ndarray."))
        result[method] = &row;
    return result;
  }();
  return table.lookup(name);
}

py::Object findLibraryFunction(const py::Object &object) {
  static const py::Object find = library()["find_function"];
  PyObject *found = PyObject_CallFunctionObjArgs(find.get(), object.get(), nullptr);
  if (!found)
    PyErr_WriteUnraisable(find.get()); // a module of the library that cannot be imported
  py::Object result = py::Object::take(found);
  return result.isNone() ? py::Object() : result;
}

/// What npcc.library has for a method that is no function of NumPy: the array is the first argument.
static py::Object libraryMethod(StringRef name) {
  static const py::Object find = library()["find_method"];
  py::Object found = py::call(find, {py::string(name)});
  return found.isNone() ? py::Object() : found;
}

py::Object functionOfMethod(StringRef name) {
  static const char *const methods[] = {
      "sum",    "prod",     "max",     "min",   "mean",     "std",     "var",     "any",         "all",       "argmax",
      "argmin", "cumsum",   "cumprod", "round",    "ravel",   "dot",     "conj",        "conjugate", "repeat",
      "take",   "swapaxes", "squeeze", "trace", "diagonal", "nonzero", "argsort", "searchsorted",
      "argpartition", "choose"};
  for (const char *method : methods)
    if (name == method)
      return py::import("numpy")[method];
  return libraryMethod(name);
}

bool isEvaluated(const py::Object &object) {
  static const std::set<PyObject *> table = [] {
    std::set<PyObject *> result;
    for (const char *name : {"numpy.dtype",       "numpy.issubdtype", "numpy.promote_types", "numpy.can_cast",
                             "numpy.finfo",       "numpy.iinfo",      "numpy.errstate",      "numpy.result_type",
                             "builtins.str",      "npcc.autocast",    "numpy.isdtype",       "numpy.min_scalar_type",
                             "numpy.mintypecode", "numpy.typename",   "math.perm",           "numpy.printoptions",
                             "builtins.repr",     "builtins.slice",   "builtins.issubclass", "builtins.getattr",
                             "builtins.hasattr",  "builtins.ord",     "builtins.chr",        "builtins.hex",
                             "operator.index",    "builtins.bin",     "builtins.oct",        "math.gcd",
                             "math.lcm",          "math.comb",        "math.factorial",      "math.isqrt",
                             "builtins.sorted",   "builtins.format",  "builtins.complex",    "math.prod",
                             "math.log",          "math.hypot"})
      if (py::Object found = py::lookup(name)) {
        Py_INCREF(found.get());
        result.insert(found.get());
      }
    return result;
  }();
  return table.count(object.get());
}

std::string nearestFunction(const std::string &name) {
  std::string best;
  unsigned distance = 3;
  for (const FunctionRow &row : registered()) {
    StringRef candidate(row.name);
    if (!candidate.consume_front("numpy."))
      continue;
    unsigned d = candidate.edit_distance(name, true, distance);
    bool isFirst = d == distance && !best.empty() && row.name < best; // the rows are in no order
    if (d < distance || isFirst) {
      distance = d;
      best = row.name;
    }
  }
  return best;
}

PyValue &Arguments::operator[](StringRef name) {
  for (auto [k, known] : llvm::enumerate(names))
    if (name == known)
      return values[k];
  llvm_unreachable("a row asks for a parameter it does not have");
}

static PyValue literal(StringRef text) {
  if (text == "None")
    return PyValue::object(py::none());
  if (text == "True" || text == "False")
    return PyValue::object(py::boolean(text == "True"));
  int64_t number;
  if (!text.getAsInteger(10, number))
    return PyValue::object(py::integer(number));
  return PyValue::object(text.starts_with("'") ? py::string(text.drop_front().drop_back()) : py::lookup(text));
}

PyValue callLibrary(Interpreter &in, const py::Object &library, const py::Object &function, Call &call) {
  py::Object code = library["__code__"];
  std::vector<py::Object> names = code.list("co_varnames");
  std::vector<std::string> positional, keywordOnly;
  size_t count = code.integer("co_argcount");
  for (size_t k = 0; k < count + code.integer("co_kwonlyargcount"); ++k)
    (k < count ? positional : keywordOnly).push_back(py::toString(names[k].get()));
  bool takesMore = code.integer("co_flags") & 0x08; // inspect.CO_VARKEYWORDS
  if (!fitCall(in, function, positional, keywordOnly, call, takesMore))
    return PyValue::poison();
  AutocastScope without(in, Type());
  return callFunction(in, functionOf(in, library, true), call);
}

/// Fits a call to a row of a function of NumPy's.
static bool fitToRow(Interpreter &in, const FunctionRow &row, const py::Object &function, Call &call) {
  SmallVector<StringRef> parts;
  StringRef(row.parameters).split(parts, ',', -1, false);
  std::vector<std::string> positional, keywordOnly;
  bool isPositional = true;
  for (StringRef part : parts) {
    StringRef name = part.split('=').first.trim();
    if (name == "*")
      isPositional = false;
    else if (name.starts_with("*"))
      return true;
    else
      (isPositional ? positional : keywordOnly).push_back(name.str());
  }
  return fitCall(in, function, positional, keywordOnly, call);
}

/// The rows that take what is no number and no array, generators too.
static bool takesGenerators(StringRef name) {
  return name.starts_with("npcc.library.random.") || name == "builtins.isinstance" || name == "builtins.callable";
}

PyValue callRow(Interpreter &in, const FunctionRow &row, Call &call, const py::Object &function) {
  if (!takesGenerators(row.name) && refuseGenerators(in, call, row.name))
    return PyValue::poison();
  if (function && StringRef(row.name).starts_with("numpy.") && !fitToRow(in, row, function, call))
    return PyValue::poison();
  Arguments arguments{&row, {}, {}};
  SmallVector<StringRef> parameters;
  StringRef(row.parameters).split(parameters, ',', -1, false);
  StringRef name(row.name);
  StringRef shortName = name.substr(name.rfind('.') + 1);
  size_t next = 0;
  bool positionalEnded = false;
  std::vector<std::string> missing;
  std::set<std::string> used;
  for (StringRef parameter : parameters) {
    parameter = parameter.trim();
    if (parameter == "*") {
      positionalEnded = true;
      continue;
    }
    if (parameter.consume_front("*")) {
      std::vector<PyValue> rest;
      while (next < call.args.size())
        rest.push_back(call.args[next++]);
      arguments.names.push_back(parameter.str());
      arguments.values.push_back(PyValue::sequence(std::move(rest)));
      positionalEnded = true;
      continue;
    }
    auto [spelled, otherwise] = parameter.split('=');
    std::string known = spelled.trim().str();
    arguments.names.push_back(known);
    if (!positionalEnded && next < call.args.size()) {
      arguments.values.push_back(call.args[next++]);
      for (const auto &keyword : call.keywords)
        if (keyword.first == known)
          return in.fail("TypeError: " + shortName + "() got multiple values for argument '" + known + "'");
      continue;
    }
    const PyValue *byKeyword = nullptr;
    for (const auto &keyword : call.keywords)
      if (keyword.first == known)
        byKeyword = &keyword.second;
    used.insert(known);
    if (byKeyword)
      arguments.values.push_back(*byKeyword);
    else if (!otherwise.empty())
      arguments.values.push_back(literal(otherwise.trim()));
    else {
      missing.push_back(known);
      arguments.values.push_back(PyValue::poison());
    }
  }
  if (next < call.args.size())
    return in.fail(shortName + "() takes at most " + Twine(next) + " positional arguments in compiled code (" +
                   Twine(call.args.size()) + " given)");
  for (const auto &keyword : call.keywords)
    if (!used.count(keyword.first))
      return in.fail(name + "() does not take the keyword '" + keyword.first + "' in compiled code",
                     "it takes: " + Twine(row.parameters));
  if (!missing.empty())
    return in.fail("TypeError: " + missingArguments(shortName, missing));
  return row.emit(in, arguments);
}

PyValue callNumpy(Interpreter &in, const char *name, std::vector<PyValue> args) {
  Call call;
  call.node = in.currentNode;
  call.args = std::move(args);
  return callObject(in, in.dtypes.numpy[name], call);
}

static std::vector<std::string> keywordsOf(StringRef parameters) {
  SmallVector<StringRef> parts;
  parameters.split(parts, ',', -1, false);
  std::vector<std::string> result;
  for (StringRef part : parts)
    if (StringRef keyword = part.split('=').first.trim(); keyword != "*")
      result.push_back(keyword.ltrim('*').str());
  return result;
}

/// The parameters' names of a function of npcc.library.
static std::vector<std::string> keywordsOf(const py::Object &function) {
  py::Object code = function["__code__"];
  std::vector<std::string> keywords;
  size_t count = code.integer("co_argcount") + code.integer("co_kwonlyargcount");
  for (const py::Object &variable : code.list("co_varnames"))
    if (keywords.size() < count)
      keywords.push_back(py::toString(variable.get()));
  return keywords;
}

static const std::vector<std::string> generalizedKeywords = {
    "x1", "x2", "out", "casting", "order", "dtype", "subok", "axes", "signature", "axis", "keepdims"};

std::vector<SupportedFunction> supportedFunctions() {
  std::vector<SupportedFunction> result;
  py::call(library()["load_all"], {});
  for (const FunctionRow &row : registered()) {
    StringRef name(row.name);
    bool isMethod = name.starts_with("ndarray.");
    if (!name.starts_with("npcc.") && !name.starts_with("cmath.") && (isMethod || py::lookup(name)))
      result.push_back({(isMethod ? "numpy." : "") + name.str(), keywordsOf(row.parameters)});
  }
  for (const py::Object &name : py::elements(library()["METHODS"])) {
    std::vector<std::string> keywords = keywordsOf(libraryMethod(py::toString(name.get())));
    result.push_back({"numpy.ndarray." + py::toString(name.get()), keywords});
  }
  for (const char *prefix : {"numpy.", "numpy.emath.", "numpy.fft.", "numpy.linalg.", "numpy.random.", "itertools.", "bisect."}) {
    py::Object module = py::lookup(StringRef(prefix).drop_back());
    for (const py::Object &name : py::elements(py::call(py::import("builtins")["dir"], {module}))) {
      py::Object object = module[py::toString(name.get()).c_str()];
      if (object && py::typeName(object) == "ufunc" && !ufuncName(object).empty())
        result.push_back(
            {prefix + py::toString(name.get()), {"out", "where", "dtype", "casting", "order", "subok", "signature"}});
      else if (object && py::typeName(object) == "ufunc" && !object["signature"].isNone() && object.integer("nin") == 2)
        result.push_back({prefix + py::toString(name.get()), generalizedKeywords});
      else if (object && PyCallable_Check(object.get()) && findLibraryFunction(object))
        result.push_back({prefix + py::toString(name.get()), keywordsOf(findLibraryFunction(object))});
    }
  }
  for (auto &[name, method] : generatorMethods()) {
    std::vector<std::string> keywords = keywordsOf(method);
    keywords.erase(keywords.begin()); // self
    result.push_back({name, keywords});
  }
  llvm::sort(result,
             [](const SupportedFunction &left, const SupportedFunction &right) { return left.name < right.name; });
  result.erase(std::unique(result.begin(), result.end(), [](const auto &l, const auto &r) { return l.name == r.name; }),
               result.end());
  return result;
}

} // namespace npcc::frontend

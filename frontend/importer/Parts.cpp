#include "frontend/importer/Parts.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/Installed.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LentArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/PartArguments.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

PyValue pythonObject(const PyValue &number) {
  static const py::Object cls = py::import("builtins")["object"];
  return tabled(cls, objectTable, number);
}

static PythonParts *partsOf(Interpreter &in) {
  return in.outlines && in.env.frame && !in.env.frame->isLibrary && !in.ir.isThread ? in.outlines->parts : nullptr;
}

//===---- What is Python's ----===//

/// The frame whose variable a name is; null for globals.
static Frame *ownerOf(Interpreter &in, const std::string &name) {
  for (Frame *scope = in.env.frame.get(); scope; scope = in.env.around(*scope, name))
    if (scope->locals.count(name) || scope->cells.count(name))
      return scope;
  return nullptr;
}

static std::string nameKey(const Frame &frame, const std::string &name) {
  return frame.file + ":" + std::to_string(frame.definition.integer("lineno")) + ":" +
         std::to_string(frame.definition.integer("col_offset")) + " " + name;
}

/// What a name of a frame holds, where it is bound.
static PyValue boundIn(Interpreter &in, Frame *frame, const std::string &name) {
  auto found = frame->bindings.find(name);
  return found == frame->bindings.end() ? PyValue::unbound() : found->second;
}

static bool holdsObject(Interpreter &in, const std::string &name) {
  Frame *frame = ownerOf(in, name);
  if (!frame)
    return false;
  PyValue value = boundIn(in, frame, name);
  if (value.is(PyValue::Kind::Union))
    return llvm::any_of(value->items, [](const PyValue &one) { return isPythons(one); });
  return isPythons(value);
}

/// Whether an expression reads a sparse matrix that a global leads to, by names and attributes alone: Python's here.
static bool readsStandIn(Interpreter &in, const py::Object &node) {
  std::vector<std::string> path;
  py::Object root = node;
  for (; py::typeName(root) == "Attribute"; root = root["value"])
    path.push_back(root.string("attr"));
  if (py::typeName(root) != "Name" || ownerOf(in, root.string("id")) || !in.env.frame->globals)
    return false;
  py::Object found = py::Object::borrow(PyDict_GetItemString(in.env.frame->globals.get(), root.string("id").c_str()));
  for (const std::string &name : llvm::reverse(path))
    found = found ? found[name.c_str()] : found;
  return notesStandIn(in, found);
}

/// Whether a node, or one below it, was noted or reads an object.
static bool leadsToObject(Interpreter &in, PythonParts &parts, const py::Object &node) {
  for (const py::Object &one : in.syntax.nodesIn(node)) {
    std::string type = py::typeName(one);
    if (type == "Name" && holdsObject(in, one.string("id")))
      return true;
    if ((type == "Name" || type == "Attribute") && readsStandIn(in, one))
      return true;
    if (type != "Name" && type != "Constant" && one["lineno"] && parts.sites.count(siteOf(in, one)))
      return true;
  }
  return false;
}

/// Whether a call is one of a function or method of the program's, which is compiled where it is called.
static bool callsProgram(Interpreter &in, PythonParts &parts, const py::Object &node) {
  py::Object function = node["func"];
  std::string type = py::typeName(function);
  if (type == "Attribute" && py::typeName(function["value"]) == "Name") {
    Frame *frame = ownerOf(in, function["value"].string("id"));
    PyValue base = frame ? boundIn(in, frame, function["value"].string("id")) : PyValue();
    if (!base.is(PyValue::Kind::Instance) || isPythons(base) || isBox(base) || isNumbered(base) ||
        isOfPackage(base->cls, "npcc") || py::typeName(base->cls) != "type")
      return false;
    py::Object method = base->cls[function.string("attr").c_str()]; // none where the object itself holds a function
    return method && py::typeName(method) == "function";
  }
  if (type != "Name")
    return false;
  std::string name = function.string("id");
  if (Frame *frame = ownerOf(in, name))
    return boundIn(in, frame, name).is(PyValue::Kind::Function);
  PyObject *known = in.env.frame->globals ? PyDict_GetItemString(in.env.frame->globals.get(), name.c_str()) : nullptr;
  py::Object callee = py::Object::borrow(known);
  if (!callee)
    return false;
  bool isJit = callee["py_func"] && callee["fallbacks"];
  return isJit || (py::typeName(callee) == "function" && !findFunction(callee) && !findLibraryFunction(callee) &&
                   !isOfPackage(callee, "numpy"));
}

bool isPart(Interpreter &in, const py::Object &node) {
  PythonParts *parts = partsOf(in);
  if (!parts)
    return false;
  static const std::set<std::string> never = {"Name", "Constant", "Slice", "Starred", "FormattedValue"};
  std::string type = py::typeName(node);
  if (never.count(type))
    return false;
  if (parts->sites.count(siteOf(in, node)))
    return true;
  // What is put together of objects, and what is asked for them, is compiled.
  if (type == "Tuple" || type == "Lambda")
    return false;
  if (type == "Call" && callsProgram(in, *parts, node))
    return false;
  return leadsToObject(in, *parts, node);
}

/// Whether a frame is that of the function that is compiled, not of one of the module that it calls.
static bool isEntry(Interpreter &in, const Frame &frame) {
  return !frame.caller && !frame.parent && (in.callStack.empty() || in.callStack.front() == frame.definition.get());
}

/// Whether a name of a frame is a parameter of the function that is compiled.
static bool isParameterOfEntry(Interpreter &in, const Frame &frame, const std::string &name) {
  if (!isEntry(in, frame))
    return false;
  py::Object args = frame.definition["args"];
  bool isParameter = false;
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : args.list(group))
      isParameter |= arg.string("arg") == name;
  for (const char *rest : {"vararg", "kwarg"})
    isParameter |= !args[rest].isNone() && args[rest].string("arg") == name;
  return isParameter;
}

std::string placeOfName(Interpreter &in, const std::string &name) {
  Frame *frame = ownerOf(in, name);
  if (!frame)
    return "";
  return (isParameterOfEntry(in, *frame, name) ? "parameter " : "name ") + nameKey(*frame, name);
}

void notePlaceOf(Interpreter &in, StringRef place) {
  PythonParts &parts = *in.outlines->parts;
  auto [kind, rest] = place.split(' ');
  bool isNew = (kind == "site" ? parts.sites : parts.names).insert(rest.str()).second;
  if (kind == "parameter")
    isNew |= parts.parameters.insert(rest.rsplit(' ').second.str()).second;
  in.outlines->foundMore |= isNew;
}

bool noteName(Interpreter &in, const std::string &name) {
  PythonParts *parts = partsOf(in);
  Frame *frame = parts ? ownerOf(in, name) : nullptr;
  if (!frame)
    return false;
  bool isNew = parts->names.insert(nameKey(*frame, name)).second;
  if (isParameterOfEntry(in, *frame, name))
    isNew |= parts->parameters.insert(name).second;
  in.outlines->foundMore |= isNew;
  return isNew;
}

bool becomesPythons(const PyValue &value) {
  return isPythons(value) || value.isObject() || value.is(PyValue::Kind::Text) || isNumbered(value) ||
         (value.isRuntime() && !value.isGenerator() && value.rank() == 0 && !value.arrayType());
}

/// Notes that all containers among the arguments of the function that is compiled are Python's.
static bool noteArguments(Interpreter &in) {
  Frame *entry = in.programFrame ? in.programFrame : in.env.frame.get();
  while (entry->caller)
    entry = entry->caller;
  if (!isEntry(in, *entry))
    return false;
  py::Object args = entry->definition["args"];
  std::vector<std::string> names;
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : args.list(group))
      names.push_back(arg.string("arg"));
  for (const char *rest : {"vararg", "kwarg"})
    if (!args[rest].isNone())
      names.push_back(args[rest].string("arg"));
  bool isNew = false;
  for (const std::string &name : names) {
    PyValue value = boundIn(in, entry, name);
    if (becomesPythons(value) || value.isArray() || value.is(PyValue::Kind::Unbound) || value.is(PyValue::Kind::Slot))
      continue;
    isNew |= in.outlines->parts->names.insert(nameKey(*entry, name)).second;
    isNew |= in.outlines->parts->parameters.insert(name).second;
  }
  return isNew;
}

/// Notes what made a value that has to be Python's; false if that is not known, or was tried.
static bool noteOrigin(Interpreter &in, const PyValue &value, const std::string &name) {
  PythonParts &parts = *in.outlines->parts;
  if (!name.empty() && noteName(in, name))
    return true;
  bool hasSite = value.hasItems() || value.is(PyValue::Kind::Instance);
  std::string site = hasSite ? value->site : "";
  if (value.is(PyValue::Kind::Function) && value->definition && value->definition["lineno"])
    site = siteIn(value->file, value->definition);
  if (noteChangedAt(in, site))
    return in.outlines->foundMore;
  bool isGiven = site.empty() || StringRef(site).starts_with("given");
  bool isNew = isGiven ? noteArguments(in) : parts.sites.insert(site).second;
  in.outlines->foundMore |= isNew;
  return isNew;
}

/// What a name holds in the function that is imported, or the object that it is outside.
static PyValue heldByName(Interpreter &in, const std::string &name) {
  if (Frame *frame = ownerOf(in, name))
    return boundIn(in, frame, name);
  PyObject *known = in.env.frame->globals ? PyDict_GetItemString(in.env.frame->globals.get(), name.c_str()) : nullptr;
  return known ? PyValue::object(py::Object::borrow(known)) : PyValue::unbound();
}

/// Whether a value is what compiled code has of an object of an installed package.
static bool isOfPackage(const PyValue &value) {
  static const py::Object question = py::lookup("npcc.structures.is_of_package");
  return value.is(PyValue::Kind::Instance) && value->cls && py::isTrue(py::call(question, {value->cls}));
}

static bool isNumpysValue(const PyValue &value) {
  if (value.isObject()) { // npcc's own, too: what belongs into functions of threads
    return isOfPackage(value.object(), "numpy") || isOfPackage(value.object(), "npcc");
  }
  return value.isArray() || value.isNumpyScalar() || value.isRecords() || value.isGenerator() ||
         (value.is(PyValue::Kind::Slot) && isa_and_nonnull<np::SlotType>(value.slot.getType()) &&
          isa<np::ArrayType, RankedTensorType>(cast<np::SlotType>(value.slot.getType()).getValueType()));
}

py::Object functionCalled(Interpreter &in, const py::Object &call) {
  std::vector<std::string> path; // np.linalg.norm
  py::Object root = call["func"];
  for (; py::typeName(root) == "Attribute"; root = root["value"])
    path.push_back(root.string("attr"));
  if (py::typeName(root) != "Name")
    return {};
  PyValue held = heldByName(in, root.string("id"));
  if (!held.isObject())
    return {};
  py::Object found = held.object();
  for (const std::string &name : llvm::reverse(path))
    found = found ? found[name.c_str()] : found;
  return found;
}

/// Whether a call is of one of NumPy's functions that are about the interpreter, not about arrays:
/// numpy.seterr(divide="ignore"). One that asks for errors, which compiled code does not raise, is not Python's alone.
static bool isOfInterpreter(Interpreter &in, const py::Object &call) {
  static const std::vector<py::Object> functions = [] {
    std::vector<py::Object> found;
    for (const char *name : {"seterr", "geterr", "seterrcall", "geterrcall", "setbufsize", "getbufsize",
                             "get_printoptions", "get_include", "show_config", "show_runtime", "frompyfunc"})
      found.push_back(py::import("numpy")[name]);
    return found;
  }();
  auto isWord = [&](const py::Object &node) {
    static const std::set<std::string> words = {"'raise'", "'call'", "'print'", "'log'"};
    return py::typeName(node) == "Constant" && words.count(py::repr(node["value"]));
  };
  py::Object callee = functionCalled(in, call);
  return callee && llvm::any_of(functions, [&](const py::Object &one) { return one.get() == callee.get(); }) &&
         llvm::none_of(in.syntax.nodesIn(call), isWord);
}

/// Whether what a call of NumPy's gives is the same in Python. Elements that `where` leaves out are undefined without
/// an `out`, and a generator's state is with compiled code.
static bool mayBePythons(Interpreter &in, const py::Object &call) {
  std::set<std::string> keywords;
  for (const py::Object &keyword : call.list("keywords"))
    if (!keyword["arg"].isNone())
      keywords.insert(keyword.string("arg"));
  return (!keywords.count("where") || keywords.count("out")) &&
         llvm::none_of(in.syntax.nodesIn(call), [&](const py::Object &one) {
           return py::typeName(one) == "Name" && heldByName(in, one.string("id")).isGenerator();
         });
}

/// Whether an expression or statement is a computation with arrays or NumPy's numbers, not with a container of them.
static bool computesWithArrays(Interpreter &in, const py::Object &node) {
  std::string type = py::typeName(node);
  static const std::set<std::string> operations = {"BinOp", "UnaryOp", "Compare"};
  for (const py::Object &one : in.syntax.nodesIn(node))
    if (py::typeName(one) == "Name" && isOfPackage(heldByName(in, one.string("id"))))
      return false; // what its package does with it, Python knows
  auto isNamed = [&](const py::Object &one) {
    return py::typeName(one) == "Name" && isNumpysValue(heldByName(in, one.string("id")));
  };
  auto isNumpys = [&](const py::Object &one) {
    py::Object root = one;
    while (py::typeName(root) == "Attribute" || py::typeName(root) == "Subscript" ||
           (py::typeName(root) == "Call" && py::typeName(root["func"]) == "Attribute"))
      root = py::typeName(root) == "Call" ? root["func"]["value"] : root["value"];
    return operations.count(py::typeName(root)) ? llvm::any_of(in.syntax.nodesIn(root), isNamed) : isNamed(root);
  };
  if (type == "Call") {
    py::Object function = node["func"];
    py::Object callee = functionCalled(in, node);
    if (isOfInterpreter(in, node) || looksAtArrays(callee) || (makesCall(callee) && mayBePythons(in, node)))
      return false;
    if (isNumpys(function))
      return true;
    bool isBuiltin = py::typeName(function) == "Name" && py::import("builtins")[function.string("id").c_str()];
    return isBuiltin && llvm::any_of(node.list("args"), isNumpys);
  }
  if (type == "Subscript" || type == "Attribute")
    return isNumpys(node["value"]);
  return (operations.count(type) || type == "AugAssign") && llvm::any_of(in.syntax.nodesIn(node), isNumpys);
}

Frame *frameOfProgram(Interpreter &in, std::string *installed) {
  Frame *frame = in.env.frame.get();
  while (frame->isLibrary || isInstalled(frame->file)) {
    if (installed && !frame->isLibrary)
      *installed = frame->file;
    if (!frame->caller)
      break;
    frame = frame->caller;
  }
  if (!in.programFrame || !(frame->isLibrary || isInstalled(frame->file)))
    return frame;
  if (installed && !in.installedFile.empty())
    *installed = in.installedFile;
  return in.programFrame;
}

void notePlace(Interpreter &in, Diagnostic &diagnostic) {
  if (!in.outlines || !in.programNode || !in.env.frame)
    return;
  auto placeOf = [&](py::Object node) {
    if (py::Object whole = node["made_of"]) // a comprehension that became loops: Python runs all of it
      node = whole;
    return siteIn(frameOfProgram(in)->file, node);
  };
  if (in.programNode["lineno"])
    diagnostic.site = placeOf(in.programNode);
  if (py::typeName(in.programNode) == "Name") {
    std::string name = in.programNode.string("id");
    bool isHere = frameOfProgram(in) == in.env.frame.get();
    Frame *owner = isHere ? ownerOf(in, name) : nullptr;
    diagnostic.site = owner ? "name " + nameKey(*owner, name) : "";
  }
  if (in.programStatement)
    diagnostic.statement = placeOf(in.programStatement);
  std::shared_ptr<Frame> frame = in.env.frame; // of the program, also while a function of the library is imported
  in.env.frame = std::shared_ptr<Frame>(frame, frameOfProgram(in, &diagnostic.installed));
  diagnostic.isOfArrays = computesWithArrays(in, in.programNode);
  in.env.frame = frame;
}

void giveObjects(Interpreter &in) {
  PythonParts *parts = in.outlines ? in.outlines->parts : nullptr;
  if (!parts)
    return;
  for (const std::string &name : parts->parameters) {
    PyValue value = boundIn(in, in.env.frame.get(), name);
    if (becomesPythons(value))
      in.env.frame->bindings[name] = asPythons(in, value);
    else if (in.report)
      in.report->objectParameters.insert(name);
  }
  if (in.report && !in.report->objectParameters.empty())
    in.fail("arguments have to be objects of Python's");
}

bool giveObjects(Interpreter &in, const Call &call, const PyValue &function, Bindings &bindings) {
  PythonParts *parts = in.outlines ? in.outlines->parts : nullptr;
  if (!parts || function->isLibrary)
    return true;
  Frame callee(in.ir.getLoc());
  callee.file = function->file;
  callee.definition = function->definition;
  py::Object args = function->definition["args"];
  std::vector<py::Object> positional = args.list("posonlyargs");
  llvm::append_range(positional, args.list("args"));
  for (const auto &[name, value] : Bindings(bindings)) {
    if (isPythons(value) || !parts->names.count(nameKey(callee, name)))
      continue;
    if (value.isArray() && call.node && py::typeName(call.node) == "Call") {
      std::vector<py::Object> given = call.node.list("args");
      for (size_t k = 0; k < given.size() && k < positional.size(); ++k)
        if (positional[k].string("arg") == name && py::typeName(given[k]) == "Name")
          noteName(in, given[k].string("id"));
    }
    PyValue object = asPythons(in, value);
    bindings[name] = object;
    if (object.isPoison())
      return false;
  }
  return true;
}

void noteValue(Interpreter &in, const py::Object &target, const py::Object &node, const PyValue &value) {
  PythonParts *parts = partsOf(in);
  if (!parts || value.isPoison() || py::typeName(target) != "Name")
    return;
  std::string name = target.string("id");
  Frame *frame = ownerOf(in, name);
  bool isTuple = value.isSequence() && !value->isList;
  if (!frame || !parts->names.count(nameKey(*frame, name)) || becomesPythons(value) || isTuple || value.tensorType() ||
      value.is(PyValue::Kind::Union))
    return;
  if (py::typeName(node) == "Name") {
    noteName(in, node.string("id"));
    return;
  }
  if (parts->sites.insert(siteOf(in, node)).second)
    in.outlines->foundMore = true;
}

PyValue deferred(Interpreter &in, const py::Object &assignment, const PyValue &value, size_t first) {
  if (!value.isPoison() || in.diagnostics.size() <= first || in.env.frame->isLibrary)
    return value;
  bool areOfObjects = std::all_of(in.diagnostics.begin() + first, in.diagnostics.end(), [](const Diagnostic &one) {
    return StringRef(one.message).starts_with(objectArrays) && !one.site.empty();
  });
  bool areHeld = llvm::all_of(assignment.list("targets"), [](const py::Object &target) {
    return py::typeName(target) == "Name" || py::typeName(target) == "Attribute";
  });
  if (!areOfObjects || !areHeld)
    return value;
  PyValue conflict = PyValue::conflict("is an array of objects, which cannot be compiled");
  conflict->file = in.diagnostics[first].site;
  in.diagnostics.resize(first);
  return conflict;
}

void noteDeferred(Interpreter &in, const PyValue &conflict) {
  if (!conflict->file.empty() && !in.diagnostics.empty())
    in.diagnostics.back().site = conflict->file;
}

bool noteContainer(Interpreter &in, const py::Object &container) {
  if (!in.outlines || !in.outlines->parts || in.ir.isThread)
    return false;
  in.outlines->foundMore |= in.outlines->parts->containers.insert(container.get()).second;
  return true;
}

bool isPythonsContainer(Interpreter &in, const py::Object &object) {
  return in.outlines && in.outlines->parts && in.outlines->parts->containers.count(object.get());
}

bool isOfPythonsPackage(Interpreter &in, const py::Object &function) {
  PythonParts *parts = partsOf(in);
  return parts && !parts->installed.empty() && !isInstalled(in.env.frame->file) &&
         parts->installed.count(function["__code__"].string("co_filename"));
}

bool noteFailures(PythonParts &parts, ArrayRef<Diagnostic> found) {
  // What a global container held is part of the code: it may not change.
  if (llvm::any_of(found, [](const Diagnostic &one) {
        StringRef message = one.message; // an array of text or objects is Python's, whatever it is made of
        bool isOfObjects = message.starts_with(textArrays) || message.starts_with(objectArrays);
        return (one.isOfArrays && !isOfObjects) || (message.contains("' of a global ") && !isInstalled(one.file));
      }))
    return false;
  bool isNew = false;
  for (const Diagnostic &one : found)
    if (!one.installed.empty())
      parts.installed.insert(one.installed);
  for (const Diagnostic &one : found)
    for (const std::string *place : {&one.site, &one.statement}) {
      if (place->empty())
        continue;
      bool isName = StringRef(*place).starts_with("name ");
      bool isNewHere = isName ? parts.names.insert(place->substr(5)).second : parts.sites.insert(*place).second;
      isNew |= isNewHere;
      if (isNewHere)
        break;
    }
  return isNew;
}

//===---- Values as objects ----===//

PyValue asPythons(Interpreter &in, const PyValue &given, const std::string &name) {
  PyValue value = given.is(PyValue::Kind::Slot) ? in.env.bound(given) : given;
  if (value.isPoison() || isPythons(value))
    return value;
  if (value.is(PyValue::Kind::Union) || value.pythonBit)
    return overAlternatives(in, value.pythonBit ? splitNumber(in, value) : value,
                            [&](PyValue one) { return asPythons(in, one, name); });
  if (value.isSequence() && isSiteOfGlobal(value->site))
    if (py::Object list = globalListAt(in, value->site)) // Python has it already
      return asPythons(in, PyValue::object(list), name);
  auto made = [&](const std::string &source, ArrayRef<PyValue> parts) { return runSimple(in, source, parts, 'o'); };
  bool isNumber = value.isRuntime() && !value.isGenerator() && value.rank() == 0 && !value.arrayType();
  if (isNumber && isa<ComplexType>(value.elementType())) {
    PyValue real = attribute(in, value, "real"), imaginary = attribute(in, value, "imag");
    PyValue number = made("return complex(a, b)", {real, imaginary});
    PyValue type = PyValue::object(in.dtypes.numpy[in.dtypes.name(value.elementType()).c_str()]);
    return value.isNumpyScalar() && !number.isPoison() ? made("return a(b)", {type, number}) : number;
  }
  if (value.isObject() || isString(value) || isNumber) {
    PartArguments arguments(in);
    if (!arguments.add("a", value, ""))
      return PyValue::poison();
    return arguments.run(
        arguments.textOf(py::call(py::lookup("ast.parse"), {py::string("a")}).list("body")[0]["value"]), 'o');
  }
  if (value.tensorType()) { // nobody has a name for it
    std::string routine = "text o " + in.dtypes.name(value.elementType());
    return pythonObject(textRoutine(in, routine, {in.ir.newArray(value.ir())})->items[0]);
  }
  bool isTupleValue = value.isSequence() && !value->isList;
  if (isTupleValue || value.is(PyValue::Kind::Range) || value.is(PyValue::Kind::Slice)) {
    PyValue result = made("return ()", {});
    for (const PyValue &item : value->items) {
      PyValue object = asPythons(in, in.env.bound(item));
      if (object.isPoison())
        return object;
      result = made("return a + (b,)", {result, object});
    }
    if (isTupleValue && !value->cls)
      return result;
    PyValue cls = PyValue::object(isTupleValue                     ? value->cls
                                  : value.is(PyValue::Kind::Range) ? py::import("builtins")["range"]
                                                                   : py::import("builtins")["slice"]);
    return made("return a(*b)", {cls, result});
  }
  if (value.is(PyValue::Kind::Instance))
    if (py::Object cls = py::call(py::lookup("npcc.library.exceptions.class_of"), {value->cls}); cls && !cls.isNone())
      return made("return a(b)", {PyValue::object(cls), readHeld(in, value, textKey())});
  if (value.is(PyValue::Kind::Instance))
    if (py::Object cls = py::call(py::lookup("npcc.library.exceptions.class_of_arguments"), {value->cls});
        cls && !cls.isNone())
      return made("return a(*b)", {PyValue::object(cls), readHeld(in, value, py::string("args"))});
  if (value.is(PyValue::Kind::Unbound) || value.is(PyValue::Kind::Conflict))
    return in.fail("a name that may not be bound cannot be an object of Python's");
  noteOrigin(in, value, name);
  return in.fail(describe(in, value) + " of compiled code cannot be an object of Python's");
}

PyValue forName(Interpreter &in, const std::string &name, const PyValue &value) {
  PythonParts *parts = in.outlines ? in.outlines->parts : nullptr;
  if (!parts || isPythons(value) || value.isPoison())
    return value;
  Frame *frame = ownerOf(in, name);
  if (!frame || !parts->names.count(nameKey(*frame, name)))
    return value;
  return asPythons(in, value);
}

} // namespace npcc::frontend

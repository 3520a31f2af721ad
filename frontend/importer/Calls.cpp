// Calls: what is called decides, as an object.
#include "frontend/importer/Calls.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Source.h"
#include "frontend/importer/StarredArguments.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Autocast.h"
#include "frontend/numpy/Table.h"
#include "frontend/numpy/random/Random.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether a function need not take all items of what it goes over: a generator expression that it is given makes those
/// that it asks for, where otherwise it is a list.
static bool takesItemsOneByOne(const PyValue &callee) {
  static const std::set<std::string> ending = {"any", "all", "next"};
  if (!callee.isObject())
    return false;
  std::string module = callee.object().string("__module__");
  return module == "itertools" || (module == "builtins" && ending.count(callee.object().string("__name__")));
}

/// Whether an argument of such a function is a generator expression of which it matters.
static bool isMadeOneByOne(const PyValue &callee, const py::Object &argument) {
  static const py::Object mayEndEarly = py::lookup("npcc.expressions.may_end_early"),
                          next = py::lookup("builtins.next");
  return py::typeName(argument) == "GeneratorExp" &&
         (callee.object() == next || py::isTrue(py::call(mayEndEarly, {argument})));
}

/// A generator expression that sum() is given. Numbers are in a list, which are made beside each other; arrays of any
/// shape are made one by one, and none is kept.
static PyValue expressionOfAddends(Interpreter &in, const py::Object &argument) {
  Attempt attempt(in);
  PyValue items = in.expression(argument);
  if (!isMixed(items) || !llvm::any_of(items->kinds, isArrayKind))
    return items;
  attempt.takeBack();
  return generatorExpression(in, argument);
}

/// Calls with all but what has a star; `receiver`: one of several objects, whose method is called on each path.
static PyValue callComplete(Interpreter &in, const PyValue &callee, const PyValue &receiver,
                            const std::vector<py::Object> &positional, Call &call) {
  bool isStarred = llvm::any_of(positional, [](const py::Object &one) { return py::typeName(one) == "Starred"; });
  if (isStarred && !callee.isPoison())
    if (std::optional<PyValue> result = callWithStarred(in, callee, positional, call))
      return *result;
  bool anyPoison = callee.isPoison();
  for (const PyValue &arg : call.args)
    anyPoison |= arg.isPoison();
  for (const auto &[name, value] : call.keywords)
    anyPoison |= value.isPoison();
  if (anyPoison)
    return PyValue::poison();
  if (receiver.is(PyValue::Kind::Unbound))
    return callValue(in, callee, call);
  return overAlternatives(in, receiver, [&](PyValue one) {
    Call each = call;
    PyValue method = attribute(in, one, call.node["func"].string("attr"));
    return method.isPoison() ? method : callValue(in, method, each);
  });
}

PyValue callExpression(Interpreter &in, const py::Object &node) {
  if (std::optional<PyValue> grown = growList(in, node))
    return *grown;
  // A method of one of several objects is called on each path.
  py::Object function = node["func"];
  PyValue receiver = py::typeName(function) == "Attribute" ? in.expression(function["value"]) : PyValue();
  bool isOneOfSeveral = receiver.is(PyValue::Kind::Union);
  NodeScope place(in, py::typeName(function) == "Attribute" ? function : in.currentNode);
  PyValue callee = isOneOfSeveral                          ? PyValue::object(py::none())
                   : py::typeName(function) != "Attribute" ? in.expression(function)
                   : receiver.isPoison()                   ? receiver
                                                           : attribute(in, receiver, function.string("attr"));
  NodeScope back(in, node);
  Call call;
  call.node = node;
  std::vector<py::Object> positional = node.list("args");
  bool isStarred = llvm::any_of(positional, [](const py::Object &one) { return py::typeName(one) == "Starred"; });
  static const py::Object sum = py::lookup("builtins.sum");
  bool takesOneByOne = takesItemsOneByOne(callee), isSum = callee.isObject() && callee.object() == sum;
  if (!isStarred)
    for (const py::Object &one : positional) {
      if (takesOneByOne && isMadeOneByOne(callee, one))
        call.args.push_back(generatorExpression(in, one));
      else if (isSum && py::typeName(one) == "GeneratorExp")
        call.args.push_back(expressionOfAddends(in, one));
      else
        call.args.push_back(in.expression(one));
    }
  Keywords keywords;
  for (const py::Object &keyword : node.list("keywords"))
    keywords.emplace_back(keyword["arg"].isNone() ? std::nullopt : std::optional(keyword.string("arg")),
                          in.expression(keyword["value"]));
  return callWithKeywords(in, callee, keywords, call, [&](Call &complete) {
    return callComplete(in, callee, isOneOfSeveral ? receiver : PyValue::unbound(), positional, complete);
  });
}

bool isOfPackage(const py::Object &object, StringRef package) {
  std::string name = object.string(py::typeName(object) == "module" ? "__name__" : "__module__");
  StringRef rest = name;
  return rest.consume_front(package) && (rest.empty() || rest.starts_with("."));
}

/// Whether a function takes unions as they are: those that are imported do, where their names hold them.
static bool takesUnions(const PyValue &callee) {
  if (!callee.isObject())
    return callee.is(PyValue::Kind::Function);
  py::Object function = callee.object();
  if (py::typeName(function) == "method") // of a known object
    function = function["__func__"];
  return py::typeName(function) == "function" && !isOfPackage(function, "numpy") && !findFunction(function) &&
         !findLibraryFunction(function);
}

/// range() of numbers that are integers of Python's on one path and of NumPy's on another: its items are Python's all
/// the same, so the numbers become one, and the ranges of several paths need not be. Others stay as they are.
static std::optional<PyValue> callWithOneInteger(Interpreter &in, const PyValue &callee, const Call &call) {
  static const py::Object range = py::lookup("builtins.range");
  if (!callee.isObject() || callee.object().get() != range.get())
    return std::nullopt;
  Call one = call;
  bool any = false;
  for (PyValue &bound : one.args) {
    if (!bound.is(PyValue::Kind::Union))
      continue;
    bound = overAlternatives(in, bound, [&](PyValue number) {
      bool isInteger =
          asInteger(in, number) || (number.isRuntime() && number.rank() == 0 && isa<IntegerType>(number.elementType()));
      return isInteger ? fromIndex(in, toIndex(in, number)) : number;
    });
    if (bound.is(PyValue::Kind::Union))
      return std::nullopt;
    any = true;
  }
  return any ? std::optional(callValue(in, callee, one)) : std::nullopt;
}

/// A call with operands that may be unions, for each of their alternatives.
static std::optional<PyValue> callWithUnions(Interpreter &in, const PyValue &callee, const Call &call) {
  if (std::optional<PyValue> result = callWithOneInteger(in, callee, call))
    return result;
  SmallVector<PyValue> operands{callee};
  if (!takesUnions(callee)) {
    llvm::append_range(operands, call.args);
    for (const auto &keyword : call.keywords)
      operands.push_back(keyword.second);
  }
  auto callOne = [&](ArrayRef<PyValue> chosen) {
    Call one = call;
    if (chosen.size() > 1) {
      std::copy_n(chosen.begin() + 1, one.args.size(), one.args.begin());
      for (auto [k, keyword] : llvm::enumerate(one.keywords))
        keyword.second = chosen[1 + one.args.size() + k];
    }
    return callValue(in, chosen[0], one);
  };
  return overAlternatives(in, operands, callOne, /*isCall=*/true);
}

/// Whether the alternatives are not all arrays and numbers of the same number of axes.
static bool differInAxes(Interpreter &in, const PyValue &value) {
  std::optional<int64_t> rank;
  for (const PyValue &one : value->items) {
    if (one.is(PyValue::Kind::Unbound))
      continue;
    Type type = runtimeType(in, one);
    if (!type || (rank && *rank != np::getRank(type)))
      return true;
    rank = np::getRank(type);
  }
  return false;
}

static bool holdsUnion(const PyValue &list) {
  return list.isSequence() && llvm::any_of(list->items, [](const PyValue &item) {
           return item.is(PyValue::Kind::Union) || holdsUnion(item);
         });
}

/// Each makes code of its own: with more, a function gets the list as it is.
constexpr size_t mostChoices = 64;

/// How many ways there are to take an alternative of each such item.
static size_t countChoices(Interpreter &in, const PyValue &list) {
  size_t count = 1;
  for (const PyValue &item : list->items) {
    count *= item.is(PyValue::Kind::Union) && differInAxes(in, item) ? item->items.size()
             : item.isSequence()                                     ? countChoices(in, item)
                                                                     : 1;
    if (count > mostChoices)
      break;
  }
  return count;
}

/// Does something with a list or tuple for each alternative of the first item, at any depth, that is a union of arrays
/// of different axes; nothing where there is none.
static std::optional<PyValue> overItems(Interpreter &in, const PyValue &list,
                                        llvm::function_ref<PyValue(PyValue)> operation) {
  if (!list.isSequence())
    return std::nullopt;
  for (auto [k, item] : llvm::enumerate(list->items)) {
    auto withItem = [&, k = k](PyValue one) {
      std::vector<PyValue> items = list->items;
      items[k] = one;
      return operation(list.withItems(std::move(items)));
    };
    if (item.is(PyValue::Kind::Union) && differInAxes(in, item))
      return overAlternatives(in, item, withItem, /*isCall=*/true);
    if (std::optional<PyValue> result = overItems(in, item, withItem))
      return result;
  }
  return std::nullopt;
}

/// Whether it makes an iterator: those of two paths are not one.
static bool makesIterator(const PyValue &callee) {
  static const std::set<std::string> names = {"zip", "enumerate", "reversed", "map", "filter"};
  return callee.isObject() && py::typeName(callee.object()) == "type" &&
         names.count(callee.object().string("__name__"));
}

/// A call of a function of NumPy's with lists in which items are unions: the axes of what it gets decide what it does.
static std::optional<PyValue> callWithUnionsInLists(Interpreter &in, const PyValue &callee, const Call &call) {
  auto isNumpys = [&] {
    return !makesIterator(callee) && (findFunction(callee.object()) || findLibraryFunction(callee.object()));
  };
  size_t count = callee.isObject() ? call.args.size() + call.keywords.size() : 0;
  for (size_t k = 0; k < count; ++k) {
    auto argument = [k](auto &of) -> auto & {
      return k < of.args.size() ? of.args[k] : of.keywords[k - of.args.size()].second;
    };
    auto callWith = [&](PyValue list) {
      Call one = call;
      argument(one) = list;
      return callValue(in, callee, one);
    };
    if (holdsUnion(argument(call)) && isNumpys() && countChoices(in, argument(call)) <= mostChoices)
      if (std::optional<PyValue> result = overItems(in, argument(call), callWith))
        return result;
  }
  return std::nullopt;
}

/// Whether it makes arrays of lists: a function of NumPy's, a method of an array's or of a ufunc's.
static bool makesArrays(Interpreter &in, const PyValue &callee) {
  auto isUfunc = [&](const PyValue &value) {
    return value.isObject() && py::isInstance(value.object(), in.dtypes.numpy["ufunc"]);
  };
  if (callee.is(PyValue::Kind::Method))
    return isNumpys(in, callee->items[0]) || isUfunc(callee->items[0]);
  if (!callee.isObject())
    return false;
  py::Object function = callee.object();
  if (py::typeName(function) == "builtin_function_or_method" && isUfunc(PyValue::object(function["__self__"])))
    return true;
  // Python's own functions (sum, max, math.fsum) take lists as lists.
  bool isNumpysOrScipys = isUfunc(callee) || isOfPackage(function, "numpy") || isOfPackage(function, "scipy");
  return isNumpysOrScipys && (findFunction(function) || findLibraryFunction(function));
}

/// A call of a function of NumPy's with a list of ints and floats, and no dtype: those that are there decide which
/// dtype its array has, and so which one the result has. Where the list may hold arrays, they decide the axes, too.
static std::optional<PyValue> callWithMixedLists(Interpreter &in, const PyValue &callee, const Call &call) {
  if (llvm::none_of(call.args, isMixed) || !makesArrays(in, callee))
    return std::nullopt;
  bool hasType = llvm::any_of(call.keywords, [](const auto &one) { return one.first == "dtype"; });
  if (call.args.size() > 1 && call.args[1].isObject())
    hasType |= py::isInstance(call.args[1].object(), py::import("builtins")["type"]) ||
               py::isInstance(call.args[1].object(), in.dtypes.numpy["dtype"]);
  auto holdsArrays = [](const PyValue &list) {
    return llvm::any_of(list->kinds, [](const std::string &kind) { return isArrayKind(kind); });
  };
  for (auto [place, argument] : llvm::enumerate(call.args)) {
    if (!isMixed(argument) || (hasType && !holdsArrays(argument)))
      continue;
    std::optional<PyValue> arrays = mixedArrays(in, argument);
    if (!arrays)
      continue;
    if (arrays->isPoison())
      return *arrays;
    Call one = call;
    one.args[place] = *arrays;
    return callValue(in, callee, one);
  }
  return std::nullopt;
}

/// Whether a callee takes lists as the objects that they are: what keeps them, or changes them.
static bool takesLists(Interpreter &in, const PyValue &callee) {
  if (!callee.isObject())
    return !callee.is(PyValue::Kind::Method) || callee->items[0].is(PyValue::Kind::Instance) ||
           isList(callee->items[0]) || isGeneratorOfPython(callee->items[0]);
  std::string module = callee.object().string("__module__");
  static const std::set<std::string> keeping = {"enumerate", "zip",    "reversed", "tuple", "list",
                                                "map",       "filter", "iter",     "dict",  "at_run_time",
                                                "min",       "max",    "sorted",   "next",  "fromkeys"};
  return takesUnions(callee) || isCompiledClass(in, callee.object()) || module == "_heapq" || module == "heapq" ||
         module == "_bisect" || module == "bisect" || module == "_operator" || module == "itertools" ||
         module == "collections" || keeping.count(callee.object().string("__name__"));
}

/// Whether Python makes a call: of what is its own, or with such an argument where the callee is not compiled in place.
static bool isOfPython(Interpreter &in, const PyValue &callee, const Call &call) {
  if (isPythons(callee))
    return true;
  bool anyObject = llvm::any_of(call.args, isPythons) ||
                   llvm::any_of(call.keywords, [](const auto &one) { return isPythons(one.second); });
  if (!anyObject || takesUnions(callee) || callee.is(PyValue::Kind::Poison))
    return false;
  bool isOwnMethod = callee.is(PyValue::Kind::Method) && callee->items[0].is(PyValue::Kind::Instance) &&
                     !isBox(callee->items[0]) && !isPythons(callee->items[0]);
  return !isOwnMethod;
}

/// What an iterator goes over is one list, whichever it is.
static void mergeIterated(Interpreter &in, const PyValue &callee, Call &call) {
  auto isOneOf = [](const PyValue &one) { return isList(one) || isTuple(one) || isBox(one) || one.isNone(); };
  if (makesIterator(callee))
    for (PyValue &argument : call.args)
      if (argument.is(PyValue::Kind::Union) && llvm::all_of(argument->items, isOneOf))
        argument = itemsOfWhichever(in, argument);
}

/// The function that npcc.jit has compiled: inside of compiled code it is a function like others.
static PyValue compiledFunction(const PyValue &callee) {
  bool isCompiled = callee.isObject() && !PyType_Check(callee.object().get()) && callee.object()["py_func"] &&
                    callee.object()["fallbacks"];
  return isCompiled ? PyValue::object(callee.object()["py_func"]) : callee;
}

PyValue callValue(Interpreter &in, const PyValue &called, Call &call) {
  PyValue callee = compiledFunction(called);
  if (in.outlines && in.outlines->parts && isOfPython(in, callee, call))
    return callInPython(in, callee, call);
  SmallVector<PyValue *> given;
  for (PyValue &arg : call.args)
    given.push_back(&arg);
  for (auto &keyword : call.keywords)
    given.push_back(&keyword.second);
  llvm::erase_if(given, [](const PyValue *one) { return !one->is(PyValue::Kind::Instance) && !one->hasItems(); });
  if (!given.empty() && !takesLists(in, callee))
    for (PyValue *one : given)
      *one = unboxedDeeply(in, *one);
  mergeIterated(in, callee, call);
  if (std::optional<PyValue> result = callWithUnions(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callWithUnionsInLists(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callWithMixedLists(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callWithPythonBits(in, callee, call))
    return *result;
  switch (callee.kind()) {
  case PyValue::Kind::Object:
    return callObject(in, callee.object(), call);
  case PyValue::Kind::Function:
    return callFunction(in, callee, call);
  case PyValue::Kind::Method:
    return callMethod(in, callee->items[0], callee->name, call);
  case PyValue::Kind::Instance:
    if (std::optional<PyValue> result = callSpecial(in, callee, "__call__", call.args, call.keywords))
      return *result;
    return in.fail("TypeError: '" + callee->cls.string("__name__") + "' object is not callable");
  case PyValue::Kind::Poison:
    return callee;
  default:
    return in.fail("TypeError: " + describe(in, callee) + " is not callable");
  }
}

/// Remembers the types that a function of the program is called with, where all its arguments have one.
void reportCall(Interpreter &in, const py::Object &function, const Call &call) {
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

PyValue callObject(Interpreter &in, const py::Object &callee, Call &call) {
  static const py::Object dict = py::lookup("builtins.dict"), super = py::lookup("builtins.super"),
                          replace = py::lookup("dataclasses.replace"),
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
                                 : in.fail("OrderedDict() with keywords cannot be compiled", "give it pairs");
  static const py::Object namedTuple = py::lookup("collections.namedtuple");
  if (callee == namedTuple)
    return newNamedTuple(in, call);
  if (callee == replace)
    return replaceFields(in, call);
  if (callee == super)
    return makeSuper(in, call);
  if (callee == hold)
    return holdAttribute(in, call);
  if (std::optional<PyValue> result = callOfRecords(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callOfStringArrays(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callFieldFunction(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callThreadFunction(in, callee, call))
    return *result;
  if (std::optional<PyValue> result = callAutocast(in, callee, call))
    return *result;
  if (const FunctionRow *row = findFunction(callee))
    return callRow(in, *row, call, callee);
  std::string type = py::typeName(callee);
  if (type == "ufunc")
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
  if (std::optional<PyValue> drawn = callGeneratorMethod(in, callee, call))
    return *drawn;
  // NumPy's own Python code is not imported: what is not in a table is an error.
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
  py::Object self = callee["__self__"];
  if (self && type == "builtin_function_or_method" && py::typeName(self) != "module")
    if (std::optional<PyValue> result = callKnownMethod(in, callee, self, call))
      return *result;
  // numpy.add.reduce and the like.
  if (self && py::typeName(self) == "ufunc")
    return callUfuncMethod(in, self, callee.string("__name__"), call);
  // numpy.float32(x), bool(x): types that convert.
  if (PyType_Check(callee.get()) &&
      py::isTrue(py::call(py::import("builtins")["issubclass"], {callee, in.dtypes.numpy["generic"]})))
    return refuseGenerators(in, call, callee.string("__name__")) ? PyValue::poison() : convertToType(in, callee, call);
  // A decorated function, as functools.wraps marks it.
  if (py::Object wrapped = callee["__wrapped__"]; wrapped && !isNumpy) {
    if (type == "_lru_cache_wrapper") {
      if (in.outlines->parts && in.outlines->askedCaches.count(callee.get()))
        return callInPython(in, PyValue::object(callee), call);
      PyValue function = functionOf(in, wrapped);
      bool isFound = in.outlines->remembering.count(callee.get()) > 0;
      if (isFound || (!function.isPoison() && isOutlined(in, function->definition)))
        return callRemembering(in, callee, call);
    }
    return callObject(in, wrapped, call);
  }
  if (PyType_Check(callee.get()) && py::isInstance(callee, py::import("builtins")["type"]) &&
      py::isTrue(py::call(py::import("builtins")["issubclass"], {callee, py::import("builtins")["BaseException"]})))
    return in.fail("exceptions are made in 'raise' statements only");
  if (isCompiledClass(in, callee))
    return callClass(in, callee, call);
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

} // namespace npcc::frontend

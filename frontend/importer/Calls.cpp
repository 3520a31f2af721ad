// Calls: their arguments, and calls whose callee or arguments are one of several alternatives.
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

/// The same of what is called with these arguments: an object of a class of the program's takes them by functions that
/// are imported, or only holds them, as what dict(first=a, second=b) gives does.
static bool keepsUnions(Interpreter &in, const PyValue &callee, const Call &call) {
  static const py::Object dict = py::lookup("builtins.dict");
  bool isHolder = callee.isObject() && PyType_Check(callee.object().get()) &&
                  (callee.object() == dict ? call.args.empty() : isCompiledClass(in, callee.object()));
  return isHolder || takesUnions(callee);
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
  if (!keepsUnions(in, callee, call)) {
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
           isList(callee->items[0]) || isGeneratorOfPython(callee->items[0]) ||
           (callee->items[0].isGenerator() && callee->name == "shuffle");
  std::string module = callee.object().string("__module__");
  static const std::set<std::string> keeping = {"enumerate", "zip",  "reversed", "tuple",       "list", "map",
                                                "filter",    "iter", "dict",     "at_run_time", "min",  "max",
                                                "sorted",    "next", "fromkeys", "shuffle"};
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

/// The function that npcc.jit has compiled: inside of compiled code it is a function like others. A method, which has
/// the attributes of its function, stays one.
static PyValue compiledFunction(const PyValue &callee) {
  if (!callee.isObject() || PyType_Check(callee.object().get()))
    return callee;
  py::Object object = callee.object(), function = object["py_func"];
  if (!function || !object["fallbacks"])
    return callee;
  bool isMethod = py::typeName(object) == "method";
  return PyValue::object(isMethod ? py::call(py::lookup("types.MethodType"), {function, object["__self__"]})
                                  : function);
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

} // namespace npcc::frontend

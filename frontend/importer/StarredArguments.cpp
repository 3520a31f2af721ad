// f(*values) of an array or list whose length is known at run time only: as many arguments as the callee needs, or what
// the call makes of all of them.
#include "frontend/importer/StarredArguments.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// How many positional arguments a callee needs, those without a default, and how many it takes.
struct Taken {
  int64_t needed, most;
};
} // namespace

/// Nothing where the callee takes any number, or it is not known.
static std::optional<Taken> takenArguments(Interpreter &in, const PyValue &callee) {
  if (callee.is(PyValue::Kind::Function)) {
    py::Object args = callee->definition["args"];
    if (!args["vararg"].isNone())
      return std::nullopt;
    int64_t most = args.list("posonlyargs").size() + args.list("args").size();
    int64_t needed = llvm::count_if(llvm::ArrayRef<PyValue>(callee->items).take_front(most),
                                    [](const PyValue &one) { return one.is(PyValue::Kind::Unbound); });
    return Taken{needed, most};
  }
  bool isMethod = callee.is(PyValue::Kind::Method) && callee->items[0].is(PyValue::Kind::Instance) &&
                  !isBox(callee->items[0]) && callee->items[0]->cls;
  py::Object function = isMethod            ? callee->items[0]->cls[callee->name.c_str()]
                        : callee.isObject() ? callee.object()
                                            : py::Object();
  if (!function || (isMethod && py::typeName(function) != "function"))
    return std::nullopt;
  std::string error, message;
  py::Object counts = py::tryCall(py::lookup("npcc.library.arguments.taken"), {function}, {}, error, message);
  if (!counts || counts.isNone())
    return std::nullopt;
  std::vector<py::Object> pair = py::elements(counts);
  return Taken{*py::asInteger(pair[0]) - isMethod, *py::asInteger(pair[1]) - isMethod};
}

/// The names of the parameters of one of the program's functions that arguments go to by their places. `isBound`:
/// without the first one, which is the object.
static std::vector<std::string> placesOf(const PyValue &function, bool isBound) {
  py::Object args = function->definition["args"];
  std::vector<std::string> names;
  for (const char *group : {"posonlyargs", "args"})
    for (const py::Object &one : args.list(group))
      names.push_back(one.string("arg"));
  if (isBound && !names.empty())
    names.erase(names.begin());
  return names;
}

/// Checks, in Python's words, that as many values follow the first arguments of a function as it has parameters
/// without a default.
static void checkCount(Interpreter &in, const PyValue &function, const std::string &shownName, Value length,
                       int64_t others, int64_t needed, bool takesMore, bool isBound = false) {
  std::vector<std::string> names = placesOf(function, isBound);
  for (int64_t given = others; given < needed; ++given)
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, length, in.ir.index(given - others)), "TypeError",
                missingArguments(shownName, ArrayRef(names).slice(given, needed - given)));
  if (takesMore)
    return;
  Value all = in.ir.createOrFold<arith::AddIOp>(length, in.ir.index(others));
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, length, in.ir.index(needed - others)), "TypeError",
              shownName + "() takes " + llvm::Twine(needed) + " positional argument" + (needed == 1 ? "" : "s") +
                  " but {0} were given",
              {all});
}

/// The same for a function of C, which takes so many.
static void checkCountOfBuiltin(Interpreter &in, const py::Object &function, Value length, int64_t others,
                                int64_t needed) {
  std::string name = function.string("__name__"), module = function.string("__module__");
  Value all = in.ir.createOrFold<arith::AddIOp>(length, in.ir.index(others));
  std::string words = (module == "builtins" ? "" : module + ".") + name + "() takes exactly one argument ({0} given)";
  if (needed != 1)
    words = name + " expected " + std::to_string(needed) + " arguments, got {0}";
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, all, in.ir.index(needed)), "TypeError", words, {all});
}

/// f(a, *values) of a function that takes any number of arguments: those without a parameter of their own are a tuple.
static PyValue callWithRest(Interpreter &in, const PyValue &callee, const Running &running, const PyValue &values,
                            Call &call) {
  int64_t others = call.args.size(), places = placesOf(running.function, running.isBound).size();
  int64_t own = std::max<int64_t>(places - others, 0);
  PyValue rest = callBuiltin(in, "tuple", {values});
  if (rest.isSequence()) { // whose length is known
    llvm::append_range(call.args, rest->items);
    return callValue(in, callee, call);
  }
  if (own > 0 && !rest.isPoison()) {
    checkCount(in, running.function, running.name, listLength(in, rest), others, places, /*takesMore=*/true,
               running.isBound);
    PyValue none = PyValue::object(py::none());
    for (int64_t k = 0; k < own; ++k)
      call.args.push_back(listItem(in, rest, in.ir.index(k)));
    rest = listItem(in, rest, PyValue::slice(PyValue::object(py::integer(own)), none, none));
  }
  if (rest.isPoison())
    return rest;
  call.rest = rest.asTuple();
  return callValue(in, callee, call);
}

/// zip(*rows): the columns. Of tuples there are as many as a tuple has items.
static PyValue columnsOf(Interpreter &in, const PyValue &rows) {
  if (!rows.isRows() || rows->id)
    return callInLibrary(in, "arguments.columns", {rows});
  std::vector<PyValue> columns;
  for (const PyValue &column : rows->items) {
    columns.push_back(listOf(in, column));
    if (columns.back().isPoison())
      return columns.back();
    columns.back() = columns.back().asTuple();
  }
  return PyValue::sequence(std::move(columns));
}

/// "...".format(*values): the string tells how many it takes, of which there may be more.
static std::optional<PyValue> formatOnAll(Interpreter &in, const PyValue &callee, const PyValue &values, Call &call) {
  std::string error, message;
  py::Object count =
      py::tryCall(py::lookup("npcc.library.arguments.shown"), {callee.object()["__self__"]}, {}, error, message);
  if (!count) // what is no format is an error of the call
    return callValue(in, callee, call);
  Value length = isRuntimeLength(values) ? listLength(in, values) : in.ir.dim(values.ir(), 0);
  for (int64_t k = call.args.size(); k < *py::asInteger(count); ++k) {
    Value needed = in.ir.index(k + 1 - call.args.size());
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, length, needed), "IndexError",
                "Replacement index " + llvm::Twine(k) + " out of range for positional args tuple");
  }
  int64_t missing = std::max<int64_t>(*py::asInteger(count) - call.args.size(), 0);
  firstItems(in, values, missing, call.args);
  return callValue(in, callee, call);
}

/// Whether the callee makes something of all items, however many there are; then it is that.
static std::optional<PyValue> callOnAll(Interpreter &in, const PyValue &callee, const PyValue &values, Call &call) {
  auto isBuiltin = [&](const char *name) {
    return callee.isObject() && callee.object() == py::import("builtins")[name];
  };
  if (isBuiltin("max") || isBuiltin("min")) {
    call.args = {values};
    return callValue(in, callee, call);
  }
  if (isBuiltin("print")) {
    PyValue separator = PyValue::object(py::string(" "));
    for (auto &[name, value] : call.keywords)
      if (name == "sep" && !value.isNone())
        separator = value;
    call.args = {callInLibrary(in, "strings.spaced", {values, separator})};
    return call.args[0].isPoison() ? call.args[0] : callValue(in, callee, call);
  }
  if (isBuiltin("zip"))
    return columnsOf(in, values);
  if (callee.isObject() && py::typeName(callee.object()) == "builtin_function_or_method" &&
      callee.object().string("__name__") == "format" && PyUnicode_Check(callee.object()["__self__"].get()))
    return formatOnAll(in, callee, values, call);
  return std::nullopt;
}

/// print(a, *values, b): what is written for the values is text of the argument in front of them, or behind, since
/// there may be none of them. Nothing where no argument is certain.
static std::optional<PyValue> printOnAll(Interpreter &in, const PyValue &callee,
                                         ArrayRef<std::pair<PyValue, bool>> arguments, Call &call) {
  PyValue separator = PyValue::object(py::string(" "));
  for (auto &[name, value] : call.keywords)
    if (name == "sep" && !value.isNone())
      separator = value;
  if (llvm::all_of(arguments, [](const auto &one) { return one.second; }))
    return std::nullopt;
  call.args.clear();
  PyValue before = PyValue::unbound();
  auto joined = [&](const PyValue &left, const PyValue &right) {
    return binary(in, "Add", callBuiltin(in, "str", {left}), callBuiltin(in, "str", {right}));
  };
  for (const auto &[value, isOpen] : arguments) {
    if (!isOpen) {
      call.args.push_back(before.is(PyValue::Kind::Unbound) ? value : joined(before, value));
      before = PyValue::unbound();
    } else {
      PyValue spaced =
          callInLibrary(in, call.args.empty() ? "strings.spaced_before" : "strings.spaced_behind", {value, separator});
      PyValue &one = call.args.empty() ? before : call.args.back();
      one = one.is(PyValue::Kind::Unbound) ? spaced : joined(one, spaced);
    }
    const PyValue &last = call.args.empty() ? before : call.args.back();
    if (last.isPoison())
      return last;
  }
  return callValue(in, callee, call);
}

/// Calls for each number of items that the callee may take, of which the call decides.
static PyValue callForEachLength(Interpreter &in, const PyValue &callee, const PyValue &values, int64_t most, size_t at,
                                 const Call &call) {
  Value length = isRuntimeLength(values) ? listLength(in, values) : in.ir.dim(values.ir(), 0);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, length, in.ir.index(most)), "TypeError",
              describe(in, callee) + " takes at most " + llvm::Twine(call.args.size() + most) +
                  " positional arguments but more were given");
  auto lengths = std::make_shared<Composite>();
  for (int64_t k = 0; k <= most; ++k)
    lengths->items.push_back(PyValue::object(py::integer(k)));
  PyValue chosen = PyValue::unionValue(valueOf(in, fromIndex(in, length)), lengths);
  return overAlternatives(
      in, chosen,
      [&](PyValue count) {
        Call one = call;
        std::vector<PyValue> items;
        if (!unpack(in, values, *py::asInteger(count.object()), items))
          return PyValue::poison();
        one.args.insert(one.args.begin() + at, items.begin(), items.end());
        return callValue(in, callee, one);
      },
      /*isCall=*/true);
}

PyValue asFunction(Interpreter &in, const PyValue &callee) {
  if (!callee.isObject() || py::typeName(callee.object()) != "function" || findFunction(callee.object()) ||
      findLibraryFunction(callee.object()))
    return callee;
  const py::Object &function = callee.object();
  std::string module = function.string("__module__");
  py::Object package = py::string(StringRef(module).split('.').first.str());
  static const std::set<std::string> compiledOtherwise = {"numpy", "npcc"};
  bool isProgram = !compiledOtherwise.count(py::toString(package.get())) && !function["__npcc_compiled__"] &&
                   !function["py_func"] &&
                   !py::isTrue(py::call(py::import("sys")["stdlib_module_names"]["__contains__"], {package}));
  return isProgram ? functionOf(in, function) : callee;
}

Running runBy(Interpreter &in, const PyValue &callee) {
  if (callee.is(PyValue::Kind::Function))
    return {callee, callee->name, false};
  bool isMethod = callee.is(PyValue::Kind::Method) && callee->items[0].is(PyValue::Kind::Instance) &&
                  !isBox(callee->items[0]) && callee->items[0]->cls;
  bool isClass = callee.isObject() && isCompiledClass(in, callee.object());
  py::Object function = isClass    ? callee.object()["__init__"]
                        : isMethod ? callee->items[0]->cls[callee->name.c_str()]
                                   : py::Object();
  if (!function || py::typeName(function) != "function")
    return {PyValue::unbound(), "", false};
  bool isOfContainer = isMethod && isContainerClass(callee->items[0]->cls);
  PyValue run =
      isOfContainer ? functionOf(in, function, /*isLibrary=*/true) : asFunction(in, PyValue::object(function));
  return {run, function.string("__qualname__"), true};
}

/// The arguments of a call by their places: those with a star are what gives any number of them. Nothing with an error
/// reported where one is poison.
static std::optional<std::vector<std::pair<PyValue, bool>>> starredArguments(Interpreter &in,
                                                                             ArrayRef<py::Object> nodes) {
  std::vector<std::pair<PyValue, bool>> all;
  for (const py::Object &node : nodes) {
    if (py::typeName(node) != "Starred") {
      all.push_back({in.expression(node), false});
      continue;
    }
    PyValue values = in.env.bound(unboxed(in, in.expression(node["value"])));
    auto isAnyList = [](const PyValue &one) { return isBox(one) || isList(one); };
    if (values.is(PyValue::Kind::Union) && llvm::all_of(values->items, isAnyList)) // whichever list it is
      values = overAlternatives(in, values, [&](PyValue one) { return listOf(in, unboxed(in, one)); });
    bool isIterated = (values.is(PyValue::Kind::Instance) && !isDictionary(values) && !isBox(values)) ||
                      isGenerator(values) || values.is(PyValue::Kind::Iterator) || values.is(PyValue::Kind::Range);
    if (isIterated && !isPythons(values))
      values = callBuiltin(in, "list", {values});
    if (values.isPoison())
      return std::nullopt;
    all.push_back({values, true});
  }
  return all;
}

/// Calls with such arguments; nothing where all of them are known one by one now, and in `call`.
static std::optional<PyValue> callWithArguments(Interpreter &in, const PyValue &given,
                                                ArrayRef<std::pair<PyValue, bool>> arguments, Call &call) {
  PyValue callee = given;
  constexpr int64_t mostLengths = 8;
  PyValue open = PyValue::unbound(); // what has as many items as it has at run time
  size_t at = 0;
  std::vector<std::pair<PyValue, bool>> all; // and whether each is one of these
  bool isPrint = callee.isObject() && callee.object() == py::import("builtins")["print"];
  for (const auto &[values, isStarred] : arguments) {
    if (!isStarred) {
      call.args.push_back(values);
      all.push_back({values, false});
      continue;
    }
    std::vector<PyValue> items;
    bool isOpen = isRuntimeLength(values) || isRuntimeString(values) || (values.isArray() && values.rank() > 0);
    if (!isOpen) {
      if (!unpack(in, values, -1, items))
        return PyValue::poison();
      llvm::append_range(call.args, items);
      for (const PyValue &item : items)
        all.push_back({item, false});
      continue;
    }
    if (arguments.size() == 1)
      if (std::optional<PyValue> result = callOnAll(in, callee, values, call))
        return *result;
    all.push_back({isRuntimeString(values) ? callBuiltin(in, "list", {values}) : values, true});
    if (all.back().first.isPoison())
      return all.back().first;
    if (!open.is(PyValue::Kind::Unbound) && !isPrint)
      return in.fail("how many arguments each '*' gives is not known when this call is compiled",
                     "give them one by one, or the array itself");
    open = all.back().first;
    at = call.args.size();
  }
  if (open.is(PyValue::Kind::Unbound))
    return std::nullopt;
  if (isPrint)
    if (std::optional<PyValue> result = printOnAll(in, callee, all, call))
      return *result;
  callee = asFunction(in, callee);
  if (callee.isPoison())
    return callee;
  Running running = runBy(in, callee);
  const PyValue &function = running.function;
  int64_t others = static_cast<int64_t>(call.args.size());
  bool isFunction = callee.is(PyValue::Kind::Function), isLast = static_cast<int64_t>(at) == others;
  bool hasDefaults = function.is(PyValue::Kind::Function) &&
                     llvm::any_of(function->items, [](const PyValue &one) { return !one.is(PyValue::Kind::Unbound); });
  if (function.is(PyValue::Kind::Function) && isLast && !hasDefaults &&
      !function->definition["args"]["vararg"].isNone())
    return callWithRest(in, callee, running, open, call);
  std::optional<Taken> taken = takenArguments(in, callee);
  if (!taken || taken->most < others || taken->most - std::max(taken->needed, others) >= mostLengths)
    return in.fail("how many arguments '*' gives is not known when this call is compiled",
                   "give them one by one, or the array itself");
  if (taken->most > taken->needed || !call.keywords.empty())
    return callForEachLength(in, callee, open, taken->most - others, at, call);
  Value length = isRuntimeLength(open) ? listLength(in, open) : in.ir.dim(open.ir(), 0);
  if (isFunction)
    checkCount(in, callee, callee->name, length, others, taken->needed, /*takesMore=*/false);
  else if (callee.isObject() && py::typeName(callee.object()) == "builtin_function_or_method")
    checkCountOfBuiltin(in, callee.object(), length, others, taken->needed);
  std::vector<PyValue> items;
  if (!unpack(in, open, taken->needed - others, items))
    return PyValue::poison();
  call.args.insert(call.args.begin() + at, items.begin(), items.end());
  return std::nullopt;
}

std::optional<PyValue> callWithStarred(Interpreter &in, const PyValue &callee, const std::vector<py::Object> &nodes,
                                       Call &call) {
  std::optional<std::vector<std::pair<PyValue, bool>>> arguments = starredArguments(in, nodes);
  if (!arguments)
    return PyValue::poison();
  if (!callee.is(PyValue::Kind::Union))
    return callWithArguments(in, callee, *arguments, call);
  return overAlternatives( // each takes another number of them
      in, callee,
      [&](PyValue one) {
        Call each = call;
        std::optional<PyValue> result = callWithArguments(in, one, *arguments, each);
        return result ? *result : callValue(in, one, each);
      },
      /*isCall=*/true);
}

} // namespace npcc::frontend

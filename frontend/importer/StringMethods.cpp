// Methods of strings that are known at run time only: the runtime's own, those that are written in Python
// (npcc/library/strings.py), and all others by Python itself.
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Values.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace npcc::frontend {

/// Methods that Python itself runs: types of the receiver, the arguments and the result, for each number of arguments.
/// 't': a string, 'i': an integer, 'b': a bool.
static const llvm::StringMap<std::vector<const char *>> &pythonMethods() {
  static const llvm::StringMap<std::vector<const char *>> methods = [] {
    llvm::StringMap<std::vector<const char *>> rows;
    for (const char *name : {"upper", "lower", "title", "capitalize", "swapcase", "casefold", "__repr__"})
      rows[name] = {"t>t"};
    for (const char *name : {"isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "isnumeric", "isdecimal",
                             "istitle", "isidentifier", "isprintable", "isascii"})
      rows[name] = {"t>b"};
    for (const char *name : {"strip", "lstrip", "rstrip"})
      rows[name] = {"t>t", "tt>t"};
    for (const char *name : {"center", "ljust", "rjust"})
      rows[name] = {"ti>t", "tit>t"};
    for (const char *name : {"removeprefix", "removesuffix"})
      rows[name] = {"tt>t"};
    for (const char *name : {"count", "rfind"})
      rows[name] = {"tt>i", "tti>i", "ttii>i"};
    rows["zfill"] = {"ti>t"};
    rows["replace"] = {"ttt>t", "ttti>t"};
    rows["expandtabs"] = {"t>t", "ti>t"};
    return rows;
  }();
  return methods;
}

static bool isInLibrary(StringRef name) {
  return name == "split" || name == "rsplit" || name == "splitlines" || name == "partition" || name == "rpartition" ||
         name == "index" || name == "rindex" || name == "startswith" || name == "endswith";
}

bool isStringMethod(const std::string &name) {
  return pythonMethods().count(name) || isInLibrary(name) || name == "find" || name == "join" || name == "format";
}

static PyValue joined(Interpreter &in, const PyValue &separator, const PyValue &iterable) {
  PyValue strings = callBuiltin(in, "list", {iterable});
  if (strings.isPoison())
    return strings;
  bool isEmpty = strings.isSequence() && strings->items.empty();
  if (isEmpty)
    return PyValue::object(py::string(""));
  strings = strings.isSequence() ? listOfItems(in, strings->items) : ofRuntimeLength(in, strings);
  if (isMixed(strings) && llvm::is_contained(strings->kinds, "str"))
    strings = callInLibrary(in, "strings.all_of_strings", {strings});
  if (strings.isPoison())
    return strings;
  if (!strings.isRows() || strings->id != stringTable)
    return in.fail("TypeError: sequence item 0: expected str instance, " +
                   describe(in, listItem(in, strings, in.ir.index(0))) + " found");
  Value between = stringNumber(in, separator);
  return between ? textRoutine(in, "join", {listArray(in, strings->items[0]), in.ir.newArray(in.ir.rankZero(between))})
                 : PyValue::poison();
}

/// The arguments as numbers, by their types; nothing with an error reported.
static std::optional<SmallVector<Value>> argumentsAs(Interpreter &in, StringRef types, const PyValue &string,
                                                     ArrayRef<PyValue> arguments) {
  SmallVector<Value> values{stringNumber(in, string)};
  for (auto [type, argument] : llvm::zip(types.drop_front(), arguments)) {
    Value value = type == 't' ? stringNumber(in, argument) : toIndex(in, argument);
    if (value && type == 'i')
      value = in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), value);
    values.push_back(value);
  }
  if (llvm::is_contained(values, Value()))
    return std::nullopt;
  return values;
}

PyValue callStringMethod(Interpreter &in, const PyValue &string, const std::string &name, Call &call) {
  if (isInLibrary(name)) {
    Call library = call;
    library.args.insert(library.args.begin(), string);
    return callFunction(in, functionOf(in, py::import("npcc.library.strings")[name.c_str()], true), library);
  }
  if (!call.keywords.empty())
    return in.fail("str." + name + " takes no keywords in compiled code");
  if (name == "join" && call.args.size() == 1)
    return joined(in, string, call.args[0]);
  if (name == "find" && !call.args.empty() && call.args.size() <= 3) {
    std::vector<PyValue> arguments = call.args;
    if (arguments.size() == 1)
      arguments.push_back(PyValue::object(py::integer(0)));
    if (arguments.size() == 2)
      arguments.push_back(PyValue::object(py::integer(INT64_MAX)));
    auto values = argumentsAs(in, "ttii", string, arguments);
    return values ? PyValue::runtime(callText(in, "find", *values)) : PyValue::poison();
  }
  if (name == "format")
    return formatAtRunTime(in, string, name, call.args);
  auto found = pythonMethods().find(name);
  if (found == pythonMethods().end())
    return in.fail("str." + name + " of a string that is made at run time cannot be compiled");
  for (StringRef types : found->second) {
    auto [given, result] = types.split('>');
    if (given.size() != call.args.size() + 1)
      continue;
    auto values = argumentsAs(in, given, string, call.args);
    if (!values)
      return PyValue::poison();
    Value value = callText(in, name + ":" + types.str(), *values);
    if (result == "t")
      return numberedString(PyValue::runtime(value));
    if (result == "i")
      return PyValue::runtime(value);
    Value zero = in.ir.constantInteger(in.ir.getI64Type(), 0);
    return PyValue::runtime(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, value, zero));
  }
  return in.fail("TypeError: str." + Twine(name) + " takes other arguments");
}

} // namespace npcc::frontend

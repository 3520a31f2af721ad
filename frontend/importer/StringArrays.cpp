#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {

/// Strings of a global array that the code holds one by one.
static constexpr size_t mostKnown = 16;

static const py::Object &library() {
  static const py::Object module = py::import("npcc.library.string_arrays");
  return module;
}

bool isStringArrayClass(const py::Object &cls) { // without an import of the module, which most programs do not need
  return cls && cls.string("__name__") == "StringArray" && cls.string("__module__") == "npcc.library.string_arrays";
}

bool isStringArray(const PyValue &value) { return value.is(PyValue::Kind::Instance) && isStringArrayClass(value->cls); }

bool isArrayOfStrings(const py::Object &object) {
  static const py::Object numpy = py::import("numpy");
  return object && py::isInstance(object, numpy["ndarray"]) && object["dtype"].string("kind") == "U";
}

PyValue knownStringArray(Interpreter &in, const py::Object &array) {
  static const py::Object inParts = py::lookup("npcc.structures.SEPARATOR");
  py::Object strings = py::call(py::call(array["ravel"], {})["tolist"], {});
  PyValue list = fromObject(in, strings);
  if (py::elements(strings).size() > mostKnown) // as one text, so that there is no code for each
    list = callInLibrary(in, "strings.split",
                         {PyValue::object(py::call(inParts["join"], {strings})), PyValue::object(inParts)});
  PyValue width = PyValue::object(py::integer(array["dtype"].integer("itemsize") / 4));
  return callInLibrary(in, "string_arrays.given", {list, fromObject(in, array["shape"]), width});
}

/// Whether NumPy makes an array of strings of a value: a list or tuple of strings, or of such.
static bool isListOfStrings(Interpreter &in, const PyValue &given) {
  PyValue value = isBox(given) ? unboxed(in, given) : given;
  if (value.isRows())
    return value->id == stringTable;
  bool isKnown = value.isObject() && (PyList_Check(value.object().get()) || PyTuple_Check(value.object().get()));
  std::vector<PyValue> items;
  if (!isKnown && !value.isSequence())
    return false;
  if (!asSequence(in, value, items) || items.empty())
    return false;
  return llvm::all_of(
      items, [&](const PyValue &item) { return isString(item) || isStringArray(item) || isListOfStrings(in, item); });
}

/// How many of a NumPy function's arguments, from the first on, may be strings; 0 for functions that take none. It
/// stands here and not in the library, whose module nobody needs for a call like copy(order="K").
static size_t takesStrings(StringRef name) {
  return llvm::StringSwitch<size_t>(name)
      .Cases({"array", "asarray", "unique", "sort", "argsort", "tile", "repeat", "concatenate", "choice"}, 1)
      .Cases({"full", "isin", "array_equal", "append", "intersect1d", "union1d", "setdiff1d"}, 2)
      .Case("where", 3)
      .Default(0);
}

/// dtype=object and the like: Python's own arrays.
static bool isOfObjects(Interpreter &in, const Call &call) {
  return llvm::any_of(call.keywords, [&](const auto &keyword) {
    py::Object known = keyword.first == "dtype" ? asObject(in, keyword.second) : py::Object();
    return known && (known == py::import("builtins")["object"] || known == in.dtypes.numpy["object_"]);
  });
}

std::optional<PyValue> callOfStringArrays(Interpreter &in, const py::Object &callee, Call &call) {
  std::string module = callee.string("__module__"), name = callee.string("__name__");
  bool isNumpys = py::typeName(callee) == "ufunc" || isOfPackage(callee, "numpy");
  if (in.ir.isThread || !isNumpys || isEvaluated(callee))
    return std::nullopt;
  std::function<bool(const PyValue &)> holdsArrays = [&](const PyValue &value) {
    return isStringArray(value) || (value.isSequence() && llvm::any_of(value->items, holdsArrays));
  };
  bool holdsAny = llvm::any_of(call.args, holdsArrays) ||
                  llvm::any_of(call.keywords, [&](const auto &keyword) { return holdsArrays(keyword.second); });
  auto isText = [&](const PyValue &arg) { return isString(arg) || isListOfStrings(in, arg); };
  if (!holdsAny && module == "numpy" && llvm::any_of(call.args, isText)) { // arrays, or the name of a mode
    size_t count = takesStrings(name);
    for (const PyValue &arg : ArrayRef(call.args).take_front(std::min(count, call.args.size())))
      holdsAny |= (count > 1 && isString(arg)) || isListOfStrings(in, arg);
  }
  if (!holdsAny || isOfObjects(in, call))
    return std::nullopt;
  py::Object function = module == "numpy" ? library()[("numpy_" + name).c_str()] : py::Object();
  if (!function)
    return in.fail(Twine(textArrays) + ": " + module + "." + name + "() of an array of strings cannot be compiled",
                   "make a list of it: a.tolist()");
  return callFunction(in, functionOf(in, function, /*isLibrary=*/true), call);
}

std::optional<PyValue> callGeneratorWithStrings(Interpreter &in, const PyValue &generator, const std::string &name,
                                                Call &call) {
  if (call.args.empty() || !(isStringArray(call.args[0]) || isListOfStrings(in, call.args[0])))
    return std::nullopt;
  py::Object function = library()[("generator_" + name).c_str()];
  if (!function)
    return std::nullopt;
  Call made = call;
  made.args.insert(made.args.begin(), generator);
  return callFunction(in, functionOf(in, function, /*isLibrary=*/true), made);
}

//===---- What the library makes of numbers ----===//

namespace {
/// NumPy's string of a number.
PyValue emitNumpyText(Interpreter &in, Arguments &args) {
  Value number = valueOf(in, args["number"]);
  if (!number)
    return PyValue::poison();
  return tabled(in.dtypes.numpy["str_"], stringTable,
                PyValue::runtime(isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number));
}

/// A list of the strings whose numbers an array has; it is the list's from then on.
PyValue emitTexts(Interpreter &in, Arguments &args) {
  Value numbers = asArray(in, args["numbers"]);
  if (!numbers)
    return PyValue::poison();
  if (np::getRank(numbers.getType()) != 1) // on a path that is taken with arrays of one axis only
    return in.fail("TypeError: iteration over a " + Twine(np::getRank(numbers.getType())) + "-d array");
  bool areNumpys = py::isTrue(asObject(in, args["are_numpys"]));
  if (!isa<np::ArrayType>(numbers.getType()))
    numbers = in.ir.newArray(numbers);
  PyValue column = PyValue::list(PyValue::runtime(numbers), 1, true);
  PyValue strings = PyValue::rows({column}, areNumpys ? in.dtypes.numpy["str_"] : stringModel()->cls);
  strings->id = stringTable;
  return strings;
}
const Registered rows{{"npcc.library.strings.numpy_text", "number", emitNumpyText},
                      {"npcc.library.strings.texts", "numbers, are_numpys", emitTexts}};
} // namespace

} // namespace npcc::frontend

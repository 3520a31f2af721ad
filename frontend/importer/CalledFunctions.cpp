// Functions of the library that are functions of the module: what finds a key of a dict, for example. Were it imported
// wherever a program looks up a key, the program would be made of little else.
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

/// A string of any value in the place of one that is known, also in tuples: or each would have a function of its own.
static PyValue ofAnyValue(Interpreter &in, const PyValue &value) {
  if (isString(value))
    return numbered(in, value);
  if (!value.isSequence() || value->isList)
    return value;
  std::vector<PyValue> items;
  for (const PyValue &item : value->items)
    items.push_back(ofAnyValue(in, item));
  return value.withItems(std::move(items));
}

/// Looks at all that a value leads to, also by objects and the tables of rows, until there is what is looked for.
static bool leadsTo(Interpreter &in, const PyValue &value, std::set<unsigned> &seen,
                    function_ref<bool(const PyValue &)> isIt) {
  if (isIt(value))
    return true;
  bool hasParts = value.hasItems() || value.is(PyValue::Kind::Union) || value.is(PyValue::Kind::Function);
  if (hasParts && llvm::any_of(value->items, [&](const PyValue &item) { return leadsTo(in, item, seen, isIt); }))
    return true;
  auto isHeld = [&](unsigned id) {
    if (!seen.insert(id).second)
      return false;
    std::string names = "@" + std::to_string(id);
    Bindings bindings = in.env.frame->bindings;
    for (auto at = bindings.lower_bound(names); at != bindings.end() && StringRef(at->first).starts_with(names); ++at)
      if (instanceOf(at->first) == id && leadsTo(in, at->second, seen, isIt))
        return true;
    return false;
  };
  if (value.is(PyValue::Kind::Instance))
    return isHeld(value->id); // of one that is tabled the table's
  if (!value.isRows())
    return false;
  return isHeld(value->id) || llvm::any_of(value->kinds, [&](const std::string &kind) {
           return isRowKind(kind) && isHeld(rowOfKind(in, kind, PyValue::object(py::integer(0)))->id);
         });
}

/// Whether a value is known to be an object of the program's, or is a list of them.
static bool isOfProgram(const PyValue &value) {
  if (value.is(PyValue::Kind::Function))
    return true;
  bool isObject = (value.is(PyValue::Kind::Instance) && !isNumbered(value) && !isBox(value)) || value.isRows();
  return isObject && value->cls && !isContainerClass(value->cls) &&
         !StringRef(value->cls.string("__module__")).starts_with("npcc.library") &&
         value->cls.string("__module__") != "builtins";
}

/// Whether a value is an array, or a tuple with one.
static bool hasArray(const PyValue &value) {
  return value.isArray() ||
         ((value.isSequence() || value.is(PyValue::Kind::Union)) && llvm::any_of(value->items, hasArray));
}

static bool isKnownList(const PyValue &value) { return value.isSequence() && value->isList; }

std::optional<PyValue> callOfLibrary(Interpreter &in, const PyValue &function, const Bindings &arguments) {
  // A GPU runs a loop that looks for keys as one kernel, in which nothing is called.
  auto target = in.ir.function->getAttrOfType<StringAttr>("np.target");
  bool isOfDevice = in.ir.isThread || !target || target == "cuda";
  if (isOfDevice || in.hasErrors() || in.outlines->keptInPlace.count(function->definition.get()))
    return std::nullopt;
  // What methods of the program's raise has to get to where it is caught, and where lists of known items are changed,
  // these would not be known any more. Whether a list may keep an array as it is, is asked of the function at hand
  // (ListedArrays.h).
  py::Object mark = function->definition[calledAttribute];
  bool changes = py::isTrue(mark["changes"]), compares = py::isTrue(mark["compares"]);
  bool isCaught = !in.env.handlers.empty() || in.env.outermost;
  py::Object kept = mark["keeps"];
  std::set<unsigned> seen;
  Bindings given;
  for (const auto &argument : arguments) {
    if (!kept.isNone() && argument.first == py::toString(kept.get()) && hasArray(argument.second))
      return std::nullopt;
    bool isInPlace = leadsTo(in, argument.second, seen, [&](const PyValue &value) {
      return (changes && isKnownList(value)) || (compares && isCaught && isOfProgram(value));
    });
    if (isInPlace)
      return std::nullopt;
    given[argument.first] = ofAnyValue(in, argument.second);
  }
  Attempt attempt(in);
  PyValue result = callOutlined(in, function, given);
  if (!attempt.failed())
    return result;
  attempt.takeBack();
  in.outlines->keptInPlace.insert(function->definition.get());
  return std::nullopt;
}

} // namespace npcc::frontend

// hash(): of numbers and tuples as Python has it; of objects as their class says.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/OperatorRows.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "llvm/Support/xxhash.h"

namespace npcc::frontend {
namespace {

/// The hash of a string is another one in each process of Python, and compiled code has one of its own. Where a table
/// of keys is made of it, nobody sees which: in the library, and in the program's own __hash__.
bool mayBeOwn(Interpreter &in) {
  const Frame &frame = *in.env.frame;
  return frame.isLibrary ||
         (py::typeName(frame.definition) == "FunctionDef" && frame.definition.string("name") == "__hash__");
}

/// What is neither a number, a string nor a tuple.
bool isKnownOther(Interpreter &in, const PyValue &value) {
  return value.isObject() && !runtimeType(in, value) && !PyTuple_Check(value.object().get()) &&
         !PyUnicode_Check(value.object().get()) && !PyFrozenSet_CheckExact(value.object().get());
}

bool holdsText(Interpreter &in, const PyValue &value) {
  return isString(value) || value.is(PyValue::Kind::Text) ||
         (value.isObject() && !runtimeType(in, value) && !PyTuple_Check(value.object().get())) ||
         (value.isSequence() && llvm::any_of(value->items, [&](const PyValue &item) { return holdsText(in, item); }));
}

PyValue ofParts(Interpreter &in, const PyValue &parts) {
  static const py::Object ofText = py::lookup("npcc.library.set_tables.hash_of_text");
  return callInLibrary(in, "hashing.python_hash", {parts, PyValue::object(ofText)});
}

/// Of an object: its class's own, that of a dataclass's fields, or a number that no other object has.
PyValue ofObject(Interpreter &in, const PyValue &object) {
  const py::Object &cls = object->cls;
  py::Object own = cls["__hash__"];
  if (own.isNone() || isDictionary(object) || isBox(object))
    return in.fail("TypeError: unhashable type: '" + nameOfType(in, object) + "'");
  bool isMade = cls["__dataclass_fields__"] && py::typeName(own) == "function" &&
                (own["__wrapped__"] || llvm::StringRef(own["__code__"].string("co_filename")).starts_with("<"));
  if (isMade)
    return ofParts(in, comparedParts(in, object));
  if (std::optional<PyValue> result = callSpecial(in, object, "__hash__", {}))
    return *result;
  return object.isTabled() ? object->items[0] : PyValue::object(py::integer(object->id));
}

PyValue emitHash(Interpreter &in, Arguments &args) {
  const PyValue value = args["obj"].pythonBit ? splitNumber(in, args["obj"]) : args["obj"];
  if (value.is(PyValue::Kind::Union))
    return overAlternatives(in, value, [&](const PyValue &one) {
      Arguments inner = args;
      inner["obj"] = one;
      return emitHash(in, inner);
    });
  if (value.isObject() && PyFrozenSet_CheckExact(value.object().get())) {
    PyValue made = callBuiltin(in, "frozenset", {value});
    return made.isPoison() ? made : callBuiltin(in, "int", {ofObject(in, made)});
  }
  if (value.is(PyValue::Kind::Instance) && !isString(value) && !isPythons(value))
    return callBuiltin(in, "int", {ofObject(in, value)});
  if (isPythons(value))
    return runSimple(in, "return hash(a)", {value}, 'i');
  if (isList(value) || value.isArray())
    return in.fail("TypeError: unhashable type: '" + nameOfType(in, value) + "'");
  if (holdsText(in, value) && !mayBeOwn(in))
    return in.fail("hash() of " + describe(in, value) + " cannot be compiled: it is another one in each process",
                   "make a number of it in another way: of its characters' ord(), say");
  if (isKnownOther(in, value)) // None, a member of an enumeration: none is equal to another one
    return PyValue::object(py::integer(llvm::xxh3_64bits(py::repr(value.object())) >> 8));
  PyValue number = ofParts(in, value);
  return number.isPoison() ? number : callBuiltin(in, "int", {number});
}
const Registered hashRows{{"builtins.hash", "obj", emitHash}};

} // namespace
} // namespace npcc::frontend

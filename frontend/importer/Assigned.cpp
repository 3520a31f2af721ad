#include "frontend/importer/Assigned.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"

namespace npcc::frontend {

std::optional<AssignedPlace> assignedPlace(Interpreter &in, const py::Object &owner, const std::string &name) {
  for (auto [k, place] : llvm::enumerate(in.assigned))
    if (place.first == owner.get() && place.second == name)
      return AssignedPlace{owner, name, py::string(name + "_" + std::to_string(k))};
  return std::nullopt;
}

/// Whether these places stay in Python.
static bool areInPython(Interpreter &in) { return !in.assignedGlobals.is(PyValue::Kind::Instance); }

/// False with an error reported where no part of the function can ask Python.
static bool mayAskPython(Interpreter &in) {
  if (in.outlines && in.outlines->parts)
    return true;
  in.fail("what this function assigns to outside of itself is Python's here");
  return false;
}

std::optional<PyValue> readAssigned(Interpreter &in, const AssignedPlace &place) {
  if (!areInPython(in)) {
    if (!holds(in, in.assignedGlobals, place.key))
      return std::nullopt;
    return readHeld(in, in.assignedGlobals, place.key);
  }
  if (!mayAskPython(in))
    return PyValue::poison();
  const char *read = PyType_Check(place.owner.get())   ? "return getattr(a, b)"
                     : PyDict_Check(place.owner.get()) ? "return global_value(a, b)"
                                                       : "return default_of(a, b)";
  return runSimple(in, read, {PyValue::object(place.owner), PyValue::object(py::string(place.name))}, 'o');
}

void storeAssigned(Interpreter &in, const AssignedPlace &place, const PyValue &value) {
  if (!areInPython(in))
    return storeHeld(in, in.assignedGlobals, place.key, in.env.bound(value));
  if (mayAskPython(in))
    runSimple(in, PyType_Check(place.owner.get()) ? "setattr(a, b, c)" : "a[b] = c",
              {PyValue::object(place.owner), PyValue::object(py::string(place.name)), value}, 'o');
}

std::optional<PyValue> assignedAttribute(Interpreter &in, const std::vector<py::Object> &mro, const std::string &name) {
  if (in.assigned.empty())
    return std::nullopt;
  for (const py::Object &cls : mro) {
    if (std::optional<AssignedPlace> place = assignedPlace(in, cls, name))
      if (std::optional<PyValue> value = readAssigned(in, *place))
        return value;
    if (py::isTrue(py::call(cls["__dict__"]["__contains__"], {py::string(name)})))
      return std::nullopt;
  }
  return std::nullopt;
}

void storeClassAttribute(Interpreter &in, const py::Object &cls, const std::string &name, const PyValue &value) {
  if (std::optional<AssignedPlace> place = assignedPlace(in, cls, name)) {
    storeAssigned(in, *place, value);
    return;
  }
  in.fail("'" + name + "' of a global class cannot be assigned to here: compiled code holds the value that it had",
          "name the class (" + cls.string("__name__") + "." + name +
              " = ...) in a function without *args, and give it a value before");
}

} // namespace npcc::frontend

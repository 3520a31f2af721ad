#include "frontend/importer/Assigned.h"
#include "frontend/importer/Calls.h"
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

std::optional<AssignedPlace> assignedCell(Interpreter &in, const py::Object &cell) {
  return assignedPlace(in, cell, "cell_contents");
}

std::optional<AssignedPlace> placeOfContainer(Interpreter &in, const py::Object &container) {
  static const py::Object holds = py::lookup("npcc.assigned.holds_object");
  if (in.assigned.empty() || !container)
    return std::nullopt;
  // An object of the program's class, whose attributes are changed, is one, too, and a tuple with lists in it.
  bool isContainer = PyList_Check(container.get()) || PyDict_Check(container.get()) || PySet_Check(container.get()) ||
                     PyTuple_Check(container.get()) || py::typeName(container) == "deque" ||
                     PyType_HasFeature(Py_TYPE(container.get()), Py_TPFLAGS_HEAPTYPE);
  if (!isContainer)
    return std::nullopt;
  for (const auto &[owner, name] : in.assigned)
    if (py::isTrue(py::call(holds, {py::Object::borrow(owner), py::string(name), container})))
      return assignedPlace(in, py::Object::borrow(owner), name);
  return std::nullopt;
}

/// Whether these places stay in Python.
static bool areInPython(Interpreter &in) { return !in.assignedGlobals.is(PyValue::Kind::Instance); }

/// Whether a place is an attribute of its owner.
static bool hasAttribute(const AssignedPlace &place) {
  return PyType_Check(place.owner.get()) || py::typeName(place.owner) == "cell";
}

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
  const char *read = hasAttribute(place)               ? "return getattr(a, b)"
                     : PyDict_Check(place.owner.get()) ? "return global_value(a, b)"
                                                       : "return default_of(a, b)";
  return runSimple(in, read, {PyValue::object(place.owner), PyValue::object(py::string(place.name))}, 'o');
}

/// The attribute that says whether a class still has what the place holds from one of its bases; null where the call
/// begins with an attribute of the class's own (structures.AssignedGlobals).
static py::Object inheritanceKey(Interpreter &in, const AssignedPlace &place) {
  py::Object key = py::string(py::text(place.key) + "_is_inherited");
  return holds(in, in.assignedGlobals, key) ? key : py::Object();
}

/// What a class is given is what classes derived from it have, too, which have no such attribute of their own. Each of
/// them has a place with a copy of it.
static void passOn(Interpreter &in, const AssignedPlace &place, const PyValue &value) {
  static const py::Object passedOn = py::lookup("npcc.library.class_attributes.passed_on");
  for (const auto &[owner, name] : in.assigned) {
    py::Object derived = py::Object::borrow(owner);
    if (name != place.name || derived == place.owner || !PyType_Check(owner) ||
        !PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(owner), reinterpret_cast<PyTypeObject *>(place.owner.get())))
      continue;
    // It goes through the classes between the two, of which none may have its own.
    AssignedPlace target = *assignedPlace(in, derived, name);
    PyValue passed = value;
    for (const py::Object &cls : derived.list("__mro__")) {
      if (cls == place.owner) {
        storeHeld(in, in.assignedGlobals, target.key, in.env.bound(passed));
        break;
      }
      std::optional<AssignedPlace> between = assignedPlace(in, cls, name);
      if (py::Object key = between ? inheritanceKey(in, *between) : py::Object()) {
        Call call{in.currentNode,
                  {passed, readHeld(in, in.assignedGlobals, target.key), readHeld(in, in.assignedGlobals, key)},
                  {}};
        passed = in.env.bound(callObject(in, passedOn, call));
      } else if (between || py::isTrue(py::call(cls["__dict__"]["__contains__"], {py::string(name)}))) {
        break;
      }
    }
  }
}

void storeAssigned(Interpreter &in, const AssignedPlace &place, const PyValue &value) {
  if (!areInPython(in)) {
    PyValue bound = in.env.bound(value);
    storeHeld(in, in.assignedGlobals, place.key, bound);
    if (!PyType_Check(place.owner.get()))
      return;
    if (py::Object key = inheritanceKey(in, place))
      storeHeld(in, in.assignedGlobals, key, PyValue::object(py::boolean(false)));
    return passOn(in, place, bound);
  }
  if (mayAskPython(in))
    runSimple(in, hasAttribute(place) ? "setattr(a, b, c)" : "a[b] = c",
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

std::optional<PyValue> assignedAttribute(Interpreter &in, const py::Object &function, const std::string &name) {
  std::optional<AssignedPlace> place = assignedPlace(in, function["__dict__"], name);
  return place ? readAssigned(in, *place) : std::nullopt;
}

bool hasAssignedAttributes(const PyValue &value) {
  return value.isObject() && (PyType_Check(value.object().get()) || py::typeName(value.object()) == "function");
}

void storeKnownAttribute(Interpreter &in, const py::Object &owner, const std::string &name, const PyValue &value) {
  bool isClass = PyType_Check(owner.get());
  if (std::optional<AssignedPlace> place = assignedPlace(in, isClass ? owner : owner["__dict__"], name)) {
    storeAssigned(in, *place, value);
    return;
  }
  std::string what = isClass ? "class" : "function";
  in.fail("'" + name + "' of a global " + what +
              " cannot be assigned to here: compiled code holds the value that it had",
          "name the " + what + " (" + owner.string("__name__") + "." + name +
              " = ...) in the function, and give it a value before");
}

} // namespace npcc::frontend

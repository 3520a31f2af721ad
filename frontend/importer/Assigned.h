#ifndef NPCC_FRONTEND_IMPORTER_ASSIGNED_H
#define NPCC_FRONTEND_IMPORTER_ASSIGNED_H
// Globals, attributes of classes, and defaults that functions assign to or change (npcc/assigned.py finds them). Each
// call hands them over as the attributes of one more argument and puts back what they become; where Python runs parts
// of the function, which look at them too, they stay in Python.
#include "frontend/importer/PyValue.h"

namespace npcc::frontend {
class Interpreter;

/// A global or an attribute that functions assign to.
struct AssignedPlace {
  py::Object owner; // the globals of a module, a class, or a function: then it is the default of a parameter
  std::string name;
  py::Object key; // what in.assignedGlobals calls it
};

/// Nothing for what no function assigns to. `owner`: the globals of a module, a class, or a function.
std::optional<AssignedPlace> assignedPlace(Interpreter &in, const py::Object &owner, const std::string &name);
/// What it holds; nothing where it is known that it is not there. Python raises where only the call knows.
std::optional<PyValue> readAssigned(Interpreter &in, const AssignedPlace &place);
void storeAssigned(Interpreter &in, const AssignedPlace &place, const PyValue &value);

/// What an attribute is that a class of `mro` has and that functions assign to; nothing where another class has it
/// before, or none has.
std::optional<PyValue> assignedAttribute(Interpreter &in, const std::vector<py::Object> &mro, const std::string &name);
/// cls.name = value
void storeClassAttribute(Interpreter &in, const py::Object &cls, const std::string &name, const PyValue &value);

} // namespace npcc::frontend
#endif

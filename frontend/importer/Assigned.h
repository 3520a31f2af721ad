#ifndef NPCC_FRONTEND_IMPORTER_ASSIGNED_H
#define NPCC_FRONTEND_IMPORTER_ASSIGNED_H
// Globals, names of closures, attributes of classes and functions, and defaults that functions assign to or change
// (npcc/assigned.py finds them). Each call hands them over as the attributes of one more argument and puts back what
// they become; where Python runs parts of the function, which look at them too, they stay in Python.
#include "frontend/importer/PyValue.h"

namespace npcc::frontend {
class Interpreter;

/// A global or an attribute that functions assign to.
struct AssignedPlace {
  /// The globals of a module or the attributes of a function; a class; the cell of a closure's name; or a function:
  /// then it is the default of a parameter.
  py::Object owner;
  std::string name;
  py::Object key; // what in.assignedGlobals calls it
};

/// Nothing for what no function assigns to. `owner`: the globals of a module, a class, or a function.
std::optional<AssignedPlace> assignedPlace(Interpreter &in, const py::Object &owner, const std::string &name);
std::optional<AssignedPlace> assignedCell(Interpreter &in, const py::Object &cell);
/// The place that has a list, dict or set, of which functions change the items: it may have other names, too.
std::optional<AssignedPlace> placeOfContainer(Interpreter &in, const py::Object &container);
/// What it holds; nothing where it is known that it is not there. Python raises where only the call knows.
std::optional<PyValue> readAssigned(Interpreter &in, const AssignedPlace &place);
void storeAssigned(Interpreter &in, const AssignedPlace &place, const PyValue &value);

/// What an attribute is that a class of `mro` has and that functions assign to; nothing where another class has it
/// before, or none has.
std::optional<PyValue> assignedAttribute(Interpreter &in, const std::vector<py::Object> &mro, const std::string &name);
/// The same of an attribute of a function.
std::optional<PyValue> assignedAttribute(Interpreter &in, const py::Object &function, const std::string &name);
/// Whether a value is a class or a function of Python's, to whose attributes functions may assign.
bool hasAssignedAttributes(const PyValue &value);
/// owner.name = value, of one that hasAssignedAttributes()
void storeKnownAttribute(Interpreter &in, const py::Object &owner, const std::string &name, const PyValue &value);

//===---- GlobalContainers.cpp ----===//
/// The place, as the places in the source that make lists have one (Boxes.h), of a list that a global holds.
std::string siteOfGlobal(Interpreter &in, const py::Object &list);
/// Whether a list's place is that of one that a global holds.
bool isSiteOfGlobal(llvm::StringRef site);
/// The list of that place; null for another place.
py::Object globalListAt(Interpreter &in, llvm::StringRef site);
/// Notes that the function changes a list, dict, set or object that a global holds: the next import has what leads to
/// it as one of the places that each call hands over.
void noteChanged(Interpreter &in, const py::Object &container);
/// The same of a value, if it is an object of the program's that is known, or may be one.
void noteChangedObject(Interpreter &in, const PyValue &value);
/// The same of the list that has this place; false for a place in the source.
bool noteChangedAt(Interpreter &in, llvm::StringRef site);
/// Notes an object of another library for which compiled code has a class of its own (a sparse matrix), as if it were
/// changed: calls make such an object of it, as they do of an argument. False for any other object.
bool notesStandIn(Interpreter &in, const py::Object &object);

} // namespace npcc::frontend
#endif

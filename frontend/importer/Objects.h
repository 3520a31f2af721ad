#ifndef NPCC_FRONTEND_IMPORTER_OBJECTS_H
#define NPCC_FRONTEND_IMPORTER_OBJECTS_H
// Objects of the program's classes, and dicts: what one holds is bound to names of its own in the environment
// ('@7.mass'), so that it joins, is carried and is rolled back like any name. A named tuple is a tuple with a class.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// The object that holds the value of a name that functions inside assign to: its attribute `value`. Names.cpp
PyValue cellObject(unsigned id);
/// Such an object, which holds nothing yet, and what gives it a value.
PyValue newCell(Interpreter &in);
bool isCell(const PyValue &value);
void setCell(Interpreter &in, const PyValue &cell, const PyValue &value);
/// An object that holds nothing yet.
PyValue newInstance(Interpreter &in, const py::Object &cls);
bool isDictionary(const PyValue &value);
/// The names or keys of what an object holds, in the order in which they came; with an error reported where that
/// differs from path to path.
std::vector<py::Object> heldKeys(Interpreter &in, const PyValue &instance);
/// Whether an object holds something by this name or key on some path.
bool holds(Interpreter &in, const PyValue &instance, const py::Object &key);
/// Whether it does here, as a bool of the program's: known, or read when the program runs.
PyValue isHeld(Interpreter &in, const PyValue &instance, const py::Object &key);
/// As it is bound: not read, nothing where it is not bound on any path.
std::optional<PyValue> boundHeld(Interpreter &in, const PyValue &instance, const py::Object &key);
/// What is bound to the name of its keys: equal values say the same keys.
PyValue boundKeys(Interpreter &in, const PyValue &instance);
PyValue readHeld(Interpreter &in, const PyValue &instance, const py::Object &key);
void storeHeld(Interpreter &in, const PyValue &instance, const py::Object &key, const PyValue &value);
void deleteHeld(Interpreter &in, const PyValue &instance, const py::Object &key);
/// Only what objects hold, of all names.
Bindings heldBindings(const Bindings &bindings);
/// Gives the objects of one frame to another that is entered or left.
void moveHeld(const Bindings &from, Bindings &to);
/// The objects that a value leads to.
void reachedInstances(const PyValue &value, std::set<unsigned> &ids);
/// The object whose attribute a name is, nothing for other names.
std::optional<unsigned> instanceOf(llvm::StringRef name);

/// Whether objects of a class are made in compiled code.
bool isCompiledClass(Interpreter &in, const py::Object &cls);
/// object.__setattr__(instance, name, value): what a class's own __setattr__ does in the end.
PyValue holdAttribute(Interpreter &in, Call &call);
PyValue callClass(Interpreter &in, const py::Object &cls, Call &call);
/// An attribute, a bound method or the value of a property.
PyValue instanceAttribute(Interpreter &in, const PyValue &instance, const std::string &name);
/// Whether attributes of a value are assigned to: of an object, or a named tuple whose class says how.
bool storesAttributes(const PyValue &value);
void storeAttribute(Interpreter &in, const PyValue &instance, const std::string &name, const PyValue &value);
/// The dict of an object's attributes: it holds what the object holds, by the same names.
PyValue attributesOf(const PyValue &instance);
/// A method of an object, as a value.
PyValue boundMethod(const PyValue &receiver, const std::string &name);
PyValue callInstanceMethod(Interpreter &in, const PyValue &instance, const std::string &name, Call &call);
/// A method of a named tuple's class.
PyValue callTupleMethod(Interpreter &in, const PyValue &tuple, const std::string &name, Call &call);
/// The same object on another path, on which it holds nothing yet.
void makeAgain(Interpreter &in, const PyValue &instance);
/// The int that an object's class has it stand for (__index__); other values as they are.
PyValue asIndex(Interpreter &in, const PyValue &value);
/// A method that stands for an operator ("__add__") or a call; nothing where the class has none.
std::optional<PyValue> callSpecial(Interpreter &in, const PyValue &instance, const std::string &name,
                                   llvm::ArrayRef<PyValue> arguments,
                                   llvm::ArrayRef<std::pair<std::string, PyValue>> keywords = {});
/// The class of an object, made here or known; null for other values.
py::Object classOf(const PyValue &value);
/// The Python type that a value of any kind has; null where that is known at run time only.
py::Object typeOf(Interpreter &in, const PyValue &value);
/// The method of an operator, also of an object of a global beside a value that is not known. What both are known of is
/// computed by Python.
std::optional<PyValue> callOperator(Interpreter &in, const PyValue &operand, const std::string &name,
                                    const PyValue &other);
/// A method as super() finds it.
PyValue callSuperMethod(Interpreter &in, const PyValue &super, const std::string &name, Call &call);
PyValue makeSuper(Interpreter &in, Call &call);

//===---- LocalClasses.cpp
/// A class statement in a function.
void classStatement(Interpreter &in, const py::Object &node);
/// collections.namedtuple().
PyValue newNamedTuple(Interpreter &in, Call &call);

/// dataclasses.replace(), ObjectBuiltins.cpp.
PyValue replaceFields(Interpreter &in, Call &call);

//===---- Dicts.cpp
PyValue dictExpression(Interpreter &in, const py::Object &node);
PyValue setExpression(Interpreter &in, const py::Object &node);
PyValue dictItem(Interpreter &in, const PyValue &dict, const PyValue &key);
void storeDictItem(Interpreter &in, const PyValue &dict, const PyValue &key, const PyValue &value);
void deleteDictItem(Interpreter &in, const PyValue &dict, const PyValue &key);
PyValue callDictMethod(Interpreter &in, const PyValue &dict, const std::string &name, Call &call);
PyValue newDict(Interpreter &in, Call &call);

} // namespace npcc::frontend
#endif

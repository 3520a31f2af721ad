#ifndef NPCC_FRONTEND_IMPORTER_PARTS_H
#define NPCC_FRONTEND_IMPORTER_PARTS_H
// Parts that Python runs. What compiled code has no types for (a dict of anything, an object of a class written in C)
// is Python's own object there: a number of a table (npcc/objects.py), which goes wherever a number can, as strings do
// (Strings.h). An expression or a simple statement with such objects is a part of the program that Python runs when it
// is reached: a function of the names that it reads. Control flow, numbers, and arrays that no such object leads to
// stay compiled.
//
// Which places need that is found by trying: where an import fails, the place in the source is noted, and the import
// begins again. A container or array that such a part would read, and that compiled code made, has to be Python's from
// the beginning: what made it is noted, too, or the name that holds it.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// What was found to be Python's.
struct PythonParts {
  std::set<std::string> sites;      // places in the source, as siteOf() has them
  std::set<std::string> names;      // of variables, with the function's place
  std::set<std::string> parameters; // of the function that is compiled: they are given as objects
  std::set<std::string> installed;  // files of packages, whose functions Python runs where the program calls them
  std::set<PyObject *> containers;  // outside of the function, which changes them: lists, dicts, sets
  bool isPortable = true;           // whether another process may use the code
};

/// What is said of an array that NumPy makes of anything but numbers: it is an object of Python's, too.
constexpr llvm::StringLiteral objectArrays = "an array of objects cannot be compiled";

/// The table of objects, as `Composite::id` has it.
constexpr unsigned objectTable = ~2u;
inline bool isPythons(const PyValue &value) { return value.isTabled() && value->id == objectTable; }
/// The object of a number.
PyValue pythonObject(const PyValue &number);
/// Whether a value can become an object of Python's wherever it is: a number, a string, what is known.
bool becomesPythons(const PyValue &value);
/// A value as an object of Python's; poison with an error reported. `name`: of the variable that holds it, if any.
PyValue asPythons(Interpreter &in, const PyValue &value, const std::string &name = "");

/// Notes that the function changes a container outside of it, which no call hands over (Assigned.h): from the next
/// import on it is Python's wherever it is read. False where Python runs no parts.
bool noteContainer(Interpreter &in, const py::Object &container);
bool isPythonsContainer(Interpreter &in, const py::Object &object);

/// Whether an expression is a part: it was noted, or reads an object of Python's.
bool isPart(Interpreter &in, const py::Object &node);
/// Runs an expression in Python. `wanted`: 'o' an object, or what is made of it: 'b' its truth, 'i' an int, 'f' a
/// float, 't' a string; 0: what its outermost function is known to give.
PyValue runPart(Interpreter &in, const py::Object &node, char wanted = 0);
/// Runs a statement in Python if it was noted, or if a simple one needs it.
bool runStatement(Interpreter &in, const py::Object &node);
/// A few words of Python on objects: "return a[0]" of "a".
PyValue runSimple(Interpreter &in, const std::string &source, llvm::ArrayRef<PyValue> values, char wanted);

/// array.tobytes(): an object of Python's, of a copy of the array.
PyValue bytesOf(Interpreter &in, const PyValue &array, const Call &call);
/// A call of anything with anything, by Python.
PyValue callInPython(Interpreter &in, const PyValue &callee, const Call &call);
/// Stores into a subscript or attribute, if that is Python's: false if it is not.
bool storePart(Interpreter &in, const py::Object &target, const PyValue &value);
/// Binds targets to the items of an object.
void unpackObject(Interpreter &in, const py::Object &target, const PyValue &value);
/// `start`: what the first item is counted as, where the target is a counter and an item.
void loopOverObject(Interpreter &in, const py::Object &node, const PyValue &iterable, const PyValue *start = nullptr);
/// A loop over enumerate() of an object, whose counter is compiled; false of others.
bool loopOverEnumerated(Interpreter &in, const py::Object &node);
/// Ends the current block with an exception that is an object.
void raiseObject(Interpreter &in, const PyValue &error);
/// A value for a variable, as an object if the name was noted.
PyValue forName(Interpreter &in, const std::string &name, const PyValue &value);
/// Notes an expression whose value goes into a variable that was noted, and cannot become an object when it is made.
void noteValue(Interpreter &in, const py::Object &target, const py::Object &node, const PyValue &value);
/// The value of an assignment that may be replaced before anybody reads it, as an array of None in a constructor: what
/// is reported of an array of objects, from diagnostic `first` on, is reported where a name or attribute is read.
PyValue deferred(Interpreter &in, const py::Object &assignment, const PyValue &value, size_t first);
/// Says of the error that reading such a value is where the value was made: that is Python's then.
void noteDeferred(Interpreter &in, const PyValue &conflict);
/// Notes that a variable is Python's.
bool noteName(Interpreter &in, const std::string &name);
/// What to note of a variable later, when no frame is there any more; nothing of one that is not the program's.
std::string placeOfName(Interpreter &in, const std::string &name);
/// Notes it, or the place of an expression: "site " and what siteOf() gives.
void notePlaceOf(Interpreter &in, llvm::StringRef place);
/// The innermost function that is the program's. `installed`: the file of the installed function that it has called.
Frame *frameOfProgram(Interpreter &in, std::string *installed = nullptr);
/// Where an error is, in the program.
void notePlace(Interpreter &in, Diagnostic &diagnostic);
/// The parameters of the function that is compiled which have to be objects, where they are bound.
void giveObjects(Interpreter &in);
/// The same of a function that is called.
bool giveObjects(Interpreter &in, const Call &call, const PyValue &function, Bindings &bindings);
/// What a call by a name, or by an attribute of one, calls, where that is known; null elsewhere.
py::Object functionCalled(Interpreter &in, const py::Object &call);
/// Whether Python runs a function that the program calls: one of an installed package, in whose file another did not
/// compile. To try each of a large package's takes long, and those that draw or read files are not alone there.
bool isOfPythonsPackage(Interpreter &in, const py::Object &function);
/// Notes where an import failed; false if there is nothing more to note.
bool noteFailures(PythonParts &parts, llvm::ArrayRef<Diagnostic> found);

} // namespace npcc::frontend
#endif

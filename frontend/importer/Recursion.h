#ifndef NPCC_FRONTEND_IMPORTER_RECURSION_H
#define NPCC_FRONTEND_IMPORTER_RECURSION_H
// Functions that call themselves. Others are imported where they are called; these become functions of the module, one
// for each way in which the types of their arguments differ. The type of what one gives is found by importing it until
// it gives what its own calls were taken to give; at first these give nothing at all, and end the path that they are
// on.
#include "frontend/importer/Calls.h"
#include "frontend/importer/Findings.h"
#include "frontend/importer/Shapes.h"
#include "llvm/ADT/BitVector.h"

namespace npcc::frontend {

struct PythonParts;
struct LoopMemory;

/// A recursive function for arguments of certain types.
struct Outline {
  py::Object definition, closure;
  std::vector<Shape> arguments;
  std::vector<unsigned> instances; // the objects that it can reach, as its body numbers them
  std::vector<HeldName> held;      // what they hold when it is called: the last of the arguments
  std::optional<Shape> result;     // nothing as long as no path is known to return: a tuple, of the result and
  std::vector<HeldName> heldAfter; // what the objects hold then
  bool leaves = false;             // exceptions that nobody catches are results, too (RaisedResults.h)
  std::vector<py::Object> caught;  // the classes of exceptions that it gives as results: its callers catch them
  mlir::func::FuncOp function;
  llvm::BitVector unread; // the values of arguments that its body does not read, which are none of its arguments
  bool isOpen = true;     // while its body is imported
  bool isAsked = false;   // a call in its body was taken to give its result
  bool isWidened = false; // a call in its body gives arguments of wider types
  bool hasFailed = false; // it has no function: errors were reported
};

/// What the imports of one function have found, and the recursive functions of the one that runs.
struct Outlines : Findings {
  bool foundMore = false;
  /// The lists that globals hold, of which the import has values (GlobalContainers.cpp).
  std::map<PyObject *, py::Object> globalLists;
  /// Whether something was found that holds from there on: if the import fails, it may be for what came before.
  bool foundInTime = false;
  /// How many loops stand around what is being imported.
  int64_t loops = 0;
  /// What loops in the one that is being imported have settled on (LoopMemory.h).
  LoopMemory *loopMemory = nullptr;
  /// What the constructors of classes always set, and their definitions (LateAttributes.cpp).
  std::map<PyObject *, std::pair<std::set<std::string>, std::set<PyObject *>>> constructors;
  /// What Python runs; null where that is not asked for.
  PythonParts *parts = nullptr;
  std::vector<std::unique_ptr<Outline>> all;
  /// What was imported with an attempt at a function that calls it, and went with that: the next attempt imports it
  /// again, beginning with what it gave.
  std::vector<std::unique_ptr<Outline>> earlier;
  /// Functions of the library that cannot be functions of the module (callOfLibrary).
  std::set<PyObject *> keptInPlace;
  /// How often each definition was imported in the place of a call, and how many statements that were, with those of
  /// what it calls (SharedFunctions.h).
  struct Imported {
    int64_t calls = 0, statements = 0;
  };
  std::map<PyObject *, Imported> imported;
  int64_t statements = 0; // in all
  /// An import that needs ever more of something goes on with ever more statements: with so many it is given up. They
  /// are counted, as often as they are imported, so that what compiles does so on any machine.
  static constexpr int64_t mostStatements = 250'000;
  int64_t statementsBefore = 0; // of the imports before this one
  /// Whether nothing more is imported, so that this import is not complete.
  bool isGivenUp() const { return statements > mostStatements; }
  bool isTooLong() const { return statementsBefore + statements > mostStatements; }
};

/// Whether two functions of one definition are one: a decorator makes as many as it is used for, with other names.
bool haveOneClosure(const py::Object &closure, const py::Object &other);
/// Whether a call of the definition is one of a function of the module.
bool isOutlined(Interpreter &in, const py::Object &definition);
/// Notes that a definition calls itself, and that those do which it comes to itself by.
PyValue foundRecursion(Interpreter &in, const PyValue &function);
/// `arguments`: the parameters' names, bound.
PyValue callOutlined(Interpreter &in, const PyValue &function, const Bindings &arguments);

/// On a function of the library's, and on its definition: that it is a function of the module, and what it does with
/// what it is given (npcc.library.routines.called).
constexpr const char *calledAttribute = "npcc_is_called";
/// A call of such a function; nothing where it has to be imported in place. CalledFunctions.cpp
std::optional<PyValue> callOfLibrary(Interpreter &in, const PyValue &function, const Bindings &arguments);

} // namespace npcc::frontend
#endif

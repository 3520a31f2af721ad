#ifndef NPCC_FRONTEND_IMPORTER_GENERATORS_H
#define NPCC_FRONTEND_IMPORTER_GENERATORS_H
// Generator functions. A call binds the parameters and gives a value that waits; a `for` over it becomes the
// function's body, where each `yield` is the loop's body (npcc/generators.py). What takes all items at once makes a
// list of them first.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// A generator whose body is being imported as a loop in the frame.
struct GeneratorLoop {
  std::vector<Edge> finished; // at its `return`s
  std::vector<Edge> breaks;   // of the loop over it
  /// What the frame says of the loop's own function, while the generator's code is imported.
  std::string file;
  bool isLibrary, isLibraryCode, checksInts;
  mlir::Location callLoc;
  bool isManaged; // it is a `with`
  py::Object definition;
  py::Object receiver; // the class of the object that it is a method of
};

/// The statements of a generator function for one loop over what it makes.
struct InlinedGenerator {
  py::Object statements;
  std::map<std::string, std::string> renamed; // its names, as the loop's function has them
  std::set<std::string> free;                 // of them, those of the scopes around its definition
};

bool isGeneratorFunction(const py::Object &definition);
/// `arguments`: the parameters' names, bound.
PyValue makeGenerator(Interpreter &in, const PyValue &function, const Bindings &arguments);
bool isGenerator(const PyValue &value);
/// What a generator expression gives, whose items are made when a loop asks for them; a list of all items, where it was
/// found to be gone over elsewhere than it was made, or more than once.
PyValue generatorExpression(Interpreter &in, const py::Object &node);
/// Whether it is to be that list.
bool isCollected(Interpreter &in, const py::Object &node);
/// `for` over a generator.
void generatorLoop(Interpreter &in, const py::Object &node, const PyValue &generator);
/// A list of all its items.
PyValue collectedItems(Interpreter &in, const PyValue &generator);
/// What a comprehension gives, put into a list, dict or set by loops.
PyValue loopComprehension(Interpreter &in, const py::Object &node, const PyValue &container);
/// The statements that only a generator's body has.
void yieldedStatement(Interpreter &in, const py::Object &node);
void finishedStatement(Interpreter &in);

} // namespace npcc::frontend
#endif

#ifndef NPCC_FRONTEND_IMPORTER_CALLS_H
#define NPCC_FRONTEND_IMPORTER_CALLS_H
// Calls of functions, methods and types, and attributes.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

struct Call {
  py::Object node;
  std::vector<PyValue> args;
  std::vector<std::pair<std::string, PyValue>> keywords;
  /// A tuple with all that comes behind the arguments, of which there is any number; only of functions that take it.
  std::optional<PyValue> rest;
  std::string site; // of the object that the call makes, where it is another than the node's
};

//===---- Calls.cpp ----===//
PyValue callExpression(Interpreter &in, const py::Object &node);
PyValue callValue(Interpreter &in, const PyValue &callee, Call &call);
/// StarredArguments.cpp. Adds the positional arguments, some of them starred, or gives what the call does where that is
/// known without them.
std::optional<PyValue> callWithStarred(Interpreter &in, const PyValue &callee, const std::vector<py::Object> &nodes,
                                       Call &call);
/// CalledObjects.cpp: of an object that is known when the function is compiled.
PyValue callObject(Interpreter &in, const py::Object &callee, Call &call);
/// Whether a function, class or object is of the package (`numpy`, `numpy.linalg`), or is a module of it. Packages
/// whose names begin alike, `numpy_financial`, are others.
bool isOfPackage(const py::Object &object, llvm::StringRef package);
/// CallsOfPythonBits.cpp. A call of a function of NumPy's with a number that is Python's or NumPy's, which a bit says.
std::optional<PyValue> callWithPythonBits(Interpreter &in, const PyValue &callee, const Call &call);

//===---- Attributes.cpp ----===//
PyValue attribute(Interpreter &in, const PyValue &base, const std::string &name);
PyValue callMethod(Interpreter &in, const PyValue &receiver, const std::string &name, Call &call);

//===---- Functions.cpp: Python functions, imported where they are called ----===//
PyValue callFunction(Interpreter &in, const PyValue &function, Call &call);
PyValue functionOf(Interpreter &in, const py::Object &pythonFunction, bool isLibrary = false);
PyValue closure(Interpreter &in, const py::Object &definition);
/// Decorators.cpp: a `def` with decorators.
void functionStatement(Interpreter &in, const py::Object &definition);
/// What functools.lru_cache makes of a global function that calls itself is a function in the one that is compiled, with
/// a dict beside it: which ones need that is found by trying. At the beginning of the function:
void defineRemembering(Interpreter &in);
/// A call of such a function.
PyValue callRemembering(Interpreter &in, const py::Object &wrapper, Call &call);
/// Python's words: "f() missing 2 required positional arguments: 'a' and 'b'".
std::string missingArguments(llvm::StringRef function, llvm::ArrayRef<std::string> names,
                             llvm::StringRef kind = "positional");
bool bindParameters(Interpreter &in, const PyValue &function, Call &call, Bindings &bindings);

} // namespace npcc::frontend
#endif

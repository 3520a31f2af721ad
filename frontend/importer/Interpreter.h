#ifndef NPCC_FRONTEND_IMPORTER_INTERPRETER_H
#define NPCC_FRONTEND_IMPORTER_INTERPRETER_H
// An abstract interpreter over CPython's `ast`. What is known at compile time (None, tuples, modules, dtypes, helper
// functions) is Python's own object here; everything else is an SSA value.
//
// Three classes: NpBuilder builds operations and knows nothing of Python; Environment has the names and where control
// flow meets; Interpreter walks over the nodes. What Python's and NumPy's operations mean is free functions on
// PyValues, a header for each family: Values.h, Known.h, Operators.h, Subscripts.h, Lists.h, Calls.h, Text.h,
// ControlFlow.h, Assignment.h, and frontend/numpy. Each takes the interpreter that it works in, as `in`: `in.ir`
// builds, `in.env` has the names, `in.fail` reports.
#include "frontend/importer/Dtypes.h"
#include "frontend/importer/Environment.h"
#include "frontend/importer/Importer.h"
#include "frontend/importer/NpBuilder.h"
#include "frontend/importer/PyValue.h"
#include "frontend/importer/Source.h"
#include "frontend/importer/Syntax.h"

namespace npcc::frontend {

class Given;
struct InlinedGenerator;
struct Outlines;

class Interpreter {
public:
  Interpreter(mlir::ModuleOp module, std::vector<Diagnostic> &diagnostics, ImportReport *report = nullptr);
  bool import(const ImportRequest &request);
  /// The function that each thread of a grid runs, `function` called with values like `arguments`, which another
  /// interpreter has (Threads.cpp); null with errors reported. `operands` are what a launch gives it.
  mlir::func::FuncOp importThreads(Interpreter &from, const py::Object &function, llvm::StringRef symbol, bool checks,
                                   llvm::ArrayRef<PyValue> arguments, llvm::SmallVectorImpl<mlir::Value> &operands);
  mlir::ModuleOp getModule() const { return module; }

  NpBuilder ir;
  Dtypes dtypes;
  Environment env;

  //===---- Errors and locations ----===//
  mlir::Location loc(const py::Object &node);
  /// Reports an error at a node; what it would have given is poison.
  PyValue fail(const py::Object &node, const llvm::Twine &message, const llvm::Twine &hint = "");
  /// Reports at the node that is being imported.
  PyValue fail(const llvm::Twine &message, const llvm::Twine &hint = "");
  PyValue failAt(mlir::Location location, const llvm::Twine &message, const llvm::Twine &hint = "");
  bool hasErrors() const { return !diagnostics.empty(); }

  //===---- Nodes (Expressions.cpp, Statements.cpp) ----===//
  PyValue expression(const py::Object &node);
  std::vector<PyValue> expressions(const std::vector<py::Object> &nodes);
  void statements(const std::vector<py::Object> &nodes);
  /// The body of a function or lambda, whose frame is there: all its ways out are the frame's returns, which give None
  /// where the body just ends.
  void body(const py::Object &definition);

  /// The node that is being imported, at whose place errors and operations are.
  py::Object currentNode;
  /// The node and the statement of the program that are being imported, also while a function of the library is.
  py::Object programNode, programStatement;
  /// While a function of an installed package is imported that is one of the module: the frame of the program that has
  /// called into the package, and the package's file that it has called. Null and empty elsewhere.
  Frame *programFrame = nullptr;
  std::string installedFile;
  /// What tells places apart where the source does not: what is put together of parameters, while it is (Given.h), and
  /// the calls of code of the program that a function of the library runs.
  std::string currentArgument;
  /// The definitions that are being imported, one for each call.
  std::vector<PyObject *> callStack;
  /// The generators of random numbers that the caller gives with each call (ImportRequest).
  std::vector<PyObject *> generators;
  /// Global arrays that the caller gives with each call (ImportRequest), and the parameters that they are.
  std::map<PyObject *, PyValue> globalArrays;
  /// The globals and attributes of classes that functions assign to (ImportRequest), and the object that holds them,
  /// nothing where Python does (Assigned.h).
  std::vector<std::pair<PyObject *, std::string>> assigned;
  PyValue assignedGlobals;
  /// The narrow float of npcc.autocast where it is in force, f16 or bf16; null elsewhere (numpy/Autocast.h).
  mlir::Type autocast;
  /// The calls of numpy.printoptions that are in force, as text, the outermost one first.
  std::vector<std::string> printOptions;
  /// The numbers of the strings that the source has, at the beginning of the function.
  llvm::DenseMap<mlir::Attribute, mlir::Value> literals;
  /// How many expressions with branches were named so far.
  unsigned temporaries = 0;
  std::vector<Diagnostic> &diagnostics;
  /// What an earlier import of the same function or statement reported, where it is to be raised instead.
  std::vector<Diagnostic> raised;
  /// Of the whole import, Recursion.h.
  Outlines *outlines = nullptr;
  Syntax syntax;
  Sources sources;
  std::map<std::string, PyValue> tables; // by what makes their rows (Tables.h)
  /// What generators that are rows of a table do next, by the table (Resumption.h).
  std::map<std::string, PyValue> resumptions;
  /// Global functions under functools.lru_cache that call themselves, as they are here: see Calls.h.
  std::map<PyObject *, PyValue> remembering;
  /// The bodies of generators, by their definitions and the loops over them; Generators.h.
  std::map<std::pair<PyObject *, PyObject *>, std::shared_ptr<InlinedGenerator>> inlinedGenerators;
  /// The names that hold the context managers of `with` statements, by their nodes and places there.
  std::map<std::pair<PyObject *, size_t>, std::string> managerNames;
  /// Comprehensions as loops that fill a name, by their nodes.
  std::map<PyObject *, std::pair<std::string, py::Object>> comprehensionLoops;
  ImportReport *report;
  mlir::ModuleOp module;

  /// After a failure nothing is returned, but a block needs an end.
  void endFailed(mlir::TypeRange results);
  /// Once the function is complete: what nothing reaches or reads goes.
  void closeFunction();

private:
  bool importBody(const ImportRequest &request, const py::Object &definition);
  bool declareFunction(const ImportRequest &request, const py::Object &definition);
  std::vector<PyValue> parameterValues(const ImportRequest &request, const std::vector<std::string> &names);
  void finish(const py::Object &definition, const Given *given);
  PyValue raiseHere(const Diagnostic &diagnostic);
  void statement(const py::Object &node);
};

/// Erases the blocks that no path reaches, with what leads from one to the other.
void eraseUnreached(mlir::Region &body);

/// While it lives, `node` is where errors and operations are located.
class NodeScope {
public:
  NodeScope(Interpreter &in, const py::Object &node);
  ~NodeScope();

private:
  Interpreter &in;
  py::Object savedNode, savedProgramNode;
  mlir::Location savedLoc;
};

} // namespace npcc::frontend
#endif

#ifndef NPCC_FRONTEND_IMPORTER_CONTROLFLOW_H
#define NPCC_FRONTEND_IMPORTER_CONTROLFLOW_H
// Branches and loops: conditions that are known at compile time import one side only, loops over what is known are
// unrolled.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- ControlFlow.cpp ----===//
/// The truth of a value: known (`known` is set) or an i1.
mlir::Value truth(Interpreter &in, PyValue value, std::optional<bool> &known);
/// The truth of an expression in a test: `and`, `or` and `not` give bool there.
PyValue condition(Interpreter &in, const py::Object &node);
PyValue choose(Interpreter &in, const PyValue &condition, llvm::function_ref<PyValue()> ifTrue,
               llvm::function_ref<PyValue()> ifFalse);
void ifStatement(Interpreter &in, const py::Object &node);
/// Statements on two paths, which meet behind them.
void branch(Interpreter &in, const PyValue &condition, llvm::function_ref<void()> ifTrue,
            llvm::function_ref<void()> ifFalse);
/// Match.cpp
void matchStatement(Interpreter &in, const py::Object &node);

//===---- Loops.cpp ----===//
/// A loop of which the parts are given.
struct Loop {
  const void *node = nullptr;
  std::set<std::string> assigned;
  std::function<PyValue()> condition;
  std::function<void()> body;
  std::vector<py::Object> otherwise;
  /// A counted loop: the counter, in the header's block argument.
  mlir::Value lower, upper, step;
  mlir::Value counter;
};
void importLoop(Interpreter &in, Loop &loop);
/// Runs `body` for each item of known length.
void unrolledLoop(Interpreter &in, size_t count, llvm::function_ref<void(size_t)> body,
                  const std::vector<py::Object> &otherwise);
void whileStatement(Interpreter &in, const py::Object &node);
void breakStatement(Interpreter &in);
void continueStatement(Interpreter &in);

//===---- CountedItems.cpp ----===//
/// What a counted loop walks over: the number of items and the item at a position.
struct Counted {
  mlir::Value lower, upper, step;
  std::function<PyValue(mlir::Value)> item;
};
/// Nothing, with or without an error reported, if it cannot be counted.
std::optional<Counted> counted(Interpreter &in, const PyValue &iterable);
/// Whether a value is nothing that can be gone over, as Python says then: None, a number, a function.
bool refuseIteration(Interpreter &in, const PyValue &value);
/// What the class of an object says that it is iterated over: a container, or a generator; nothing for other values.
std::optional<PyValue> itemsOfObject(Interpreter &in, const PyValue &value);

//===---- ForLoops.cpp ----===//
void forStatement(Interpreter &in, const py::Object &node);
/// Of a union of lists or tuples, one list of the items of the one that it is, where they can be in one.
PyValue itemsOfWhichever(Interpreter &in, const PyValue &iterable);

//===---- Try.cpp ----===//
void tryStatement(Interpreter &in, const py::Object &node);
void withStatement(Interpreter &in, const py::Object &node);
/// A check that a handler takes: a branch instead of an assertion. False where none does.
bool branchToHandler(Interpreter &in, mlir::Value condition, llvm::StringRef error, const std::string &message,
                     mlir::ValueRange values);
/// From now on, checks that a handler takes are branches.
void takeChecks(Interpreter &in);
/// Whether compiled code can raise an exception of this name.
bool isRaisable(llvm::StringRef error);
struct PythonError {
  std::string error, words;
};
/// The exception of Python's or NumPy's that an error of the import is; nothing where only the compiler objects.
std::optional<PythonError> pythonError(llvm::StringRef message);
/// The message of a KeyError whose key is no string begins with this, and its repr() follows
/// (frontend/module/errors.c).
constexpr llvm::StringLiteral keyMark = "\1";
/// In the message of an exception of the program's class: what follows is what the object holds.
constexpr llvm::StringLiteral stateMark = "\2";
/// The class that an exception's name in np.assert stands for.
py::Object exceptionClass(llvm::StringRef error);
/// What the `finally` clauses between here and a jump do: all of the frame, or those inside `loops` loops.
void runFinals(Interpreter &in, size_t loops);

//===---- Statements.cpp, Comprehensions.cpp ----===//
/// Imports a statement or a call, and again where Python would raise for it: the second import raises where the first
/// one failed. Other errors are reported: those of most classes, which are better told of when compiling, unless they
/// are `ofAnyClass`.
void runOrRaise(Interpreter &in, llvm::function_ref<void()> import, bool ofAnyClass = false);
void raise(Interpreter &in, const py::Object &node);
/// Raises an exception, as Environment::raise() has it; one that leaves the function takes what its object holds along.
void raiseWith(Interpreter &in, const py::Object &node, const py::Object &cls, llvm::StringRef error,
               std::string message, llvm::SmallVector<mlir::Value> values, const PyValue &object);
void assertion(Interpreter &in, const py::Object &node);
PyValue comprehension(Interpreter &in, const py::Object &node);
PyValue setComprehension(Interpreter &in, const py::Object &node);
/// Runs `body` with the targets of a comprehension as names of its own.
void withOwnTargets(Interpreter &in, const std::vector<py::Object> &generators, llvm::function_ref<void()> body);

} // namespace npcc::frontend
#endif

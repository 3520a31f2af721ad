#ifndef NPCC_FRONTEND_IMPORTER_LEAVINGERRORS_H
#define NPCC_FRONTEND_IMPORTER_LEAVINGERRORS_H
// Exceptions that leave the compiled function after it has changed a list, dict, set, object or global of its caller's.
// Python sees the change and the exception, so such an exception is a result: a tuple of class `LeavingError`
// (npcc/structures.py), beside which the changes come back as they do with any result. The call puts them into
// the caller's objects and then raises it. What is raised before there is a change leaves as an assertion does.
#include "frontend/importer/Given.h"

namespace npcc::frontend {

/// While the compiled function's body is imported.
class LeavingErrors {
public:
  /// `given`: what the function can change; null where the arguments hold nothing of the kind.
  LeavingErrors(Interpreter &in, const Given *given);
  /// At the end of the body: the exceptions become results.
  void addToReturns();

private:
  Interpreter &in;
  Handler outermost;
};

/// Ends the current block with an exception that leaves the function with its changes. `object`: one of Python's own.
bool leave(Interpreter &in, const py::Object &cls, llvm::StringRef error, const std::string &message,
           mlir::ValueRange values, const PyValue &object = PyValue::poison());
/// Whether a check that fails here leaves the function with its changes: as a branch, which keeps a loop from being a
/// kernel, so checks that kernels make do not.
bool leavesAt(Interpreter &in, llvm::StringRef error, llvm::StringRef message);

} // namespace npcc::frontend
#endif

#ifndef NPCC_FRONTEND_IMPORTER_RAISEDRESULTS_H
#define NPCC_FRONTEND_IMPORTER_RAISEDRESULTS_H
// Exceptions that leave a function of the module and are caught by those that call it. What is raised in statements
// that are imported in place is a branch to the clause that takes it (Try.cpp). A function that calls itself gives such
// an exception as its result: a tuple of a class that stands for the exception's (`raised` in
// npcc/library/exceptions.py). What it gives is then a union of that and what it returns; behind the call the
// alternatives that are exceptions are raised again.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The classes that clauses around this place take, each once; of `finally` that is BaseException.
std::vector<py::Object> caughtHere(Interpreter &in);

/// While a function's body is imported: what is raised of classes that its callers catch is kept.
class RaisedResults {
public:
  /// `leaves`: those that no caller catches are results, too, because objects hold what the body changed in them.
  RaisedResults(Interpreter &in, const std::vector<py::Object> &caught, bool leaves);
  /// At the end of the body: exceptions become results.
  void addToReturns();

private:
  Interpreter &in;
  Handler handler, outermost;
};

/// Whether a value is the tuple that stands for an exception.
bool isRaised(const PyValue &value);
/// What a call gave, without the exceptions, which are raised here.
PyValue raiseResult(Interpreter &in, const PyValue &result);

} // namespace npcc::frontend
#endif

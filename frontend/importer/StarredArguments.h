#ifndef NPCC_FRONTEND_IMPORTER_STARREDARGUMENTS_H
#define NPCC_FRONTEND_IMPORTER_STARREDARGUMENTS_H
// What a call with `*values` or `**mapping` runs: its parameters decide what is taken of a container whose items are
// known at run time only.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// The function of the program that a call runs.
struct Running {
  PyValue function; // no function where the call runs something else
  std::string name; // as Python's errors have it
  bool isBound;     // its first argument is the object
};

/// One of the program's functions, whose parameters are known; other callees as they are.
PyValue asFunction(Interpreter &in, const PyValue &callee);
/// What a call runs: the callee itself, the `__init__` of a class, or a method of an object's class.
Running runBy(Interpreter &in, const PyValue &callee);

/// StarredKeywords.cpp. The keyword arguments of a call: by name, or, without one, all that a mapping holds.
using Keywords = std::vector<std::pair<std::optional<std::string>, PyValue>>;
/// Adds them to `call` and calls, for each dict that a mapping may be.
PyValue callWithKeywords(Interpreter &in, const PyValue &callee, const Keywords &keywords, const Call &call,
                         llvm::function_ref<PyValue(Call &)> callIt);

} // namespace npcc::frontend
#endif

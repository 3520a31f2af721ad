#ifndef NPCC_FRONTEND_IMPORTER_KNOWNMETHODS_H
#define NPCC_FRONTEND_IMPORTER_KNOWNMETHODS_H
// Methods of objects that are known when the function is compiled: "text".upper(), dtype.newbyteorder(), log.write(x).
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// What a call gives of which all arguments are known: Python is asked. Nothing where one is not.
std::optional<PyValue> evaluate(Interpreter &in, const py::Object &callee, Call &call);
/// Why methods that tell of a cache (functools.lru_cache) are refused.
PyValue refuseCache(Interpreter &in, const std::string &method, const py::Object &wrapper);
/// A method `callee` of `self`, of a class written in C; nothing where it is one that others know.
std::optional<PyValue> callKnownMethod(Interpreter &in, const py::Object &callee, const py::Object &self, Call &call);
/// What a dict that is known holds at a key of the program's; where it holds none, `otherwise`, or KeyError is raised.
PyValue knownDictItem(Interpreter &in, const py::Object &dict, const PyValue &key,
                      const std::optional<PyValue> &otherwise = std::nullopt);

/// Refuses to change a list or dict outside of the function: what it held is part of the code. `what` is done to it.
/// False for other values.
bool refusesChange(Interpreter &in, const PyValue &container, llvm::StringRef what);

} // namespace npcc::frontend
#endif

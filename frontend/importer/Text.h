#ifndef NPCC_FRONTEND_IMPORTER_TEXT_H
#define NPCC_FRONTEND_IMPORTER_TEXT_H
// Strings, with values of the program in them.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

PyValue text(Interpreter &in, const PyValue &value, const std::string &spec, bool isRepr = false);
py::Object format(Interpreter &in, const py::Object &known, const std::string &spec);
PyValue joinedString(Interpreter &in, const py::Object &node);
/// The text of an exception as np.assert has it; `values` are what it shows of the program.
std::string exceptionText(Interpreter &in, const PyValue &shown, llvm::SmallVectorImpl<mlir::Value> &values);
void print(Interpreter &in, Call &call);

} // namespace npcc::frontend
#endif

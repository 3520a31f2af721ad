#ifndef NPCC_FRONTEND_IMPORTER_DICTVIEWS_H
#define NPCC_FRONTEND_IMPORTER_DICTVIEWS_H
#include "frontend/importer/Interpreter.h"
#include <optional>

namespace npcc::frontend {

/// d.keys() & other and its like; nothing of other operations.
std::optional<PyValue> binaryOfViews(Interpreter &in, const py::Object &node);
/// An operand of a comparison: of d.keys() a set.
PyValue comparedOperand(Interpreter &in, const py::Object &node, llvm::StringRef operation);

} // namespace npcc::frontend
#endif

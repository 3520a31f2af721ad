#ifndef NPCC_COMPILER_EXPLAIN_DESCRIBE_H
#define NPCC_COMPILER_EXPLAIN_DESCRIBE_H
#include "compiler/explain/Remarks.h"
#include "mlir/IR/BuiltinOps.h"

namespace npcc {

/// What the functions of a module do, as JSON: kernels with what they read and write, the calls of libraries, the loops
/// and branches of the host around them, and what passes have said. For kernels as they are before a target makes code
/// of them. `frontend/python/npcc/explain.py` reads it.
///
///   {"functions": [{"name", "signature", "target", "parameters": [name or null],
///                   "named": {name: {"file", "line", "is": text or ""}},          // "": a number that only a run
///                   knows "body": [node]}],
///    "remarks": [{"about", "file", "line", "column", "other", "text"}]}
///
/// A node has a "node", "file" and "line":
///
///   kernel  "kind", "space": [count], "places": [[file, line]], "reads" and "writes": [{"array", "bytes", "exact"}],
///           "arithmetic": count, "loops": [{"line", "form", "count"}], "runner": "grid", "rows" or ""
///   call    "what", "reads", "writes", "arithmetic": of a library, or of a routine of the runtime
///   loop    "form": "for" or "while", "count" (null: only a run knows), "variable", "first", "step", "body"
///   branch  "condition", "then", "else"
///   wait    the host reads an element that a device has computed
///
/// All counts are texts: expressions in Python of the arguments, the variables of loops around, and what has a name.
std::string describeModule(mlir::ModuleOp module, const std::vector<Remark> &remarks);

} // namespace npcc
#endif

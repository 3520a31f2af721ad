#ifndef NPCC_COMPILER_CODEGEN_DESCRIBE_H
#define NPCC_COMPILER_CODEGEN_DESCRIBE_H
#include "compiler/Options.h"
#include "compiler/codegen/FunctionInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace npcc {

/// Describes the public functions of a module in np form (from the import on): kinds, dtypes, ranks and unit axes by the types; names and weakness by
/// the attributes `np.name` and `np.weak`; what is written by following the arguments to the stores. Function attributes read: `np.general`, `np.target`,
/// `np.python_name`, `np.signature`, `np.form` (how the results are put together, NPCC_FORM_* of npcc_rt.h; by default one stands for itself, several are a tuple).
std::vector<FunctionInfo> describeFunctions(mlir::ModuleOp module, const Options &options);

/// After the loop form: marks results that are NumPy scalars for npcc-wrap-entries, and reads the extents that the code takes for equal
/// (`np.guards`: array, axis, array, axis; ...) into the variants.
void completeDescriptions(mlir::ModuleOp module, std::vector<FunctionInfo> &functions);

/// Which arguments a function of the np form may store into.
llvm::SmallVector<bool> findWrittenArguments(mlir::Operation *function);

} // namespace npcc
#endif

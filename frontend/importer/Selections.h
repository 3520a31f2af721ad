#ifndef NPCC_FRONTEND_IMPORTER_SELECTIONS_H
#define NPCC_FRONTEND_IMPORTER_SELECTIONS_H
#include "mlir/IR/Builders.h"

namespace npcc::frontend {

/// How many elements of a mask are true, as an index on the host.
mlir::Value countTrue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value mask);

/// Makes arrays of the selections (np.compress) that were not moved into a store or a reduction.
void expandSelections(mlir::Operation *function);

} // namespace npcc::frontend
#endif

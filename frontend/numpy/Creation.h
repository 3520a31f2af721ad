#ifndef NPCC_FRONTEND_NUMPY_CREATION_H
#define NPCC_FRONTEND_NUMPY_CREATION_H
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The extents of a shape argument, of which negative ones that are known at run time only are checked there. False if
/// it was refused.
bool shapeOf(Interpreter &in, const PyValue &argument, llvm::SmallVectorImpl<mlir::Value> &extents);

} // namespace npcc::frontend
#endif

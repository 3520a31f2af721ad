#ifndef NPCC_FRONTEND_IMPORTER_CHECKEDDRAWS_H
#define NPCC_FRONTEND_IMPORTER_CHECKEDDRAWS_H
// Parameters of random numbers that are out of their bounds. The runtime finds them when it draws, which no clause of
// the program can take. Where a clause would take the error, the parameters are compared before the draw, as all checks
// are that may go to a clause.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// Compares the scalar parameters of a draw with their bounds, where a clause takes what is raised. Whether all of them
/// are in their bounds behind it; then markCheckedDraw() says so of the draw.
bool checkDraw(Interpreter &in, llvm::StringRef distribution, mlir::ValueRange scalars, bool hasArrays);
void markCheckedDraw(mlir::Operation *draw);
/// Whether a draw may have parameters out of their bounds, which is found when it runs.
bool mayBeOutOfBounds(mlir::Operation &op);
/// Takes the marks away.
void forgetCheckedDraws(Interpreter &in);

} // namespace npcc::frontend
#endif

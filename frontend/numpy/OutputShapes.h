#ifndef NPCC_FRONTEND_NUMPY_OUTPUTSHAPES_H
#define NPCC_FRONTEND_NUMPY_OUTPUTSHAPES_H
// Errors of an `out` whose shape is not the result's, in the words of the function that it is an output of. They are
// raised before anything is stored.

#include "frontend/numpy/Table.h"

namespace npcc::frontend {

/// The array that `out=` names, alone or in a tuple of one; what is none of these stays what it is.
PyValue outputOf(Interpreter &in, PyValue out);
/// An output of a ufunc meets the operands as if it were one of them, but no axis of it is repeated. False where it has
/// too few axes, which is an error of the call whatever the extents are.
bool checkOutputOfUfunc(Interpreter &in, llvm::ArrayRef<PyValue> operands, const PyValue &result, const PyValue &out);
/// An output of as many axes as the reduction's result has.
void checkOutputOfReduction(Interpreter &in, mlir::Value operand, llvm::ArrayRef<int64_t> axes, bool keepdims,
                            mlir::Value result, mlir::Value out);
/// An output of a running total along an axis. False where it has too few axes.
bool checkOutputOfScan(Interpreter &in, mlir::Value result, mlir::Value out);
/// A ValueError with these words, about these extents, unless the shapes are equal. False where their numbers of axes
/// are not.
bool checkShapeOfOutput(Interpreter &in, mlir::Value result, mlir::Value out, const llvm::Twine &words,
                        mlir::ValueRange extents = {});

} // namespace npcc::frontend
#endif

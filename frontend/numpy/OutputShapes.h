#ifndef NPCC_FRONTEND_NUMPY_OUTPUTSHAPES_H
#define NPCC_FRONTEND_NUMPY_OUTPUTSHAPES_H
// Errors of an `out` whose shape is not the result's, in the words of the function that it is an output of. They are
// raised before anything is stored.

#include "frontend/numpy/Table.h"

namespace npcc::frontend {

/// The array that `out=` names, alone or in a tuple of one; what is none of these stays what it is.
PyValue outputOf(Interpreter &in, PyValue out);
/// What a ufunc stores its results into, and where.
struct UfuncOutputs {
  std::vector<PyValue> arrays; // one for each result, None where there is none
  mlir::Value mask;            // `where`, null of all elements
  llvm::StringRef name, casting;
  bool areTooShort = false; // set: an array has too few axes, which is an error of the call whatever the extents are
};
/// Outputs of a ufunc are of dtypes that the results can be cast to. They and the mask meet the operands as if they
/// were some of them, but no axis of an output is repeated. False, with an error reported or emitted, where the call
/// fails whatever the extents are.
bool checkOutputsOfUfunc(Interpreter &in, llvm::ArrayRef<PyValue> operands, llvm::ArrayRef<mlir::Type> results,
                         UfuncOutputs &outputs);
/// The cast alone. `number`: which operand it is, -1 of the only output.
bool checkCastToOutput(Interpreter &in, mlir::Type result, const PyValue &out, llvm::StringRef casting,
                       llvm::StringRef function, int64_t number = -1);
/// An output of as many axes as the reduction's result has.
void checkOutputOfReduction(Interpreter &in, mlir::Value operand, llvm::ArrayRef<int64_t> axes, bool keepdims,
                            mlir::Value result, mlir::Value out);
/// An output of a running total along an axis. False where it has too few axes.
bool checkOutputOfScan(Interpreter &in, mlir::Value result, mlir::Value out);
/// An output of reduceat() with so many positions along an axis.
bool checkOutputOfReduceat(Interpreter &in, mlir::Value operand, mlir::Value count, int64_t axis, mlir::Value out);
/// A ValueError with these words, about these extents, unless the shapes are equal. False where their numbers of axes
/// are not.
bool checkShapeOfOutput(Interpreter &in, mlir::Value result, mlir::Value out, const llvm::Twine &words,
                        mlir::ValueRange extents = {});
/// The same for the extents that a result will have.
bool checkExtentsOfOutput(Interpreter &in, llvm::ArrayRef<mlir::Value> wanted, mlir::Value out,
                          const llvm::Twine &words, mlir::ValueRange extents = {});

} // namespace npcc::frontend
#endif

#ifndef NPCC_COMPILER_EXPLAIN_REMARKS_H
#define NPCC_COMPILER_EXPLAIN_REMARKS_H
#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include <string>
#include <vector>

namespace npcc {

// What passes decide about a program and why, for `npcc explain`: MLIR's remarks. Nobody listens to them in an ordinary
// compilation, and then they cost a look at a pointer. Each is said at the place in Python that it is about.

/// Whether anybody listens: where the reason is more work than its text.
bool wantsRemarks(mlir::Operation *op);

/// Two parts of the program, in its order, that do not become one kernel.
void remarkApart(mlir::Location first, mlir::Location second, const llvm::Twine &reason);
/// A value, computed at this place, that is an array in memory, where the kernels that need it might compute it. The
/// array has the same place.
void remarkArray(mlir::Location value, const llvm::Twine &reason);
/// What a loop of the host became.
void remarkLoop(mlir::Location loop, const llvm::Twine &decision);
/// Why a loop did not become something else.
void remarkLoopStays(mlir::Location loop, const llvm::Twine &reason);
/// Who runs all of a function, where that is not the device.
void remarkCall(mlir::Location function, const llvm::Twine &decision);

/// "line 12" for a place of the program.
std::string lineOf(mlir::Location loc);

/// One of the above, as it was said.
struct Remark {
  std::string about; // "fusion", "array", "loop", "loop stays", "call"
  std::string file;
  int line = 0, column = 0, other = 0; // other: the line of the first part that is not one with the second
  std::string text;
};

/// Listens, from now on, to what is said in the context.
void collectRemarks(mlir::MLIRContext &context, std::vector<Remark> &remarks);

} // namespace npcc
#endif

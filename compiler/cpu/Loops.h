#ifndef NPCC_COMPILER_CPU_LOOPS_H
#define NPCC_COMPILER_CPU_LOOPS_H
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace npcc {

/// May the vectoriser turn this loop body into vector code? No loops in it, and only functions with vector forms.
bool isVectorizable(mlir::Block *body);
/// Has a function of which libm and libmvec give different bits? Then a loop's tail must run the vector form too.
bool callsMathFunctions(mlir::Block *body);
/// Bytes of the widest element type computed with.
unsigned getWidestBytes(mlir::Block *body);

struct VectorLoop {
  bool parallel = true;   // iterations touch no memory that another one writes
  bool predicate = false; // the tail as a masked vector iteration
  unsigned width = 0;     // elements in a vector; 0: LLVM chooses
  unsigned interleave = 0;
};
/// Asks LLVM to vectorise this loop.
void annotate(mlir::scf::ForOp loop, const VectorLoop &how);
/// What a loop over independent iterations needs: annotated if its body can be vectorised.
void annotateMap(mlir::scf::ForOp loop);

/// Neither vectorise nor unroll: for loops of few iterations. Of an scf.parallel it is said of the loop that becomes of
/// it.
void annotateShort(mlir::Operation *loop);
bool isShort(mlir::Operation *loop);

/// Does this position move by one when `iv` does? (iv + something that does not depend on it)
bool movesWith(mlir::Value position, mlir::Value iv);

/// Nested scf.for over [lower, upper) of each axis, step 1; `body` gets the positions. Returns the innermost loop (null for no axes).
mlir::scf::ForOp buildNest(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange lower, mlir::ValueRange upper,
                           llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

/// Positions of each axis, from a position in the row-major sequence of all.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value position, mlir::ValueRange extents);
mlir::Value product(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange values);

/// A rough count of operations of one run of a block: constant part, and inner loops times their extents as far as these are known outside.
/// Unit: what moves or adds one element in vector code.
mlir::Value estimateCost(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block *body);

/// Whether the first call has so many iterations of a kernel, of these axes, that code of their own is worth it.
bool hasManyPositions(mlir::ValueRange extents, FirstCall &first);
/// Visits each kernel of a function that is compiled for a first call, with what is known of that. The kernel may be
/// replaced.
void visitKernels(mlir::func::FuncOp function, llvm::function_ref<void(np::KernelOp, FirstCall &)> visit);

/// Says on a call of a function that is a loop what that costs: its last `axes` operands are the loop's extents.
void setLoopCost(mlir::Operation *call, mlir::Block *body, int64_t axes);
/// Says how often the body of a nest runs, where its bounds do not.
void setTrips(mlir::scf::ForOp loop, int64_t trips);

} // namespace npcc
#endif

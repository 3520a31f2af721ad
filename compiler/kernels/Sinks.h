#ifndef NPCC_COMPILER_KERNELS_SINKS_H
#define NPCC_COMPILER_KERNELS_SINKS_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc {

/// A sink is where a value goes to memory: np.new, np.store, np.store_masked. Everything else that is pure is computed where a sink needs it.
bool isSink(mlir::Operation *op);
/// The value a sink stores; null if it stores a scalar.
mlir::Value getStoredValue(mlir::Operation *sink);
/// The array a sink writes.
mlir::Value getWrittenArray(mlir::Operation *sink);

/// Computed by one call of a library or in several kernels: its operands and its result are arrays in memory.
bool isOpaque(mlir::Operation *op);

/// A load that the computation of a value needs. `aligned`: element by element, at the same position as the value's own.
struct TreeLoad {
  np::LoadOp load;
  bool aligned;
};
/// All loads below `value`, through everything that is computed in place.
void collectLoads(mlir::Value value, llvm::SmallVectorImpl<TreeLoad> &loads);
/// All loads of a sink: of its value, and of its mask.
void collectSinkLoads(mlir::Operation *sink, llvm::SmallVectorImpl<TreeLoad> &loads);

/// Worth computing once: a transcendental function, a division, a reduction below.
bool isExpensive(mlir::Value value);
/// For who asks for many values and changes none: `known` remembers.
bool isExpensive(mlir::Value value, llvm::DenseMap<mlir::Value, bool> &known);

/// numpy.where of a mask that is the same along the last axis, and of what is worth not computing: one of the two is computed, by a branch that neighbours
/// take together.
bool isBranch(np::UfuncOp op);
bool isBranch(np::UfuncOp op, llvm::DenseMap<mlir::Value, bool> &known);

/// What a store of an array's own elements to other positions (a[0] = a[1]) inserts into the array's value: a view of that
/// value. So each element is one of the destination's, at a position that is chosen, and the code that computes it is
/// there once. Null for other insertions, and where kernels do better with a branch (on the host).
np::ViewOp getMove(np::InsertOp op);
/// Whether a value is used by one insertion of its own elements, and by nothing else.
bool isMovedOnly(mlir::Value value);

/// Whether the element of the user's result at a position is computed of the operand's element there:
/// np::keepsPosition, and what is stretched to the extents that it has.
bool keepsPosition(mlir::OpOperand &use, ExtentOrigins &origins);

/// Sinks of one block that are computed by one kernel, in program order; the kernel stands before `end`.
struct SinkGroup {
  llvm::SmallVector<mlir::Operation *> sinks;
  mlir::Operation *end = nullptr;
};
/// Same extents, and no sink reads or overwrites what another of them touches. Each operation of `apart` is a group of
/// its own, as if it were a sink.
llvm::SmallVector<SinkGroup> groupSinks(mlir::Block &block, bool general, ExtentOrigins &origins,
                                        const llvm::DenseSet<mlir::Operation *> &apart = {});

} // namespace npcc
#endif

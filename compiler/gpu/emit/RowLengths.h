#ifndef NPCC_COMPILER_GPU_EMIT_ROWLENGTHS_H
#define NPCC_COMPILER_GPU_EMIT_ROWLENGTHS_H
#include "compiler/gpu/emit/HostSide.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc::cuda {

/// About how many elements the inner loop of a row goes over, on the host, where only the kernel knows it: by the
/// arrays that it walks along. Parts that memory places (the elements of a sparse matrix's row) share out the array,
/// `rows` of them; others may be as long as it. Null: nothing is known.
mlir::Value emitMeanLength(HostSide &host, mlir::scf::ParallelOp inner, mlir::Value rows);

/// Whether a number of a kernel follows from the positions of loops, whose bounds do, and from what the host knows, so
/// that the host can tell how large it is at most. What it is computed from and is the same in all iterations moves in
/// front of the kernel.
bool hoistLength(mlir::Value number, mlir::Operation *kernel);

/// What a number of a kernel never exceeds (or, without `most`, never falls below), as an index of the host: what it is
/// computed of, with the ends of loops in the places of their positions. Null where that is not known.
mlir::Value emitEnd(HostSide &host, mlir::Value number, bool most);

/// A condition on the host under which a number of a kernel is a multiple of this power of two in all iterations; null:
/// none was found. It may be false although the number always is one.
mlir::Value emitIsMultiple(HostSide &host, mlir::Value number, int64_t power);

} // namespace npcc::cuda
#endif

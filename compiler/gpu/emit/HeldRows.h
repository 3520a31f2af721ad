#ifndef NPCC_COMPILER_GPU_EMIT_HELDROWS_H
#define NPCC_COMPILER_GPU_EMIT_HELDROWS_H
#include "compiler/gpu/emit/RowLoops.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc::cuda {

/// Rows that several loops of a kernel go over, short enough for the registers of the team: each thread takes the same
/// elements in all loops, loads them once, and knows what it stored.
///
///   Before:                                            After (two steps of a team of 32):
///     %s = scf.parallel (%j) = (0) to (48) ... {         %i1 = %member + 32 < 48, %p1 = select %i1, %member + 32, 0
///       %x = memref.load %a[%i, %j] ...                  %x0 = load %a[%i, %member], %x1 = load %a[%i, %p1]
///       scf.reduce(%x) }                                 %s = over the team: %x0 + (select %i1, %x1, 0)
///     scf.parallel (%j) = (0) to (48) {                  store %x0 / %s, %out[%i, %member]
///       %x = memref.load %a[%i, %j]                      if %i1: store %x1 / %s, %out[%i, %p1]
///       memref.store %x / %s, %out[%i, %j] }
struct HeldRows {
  int64_t steps = 0, width = 1; // steps of each loop, and neighbours of a step; 0 steps: rows are not held
  /// Streams that are at the same places of another loop, by the number of the first such stream.
  llvm::DenseMap<const Stream *, unsigned> same;
  /// Stores whose elements are nowhere but in registers: only the thread itself reads them, and later they are stored
  /// to again, or nothing outside the kernel knows the array.
  llvm::DenseSet<mlir::Operation *> unwritten;
  /// Loops that store what other threads may load in a later one.
  llvm::DenseSet<mlir::Operation *> shared;
};

/// Arrays that nothing but the kernel knows. To be asked before anything is emitted for it: an emitted kernel goes by
/// addresses.
llvm::DenseSet<mlir::Value> findOwnArrays(np::KernelOp kernel, KernelAccesses &accesses);

HeldRows findHeldRows(HostSide &host, np::KernelOp kernel, KernelAccesses &accesses, const RowLoops &loops,
                      const llvm::DenseSet<mlir::Value> &own, mlir::Value size);

} // namespace npcc::cuda
#endif

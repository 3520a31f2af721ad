#ifndef NPCC_COMPILER_KERNELS_SCANS_H
#define NPCC_COMPILER_KERNELS_SCANS_H
#include "compiler/memory/Accesses.h"
#include <optional>

namespace npcc {

/// A kernel that is one running reduction a line:
///
///   np.kernel (%i) ... {
///     scf.for %k = 0 to %n step 1 iter_args(%total = %init) {
///       %x = ...                       // elements: nothing here depends on %total
///       %next = arith.addf %total, %x  // combine: one associative operation
///       memref.store %next, ...        // what depends on the running total, stores above all
///       scf.yield %next
///     }
///   }
///
/// Integers may be combined in any grouping; for floats the loop says so by the attribute `np.scan`, which also promises that
/// the initial value is the neutral element.
struct Scan {
  mlir::scf::ForOp loop;
  mlir::Operation *combine;
  mlir::Value element; // the other operand of `combine`

  bool isNeutral() { return loop->hasAttr("np.scan"); }
  /// An operation like `combine`.
  mlir::Value emitCombine(mlir::OpBuilder &builder, mlir::Value left, mlir::Value right);
  /// Operations of the body before and after the running total, in order.
  llvm::SmallVector<mlir::Operation *> elementCode, totalCode;
};

std::optional<Scan> findScan(np::KernelOp kernel, KernelAccesses &accesses);

} // namespace npcc
#endif

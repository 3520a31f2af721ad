#ifndef NPCC_COMPILER_GPU_EMIT_POSITIONRANGE_H
#define NPCC_COMPILER_GPU_EMIT_POSITIONRANGE_H
#include "compiler/memory/Accesses.h"
#include "compiler/memory/PositionSums.h"
#include "dialects/Np/Kernels.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc::cuda {

/// Where the accesses of a kernel reach, in extents that are known outside of it: `%p[%i + 1]` with %i below %n - 2
/// reaches from 1 to %n - 2, and `%p[check_index -1 of %n]` is at %n - 1.
class PositionRanges {
public:
  /// `leastExtent`: what no extent that a constant position is checked against falls below.
  PositionRanges(np::KernelOp kernel, int64_t leastExtent);
  /// Whether two accesses to one array never meet, whatever iterations of the kernel's loops they are made in.
  bool areApart(const KernelAccess &a, const KernelAccess &b) const;

private:
  /// Both are sums of values from outside.
  struct Range {
    PositionSum least, most;
  };
  std::optional<PositionSum> getSum(mlir::Value value) const;
  std::optional<PositionSum> getLast(mlir::Value bound) const;
  std::optional<Range> getRange(mlir::Value leaf) const;
  std::optional<Range> getRange(const KernelAccess &access, int64_t axis) const;
  bool isPositive(const PositionSum &sum) const;
  bool haveOtherRemainders(const KernelAccess &a, const KernelAccess &b, int64_t axis) const;

  np::KernelOp kernel;
  int64_t leastExtent;
  llvm::SmallDenseSet<mlir::Value> checked;
};

} // namespace npcc::cuda
#endif

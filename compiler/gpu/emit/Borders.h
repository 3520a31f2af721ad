#ifndef NPCC_COMPILER_GPU_EMIT_BORDERS_H
#define NPCC_COMPILER_GPU_EMIT_BORDERS_H
#include "compiler/gpu/emit/HostSide.h"

namespace npcc::cuda {

/// Tests in a kernel that tell borders from the inside: `position == value` and `position - low <u extent`, with values from outside the
/// kernel. Inside, the first kind is false and the second true. Where a whole tile is inside, its code needs neither tests nor branches,
/// so that the loads of its iterations meet.
struct Borders {
  struct Test {
    mlir::arith::CmpIOp op;
    mlir::Value position; // a loop position of the kernel
  };
  llvm::SmallVector<Test> tests;

  explicit Borders(np::KernelOp kernel);
  static bool isInside(mlir::arith::CmpIOp op);
  /// Whether `count` positions from `first` on are inside for every test of `position`.
  mlir::Value emitInside(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value position, mlir::Value first, int64_t count);
};

} // namespace npcc::cuda
#endif

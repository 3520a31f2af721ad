#ifndef NPCC_COMPILER_GPU_EMIT_BORDERS_H
#define NPCC_COMPILER_GPU_EMIT_BORDERS_H
#include "compiler/gpu/emit/HostSide.h"
#include "dialects/Np/Kernels.h"

namespace npcc::cuda {

/// Tests in a kernel that tell borders from the inside: `position == value` and `position - low <u extent`, with values from outside the
/// kernel. Inside, the first kind is false and the second true, but for an extent of a few elements: that is the border itself (the first
/// column, where np.roll has the last one). Tests that are made at borders only do not count. Where a whole tile is inside, its code needs
/// neither tests nor branches, so that the loads of its iterations meet.
struct Borders {
  struct Test {
    mlir::arith::CmpIOp op;
    mlir::Value position; // a loop position of the kernel
    bool inside;          // what it gives inside
  };
  llvm::SmallVector<Test> tests;

  explicit Borders(np::KernelOp kernel);
  /// Whether `count` positions from `first` on are inside for every test of `position`.
  mlir::Value emitInside(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value position, mlir::Value first, int64_t count);
  /// What the code inside costs (countOps).
  int64_t countInside(mlir::Region &region) const;

private:
  /// The only region that is entered inside, where a test decides; null elsewhere.
  mlir::Region *getTaken(mlir::Operation *op) const;
  void collect(np::KernelOp kernel, mlir::Region &region);
  static std::optional<Test> getTest(np::KernelOp kernel, mlir::arith::CmpIOp op);
};

} // namespace npcc::cuda
#endif

#ifndef NPCC_COMPILER_KERNELS_TRIPCOUNTS_H
#define NPCC_COMPILER_KERNELS_TRIPCOUNTS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// How many iterations a loop has: an index, not negative.
mlir::Value emitTripCount(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

/// Which iteration of `loop`, from 0 on, is the one at `position`: an index.
mlir::Value emitIterationNumber(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value position);

/// The position of `loop` in that iteration, of the type that its positions have.
mlir::Value emitPosition(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value number);

} // namespace npcc
#endif

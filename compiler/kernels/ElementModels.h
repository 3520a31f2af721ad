#ifndef NPCC_COMPILER_KERNELS_ELEMENTMODELS_H
#define NPCC_COMPILER_KERNELS_ELEMENTMODELS_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace npcc {

/// Gives the operations of np, and those of upstream that hold elements, the code of one element: ElementOpInterface.
void registerElementModels(mlir::DialectRegistry &registry);

// Families of operations, one file each.
void attachMoves(mlir::MLIRContext *context);
void attachReductions(mlir::MLIRContext *context);
void attachSearch(mlir::MLIRContext *context);
void attachRandom(mlir::MLIRContext *context);

} // namespace npcc
#endif

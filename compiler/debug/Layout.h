#ifndef NPCC_COMPILER_DEBUG_LAYOUT_H
#define NPCC_COMPILER_DEBUG_LAYOUT_H
#include "mlir/IR/Builders.h"

namespace npcc {

/// Where an array lies, counted in elements (`index`). It is read from the memref's descriptor: an operation that has
/// the same, memref.extract_strided_metadata, makes constants while it is converted to the LLVM dialect, and nobody
/// converts these.
struct Layout {
  mlir::Value base;  // the memory that it was allocated as, which the runtime knows it by
  mlir::Value start; // what the offset counts from
  mlir::Value offset;
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::Type element; // as the LLVM dialect has it
  int64_t elementBytes;

  Layout(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array);
  /// The address of the element at these positions; of the first one if there are none.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange positions) const;
};

mlir::Value toI64(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index);

} // namespace npcc
#endif

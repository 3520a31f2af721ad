#ifndef NPCC_COMPILER_TARGET_HOSTMEMORY_H
#define NPCC_COMPILER_TARGET_HOSTMEMORY_H
#include "mlir/IR/BuiltinTypes.h"

namespace npcc {

/// The memory space of arrays of a device's function that lie in the host's memory: `memref<?xi64, "host">`. Without
/// one, an array is where the function's arrays are.
inline mlir::Attribute getHostMemory(mlir::MLIRContext *context) { return mlir::StringAttr::get(context, "host"); }

inline bool isInHostMemory(mlir::Type array) {
  auto type = llvm::dyn_cast<mlir::MemRefType>(array);
  return type && type.getMemorySpace() == getHostMemory(type.getContext());
}

inline mlir::MemRefType putInHostMemory(mlir::Type array) {
  return mlir::MemRefType::Builder(llvm::cast<mlir::MemRefType>(array))
      .setMemorySpace(getHostMemory(array.getContext()));
}

} // namespace npcc
#endif

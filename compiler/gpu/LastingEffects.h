#ifndef NPCC_COMPILER_GPU_LASTINGEFFECTS_H
#define NPCC_COMPILER_GPU_LASTINGEFFECTS_H
#include "dialects/Np/Np.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {

/// Whether the operation changes something other than arrays that outlives the call: what is printed, and the state of
/// generators.
inline bool writesResource(mlir::Operation *op) {
  auto interface = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
  interface.getEffects(all);
  return llvm::any_of(all, [](const mlir::MemoryEffects::EffectInstance &effect) {
    return llvm::isa<mlir::MemoryEffects::Write>(effect.getEffect()) &&
           !llvm::isa<mlir::SideEffects::DefaultResource, np::Failure, np::References>(effect.getResource());
  });
}

} // namespace npcc
#endif

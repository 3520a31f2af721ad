#ifndef NPCC_COMPILER_GPU_HOSTGROUPS_H
#define NPCC_COMPILER_GPU_HOSTGROUPS_H
#include "compiler/gpu/ArrayNames.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// Arrays that may lie in the memory of the host, and what is done with them: those of a class (ArrayNames), or, of
/// one that nothing stores to in a loop of the host, a mirror: a copy that is made before the loop.
struct HostGroup {
  llvm::SmallVector<mlir::Value> members;        // of a mirror: those that the loop uses, in the order of definitions
  llvm::SmallVector<mlir::Operation *> accesses; // loads and stores of the host
  llvm::SmallSetVector<mlir::Operation *, 4> users; // of the device: kernels and calls of libraries
  mlir::func::ReturnOp returned;                    // which gives one of them to the caller
  mlir::Operation *loop = nullptr;                  // of a mirror

  /// Whether a member of a mirror is an array from before the loop, and no view that is made in it.
  bool isFromBefore(mlir::Value member) const;
};

/// A class of arrays as a group; none if something else than the host's code, kernels and libraries has to do with it.
std::optional<HostGroup> findHostGroup(llvm::ArrayRef<mlir::Value> members);

/// The mirrors that a class can have: one for each outermost loop of the host that reads its arrays itself or in
/// kernels, and in which nothing may store to them.
llvm::SmallVector<HostGroup> findMirrors(llvm::ArrayRef<mlir::Value> members, mlir::func::FuncOp function);

} // namespace npcc
#endif

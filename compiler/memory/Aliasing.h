#ifndef NPCC_COMPILER_MEMORY_ALIASING_H
#define NPCC_COMPILER_MEMORY_ALIASING_H
#include "dialects/Np/Np.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

// One model of which arrays share memory, for arrays of the np form (`!np.array`), for memrefs of the loop form, and
// for what npcc-fuse mixes of both.

/// The array that `array` is a view of: through np.view and np.reshape, and through memref.reinterpret_cast,
/// memref.cast, memref.subview and np.rebase, which are what views are in the loop form.
mlir::Value getRoot(mlir::Value array);

/// May two arrays, or views of them, have elements in common? `general`: in the general version of a function two
/// arguments may overlap.
bool mayAlias(mlir::Value a, mlir::Value b, bool general);

/// May the operation, or one in its regions, write elements of the array, or free it? What operations declare of their
/// effects decides; one that declares nothing may do anything.
bool mayWriteTo(mlir::Operation *op, mlir::Value array, bool general);

/// The same questions, asked many times: what was found for one is kept for the next. Between them arrays may be read
/// and stored to in other ways, but none may be made, viewed, kept or handed on anew.
class Aliasing {
public:
  explicit Aliasing(bool general) : general(general) {}

  bool mayAlias(mlir::Value a, mlir::Value b);
  bool mayWriteTo(mlir::Operation *op, mlir::Value array);
  /// May the operation, or one in its regions, write to an array that the function has not made itself?
  bool mayWriteToOthers(mlir::Operation *op);

  /// What an operation writes or frees, with those in its regions: these arrays, or any.
  struct Writes {
    llvm::SmallSetVector<mlir::Value, 4> arrays;
    bool isAnywhere = false;
  };

private:
  bool mayRootsAlias(mlir::Value a, mlir::Value b);
  /// Two arrays carried by one loop stay distinct if they start distinct and each iteration hands on every one of them
  /// at most once, and new arrays otherwise (induction over the iterations).
  bool areCarriedDistinct(mlir::Value a, mlir::Value b);
  const Writes &getWrites(mlir::Operation *op);
  /// The arguments and new arrays that a root may be.
  const llvm::SetVector<mlir::Value> &getOrigins(mlir::Value root);
  void getSources(mlir::Value root, llvm::SmallVectorImpl<mlir::Value> &sources);
  /// The operations that keep arrays in a function, or may do so in another.
  llvm::ArrayRef<mlir::Operation *> getKeeping(mlir::Operation *function);

  bool general;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, bool> answers;
  llvm::DenseMap<mlir::Value, std::unique_ptr<llvm::SetVector<mlir::Value>>> origins;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Writes>> writes;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> keeping;
};

} // namespace npcc
#endif

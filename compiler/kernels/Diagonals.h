#ifndef NPCC_COMPILER_KERNELS_DIAGONALS_H
#define NPCC_COMPILER_KERNELS_DIAGONALS_H
#include "compiler/kernels/PositionBounds.h"
#include "dialects/Np/Memory.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// A loop in the outer one of a nest, or statements between such loops.
struct DiagonalGroup {
  mutable mlir::scf::ForOp loop; // null: statements, of which `at` + `shift` is the position j
  llvm::SmallVector<mlir::Operation *> statements;
  mlir::Value at;
  int64_t shift = 0;
};

/// A loop of the host with loops in it: what their iterations (i, j) access, and whether diagonals t = a i + j keep the
/// order of all accesses that meet.
class DiagonalNest {
public:
  DiagonalNest(mlir::scf::ForOp outer, bool general) : outer(outer), general(general) {}

  /// False if the nest holds what one kernel for each diagonal could not.
  bool collect();
  /// The least factor a, or nothing if there is none.
  std::optional<int64_t> findFactor();
  /// a i + j of a group's iterations.
  LinearForm getDiagonal(const DiagonalGroup &group, int64_t factor);
  /// Whether nobody sees what was stored when an error ends the function.
  bool losesStores();

  llvm::SetVector<mlir::Operation *> prefix; // numbers that follow from i
  llvm::SmallVector<DiagonalGroup> groups;
  llvm::SmallVector<np::AllocOp> temporaries;
  llvm::SmallVector<mlir::Operation *> checks;

private:
  struct Access {
    mlir::Value memory;
    llvm::SmallVector<LinearForm> positions;
    bool isStore;
    size_t group;
  };

  static LinearForm getLeafForm(mlir::Value leaf);
  bool isInner(mlir::scf::ForOp loop);
  bool isPrefix(mlir::Operation *op);
  /// Statements are the iteration behind the loop before them, or the one ahead of the loop after them.
  bool placeStatements();
  bool collectAccesses();
  bool add(mlir::Operation *op, const DiagonalGroup &group, size_t number);
  bool addAccess(mlir::Value memory, mlir::ValueRange indices, bool isStore, size_t group);
  LinearForm getPosition(const DiagonalGroup &group);
  bool isKnown(const LinearForm &form, mlir::Value position);
  /// What `position` was where `stored`, which it is alone in, is equal to `given`.
  std::optional<LinearForm> solve(const LinearForm &stored, const LinearForm &given, mlir::Value position);
  /// A sum that depends on i, at another i.
  std::optional<LinearForm> moveTo(const LinearForm &form, const LinearForm &i);
  bool isAtLeast(const LinearForm &form, int64_t bound);
  bool isAtMost(const LinearForm &form, int64_t bound);
  bool differ(const LinearForm &a, const LinearForm &b);
  /// Whether the group has no iteration (i, j).
  bool isOutside(const DiagonalGroup &group, const LinearForm &i, const LinearForm &j);
  /// Whether `other`, in its iteration, meets what `store` has stored or will store only if diagonals have these two
  /// iterations in the program's order.
  bool isOrdered(const Access &store, const Access &other, int64_t factor);

  mlir::scf::ForOp outer;
  bool general;
  llvm::SmallVector<Access> accesses;
};

} // namespace npcc
#endif

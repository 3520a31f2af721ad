#ifndef NPCC_COMPILER_NP_PRECOMPUTATION_H
#define NPCC_COMPILER_NP_PRECOMPUTATION_H
#include "compiler/np/Statements.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"

namespace npcc {

/// What an iteration of a loop computes, and what could be computed before the loop as well: it depends on the position
/// and on what nothing in the loop changes. So it is, too, where the iterations go over the rows (or columns, or parts
/// along another axis) of an array, and each changes its own one, after it has been read. Where a value is more than
/// operations without effects (a matrix that is filled in loops), the statements that make it can be (Statements.h).
class Precomputation {
public:
  Precomputation(mlir::scf::ForOp loop, bool general) : statements(loop, general), loop(loop), general(general) {}

  /// Whether `value` can be. Positions that it takes are inside of arrays as far as `limits` say.
  bool canEmit(mlir::Value value);
  /// The same of what an array holds when `at` is reached.
  bool canEmitContents(mlir::Value array, mlir::Operation *at);
  /// Whether `value` is the same in all iterations.
  bool isInvariant(mlir::Value value) { return !dependsOnPosition(value) && canEmit(value); }

  /// Begins anew, for another value or in other code.
  void forget() {
    statements.forget();
    limits.clear();
    emittable.clear();
    moving.clear();
  }

  /// Makes the value where the builder stands; `known` has the position of the loop there, and what was made already.
  mlir::Value emit(mlir::Value value, mlir::IRMapping &known, mlir::OpBuilder &builder);
  mlir::Value emitContents(mlir::Value array, mlir::IRMapping &known, mlir::OpBuilder &builder);

  /// What must be emitted before the values are.
  Statements statements;

  /// Extents that the loop's position was compared with: a value is computed for positions below all of them.
  llvm::SmallVector<mlir::Value> limits;

private:
  bool dependsOnPosition(mlir::Value value);
  bool canEmitAnew(mlir::Value value);
  /// The axes of `root` along which a view of it has one element, at the position of the loop.
  llvm::SmallBitVector getOwnAxes(mlir::Value array, mlir::Value root);
  bool isChangedByItsIterationOnly(mlir::Value array, mlir::Value root, mlir::Operation *at);
  bool isPosition(mlir::Value index);

  mlir::scf::ForOp loop;
  bool general;
  llvm::DenseMap<mlir::Value, bool> emittable, moving; // what was found
};

/// Whether all that uses a new array before `at`, which is in the array's block or below it, only gives it other names.
bool isUntouchedBefore(mlir::Value array, mlir::Operation *at, bool mayLoad);

} // namespace npcc
#endif

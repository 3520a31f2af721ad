#ifndef NPCC_COMPILER_NP_STATEMENTS_H
#define NPCC_COMPILER_NP_STATEMENTS_H
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// Statements of a loop's iteration, loops and branches among them, that can run in another loop before it: they store
/// into arrays of the iteration's own, and read what nothing in the loop changes, the position, and such arrays.
///
/// What they check is not checked there: an error must not come before what earlier iterations do. So the statements
/// stay in the loop as well, and the copies go on with any number, or at the beginning of an axis where an index is
/// outside.
class Statements {
public:
  Statements(mlir::scf::ForOp loop, bool general) : loop(loop), general(general) {}

  /// Takes all that makes the elements which an array of the iteration's own has when `at` is reached. False where
  /// something else decides them, and from then on.
  bool takeContents(mlir::Value root, mlir::Operation *at);
  /// Takes what makes an operation's results.
  bool take(mlir::Operation *op);
  void forget() {
    taken.clear();
    checking.clear();
    checkedExtents.clear();
    hasFailed = false;
  }

  bool isEmpty() const { return taken.empty(); }
  bool has(mlir::Value root) const { return root.getDefiningOp() && taken.contains(root.getDefiningOp()); }
  /// Whether the value is an array that each iteration makes.
  bool isOwn(mlir::Value root);

  /// The arrays that the statements make.
  llvm::SmallVector<mlir::Value> getArrays();

  /// Extents of axes whose indices are checked. There are copies only where none is 0.
  llvm::SetVector<mlir::Value> checkedExtents;

  /// Makes copies where the builder stands, in their order. `known` has the position of the loop there, and arrays that
  /// take the place of own ones.
  void emit(mlir::IRMapping &known, mlir::OpBuilder &builder);
  /// Erases those that check nothing and that nothing else in the loop needs.
  void eraseUnused();

private:
  bool takeValue(mlir::Value value);
  bool takeCheck(mlir::Operation *check, mlir::Operation *at);
  bool takeRead(mlir::Value array, mlir::Operation *at);
  /// The statements of the body, in order, that may write to an own array.
  llvm::SmallVector<mlir::Operation *> getWriters(mlir::Value root);
  llvm::SmallVector<mlir::Operation *> inOrder();

  mlir::scf::ForOp loop;
  bool general, hasFailed = false;
  llvm::SetVector<mlir::Operation *> taken, checking; // in the loop's body, not below it; those with checks
};

/// The array that views and reshapes of arrays are made of.
mlir::Value getNamed(mlir::Value array);

} // namespace npcc
#endif

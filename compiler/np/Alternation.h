#ifndef NPCC_COMPILER_NP_ALTERNATION_H
#define NPCC_COMPILER_NP_ALTERNATION_H
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// A loop whose arrays may get a second one each, so that iterations take turns between them (npcc-alternate-arrays).
/// Alternation.cpp says whether they may, AlternateArrays.cpp makes the loop of turns.
class Alternation {
public:
  /// Of an scf.for or an scf.while.
  Alternation(mlir::Operation *loop, ExtentOrigins &origins);

  /// Whether there is an array that gains by it, and nothing stands against it.
  bool isPossible();
  void makeTurns();

private:
  bool isRotated();
  bool isOutside(mlir::Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool collectAccesses();
  /// Whether what goes round can be handed on by either turn.
  bool canHandOn();
  /// Loads, stores and extents of the array, or of views of it, in the loop's body, and nothing else.
  bool isPlain(mlir::Value array, bool isRoot);
  /// Whether a store leaves out no more than a few elements along each axis, as far as extents tell.
  bool coversNearly(np::StoreOp store, mlir::Value root);
  bool readsElsewhere(mlir::Value root, np::StoreOp store);
  bool gains(mlir::Value root);
  bool canHoist(mlir::Value value);
  /// A number of the body as a value before the loop; conditions of checks on the way are added.
  mlir::Value hoist(mlir::OpBuilder &at, mlir::Value value);
  void require(mlir::OpBuilder &at, mlir::Value condition);
  /// An iteration: what is new of the arrays is stored as a whole. Gives what it hands on.
  llvm::SmallVector<mlir::Value> emitTurn(mlir::OpBuilder &at, mlir::IRMapping mapping,
                                          llvm::ArrayRef<mlir::Value> from, llvm::ArrayRef<mlir::Value> to,
                                          bool isFirst);
  void emitCopies(mlir::OpBuilder &at, llvm::ArrayRef<mlir::Value> from, llvm::ArrayRef<mlir::Value> to);
  void emitPairs(mlir::OpBuilder &at, mlir::scf::ForOp counted, llvm::ArrayRef<mlir::Value> second);
  void emitWhile(mlir::OpBuilder &at, mlir::scf::WhileOp conditional, llvm::ArrayRef<mlir::Value> second);
  llvm::SmallVector<mlir::Value> emitChoice(mlir::OpBuilder &at, const mlir::IRMapping &mapping, mlir::Value isSecond,
                                            llvm::ArrayRef<mlir::Value> second, llvm::ArrayRef<mlir::Value> cells);
  llvm::SmallVector<mlir::Value> makeCells(mlir::OpBuilder &at, mlir::TypeRange types);
  void handOn(mlir::OpBuilder &at, llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<mlir::Value> cells);
  llvm::SmallVector<mlir::Value> receive(mlir::OpBuilder &at, mlir::ValueRange numbers,
                                         llvm::ArrayRef<mlir::Value> cells);

  mlir::Operation *loop;
  mlir::Block *body;
  ExtentOrigins &origins;
  mlir::Location loc;
  llvm::SmallVector<np::LoadOp> loads;
  llvm::SmallVector<mlir::Operation *> stores;     // in the order of the body
  llvm::SmallVector<mlir::Operation *> lateChecks; // behind the first store
  llvm::SmallSetVector<mlir::Value, 4> arrays;     // that get a second one
  mlir::IRMapping hoisted;
  mlir::Value isFine;                     // what must hold before the loop; null: nothing
  llvm::SmallVector<mlir::Value> results; // of the loop that was made
};

/// The array that a load reads, or that a store writes.
mlir::Value getAccessed(mlir::Operation *access);

} // namespace npcc
#endif

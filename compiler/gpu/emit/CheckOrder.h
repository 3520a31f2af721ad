#ifndef NPCC_COMPILER_GPU_EMIT_CHECKORDER_H
#define NPCC_COMPILER_GPU_EMIT_CHECKORDER_H
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Iteration.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

namespace npcc::cuda {

/// Where the checks of a kernel are in an iteration, as digits of one number, so that any two of them can be compared.
/// For each level of nested blocks there are two: which of its block's statements with checks one is in, and the
/// position of the loop that this statement is. A digit has one base for all checks of the kernel: the most statements
/// of a block of that level, and the most iterations of a loop. Loops whose ends the kernel computes share what a place
/// has room for.
class CheckOrder {
public:
  explicit CheckOrder(np::KernelOp kernel);

  /// Emits the np.iteration of a check, whose digits are the kernel's positions (or what an np.iteration in the kernel
  /// says), and behind them those above. `values` are what the emitted code has for the kernel's.
  void emit(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *check, mlir::IRMapping &values);
  /// The numbers of statements with checks in the kernel's own block, and of places in each of them.
  int64_t countStatements() { return roots[kernel.getBody()].levels.front().statements; }
  mlir::Value emitPlacesOfStatement(mlir::OpBuilder &builder, mlir::Location loc);

private:
  struct Level {
    int64_t statements = 1;
    llvm::SmallVector<mlir::Operation *> loops;
  };
  /// The kernel's body, or a block with an np.iteration, from which on places are counted.
  struct Root {
    llvm::SmallVector<Level> levels;
  };
  struct Statement {
    mlir::Block *root = nullptr;
    unsigned level = 0;
    int64_t number = 0;
  };
  using Map = llvm::function_ref<mlir::Value(mlir::Value)>;

  void visit(mlir::Block &block, const llvm::DenseSet<mlir::Operation *> &holders, mlir::Block *root, unsigned level);
  /// The base of the digit of loops of each level; null where there are none.
  llvm::SmallVector<mlir::Value> emitBases(IndexMath m, const Root &root, mlir::ValueRange iterations, Map map);
  /// The iterations of the loops, where the kernel does not compute them; null otherwise.
  mlir::Value emitMost(IndexMath m, llvm::ArrayRef<mlir::Operation *> loops, Map map);

  np::KernelOp kernel;
  llvm::DenseMap<mlir::Block *, Root> roots;
  llvm::DenseMap<mlir::Operation *, Statement> statements;
};

/// A check that all threads make alike: those that fail end there.
void endAtCheck(mlir::Operation *check);

} // namespace npcc::cuda
#endif

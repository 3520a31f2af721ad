#ifndef NPCC_COMPILER_GPU_EMIT_MATRIXTEAM_H
#define NPCC_COMPILER_GPU_EMIT_MATRIXTEAM_H
#include "compiler/kernels/IndexMath.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace npcc::cuda {

/// A matrix of a team in shared memory. Rows are an odd number of elements apart, so that the lanes of a warp that go
/// down a column use all banks.
struct MatrixTile {
  mlir::Value memory; // of all teams of the block
  mlir::Value first;  // where this team's part begins
  int64_t rows, columns;
  bool isTransposed = false; // for load and store alone

  static int64_t getStep(int64_t columns) { return columns | 1; }
  mlir::Value getPlace(IndexMath math, mlir::Value row, mlir::Value column) const;
  mlir::Value load(IndexMath math, mlir::Value row, mlir::Value column) const;
  void store(IndexMath math, mlir::Value value, mlir::Value row, mlir::Value column) const;
  MatrixTile transpose() const;
};

/// Factors and solutions of a small matrix by neighbouring lanes of a warp, at least one for each row. All lanes of the
/// warp come here together. The same operations in the same order as in runtime/cuda/kernels/small.cu.
class MatrixTeam {
public:
  /// `thread`: the number of the thread in the block. `lanes`: of a team, a power of two up to 32.
  MatrixTeam(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value thread, int64_t lanes);

  /// P A = L U with ones on the diagonal of L, in place; `sides` (a column of the right sides is a row of it) become
  /// the solution. Whether there is one.
  mlir::Value solve(const MatrixTile &a, const MatrixTile &sides);
  /// The factors in place; the sign of P into `parity`.
  void factorise(const MatrixTile &a, const MatrixTile &parity);
  /// A = L L^H: the lower triangle becomes L. Whether there is one.
  mlir::Value cholesky(const MatrixTile &a);

  /// Waits for the other lanes of the warp, and sees what they have stored.
  void synchronise();

private:
  struct Elimination {
    mlir::Value isSingular, isOdd;
  };
  Elimination eliminate(const MatrixTile &a, const MatrixTile *sides, bool withSides);
  mlir::Value findPivot(const MatrixTile &a, mlir::Value step);
  void swapRows(const MatrixTile &a, const MatrixTile *sides, mlir::Value one, mlir::Value other);
  /// The lane has a column of the right sides, from the factors on.
  void substituteByColumns(const MatrixTile &a, const MatrixTile &sides);
  /// The lane has a row of them, behind the elimination, which has done the first half.
  void substituteByRows(const MatrixTile &a, const MatrixTile &sides);
  /// x[i] = x[i] - factor(i) * y(i) for i from `from` to below `to`, several at once.
  void subtractProducts(mlir::Value from, mlir::Value to, llvm::function_ref<mlir::Value(mlir::Value)> load,
                        llvm::function_ref<void(mlir::Value, mlir::Value)> store,
                        llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::Value)> getFactors);
  void loop(mlir::Value from, mlir::Value to, int64_t step, llvm::function_ref<void(mlir::Value)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// As often as there are lanes' shares of `count`: for each number of this lane's.
  void share(int64_t count, llvm::function_ref<void(mlir::Value)> body);
  mlir::Value isLess(mlir::Value a, mlir::Value b);

  mlir::Value subtractProduct(mlir::Value from, mlir::Value a, mlir::Value b);
  mlir::Value divide(mlir::Value a, mlir::Value b);
  mlir::Value conjugate(mlir::Value a);
  mlir::Value realOf(mlir::Value a);
  mlir::Value ofReal(mlir::Value a, mlir::Type type);
  /// As LAPACK compares pivots.
  mlir::Value sizeOf(mlir::Value a);
  mlir::Value real(mlir::Type type, double value);

  IndexMath m() { return {builder, loc}; }
  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t lanes;
  mlir::Value lane, firstOfTeam;
};

} // namespace npcc::cuda
#endif

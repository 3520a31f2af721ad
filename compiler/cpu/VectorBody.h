#ifndef NPCC_COMPILER_CPU_VECTORBODY_H
#define NPCC_COMPILER_CPU_VECTORBODY_H
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Kernels.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {

/// Straight code that is computed for several neighbouring positions at once: what depends on the position becomes
/// vectors, the rest stays as it is, once. For npcc-vectorize-rows and npcc-vectorize-columns.
class VectorBody {
public:
  /// As many elements are computed as whole vectors: fewer are expressions (npcc-expand-reductions), of more a loop is
  /// as good.
  static constexpr int64_t leastElements = 5, mostElements = 32;
  /// Of the code, which has a copy for each vector.
  static constexpr int64_t mostOperations = 32;

  explicit VectorBody(mlir::Value position) : position(position) {}

  /// Elements that vectors are made of.
  static bool isElement(mlir::Type type);
  bool varies(mlir::Value value) const { return value == position || varying.contains(value); }
  void setVarying(mlir::ValueRange values) { varying.insert_range(values); }

  /// Whether the operation has a form for vectors: elements that lie side by side, and functions of elements. To be
  /// asked in the order of the code.
  bool take(mlir::Operation *op);
  /// The operation for the `width` positions from the one that `map` has for the position.
  void emit(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &map, int64_t width) const;
  /// A value of it as a vector.
  mlir::Value emitWhole(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &map, int64_t width) const;

private:
  bool isAlong(mlir::Value memref, mlir::ValueRange indices) const;

  mlir::Value position;
  llvm::SmallDenseSet<mlir::Value> varying; // values that depend on the position
};

/// The vectors of `count` elements: where each begins, and its width, a power of two. 13 are 8, 4 and 1.
llvm::SmallVector<std::pair<int64_t, int64_t>> getVectorParts(int64_t count);
/// Whether a loop goes from 0 in steps of 1.
bool isFromZero(mlir::scf::ParallelOp loop);

} // namespace npcc
#endif

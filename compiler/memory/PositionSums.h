#ifndef NPCC_COMPILER_MEMORY_POSITIONSUMS_H
#define NPCC_COMPILER_MEMORY_POSITIONSUMS_H
#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace npcc {

/// An expression of positions and extents as a sum of multiples of values and a constant.
struct PositionSum {
  int64_t constant = 0;
  llvm::SmallMapVector<mlir::Value, int64_t, 4> factors;

  void add(const PositionSum &other, int64_t times);
  void addTerm(mlir::Value value, int64_t factor);
};

/// What positions and extents are: index, or the 64 bits of Python's integers.
bool isPosition(mlir::Type type);

/// a - b, or a where there is no b; nothing where it is too long.
std::optional<PositionSum> getDifference(mlir::Value a, mlir::Value b);

/// The least that a sum is in any iteration of the loops around: every loop's position at the end of its range that
/// makes it least. What is left does not change in these loops.
std::optional<PositionSum> getLeast(PositionSum sum);

/// The least that a - b is.
std::optional<PositionSum> getLeastDifference(mlir::Value a, mlir::Value b);

} // namespace npcc
#endif

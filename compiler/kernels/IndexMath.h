#ifndef NPCC_COMPILER_KERNELS_INDEXMATH_H
#define NPCC_COMPILER_KERNELS_INDEXMATH_H
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace npcc {

/// Integer arithmetic on `index` values that folds what it can.
struct IndexMath {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value constant(int64_t value) const;
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  mlir::Value add(mlir::Value a, int64_t b) const { return b ? add(a, constant(b)) : a; }
  mlir::Value sub(mlir::Value a, int64_t b) const { return b ? sub(a, constant(b)) : a; }
  mlir::Value mul(mlir::Value a, int64_t b) const { return b == 1 ? a : mul(a, constant(b)); }
  /// Of numbers that are not negative.
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  mlir::Value rem(mlir::Value a, mlir::Value b) const;
  /// The same of numbers that 32 bits hold, such as those of threads in a block: on a GPU a division of these is several
  /// times less code.
  mlir::Value narrowDiv(mlir::Value a, mlir::Value b) const;
  /// Of numbers of elements: 1 where there are none.
  mlir::Value product(mlir::ValueRange numbers) const;
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b) const;
  mlir::Value min(mlir::Value a, mlir::Value b) const;
  mlir::Value max(mlir::Value a, mlir::Value b) const;
  mlir::Value bitAnd(mlir::Value a, mlir::Value b) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;
  mlir::Value either(mlir::Value a, mlir::Value b) const;
  mlir::Value truth(bool value) const;
  /// Whether a number is a multiple of a power of two.
  mlir::Value isMultiple(mlir::Value number, int64_t power) const;
  /// The position from the start of one that counts from the end of `extent` elements where it is negative.
  mlir::Value fromStart(mlir::Value position, mlir::Value extent) const;
  /// The same, or 0 where that is outside: what code goes on with behind a check that has failed.
  mlir::Value fromStartOrFirst(mlir::Value position, mlir::Value extent) const;
  /// The positions of the element with this number, in C order: numpy.unravel_index.
  llvm::SmallVector<mlir::Value> unravel(mlir::Value number, mlir::ValueRange extents) const;
  /// The least power of two that is at least `a`, at least `least` and at most `most` (both powers of two).
  mlir::Value powerOfTwo(mlir::Value a, int64_t least, int64_t most) const;
};

} // namespace npcc
#endif

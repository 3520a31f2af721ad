#ifndef NPCC_COMPILER_MEMORY_BRANCHFACTS_H
#define NPCC_COMPILER_MEMORY_BRANCHFACTS_H
#include "compiler/memory/PositionSums.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace npcc {

/// What is known of positions where an operation runs, because of the branches that it stands in:
///
///   scf.if %y < 0 or %y + %b > %h { } else {
///     ...                                        // %y is at least 0, %h - %y - %b is at least 0
///   }
///
/// Comparisons of integers, and what `and`, `or` and `not` make of them, also as branches that give a truth value. The
/// facts of a block are kept: who asks may replace values, but erases none before it has asked all.
class BranchFacts {
public:
  /// greater - less >= by; `less` is null where it is 0.
  struct Fact {
    mlir::Value greater, less;
    int64_t by;
  };

  llvm::ArrayRef<Fact> at(mlir::Operation *op);

  /// Sums each of which is the least that a - b is where `user` runs, in any iteration of the loops around: by itself,
  /// and as more than what a fact says of another difference. a - b is at least what any of them is.
  llvm::SmallVector<PositionSum> getLeastDifferences(mlir::Operation *user, mlir::Value a, mlir::Value b);

private:
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Fact, 0>> known;
};

} // namespace npcc
#endif

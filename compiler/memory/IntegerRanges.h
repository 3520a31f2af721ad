#ifndef NPCC_COMPILER_MEMORY_INTEGERRANGES_H
#define NPCC_COMPILER_MEMORY_INTEGERRANGES_H
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include <functional>

namespace npcc {

/// The ranges of a function's integers, by one run of upstream's analysis, which asks the operations.
class IntegerRanges {
public:
  /// What is known of a parameter; nothing by default.
  using Parameters = std::function<std::optional<mlir::ConstantIntRanges>(mlir::BlockArgument)>;

  explicit IntegerRanges(mlir::func::FuncOp function, Parameters parameters = {});

  /// Of an integer or an index.
  mlir::ConstantIntRanges lookup(mlir::Value value) const;
  /// Whether a condition is the same whatever the program's numbers are.
  std::optional<bool> decide(mlir::Value condition) const;

private:
  mlir::DataFlowSolver solver;
  bool works;
};

/// Whether a condition is the same whatever the numbers are, as the operations tell that it is computed by, which are
/// followed as far as to control flow. It costs no run of the analysis.
std::optional<bool> decideByRanges(mlir::Value condition);

} // namespace npcc
#endif

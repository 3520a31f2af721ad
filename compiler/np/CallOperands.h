#ifndef NPCC_COMPILER_NP_CALLOPERANDS_H
#define NPCC_COMPILER_NP_CALLOPERANDS_H
#include "compiler/np/Precomputation.h"

namespace npcc {

/// What a call is given of each iteration, and the array of all of them.
struct CallOperand {
  mlir::Value mine; // of the iteration: a value of np.sort, an array of a routine
  mlir::Value root; // the new array in the loop that a routine writes into, or null
  bool isShared = false;
  mlir::Value whole;                      // what `all` has one of for each iteration: `mine`, or of views `root`
  llvm::SmallVector<mlir::Value> extents; // of it
  mlir::Value all;
};

/// A flag, or two extents that are broadcast.
using Condition = llvm::SmallVector<mlir::Value>;

/// The operands of a call that npcc-raise-calls makes for all iterations of a loop, and the loop that computes them.
class CallOperands {
public:
  CallOperands(mlir::scf::ForOp loop, Precomputation &what, int64_t mostAxes)
      : loop(loop), what(what), mostAxes(mostAxes) {}

  void clear() {
    operands.clear();
    guards.clear();
  }
  /// Whether there may be an axis more.
  bool hasRoom(mlir::Value operand);
  /// An extent that is the same in all iterations; null if none is found.
  mlir::Value findExtent(mlir::OpBuilder &at, mlir::Value value, int64_t axis);
  /// Whether no two operands are one array that statements store into.
  bool areStoredApart();

  /// The loop that computes what the call is given, for `count` iterations from `begin` on.
  void emit(mlir::Value begin, mlir::Value count, mlir::OpBuilder builder);
  mlir::Value emitCondition(const Condition &condition, mlir::IRMapping &known, mlir::OpBuilder &builder);

  llvm::SmallVector<CallOperand> operands;
  llvm::SmallVector<Condition> guards; // what checks an iteration makes before it comes to the call

private:
  /// The array that is the operand but for axes of one, if statements of the iteration store into it; else null.
  mlir::Value getStored(CallOperand &operand);
  bool isGiven(CallOperand &operand);
  void emitStored(CallOperand &operand, mlir::Value row, mlir::IRMapping &known, mlir::OpBuilder &builder);
  void expand(mlir::Value array, mlir::Value count, mlir::scf::ForOp first, mlir::IRMapping &known,
              mlir::OpBuilder &builder);
  mlir::Value emitZeros(CallOperand &operand, mlir::OpBuilder &builder);

  mlir::scf::ForOp loop;
  Precomputation &what;
  int64_t mostAxes;
  mlir::Location loc = loop.getLoc();
};

/// A contiguous array of elements as this type has them.
np::ArrayType getContiguousType(mlir::Type type, llvm::ArrayRef<int64_t> shape);

} // namespace npcc
#endif

#ifndef NPCC_COMPILER_MEMORY_FIRSTCALL_H
#define NPCC_COMPILER_MEMORY_FIRSTCALL_H
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace npcc {

/// What a function's values are in the call that it is compiled for, as far as that is known: the extents and addresses
/// of arrays and the numbers that it is given (`np.first`), and what follows from these by operations without effects.
/// For both forms.
///
/// Code may take such a value for granted, if it asks for it (`require`). What is asked for becomes a function beside
/// the compiled one, the choice function (`f.choice`), which the runtime calls with each call's arguments: where it
/// says no, other code runs. Make a new one when operations were erased.
class FirstCall {
public:
  explicit FirstCall(mlir::func::FuncOp function) : function(function) {}
  ~FirstCall();

  /// Whether anything is known of the first call.
  static bool isKnown(mlir::func::FuncOp function);

  /// A constant, or null where the value depends on more than is known.
  mlir::IntegerAttr evaluate(mlir::Value value) { return llvm::dyn_cast_if_present<mlir::IntegerAttr>(find(value)); }

  /// The extent of an argument, or of an array that is assumed to have one; null for any other.
  mlir::IntegerAttr evaluateExtent(mlir::Value array, int64_t axis);

  /// From now on this array, which a loop carries, has this extent.
  void assume(mlir::Value array, int64_t axis, mlir::Value extent);
  void forgetAssumed(mlir::Value array, int64_t axis);
  mlir::Value getAssumed(mlir::Value array, int64_t axis) const { return assumed.lookup({array, axis}); }

  /// The code is right only for calls in which this holds of values that were evaluated.
  void require(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  void requireEqual(mlir::Value value, mlir::IntegerAttr expected);

private:
  mlir::BlockArgument getArgument(mlir::Value memory);
  std::optional<int64_t> getGiven(mlir::BlockArgument argument, int64_t number);
  /// Integers may follow from floats: int(time / step).
  mlir::TypedAttr find(mlir::Value value);
  mlir::TypedAttr compute(mlir::Value value);
  mlir::TypedAttr foldOperation(mlir::Operation *op, mlir::Value value, mlir::ArrayRef<mlir::Attribute> operands);
  mlir::IntegerAttr evaluateExtent(np::AllocOp alloc, int64_t axis);
  mlir::IntegerAttr evaluateMemoryExtent(mlir::Value memref, int64_t axis);
  mlir::IntegerAttr evaluateMeeting(np::BroadcastExtentOp meet);

  /// The value for the arguments of the choice function, which has the function's own.
  mlir::Value emit(mlir::Value value, mlir::OpBuilder &builder);
  mlir::Value emitNew(mlir::Value value, mlir::OpBuilder &builder);
  mlir::func::FuncOp getGuard();
  void require(mlir::OpBuilder &builder, mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs);

  mlir::func::FuncOp function, guard;
  bool hasMadeGuard = false;
  llvm::DenseMap<mlir::Value, mlir::TypedAttr> results;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> assumed; // extents
  mlir::IRMapping mapping; // from the function's values to those of the choice function
};

} // namespace npcc
#endif

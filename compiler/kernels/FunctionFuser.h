#ifndef NPCC_COMPILER_KERNELS_FUNCTIONFUSER_H
#define NPCC_COMPILER_KERNELS_FUNCTIONFUSER_H
#include "compiler/kernels/CheckedGathers.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Extents.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Threads.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npcc {

/// The memory of an array: with strides of its own where it is not contiguous.
mlir::MemRefType getMemRefType(np::ArrayType type);

/// Makes kernels over memory of a function's values: see npcc-fuse.
class FunctionFuser {
public:
  explicit FunctionFuser(mlir::func::FuncOp function)
      : function(function), builder(function.getContext()), origins(function), general(function->hasAttr("np.general")),
        target(getTargetProperties(function)) {}

  mlir::LogicalResult run();

private:
  // Python's scalars.
  /// They are computed once, where they stand, in the register types (unsigned ones signless).
  void lowerScalars();

  // Memory.
  /// Arguments and carried arrays are memory from here on. Their array types are kept aside: element types tell bool
  /// from i8.
  void makeRootsMemory();
  void allocateNew();

  // Kernels.
  void emitGroup(SinkGroup &group);
  /// A device goes on behind a check that has failed: its kernels keep positions inside.
  ElementEmitter makeElements() {
    return ElementEmitter(builder, buffers, origins, &checkedFirst, /*goesOnBehindErrors=*/!target.hostSharesMemory);
  }
  static bool isInLoop(mlir::Operation *op);
  static bool hasReduction(mlir::Value value);
  void emitSink(ElementEmitter &elements, mlir::Operation *sink, llvm::ArrayRef<mlir::Value> position);
  /// a[i, j] = v in the order of the positions, so that the last of equal ones stays: one serial loop. Distinct
  /// positions: a kernel.
  void emitScatter(np::ScatterOp op);
  /// A kernel that makes the checks of the gather's positions, one for each axis that has some.
  void emitChecks(np::GatherOp op);
  /// NumPy looks at the positions of `x[p]` also where nothing is computed of them: where an axis of `x` that is taken
  /// whole has no elements (rows without columns), or one element is stretched to none. There, kernels of their own
  /// make the checks.
  void checkWhereNothingIsComputed(SinkGroup &group);
  void checkIfEmpty(np::GatherOp gather, np::BroadcastOp stretched, mlir::Block *block);
  void enterWhere(mlir::Value mask, mlir::Location loc, ElementEmitter &elements, llvm::ArrayRef<mlir::Value> position);
  void checkPositions(np::ScatterOp op, llvm::ArrayRef<mlir::Value> indexExtents, llvm::ArrayRef<mlir::Value> extents);
  void emitSort(np::SortOp op, mlir::Value result);
  void emitMatmul(np::MatmulOp op, mlir::Value result);
  /// Running reductions: a fold along the axis for every line.
  void emitOpaque(mlir::Operation *op, mlir::Value result);
  /// The memory of a block or a thread has a static shape; what is indexed has the type of any other array.
  void makeThreadArray(np::ThreadArrayOp op);
  /// A field lies where the first of its bytes does.
  void makeField(np::FieldOp op);
  /// What threads do with single elements: accesses where they stand.
  void lowerElements();
  void readItems();

  // Arrays that leave as descriptors: results, carried views, operands of library calls.
  mlir::Value asMemory(mlir::Value array);
  static bool isContiguousBuffer(mlir::Value memory);
  /// A strided type takes any memory; a contiguous one has no place for an offset.
  mlir::Value castTo(mlir::Location loc, mlir::Value memory, mlir::Type wanted);
  mlir::Value add(mlir::Location loc, mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Location loc, mlir::Value x, mlir::Value y);
  /// All remaining uses of arrays by control flow and returns, and the types of arguments, results and regions.
  void materializeDepartures();
  void replaceRoot(mlir::Value value, np::ArrayType type);
  void castOperands(mlir::Operation *op, llvm::MutableArrayRef<mlir::OpOperand> operands, mlir::TypeRange types);
  void fixCarriedTypes();
  np::ExtentSource traceExtent(np::ExtentSource from);
  /// np.dim of what is memory now, then everything that only values needed.
  void removeValues();

  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  ExtentOrigins origins; // asked until the arrays leave: until then values stay as they are
  bool general, failedOnce = false;
  const TargetProperties &target;
  llvm::SmallVector<std::pair<mlir::Value, np::ArrayType>> roots;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseSet<mlir::Operation *> checkedFirst, checkedWhereEmpty; // gathers
};

} // namespace npcc
#endif

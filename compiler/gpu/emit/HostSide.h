#ifndef NPCC_COMPILER_GPU_EMIT_HOSTSIDE_H
#define NPCC_COMPILER_GPU_EMIT_HOSTSIDE_H
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <map>

namespace npcc::cuda {

/// How an element type lies in memory: a complex number is two components.
struct ElementLayout {
  explicit ElementLayout(mlir::Type type);
  mlir::Type component;
  int64_t components;
  int64_t bytes; // of the whole element
};

/// The global-memory pointer of an array's first element (a host value).
mlir::Value emitFirstPointer(mlir::OpBuilder &host, mlir::Location loc, mlir::Value memref);

/// What the host computes before a launch about the memory that a kernel accesses: pointers and strides. All values are
/// made at one place, before the kernel, and become parameters when the launch is outlined.
class HostSide {
public:
  HostSide(mlir::Operation *kernel, KernelAccesses &accesses);

  IndexMath math() { return {builder, loc}; }
  mlir::OpBuilder &getBuilder() { return builder; }
  /// The value, by which the kernel's code chooses between alternatives (np.choice). A constant where the call that the
  /// code is compiled for decides it, so that what is emitted next folds.
  mlir::Value choose(llvm::StringRef what, mlir::Value value);
  /// Whether the condition holds in the call that the code is compiled for, which the code may then take for granted.
  /// Where nothing is known of a call, it is taken not to hold: this is for special cases that are worth less code, but
  /// none beside that for all cases.
  bool holdsInFirstCall(llvm::StringRef what, mlir::Value condition);
  KernelAccesses &getAccesses() { return accesses; }
  mlir::Operation *getKernel() { return kernel; }

  /// The elements between neighbours along an axis of the memref.
  mlir::Value getStride(const Stream &stream, int64_t axis);
  mlir::Value getExtent(mlir::Value memref, int64_t axis);
  /// The address (an i64 as index) and the global-memory pointer of the element where all positions from inside the
  /// kernel are 0.
  mlir::Value getAddress(const Stream &stream);
  mlir::Value getPointer(const Stream &stream);
  /// The scale of a term as an index; null: 1.
  mlir::Value getScale(const Term &term);
  /// The elements that one step of `leaf` moves in the stream.
  mlir::Value getLeafStride(const Stream &stream, mlir::Value leaf);

private:
  struct Root {
    mlir::Value address;
    llvm::SmallVector<mlir::Value> extents, strides;
  };
  Root &getRoot(mlir::Value memref);
  mlir::Value findExtent(mlir::Value memref, int64_t axis);
  bool isBeforeInsertion(mlir::Operation *op);

  mlir::Operation *kernel;
  KernelAccesses &accesses;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, Root> roots;
  llvm::SmallPtrSet<mlir::Operation *, 4> made; // extents
  std::map<unsigned, mlir::Value> addresses, pointers;
  std::map<std::pair<unsigned, void *>, mlir::Value> leafStrides;
};

/// Lanes of one thread along `position`: `width` neighbours, which one access of 16 bytes or less moves.
struct VectorMode {
  mlir::Value position; // null: no vector accesses
  int64_t width = 1;
  /// Which constant positions along the stream's unit axis start a vector: those that are `frame` modulo the width.
  int64_t frame = 0;
  /// Whether the code at hand may use vector accesses (the run-time test below holds).
  bool aligned = false;
  /// Not null: rows along `position` have so few elements that a vector goes on in the next row. `row` is the position
  /// of the rows, and `length` the elements of each; lanes are those of a few rows.
  mlir::Value row;
  int64_t length = 0;

  /// The axis of the stream along which neighbouring lanes are neighbouring elements; -1 if there is none. Rows that
  /// follow each other lie along it and the axis before.
  int64_t getUnitAxis(const Stream &stream) const;
  bool covers(const Stream &stream) const { return aligned && position && getUnitAxis(stream) >= 0; }
  /// What is constant in a position along the unit axis, counted on through the rows before.
  int64_t getConstant(int64_t unitAxis, llvm::ArrayRef<int64_t> constants) const;
};

/// The lanes along `position` that suit the element types of the streams with neighbours along it, and the frame given
/// by the first store among them, or else by the first load. Width 1 and no position: no stream moves along it one
/// element at a time.
VectorMode chooseVector(KernelAccesses &accesses, mlir::Operation *loop, mlir::Value position, int64_t maxWidth);
/// The same for rows of `length` elements each that follow each other.
VectorMode chooseVectorOfRows(KernelAccesses &accesses, mlir::Operation *loop, mlir::Value row, mlir::Value position,
                              int64_t length, int64_t maxWidth);

/// By how many elements the first vector starts before position 0, so that the frame's stream is aligned (a host value
/// in [0, width)).
mlir::Value emitShift(HostSide &host, const VectorMode &mode);
/// The run-time test for vector accesses along `mode.position`: every stream that moves along it has stride 1 there,
/// its first vector is aligned, its other strides keep it so, and all switches are 1. `extents` gives the extent of a
/// loop position, null if it is not known.
mlir::Value emitAlignmentTest(HostSide &host, const VectorMode &mode, mlir::Value shift,
                              llvm::function_ref<mlir::Value(mlir::Value)> getExtentOf);

} // namespace npcc::cuda
#endif

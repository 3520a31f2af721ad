#ifndef NPCC_COMPILER_KERNELS_ELEMENTS_H
#define NPCC_COMPILER_KERNELS_ELEMENTS_H
#include "compiler/kernels/Sinks.h"
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace npcc {

/// Computes single elements of values, asking producers for the elements they need: what fusion is here. What was
/// computed for the same position in the same (or an enclosing) scope is not computed again.
class ElementEmitter {
public:
  /// `buffers` gives the memory of arrays that have one already, `origins` is the function's. The positions of the
  /// gathers in `checked` are checked before; the code may go on behind such a check that has failed.
  ElementEmitter(mlir::OpBuilder &builder, const llvm::DenseMap<mlir::Value, mlir::Value> &buffers,
                 ExtentOrigins &origins, const llvm::DenseSet<mlir::Operation *> *checked = nullptr,
                 bool goesOnBehindErrors = false)
      : builder(builder), buffers(buffers), origins(origins), checked(checked), goesOnBehindErrors(goesOnBehindErrors) {
    scopes.emplace_back();
  }

  /// Something that has no element form was asked for; it was reported.
  bool hasFailed() const { return failed; }
  /// The element of a value (in a register: bool is i1), or a scalar as it is.
  mlir::Value emit(mlir::Location loc, mlir::Value value, mlir::ArrayRef<mlir::Value> position);
  /// The element of an array now.
  mlir::Value load(mlir::Location loc, mlir::Value array, mlir::ArrayRef<mlir::Value> position);
  /// The buffer of an array (a root, or a view of one), and the position in it.
  std::pair<mlir::Value, mlir::SmallVector<mlir::Value>> locate(mlir::Location loc, mlir::Value array,
                                                                mlir::ArrayRef<mlir::Value> position);
  /// Stores into an element of an array (a root, or a view of one).
  void store(mlir::Location loc, mlir::Value element, mlir::Value array, mlir::ArrayRef<mlir::Value> position);
  /// Code inside sees what was computed outside, not the other way round.
  void inScope(llvm::function_ref<void()> body);

  // For the operations' own code (ElementOpInterface).

  /// Stands where code of the element goes.
  mlir::OpBuilder &getBuilder() { return builder; }
  ExtentOrigins &getOrigins() { return origins; }
  /// Whether the positions of a gather were checked before.
  bool isChecked(np::GatherOp op) { return checked && checked->contains(op); }
  /// Whether positions that were checked may be outside all the same.
  bool mayGoOnBehindErrors() const { return goesOnBehindErrors; }
  /// Whether only the operand that is chosen shall be computed (see isBranch).
  bool isBranch(np::UfuncOp op) { return npcc::isBranch(op, expensive); }
  /// Reports why an element cannot be compiled; gives what may stand for it until compilation ends.
  mlir::Value refuse(mlir::Operation *producer, const llvm::Twine &what);
  mlir::Value makePoison(mlir::Location loc, mlir::Type type);
  /// The position in the source of a position in a view or a reshape of it.
  mlir::SmallVector<mlir::Value> throughView(mlir::Location loc, np::ViewOp view, mlir::ArrayRef<mlir::Value> position);
  mlir::SmallVector<mlir::Value> throughReshape(mlir::Location loc, np::ReshapeOp reshape,
                                                mlir::ArrayRef<mlir::Value> position);
  /// A contiguous array's memory with other extents, made before the kernel; null if the array is none.
  mlir::Value reshaped(mlir::Location loc, mlir::Value array, mlir::ValueRange extents);

private:
  bool failed = false;
  mlir::OpBuilder &builder;
  const llvm::DenseMap<mlir::Value, mlir::Value> &buffers;
  ExtentOrigins &origins;
  const llvm::DenseSet<mlir::Operation *> *checked;
  bool goesOnBehindErrors;
  llvm::DenseMap<mlir::Value, bool> expensive;
  /// The elements of a value that were computed, by position: those of the innermost scope last.
  struct Element {
    mlir::SmallVector<mlir::Value, 4> position;
    mlir::Value element;
  };
  llvm::DenseMap<mlir::Value, mlir::SmallVector<Element, 1>> known;
  /// The values of which each open scope computed an element, in order.
  mlir::SmallVector<mlir::SmallVector<mlir::Value>> scopes;
};

/// The extents of an array or a value, where `builder` stands.
mlir::SmallVector<mlir::Value> getResolvedExtents(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                                  ExtentOrigins &origins);

} // namespace npcc

#include "compiler/kernels/ElementInterface.h.inc"
#endif

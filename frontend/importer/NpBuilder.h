#ifndef NPCC_FRONTEND_IMPORTER_NPBUILDER_H
#define NPCC_FRONTEND_IMPORTER_NPBUILDER_H
// Builds operations of the np dialect at one place of the source: constants, loads, extents, casts, views and checks.
// It knows values and types only: nothing of Python, names or nodes.
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace npcc::frontend {

/// One axis of an index into an array, a[...].
struct AxisIndex {
  enum Kind { Position, Slice, Whole, NewAxis, Mask, Positions } kind;
  mlir::Value offset, extent, step; // Position: offset only
  mlir::Value array;                // Mask, Positions: an array reference or a tensor
  int64_t axes = 1;                 // Mask: how many axes it covers
};

class NpBuilder : public mlir::ImplicitLocOpBuilder {
public:
  explicit NpBuilder(mlir::MLIRContext *context);

  /// The function that is built.
  mlir::func::FuncOp function;
  mlir::Block *newBlock();
  /// The function is run by each thread of a grid: elements are read and stored one by one, Python's ints wrap, and
  /// nothing is checked unless `checksThreads`.
  bool isThread = false, checksThreads = false;
  bool skipsChecks() const { return isThread && !checksThreads; }

  //===---- Constants and scalars (NpBuilder.cpp) ----===//
  mlir::Value index(int64_t value);
  mlir::Value boolean(bool value);
  mlir::Value constantInteger(mlir::Type elementType, int64_t value);
  mlir::Value castTo(mlir::Value value, mlir::Type elementType);
  mlir::Value rankZero(mlir::Value scalar);
  mlir::Value item(mlir::Value rankZeroTensor);
  mlir::Value compareIndex(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right);
  /// A position, of which a negative one counts from the end; not checked.
  mlir::Value fromEnd(mlir::Value position, mlir::Value extent);
  /// Whether a 64-bit integer is within the bounds of a dtype.
  mlir::Value fits(mlir::Value number, mlir::IntegerType type);

  //===---- Arrays: one load between two stores, one operation for an extent ----===//
  mlir::Value load(mlir::Value array);
  void clobber(); // something was written: loads before it are old
  mlir::Value newArray(mlir::Value value);
  mlir::Value dim(mlir::Value shaped, int64_t axis);
  llvm::SmallVector<mlir::Value> dims(mlir::Value shaped);
  mlir::Value size(mlir::Value shaped);
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<int64_t> shape);
  mlir::Value full(mlir::Value scalar, llvm::ArrayRef<mlir::Value> extents);
  /// Operations were moved or erased: what was built may not be there any more.
  void forgetCaches();

  //===---- Checks ----===//
  void check(mlir::Value condition, llvm::StringRef error, const llvm::Twine &message, mlir::ValueRange arguments = {});
  /// A position counted from the start; IndexError if it is out of bounds (axis -1: in the words of lists).
  mlir::Value checkIndex(mlir::Value position, mlir::Value extent, int64_t axis);
  /// Set where the program catches exceptions: asked before a check is built, which it takes over by returning true.
  std::function<bool(mlir::Value condition, llvm::StringRef error, const std::string &message,
                     mlir::ValueRange arguments)>
      onCheck;
  /// Set with it: whether the program catches an error of this name here.
  std::function<bool(llvm::StringRef error, llvm::StringRef message)> isCaught;
  /// Shapes as a message has them, "({0},{1})": the extents are added to its values.
  std::string shapeText(mlir::Value of, llvm::SmallVectorImpl<mlir::Value> &extents);
  /// The same of the extents themselves.
  std::string extentText(mlir::ValueRange of, llvm::SmallVectorImpl<mlir::Value> &extents);
  /// Compares the shapes of a ufunc's operands, or of what is stored and of where to, if the program catches what they
  /// raise where they do not fit (MeetingShapes.cpp). `isOutput`: a function's output.
  void checkMeeting(llvm::ArrayRef<mlir::Value> operands);
  /// The extents that arrays broadcast to, and whether they do; both are made at run time where they are not known.
  llvm::SmallVector<mlir::Value> broadcastExtents(llvm::ArrayRef<mlir::Value> arrays, mlir::Value &doFit);
  llvm::SmallVector<mlir::Value> broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<mlir::Value>> shapes,
                                                 mlir::Value &doFit);
  void checkStored(mlir::Value stored, mlir::Value array, bool isOutput = false);
  /// The array that the ufunc at hand works in place on, whose shape such a message has too; null of others.
  mlir::Value output;
  /// A limit of compiled code that Python has not: no clause of the program takes its OverflowError. Where nobody would
  /// see that the call was made before, Python makes it again (frontend/module/function.c).
  void checkOwnLimit(mlir::Value holds, const llvm::Twine &message, mlir::ValueRange shown = {});
  /// Python's integers have no end, compiled ones do.
  void checkIn64Bits(mlir::Value fits);
  /// Fails with `words` where the array is read-only. False if it always does.
  bool checkWritable(mlir::Value array, llvm::StringRef words = "assignment destination is read-only");
  /// The parts of the kind "read_only" that it refused stores into.
  llvm::DenseSet<mlir::Operation *> refused;
  /// The same for all stores into names that control flow joined; asked once the function is complete.
  void checkHiddenViews();

  //===---- Elementwise functions and selections ----===//
  /// np.ufunc on operands of one element type.
  mlir::Value emitUfunc(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);
  /// The positions along each axis where a mask is true (numpy.nonzero).
  llvm::SmallVector<mlir::Value> positionsOf(mlir::Value mask);

  //===---- Views (Views.cpp) ----===//
  /// `isObject`: what Python makes a new object of, which also a view of everything is.
  mlir::Value makeView(mlir::Value source, llvm::ArrayRef<AxisIndex> axes, bool isObject = false);
  /// A view of all of an array that the compiled code takes for contiguous. Of a caller's array that is not so it would
  /// be a copy, which a GPU's copy of the array does not tell (npcc_param::tells_layout).
  mlir::Value viewUnlessCopied(mlir::Value source);
  /// np.part of an array.
  mlir::Value part(llvm::StringRef kind, mlir::Value source);
  mlir::Value permute(mlir::Value source, llvm::ArrayRef<int64_t> order);
  mlir::Value expandDims(mlir::Value source, llvm::ArrayRef<int64_t> positions); // positions in the result
  mlir::Value reshape(mlir::Value source, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<int64_t> shape,
                      bool ravel = false);
  /// As the program's own reshape: a copy also where the array is contiguous and NumPy's is not.
  mlir::Value reshapeAsNumpy(mlir::Value source, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<int64_t> shape,
                             bool ravel = false);
  /// All axes reversed.
  mlir::Value turned(mlir::Value source);

private:
  void enterBlock();
  /// What the block that is written holds already: one load of an array between two stores, one constant, one extent.
  mlir::Block *cacheBlock = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> loads;
  std::map<int64_t, mlir::Value> indices;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> extents;
};

} // namespace npcc::frontend
#endif

#ifndef NPCC_COMPILER_MEMORY_EXTENTS_H
#define NPCC_COMPILER_MEMORY_EXTENTS_H
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace npcc {

/// An axis of so many elements is no loop but an expression of them.
constexpr int64_t fewElements = 4;

/// Says where an extent comes from, so that two of them can be compared: a constant, an SSA value of type index, or
/// the axis of a root array or value (an argument, a loop-carried array) that nothing more is known of.
struct ExtentOrigin {
  mlir::Value value; // an index, or the root
  int64_t axis = -1; // the root's axis; -1 for an index
  int64_t constant = -1;
  bool isKnown() const { return value || constant >= 0; }
  /// The function's argument, by its number, and the axis of it whose extent this is.
  std::optional<std::pair<int64_t, int64_t>> getArgument() const;
  bool operator==(const ExtentOrigin &other) const {
    return value == other.value && axis == other.axis && constant == other.constant;
  }
};

/// An array, or a value, that goes round a loop.
struct CarriedArray {
  mlir::Value inside;
  mlir::Value result; // null for what only the condition of a `while` has
  llvm::SmallVector<mlir::Value> incoming;
  mlir::Value getInit() const { return incoming.front(); }
  /// What may be there in the next iteration.
  llvm::ArrayRef<mlir::Value> getHandedOn() const { return llvm::ArrayRef(incoming).drop_front(); }
};

/// Those of one loop with axes; none of an operation that is no loop.
mlir::SmallVector<CarriedArray> getCarriedArrays(mlir::Operation *loop);

/// The extents of arguments that a version of a function takes for equal, as argument, axis, argument, axis, ...: those
/// of `np.guards`, which every call is asked for, and those of `np.equal_extents`, which the choice function asks for.
/// -1 and a constant may be in the place of the first two.
llvm::SmallVector<int64_t> getEqualExtents(mlir::func::FuncOp function);

/// The extent in the first call, where it is known.
std::optional<int64_t> getInFirstCall(mlir::func::FuncOp function, const ExtentOrigin &extent);

/// The operand that np.alloc was given for an axis of this memory; null where the type says the extent, and for other
/// memory.
mlir::Value getAllocatedExtent(mlir::Value memref, int64_t axis);

/// Follows extents to their origins through everything that keeps them, and remembers what it found. It is an analysis
/// of a function: passes get it by `getAnalysis<ExtentOrigins>()`, and it is there for the next pass as long as none
/// has changed the function. A pass that goes on to ask while it changes it makes sure that it stays right, as it does
/// while operations are added: who changes the operands or the type of a value that it was asked for, or erases one,
/// calls `forget`.
class ExtentOrigins {
public:
  ExtentOrigins() = default;
  /// With the equal extents of the function that `op` stands in. After npcc-resolve-extents the operands of an
  /// elementwise function agree, so any of them will do (`isResolved`).
  explicit ExtentOrigins(mlir::Operation *op);
  /// An array carried through a loop has the extents it came with if every iteration hands on one of the same extents,
  /// and an array that a branch gives has those that both sides have. All are assumed to, over all loops and branches
  /// at once, and dropped when they are disproved, until nothing changes. Those that change are then assumed to be
  /// equal to each other, in the same way. True if all loops keep the extents of all arrays. `isOptimistic`: as if they
  /// did.
  bool resolveLoops(mlir::func::FuncOp function, bool isOptimistic = false);
  ExtentOrigin of(mlir::Value value, int64_t axis);
  ExtentOrigin ofIndex(mlir::Value index);
  /// Takes an origin for equal to another one from now on.
  void unify(const ExtentOrigin &origin, const ExtentOrigin &with);
  bool isUnified(const ExtentOrigin &origin) const { return unified.contains({origin.value, origin.axis}); }
  /// What is taken for equal.
  using Origins = llvm::DenseMap<std::pair<mlir::Value, int64_t>, ExtentOrigin>;
  const Origins &getUnified() const { return unified; }
  void setUnified(Origins origins);
  /// Follows everything anew: values have changed.
  void forget() { known.clear(); }
  void forget(mlir::Value value);

private:
  Origins known;   // what was found
  Origins assumed; // instead of the origins of loop-carried arrays
  Origins unified;
  bool isResolved = false;
  /// Whose loops are resolved when the first array that one of them carries is asked for.
  mlir::func::FuncOp unresolved;
  ExtentOrigin follow(mlir::Value value, int64_t axis);
  /// An axis of an array that is one of several: what a loop carries, or what a branch gives.
  struct JoinedAxis {
    CarriedArray array;
    int64_t axis;
    llvm::SmallVector<mlir::Value> incoming; // what it may be; what has a value comes first
    bool isKept;                             // as long as it is assumed to have the extent of the first of those
    /// Where it stands: only what stands in one place can have the extent of another one there.
    void *place() const;
  };
  llvm::DenseMap<mlir::Value, const JoinedAxis *> unset; // those without a value on some path, while loops are resolved
  llvm::DenseMap<mlir::Value, unsigned> setClasses;      // of these: equal for those that are set on the same paths
  static void appendJoined(llvm::SmallVectorImpl<JoinedAxis> &joined, const CarriedArray &array);
  static llvm::SmallVector<JoinedAxis> collectJoined(mlir::func::FuncOp function);
  void assume(const CarriedArray &array, int64_t axis, const ExtentOrigin &inside, const ExtentOrigin &result);
  void findUnset(llvm::ArrayRef<JoinedAxis> joined);
  void classifyUnset(llvm::ArrayRef<JoinedAxis> joined);
  unsigned setClassOf(mlir::Value value) const;
  using JoinedKey = std::vector<std::tuple<unsigned, const void *, int64_t, int64_t>>;
  JoinedKey keyOf(const JoinedAxis &entry);
  void shareChanging(llvm::ArrayRef<JoinedAxis> joined);
};

/// From now on the extents of two arguments, or of one and a constant, are one: `origins` has it for both, and `guards`
/// the pair, as `np.guards` says it. False where they were one already.
bool takeForEqual(ExtentOrigins &origins, ExtentOrigin one, ExtentOrigin other, llvm::SmallVectorImpl<int64_t> &guards);

/// The extent as an SSA value that dominates `value`.
mlir::Value materializeExtent(mlir::OpBuilder &builder, mlir::Location loc, const ExtentOrigin &origin);

} // namespace npcc
#endif

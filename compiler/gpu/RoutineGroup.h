#ifndef NPCC_COMPILER_GPU_ROUTINEGROUP_H
#define NPCC_COMPILER_GPU_ROUTINEGROUP_H
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "llvm/ADT/SetVector.h"

namespace npcc::cuda {

/// A routine that factorises each small matrix of a stack, and the kernels and other routines beside it in its block
/// that have to do with these matrices, one matrix with one position of their first axis.
class RoutineGroup {
public:
  RoutineGroup(np::RoutineOp routine, FirstCall &first, bool general);

  /// Whether the routine is one that a kernel can do, of matrices that are small enough.
  bool isSmall() const { return !factors.empty(); }
  /// Takes neighbours in as long as there are such.
  void grow(bool takesRoutines);
  bool isAlone() const { return members.size() == 1; }
  /// Makes one kernel of all; false if the team's arrays do not fit into shared memory, and then nothing is changed.
  bool enclose();
  const llvm::SmallVectorImpl<mlir::Operation *> &getMembers() const { return members; }

private:
  /// A routine of the group.
  struct Factor {
    np::RoutineOp routine;
    int64_t rows;        // or columns, or whatever a lane has one of: the most
    mlir::Value matrix;  // what the routine only reads and its tile does not keep, if that is no array of the group's
    unsigned copy = 0;   // then the number of the team's array that it is copied to
    int64_t scratch = 0; // elements that the team works with besides
  };
  /// An element of an array by positions in it, behind that of the kernel's first axis.
  using Place = llvm::SmallVector<mlir::Value>;
  struct Access {
    mlir::Operation *op;
    mlir::Value memory;
    mlir::ValueRange indices;
    bool isStore;
  };
  /// How the axes of a view behind the first one lie in those of the array.
  struct RowView {
    np::AllocOp array;
    llvm::SmallVector<llvm::SmallVector<int64_t>> axes; // of the array, which each axis of the view moves along
  };
  /// An array of which each position has its own row.
  struct Rows {
    np::AllocOp array;
    mlir::Type element;
    llvm::SmallVector<int64_t> shape; // of a row
    bool isFilledBefore = false, isReadBehind = false;
    mlir::Value tile; // the team's
  };

  /// Matrices of up to 4 rows are straight code (library/small_matrices.py); a lane of a warp has a row of larger ones.
  static constexpr int64_t mostRows = 32;

  static bool mayFail(np::RoutineOp routine);
  /// The array that this is a view of, also one that a reshape may have given.
  static mlir::Value getBase(mlir::Value memory);
  static int64_t countScratch(Factor &factor, int64_t lanes);
  bool areMany(mlir::Value stack, int64_t rows);
  std::optional<Factor> inspect(np::RoutineOp routine);
  std::optional<int64_t> getKnown(mlir::Value extent);
  mlir::Value getExtent(mlir::Value memory, int64_t axis);
  bool isCount(mlir::Value extent);
  std::optional<RowView> getRowView(mlir::Value memory);
  std::optional<RowView> getRowView(mlir::memref::ReinterpretCastOp cut);
  bool isWhole(RowView view);
  bool mayMove(mlir::Operation *op);
  static llvm::SmallVector<Access> getAccesses(mlir::Operation *member);
  bool isInRow(const Access &access);
  std::optional<bool> relate(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> between);
  bool isSimple(np::KernelOp kernel);
  mlir::Operation *findNeighbour(mlir::Operation *op, bool forward);
  bool isReadBehind(np::AllocOp array, np::RoutineOp routine);
  bool findRows();
  bool addRows(np::AllocOp array, mlir::Type element, llvm::ArrayRef<int64_t> shape, bool isNeeded);
  bool addOperand(Factor &factor, mlir::Value memory);
  void addOwnRows();
  void findUsers(mlir::Value memory, Rows &rows);
  void gatherBetween();
  void emitWalk(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value position,
                llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);
  void emitMember(mlir::OpBuilder &builder, np::KernelOp kernel, np::KernelOp fused);
  void emitRoutine(mlir::OpBuilder &builder, const Factor &factor, np::KernelOp fused);
  void useTiles(mlir::Operation *op);
  Rows *lookup(mlir::Value memory);

  np::RoutineOp routine;
  FirstCall &first;
  bool general;
  int64_t rows = 0;  // the most of all routines
  mlir::Value count; // of matrices
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<mlir::Operation *> members; // in order
  llvm::SmallVector<Rows> arrays;
  int64_t bytes = 0;                    // of a team's arrays
  llvm::SmallVector<mlir::Value> known; // extents that the code takes for granted
};

} // namespace npcc::cuda
#endif

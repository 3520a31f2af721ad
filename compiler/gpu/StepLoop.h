#ifndef NPCC_COMPILER_GPU_STEPLOOP_H
#define NPCC_COMPILER_GPU_STEPLOOP_H
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/Accesses.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

using np::Runner;

/// A loop of the host that one kernel may run: see npcc-enclose-steps.
class StepLoop {
public:
  /// Of an scf.for or an scf.while. `asWritten` is the loop that the host runs where no other version does, if that is
  /// another one.
  explicit StepLoop(mlir::Operation *loop, mlir::Operation *asWritten = nullptr)
      : loop(loop), asWritten(asWritten ? asWritten : loop), builder(loop), loc(loop->getLoc()) {}

  /// Whether all of an iteration is something that a block can do, and of known bounds.
  bool canEnclose();
  /// Versions: the one of rows, the block's, where the work is small, the grid's, and the loop as it is. After
  /// canEnclose.
  void enclose();
  /// One version for a loop of one iteration, the block's, where the work is small; it is the kernels that are launched
  /// otherwise.
  void encloseOnce();
  /// Whether threads of a block that runs a loop can do what the operation does.
  static bool isThreadOperation(mlir::Operation *op);
  /// Whether nobody but the loop knows the array that goes in.
  bool isPrivate(mlir::Value init);
  /// A kernel that copies arrays of the same extents, each to its place, which np.alloc makes, also where one is
  /// another's place.
  static np::KernelOp emitCopy(mlir::OpBuilder &at, mlir::Location loc, mlir::ValueRange from, mlir::ValueRange to);

private:
  IndexMath math() { return {builder, loc}; }
  const Tuning &tuning() { return getTargetProperties(loop).tuning; }

  // What goes round: the values before the loop, at the beginning of an iteration, and those that an iteration hands
  // on.
  mlir::ValueRange getInits();
  mlir::Block::BlockArgListType getCarried();
  mlir::ValueRange getYielded();
  /// The block that the loop's arrays are made in.
  mlir::Block *getBody();
  /// Which of the carried values it is: also behind the condition of a `while`, which hands them to the body.
  std::optional<unsigned> getNumber(mlir::Value value);
  /// The carried values that the loop gives.
  std::optional<unsigned> getNumberOfResult(unsigned result);

  /// Arrays that go from one iteration to the next are new ones of the same extents each time, and the one before is
  /// given back. Numbers may go round.
  bool canCarry();
  bool canCarry(unsigned number, mlir::MemRefType type);
  /// The array that a `while` makes before its condition and gives as this result: its body gives it back, or hands it
  /// on.
  np::AllocOp getMade(unsigned result);
  np::AllocOp getMade(mlir::Value memref);
  /// Whether a carried array is kept for the end of a `while`: without an iteration it is the result itself, which
  /// others may know.
  bool isKept(unsigned number);
  /// Whether an iteration reads a carried array, or its extents. What is bound for the first time in the loop is only
  /// replaced: before there is an array of no elements, or any other.
  bool isRead(unsigned number);
  /// Whether an iteration may store to the array that goes in by another name. A copy that is made of it before the
  /// loop would not show that.
  bool isChanged(unsigned number);
  /// The places that an array goes through before it has this one.
  llvm::SmallVector<unsigned> getChain(unsigned number);
  /// The new array that takes the place of a carried one, at once or after some moves.
  np::AllocOp getNext(mlir::Value memref);
  /// Memory before the loop for each array that it carries, with the elements of the first; null for numbers.
  llvm::SmallVector<mlir::Value> emitCarried(llvm::ArrayRef<mlir::Value> buffers);
  /// One of two arrays; the other one is given back.
  mlir::Value emitChoice(mlir::Value condition, mlir::Value array, mlir::Value other);
  /// Memory before the loop for each number that it gives; null for those that nobody uses, and for arrays.
  llvm::SmallVector<mlir::Value> emitNumbers();
  /// The loop in the kernel: numbers go round, arrays stay where they are and take the new elements when an iteration
  /// ends.
  void carryIn(mlir::Operation *copy, llvm::ArrayRef<mlir::Value> arrays, llvm::ArrayRef<mlir::Value> numbers);
  /// Arrays that go round have two places in the grid's kernel, and take turns (StepTurns.cpp).
  void takeTurns(np::KernelOp kernel);
  /// A kernel of a loop that one block runs, as an inner loop of it (ShareRows.cpp).
  static void shareOut(np::KernelOp inner, np::KernelOp block);
  /// A product as a kernel, an element of which is a sum.
  void expandProduct(np::CallMatmulOp product);
  /// Whether extents are what the kernel's code takes them for.
  mlir::Value emitIsPossible();
  /// Whether the work of an iteration is as much as one block does while the others would wait for each other, and as
  /// much as the grid does while launches cost more; null where the grid is no choice. Whether there are rows enough,
  /// or so short ones, that blocks with rows of their own are faster than either; null where rows are not independent.
  struct Costs {
    mlir::Value suitRows, suitBlock, suitGrid;
  };
  Costs emitCosts();
  /// Whether the block needs less time for one iteration than the launches of its kernels would.
  mlir::Value emitSuitsOnce();
  /// Elements times operations that the block goes through in an iteration.
  mlir::Value emitBlockWork();
  /// Whether an iteration needs nothing of other rows than its own, in all arrays that the loop writes.
  bool hasOwnRows();
  /// The axis of the array that the access goes along with the kernel's first one, and nothing else.
  static std::optional<unsigned> getRowAxis(np::KernelOp kernel, const KernelAccess &access);
  /// The number of rows, and whether all kernels have so many.
  mlir::Value emitRowCount();
  mlir::Value emitRowsAgree();
  /// How long a loop inside usually is: half of the most where that changes with the iterations.
  mlir::Value emitUsual(mlir::Value bound);
  /// Elements times operations of one iteration of a kernel.
  mlir::Value emitWork(mlir::Block &body);
  /// What the grid would go through while it waits for the running totals of an iteration of a kernel.
  mlir::Value emitFoldWork(np::KernelOp kernel);
  /// Whether all iterations launch the same kernels with the same parameters, but for arrays that change places: the
  /// runtime then sends them as a graph (runtime/cuda/Replay.h).
  bool isReplayed();
  /// Whether a kernel is of rows: a graph of launches is faster than the grid then, which has not the best code for
  /// them.
  bool hasKernelsOfRows();
  /// Whether an iteration has no long serial part, and the extents that positions are checked against are known.
  bool suitsGrid();
  /// How many blocks have something to do in the largest loop of an iteration.
  mlir::Value emitBlocks();
  /// The loop as one kernel, and what it gives.
  llvm::SmallVector<mlir::Value> emitKernel(Runner runner);
  /// An extent that does not change, as a value before the loop.
  std::optional<mlir::Value> emitFixed(mlir::Value extent, bool dry = false);
  /// The extent of an array in the loop, as a value before it.
  mlir::Value emitExtent(mlir::Value memref, int64_t axis);
  bool isOwn(mlir::Value value);
  /// Memory that is there before the loop, or is made in it.
  bool isMemory(mlir::Value memref);
  /// A view of memory that does not change with the iterations.
  bool isView(mlir::Operation *op);
  bool isAccess(mlir::Operation *op);
  bool isControl(mlir::Operation *op);
  bool isHostCode(mlir::Operation *op);
  /// An extent that does not change from one iteration to the next.
  bool isFixed(mlir::Value extent);
  bool isThreadCode(np::KernelOp kernel);
  /// A value before the loop that is never less than `value` in it.
  std::optional<mlir::Value> emitBound(mlir::Value value, bool dry = false);
  /// Whether no iteration makes a carried number larger, such as the length of an array that gets shorter.
  bool getsNoMore(unsigned number);
  /// Whether everything that must have a bound has one.
  bool bounds();
  /// Of the kernel and all loops in it.
  static llvm::SmallVector<mlir::Value> getInnerBounds(np::KernelOp kernel);

  mlir::Operation *loop, *asWritten;
  mlir::Value hasRun;             // in memory: whether a `while` had an iteration; null where nobody asks
  llvm::SmallVector<bool> isUsed; // the results, before there are versions
  int64_t waits = 0;              // for elements that the host reads in an iteration
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// In the version at hand: what copies one array's new elements to where it stays, at the end of an iteration.
  llvm::SmallVector<np::KernelOp> copies;
  llvm::SmallVector<np::KernelOp> kernels;
  llvm::SmallVector<np::AllocOp> allocs;
  llvm::SmallVector<np::BroadcastExtentOp> meetings;
  llvm::SmallVector<np::CallMatmulOp> products;
  llvm::SmallSetVector<mlir::Value, 4> checkedExtents;
};

} // namespace npcc
#endif

#ifndef NPCC_COMPILER_GPU_EMIT_BODYEMITTER_H
#define NPCC_COMPILER_GPU_EMIT_BODYEMITTER_H
#include "compiler/gpu/emit/CheckOrder.h"
#include "compiler/gpu/emit/HostSide.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Matrices.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace npcc::cuda {

/// One of several iterations that a thread computes together.
struct Lane {
  mlir::IRMapping values;
  /// Loop positions as a base that lanes share and this lane's constant distance from it.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, int64_t>> positions;
};
using Lanes = llvm::MutableArrayRef<Lane>;

/// Emits a kernel's body as thread code, for several iterations ("lanes") at once, operation by operation: first the operation for every
/// lane, then the next operation. So loads of neighbouring lanes meet and become one vector access, a load that another lane
/// has made already is not made again (rows of a stencil, an operand that is broadcast), and what is the same for all lanes is computed once.
///
/// Before (two lanes along %j):           After:
///   %x = memref.load %a[%i, %j]            %p = llvm.getelementptr %a_pointer[%i * %stride + %j]
///   %y = math.exp %x                       %v = llvm.load %p {alignment = 16} : vector<2xf64>
///   memref.store %y, %b[%i, %j]            %x0 = vector.extract %v[0]   %x1 = vector.extract %v[1]
///                                          %y0 = math.exp %x0           %y1 = math.exp %x1
///                                          llvm.store (vector.from_elements %y0, %y1), %q {alignment = 16}
class BodyEmitter {
public:
  BodyEmitter(HostSide &host, mlir::OpBuilder &builder, mlir::Location loc);
  virtual ~BodyEmitter() = default;

  /// All operations of the block but the terminator.
  void emitBlock(mlir::Block &block, Lanes lanes);
  /// Sets the position `value` of a lane to `base` + `distance`.
  void setPosition(Lane &lane, mlir::Value value, mlir::Value base, int64_t distance);
  /// The kernel's iteration with this number, in C order.
  void emitIteration(np::KernelOp kernel, mlir::Value number);
  /// Before code that what was loaded so far does not dominate.
  void forget() { loaded.clear(); }
  IndexMath math() { return {builder, loc}; }

  VectorMode vector;
  /// What tests of positions give in the code at hand, whose iterations are inside all borders.
  llvm::DenseMap<mlir::Operation *, bool> assumed;
  /// Stores outside inner parallel loops happen where this holds (null: always).
  mlir::Value leader;
  /// A thread that runs what the host would have run ends where a check fails: nothing of its loop comes after.
  bool endsAtChecks = false;

protected:
  void emitOp(mlir::Operation &op, Lanes lanes);
  /// An inner parallel loop. Here: a sequential loop in each thread, for all lanes at once, unrolled.
  virtual void emitParallel(mlir::scf::ParallelOp op, Lanes lanes);

  /// Before and after an operation of a block, for all lanes.
  virtual void prepare(mlir::Operation &op) {}
  virtual void finish(mlir::Operation &op) {}

  struct Point; // where an access of a lane is
  Point getPoint(const KernelAccess &access, Lane &lane);
  bool hasPoint(const KernelAccess &access, Lane &lane);
  mlir::Value emitAddress(const Point &point);
  virtual void emitLoad(mlir::memref::LoadOp op, Lanes lanes);
  void loadAhead(mlir::memref::LoadOp op, Lanes lanes);
  mlir::Operation *getNext(mlir::Operation *op);
  virtual void emitStore(mlir::memref::StoreOp op, Lanes lanes);
  /// What the lanes store is what they would load next.
  void setStored(mlir::memref::StoreOp op, Lanes lanes);
  /// An update that threads may make at once. Here: in global memory.
  virtual void emitUpdate(mlir::memref::AtomicRMWOp op, Lanes lanes);
  mlir::Value emitScalarLoad(const Point &point);
  mlir::Value emitScalarLoad(const KernelAccess &access, Lane &lane);
  void emitScalarStore(const Point &point, mlir::Value value);

  void emitIf(mlir::scf::IfOp op, Lanes lanes);
  /// A sequential loop. Here: in each thread, for all lanes at once.
  virtual void emitFor(mlir::scf::ForOp op, Lanes lanes);
  /// A fold: only where an emitter knows how (kernels of kind scan).
  virtual void emitFold(np::FoldOp op, Lanes lanes);
  /// Factors of a matrix, by the threads of a team: only where an emitter has teams for it (EmitMatrices.cpp).
  virtual void emitFactor(np::FactorOp op, Lanes lanes);
  void emitRegions(mlir::Operation &op, Lane &lane);
  void emitCopies(mlir::Operation &op, Lanes lanes);
  void emitSequential(mlir::scf::ParallelOp op, unsigned dimension, Lanes lanes, llvm::SmallVector<mlir::Value> &accumulators);
  /// A sequential loop in each thread. `emitBody` emits the code of an iteration at a position, and replaces what is carried.
  void emitLoop(mlir::Value from, mlir::Value to, mlir::Value step, llvm::SmallVector<mlir::Value> &carried,
                llvm::function_ref<void(mlir::Value, llvm::SmallVector<mlir::Value> &)> emitBody);
  /// The body of an inner loop for several iterations. What they give is folded into the accumulators, which are one or more for each
  /// result: those of iteration k go round with them.
  void emitIterations(mlir::scf::ParallelOp op, Lanes iterations, llvm::MutableArrayRef<mlir::Value> accumulators);
  /// Folds what `scf.reduce` of `op` takes from a lane into `accumulators` (one for each result).
  void emitCombine(mlir::scf::ParallelOp op, Lane &lane, llvm::MutableArrayRef<mlir::Value> accumulators);
  mlir::Value emitCombine(mlir::Region &combiner, mlir::Value left, mlir::Value right);
  /// Whether the kernel loads elements that the memref may hold, under whatever name: what one thread stores there
  /// others may be about to load.
  bool isLoaded(mlir::Value memref);
  /// What the host and constants give is defined outside the kernel and stands for itself.
  bool isUniform(mlir::Value value, Lanes lanes);

  HostSide &host;
  std::optional<CheckOrder> checkOrder; // once there is a check
  KernelAccesses &accesses;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Bases of positions numbered as they come, so that keys (and with them the order of the code) are the same in every run.
  int64_t getNumber(mlir::Value base) { return numbers.insert({base, int64_t(numbers.size())}).first->second; }
  llvm::DenseMap<mlir::Value, int64_t> numbers;
  /// What was loaded and nothing has written since, by point: the stream's number, bases, constants.
  std::map<llvm::SmallVector<int64_t>, mlir::Value> loaded;
  /// Streams that go by the number of another one, which is at the same places in another loop.
  llvm::DenseMap<const Stream *, unsigned> sameStreams;
};

/// About how many instructions a block with its regions is: what unrolling costs.
int64_t countOps(mlir::Block &block);
/// Of one operation, without those inside.
int64_t countOp(mlir::Operation *op);
/// How many iterations to keep in flight in a loop over `body` with `lanes` lanes.
int64_t chooseUnroll(mlir::Block &body, int64_t lanes, int64_t most);
bool mayWrite(mlir::Operation *op);

} // namespace npcc::cuda
#endif

// npcc-unroll-loops: short loops of known length that accumulate parts of arrays element by element become straight
// code, which fusion sees as one expression.
//
//   scf.for %k = 0 to 9 iter_args(%y) {            %y1 = np.ufunc "add"(%y, %x[0:n])
//     %s = np.view %x offsets[%k] ...        ->    %y2 = np.ufunc "add"(%y1, %x[1:n + 1])
//     np.ufunc "add"(%y, (np.load %s)) }           ...
//
// So are sums over a neighbourhood (filters, convolutions, stencils written as loops). Each iteration went through
// memory before. Loops whose iterations store into places of their own are left alone: they are independent, and become
// one kernel as they are (npcc-merge-iterations); so are steps in time, in which the number of the iteration is no
// position.
#include "compiler/np/Passes.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace npcc {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Iterations, and operations that they make all together: what a kernel may hold.
constexpr int64_t mostIterations = 32, mostOperations = 512;

class Candidate {
public:
  explicit Candidate(scf::ForOp loop) : loop(loop) {}

  bool isShort() {
    std::optional<APInt> count = loop.getStaticTripCount();
    if (!count || count->isZero() || count->ugt(mostIterations))
      return false;
    int64_t operations = 0;
    for (Operation &op : *loop.getBody()) {
      ++operations;
      if (op.getNumRegions() || !isElementwise(&op))
        return false;
    }
    return operations * int64_t(count->getZExtValue()) <= mostOperations;
  }

  /// Whether the number of the iteration is a position in what is read, and in nothing that is stored into.
  bool movesReads() {
    follow(loop.getInductionVar());
    bool reads = false;
    for (Operation &op : *loop.getBody()) {
      if (isa<StoreOp, StoreMaskedOp>(op) && llvm::any_of(op.getOperands(), [&](Value operand) {
            return isa<ArrayType>(operand.getType()) && moving.contains(operand);
          }))
        return false;
      reads |= isa<ViewOp>(op) && moving.contains(op.getResult(0));
    }
    return reads;
  }

private:
  static bool isElementwise(Operation *op) {
    return isa<UfuncOp, ViewOp, LoadOp, NewOp, StoreOp, CastOp, BroadcastOp, BroadcastExtentOp, ItemOp, CheckIndexOp,
               AssertOp, DimOp, FullOp, ReshapeOp, scf::YieldOp>(op) ||
           op->hasTrait<OpTrait::ConstantLike>() || isa<arith::ArithDialect>(op->getDialect()) || isa<FitsOp>(op);
  }

  /// Positions that the value decides, and views at them.
  void follow(Value value) {
    if (!moving.insert(value).second)
      return;
    for (Operation *user : value.getUsers())
      if (isa<ViewOp, CheckIndexOp>(user) || isa<arith::ArithDialect>(user->getDialect()))
        for (Value result : user->getResults())
          follow(result);
  }

  scf::ForOp loop;
  llvm::SmallPtrSet<Value, 16> moving;
};

struct UnrollLoops : impl::UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) // inner loops first: then the loop around them may be short too
      if (Candidate candidate(loop); candidate.isShort() && candidate.movesReads())
        (void)loopUnrollFull(loop);
  }
};
} // namespace
} // namespace npcc

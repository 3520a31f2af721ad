// npcc-unroll-loops: short loops that add up parts of arrays, element by element, become straight code, which fusion
// makes one kernel of. As a loop, every iteration would read and write the sum in memory.
//
//   scf.for %k = 0 to 9 iter_args(%y) {            %y1 = np.ufunc "add"(%y, %x[0:n])
//     %s = np.view %x offsets[%k] ...        ->    %y2 = np.ufunc "add"(%y1, %x[1:n + 1])
//     np.ufunc "add"(%y, (np.load %s)) }           ...
//
// Such loops are filters, convolutions and stencils. How many iterations there are must be known:
// * it is a constant,
// * or it follows from extents, such as those of a filter's weights,
// * or, where slices move from iteration to iteration (x[r + d : r + d + n]), from integers that the function is given,
//   such as the radius of a neighbourhood: then it is what it is in the call that the code is compiled for
//   (compiler/memory/FirstCall.h).
//
// Two kinds of loops are left alone. In one, iterations store into places of their own: they are independent, and
// become one kernel as they are (npcc-merge-iterations). The other goes in steps of time: its counter is no position.
#include "compiler/memory/FirstCall.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
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
constexpr int64_t mostIterations = 32, mostOperations = 4096;

class Candidate {
public:
  Candidate(scf::ForOp loop, FirstCall *first) : loop(loop), first(first) { follow(loop.getInductionVar()); }

  bool isShort() {
    int64_t operations = 0;
    for (Operation &op : *loop.getBody()) {
      ++operations;
      if (op.getNumRegions() || !isElementwise(&op))
        return false;
    }
    std::optional<int64_t> count = getCount();
    return count && *count > 0 && *count <= mostIterations && operations * *count <= mostOperations;
  }

  /// Whether the number of the iteration is a position in what is read, and in nothing that is stored into.
  bool movesReads() {
    bool reads = false;
    for (Operation &op : *loop.getBody()) {
      if (isa<StoreOp, StoreMaskedOp>(op) && llvm::any_of(op.getOperands(), [&](Value operand) {
            return isa<ArrayType>(operand.getType()) && moving.contains(operand) && !isOwn(operand);
          }))
        return false;
      // Loops over elements are as long as data is: how long in the first call says little.
      bool isPart = isa<ViewOp>(op) && moving.contains(op.getResult(0));
      reads |= isPart && (loop.getStaticTripCount() || getRank(op.getResult(0).getType()) > 0);
    }
    return reads;
  }

  void unroll() {
    OpBuilder builder(loop);
    for (OpOperand *bound : {&loop.getLowerBoundMutable(), &loop.getUpperBoundMutable()})
      if (!getConstantIntValue(bound->get())) {
        IntegerAttr known = first->evaluate(bound->get());
        first->requireEqual(bound->get(), known);
        bound->set(arith::ConstantOp::create(builder, loop.getLoc(), known));
      }
    (void)loopUnrollFull(loop);
  }

private:
  /// A view of an array that the iteration makes.
  bool isOwn(Value array) {
    while (auto view = array.getDefiningOp<ViewOp>())
      array = view.getSource();
    return array.getDefiningOp<EmptyOp>() && loop.getBody() == array.getParentBlock();
  }

  std::optional<int64_t> getCount() {
    if (std::optional<APInt> count = loop.getStaticTripCount())
      return count->getActiveBits() < 63 ? std::optional<int64_t>(count->getZExtValue()) : std::nullopt;
    std::optional<int64_t> lower = getBound(loop.getLowerBound()), upper = getBound(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step <= 0)
      return std::nullopt;
    return *upper > *lower ? llvm::divideCeilSigned(*upper - *lower, *step) : 0;
  }

  /// A constant, or what extents alone make in the first call. Integers that the function is given are others in each
  /// call more often, if they say how many elements or steps there are, and rarely if how many neighbours.
  std::optional<int64_t> getBound(Value bound) {
    if (std::optional<int64_t> known = getConstantIntValue(bound))
      return known;
    llvm::SmallPtrSet<Value, 16> asked;
    if (!first || !(isOfExtents(bound, asked) || movesSlices()))
      return std::nullopt;
    IntegerAttr known = first->evaluate(bound);
    return known ? std::optional(known.getInt()) : std::nullopt;
  }
  /// Many operations may have one operand, which is `asked` once: the first that is of something else decides.
  static bool isOfExtents(Value value, llvm::SmallPtrSet<Value, 16> &asked) {
    if (!asked.insert(value).second)
      return true;
    Operation *op = value.getDefiningOp();
    return op && (isa<DimOp>(op) ||
                  llvm::all_of(op->getOperands(), [&](Value operand) { return isOfExtents(operand, asked); }));
  }

  /// Whether the iteration decides where a part of an axis begins, and not only which element of one is taken.
  bool movesSlices() {
    return llvm::any_of(loop.getBody()->getOps<ViewOp>(), [&](ViewOp view) {
      return llvm::any_of(view.getAxes(),
                          [&](int64_t axis) { return axis >= 0 && moving.contains(view.getOffsets()[axis]); });
    });
  }

  static bool isElementwise(Operation *op) {
    return isa<UfuncOp, ViewOp, LoadOp, NewOp, EmptyOp, StoreOp, CastOp, BroadcastOp, BroadcastExtentOp, ItemOp,
               CheckIndexOp, AssertOp, DimOp, FullOp, ReshapeOp, scf::YieldOp>(op) ||
           op->hasTrait<OpTrait::ConstantLike>() || isa<arith::ArithDialect>(op->getDialect()) || isa<FitsOp>(op);
  }

  /// Positions that the value decides, and views at them.
  void follow(Value value) {
    if (!moving.insert(value).second)
      return;
    for (Operation *user : value.getUsers())
      if (isa<ViewOp, CheckIndexOp>(user) || isa<arith::ArithDialect>(user->getDialect()) ||
          (isa<UfuncOp>(user) && user->getResult(0).getType().isInteger())) // a shift of np.roll
        for (Value result : user->getResults())
          follow(result);
  }

  scf::ForOp loop;
  FirstCall *first;
  llvm::SmallPtrSet<Value, 16> moving;
};

struct UnrollLoops : impl::UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(cast<ModuleOp>(getOperation()).getOps<func::FuncOp>()))
      if (!function.isDeclaration() && !function->hasAttr("np.thread"))
        runOn(function);
  }

  void runOn(func::FuncOp function) {
    for (scf::ForOp loop : getLoops(function)) { // inner loops first: then the loop around them may be short too
      std::optional<FirstCall> first; // what is unrolled is erased
      if (FirstCall::isKnown(function))
        first.emplace(function);
      if (Candidate candidate(loop, first ? &*first : nullptr); candidate.isShort() && candidate.movesReads())
        candidate.unroll();
    }
  }
};
} // namespace
} // namespace npcc

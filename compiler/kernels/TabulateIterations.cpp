// npcc-tabulate-iterations: numbers that take long to compute, and that follow from a loop's counter alone, are
// computed once for each iteration, and not by every element that goes through the loop.
//
//   np.kernel (%i) = (%n) {                          %table = np.alloc(%m)
//     scf.for %t = %c0 to %m step %c1 {              np.kernel (%t) = (%m) { store (math.powf %b, %t), %table[%t] }
//       %p = math.powf %b, float(%t)          ->     np.kernel (%i) = (%n) {
//       ... %p ... %x[%i] ...                          scf.for %t = %c0 to %m step %c1 {
//     }                                                  %p = memref.load %table[%t]
//   }                                                    ... %p ... %x[%i] ...
//
// Checks of such numbers go with them, if there are no others, whose order would show. Not inside loops of the host: a
// table for each of their iterations is a launch more for each.
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Iteration.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_TABULATEITERATIONS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Functions that are many instructions, and divisions of float64.
bool takesLong(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp>(op))
    return op->getResult(0).getType().isF64();
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp, math::TruncOp, math::RoundOp, math::RoundEvenOp,
              math::CopySignOp, math::FmaOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::CtPopOp>(op);
}

class Tabulator {
public:
  Tabulator(KernelOp kernel, scf::ForOp loop) : kernel(kernel), loop(loop), builder(kernel), loc(loop.getLoc()) {}

  void apply() {
    bool isKnown = isInvariant(loop.getLowerBound(), kernel) && isInvariant(loop.getUpperBound(), kernel) &&
                   getConstantIntValue(loop.getStep()) == 1 && loop.getInductionVar().getType().isIndex();
    if (!isKnown || !collect())
      return;
    IndexMath m{builder, loc};
    Value count = m.max(m.sub(loop.getUpperBound(), loop.getLowerBound()), m.constant(0));
    DenseMap<Value, Value> tables;
    for (Value value : wanted)
      tables[value] =
          AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, inMemory(value)), ValueRange{count});
    emitTables(count, tables);
    for (Operation *check : checks)
      check->erase();
    builder.setInsertionPointToStart(loop.getBody());
    Value position = IndexMath{builder, loc}.sub(loop.getInductionVar(), loop.getLowerBound());
    for (Value value : wanted) {
      Value loaded = memref::LoadOp::create(builder, loc, tables[value], ValueRange{position});
      if (loaded.getType() != value.getType())
        loaded = arith::TruncIOp::create(builder, loc, value.getType(), loaded);
      value.replaceUsesWithIf(loaded, [&](OpOperand &use) { return !own.contains(use.getOwner()); });
    }
  }

private:
  /// What follows from the counter alone, and of that what is worth a table; false if nothing is.
  bool collect() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (isOwn(&op))
        own.insert(&op);
    bool holdsOthers = false;
    kernel.walk([&](Operation *op) {
      if (!isa<AssertOp, CheckIndexOp>(op))
        return;
      bool canMove = isa<AssertOp>(op) && op->getParentOp() == loop &&
                     llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand); });
      canMove ? checks.push_back(op) : void(holdsOthers = true);
    });
    if (holdsOthers)
      checks.clear();
    for (Operation *op : own) {
      bool isCostly =
          takesLong(op) || llvm::any_of(op->getOperands(), [&](Value operand) { return costly.contains(operand); });
      if (isCostly)
        costly.insert_range(op->getResults());
    }
    for (Operation *op : own)
      for (Value result : op->getResults())
        if (costly.contains(result) && llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !own.contains(user) && !llvm::is_contained(checks, user);
            }))
          wanted.push_back(result);
    if (wanted.empty())
      checks.clear();
    return !wanted.empty() || !checks.empty();
  }

  bool isKnown(Value value) {
    Operation *maker = value.getDefiningOp();
    return isInvariant(value, kernel) || value == loop.getInductionVar() || (maker && own.contains(maker));
  }
  bool isOwn(Operation *op) {
    return isPure(op) && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
           isa<IntegerType, IndexType, FloatType, ComplexType>(op->getResult(0).getType()) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand); });
  }

  Type inMemory(Value value) { return value.getType().isInteger(1) ? builder.getI8Type() : value.getType(); }

  void emitTables(Value count, const DenseMap<Value, Value> &tables) {
    OpBuilder::InsertionGuard guard(builder);
    auto made = KernelOp::create(builder, loc, ValueRange{count});
    builder.setInsertionPointToStart(made.getBody());
    Value position = made.getInductionVars()[0];
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), IndexMath{builder, loc}.add(position, loop.getLowerBound()));
    for (Operation &op : loop.getBody()->without_terminator())
      if (own.contains(&op) || llvm::is_contained(checks, &op))
        builder.clone(op, mapping);
    for (Value value : wanted) {
      Value result = mapping.lookup(value);
      if (result.getType().isInteger(1))
        result = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), result);
      memref::StoreOp::create(builder, loc, result, tables.lookup(value), ValueRange{position});
    }
  }

  KernelOp kernel;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  llvm::SetVector<Operation *> own; // what follows from the counter alone, in order
  llvm::DenseSet<Value> costly;     // of these, what is computed of something that takes long
  SmallVector<Value> wanted;        // of these, what others need
  SmallVector<Operation *> checks;  // that go along
};

struct TabulateIterations : impl::TabulateIterationsBase<TabulateIterations> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<std::pair<KernelOp, scf::ForOp>> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](KernelOp kernel) {
      if (!kernel.isUnit() && !kernel->getParentOfType<LoopLikeOpInterface>())
        for (auto loop : kernel.getBody()->getOps<scf::ForOp>())
          loops.emplace_back(kernel, loop);
      return WalkResult::skip();
    });
    for (auto [kernel, loop] : loops)
      Tabulator(kernel, loop).apply();
  }
};
} // namespace
} // namespace npcc

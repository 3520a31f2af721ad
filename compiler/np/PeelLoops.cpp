// npcc-peel-loops: the first iteration of a loop stands by itself, where it is another one than all that follow: what
// they know of the name that it binds.
//
//   total = 0                                      scf.if (0 < %n) {
//   for k in range(n):                               %t1 = np.ufunc "add"(0, %x0)
//     total = total + x[k]                           scf.for %k = 1 to %n iter_args(%t = %t1) {
//                                                      np.ufunc "add"(%t, %x)
//   scf.for %k = 0 to %n                             }
//       iter_args(%kind = 0, %t = poison) {  ->    } else { kind 0 }
//     scf.if (%kind == 0) {
//       np.ufunc "add"(0, %x)
//     } else { np.ufunc "add"(%t, %x) }
//     scf.yield 1, ...
//   }
//
// A name that is a number (or None) first and an array from the first iteration on has its kind carried along with it.
// As a branch in each iteration, that decides between two arrays, it hides which extents the carried one has, and that
// all iterations are alike. The body is there twice; its other side is in neither.
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_PEELLOOPS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Operations of a body, which is there twice.
constexpr int64_t mostOperations = 1024;

bool holdsArrays(scf::IfOp branch) {
  auto isArray = [](Type type) { return isa<ArrayType>(type); };
  return llvm::any_of(branch->getResultTypes(), isArray) ||
         branch
             ->walk([&](Operation *op) {
               return llvm::any_of(op->getOperandTypes(), isArray) ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Whether a branch over arrays asks for the number.
bool decides(Value number) {
  return llvm::any_of(number.getUsers(), [&](Operation *user) {
    if (auto branch = dyn_cast<scf::IfOp>(user))
      return branch.getCondition() == number && holdsArrays(branch);
    return isa<arith::CmpIOp, arith::XOrIOp, arith::TruncIOp>(user) && decides(user->getResult(0));
  });
}

/// What integers of an iteration are, given what some that it carries are.
class Evaluation {
public:
  void set(Value value, Attribute is) { known[value] = is; }

  /// Nothing where that is not known.
  Attribute evaluate(Value value) {
    auto [found, isNew] = known.try_emplace(value);
    if (!isNew || !value.getDefiningOp())
      return found->second;
    Attribute result = compute(cast<OpResult>(value));
    return known[value] = result;
  }

private:
  Attribute compute(OpResult value) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant;
    Operation *op = value.getOwner();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      auto condition = dyn_cast_or_null<IntegerAttr>(evaluate(branch.getCondition()));
      if (!condition)
        return {};
      scf::YieldOp yield = condition.getValue().isZero() ? branch.elseYield() : branch.thenYield();
      return evaluate(yield.getOperand(value.getResultNumber()));
    }
    if (!isa<arith::ArithDialect>(op->getDialect()))
      return {};
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      if (Attribute is = evaluate(operand))
        operands.push_back(is);
      else
        return {};
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold(operands, folded)) || folded.empty())
      return {};
    if (auto same = dyn_cast<Value>(folded[value.getResultNumber()]))
      return evaluate(same);
    return cast<Attribute>(folded[value.getResultNumber()]);
  }

  llvm::DenseMap<Value, Attribute> known;
};

class Peeling {
public:
  explicit Peeling(scf::ForOp loop) : loop(loop), loc(loop.getLoc()), builder(loop) {}

  bool isUseful() {
    int64_t operations = 0;
    loop.getBody()->walk([&](Operation *) { ++operations; });
    return operations <= mostOperations && findKinds() && llvm::any_of(kinds, [&](const auto &kind) {
             auto [index, number] = kind;
             return number != getStart(index) && decides(loop.getRegionIterArg(index));
           });
  }

  void peel() {
    if (std::optional<APInt> count = loop.getStaticTripCount()) {
      if (!count->isZero())
        replaceBy(emitIterations());
      return;
    }
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value isThere = arith::CmpIOp::create(builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), isThere, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, loop.getInitArgs());
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, emitIterations());
    replaceBy(branch.getResults());
  }

private:
  /// The number that the loop begins with; nothing where that is no constant.
  IntegerAttr getStart(unsigned index) {
    IntegerAttr start;
    matchPattern(loop.getInitArgs()[index], m_Constant(&start));
    return start;
  }

  /// Finds the numbers that the first iteration hands on, and all others too.
  bool findKinds() {
    Evaluation first;
    for (auto [index, carried] : llvm::enumerate(loop.getRegionIterArgs()))
      if (IntegerAttr start = getStart(index))
        first.set(carried, start);
    for (auto [index, next] : llvm::enumerate(loop.getYieldedValues()))
      if (getStart(index))
        if (auto number = dyn_cast_or_null<IntegerAttr>(first.evaluate(next)))
          kinds[index] = number;
    while (true) { // what depends on a number that does not stay does not, either
      Evaluation later;
      for (auto [index, number] : kinds)
        later.set(loop.getRegionIterArg(index), number);
      size_t before = kinds.size();
      kinds.remove_if([&](auto &kind) { return later.evaluate(loop.getYieldedValues()[kind.first]) != kind.second; });
      if (kinds.size() == before)
        return !kinds.empty();
    }
  }

  void replaceBy(ValueRange results) {
    loop.replaceAllUsesWith(results);
    loop.erase();
  }

  /// The first iteration, and the loop over all others, in which the numbers are known.
  SmallVector<Value> emitIterations() {
    IRMapping first;
    first.map(loop.getInductionVar(), loop.getLowerBound());
    first.map(loop.getRegionIterArgs(), loop.getInitArgs());
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, first);
    SmallVector<Value> next;
    for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
      next.push_back(kinds.count(index) ? arith::ConstantOp::create(builder, loc, kinds[index])
                                        : first.lookupOrDefault(value));

    Value second = arith::AddIOp::create(builder, loc, loop.getLowerBound(), loop.getStep());
    auto rest = cast<scf::ForOp>(builder.clone(*loop));
    rest.setLowerBound(second);
    rest.getInitArgsMutable().assign(next);
    SmallVector<Value> results(rest.getResults());
    for (auto [index, number] : kinds) {
      rest.getRegionIterArg(index).replaceAllUsesWith(next[index]);
      results[index] = next[index];
    }
    return results;
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  llvm::MapVector<unsigned, IntegerAttr> kinds;
};

struct PeelLoops : impl::PeelLoopsBase<PeelLoops> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool changes = false;
    for (scf::ForOp loop : getLoops(getOperation())) // inner loops first
      if (Peeling peeling(loop); peeling.isUseful()) {
        peeling.peel();
        changes = true;
      }
    OpPassManager cleanup(func::FuncOp::getOperationName()); // the branches that are decided now
    addCleanup(cleanup);
    if (changes && failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }
};
} // namespace
} // namespace npcc

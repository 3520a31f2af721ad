// npcc-count-iterations: an integer that each iteration of a loop adds the same to is computed from the loop's position.
//
//   %n = scf.for %i = 0 to %m iter_args(%k = %first) {        scf.for %i = 0 to %m {
//     ... %k ...                                        ->      %times = %i * %step   %k = %first + %times   ... %k ...
//     scf.yield %k + %step }                                  }
//                                                             %n = %first + %m * %step
//
// Such integers are the positions of `out[k] = x; k += 1` and the lengths of lists that grow. While a loop carries one
// no iteration seems to be independent of the one before, and how long the list gets is not known before the loop ends.
// The arithmetic wraps around as that of the loop does. Loops inside others come first: what an inner loop adds is then
// the same in each iteration of the outer one.
#include "compiler/memory/Counts.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_COUNTITERATIONS
#include "compiler/np/Passes.h.inc"

using namespace mlir;

namespace {
class Counters {
public:
  explicit Counters(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  void replace() {
    for (auto [k, inside] : llvm::enumerate(loop.getRegionIterArgs())) {
      Type type = inside.getType();
      SmallVector<Value> added;
      if (!is64Bits(type))
        continue;
      Value init = loop.getInitArgs()[k], next = loop.getYieldedValues()[k];
      bool stopsAtZero = isAtLeastZero(next);
      if (!collect(next, inside, added, stopsAtZero) || added.empty() || (stopsAtZero && !isExtent(init)))
        continue;
      for (Value each : added)
        hoist(each);
      builder.setInsertionPointToStart(loop.getBody());
      inside.replaceAllUsesWith(after(init, getIteration(), added, stopsAtZero));
      builder.setInsertionPointAfter(loop);
      loop.getResult(k).replaceAllUsesWith(after(init, getIterationCount(), added, stopsAtZero));
      loop.getBody()->getTerminator()->setOperand(k, inside); // it goes round unchanged, and a canonicalisation takes it
    }
  }

private:
  static bool is64Bits(Type type) { return type.isIndex() || type.isSignlessInteger(64); }

  static bool isAtLeastZero(Value value) {
    auto most = value.getDefiningOp<arith::MaxSIOp>();
    return most && matchPattern(most.getRhs(), m_Zero());
  }

  /// Whether the number is not negative: by what it is, or because there is an array of that extent before the loop.
  bool isExtent(Value value) {
    return isCount(value) || (value.getType().isIndex() && llvm::any_of(value.getUsers(), [&](Operation *user) {
                                return isa<np::ArangeOp, np::FullOp>(user) && user->getBlock() == loop->getBlock() &&
                                       user->isBeforeInBlock(loop);
                              }));
  }

  /// Whether the value is the one that the iteration began with and what is `added`, which the loop does not change.
  /// One that stops at 0 only gets less.
  bool collect(Value value, Value inside, SmallVectorImpl<Value> &added, bool stopsAtZero) {
    while (value != inside) {
      if (stopsAtZero && isAtLeastZero(value)) {
        value = value.getDefiningOp<arith::MaxSIOp>().getLhs();
        continue;
      }
      if (auto cast = value.getDefiningOp<arith::IndexCastOp>(); cast && is64Bits(cast.getIn().getType())) {
        value = cast.getIn();
        continue;
      }
      auto sum = value.getDefiningOp<arith::AddIOp>();
      if (!sum || !loop->isProperAncestor(sum))
        return false;
      bool isLeft = isTheSame(sum.getRhs());
      if (!isLeft && !isTheSame(sum.getLhs()))
        return false;
      APInt number;
      if (stopsAtZero && !(isLeft && matchPattern(sum.getRhs(), m_ConstantInt(&number)) && number.isNegative()))
        return false;
      added.push_back(isLeft ? sum.getRhs() : sum.getLhs());
      value = isLeft ? sum.getLhs() : sum.getRhs();
    }
    return true;
  }

  /// Whether the value is one from before the loop, or is computed of such values alone, as the number of iterations of
  /// a loop inside is.
  bool isTheSame(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    return op && isPure(op) && op->getNumRegions() == 0 &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isTheSame(operand); });
  }

  /// Such a value is computed before the loop.
  void hoist(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return;
    for (Value operand : value.getDefiningOp()->getOperands())
      hoist(operand);
    value.getDefiningOp()->moveBefore(loop);
  }

  Value number(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }

  /// How many iterations came before this one.
  Value getIteration() {
    Value position = loop.getInductionVar(), lower = loop.getLowerBound(), step = loop.getStep();
    Value way = builder.createOrFold<arith::SubIOp>(loc, position, lower);
    return matchPattern(step, m_One()) ? way : arith::DivSIOp::create(builder, loc, way, step).getResult();
  }

  Value getIterationCount() {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
    Value way = builder.createOrFold<arith::SubIOp>(loc, upper, lower), zero = number(way.getType(), 0);
    way = arith::MaxSIOp::create(builder, loc, way, zero);
    return matchPattern(step, m_One()) ? way : arith::CeilDivSIOp::create(builder, loc, way, step).getResult();
  }

  /// What `init` is after so many iterations.
  Value after(Value init, Value iterations, ArrayRef<Value> added, bool stopsAtZero) {
    Type type = init.getType();
    if (iterations.getType() != type)
      iterations = arith::IndexCastOp::create(builder, loc, type, iterations);
    for (Value each : added) {
      if (each.getType() != type)
        each = builder.createOrFold<arith::IndexCastOp>(loc, type, each);
      init = builder.createOrFold<arith::AddIOp>(loc, init,
                                                 builder.createOrFold<arith::MulIOp>(loc, iterations, each));
    }
    return stopsAtZero ? arith::MaxSIOp::create(builder, loc, init, number(type, 0)).getResult() : init;
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
};

struct CountIterations : impl::CountIterationsBase<CountIterations> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      if (loop.getInductionVar().getType().isIndex() && loop.getNumResults() > 0)
        Counters(loop).replace();
    });
  }
};
} // namespace
} // namespace npcc

// npcc-ask-in-blocks: a loop that is left once a mask has no element asks the mask once in a block of iterations.
//
//   scf.while (%k = %c0, %z = %z0) {                 scf.while (%k = %c0, %z = %z0, %length = %c16) {
//     %inside = f(%z)                                  ... as before ...
//     %any = np.reduce "logical_or" %inside            scf.condition(%any and %k < %n) %k, %z, %length
//     scf.condition(%any and %k < %n) %k, %z         } do {
//   } do {                                             ... as before, to %k + 1 and %y ...
//     %y = np.new (where %inside, g(%z), %z)   ->      %more = min(%length, %n - %k - 1)
//     scf.yield %k + 1, %y                             %last = scf.for %j = 0 to %more iter_args(%x = %y) {
//   }                                                    an iteration without the question }
//                                                      scf.yield %k + 1 + %more, %last, min(2 * %length, 1024)
//                                                    }
//
// Each element that such a loop iterates has an end of its own, and the program asks whether all are done to save the
// rest. The host waits for the answer in each iteration, and each iteration goes through memory. Once the mask has no
// element, an iteration changes nothing here: it stores at elements of the mask only, hands on what it was given, and
// the mask has no element in the next one. So it does not matter when the loop is left. Iterations without a question
// between them are one kernel (npcc-interchange-loops), in which a thread has its element in registers, and leaves when
// that is done (npcc-leave-settled).
//
// Only loops of elementwise iterations, which hand on nothing else but counters that nobody needs afterwards. Where
// launches are costly only.
#include "compiler/np/MaskedIteration.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_ASKINBLOCKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Iterations of the first block behind the one that asks, and of the longest.
constexpr int64_t fewest = 16, most = 1024;

/// Makes a loop run blocks of iterations behind each that asks.
class Blocks {
public:
  explicit Blocks(MaskedIteration &iteration) : iteration(iteration), loop(iteration.getLoop()), loc(loop.getLoc()) {}

  void emit();

private:
  void addLength();
  /// The block's own array, which its iterations update (npcc-update-in-place).
  Value emitCopy(OpBuilder &builder, Value array) {
    return NewOp::create(builder, loc, LoadOp::create(builder, loc, array));
  }
  Value emitIndex(OpBuilder &builder, Value number) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), number);
  }
  /// How many iterations go on without a question: as many as the counter lets, and none if a check of the last one
  /// would fail.
  Value emitCount(OpBuilder &builder, ArrayRef<Value> next);
  /// What a counter is so many iterations later.
  Value emitCounter(OpBuilder &builder, unsigned index, Value first, Value iterations);

  MaskedIteration &iteration;
  scf::WhileOp loop;
  Location loc;
};

void Blocks::addLength() {
  OpBuilder builder(loop);
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, fewest));
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(builder.getIndexType());
  auto longer = scf::WhileOp::create(builder, loc, types, inits);
  longer.getBefore().takeBody(loop.getBefore());
  longer.getAfter().takeBody(loop.getAfter());
  longer->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Value asked = longer.getBeforeBody()->addArgument(builder.getIndexType(), loc);
  Value length = longer.getAfterBody()->addArgument(builder.getIndexType(), loc);
  longer.getConditionOp().getArgsMutable().append(asked);
  builder.setInsertionPoint(longer.getYieldOp());
  Value twice = arith::AddIOp::create(builder, loc, length, length);
  Value limit = arith::ConstantIndexOp::create(builder, loc, most);
  longer.getYieldOp().getResultsMutable().append(arith::MinSIOp::create(builder, loc, twice, limit).getResult());
  loop.replaceAllUsesWith(longer.getResults().drop_back());
  loop.erase();
  loop = longer;
}

Value Blocks::emitCounter(OpBuilder &builder, unsigned index, Value first, Value iterations) {
  Value step = iteration.getCounterStep(index);
  Value number = iterations;
  if (!first.getType().isIndex())
    number = arith::IndexCastOp::create(builder, loc, first.getType(), iterations);
  Value distance = builder.createOrFold<arith::MulIOp>(loc, number, step);
  return builder.createOrFold<arith::AddIOp>(loc, first, distance);
}

Value Blocks::emitCount(OpBuilder &builder, ArrayRef<Value> next) {
  Value count = loop.getAfterBody()->getArguments().back();
  Value none = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (const CountQuestion *question = iteration.getCountQuestion()) {
    Value left = arith::SubIOp::create(builder, loc, emitIndex(builder, question->bound),
                                       emitIndex(builder, next[question->counter]));
    Value ahead = arith::ConstantIndexOp::create(builder, loc, question->ahead);
    left = arith::MaxSIOp::create(builder, loc, arith::SubIOp::create(builder, loc, left, ahead), none);
    count = arith::MinSIOp::create(builder, loc, count, left);
  }
  for (AssertOp check : iteration.getChecks()) {
    IRMapping map;
    Value last = arith::SubIOp::create(builder, loc, count, one);
    for (auto [k, argument] : llvm::enumerate(iteration.getGiven()))
      if (iteration.getCounterStep(k))
        map.map(argument, emitCounter(builder, k, next[k], last));
    Value holds = iteration.cloneNumber(check.getCondition(), builder, map);
    count = arith::SelectOp::create(builder, loc, holds, count, none);
  }
  return count;
}

void Blocks::emit() {
  addLength();
  iteration.setLoop(loop);
  scf::YieldOp yield = loop.getYieldOp();
  OpBuilder builder(yield);
  SmallVector<Value> next(yield.getResults().drop_back());
  Value count = emitCount(builder, next);
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (auto [k, value] : llvm::enumerate(next))
    if (!iteration.getCounterStep(k) && !iteration.isHandedOn(k)) {
      carried.push_back(k);
      inits.push_back(isa<ArrayType>(value.getType()) ? emitCopy(builder, value) : value);
    }
  Value none = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto block = scf::ForOp::create(builder, loc, none, count, one, inits,
                                  [&](OpBuilder &inside, Location, Value number, ValueRange given) {
                                    IRMapping map;
                                    for (auto [k, argument] : llvm::enumerate(iteration.getGiven()))
                                      if (iteration.getCounterStep(k))
                                        map.map(argument, emitCounter(inside, k, next[k], number));
                                      else
                                        map.map(argument, next[k]); // if the iteration has none of its own
                                    for (auto [k, value] : llvm::zip_equal(carried, given))
                                      map.map(iteration.getGiven()[k], value);
                                    iteration.cloneWithoutQuestions(inside, map);
                                    scf::YieldOp::create(inside, loc, llvm::map_to_vector(carried, [&](unsigned k) {
                                                           return map.lookupOrDefault(yield.getResults()[k]);
                                                         }));
                                  });
  for (auto [k, value] : llvm::enumerate(next))
    if (iteration.getCounterStep(k))
      yield->setOperand(k, emitCounter(builder, k, value, count));
  for (auto [k, value] : llvm::zip_equal(carried, block.getResults()))
    yield->setOperand(k, value);
}

struct AskInBlocks : impl::AskInBlocksBase<AskInBlocks> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    if (getTargetProperties(getOperation()).launchesAreCostly)
      getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    bool hasChanged = false;
    for (scf::WhileOp loop : loops) {
      MaskedIteration iteration(loop);
      if (!iteration.isFound())
        continue;
      Blocks(iteration).emit();
      hasChanged = true;
    }
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc

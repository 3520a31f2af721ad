// A loop inside of a kernel that carries values from one of its iterations to the next, for a block of columns at once.
//
//   np.kernel (%i) = (%n) {
//     %low = scf.for %pass = %c0 to %passes iter_args(%low = %c0) {
//       ... %sorted[%low + %half - 1] < %x[%i] ...
//       scf.yield %next }
//     memref.store %low, %out[%i] }
// becomes, for each block,
//   for %i in the block: %lows[%i - %first] = 0
//   for %pass = %c0 to %passes: for %i in the block: %lows[%i - %first] = next of it
//   for %i in the block: memref.store %lows[%i - %first], %out[%i]
//
// In one column, each iteration waits for the one before; the columns do not wait for each other. So a polynomial, a
// filter or a recurrence of each column is made of vectors, and the loads of a search are many at a time.
#include "compiler/cpu/ColumnBlock.h"
#include "compiler/cpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace npcc;

namespace {
/// What a loop that carries values computes alike for all columns, and what of the values that it carries for each.
class Uniform {
public:
  /// `isKnown`: of values from outside of the loop, are they the same for all columns?
  Uniform(scf::ForOp loop, llvm::function_ref<bool(Value)> isKnown) : carried(loop.getNumResults(), true), loop(loop) {
    for (auto [k, init] : llvm::enumerate(loop.getInitArgs()))
      carried[k] = isKnown(init);
    // What comes next is computed of what is carried: until nothing changes.
    for (bool changed = true; changed;) {
      changed = false;
      follow(isKnown);
      for (auto [k, next] : llvm::enumerate(loop.getYieldedValues()))
        if (carried[k] && (isInside(next) ? differing.contains(next) : !isKnown(next))) {
          carried.reset(k);
          changed = true;
        }
    }
  }

  /// Is it computed of what the loop carries for each column?
  bool isOfCarried(Value value) { return ofCarried.contains(value); }

  llvm::SmallBitVector carried; // by result of the loop: the same for all columns

private:
  bool isInside(Value value) { return loop->isAncestor(value.getParentBlock()->getParentOp()); }

  void follow(llvm::function_ref<bool(Value)> isKnown) {
    differing.clear();
    ofCarried.clear();
    for (auto [k, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (!carried[k]) {
        differing.insert(argument);
        ofCarried.insert(argument);
      }
    loop.getBody()->walk([&](Operation *op) {
      bool isSame = isPure(op) && !op->getNumRegions() && op->getBlock() == loop.getBody();
      for (Value operand : op->getOperands()) {
        isSame &= isInside(operand) ? !differing.contains(operand) : isKnown(operand);
        // Up to the branch that gives it.
        if (ofCarried.contains(operand))
          for (Operation *each = op; each != loop; each = each->getParentOp())
            ofCarried.insert(each->result_begin(), each->result_end());
      }
      if (!isSame)
        differing.insert(op->result_begin(), op->result_end());
    });
  }

  scf::ForOp loop;
  llvm::DenseSet<Value> differing, ofCarried;
};
} // namespace

/// The value, with what it is computed of in its block.
static Value cloneWithOperands(OpBuilder &builder, Value value, Block *block, IRMapping &map) {
  Operation *op = value.getDefiningOp();
  if (map.contains(value) || !op || op->getBlock() != block)
    return map.lookupOrDefault(value);
  for (Value operand : op->getOperands())
    cloneWithOperands(builder, operand, block, map);
  builder.clone(*op, map);
  return map.lookup(value);
}

void ColumnBlock::buildSerial(scf::ForOp loop) {
  Uniform uniform(loop, [&](Value value) { return kernel.isDefinedOutsideOfLoop(value) || base.contains(value); });
  SmallVector<Value> carried(loop.getNumResults()), start, next;
  for (auto [k, init] : llvm::enumerate(loop.getInitArgs()))
    if (uniform.carried[k])
      start.push_back(base.lookupOrDefault(init));
    else
      carried[k] = makeArray(init.getType(), width);
  overColumns(builder, [&](OpBuilder &inside, Value column, Value place) {
    IRMapping map = enter(inside, {loop.getOperation()}, column, place);
    for (auto [array, init] : llvm::zip_equal(carried, loop.getInitArgs()))
      if (array)
        memref::StoreOp::create(inside, loc, map.lookupOrDefault(init), array, place);
  });
  auto outer =
      scf::ForOp::create(builder, loc, base.lookupOrDefault(loop.getLowerBound()),
                         base.lookupOrDefault(loop.getUpperBound()), base.lookupOrDefault(loop.getStep()), start);
  // What is the same for all columns is computed once.
  OpBuilder each = OpBuilder::atBlockBegin(outer.getBody());
  IRMapping same = base;
  same.map(loop.getInductionVar(), outer.getInductionVar());
  for (auto [k, argument] : llvm::zip(uniform.carried.set_bits(), outer.getRegionIterArgs()))
    same.map(loop.getRegionIterArg(k), argument);
  for (unsigned k : uniform.carried.set_bits())
    next.push_back(cloneWithOperands(each, loop.getYieldedValues()[k], loop.getBody(), same));
  scf::ForOp columns = overColumns(each, [&](OpBuilder &inside, Value column, Value place) {
    IRMapping map = enter(inside, {loop.getOperation()}, column, place);
    map.map(loop.getInductionVar(), outer.getInductionVar());
    for (auto [argument, array] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
      map.map(argument, array ? memref::LoadOp::create(inside, loc, array, place).getResult() : same.lookup(argument));
    for (Operation &op : loop.getBody()->without_terminator())
      inside.clone(op, map);
    for (auto [array, value] : llvm::zip_equal(carried, loop.getYieldedValues()))
      if (array)
        memref::StoreOp::create(inside, loc, map.lookupOrDefault(value), array, place);
  });
  // Vectors of loads at positions that are carried cost more than these loads one after the other.
  bool gathers = loop.getBody()
                     ->walk([&](memref::LoadOp load) {
                       return llvm::any_of(load.getIndices(), [&](Value index) { return uniform.isOfCarried(index); })
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (gathers)
    annotateShort(columns);
  setTrips(columns, width);
  if (!next.empty())
    scf::YieldOp::create(each, loc, next);
  for (auto [k, value] : llvm::zip(uniform.carried.set_bits(), outer.getResults()))
    base.map(loop.getResult(k), value);
  for (auto [result, array] : llvm::zip_equal(loop.getResults(), carried))
    if (array)
      arrays[result] = array;
}

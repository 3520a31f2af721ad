// Extents that loops keep, by induction over the first call's numbers.
#include "compiler/np/LoopExtents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

/// The extent as a value that is there before the loop; null if there is none.
Value LoopExtents::getExtentBefore(Operation *loop, Value init, int64_t axis, ExtentOrigins &origins) {
  OpBuilder builder(loop);
  ExtentOrigin origin = origins.of(init, axis);
  if (origin.constant < 0 && origin.axis >= 0)
    if (Value assumed = first.getAssumed(origin.value, origin.axis)) // what the condition of a `while` hands its body
      return assumed;
  if (origin.constant < 0 && !DominanceInfo(function).properlyDominates(origin.value, loop))
    return Value();
  return materializeExtent(builder, loop->getLoc(), origin);
}

IntegerAttr LoopExtents::evaluate(const ExtentOrigin &origin) {
  if (origin.constant >= 0)
    return IntegerAttr::get(IndexType::get(function.getContext()), origin.constant);
  return origin.axis < 0 ? first.evaluate(origin.value) : first.evaluateExtent(origin.value, origin.axis);
}

void LoopExtents::drop(const Axis &axis) {
  first.forgetAssumed(axis.array.inside, axis.axis);
  if (axis.array.result)
    first.forgetAssumed(axis.array.result, axis.axis);
}

/// The extent that iterations hand on is the better one where it is a number (np.stack of nine arrays), or a value that
/// is there before the loop and that a new array before the loop can be said to have: nothing need be said of the
/// values in the loop then, which others are computed with.
void LoopExtents::preferHandedOn(Axis &entry, ExtentOrigins &origins) {
  Operation *loop = cast<BlockArgument>(entry.array.inside).getOwner()->getParentOp();
  DominanceInfo dominance(function);
  for (Value next : entry.array.getHandedOn()) {
    ExtentOrigin origin = origins.of(next, entry.axis);
    OpBuilder builder(function.getBody());
    Location loc = next.getLoc();
    Value better;
    if (origin.constant >= 0)
      better = arith::ConstantIndexOp::create(builder, loc, origin.constant);
    else if (auto made = entry.array.getInit().getDefiningOp<NewOp>()) {
      auto argument = dyn_cast<BlockArgument>(origin.value);
      if (origin.axis < 0 && dominance.properlyDominates(origin.value, made) && made->getBlock() == loop->getBlock())
        better = origin.value;
      else if (origin.axis >= 0 && argument && argument.getOwner() == &function.getBody().front())
        better = DimOp::create(builder, loc, argument, origin.axis);
    }
    if (!better || better == entry.extent)
      continue;
    first.require(arith::CmpIPredicate::eq, entry.extent, better);
    entry.extent = better;
    first.assume(entry.array.inside, entry.axis, better);
    if (entry.array.result)
      first.assume(entry.array.result, entry.axis, better);
    return;
  }
}

/// The extent that is known before the loop takes the place of an equal one, where it can.
void LoopExtents::unify(const ExtentOrigin &origin, Value extent) {
  DominanceInfo dominance(function);
  auto replace = [&](Value other) {
    if (other != extent && other.getDefiningOp() && dominance.properlyDominates(extent, other.getDefiningOp()))
      other.replaceAllUsesWith(extent);
  };
  if (origin.constant >= 0)
    return;
  if (origin.axis < 0)
    return replace(origin.value);
  for (Operation *user : llvm::make_early_inc_range(origin.value.getUsers()))
    if (auto dim = dyn_cast<DimOp>(user); dim && dim.getAxis() == uint64_t(origin.axis))
      replace(dim);
}

void LoopExtents::assume() {
  ExtentOrigins origins(function);
  function.walk<WalkOrder::PreOrder>([&](Operation *loop) {
    for (CarriedArray &array : getCarriedArrays(loop))
      for (int64_t axis = 0; axis < getRank(array.inside.getType()); ++axis) {
        if (!(origins.of(array.inside, axis) == ExtentOrigin{array.inside, axis, -1}))
          continue;
        Value extent = getExtentBefore(loop, array.getInit(), axis, origins);
        if (!extent)
          continue;
        first.assume(array.inside, axis, extent);
        if (array.result)
          first.assume(array.result, axis, extent);
        kept.push_back({array, axis, extent});
      }
  });
  for (bool changed = true; changed;) {
    changed = false;
    llvm::erase_if(kept, [&](Axis &entry) {
      IntegerAttr known = first.evaluate(entry.extent);
      auto hasExtent = [&](Value value) {
        return getRank(value.getType()) == getRank(entry.array.inside.getType()) &&
               evaluate(origins.of(value, entry.axis)) == known;
      };
      // What it begins with may be what another loop carries, or what the condition of a `while` hands its body: it has
      // this extent as long as that one is assumed to.
      bool stays = known && hasExtent(entry.array.getInit()) && llvm::all_of(entry.array.getHandedOn(), hasExtent);
      if (!stays)
        drop(entry);
      changed |= !stays;
      return !stays;
    });
  }
  for (Axis &entry : kept) {
    preferHandedOn(entry, origins);
    for (Value next : entry.array.getHandedOn()) {
      ExtentOrigin origin = origins.of(next, entry.axis);
      OpBuilder builder(function.getContext());
      builder.setInsertionPointAfterValue(next);
      first.require(arith::CmpIPredicate::eq, materializeExtent(builder, next.getLoc(), origin), entry.extent);
      unify(origin, entry.extent);
    }
    for (Value array : {entry.array.inside, entry.array.result})
      if (array)
        for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
          if (auto dim = dyn_cast<DimOp>(user); dim && dim.getAxis() == uint64_t(entry.axis))
            dim.replaceAllUsesWith(entry.extent);
  }
  for (Axis &entry : kept) {
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(entry.extent);
    entry.anchor =
        UnrealizedConversionCastOp::create(builder, entry.extent.getLoc(), builder.getIndexType(), entry.extent);
  }
}

void LoopExtents::follow() {
  for (Axis &entry : kept) {
    entry.extent = entry.anchor.getInputs()[0];
    entry.anchor.erase();
    first.assume(entry.array.inside, entry.axis, entry.extent);
    if (entry.array.result)
      first.assume(entry.array.result, entry.axis, entry.extent);
  }
}

/// The value with an extent that it is known to have.
static Value restate(OpBuilder &builder, Location loc, Value value, int64_t known, Value extent) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  int64_t rank = getRank(value.getType());
  SmallVector<Value> offsets(rank, zero), steps(rank, one), extents;
  for (int64_t axis = 0; axis < rank; ++axis)
    extents.push_back(axis == known ? extent : getExtent(builder, loc, value, axis));
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  return ViewOp::create(builder, loc, value.getType(), value, offsets, axes, extents, steps);
}

void LoopExtents::restate() {
  ExtentOrigins origins(function);
  for (Axis &entry : kept) {
    Operation *loop = cast<BlockArgument>(entry.array.inside).getOwner()->getParentOp();
    Value before = entry.extent;
    preferHandedOn(entry, origins);
    before.replaceUsesWithIf(entry.extent, [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
    auto made = entry.array.getInit().getDefiningOp<NewOp>();
    if (made && !(origins.of(made.getValue(), entry.axis) == origins.ofIndex(entry.extent)) &&
        DominanceInfo(function).properlyDominates(entry.extent, made)) {
      OpBuilder builder(made);
      Value value = made.getValue();
      made.getValueMutable().assign(npcc::restate(builder, made.getLoc(), value, entry.axis, entry.extent));
      origins.forget();
    }
    for (Value next : entry.array.getHandedOn()) {
      ExtentOrigin origin = origins.of(next, entry.axis);
      bool isCarried = origin.axis >= 0 && first.getAssumed(origin.value, origin.axis) == entry.extent;
      auto fresh = next.getDefiningOp<NewOp>();
      if (!fresh || isCarried || origin == origins.ofIndex(entry.extent))
        continue;
      OpBuilder builder(fresh);
      Value value = fresh.getValue();
      fresh.getValueMutable().assign(npcc::restate(builder, fresh.getLoc(), value, entry.axis, entry.extent));
      origins.forget();
    }
  }
}

} // namespace npcc

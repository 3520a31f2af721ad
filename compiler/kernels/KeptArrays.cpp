#include "compiler/kernels/KeptArrays.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/OwnArrays.h"
#include "compiler/kernels/TripCounts.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace npcc;
using namespace np;

std::optional<KeptArray> KeptArray::find(scf::ForOp loop, unsigned index) {
  auto type = dyn_cast<MemRefType>(loop.getRegionIterArg(index).getType());
  if (!type || type.getRank() == 0) // one without axes is a number
    return std::nullopt;
  KeptArray kept(loop, index);
  kept.passed.insert(loop.getRegionIterArg(index)); // also where each iteration hands on its own
  bool isKept = kept.follow(loop.getYieldedValues()[index]) && kept.made && kept.findMakers() &&
                llvm::all_of(kept.passed, [&](Value value) {
                  return llvm::all_of(value.getUses(), [&](OpOperand &use) { return kept.isPassing(use); });
                });
  return isKept ? std::optional(kept) : std::nullopt;
}

/// Goes from what an iteration hands on back to what it was given, and to the array that it has made.
bool KeptArray::follow(Value value) {
  if (auto alloc = value.getDefiningOp<AllocOp>()) {
    bool isOnlyOne = loop->isProperAncestor(alloc) && (!made || made == alloc);
    made = alloc;
    return isOnlyOne;
  }
  if (!passed.insert(value))
    return true;
  if (auto select = value.getDefiningOp<arith::SelectOp>(); select && loop->isProperAncestor(select)) {
    return follow(select.getTrueValue()) && follow(select.getFalseValue());
  }
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch || !loop->isProperAncestor(branch))
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  return follow(branch.thenYield().getOperand(number)) && follow(branch.elseYield().getOperand(number));
}

/// Whether a use does nothing but hand the array on, to what is known to be handed on.
bool KeptArray::isPassing(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp>(user) && user->getParentOp() == loop)
    return use.getOperandNumber() == index;
  if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
    return passed.contains(user->getParentOp()->getResult(use.getOperandNumber()));
  return isa<arith::SelectOp>(user) && passed.contains(user->getResult(0));
}

/// Whether all that stores to the array are kernels that compute each element on its own, and store to nothing else.
bool KeptArray::findMakers() {
  auto isMap = [&](KernelOp kernel) {
    return !kernel
                ->walk([&](Operation *op) {
                  auto store = dyn_cast<memref::StoreOp>(op);
                  bool isBad = isa<scf::ParallelOp, FoldOp>(op) || (store && store.getMemRef() != made);
                  return isBad ? WalkResult::interrupt() : WalkResult::advance();
                })
                .wasInterrupted();
  };
  makers.insert(made);
  for (OpOperand &use : made->getUses()) {
    Operation *user = use.getOwner();
    if (isa<memref::StoreOp>(user)) {
      auto kernel = user->getParentOfType<KernelOp>();
      if (!kernel || kernel->getBlock() != made->getBlock() || !isMap(kernel))
        return false;
      makers.insert(kernel);
    } else if (!isa<memref::LoadOp, memref::DimOp>(user) && !isPassing(use)) {
      return false;
    }
  }
  return makers.size() > 1;
}

bool KeptArray::isOnlyKept() const {
  return llvm::all_of(made->getUses(), [&](OpOperand &use) {
    return isPassing(use) || isa<memref::DimOp>(use.getOwner()) ||
           makers.contains(use.getOwner()->getParentOfType<KernelOp>());
  });
}

SmallVector<AllocOp> KeptArray::getRead() const {
  llvm::SmallSetVector<AllocOp, 4> read;
  for (Operation *maker : makers)
    maker->walk([&](memref::LoadOp load) {
      auto own = load.getMemRef().getDefiningOp<AllocOp>();
      if (own && own != made && loop->isProperAncestor(own))
        read.insert(own);
    });
  return read.takeVector();
}

/// What an operation of the loop needs, and itself. Of an array that the iteration makes, its allocation alone.
void KeptArray::collectNeeded(Operation *op, DenseSet<Operation *> &needed) const {
  if (!needed.insert(op).second)
    return;
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (Operation *def = value.getDefiningOp(); def && loop->isProperAncestor(def))
      collectNeeded(def, needed);
}

scf::IfOp KeptArray::makeBehind(Value iteration, SmallVectorImpl<Placed> &placed) {
  Location loc = loop.getLoc();
  Value init = loop.getInitArgs()[index], result = loop.getResult(index);
  OpBuilder builder(loop);
  builder.setInsertionPointAfter(loop);
  IndexMath m{builder, loc};
  // The number of the iteration goes where the array went.
  Type arrayType = result.getType(), numberType = builder.getIndexType();
  result.setType(numberType);
  for (Value value : passed)
    value.setType(numberType);
  Value isMade = m.compare(arith::CmpIPredicate::sge, result, m.constant(0));
  auto choice = scf::IfOp::create(builder, loc, arrayType, isMade, /*withElseRegion=*/true);
  result.replaceAllUsesExcept(choice.getResult(0), isMade.getDefiningOp());
  made.getResult().replaceUsesWithIf(iteration, [&](OpOperand &use) { return isPassing(use); });
  builder.setInsertionPoint(loop);
  loop.getInitArgsMutable()[index].assign(arith::ConstantIndexOp::create(builder, loc, -1));

  builder.setInsertionPointToStart(choice.thenBlock());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), emitPosition(builder, loop, result));
  DenseSet<Operation *> needed;
  for (Operation *maker : makers)
    collectNeeded(maker, needed);
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!needed.contains(op))
      return WalkResult::advance();
    Operation *clone = builder.clone(*op, mapping);
    if (auto own = dyn_cast<AllocOp>(op); own && own != made)
      placed.push_back({own, cast<AllocOp>(clone), result});
    return WalkResult::skip();
  });
  scf::YieldOp::create(builder, loc, mapping.lookup(made.getResult()));
  builder.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(builder, loc, init);
  return choice;
}

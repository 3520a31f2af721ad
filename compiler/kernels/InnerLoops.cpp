#include "compiler/kernels/InnerLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
namespace npcc {

void inlineKernel(np::KernelOp kernel, ArrayRef<Value> positions, Block *block, Block::iterator place) {
  for (auto [from, to] : llvm::zip_equal(kernel.getInductionVars(), positions))
    from.replaceAllUsesWith(to);
  kernel.getBody()->getTerminator()->erase();
  block->getOperations().splice(place, kernel.getBody()->getOperations());
  kernel.erase();
}

void makeInnerLoop(np::KernelOp kernel, ArrayRef<Value> given) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  SmallVector<Value> positions(given), extents(kernel.getExtents().drop_front(given.size()));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (kernel.isUnit() || extents.empty()) {
    positions.append(extents.size(), zero);
    return inlineKernel(kernel, positions, kernel->getBlock(), kernel->getIterator());
  }
  auto loop = scf::ParallelOp::create(builder, loc, SmallVector<Value>(extents.size(), zero), extents,
                                      SmallVector<Value>(extents.size(), one));
  llvm::append_range(positions, loop.getInductionVars());
  inlineKernel(kernel, positions, loop.getBody(), loop.getBody()->getTerminator()->getIterator());
}

void forEachHostLoop(func::FuncOp function, function_ref<bool(scf::ForOp)> take) {
  SmallVector<scf::ForOp> loops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<np::KernelOp>(op))
      return WalkResult::skip();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
    return WalkResult::advance();
  });
  llvm::SmallDenseSet<Operation *> done;
  for (scf::ForOp loop : loops) {
    if (done.contains(loop))
      continue;
    SmallVector<Operation *> inside; // before the loop may be another one, or erased
    loop.walk([&](scf::ForOp each) { inside.push_back(each); });
    if (take(loop))
      done.insert(inside.begin(), inside.end());
  }
}

/// What the operation divides by, where that may be 0.
static OpOperand *getDivisor(Operation *op) {
  if (!isa<arith::RemUIOp, arith::RemSIOp, arith::DivUIOp>(op))
    return nullptr;
  OpOperand &divisor = op->getOpOperand(1);
  // Code of the program's has made sure already.
  bool isSafe = matchPattern(divisor.get(), m_NonZero()) ||
                isa_and_nonnull<arith::SelectOp, arith::MaxUIOp>(divisor.get().getDefiningOp());
  return isSafe ? nullptr : &divisor;
}

void hoistInvariants(LoopLikeOpInterface loop) {
  auto isOutside = [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); };
  auto mayMove = [](Operation *op, Region *) {
    bool isUnsigned = isa<arith::RemUIOp, arith::DivUIOp>(op);
    return isMemoryEffectFree(op) && (isUnsigned || (isSpeculatable(op) && !getDivisor(op)));
  };
  auto move = [&](Operation *op, Region *) {
    OpBuilder builder(loop);
    if (OpOperand *divisor = getDivisor(op)) {
      Type type = divisor->get().getType();
      Value one = arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(type, 1));
      divisor->set(arith::MaxUIOp::create(builder, op->getLoc(), divisor->get(), one));
    }
    loop.moveOutOfLoop(op);
  };
  moveLoopInvariantCode(loop.getLoopRegions(), isOutside, mayMove, move);
}

void hoistNumbers(scf::ForOp loop) {
  loop->walk([&](Operation *op) {
    bool isNumber =
        isa<memref::DimOp>(op) || (isa<arith::ArithDialect>(op->getDialect()) && isSpeculatable(op) && !getDivisor(op));
    if (isNumber &&
        llvm::all_of(op->getOperands(), [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); }))
      op->moveBefore(loop);
  });
}

} // namespace npcc

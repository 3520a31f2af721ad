#include "compiler/kernels/Scans.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {

Value Scan::emitCombine(OpBuilder &builder, Value left, Value right) {
  IRMapping mapping;
  mapping.map(loop.getRegionIterArg(0), left);
  mapping.map(element, right);
  return builder.clone(*combine, mapping)->getResult(0);
}

static bool isAssociative(Operation *op) {
  return isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, complex::AddOp, complex::MulOp>(op);
}

/// What the kernel reads must not be what other iterations write: elements of written arrays only at the position that is written.
static bool readsItsOwn(scf::ForOp loop, KernelAccesses &accesses) {
  for (Operation *op : accesses.getOps()) {
    const KernelAccess &store = accesses.lookup(op);
    if (!store.isStore)
      continue;
    for (Operation *other : accesses.getOps()) {
      const KernelAccess &load = accesses.lookup(other);
      if (load.isStore || load.stream->memref != store.stream->memref)
        continue;
      bool isSame = load.stream == store.stream && load.constants == store.constants && store.stream->uses(loop.getInductionVar());
      if (!isSame)
        return false;
    }
  }
  return true;
}

std::optional<Scan> findScan(np::KernelOp kernel, KernelAccesses &accesses) {
  Scan scan;
  for (Operation &op : kernel.getBody()->without_terminator()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && !scan.loop)
      scan.loop = loop;
    else if (op.getNumRegions() > 0 || isa<memref::StoreOp>(op))
      return std::nullopt;
  }
  scf::ForOp loop = scan.loop;
  if (!loop || loop.getNumRegionIterArgs() != 1 || !loop->use_empty() || !loop.getInductionVar().getType().isIndex() ||
      getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  Value total = loop.getRegionIterArg(0), next = loop.getBody()->getTerminator()->getOperand(0);
  scan.combine = next.getDefiningOp();
  if (!total.hasOneUse() || *total.user_begin() != scan.combine || scan.combine->getBlock() != loop.getBody() || !isAssociative(scan.combine))
    return std::nullopt;
  if (!isa<IntegerType>(total.getType()) && !scan.isNeutral())
    return std::nullopt;
  scan.element = scan.combine->getOperand(scan.combine->getOperand(0) == total);
  llvm::SmallDenseSet<Operation *> dependent{scan.combine};
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == scan.combine)
      continue;
    bool depends = op.walk([&](Operation *inside) {
                       return llvm::any_of(inside->getOperands(), [&](Value operand) {
                                return operand.getDefiningOp() && dependent.contains(operand.getDefiningOp());
                              })
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     }).wasInterrupted();
    if (depends) {
      dependent.insert(&op);
      bool reads = op.walk([](memref::LoadOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (reads)
        return std::nullopt;
    }
    bool isStore = !isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op);
    if (isStore && !depends)
      return std::nullopt;
    (depends ? scan.totalCode : scan.elementCode).push_back(&op);
  }
  bool hasParallel = loop.walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (hasParallel || !readsItsOwn(loop, accesses))
    return std::nullopt;
  return scan;
}

} // namespace npcc

// What kernel class a kernel belongs to, read off its structure and its accesses.
#include "compiler/gpu/Emitters.h"

using namespace mlir;
namespace npcc::cuda {

/// Whether `value` is computed from positions other than `column` and from the host's values, without memory.
static bool isSameForAll(Value value, Value column, scf::ParallelOp kernel) {
  if (isInvariant(value, kernel))
    return true;
  if (Operation *maker = value.getDefiningOp())
    return isa<arith::ArithDialect>(maker->getDialect()) &&
           llvm::all_of(maker->getOperands(), [&](Value operand) { return isSameForAll(operand, column, kernel); });
  return value != column && llvm::is_contained(kernel.getInductionVars(), value);
}

SmallVector<scf::ParallelOp> getKernels(func::FuncOp function) {
  SmallVector<scf::ParallelOp> kernels;
  function.walk<WalkOrder::PreOrder>([&](scf::ParallelOp kernel) {
    kernels.push_back(kernel);
    return WalkResult::skip();
  });
  return kernels;
}

bool isUnit(scf::ParallelOp loop) {
  return llvm::all_of(loop.getUpperBound(), [](Value bound) { return getConstantIntValue(bound) == 1; });
}

KernelClass classify(scf::ParallelOp kernel, KernelAccesses &accesses) {
  SmallVector<scf::ParallelOp> inner(kernel.getBody()->getOps<scf::ParallelOp>());
  bool isNested = false;
  kernel.getBody()->walk([&](scf::ParallelOp loop) { isNested |= !llvm::is_contained(inner, loop); });
  bool hasUpdates = kernel.getBody()->walk([](memref::AtomicRMWOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (hasUpdates)
    return inner.empty() && !isNested ? KernelClass::Updates : KernelClass::Map;
  if (inner.empty() && !isNested && canScan(kernel, accesses))
    return KernelClass::Scan;
  if (inner.empty() && !isNested)
    return canTranspose(kernel, accesses) ? KernelClass::Transpose : KernelClass::Map;
  // Which way do the inner loops run through memory: along the contiguous axis (a team per row), or across it (a column of threads)?
  int64_t along = 0, across = 0;
  kernel.getBody()->walk([&](scf::ParallelOp loop) {
    if (loop->getParentOfType<scf::ParallelOp>() != kernel)
      return; // sequential in any case
    for (Operation *op : accesses.getOps()) {
      if (!loop->isAncestor(op))
        continue;
      const Stream &stream = *accesses.lookup(op).stream;
      along += stream.getUnitAxis(loop.getInductionVars().back()) >= 0;
      across += stream.getUnitAxis(kernel.getInductionVars().back()) >= 0;
    }
  });
  if (along > across || isUnit(kernel))
    return KernelClass::Rows;
  // Columns: one reduction, outer code around it. Extents of the loop must be the same for all columns.
  bool isOneReduction = inner.size() == 1 && !isNested && inner[0].getNumResults() > 0;
  bool isUniform = isOneReduction && llvm::all_of(inner[0].getUpperBound(), [&](Value bound) {
    return isSameForAll(bound, kernel.getInductionVars().back(), kernel);
  });
  return isUniform && across > 0 ? KernelClass::Columns : KernelClass::Map;
}

} // namespace npcc::cuda

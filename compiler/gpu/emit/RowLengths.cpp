#include "compiler/gpu/emit/RowLengths.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
namespace npcc::cuda {

/// Whether a number is computed, in the kernel, of what was loaded.
static bool isLoaded(Value value, Operation *kernel, llvm::SmallDenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (isInvariant(value, kernel) || !op || !seen.insert(value).second)
    return false;
  return isa<memref::LoadOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return isLoaded(operand, kernel, seen); });
}

Value emitMeanLength(HostSide &host, scf::ParallelOp inner, Value rows) {
  Operation *kernel = host.getKernel();
  IndexMath h = host.math();
  Value position = inner.getInductionVars().back(), shortest;
  for (Operation *op : host.getAccesses().getOps()) {
    const Stream &stream = *host.getAccesses().lookup(op).stream;
    int64_t axis = inner->isAncestor(op) ? stream.getUnitAxis(position) : -1;
    if (axis < 0)
      continue;
    Value length = host.getExtent(stream.memref, axis);
    llvm::SmallDenseSet<Value> seen;
    if (llvm::any_of(stream.terms[axis], [&](const Term &term) { return isLoaded(term.leaf, kernel, seen); }))
      length = h.ceilDiv(length, h.max(rows, h.constant(1)));
    shortest = shortest ? h.min(shortest, length) : length;
  }
  return shortest;
}

} // namespace npcc::cuda

// What kernel class a kernel belongs to, read off its structure and its accesses.
#include "compiler/gpu/Emitters.h"

using namespace mlir;
namespace npcc::cuda {

KernelClass classify(scf::ParallelOp kernel, KernelAccesses &accesses) {
  SmallVector<scf::ParallelOp> inner;
  kernel.getBody()->walk([&](scf::ParallelOp loop) { inner.push_back(loop); });
  // Which way do the inner loops run through memory: along the contiguous axis (a team per row), or across it (a thread per column)?
  int64_t along = 0, across = 0;
  for (scf::ParallelOp loop : inner)
    for (Operation *op : accesses.getOps()) {
      if (!loop->isAncestor(op))
        continue;
      const Stream &stream = *accesses.lookup(op).stream;
      along += stream.getUnitAxis(loop.getInductionVars().back()) >= 0;
      across += stream.getUnitAxis(kernel.getInductionVars().back()) >= 0;
    }
  if (!inner.empty()) {
    bool isSingle = llvm::all_of(kernel.getUpperBound(), [](Value bound) { return getConstantIntValue(bound) == 1; });
    return along > across || isSingle ? KernelClass::Rows : KernelClass::Map;
  }
  return KernelClass::Map;
}

void emitTranspose(scf::ParallelOp kernel, KernelAccesses &accesses) { emitMap(kernel, accesses); }

} // namespace npcc::cuda

#include "compiler/kernels/Transpositions.h"

using namespace mlir;
namespace npcc {

Transposition findTransposition(np::KernelOp kernel, KernelAccesses &accesses) {
  Transposition found;
  auto findUnitLoop = [&](const Stream &stream) -> int64_t {
    for (auto [axis, position] : llvm::enumerate(kernel.getInductionVars()))
      if (stream.getUnitAxis(position) >= 0)
        return axis;
    return -1;
  };
  int64_t along = -1, across = -1;
  llvm::SmallDenseSet<Value> written;
  for (Operation *op : accesses.getOps()) {
    const KernelAccess &access = accesses.lookup(op);
    if (!access.isStore)
      continue;
    written.insert(access.stream->memref);
    if (along < 0)
      along = findUnitLoop(*access.stream);
  }
  if (along < 0 || kernel.getNumLoops() < 2)
    return found;
  for (auto load : kernel.getBody()->getOps<memref::LoadOp>()) {
    const Stream &stream = *accesses.lookup(load).stream;
    int64_t axis = findUnitLoop(stream);
    bool isKnown = llvm::all_of(stream.terms, [&](auto &terms) {
      return llvm::all_of(terms, [&](const Term &term) {
        return isInvariant(term.leaf, kernel) || llvm::is_contained(kernel.getInductionVars(), term.leaf);
      });
    });
    bool isOther = axis >= 0 && axis != along && stream.uses(kernel.getInductionVars()[along]) && isKnown &&
                   !written.contains(stream.memref) && (across < 0 || axis == across);
    if (!isOther)
      continue;
    across = axis;
    found.loads.push_back(load);
  }
  found.along = along;
  found.across = std::max<int64_t>(across, 0);
  return found;
}

} // namespace npcc

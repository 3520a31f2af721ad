#include "compiler/gpu/image/KeptLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace npcc {

/// Loads of an iteration that hide each other's latency.
static constexpr int64_t fewestLoads = 8;

void keepUnrolledLoops(llvm::Function &function) {
  if (function.isDeclaration())
    return;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified)
      continue;
    int64_t loads = 0;
    for (llvm::BasicBlock *block : loop->blocks())
      loads += llvm::count_if(*block, [](llvm::Instruction &op) { return llvm::isa<llvm::LoadInst>(op); });
    if (loads >= fewestLoads)
      loop->setLoopAlreadyUnrolled();
  }
}

} // namespace npcc

#ifndef NPCC_COMPILER_GPU_IMAGE_STRENGTHREDUCTION_H
#define NPCC_COMPILER_GPU_IMAGE_STRENGTHREDUCTION_H
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"

namespace npcc {

/// LLVM's reduction of loops keeps a pointer for each access, which is two registers of 32 bits for all of the loop. A
/// loop with few accesses is faster for it: an address is one addition. One with many (eight rows at once, the
/// neighbours of a point) takes so many registers that a multiprocessor holds a fraction of its threads, and nothing
/// hides the time that loads take. Such a loop computes addresses from its counter instead.
///
/// Adds a code generator's passes to `passes`, with that choice before each loop's reduction. It must live until they
/// have run: it is what the context of `module` asks whether a pass runs.
class StrengthReductionChoice : public llvm::legacy::PassManagerBase, llvm::OptPassGate {
public:
  StrengthReductionChoice(llvm::legacy::PassManager &passes, llvm::LLVMContext &context);
  ~StrengthReductionChoice() override;
  void add(llvm::Pass *pass) override;

private:
  bool shouldRunPass(llvm::StringRef name, llvm::StringRef) const override;
  bool isEnabled() const override { return true; }

  llvm::legacy::PassManager &passes;
  llvm::LLVMContext &context;
  llvm::OptPassGate &before;
  std::string reduction; // the pass's name
  bool isWanted = true;  // for the loop that is at hand
};

} // namespace npcc
#endif

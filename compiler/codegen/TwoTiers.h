#ifndef NPCC_CODEGEN_TWOTIERS_H
#define NPCC_CODEGEN_TWOTIERS_H
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace npcc {

/// Whether code of these functions, which call each other, gives the same bits whatever the optimiser does: nothing in
/// them may be reordered (sums, which the vectorizer cuts into as many as a vector has elements), nor computed by a
/// function that has other last bits in its vector form (exp), nor left open by LLVM (a float that no integer holds).
/// What the host calls by name is not asked for: only what the runtime calls can be exchanged.
bool mayBeMadeTwice(llvm::ArrayRef<llvm::Function *> functions);

/// The symbol of the pointer to the code that a kernel is at present.
std::string getSlotName(llvm::StringRef kernel);

/// Each function of the module that others see becomes a jump to where its slot points, at first to what it was.
void makeExchangeable(llvm::Module &module);

/// The optimiser for code that is needed soon: as little as for glue.
llvm::ModulePassManager buildQuickPipeline();

} // namespace npcc
#endif

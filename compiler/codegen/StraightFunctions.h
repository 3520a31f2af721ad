#ifndef NPCC_CODEGEN_STRAIGHTFUNCTIONS_H
#define NPCC_CODEGEN_STRAIGHTFUNCTIONS_H
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace npcc {

/// Functions whose instructions run once a call: they have no loops, and call no functions of the module that have.
/// Such is the code around kernels, in which nothing is worth a search for vectors: of the stores that fill descriptors
/// of arrays, the search took more time than all the rest of the optimiser. As long as this lives, no pass makes
/// vectors of them.
class StraightFunctions {
public:
  explicit StraightFunctions(llvm::Module &module);
  StraightFunctions(const StraightFunctions &) = delete;
  ~StraightFunctions();

private:
  std::vector<llvm::WeakVH> functions; // the optimiser may erase some
};

} // namespace npcc
#endif

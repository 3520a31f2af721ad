#ifndef NPCC_CODEGEN_GLUECODE_H
#define NPCC_CODEGEN_GLUECODE_H
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace npcc {

/// Whether these functions, which call each other, are glue: they take arguments apart, compute extents, and call the
/// runtime, which has the work. Such code runs once a call, or once for each call of the runtime's. It is a fourth of
/// what LLVM gets, and most of that time went into instructions whose speed nobody can measure.
///
/// Not glue is what the runtime calls itself (kernels), what calls itself, and what has a loop that works without the
/// runtime.
bool areGlue(llvm::ArrayRef<llvm::Function *> functions);

/// Whether all functions that the module defines are glue. Code is made of such a module without any search for good
/// registers.
bool isGlue(llvm::Module &module);

/// The optimiser for glue: what the conversion left behind (variables in memory, structs that are packed and unpacked
/// at once, the same address twice) goes, and no more is tried.
llvm::ModulePassManager buildGluePipeline();

} // namespace npcc
#endif

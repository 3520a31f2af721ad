#ifndef NPCC_COMPILER_PIPELINE_H
#define NPCC_COMPILER_PIPELINE_H
#include "compiler/Options.h"
namespace mlir {
class OpPassManager;
class DialectRegistry;
} // namespace mlir
namespace npcc {
/// np on basic blocks, as imported -> np on structured control flow, values where nobody writes.
void buildImportToNp(mlir::OpPassManager &pm, const Options &options);
/// -> kernels: the loop form (docs/design.md).
void buildNpToLoops(mlir::OpPassManager &pm, const Options &options);
/// The two above as --npcc-import-to-np and --npcc-np-to-loops.
void registerPipelines();
/// All dialects that any phase uses, with their external interface models.
void registerAllNpccDialects(mlir::DialectRegistry &registry);
} // namespace npcc
#endif

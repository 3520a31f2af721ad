#include "compiler/codegen/HostTarget.h"
#include "compiler/codegen/Object.h"

using namespace npcc;

std::optional<EmittedCode> HostTarget::emitObjects(PhaseRunner &phases, mlir::ModuleOp module,
                                                   const Options &options) const {
  if (!phases.run(module, getPipeline(), [&](mlir::OpPassManager &pm) { buildPipeline(pm, options); }))
    return std::nullopt;
  llvm::Expected<EmittedCode> code = compileToObjects(module, options);
  if (code)
    return std::move(*code);
  phases.reportInternal(llvm::toString(code.takeError()));
  return std::nullopt;
}

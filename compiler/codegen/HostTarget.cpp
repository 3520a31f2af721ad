#include "compiler/codegen/HostTarget.h"
#include "compiler/codegen/Object.h"

using namespace npcc;

std::optional<std::vector<std::string>> HostTarget::emitObjects(PhaseRunner &phases, mlir::ModuleOp module,
                                                                const Options &options) const {
  if (!phases.run(module, getPipeline(), [&](mlir::OpPassManager &pm) { buildPipeline(pm, options); }))
    return std::nullopt;
  llvm::Expected<std::vector<std::string>> objects = compileToObjects(module, options);
  if (objects)
    return std::move(*objects);
  phases.reportInternal(llvm::toString(objects.takeError()));
  return std::nullopt;
}

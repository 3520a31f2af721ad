#ifndef NPCC_COMPILER_CODEGEN_HOSTTARGET_H
#define NPCC_COMPILER_CODEGEN_HOSTTARGET_H
#include "compiler/target/Target.h"

namespace npcc {

/// A target whose kernels are code of the host: its pipeline gives functions, and LLVM makes objects of them.
class HostTarget : public Target {
public:
  using Target::Target;
  std::optional<EmittedCode> emitObjects(PhaseRunner &phases, mlir::ModuleOp module,
                                         const Options &options) const override;
};

} // namespace npcc
#endif

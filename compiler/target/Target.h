#ifndef NPCC_COMPILER_TARGET_TARGET_H
#define NPCC_COMPILER_TARGET_TARGET_H
#include "compiler/Options.h"
#include "compiler/target/EmittedCode.h"
#include "compiler/target/Tuning.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "runtime/abi/devices.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace npcc {

/// What passes that serve every target may ask of the one that a function is compiled for. They never ask for its name,
/// so that another target is a set of answers and no edit of theirs. The values below are the host's.
struct TargetProperties {
  /// Host code loads and stores elements of arrays itself. Otherwise arrays are in memory of a device: an element goes
  /// through the runtime, and host code that computes one for an array is better a kernel.
  bool hostSharesMemory = true;
  /// To begin a kernel costs so much that a value is rather computed again in each element than by a kernel of its own.
  bool launchesAreCostly = false;
  /// Running totals are combined in groups, not one after the other, so that a total in a narrow type would be rounded
  /// more often than NumPy's.
  bool groupsScans = false;
  /// Kernels over rows are cut into parts by a later pass, which looks at the extents unless the kernel says how
  /// (np::Cut).
  bool cutsKernels = false;
  /// What nothing was stored into is `np.undefined` in values, which the target tells from other elements. Otherwise it
  /// is zero there.
  bool tellsUndefined = false;
  /// The runtime is told of each access to an array, also of those that functions of threads make.
  bool checksAccesses = false;
  /// Kernels may call functions of other compilers' code for GPUs.
  bool linksDeviceCode = false;
  /// When which alternative is worth it.
  Tuning tuning;
};

/// How a target runs passes over a module: the driver, which times them, and keeps what they report.
class PhaseRunner {
public:
  virtual ~PhaseRunner() = default;
  /// False if a pass failed; it is reported then.
  virtual bool run(mlir::ModuleOp module, const char *phase, llvm::function_ref<void(mlir::OpPassManager &)> build) = 0;
  /// What is the compiler's own fault.
  virtual void reportInternal(const std::string &message) = 0;
};

/// What code is made for. One object for each, in a folder of its own (compiler/cpu, compiler/gpu, compiler/debug),
/// which compiler/Targets.cpp lists.
class Target {
public:
  Target(llvm::StringRef name, npcc_target device, const TargetProperties &properties)
      : name(name), device(device), properties(properties) {}
  virtual ~Target() = default;

  /// As `np.target`, `--target` and `@npcc.jit(target=...)` say it.
  llvm::StringRef getName() const { return name; }
  /// The runtime's devices that run the code.
  npcc_target getDevice() const { return device; }
  const TargetProperties &getProperties() const { return properties; }

  /// The name of the pipeline below, without `npcc-`.
  virtual const char *getPipeline() const = 0;
  /// What is done to the kernels of the loop form before code is made of them.
  virtual void buildKernels(mlir::OpPassManager &, const Options &) const {}
  /// How many times larger calls than the first one the host would run sooner than this target, once kernels are
  /// built; 0: not even that one.
  virtual int64_t findMovable(mlir::ModuleOp) const { return 0; }
  /// The loop form to the LLVM dialect, in one module.
  virtual void buildPipeline(mlir::OpPassManager &pm, const Options &options) const = 0;
  /// The loop form, with kernels built, to objects. Nothing if there were errors, which are reported.
  virtual std::optional<EmittedCode> emitObjects(PhaseRunner &phases, mlir::ModuleOp module,
                                                 const Options &options) const = 0;
  /// The text of a stop point that this target alone has ("gpu", "ptx"), from the loop form.
  virtual std::optional<std::string> emitText(PhaseRunner &phases, mlir::ModuleOp module, const Options &options,
                                              llvm::StringRef phase) const;

private:
  llvm::StringRef name;
  npcc_target device;
  TargetProperties properties;
};

/// Adds one to the table, once; its name stays its own.
void registerTarget(const Target &target);
/// Null if there is none of this name.
const Target *findTarget(llvm::StringRef name);
/// "cpu, cuda": what there is, for messages.
std::string listTargets();
/// Of the function around `op` (or of `op`), by its attribute `np.target`; the host's without one.
const TargetProperties &getTargetProperties(mlir::Operation *op);

} // namespace npcc
#endif

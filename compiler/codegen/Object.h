#ifndef NPCC_COMPILER_CODEGEN_OBJECT_H
#define NPCC_COMPILER_CODEGEN_OBJECT_H
#include "compiler/Options.h"
#include "compiler/target/EmittedCode.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace llvm::legacy {
class PassManager;
}

namespace npcc {

/// LlvmIr: the optimised module as text.
enum class ObjectKind { Object, Assembly, LlvmIr };

/// LLVM IR with the context that owns it.
struct LlvmCode {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// A module in the LLVM dialect to LLVM IR for Options.cpu: only the entries (`*.entry`) are visible outside. Diagnostics of the
/// translation go to the MLIR context.
llvm::Expected<LlvmCode> translateToLlvm(mlir::ModuleOp module, const Options &options);

/// The optimiser: LLVM's O3, with libmvec.
llvm::Error optimize(llvm::Module &module, const Options &options);

/// Runs the passes of a code generator, each of them timed if NPCC_TIME asks for that.
void runCodegen(llvm::legacy::PassManager &passes, llvm::Module &module);

/// Machine code of an optimised module: the bytes of an ELF object, or text.
llvm::Expected<std::string> emitObject(llvm::Module &module, const Options &options, ObjectKind kind = ObjectKind::Object);

/// The three above: a module in the LLVM dialect to the bytes of an object. Fatal errors of LLVM are errors.
llvm::Expected<std::string> compileToObject(mlir::ModuleOp module, const Options &options, ObjectKind kind = ObjectKind::Object);

/// The same, in several objects, by several threads, where there is work enough. Kernels and the code that launches
/// them are apart then. With Options::tiers, some kernels may be made in a hurry.
llvm::Expected<EmittedCode> compileToObjects(mlir::ModuleOp module, const Options &options);

/// The objects that define what QuickKernels::object does, made with all care.
llvm::Expected<std::vector<std::string>> compileWithCare(const QuickKernels &quick);

/// Prints what a phase took, to stderr, if NPCC_TIME is set: by the clock, and how much of it this thread was running.
/// The second figure says more where a machine has other work to do.
class PhaseTimer {
public:
  explicit PhaseTimer(const char *phase);
  ~PhaseTimer();

  /// Whether each pass is timed too: NPCC_TIME is "passes".
  static bool wantsPasses();
  /// Held while LLVM's passes are timed, whose timers are the whole process's; nothing where they are not.
  static std::unique_lock<std::mutex> lockPasses();

private:
  const char *phase;
  std::chrono::steady_clock::time_point start;
  double startOfThread; // in milliseconds
};

/// Runs `action`, giving what ends the process otherwise as an error: fatal errors of LLVM, the lack of memory, and
/// crashes of the compiler, assertions that do not hold among them. What the action owned is leaked then, and nothing
/// that it was changing may be touched again.
llvm::Error guardCrashes(llvm::function_ref<llvm::Error()> action);
/// The same on a thread with a large stack.
llvm::Error guardFatalErrors(llvm::function_ref<llvm::Error()> action);

} // namespace npcc
#endif

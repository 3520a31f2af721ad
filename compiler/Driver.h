#ifndef NPCC_COMPILER_DRIVER_H
#define NPCC_COMPILER_DRIVER_H
#include "compiler/Options.h"
#include "compiler/codegen/FunctionInfo.h"
#include "compiler/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>
#include <string>
#include <vector>

namespace npcc {

/// An error, warning or remark at a place of the Python source. Lines and columns count from 1, 0 is unknown; the end column is the first one
/// behind.
struct SourceDiagnostic {
  bool isError = true;
  std::string file;
  int line = 0, column = 0, endLine = 0, endColumn = 0;
  std::string message;
  std::vector<std::string> notes;
};

/// Where `emit` stops. Loops is the form of kernels and host code, "kernels", which "loops" and "linalg" name too. Explain is
/// what the target makes code of, as JSON (compiler/explain/Describe.h).
enum class Phase { Import, Np, Loops, Explain, Gpu, Llvm, Ptx, Asm };
std::optional<Phase> parsePhase(llvm::StringRef name);

/// One compilation: a context, what is imported into it, and what was said about it. Not for two threads at once; any number of drivers may
/// work side by side.
///
///   Driver driver(options);
///   OwningOpRef<ModuleOp> module = <import into driver.getContext()>;
///   std::optional<CompiledCode> code = driver.compile(*module);
///   if (!code) report(driver.getDiagnostics());
///   else loadCode(*code)                                                                   // compiler/codegen/Jit.h
class Driver : private PhaseRunner {
public:
  /// `options.target` is the name of one that there is.
  explicit Driver(const Options &options);
  ~Driver() override;
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  mlir::MLIRContext &getContext() { return *context; }
  const Options &getOptions() const { return options; }
  /// Errors also come from the importer, through the context.
  const std::vector<SourceDiagnostic> &getDiagnostics() const { return diagnostics; }

  /// Whether a phase has ended so that the module and its context may not be touched any more, nor destroyed.
  bool hasLostModule() const { return isLost; }
  /// Tells that the importer has.
  void loseModule() { isLost = true; }

  /// The np form as imported -> machine code. The module is used up. Nothing if there were errors, or if the host would
  /// run such calls sooner (Options::mayMoveToHost).
  std::optional<CompiledCode> compile(mlir::ModuleOp module);
  /// The text of the module at a phase. The module is used up.
  std::optional<std::string> emit(mlir::ModuleOp module, Phase phase);

  /// How many times larger calls than the first one the host would run sooner; 0: it would not, or nobody asked.
  int64_t getMovableUpTo() const { return movableUpTo; }

private:
  bool run(mlir::ModuleOp module, const char *phase, llvm::function_ref<void(mlir::OpPassManager &)> build) override;
  bool lowerToNp(mlir::ModuleOp module);
  bool lowerToLoops(mlir::ModuleOp module);
  bool lowerToLlvm(mlir::ModuleOp module);
  bool hasErrors() const;
  void reportInternal(const std::string &message) override;

  Options options;
  const Target &target;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<SourceDiagnostic> diagnostics;
  std::vector<FunctionInfo> functions;
  int64_t movableUpTo = 0;
  bool isLost = false;
};

} // namespace npcc
#endif

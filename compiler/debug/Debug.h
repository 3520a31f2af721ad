#ifndef NPCC_COMPILER_DEBUG_DEBUG_H
#define NPCC_COMPILER_DEBUG_DEBUG_H
#include "compiler/Options.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace npcc {
class Target;

/// The loop form to the LLVM dialect, for the target "debug": the same kernels on the host, one iteration after the
/// other in random order, each access told to the runtime (runtime/debug), which reports what goes wrong.
void buildLoopsToDebug(mlir::OpPassManager &pm, const Options &options);
const Target &getDebugTarget();
/// The passes by name, and --npcc-loops-to-debug, for npcc-opt.
void registerDebugPasses();

#define GEN_PASS_DECL
#include "compiler/debug/Passes.h.inc"

} // namespace npcc
#endif

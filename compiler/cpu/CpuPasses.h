#ifndef NPCC_COMPILER_CPU_CPUPASSES_H
#define NPCC_COMPILER_CPU_CPUPASSES_H
#include "compiler/Options.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
}

namespace npcc {
class Target;

/// The loop form to the LLVM dialect, for the CPU:
///   limit calls             code that stands in for a GPU's asks for calls of about the first one's size
///   outline threads         thread-level kernels -> functions of a thread, called by npcc_rt_launch_threads
///   version host loops      loops that no kernel was made of do not check positions where all of them hold
///   inline unit kernels     what has one iteration is host code; its inner loops are kernels
///   private updates         chunks of a kernel that updates elements in any order have copies of them
///   merge axes              contiguous axes become one, decided at run time where it must be
///   vectorize columns       a few columns with short reductions are vectors
///   column reductions       rows outer, columns inner
///   vectorize rows          rows of a few elements are vectors
///   split reductions        full reductions: blocks in parallel, their results combined in a fixed tree
///   reduction loops         what is left of inner loops -> scf.for, sums in blocks
///   tile transposes         what reads along one axis and writes along another walks in tiles
///   unroll axes             a last axis of few elements is straight code
///   outline kernels         np.kernel -> a function on a range, called by npcc_rt_run_kernel
///   unswitch loops          a branch that a whole innermost loop takes is taken before it
///   split borders           the inside of a loop that asks for borders does not ask
/// and then buildHostToLlvm (compiler/codegen).
void buildLoopsToCpu(mlir::OpPassManager &pm, const Options &options);
const Target &getCpuTarget();

/// The above by name, and --npcc-loops-to-cpu, for npcc-opt.
void registerCpuPasses();

#define GEN_PASS_DECL
#include "compiler/cpu/Passes.h.inc"

} // namespace npcc
#endif

#ifndef NPCC_COMPILER_CODEGEN_HOSTLOWERING_H
#define NPCC_COMPILER_CODEGEN_HOSTLOWERING_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class LLVMTypeConverter;
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace npcc {

/// Host code of the loop form to the LLVM dialect, for both targets: CPU kernels are functions by then, CUDA kernels calls of
/// npcc_rt_launch.
///
/// checks, print -> calls; complex and special functions -> calls of libm; one `NAME.entry(void **slots)` for each public function; scf, memref, arith,
/// math, complex, func and what is left of np -> llvm; bf16 -> the integers of its bits.
void buildHostToLlvm(mlir::OpPassManager &pm);

#define GEN_PASS_DECL
#include "compiler/codegen/Passes.h.inc"
void registerCodegenPasses();

/// np.alloc, np.retain, np.release, np.call_matmul -> calls of the runtime. `deviceMemory`: arrays of the function are not the host's,
/// and memref.load and memref.store in host code become npcc_rt_read and npcc_rt_write (TargetProperties::hostSharesMemory).
void populateRuntimeCallPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
/// Those of them that need no runtime: np.part and np.rebase, which make a view's descriptor, and np.is_read_only and
/// np.is_contiguous, which ask one.
void populateViewPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

/// np.new_generator, np.draw and their like -> calls of the runtime.
void populateRandomCallPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
/// !np.generator is a pointer.
void addHostTypes(mlir::LLVMTypeConverter &converter);

/// memref.load and memref.store -> llvm.load and llvm.store: strides may be negative, and the access groups of parallel loops (attribute
/// `llvm.access_groups`) are kept, unlike upstream's.
void populateAccessPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace npcc
#endif

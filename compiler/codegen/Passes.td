#ifndef NPCC_COMPILER_CODEGEN_PASSES_TD
#define NPCC_COMPILER_CODEGEN_PASSES_TD
include "mlir/Pass/PassBase.td"

def OutlineThreads : Pass<"npcc-outline-threads", "::mlir::ModuleOp"> {
  let summary = "Thread-level kernels to functions that the runtime calls";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                            "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def LowerChecks : Pass<"npcc-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Turn checks, print() and strings into calls of the runtime";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                            "::mlir::complex::ComplexDialect"];
}
def ExpandMath : Pass<"npcc-expand-math", "::mlir::ModuleOp"> {
  let summary = "Turn special and complex functions into calls of libm";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                            "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect"];
}
def WrapEntries : Pass<"npcc-wrap-entries", "::mlir::ModuleOp"> {
  let summary = "Make the entries that the runtime calls";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
}
def LowerBranches : Pass<"npcc-lower-branches", "::mlir::ModuleOp"> {
  let summary = "Turn structured control flow of the host's code into blocks and branches";
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}
def ConvertHostToLlvm : Pass<"npcc-convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower host code to the LLVM dialect";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
                            "::mlir::affine::AffineDialect"];
}
def BfloatBits : Pass<"npcc-bfloat-bits", "::mlir::ModuleOp"> {
  let summary = "Make integers of bf16 in the host's code";
}
#endif

#ifndef NPCC_COMPILER_CPU_PASSES_TD
#define NPCC_COMPILER_CPU_PASSES_TD
include "mlir/Pass/PassBase.td"

def LimitCalls : Pass<"npcc-limit-calls", "::mlir::ModuleOp"> {
  let summary = "Code of the host in a GPU's place is for calls that are not much larger than the first";
  let options = [Option<"times", "times", "int64_t", "2", "how many times as large extents and numbers may be">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}
def VersionHostLoops : Pass<"npcc-version-host-loops", "::mlir::func::FuncOp"> {
  let summary = "Give loops of the host a version without checks of positions";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::npcc::np::NpDialect"];
}
def InlineUnitKernels : Pass<"npcc-inline-unit-kernels", "::mlir::func::FuncOp"> {
  let summary = "Make host code of kernels of one iteration";
}
def SplitUpdates : Pass<"npcc-split-updates", "::mlir::func::FuncOp"> {
  let summary = "Compute positions of updates in a loop of their own";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::npcc::np::NpDialect"];
}
def PrivateUpdates : Pass<"npcc-private-updates", "::mlir::func::FuncOp"> {
  let summary = "Give chunks of a kernel copies of what all of them update";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::npcc::np::NpDialect"];
}
def MergeAxes : Pass<"npcc-merge-axes", "::mlir::func::FuncOp"> {
  let summary = "Make one axis of those that are contiguous";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def UnrollAxes : Pass<"npcc-unroll-axes", "::mlir::func::FuncOp"> {
  let summary = "Go over all axes but a last one of few elements";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def VectorizeRows : Pass<"npcc-vectorize-rows", "::mlir::func::FuncOp"> {
  let summary = "Compute rows of a few elements as whole vectors";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}
def VectorizeColumns : Pass<"npcc-vectorize-columns", "::mlir::func::FuncOp"> {
  let summary = "Compute a few columns as whole vectors";
  let options = [Option<"vectorBytes", "vector-bytes", "unsigned", "32", "bytes of the widest vector registers">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}
def CallProducts : Pass<"npcc-call-products", "::mlir::func::FuncOp"> {
  let summary = "Call a library for large matrices times vectors";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::npcc::np::NpDialect",
                            "::mlir::scf::SCFDialect"];
}
def ColumnReductions : Pass<"npcc-column-reductions", "::mlir::func::FuncOp"> {
  let summary = "Walk the rows outside where a reduction runs down columns";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                            "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SplitReductions : Pass<"npcc-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Split long reductions into blocks";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                            "::npcc::np::NpDialect", "::mlir::scf::SCFDialect"];
}
def ReductionLoops : Pass<"npcc-reduction-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn inner parallel loops into serial and vectorised ones";
  let options = [Option<"vectorBytes", "vector-bytes", "unsigned", "32", "bytes of the widest vector registers">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                            "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def TileTransposes : Pass<"npcc-tile-transposes", "::mlir::func::FuncOp"> {
  let summary = "Walk transpositions in tiles";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}
def StoreWithoutBranches : Pass<"npcc-store-without-branches", "::mlir::func::FuncOp"> {
  let summary = "Store in every iteration where nobody can guess which ones store";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def OutlineKernels : Pass<"npcc-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline parallel loops for the thread pool";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                            "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def UnswitchLoops : Pass<"npcc-unswitch-loops", "::mlir::func::FuncOp"> {
  let summary = "Take branches that a whole loop takes before it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}
def SplitBorders : Pass<"npcc-split-borders", "::mlir::func::FuncOp"> {
  let summary = "Give the inside of loops that ask for borders a loop of its own";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}
#endif

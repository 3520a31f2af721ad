#ifndef NPCC_COMPILER_KERNELS_PASSES_TD
#define NPCC_COMPILER_KERNELS_PASSES_TD
include "mlir/Pass/PassBase.td"

def Materialize : Pass<"npcc-materialize", "::mlir::func::FuncOp"> {
  let summary = "Decide which values are arrays in memory";
}
def GatherItems : Pass<"npcc-gather-items", "::mlir::func::FuncOp"> {
  let summary = "Numbers that the host asks for one after the other are computed together";
}
def Fuse : Pass<"npcc-fuse", "::mlir::ModuleOp"> {
  let summary = "Values to kernels: loop nests over memory";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::memref::MemRefDialect"];
}
def CheckRanks : Pass<"npcc-check-ranks", "::mlir::func::FuncOp"> {
  let summary = "Refuse arrays in memory of more axes than the runtime describes";
  let options = [Option<"mostAxes", "most-axes", "int64_t", "16", "the number of axes that the runtime describes">];
}
def FuseRows : Pass<"npcc-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Kernels over the same rows, one of them a reduction along rows: one kernel";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def MergeLoops : Pass<"npcc-merge-loops", "::mlir::func::FuncOp"> {
  let summary = "Inner loops of a kernel over the same positions: one loop";
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}
def MergeKernels : Pass<"npcc-merge-kernels", "::mlir::func::FuncOp"> {
  let summary = "Kernels over the same positions, none of which needs what another one has made: one kernel";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def MergeReductions : Pass<"npcc-merge-reductions", "::mlir::func::FuncOp"> {
  let summary = "A kernel over the elements that another one reduces: part of the reduction's loop";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def UnrollStacks : Pass<"npcc-unroll-stacks", "::mlir::func::FuncOp"> {
  let summary = "Kernels over the elements of small matrices that another kernel has in registers: part of that kernel";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def MergeScans : Pass<"npcc-merge-scans", "::mlir::func::FuncOp"> {
  let summary = "What is done with each of a line's running totals: where they are made";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def TurnOperands : Pass<"npcc-turn-operands", "::mlir::func::FuncOp"> {
  let summary = "Rows that each meet many others are turned, so that threads side by side load what lies side by side";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect"];
}
def ComputeAhead : Pass<"npcc-compute-ahead", "::mlir::func::FuncOp"> {
  let summary = "Kernels that do not need what a loop's iterations hand on come before the loop, for all of them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}
def SeparateTotals : Pass<"npcc-separate-totals", "::mlir::func::FuncOp"> {
  let summary = "What explicit loops add up, or the greatest that they find, becomes a reduction of its own";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}
def PrivatizeArrays : Pass<"npcc-privatize-arrays", "::mlir::func::FuncOp"> {
  let summary = "A small array that each iteration fills before it reads it is each iteration's own";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def DistributeUpdates : Pass<"npcc-distribute-updates", "::mlir::func::FuncOp"> {
  let summary = "Loops that update several elements are a loop for each array, and one of single updates";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}
def SplitAtPivots : Pass<"npcc-split-at-pivots", "::mlir::func::FuncOp"> {
  let summary = "Loops whose iterations are independent but for one go up to that one and on behind it";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ParallelizeLoops : Pass<"npcc-parallelize-loops", "::mlir::func::FuncOp"> {
  let summary = "Explicit element loops without dependences become kernels";
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}
def PlanAlternatives : Pass<"npcc-plan-alternatives"> {
  let summary = "Make branches of the alternatives that passes offer, or keep those alone that are needed";
  let options = [Option<"budget", "budget", "int64_t", "-1",
                        "Operations that alternatives may add to a function; below 0: what the target's tuning says">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CountReferences : Pass<"npcc-count-references", "::mlir::func::FuncOp"> {
  let summary = "Place np.retain and np.release";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def CleanLoops : Pass<"npcc-clean-loops"> {
  let summary = "Clean up the loop form";
}
def ComputeOnce : Pass<"npcc-compute-once", "::mlir::func::FuncOp"> {
  let summary = "Arrays that every iteration of a loop fills with the same elements: filled in the first one, and kept";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ClassifyKernels : Pass<"npcc-classify-kernels", "::mlir::func::FuncOp"> {
  let summary = "Give kernels that have no kind theirs, by their structure and their accesses";
}
def SplitAxes : Pass<"npcc-split-axes", "::mlir::func::FuncOp"> {
  let summary = "Kernels that divide the numbers of elements go over the axes that these are numbered along";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def SplitSteps : Pass<"npcc-split-steps", "::mlir::func::FuncOp"> {
  let summary = "Steps of rows whose elements do not need each other become a kernel over the elements";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ElideCopies : Pass<"npcc-elide-copies", "::mlir::func::FuncOp"> {
  let summary = "An array whose copy alone is looked at is the copy";
}
def UpdateInPlace : Pass<"npcc-update-in-place", "::mlir::func::FuncOp"> {
  let summary = "Arrays that each iteration makes anew, element by element of the last ones: one array that is updated";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def SkewLoops : Pass<"npcc-skew-loops", "::mlir::func::FuncOp"> {
  let summary = "Nests of the host whose diagonals are independent to one kernel for each diagonal";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def MergeIterations : Pass<"npcc-merge-iterations", "::mlir::func::FuncOp"> {
  let summary = "Loops of the host whose iterations do not need each other, with their kernels: one kernel";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def InterchangeLoops : Pass<"npcc-interchange-loops", "::mlir::func::FuncOp"> {
  let summary = "Loops of the host around kernels whose positions do not need each other go inside";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def TabulateIterations : Pass<"npcc-tabulate-iterations", "::mlir::func::FuncOp"> {
  let summary = "Numbers of an iteration that take long are computed once, and not by every element";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def CarryElements : Pass<"npcc-carry-elements", "::mlir::func::FuncOp"> {
  let summary = "What one iteration stores and the next one loads goes between them in a register";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect"];
  let options = [Option<"onlyTotals", "only-totals", "bool", "false",
                        "only elements at positions that stay, not what one iteration stores for the next">];
}
def SimplifyThreadPositions : Pass<"npcc-simplify-thread-positions", "::mlir::func::FuncOp"> {
  let summary = "Comparisons in functions of threads that the ranges of their numbers decide";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def RaiseFolds : Pass<"npcc-raise-folds", "::mlir::func::FuncOp"> {
  let summary = "Loops of one thread that carry scalars to folds and reductions";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def LowerFolds : Pass<"npcc-lower-folds", "::mlir::func::FuncOp"> {
  let summary = "Folds to loops of one thread";
  let options = [Option<"keepScans", "keep-scans", "bool", "false", "leave folds in kernels of kind scan to their emitter">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
#endif

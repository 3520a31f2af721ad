#ifndef NPCC_COMPILER_GPU_PASSES_TD
#define NPCC_COMPILER_GPU_PASSES_TD
include "mlir/Pass/PassBase.td"

def GroupUpdates : Pass<"npcc-group-updates", "::mlir::func::FuncOp"> {
  let summary = "Loops that update positions given by memory, in order: sorted, a thread for each position";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}
def EncloseLoops : Pass<"npcc-enclose-loops", "::mlir::func::FuncOp"> {
  let summary = "Serial loops of host code to kernels, so that the host does not wait for elements";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def AlternateSteps : Pass<"npcc-alternate-steps", "::mlir::func::FuncOp"> {
  let summary = "Arrays that change places in every iteration of a loop of the host stay, and iterations take turns";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def EncloseSteps : Pass<"npcc-enclose-steps", "::mlir::func::FuncOp"> {
  let summary = "Loops of the host that launch small kernels to one kernel, of one block or of the whole grid";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def GatherSteps : Pass<"npcc-gather-steps", "::mlir::func::FuncOp"> {
  let summary = "Small kernels that follow each other to one kernel of one block";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def PlaceOnHost : Pass<"npcc-place-on-host", "::mlir::func::FuncOp"> {
  let summary = "Arrays that the host goes through element by element lie in its memory";
  let options = [Option<"wholeLoops", "whole-loops", "bool", "false",
                        "only arrays whose outermost loops send nothing to the device">];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}
def LeaveToHost : Pass<"npcc-leave-to-host", "::mlir::func::FuncOp"> {
  let summary = "Long loops of which an iteration needs the one before: for the host, with copies of their arrays";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}
def ShareFolds : Pass<"npcc-share-folds", "::mlir::func::FuncOp"> {
  let summary = "Loops that a kernel's few iterations reduce in any order: shared by a team of threads for each";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def SinkLoads : Pass<"npcc-sink-loads", "::mlir::func::FuncOp"> {
  let summary = "Elements that host code reads for a kernel or a store alone: read by the device";
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SplitLaunches : Pass<"npcc-split-launches", "::mlir::func::FuncOp"> {
  let summary = "Reductions that need the whole device to kernels over parts and kernels that combine them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def SplitScans : Pass<"npcc-split-scans", "::mlir::func::FuncOp"> {
  let summary = "Running reductions along few long lines to kernels over parts of them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}
def RecordFailures : Pass<"npcc-record-failures", "::mlir::ModuleOp"> {
  let summary = "Errors of matrices without a result go to the record of kernels' errors, and the host does not wait";
}
def EncloseRoutines : Pass<"npcc-enclose-routines", "::mlir::func::FuncOp"> {
  let summary = "Factors and solutions of small matrices of a stack to parts of the kernels around them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CheckBeforeStores : Pass<"npcc-check-before-stores", "::mlir::func::FuncOp"> {
  let summary = "Checks of loops that store into what the caller sees to kernels of their own, which the stores ask";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}
def RunBeside : Pass<"npcc-run-beside", "::mlir::func::FuncOp"> {
  let summary = "Marks kernels in a row that share nothing which one of them writes: they may run side by side";
}
def GuardKernels : Pass<"npcc-guard-kernels", "::mlir::ModuleOp"> {
  let summary = "Marks kernels that must do nothing where a check of an earlier one has failed, and waits before calls";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def AwaitArguments : Pass<"npcc-await-arguments", "::mlir::ModuleOp"> {
  let summary = "Waits for the parts of arguments that are on their way from the host, before what uses them";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}
def LaunchThreads : Pass<"npcc-launch-threads", "::mlir::ModuleOp"> {
  let summary = "Thread-level kernels to gpu.launch";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def LowerDeviceChecks : Pass<"npcc-lower-device-checks", "::mlir::ModuleOp"> {
  let summary = "np.check_index and np.assert inside launches to error records";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}
def OutlineLaunches : Pass<"npcc-outline-launches", "::mlir::ModuleOp"> {
  let summary = "gpu.launch to kernels of one gpu.module, with what they capture as parameters";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}
def ShareKernels : Pass<"npcc-share-kernels", "::mlir::ModuleOp"> {
  let summary = "kernels with the same code become one function";
}
def LowerDeviceViews : Pass<"npcc-lower-device-views", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Views of another dtype or of parts that threads make, to their descriptors";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}
def LeaveSettled : Pass<"npcc-leave-settled", "::mlir::gpu::GPUModuleOp"> {
  let summary = "A thread leaves a loop whose further iterations would change nothing";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def NarrowPositions : Pass<"npcc-narrow-positions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Positions of elements as numbers of 32 bits, in kernels where they fit";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ExpandDeviceMath : Pass<"npcc-expand-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Functions of complex numbers and f16 that libdevice lacks; sine and cosine of one number at once";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
                           "::npcc::np::NpDialect"];
}
#endif

#ifndef NPCC_COMPILER_CODEGEN_THREADMEMORY_H
#define NPCC_COMPILER_CODEGEN_THREADMEMORY_H
// What the targets share of thread-level kernels: memory by its address, and updates in one step.
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npcc {

/// The bytes of a memref of a static shape.
int64_t getStaticBytes(mlir::MemRefType type);

/// A memref whose first element is at `address`. `sizes`: of its dynamic axes; `strides`: of all axes, or none where
/// the type is contiguous.
mlir::Value makeMemRef(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address, mlir::MemRefType type,
                       mlir::ValueRange sizes = {}, mlir::ValueRange strides = {});

/// The address of an element.
mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref, mlir::ValueRange position);

/// The constants of an np.thread_array as a global in an address space, whose generic address is given.
mlir::Value makeConstants(mlir::OpBuilder &builder, mlir::ModuleOp module, np::ThreadArrayOp op, unsigned space = 0);

/// np.atomic of the loop form -> llvm.atomicrmw, llvm.cmpxchg. `scope`: of the threads that see it in one step ("":
/// all).
void lowerAtomics(mlir::func::FuncOp function, mlir::LLVM::AtomicOrdering ordering, llvm::StringRef scope);

/// np.field of the loop form -> the memref of an address. Accesses say how little it is aligned.
void lowerFields(mlir::func::FuncOp function);

/// np.rebase -> the memref of the first element's address.
void lowerRebases(mlir::func::FuncOp function);

/// Calls what stands for np.libdevice: `call` with the function's result (null: none) and its arguments, with slots at
/// `entry` for the results behind pointers. The operation's results.
llvm::SmallVector<mlir::Value>
callLibdevice(mlir::OpBuilder &builder, mlir::OpBuilder &entry, np::LibdeviceOp op,
              llvm::function_ref<mlir::LLVM::CallOp(mlir::Type result, mlir::ValueRange arguments)> call);

/// Lets floats be computed as if they were real numbers where that was asked for, and reports what threads cannot do:
/// make arrays, compute whole arrays, declare more shared memory than a block has.
mlir::LogicalResult prepareThreadFunction(mlir::func::FuncOp function);

/// The address of an npcc_grid that describes a launch. `loc`: of the kernel.
mlir::Value describeGrid(mlir::OpBuilder &builder, mlir::ModuleOp module, np::LaunchOp launch, mlir::Location loc,
                         llvm::StringRef name, int64_t sharedBytes, int64_t flags);

/// Whether threads wait for each other in the function.
bool meetsOthers(mlir::func::FuncOp function);

} // namespace npcc
#endif

#ifndef NPCC_COMPILER_CODEGEN_RUNTIMEFUNCTIONS_H
#define NPCC_COMPILER_CODEGEN_RUNTIMEFUNCTIONS_H
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/status.h"

namespace npcc {

/// The declaration of a C function (of the runtime, of libm), made when it is first asked for.
mlir::LLVM::LLVMFuncOp declareFunction(mlir::ModuleOp module, llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> params);

/// Calls it. The builder may be a rewriter. No result: `result` is null.
mlir::LLVM::CallOp callFunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::ModuleOp module, llvm::StringRef name, mlir::Type result,
                                mlir::ValueRange arguments);

/// The address of a NUL-terminated constant.
mlir::Value getTextAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::ModuleOp module, llvm::StringRef text);

/// The same two for a pass that does it once for each kernel, of which a module may have thousands: to look for a name
/// in the module itself is to go through all that is in it.
mlir::LLVM::CallOp callFunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::SymbolTable &symbols,
                                llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);
mlir::Value getTextAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::SymbolTable &symbols,
                           llvm::StringRef text);

/// The Python file and line of a location; "" and 0 if it has none.
std::pair<llvm::StringRef, int> getSourcePosition(mlir::Location loc);

/// What a recording calls a kernel: its name, a tab, and the statement's place as "file.py:line" where that is known.
std::string getTraceLabel(llvm::StringRef name, mlir::Location loc);

/// The shape of an array in a message whose numbers are its extents: "({2},{3})" of two, the first with the number 2.
std::string getShapeFormat(size_t first, size_t count);

/// The runtime's number of a Python exception's name ("ValueError"); NPCC_RUNTIME_ERROR for others.
npcc_error getErrorCode(llvm::StringRef name);

/// The runtime's number of an element type of memory (i8 counts as signed).
npcc_dtype getMemoryDtype(mlir::Type elementType, bool isUnsigned);

/// A stack slot at the entry of the function around `op`.
mlir::Value allocateOnStack(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Type elementType, int64_t count);

} // namespace npcc
#endif

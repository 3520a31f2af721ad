#ifndef NPCC_COMPILER_KERNELS_SCALAROPS_H
#define NPCC_COMPILER_KERNELS_SCALAROPS_H
#include "dialects/Np/Np.h"
#include "mlir/IR/Builders.h"

// NumPy's operations on one element. Types are those of the np dialect (ui8 is unsigned); values are signless.
namespace npcc {

/// The element type of memory: bool is a byte, unsigned integers are signless.
mlir::Type getMemoryType(mlir::Type elementType);
/// The type of a value in registers: bool is i1, unsigned integers are signless.
mlir::Type getRegisterType(mlir::Type elementType);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type elementType);
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type elementType);

/// `type` is the element type of the (last) operand. Null of functions that are not made of that type.
mlir::Value emitUfunc(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc ufunc, mlir::ValueRange operands,
                      mlir::Type type);
mlir::Value emitCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type from, mlir::Type to);

/// Whether the exact result fits into 64 bits (np.fits).
mlir::Value emitFits(mlir::OpBuilder &builder, mlir::Location loc, np::Arithmetic kind, mlir::Value lhs,
                     mlir::Value rhs);

/// One step of a reduction (see UFUNC_REDUCTION), and the value that changes nothing.
mlir::Value emitCombine(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc combiner, mlir::Value lhs,
                        mlir::Value rhs, mlir::Type type);
mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Location loc, np::Ufunc combiner, mlir::Type type);
mlir::Value emitConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

} // namespace npcc
#endif

#ifndef NPCC_DIALECTS_NP_NP_H
#define NPCC_DIALECTS_NP_NP_H
// The dialect, and what its operations have in common. They are in headers by families: Arrays.h, Values.h, ...
#include "dialects/Np/ValueInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/MemorySlotInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Np/NpDialect.h.inc"
#include "dialects/Np/NpEnums.h.inc"

namespace npcc::np {

// Elementwise functions, and reductions by them: Ufunc.h.
enum class Ufunc;
enum class Reduction;

// What operations change that is no memory of the program: questions for who writes an array need not stop at them.
// All of them stay in order all the same, since each is a write.
/// The function may end with a Python exception.
struct Failure : mlir::SideEffects::Resource::Base<Failure> {
  llvm::StringRef getName() final { return "np.failure"; }
};
/// What print() writes.
struct Output : mlir::SideEffects::Resource::Base<Output> {
  llvm::StringRef getName() final { return "np.output"; }
};
/// The states of generators of random numbers.
struct Random : mlir::SideEffects::Resource::Base<Random> {
  llvm::StringRef getName() final { return "np.random"; }
};
/// How many references buffers have.
struct References : mlir::SideEffects::Resource::Base<References> {
  llvm::StringRef getName() final { return "np.references"; }
};

} // namespace npcc::np

#define GET_TYPEDEF_CLASSES
#include "dialects/Np/NpTypes.h.inc"

namespace npcc::np {

/// The element type of an array, a value or a scalar; null for other types.
mlir::Type getElementType(mlir::Type type);
/// The rank; 0 for scalars.
int64_t getRank(mlir::Type type);
llvm::ArrayRef<int64_t> getShape(mlir::Type type);
/// The extent of `value` along `axis`: a constant, the operand its producer was made with, or an `np.dim`.
mlir::Value getExtent(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t axis);
/// All of them.
llvm::SmallVector<mlir::Value> getExtents(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

} // namespace npcc::np
#endif

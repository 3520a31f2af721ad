#ifndef NPCC_FRONTEND_IMPORTER_OPERATORS_H
#define NPCC_FRONTEND_IMPORTER_OPERATORS_H
// Operators and NumPy's elementwise functions on values of all kinds.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Operators.cpp; `operation` is the name of ast's class ("Add") ----===//
/// What a class's method for `left op= right` (__iadd__) gives; nothing where it has none.
std::optional<PyValue> inPlaceOperator(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                       const PyValue &right);
PyValue binary(Interpreter &in, llvm::StringRef operation, const PyValue &left, const PyValue &right);
PyValue unary(Interpreter &in, llvm::StringRef operation, const PyValue &operand);
/// Whether NumPy decides what an operator does with the value: it is an array or a scalar of NumPy's.
bool isNumpys(Interpreter &in, const PyValue &value);
/// "+" of "Add".
llvm::StringRef symbolOf(llvm::StringRef operation);

//===---- Comparisons.cpp ----===//
PyValue compare(Interpreter &in, llvm::StringRef operation, const PyValue &left, const PyValue &right);
/// More items are not compared one by one in the code.
constexpr size_t mostCompared = 32;
/// Nor are more items of a global container known to the code at all.
constexpr size_t mostSearched = 4096;
/// Known ints or floats as an array; nothing where some are neither, or others.
std::optional<PyValue> knownNumbers(Interpreter &in, const std::vector<PyValue> &items);
PyValue contains(Interpreter &in, const PyValue &item, const PyValue &container);

//===---- PythonScalars.cpp ----===//
/// The sign of a known int that 64 bits do not hold; 0 of everything else.
int signBeyond64Bits(const PyValue &value);
PyValue pythonBinary(Interpreter &in, llvm::StringRef operation, const PyValue &left, const PyValue &right);
PyValue pythonCompare(Interpreter &in, llvm::StringRef operation, const PyValue &left, const PyValue &right);

//===---- frontend/numpy/Ufuncs.cpp ----===//
/// NumPy's elementwise function `ufunc` (an object) on operands: NumPy chooses the types. `isScalarMath`: as an
/// operator between NumPy's scalars, which have an arithmetic of their own. `admits` is asked once the types are known,
/// before anything is computed: with false, an error is reported, and nothing is.
PyValue applyUfunc(Interpreter &in, const py::Object &ufunc, llvm::ArrayRef<PyValue> operands,
                   const py::Object &dtype = {}, llvm::StringRef casting = {}, bool isScalarMath = false,
                   llvm::function_ref<bool(llvm::ArrayRef<PyValue> operands, mlir::Type result)> admits = {});
PyValue applyUfunc(Interpreter &in, llvm::StringRef numpyName, llvm::ArrayRef<PyValue> operands);

} // namespace npcc::frontend
#endif

#ifndef NPCC_FRONTEND_IMPORTER_VALUES_H
#define NPCC_FRONTEND_IMPORTER_VALUES_H
// What Python's values are in the program: their types, as NumPy promotes them, and their conversions.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What is said of arrays of strings. They are Python's objects, where that may run parts of the function.
constexpr llvm::StringLiteral textArrays = "strings are not numbers of compiled code";

//===---- Values.cpp ----===//
mlir::Value constant(Interpreter &in, mlir::Type elementType, const py::Object &number);
/// The element type or weak Python type of a value, as NumPy's promotion takes it: a dtype, or int, float, complex.
/// Null: neither.
py::Object promotionKey(Interpreter &in, const PyValue &value);
mlir::Type resultType(Interpreter &in, llvm::ArrayRef<PyValue> values);
/// A tensor or scalar of the value now, in its own element type.
mlir::Value valueOf(Interpreter &in, const PyValue &value);
/// A tensor: Python scalars and constants become rank 0.
mlir::Value tensorOf(Interpreter &in, const PyValue &value, mlir::Type elementType = {});
/// A value of any kind as scalar or tensor of an element type.
mlir::Value operandAs(Interpreter &in, const PyValue &value, mlir::Type elementType);
/// A value that is an array to Python, of no axes too: not the NumPy scalar that a value of rank 0 is otherwise.
PyValue asNewArray(Interpreter &in, mlir::Value value);
/// Python's int of a value: index, null with an error reported if it is none.
mlir::Value toIndex(Interpreter &in, const PyValue &value, llvm::StringRef what = "");
PyValue fromIndex(Interpreter &in, mlir::Value index);
/// What an error message calls it.
std::string describe(Interpreter &in, const PyValue &value);
/// The name of a class: of one of the library that stands for one of Python's, that one's.
std::string visibleName(const py::Object &cls);

/// For a class of the library that lacks a name: whether the class that the program sees in its place (a matrix of
/// scipy's, a deque) has it. Then an error is reported, because Python would find it.
bool refusesSeen(Interpreter &in, const py::Object &cls, const std::string &name);
/// The name of a value's type as Python's errors have it, in quotes where `isQuoted`; of what has no such type the
/// description.
std::string nameOfType(Interpreter &in, const PyValue &value, bool isQuoted = true);

//===---- AsArray.cpp ----===//
/// Lists, tuples, constants and scalars as numpy.asarray takes them: an array reference, tensor, or null with an error
/// reported.
mlir::Value asArray(Interpreter &in, const PyValue &value, mlir::Type elementType = {});

//===---- Items.cpp ----===//
/// As an array takes a value that is assigned to it: int() and its errors for a float that becomes an integer.
/// `isItem`: assigned to elements that basic indices name, where NumPy's own scalars go through int() too.
mlir::Value itemAs(Interpreter &in, const PyValue &value, mlir::Type elementType, bool isItem);
/// OverflowError for a Python int that the dtype does not hold.
void checkFits(Interpreter &in, mlir::Value number, mlir::IntegerType type);
/// Whether a function's ints are Python's: those of the library are positions, but for functions that their modules
/// name in PYTHONS_INTS.
bool computesPythonsInts(const PyValue &function);
/// OverflowError unless the exact result of Python integers' arithmetic fits into 64 bits.
void checkFits(Interpreter &in, np::Arithmetic kind, mlir::Value lhs, mlir::Value rhs);
/// Python's errors of int(number).
void checkWholeNumber(Interpreter &in, mlir::Value number);
/// A Python int, of a number that NumPy or Python holds in any way: what 64 bits do not hold is an error.
mlir::Value wholeNumber(Interpreter &in, mlir::Value scalar);

//===---- Conversions.cpp ----===//
/// The type that a value has at run time, null if it has none.
mlir::Type runtimeType(Interpreter &in, const PyValue &value);
/// The type that holds both, null if there is none.
mlir::Type joinTypes(Interpreter &in, mlir::Type left, mlir::Type right);
/// The value as one of `type`, which joinTypes gave.
mlir::Value convertTo(Interpreter &in, const PyValue &value, mlir::Type type);
/// Whether convertTo() checks at run time that the value is one of the type's.
bool isCheckedAs(Interpreter &in, const PyValue &value, mlir::Type type);

} // namespace npcc::frontend
#endif

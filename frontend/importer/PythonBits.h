#ifndef NPCC_FRONTEND_IMPORTER_PYTHONBITS_H
#define NPCC_FRONTEND_IMPORTER_PYTHONBITS_H
// Numbers that are Python's int or float on one path and something else on another: a float, or a scalar of NumPy's.
// Such a number is held as that other one, a bit beside it says whether it is Python's (PyValue::pythonBit), and
// PyValue::pythonType what it is then. Arithmetic goes on with the number where that gives the same; where it does not,
// and where the type matters otherwise (results, text, lists, isinstance, `//`), the number becomes a union of both.
// Bits that nothing asks for are dropped.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The slot of a name's bit has the name with this behind it.
constexpr llvm::StringLiteral pythonBitSuffix = "?python";

/// i64 or f64 if a value may be Python's int or float, the int if it may be both; null if it is neither.
mlir::Type getPythonType(Interpreter &in, const PyValue &value);
/// An i1: whether it is Python's number of `type`. Of what is none, false.
mlir::Value pythonBitOf(Interpreter &in, const PyValue &value, mlir::Type type);
/// What one of these values may be in a slot of `type`, beside what `type` says: a type as above, or null.
mlir::Type pythonTypeAmong(Interpreter &in, llvm::ArrayRef<PyValue> values, mlir::Type type);
/// The same of what a loop carries: a float of Python's is one of NumPy's there, which is a float as well. A device
/// would have to hand its bit to the host, which waits for it.
mlir::Type carriedPythonType(Interpreter &in, llvm::ArrayRef<PyValue> values, mlir::Type type);
/// A number with a bit; without where it is known to be unset. A number that is known to be Python's becomes that.
PyValue withPythonBit(Interpreter &in, PyValue number, mlir::Value bit, mlir::Type type);
PyValue withoutPythonBit(PyValue number);
/// Gives a slot of a name what tells Python's numbers among these values, if there are any.
void addPythonBit(Interpreter &in, PyValue &slot, const std::string &name, llvm::ArrayRef<PyValue> values);
/// Some number of Python's of a type as above.
PyValue someNumber(mlir::Type type);
/// The union of both; of other values themselves. Only as many bits as a float's significand has are kept of an int:
/// OverflowError for larger ones.
PyValue splitNumber(Interpreter &in, const PyValue &value);
/// The value as an int where one is needed; a float gives the error in these words.
PyValue intOf(Interpreter &in, const PyValue &value, llvm::StringRef error, llvm::StringRef words);
/// What a slot holds, read here.
PyValue heldBy(Interpreter &in, const PyValue &slot);

/// left `operation` right, one of which has a bit; nothing where the numbers serve, of any type.
std::optional<PyValue> binaryOfPythonBits(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                          const PyValue &right);

/// Whether two numbers can not be one with a bit: two of NumPy's dtypes, an int that NumPy's scalar cannot hold, an
/// array without axes and a scalar, a complex number and another.
bool areApart(Interpreter &in, const PyValue &left, const PyValue &right);

/// Erases the bits of a function that nothing reads but other bits.
void dropUnusedPythonBits(mlir::Region &body);

} // namespace npcc::frontend
#endif

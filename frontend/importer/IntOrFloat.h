#ifndef NPCC_FRONTEND_IMPORTER_INTORFLOAT_H
#define NPCC_FRONTEND_IMPORTER_INTORFLOAT_H
// Numbers that are Python's int on one path and a float on another. Such a number is held as a float, and a bit beside
// it says whether it is an int (PyValue::intBit). Arithmetic goes on with the floats; where the type matters (results,
// text, lists, isinstance, `//`) the number becomes a union of both. Bits that nothing asks for are dropped.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The slot of a name's bit has the name with this behind it.
constexpr llvm::StringLiteral intBitSuffix = "?int";

/// Whether a value may be Python's int: it is one, or has a bit.
bool mayBeInt(const PyValue &value);
/// An i1: whether it is Python's int. Of what is no int, false.
mlir::Value intBitOf(Interpreter &in, const PyValue &value);
/// Whether a slot of `type` needs a bit for one of these values.
bool needsIntBit(llvm::ArrayRef<PyValue> values, mlir::Type type);
/// A float with a bit; without where it is known to be none. A float that is known to be an int becomes one.
PyValue withIntBit(Interpreter &in, PyValue number, mlir::Value bit);
PyValue withoutIntBit(PyValue number);
/// The union of the int and the float; of other values themselves. Only as many bits as the float's significand has
/// are kept of an int: OverflowError for larger ones.
PyValue splitNumber(Interpreter &in, const PyValue &value);
/// The value as an int where one is needed; a float gives the error in these words.
PyValue intOf(Interpreter &in, const PyValue &value, llvm::StringRef error, llvm::StringRef words);
/// What a slot holds, read here.
PyValue heldBy(Interpreter &in, const PyValue &slot);

/// left `operation` right, one of which has a bit; nothing where a float's result serves, of any type.
std::optional<PyValue> binaryOfIntOrFloat(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                          const PyValue &right);

/// Erases the bits of a function that nothing reads but other bits.
void dropUnusedIntBits(mlir::Region &body);

} // namespace npcc::frontend
#endif

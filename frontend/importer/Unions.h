#ifndef NPCC_FRONTEND_IMPORTER_UNIONS_H
#define NPCC_FRONTEND_IMPORTER_UNIONS_H
// Names that hold values of different types on different paths: `None` or an array, tuples of two lengths, one of two
// functions. A union is its alternatives, each with slots of its own, and a slot that says which one it is. Operations
// take it apart: each alternative on a path of its own, where its type is known again.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What is said of something that was given and is of no type that compiled code has.
constexpr llvm::StringLiteral opaqueWords = "is not of a type that compiled code knows: ";
/// What a name holds where something that cannot be told from other things meets another value.
PyValue conflictOnSomePath(const PyValue &conflict);

/// A name that may hold more than these is refused: each operation on it is imported for each of them.
constexpr size_t mostAlternatives = 8;

/// The union of what the edges bring, set on each of them; a conflict where that is no union.
PyValue joinAsUnion(Interpreter &in, const std::string &name, llvm::ArrayRef<PyValue> values, std::vector<Edge> &edges);
/// The union that holds what both hold, or a conflict. Its slots are those of `name`.
PyValue unionOf(Interpreter &in, const std::string &name, const PyValue &left, const PyValue &right);
/// Whether a name keeps the types of all numbers apart, whether they are of one type, and whether a name keeps the
/// types of two values apart: what functions give is of the dtype that NumPy gives it.
constexpr llvm::StringLiteral exactPrefix = "%result";
bool isExact(llvm::StringRef name);
/// Whether the arrays that hold the items of two lists alike have one type: else the lists are two alternatives.
bool haveOneType(Interpreter &in, const PyValue &left, const PyValue &right);
bool keepsApart(Interpreter &in, llvm::StringRef name, const PyValue &left, const PyValue &right);
bool areOneNumber(Interpreter &in, const PyValue &left, const PyValue &right);
/// Whether it is a union of numbers of several types.
bool hasSeveralNumbers(Interpreter &in, const PyValue &value);
/// Puts a value, which unionOf() took in, into a union's slots.
void flushUnion(Interpreter &in, const PyValue &target, const PyValue &value);
/// The union with its slots as they are now: other values may be put into them later.
PyValue readUnion(Interpreter &in, const PyValue &binding);

/// What an operation gives for a union: for each alternative on its path. An alternative for which it is an error is
/// one at run time, unless it is one for all. `isCall`: that None is not taken may be a refusal of the compiler's, and
/// stays one.
PyValue overAlternatives(Interpreter &in, const PyValue &value, llvm::function_ref<PyValue(PyValue)> operation,
                         bool isCall = false);
/// The same where one of several operands may be a union; nothing if none is.
std::optional<PyValue> overAlternatives(Interpreter &in, llvm::ArrayRef<PyValue> values,
                                        llvm::function_ref<PyValue(llvm::ArrayRef<PyValue>)> operation,
                                        bool isCall = false);
/// Whether a union is one of the alternatives that `select` picks: known, or an i1.
PyValue isAlternative(Interpreter &in, const PyValue &value, llvm::function_ref<bool(const PyValue &)> select);

/// An array of a type, without elements; where its axes must have one, that is zero.
mlir::Value emptyOf(Interpreter &in, np::ArrayType type);
/// A value of alternative `k`; where the union is another one and this is an array, an empty one.
mlir::Value orEmpty(Interpreter &in, const PyValue &read, size_t k, mlir::Value value);

/// On one side of a branch on `test`: names that are compared with None there hold the alternatives that remain.
class Narrowed {
public:
  Narrowed(Interpreter &in, const py::Object &test, bool side);
  /// Before the sides meet: names that hold the same as at the beginning hold all alternatives again, so that nothing
  /// is to be joined.
  void restore(Bindings &bindings) const;

private:
  void narrow(const py::Object &test, bool side);

  Interpreter &in;
  std::vector<std::tuple<std::string, PyValue, PyValue>> names; // with what they held, and hold now
};

} // namespace npcc::frontend
#endif

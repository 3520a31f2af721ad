#ifndef NPCC_FRONTEND_IMPORTER_STRINGS_H
#define NPCC_FRONTEND_IMPORTER_STRINGS_H
// Strings that are known at run time only. One is a number of the runtime's table of strings (runtime/Text.h), so that
// it goes through control flow, into lists, dicts and tuples, and to Python as numbers do; equal strings have equal
// numbers. In the importer it is an object of `str` with one item, its number, as the rows of tables are (Tables.h).
// A string that is known, or text with values in it (Text.h), becomes a number where it meets one or is put into a
// list.
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"

namespace npcc::frontend {

/// The table of strings, as `Composite::id` has it.
constexpr unsigned stringTable = ~0u;

inline bool isNumbered(const PyValue &value) { return value.isTabled() && value->id == stringTable; }
/// Known or not; of a union: whether each alternative is one.
bool isString(const PyValue &value);
/// Whether it is one that is known at run time only.
inline bool isRuntimeString(const PyValue &value) { return isNumbered(value) || value.is(PyValue::Kind::Text); }

PyValue numberedString(const PyValue &number);
/// Whether it is an element of an array of strings, numpy.str_ to Python: one that differs in its type alone.
bool isNumpyString(Interpreter &in, const PyValue &value);
/// A string as a number; poison with an error reported.
PyValue numbered(Interpreter &in, const PyValue &string);
/// The number of a string, i64; null with an error reported.
mlir::Value stringNumber(Interpreter &in, const PyValue &string);
/// What the rows of a list of strings are like.
PyValue stringModel();
/// Whether values that meet in one name are strings that it holds as a number.
bool meetAsStrings(llvm::ArrayRef<PyValue> values);

/// A function of the runtime's on strings by its name (`np.text_function`): a number.
mlir::Value callText(Interpreter &in, llvm::StringRef function, mlir::ValueRange arguments);
/// What a routine that makes a string of arrays gives (callText() of the runtime).
PyValue textRoutine(Interpreter &in, llvm::StringRef routine, llvm::ArrayRef<mlir::Value> inputs);
/// str() or repr() of an array or list of numbers as NumPy writes it, now; `kind` as npcc_text_hooks::array has it.
PyValue arrayText(Interpreter &in, mlir::Value array, char kind);
/// The string that a Python expression of `numpy` and of the array `a` gives when it is evaluated, now.
PyValue arrayExpression(Interpreter &in, mlir::Value array, std::string expression);

PyValue stringLength(Interpreter &in, const PyValue &string);
/// s[i], s[i:j:k].
PyValue stringItem(Interpreter &in, const PyValue &string, const PyValue &index);
/// int(s, base) and float(s).
PyValue integerOfString(Interpreter &in, const PyValue &string, const PyValue &base);
PyValue floatOfString(Interpreter &in, const PyValue &string);
std::optional<Counted> countedString(Interpreter &in, const PyValue &string);
/// == < and so on, `part in string`; nothing where no string of run time is part of it.
std::optional<PyValue> compareStrings(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                      const PyValue &right);
/// + and *; nothing where no string of run time is part of it.
std::optional<PyValue> combineStrings(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                      const PyValue &right);
/// Whether str has such a method.
bool isStringMethod(const std::string &name);
/// A method of a string one of whose operands is known at run time only.
PyValue callStringMethod(Interpreter &in, const PyValue &string, const std::string &name, Call &call);

} // namespace npcc::frontend
#endif

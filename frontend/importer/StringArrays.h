#ifndef NPCC_FRONTEND_IMPORTER_STRINGARRAYS_H
#define NPCC_FRONTEND_IMPORTER_STRINGARRAYS_H
// Arrays of strings: objects of a class of the library's, which has the strings' numbers (Strings.h) in an array and
// the width of NumPy's dtype (npcc/library/string_arrays.py). What NumPy's functions do of them is written there, too.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

bool isStringArrayClass(const py::Object &cls);
bool isStringArray(const PyValue &value);
/// Whether an object of Python's is one of NumPy's arrays of strings.
bool isArrayOfStrings(const py::Object &object);
/// What compiled code makes of such an array that a global holds. It is not stored into.
PyValue knownStringArray(Interpreter &in, const py::Object &array);
/// A call of a function of NumPy's with such arrays, or with lists of strings where it makes arrays of them; nothing
/// for other calls.
std::optional<PyValue> callOfStringArrays(Interpreter &in, const py::Object &callee, Call &call);
/// The same of a method of a generator of random numbers.
std::optional<PyValue> callGeneratorWithStrings(Interpreter &in, const PyValue &generator, const std::string &name,
                                                Call &call);

} // namespace npcc::frontend
#endif

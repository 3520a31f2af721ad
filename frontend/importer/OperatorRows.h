#ifndef NPCC_FRONTEND_IMPORTER_OPERATORROWS_H
#define NPCC_FRONTEND_IMPORTER_OPERATORROWS_H
// What arithmetic (Operators.cpp) and comparisons (Comparisons.cpp) share.
#include "frontend/importer/Operators.h"

namespace npcc::frontend {

struct OperatorRow {
  const char *node;     // ast's class
  const char *symbol;   // as it is written
  const char *ufunc;    // numpy's function
  const char *function; // of module operator
};
/// The row of a comparison that NumPy has a function for.
const OperatorRow &comparisonRow(llvm::StringRef operation);

/// Computes with what is known, as Python does.
PyValue compute(Interpreter &in, const OperatorRow &row, const std::vector<py::Object> &operands);
/// Whether NumPy decides what the operator does: there is an array or a NumPy scalar among the operands.
bool isNumpys(Interpreter &in, const PyValue &value);
/// Python's complex takes a numpy.float64 for the float that it is: the result is Python's.
PyValue besideComplex(Interpreter &in, const PyValue &left, const PyValue &right);
/// Whether a method says that it does not know the other operand.
bool isNotImplemented(const PyValue &value);
/// An operator that a class defines; nothing where neither operand's does.
std::optional<PyValue> specialOperator(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                       const PyValue &right);
/// What objects of a dataclass are compared by: a tuple.
PyValue comparedParts(Interpreter &in, const PyValue &object);

} // namespace npcc::frontend
#endif

#ifndef NPCC_FRONTEND_IMPORTER_TUPLETABLES_H
#define NPCC_FRONTEND_IMPORTER_TUPLETABLES_H
// Tuples of numbers and strings as items of lists of several types (MixedLists.h): {start: None} that gets tuples. The tuples of one type are rows
// of a table with a list for each of their places, and the item is the row's number. Row 0 is nobody's: what reads an item of another type reads it.
#include "frontend/importer/PyValue.h"
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The type of a tuple, by the types of its items: "tuple int,str", of a named tuple "tuple int,str@shop:Sale"; empty
/// where it cannot be an item of such a list. `cls` is the named tuple's class, or null.
std::string tupleKind(Interpreter &in, llvm::ArrayRef<std::string> kinds, const py::Object &cls);
std::string tupleKind(Interpreter &in, const PyValue &value);
bool isTupleKind(llvm::StringRef kind);
/// The types of a tuple's items.
std::vector<std::string> kindsOfTuple(llvm::StringRef kind);
/// The class of a named tuple's type, or null.
py::Object tupleClass(Interpreter &in, llvm::StringRef kind);

/// The tables of the types that were noted, at the beginning of the function.
void makeTupleTables(Interpreter &in);
/// The number of a new row; null with an error reported.
mlir::Value rowOfTuple(Interpreter &in, const PyValue &tuple);
/// The tuple of a row, which need be one of this type only where the tuple is used.
PyValue tupleOfRow(Interpreter &in, llvm::StringRef kind, mlir::Value row);
/// The lists of what all rows hold.
std::vector<PyValue> tupleColumns(Interpreter &in, llvm::StringRef kind);

} // namespace npcc::frontend
#endif

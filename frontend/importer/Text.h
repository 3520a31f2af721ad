#ifndef NPCC_FRONTEND_IMPORTER_TEXT_H
#define NPCC_FRONTEND_IMPORTER_TEXT_H
// Strings, with values of the program in them.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

PyValue text(Interpreter &in, const PyValue &value, const std::string &spec, bool isRepr = false);
py::Object format(Interpreter &in, const py::Object &known, const std::string &spec);
/// Adds what format() or, with a `conversion` ('r', 's', 'a'), repr() and str() make of a value. False with an error
/// reported.
bool addFormatted(Interpreter &in, Composite &pieces, PyValue value, std::string spec, char conversion);
bool addFormatted(Interpreter &in, Composite &pieces, PyValue value, const PyValue &spec, char conversion);
/// Adds text.
bool addShown(Interpreter &in, Composite &pieces, const PyValue &shown);
/// The string of pieces: known where all are.
PyValue textOf(std::shared_ptr<Composite> pieces);
PyValue joinedString(Interpreter &in, const py::Object &node);
/// The text of an exception as np.assert has it; `values` are what it shows of the program.
std::string exceptionText(Interpreter &in, const PyValue &shown, llvm::SmallVectorImpl<mlir::Value> &values);
/// Such a text as a string, now; poison with an error reported.
PyValue exceptionString(Interpreter &in, llvm::StringRef message, mlir::ValueRange values);
/// What a format that is known at run time only makes of values, by the method "format" or "__mod__" of strings
/// (RuntimeFormats.cpp).
PyValue formatAtRunTime(Interpreter &in, const PyValue &format, llvm::StringRef method, llvm::ArrayRef<PyValue> values);
/// format(value, spec) where the spec is known at run time only.
PyValue formatWithSpec(Interpreter &in, const PyValue &value, const PyValue &spec);
/// "..." % values, Formatting.cpp.
std::vector<PyValue> percentValues(const PyValue &values);
PyValue percentFormat(Interpreter &in, const py::Object &format, const PyValue &values);
/// "...".format(...), and "...".join(...) of a known number of strings; nothing for other methods.
std::optional<PyValue> callFormatMethod(Interpreter &in, const py::Object &string, const std::string &name, Call &call);
void print(Interpreter &in, Call &call);
/// What np.print and np.text have of pieces. False with an error reported.
bool piecesOf(Interpreter &in, const Composite &text, llvm::SmallVectorImpl<mlir::Attribute> &pieces,
              llvm::SmallVectorImpl<mlir::Value> &arguments);

} // namespace npcc::frontend
#endif

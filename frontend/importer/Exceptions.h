#ifndef NPCC_FRONTEND_IMPORTER_EXCEPTIONS_H
#define NPCC_FRONTEND_IMPORTER_EXCEPTIONS_H
// Exceptions as values: a program may make one in one place, keep it, and raise it in another.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// The key under which an exception's object holds its text, beside the attributes that the program gives it.
inline py::Object textKey() { return py::string("__text__"); }
/// What a call of an exception's class gives outside of `raise`: an object that holds its arguments and its message.
PyValue madeException(Interpreter &in, py::Object cls, Call &call);

} // namespace npcc::frontend
#endif

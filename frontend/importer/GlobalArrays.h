#ifndef NPCC_FRONTEND_IMPORTER_GLOBALARRAYS_H
#define NPCC_FRONTEND_IMPORTER_GLOBALARRAYS_H
// Small arrays that globals hold are constants of the code: each place that reads one makes an array of its elements.
// What is stored into that would be lost. So an import that finds such a store fails and tells Python which array it
// is, and the function is compiled anew with that array as a parameter, as large ones are.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// Whether a value is a global's array, as Python has it.
bool isGlobalArray(Interpreter &in, const PyValue &value);
/// Says that `array`, whose elements were stored into it just now, stands for a global's.
void markGlobal(Interpreter &in, mlir::Value array, const py::Object &object);
/// The same of a new array that has the elements of a field of a global's records, and cannot be stored into.
void markField(Interpreter &in, mlir::Value array, const py::Object &object);
/// Something is stored into a global's array, which is noted, and fails.
void failStoredGlobal(Interpreter &in, mlir::Location loc, PyObject *array);
/// Looks for what is stored into these arrays, when the function is complete.
void checkStoredGlobals(Interpreter &in);

} // namespace npcc::frontend
#endif

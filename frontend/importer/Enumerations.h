#ifndef NPCC_FRONTEND_IMPORTER_ENUMERATIONS_H
#define NPCC_FRONTEND_IMPORTER_ENUMERATIONS_H
// Calls of enumerations: `Kind(2)` is the member with that value.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// Whether a class is one whose calls look for a member: not of flags, whose calls make new ones.
bool isEnumeration(const py::Object &cls);
PyValue callEnumeration(Interpreter &in, const py::Object &cls, Call &call);

} // namespace npcc::frontend
#endif

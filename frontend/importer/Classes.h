#ifndef NPCC_FRONTEND_IMPORTER_CLASSES_H
#define NPCC_FRONTEND_IMPORTER_CLASSES_H
// What the class of an object says of it.
#include "frontend/importer/PythonObject.h"

namespace npcc::frontend {

/// Whether it is a dataclass to whose attributes nothing can be assigned.
bool isFrozen(const py::Object &cls);

} // namespace npcc::frontend
#endif

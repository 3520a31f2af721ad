#ifndef NPCC_FRONTEND_IMPORTER_REPEATEDIMPORTS_H
#define NPCC_FRONTEND_IMPORTER_REPEATEDIMPORTS_H
// What an import knows of those before it.
#include "frontend/importer/Importer.h"

namespace npcc::frontend {

/// Whether two imports have failed alike: with the same words at the same place.
bool isSame(const Diagnostic &left, const Diagnostic &right);

} // namespace npcc::frontend
#endif

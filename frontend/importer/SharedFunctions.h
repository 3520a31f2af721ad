#ifndef NPCC_FRONTEND_IMPORTER_SHAREDFUNCTIONS_H
#define NPCC_FRONTEND_IMPORTER_SHAREDFUNCTIONS_H
// Functions of the program are imported in the place of each call, so that what they compute is fused with what is
// around it. A function that many calls lead to, each of which is much, makes more code than anybody waits for: it
// becomes a function of the module that all of them call, as those are that call themselves (Recursion.h).
#include "frontend/importer/Recursion.h"

namespace npcc::frontend {

/// The definitions that an import would be much smaller without the copies of, the best one first; none where it is of
/// a usual size. Where no single one is most of the import, several may be together.
std::vector<std::vector<PyObject *>> worthSharing(const Outlines &outlines);

} // namespace npcc::frontend
#endif

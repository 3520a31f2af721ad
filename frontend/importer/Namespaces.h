#ifndef NPCC_FRONTEND_IMPORTER_NAMESPACES_H
#define NPCC_FRONTEND_IMPORTER_NAMESPACES_H
// types.SimpleNamespace and classes of the program's that inherit from it: objects like others, whose attributes are
// the keywords of the call that makes them, and which are equal and shown by what they hold.
#include "frontend/importer/Calls.h"
#include "frontend/importer/Objects.h"

namespace npcc::frontend {

bool isNamespaceClass(const py::Object &cls);
/// Whether objects of the class do this, "__eq__" or "__repr__", as namespaces do: no class of the program's says
/// otherwise.
bool doesAsNamespace(const py::Object &cls, const char *method);
/// What the constructor does. False with an error reported.
bool fillNamespace(Interpreter &in, const PyValue &instance, const Call &call);
/// What the name of the class is where one is shown.
std::string shownNameOf(const py::Object &cls);

} // namespace npcc::frontend
#endif

// What the compiler says, as the dicts that errors.py makes exceptions of.
#ifndef NPCC_FRONTEND_EXTENSION_DIAGNOSTICS_H
#define NPCC_FRONTEND_EXTENSION_DIAGNOSTICS_H
#include "frontend/extension/Extension.h"

namespace npcc {
struct SourceDiagnostic;
}
namespace npcc::frontend {
struct Diagnostic;
}

namespace npcc::extension {
void appendDiagnostic(PyObject *list, const SourceDiagnostic &diagnostic);
void appendDiagnostic(PyObject *list, const frontend::Diagnostic &diagnostic);
} // namespace npcc::extension
#endif

// Types of parameters as text ("float64[:,:]", "float"): what the package keys its specialisations and its cache by.
#ifndef NPCC_FRONTEND_EXTENSION_TYPES_H
#define NPCC_FRONTEND_EXTENSION_TYPES_H
#include "frontend/extension/Extension.h"
#include "frontend/importer/Signature.h"

namespace npcc::extension {

/// The type of an argument (convert.h).
std::string typeText(npcc_key key);
/// The text of a declaration's type: as typeText, and with strides.
std::string typeText(const frontend::ParamType &type);
/// False, with ValueError set.
bool parseTypeText(PyObject *text, frontend::ParamType &type);

} // namespace npcc::extension
#endif

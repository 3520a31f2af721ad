// Ahead-of-time modules.
#include "frontend/extension/Extension.h"

using namespace npcc;
using namespace npcc::extension;

PyMethodDef npcc::extension::linkMethods[] = {{nullptr, nullptr, 0, nullptr}};

#ifndef NPCC_FRONTEND_IMPORTER_INSTALLED_H
#define NPCC_FRONTEND_IMPORTER_INSTALLED_H
#include "llvm/ADT/StringRef.h"

namespace npcc::frontend {

/// Whether a file belongs to a package that was installed, as is_installed in npcc/dependencies.py has it. What cannot
/// be compiled in its functions is noted where the program calls them: Python runs that call (Parts.h).
inline bool isInstalled(llvm::StringRef file) {
  return file.contains("/site-packages/") || file.contains("/dist-packages/");
}

} // namespace npcc::frontend
#endif

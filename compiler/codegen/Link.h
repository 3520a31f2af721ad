#ifndef NPCC_COMPILER_CODEGEN_LINK_H
#define NPCC_COMPILER_CODEGEN_LINK_H
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace npcc {

struct LinkRequest {
  std::string output;                  // foo.so
  std::string moduleName;              // foo: PyInit_foo is exported; "": a C library, not a Python module
  std::vector<std::string> objects;    // bytes: code, the module's table (ModuleTable.h), the module's init code (frontend/module)
  std::vector<std::string> exports;    // C functions
  std::string runtime;                 // libnpcc_rt.so, the file to link against
};

/// Links a Python extension that needs libnpcc_rt.so beside it and nothing else. No compiler, no start-up files: lld runs in this process,
/// one link at a time. The output is replaced at once when it is complete.
llvm::Error linkModule(const LinkRequest &request);

} // namespace npcc
#endif

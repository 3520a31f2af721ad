#ifndef NPCC_COMPILER_GPU_IMAGE_ASSEMBLE_H
#define NPCC_COMPILER_GPU_IMAGE_ASSEMBLE_H
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace npcc::cuda {

/// Makes the assembler ready, so that the first program does not wait for what it does once in a process. May run on
/// any thread.
void prepareAssembler();

/// The machine code of PTX text for one GPU ("sm_90"). An empty string: there is neither the library nor ptxas, and the
/// driver compiles the PTX when it is loaded.
llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef arch, llvm::StringRef cudaPath);

} // namespace npcc::cuda
#endif

#include "compiler/gpu/image/Toolkit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

namespace npcc::cuda {

static std::string getPathIn(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

std::string findToolkitFile(llvm::StringRef cudaPath, llvm::StringRef file) {
  llvm::SmallVector<std::string> folders;
  if (!cudaPath.empty()) {
    folders.push_back(cudaPath.str());
  } else {
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
      if (const char *folder = std::getenv(variable); folder && *folder)
        folders.push_back(folder);
    for (const char *tool : {"nvcc", "ptxas"})
      if (auto path = llvm::sys::findProgramByName(tool)) {
        llvm::SmallString<256> real;
        if (!llvm::sys::fs::real_path(*path, real))
          folders.push_back(llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str());
      }
    for (const char *folder : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"})
      folders.push_back(folder);
  }
  for (const std::string &folder : folders)
    if (std::string path = getPathIn(folder, file); llvm::sys::fs::exists(path))
      return path;
  return "";
}

} // namespace npcc::cuda

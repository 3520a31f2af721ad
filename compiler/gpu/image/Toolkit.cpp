#include "compiler/gpu/image/Toolkit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
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

llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef arch, llvm::StringRef cudaPath) {
  std::string ptxas = findToolkitFile(cudaPath, "bin/ptxas");
  if (ptxas.empty())
    return "";
  llvm::SmallString<128> source, cubin, log;
  auto makeFile = [](llvm::StringRef suffix, llvm::SmallString<128> &path) { return llvm::sys::fs::createTemporaryFile("npcc", suffix, path); };
  if (std::error_code error = makeFile("ptx", source))
    return llvm::errorCodeToError(error);
  llvm::FileRemover removeSource(source);
  if (std::error_code error = makeFile("cubin", cubin))
    return llvm::errorCodeToError(error);
  llvm::FileRemover removeCubin(cubin);
  if (std::error_code error = makeFile("log", log))
    return llvm::errorCodeToError(error);
  llvm::FileRemover removeLog(log);
  {
    std::error_code error;
    llvm::raw_fd_ostream out(source, error);
    if (error)
      return llvm::errorCodeToError(error);
    out << ptx;
  }
  // NumPy's bits: no contraction of a product and a sum.
  std::string archFlag = ("-arch=" + arch).str();
  llvm::SmallVector<llvm::StringRef> arguments{ptxas, archFlag, "-fmad=false", source, "-o", cubin};
  if (ptx.contains("\n\t.loc")) // of Python's source
    arguments.push_back("-lineinfo");
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log), llvm::StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 0, 0, &message);
  auto readFile = [](llvm::StringRef path) -> std::string {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    return buffer ? (*buffer)->getBuffer().str() : "";
  };
  if (status != 0)
    return llvm::createStringError("ptxas failed (%d): %s%s", status, message.c_str(), readFile(log).c_str());
  return readFile(cubin);
}

} // namespace npcc::cuda

// PTX text to machine code: by NVIDIA's compiler as a library in this process, or by the toolkit's ptxas.
//
// Both are the same compiler and give the same code. A process of ptxas takes 10 to 20 ms before it looks at its first
// line, a quarter of what the median program waits for, and programs are cut into many images (KernelImages.cpp).
#include "compiler/gpu/image/Assemble.h"
#include "compiler/gpu/image/PtxLibrary.h"
#include "compiler/gpu/image/Toolkit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <dlfcn.h>

namespace npcc::cuda {

/// The library's function; null where the build had no such library, or NPCC_PTX_COMPILER=ptxas asks for the program.
static npcc_ptx_compile_function *getLibrary() {
  static npcc_ptx_compile_function *const function = []() -> npcc_ptx_compile_function * {
    const char *asked = std::getenv("NPCC_PTX_COMPILER");
    if (asked && llvm::StringRef(asked) == "ptxas")
      return nullptr;
    // It lies beside the library or program that this code is part of, whose RUNPATH says so.
    void *library = dlopen("libnpcc_ptx.so", RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<npcc_ptx_compile_function *>(dlsym(library, "npcc_ptx_compile")) : nullptr;
  }();
  return function;
}

/// Options that both take. NumPy's bits: no contraction of a product and a sum.
static llvm::SmallVector<std::string> getOptions(llvm::StringRef ptx, llvm::StringRef arch) {
  llvm::SmallVector<std::string> options{"-arch=" + arch.str(), "-fmad=false"};
  if (ptx.contains("\n\t.loc")) // of Python's source
    options.push_back("-lineinfo");
  return options;
}

/// An empty string where there is no library, or it refuses the program.
static std::string assembleByLibrary(llvm::StringRef ptx, llvm::StringRef arch) {
  npcc_ptx_compile_function *compile = getLibrary();
  if (!compile)
    return "";
  llvm::SmallVector<std::string> options = getOptions(ptx, arch);
  llvm::SmallVector<const char *> pointers;
  for (const std::string &option : options)
    pointers.push_back(option.c_str());
  std::string text = ptx.str(), cubin;
  auto allocate = [](void *cubin, size_t bytes) {
    auto *string = static_cast<std::string *>(cubin);
    string->resize(bytes);
    return string->data();
  };
  if (compile(text.c_str(), text.size(), pointers.data(), int(pointers.size()), allocate, &cubin))
    return "";
  return cubin;
}

void prepareAssembler() {
  // The least program has the library read its tables.
  assembleByLibrary(".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry empty() { ret; }\n", "sm_75");
}

static llvm::Expected<std::string> assembleByProgram(llvm::StringRef ptxas, llvm::StringRef ptx, llvm::StringRef arch) {
  llvm::SmallString<128> source, cubin, log;
  auto makeFile = [](llvm::StringRef suffix, llvm::SmallString<128> &path) {
    return llvm::sys::fs::createTemporaryFile("npcc", suffix, path);
  };
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
  llvm::SmallVector<std::string> options = getOptions(ptx, arch);
  llvm::SmallVector<llvm::StringRef> arguments{ptxas, source, "-o", cubin};
  arguments.append(options.begin(), options.end());
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

llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef arch, llvm::StringRef cudaPath) {
  if (std::string cubin = assembleByLibrary(ptx, arch); !cubin.empty())
    return cubin;
  // Without the library, for a GPU that is younger than it, or to say what is wrong.
  std::string ptxas = findToolkitFile(cudaPath, "bin/ptxas");
  return ptxas.empty() ? llvm::Expected<std::string>("") : assembleByProgram(ptxas, ptx, arch);
}

} // namespace npcc::cuda

#include "compiler/codegen/Link.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace npcc;

namespace {
/// Files of a link, removed in the end.
class Scratch {
public:
  ~Scratch() {
    for (const std::string &path : paths)
      llvm::sys::fs::remove(path);
  }
  llvm::Expected<std::string> write(llvm::StringRef suffix, llvm::StringRef bytes) {
    llvm::SmallString<128> path;
    int file;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("npcc", suffix, file, path))
      return llvm::createStringError(error, "cannot create a temporary file");
    paths.push_back(path.str().str());
    llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
    stream << bytes;
    stream.close();
    if (stream.has_error())
      return llvm::createStringError(stream.error(), "cannot write " + paths.back());
    return paths.back();
  }

private:
  std::vector<std::string> paths;
};
} // namespace

/// ld's list of what a module exports.
static std::string getVersionScript(const LinkRequest &request) {
  std::string text;
  if (!request.moduleName.empty())
    text += " PyInit_" + request.moduleName + ";";
  for (const std::string &name : request.exports)
    text += " " + name + ";";
  return text.empty() ? "{ local: *; };\n" : "{\n  global:" + text + "\n  local: *;\n};\n";
}

llvm::Error npcc::linkModule(const LinkRequest &request) {
  // lld's state is global.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  Scratch scratch;
  llvm::Expected<std::string> script = scratch.write("map", getVersionScript(request));
  if (!script)
    return script.takeError();
  std::string temporary = request.output + ".tmp" + std::to_string(llvm::sys::Process::getProcessId());
  std::string soname = llvm::sys::path::filename(request.output).str();
  std::vector<std::string> args{"ld.lld", "-shared", "--eh-frame-hdr", "-z", "relro", "-z", "now", "--gc-sections", "--build-id=none",
                                "--version-script=" + *script, "-soname", soname, "-rpath", "$ORIGIN", "-o", temporary};
  if (!request.moduleName.empty())
    args.push_back("--defsym=PyInit_" + request.moduleName + "=npcc_module_init");
  for (const std::string &bytes : request.objects) {
    llvm::Expected<std::string> path = scratch.write("o", bytes);
    if (!path)
      return path.takeError();
    args.push_back(*path);
  }
  // Symbols of libm, libmvec and libc are found through the runtime's own dependencies; Python's stay open until the module is loaded.
  args.push_back(request.runtime);
  args.push_back("--unresolved-symbols=ignore-all");
  std::vector<const char *> pointers;
  for (const std::string &arg : args)
    pointers.push_back(arg.c_str());
  std::string output, errors;
  llvm::raw_string_ostream outputStream(output), errorStream(errors);
  lld::Result result = lld::lldMain(pointers, outputStream, errorStream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode) {
    llvm::sys::fs::remove(temporary);
    return llvm::createStringError(errors);
  }
  if (std::error_code error = llvm::sys::fs::rename(temporary, request.output))
    return llvm::createStringError(error, "cannot write " + request.output);
  return llvm::Error::success();
}

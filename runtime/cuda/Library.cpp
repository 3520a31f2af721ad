#include "runtime/cuda/Library.h"
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace npcc::rt::cuda {

bool Library::open(const char *variable, std::initializer_list<const char *> names) {
  auto tryFile = [&](const std::string &file) {
    handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    name = handle ? file : "";
    return handle != nullptr;
  };
  if (const char *wanted = getenv(variable); wanted && *wanted)
    return tryFile(wanted);
  std::vector<std::string> folders = {""};
  for (const char *home : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *path = getenv(home); path && *path)
      folders.push_back(std::string(path) + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  for (const std::string &folder : folders)
    for (const char *file : names)
      if (tryFile(folder + file))
        return true;
  return false;
}

void *Library::address(const char *symbol) const { return dlsym(handle, symbol); }

} // namespace npcc::rt::cuda

#include "runtime/cuda/Library.h"
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace npcc::rt::cuda {

bool Library::open(const char *variable, std::initializer_list<const char *> names) {
  auto tryFile = [&](const std::string &file) {
    handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    name = handle ? file : "";
    return handle != nullptr;
  };
  if (const char *wanted = getenv(variable); wanted && *wanted) {
    if (!tryFile(wanted) && std::string_view(wanted) != "none")
      why = std::string(variable) + " names " + wanted + ", which cannot be opened";
    return handle != nullptr;
  }
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

void *Library::address(const char *symbol) {
  void *found = dlsym(handle, symbol);
  if (!found)
    why = name + " has no " + symbol + ": it is too old, or another library";
  return found;
}

} // namespace npcc::rt::cuda

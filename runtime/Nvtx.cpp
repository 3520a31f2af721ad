// What NVIDIA's nvToolsExt.h does in each program that includes it: it gives the tool a table of places where the tool
// writes its own functions. The numbers are those of nvtxDetail/nvtxTypes.h.
#include "runtime/Nvtx.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>

namespace npcc::rt {
namespace {

constexpr uint32_t callbackTables = 1, versionTable = 3; // exports that a tool may ask for
constexpr int coreModule = 1;
constexpr int rangeStart = 5, rangeEnd = 7, rangePush = 9, rangePop = 11, coreFunctions = 16;

using AnyFunction = void (*)();
AnyFunction functions[coreFunctions + 1]; // those that the tool writes here
AnyFunction *places[coreFunctions + 1];

int functionTable(int module, AnyFunction ***table, unsigned *bytes) {
  if (module != coreModule)
    return 0;
  for (int k = 1; k < coreFunctions; ++k)
    places[k] = &functions[k];
  if (bytes)
    *bytes = sizeof places;
  if (table)
    *table = places;
  return 1;
}

const void *exportTable(uint32_t number) {
  static const struct {
    size_t bytes;
    int (*functionTable)(int, AnyFunction ***, unsigned *);
  } callbacks{sizeof callbacks, functionTable};
  static const struct {
    size_t bytes;
    uint32_t version, reserved;
    void (*setToolsVersion)(uint32_t);
  } version{sizeof version, 3, 0, [](uint32_t) {}};
  return number == callbackTables ? static_cast<const void *>(&callbacks)
         : number == versionTable ? static_cast<const void *>(&version)
                                  : nullptr;
}

struct Tool {
  int (*push)(const char *) = nullptr;
  int (*pop)() = nullptr;
  uint64_t (*start)(const char *) = nullptr;
  void (*end)(uint64_t) = nullptr;
  Tool() {
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : nullptr;
    void *initialize = library ? dlsym(library, "InitializeInjectionNvtx2") : nullptr;
    if (!initialize || !reinterpret_cast<int (*)(const void *(*)(uint32_t))>(initialize)(exportTable))
      return;
    push = reinterpret_cast<int (*)(const char *)>(functions[rangePush]);
    pop = reinterpret_cast<int (*)()>(functions[rangePop]);
    start = reinterpret_cast<uint64_t (*)(const char *)>(functions[rangeStart]);
    end = reinterpret_cast<void (*)(uint64_t)>(functions[rangeEnd]);
  }
};
const Tool &tool() {
  static const Tool found;
  return found;
}

} // namespace

bool pushRange(const char *label) {
  if (!tool().push || !tool().pop)
    return false;
  tool().push(label);
  return true;
}

void popRange() { tool().pop(); }

std::optional<uint64_t> startRange(const char *label) {
  if (!tool().start || !tool().end)
    return std::nullopt;
  return tool().start(label);
}

void endRange(uint64_t range) { tool().end(range); }

} // namespace npcc::rt

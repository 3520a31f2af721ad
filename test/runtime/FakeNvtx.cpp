// A tool that takes NVTX ranges (NVTX_INJECTION64_PATH), and writes down what it gets: "<label" where a range of a
// thread begins and ">" where it ends, "[label" and "]" for ranges that any thread may end.
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

struct Callbacks {
  size_t bytes;
  int (*functionTable)(int module, void ***(*table), unsigned *bytes);
};

std::string text;

int push(const char *label) {
  text += "<" + std::string(label);
  return 0;
}
int pop() {
  text += ">";
  return 0;
}
uint64_t start(const char *label) {
  text += "[" + std::string(label);
  return 7;
}
void end(uint64_t range) { text += range == 7 ? "]" : "?"; }

} // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*exports)(uint32_t)) {
  auto *callbacks = static_cast<const Callbacks *>(exports(1));
  void ***table = nullptr;
  unsigned bytes = 0;
  if (!callbacks || callbacks->bytes < sizeof(Callbacks) || !callbacks->functionTable(1, &table, &bytes) ||
      bytes < 12 * sizeof(void *))
    return 0;
  *table[5] = reinterpret_cast<void *>(start);
  *table[7] = reinterpret_cast<void *>(end);
  *table[9] = reinterpret_cast<void *>(push);
  *table[11] = reinterpret_cast<void *>(pop);
  return 1;
}

extern "C" __attribute__((visibility("default"))) const char *fake_nvtx_text() { return text.c_str(); }

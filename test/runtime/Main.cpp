// npcc-rt-test [filter]: the runtime's conformance suite, every device test on every device of this machine.
#include "Check.h"
#include "runtime/abi/devices.h"
#include <atomic>
#include <mutex>

namespace check {

static std::atomic<long> passes{0}, fails{0};
static std::mutex mutex;
static std::string current;
static std::vector<std::string> skips;

std::vector<Test> &tests() {
  static std::vector<Test> list;
  return list;
}
void passed() { ++passes; }
void failed(const char *file, int line, const std::string &what) {
  long count = ++fails;
  std::lock_guard<std::mutex> lock(mutex);
  if (count <= 100)
    printf("%s:%d: in %s: %s\n", file, line, current.c_str(), what.c_str());
  fflush(stdout);
}
int failures() { return static_cast<int>(fails.load()); }
void skipped(const std::string &what) {
  std::lock_guard<std::mutex> lock(mutex);
  skips.push_back(current + ": " + what);
}
void note(const std::string &what) {
  printf("note: %s: %s\n", current.c_str(), what.c_str());
  fflush(stdout);
}

} // namespace check

int main(int argc, char **argv) {
  std::vector<int32_t> devices = {NPCC_CPU, NPCC_LOGICAL_CPU};
  std::vector<std::string> names = {"cpu", "logical cpu"};
  int32_t cudaDevices = npcc_rt_cuda_device_count();
  // The first and the last: the others differ in nothing that the runtime sees.
  for (int32_t ordinal = 0; ordinal < cudaDevices; ordinal += cudaDevices > 1 ? cudaDevices - 1 : 1) {
    devices.push_back(ordinal);
    names.push_back("cuda:" + std::to_string(ordinal));
  }
  long ran = 0;
  for (const check::Test &test : check::tests()) {
    if (argc > 1 && !strstr(test.name, argv[1]))
      continue;
    if (test.run) {
      check::current = test.name;
      test.run();
      ++ran;
      continue;
    }
    for (size_t k = 0; k < devices.size(); ++k) {
      check::current = std::string(test.name) + " on " + names[k];
      test.runOnDevice(devices[k]);
      ++ran;
    }
  }
  for (const std::string &skip : check::skips)
    printf("skipped: %s\n", skip.c_str());
  if (cudaDevices == 0)
    printf("without CUDA: %s\n", npcc_rt_cuda_unavailable_reason());
  printf("npcc-rt-test: %ld tests on %zu devices, %ld checks, %d failed, %zu skipped\n", ran, devices.size(),
         check::passes.load() + check::fails.load(), check::failures(), check::skips.size());
  return check::failures() > 0 || ran == 0 ? 1 : 0;
}

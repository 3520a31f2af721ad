// Recordings: calls on the host, work of a GPU, and both as ranges of NVIDIA's tools.
#include "runtime/abi/trace.h"
#include "Fixture.h"
#include "runtime/abi/calls.h"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace {

int64_t noTime = 0;

void launchOnce(void **) {
  void *params[] = {&noTime};
  npcc_rt_launch(&delayKernel, 1, 1, 1, 1, 1, 1, 0, 0, params);
}

void doNothing(void **) {}

/// "kind:device:label;" of each event.
std::string record(int32_t device) {
  TestFunction function({}, {});
  function.variant(NPCC_TARGET_CPU, doNothing).variant(NPCC_TARGET_CUDA, launchOnce);
  npcc_rt_trace_start();
  CHECK_OK(function.call(device, {}));
  std::string text;
  npcc_rt_trace_stop(
      [](const npcc_trace_event *event, void *argument) {
        CHECK(event->end >= event->begin);
        std::string label(event->label, strcspn(event->label, "\t"));
        *static_cast<std::string *>(argument) +=
            std::to_string(event->kind) + ":" + std::to_string(event->device) + ":" + label + ";";
      },
      &text);
  return text;
}

} // namespace

DEVICE_TEST(recordingsHaveCallsAndLaunches) {
  std::string text = record(device);
  CHECK(text.find(std::to_string(NPCC_TRACE_CALL) + ":" + std::to_string(NPCC_CPU) + ":") != std::string::npos);
  std::string launch = std::to_string(NPCC_TRACE_KERNEL) + ":" + std::to_string(device) + ":";
  CHECK_EQ(text.find(launch) != std::string::npos, isCuda(device));
}

/// With the tool of FakeNvtx.cpp.
DEVICE_TEST(rangesForTools) {
  const char *path = getenv("NVTX_INJECTION64_PATH");
  void *tool = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (path && !tool) { // not loaded yet, as nothing was recorded
    record(NPCC_CPU);
    tool = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  }
  auto text = tool ? reinterpret_cast<const char *(*)()>(dlsym(tool, "fake_nvtx_text")) : nullptr;
  if (!text)
    return check::skipped("ranges of NVTX: there is no tool");
  size_t before = strlen(text());
  record(device);
  std::string ranges = text() + before;
  CHECK_EQ(ranges.front(), '<');
  CHECK_EQ(ranges.back(), '>');
  CHECK_EQ(ranges.find('[') != std::string::npos, isCuda(device));
  CHECK_EQ(std::count(ranges.begin(), ranges.end(), '['), std::count(ranges.begin(), ranges.end(), ']'));
}

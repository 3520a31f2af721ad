// What only a GPU does: errors recorded by kernels, asynchronous calls, launches, streams, and what the driver refuses.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/streams.h"
#include <chrono>
#include <dlfcn.h>

namespace {

int64_t recordError, recordLine;
const char *recordFile, *recordMessage;
int64_t delayNanoseconds;

void launchRecord(void **) {
  int64_t *record = npcc_rt_error_record();
  int64_t a = 100, b = 1, c = 50;
  if (delayNanoseconds) {
    void *params[] = {&delayNanoseconds};
    npcc_rt_launch(&delayKernel, 1, 1, 1, 1, 1, 1, 0, 0, params);
  }
  void *params[] = {&record, &recordError, &recordLine, &a, &b, &c, &recordFile, &recordMessage};
  npcc_rt_launch(&recordKernel, 64, 1, 1, 256, 1, 1, 0, 0, params);
}

TestFunction recording() {
  TestFunction function({}, {});
  function.variant(NPCC_TARGET_CUDA, launchRecord);
  return function;
}

void setRecord(int64_t error, const char *message = nullptr, int64_t delay = 0) {
  recordError = error;
  recordLine = 17;
  recordFile = "kernel.py";
  recordMessage = message;
  delayNanoseconds = delay;
}

} // namespace

DEVICE_TEST(errorsOnTheDeviceFailTheCall) {
  if (!isCuda(device))
    return;
  TestFunction function = recording();
  setRecord(NPCC_INDEX_ERROR);
  for (int round = 0; round < 10; ++round) {
    npcc_status status = function.call(device, {});
    CHECK_ERROR(status, NPCC_INDEX_ERROR, "is out of bounds for axis 1 with size 50");
    CHECK_EQ(status.line, 17);
    CHECK_EQ(std::string(status.file), "kernel.py");
  }
  setRecord(NPCC_VALUE_ERROR, "in the kernel's own words");
  CHECK_ERROR(function.call(device, {}), NPCC_VALUE_ERROR, "in the kernel's own words");
  CHECK_OK(npcc_rt_synchronize(device)); // the record was reset
}

static void readAfterRecord(void **slots) {
  launchRecord(slots);
  double x = 0;
  npcc_rt_read(&x, memref<1>(slots, 0).aligned, 8);
  npcc_rt_fail(NPCC_ASSERTION_ERROR, "not reached", nullptr, 0);
}

static void failAfterRecord(void **slots) {
  launchRecord(slots);
  npcc_rt_fail(NPCC_ASSERTION_ERROR, "later on the host", nullptr, 0);
}

DEVICE_TEST(readsAndHostFailuresReportTheDevicesError) {
  if (!isCuda(device))
    return;
  OwnedArray a(device, NPCC_FLOAT64, {1});
  setRecord(NPCC_ZERO_DIVISION_ERROR, nullptr, 1000000);
  TestFunction reading({arrayParam(NPCC_FLOAT64, 1)}, {});
  CHECK_ERROR(reading.variant(NPCC_TARGET_CUDA, readAfterRecord).call(device, {value(a.array)}),
              NPCC_ZERO_DIVISION_ERROR, "division by zero");
  TestFunction failing({}, {});
  CHECK_ERROR(failing.variant(NPCC_TARGET_CUDA, failAfterRecord).call(device, {}), NPCC_ZERO_DIVISION_ERROR,
              "division by zero");
  CHECK_OK(npcc_rt_synchronize(device));
}

/// A new array, and an error found on the device after the entry has returned it.
static void returnAndRecord(void **slots) {
  void *base = npcc_rt_alloc(8);
  memref<1>(slots, 0) = {base, static_cast<char *>(base), 0, {1}, {1}};
  launchRecord(nullptr);
}

DEVICE_TEST(resultsOfCallsThatFailLateAreReleased) {
  if (!isCuda(device))
    return;
  int64_t live = counters().live_buffers;
  TestFunction function({}, {arrayParam(NPCC_FLOAT64, 1)});
  function.variant(NPCC_TARGET_CUDA, returnAndRecord);
  setRecord(NPCC_INDEX_ERROR);
  npcc_array result;
  std::vector<npcc_value> results = {value(result)};
  CHECK_ERROR(function.call(device, {}, results), NPCC_INDEX_ERROR, "axis 1");
  CHECK_EQ(counters().live_buffers, live);
}

/// Other libraries of the process keep their context.
DEVICE_TEST(theThreadsContextIsLeftAlone) {
  if (!isCuda(device))
    return;
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
  auto getCurrent = reinterpret_cast<int (*)(void **)>(dlsym(driver, "cuCtxGetCurrent"));
  void *before = nullptr, *after = nullptr;
  CHECK_EQ(getCurrent(&before), 0);
  OwnedArray a(device, NPCC_FLOAT64, {1}), b(NPCC_CPU, NPCC_FLOAT64, {1});
  CHECK_OK(npcc_rt_copy(&b.array, &a.array));
  TestFunction function({}, {});
  function.variant(NPCC_TARGET_CUDA, launchRecord);
  setRecord(NPCC_INDEX_ERROR);
  CHECK_ERROR(function.call(device, {}), NPCC_INDEX_ERROR, "axis 1");
  CHECK_OK(npcc_rt_synchronize(device));
  CHECK_EQ(getCurrent(&after), 0);
  CHECK_EQ(before, after);
}

DEVICE_TEST(asynchronousCallsReturnBeforeTheirWork) {
  if (!isCuda(device))
    return;
  TestFunction function = recording();
  setRecord(NPCC_INDEX_ERROR, nullptr, 50000000);
  CHECK_OK(npcc_rt_synchronize(device));
  auto start = std::chrono::steady_clock::now();
  CHECK_OK(function.call(device, {}, 1, 1));
  double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  CHECK(milliseconds < 40);
  CHECK_ERROR(npcc_rt_synchronize(device), NPCC_INDEX_ERROR, "axis 1");
  CHECK_OK(npcc_rt_synchronize(device));
  // By a copy to the host, too.
  OwnedArray a(device, NPCC_FLOAT64, {1}), host(NPCC_CPU, NPCC_FLOAT64, {1});
  CHECK_OK(function.call(device, {}, 1, 1));
  CHECK_ERROR(npcc_rt_copy(&host.array, &a.array), NPCC_INDEX_ERROR, "axis 1");
  CHECK_OK(npcc_rt_copy(&host.array, &a.array));
}

static void launchBadly(void **slots) {
  int64_t kind = scalar<int64_t>(slots, 0);
  static npcc_kernel missing{scaleKernel.image, "no_such_kernel", nullptr};
  static npcc_image brokenImage{nullptr, 0, 0, ".version 6.4\n.target sm_70\n.address_size 64\nnonsense\n", nullptr};
  static npcc_kernel broken{&brokenImage, "x", nullptr};
  static npcc_image emptyImage{nullptr, 0, 0, nullptr, nullptr};
  static npcc_kernel without{&emptyImage, "x", nullptr};
  int64_t nanoseconds = 0;
  void *params[] = {&nanoseconds};
  switch (kind) {
  case 0: return npcc_rt_launch(&delayKernel, 0, 1, 1, 1, 1, 1, 0, 0, params); // an empty grid is nothing
  case 1: return npcc_rt_launch(&missing, 1, 1, 1, 1, 1, 1, 0, 0, params);
  case 2: return npcc_rt_launch(&broken, 1, 1, 1, 1, 1, 1, 0, 0, params);
  case 3: return npcc_rt_launch(&without, 1, 1, 1, 1, 1, 1, 0, 0, params);
  case 4: return npcc_rt_launch(&delayKernel, 1, 70000, 1, 1, 1, 1, 0, 0, params);
  case 5: return npcc_rt_launch(&delayKernel, 1, 1, 1, 1, 1, 1, 10 << 20, 0, params);
  default: return npcc_rt_launch(&delayKernel, 1, 1, 1, 1, 1, 1, 100 << 10, 0, params); // more than 48 KiB, if asked for
  }
}

DEVICE_TEST(launchesThatCannotBe) {
  if (!isCuda(device))
    return;
  TestFunction function({scalarParam(NPCC_INT64)}, {});
  function.variant(NPCC_TARGET_CUDA, launchBadly);
  CHECK_OK(function.call(device, {value(int64_t(0))}));
  CHECK_ERROR(function.call(device, {value(int64_t(1))}), NPCC_RUNTIME_ERROR, "no_such_kernel");
  CHECK_ERROR(function.call(device, {value(int64_t(2))}), NPCC_RUNTIME_ERROR, "nonsense");
  CHECK_ERROR(function.call(device, {value(int64_t(3))}), NPCC_RUNTIME_ERROR, "no code for compute capability");
  CHECK_ERROR(function.call(device, {value(int64_t(4))}), NPCC_RUNTIME_ERROR, "grid (1, 70000, 1)");
  CHECK(function.call(device, {value(int64_t(5))}).error != NPCC_OK);
  CHECK_OK(function.call(device, {value(int64_t(6))}));
}

static void launchOnCpu(void **) { npcc_rt_launch(&delayKernel, 1, 1, 1, 1, 1, 1, 0, 0, nullptr); }
TEST(kernelsDoNotRunOnTheCpu) {
  TestFunction function({}, {});
  CHECK_ERROR(function.variant(NPCC_TARGET_CPU, launchOnCpu).call(NPCC_CPU, {}), NPCC_RUNTIME_ERROR, "delay");
}

static void launchCooperatively(void **slots, int64_t blocks, int64_t threads, int32_t flags) {
  int32_t zero = 0;
  void *counter = npcc_rt_alloc(4);
  npcc_rt_write(counter, &zero, 4);
  char *out = memref<1>(slots, 0).aligned;
  void *params[] = {&counter, &out};
  npcc_rt_launch(&cooperativeKernel, blocks, 1, 1, threads, 1, 1, 0, flags, params);
  npcc_rt_release(counter);
}
static void launchOnAll(void **slots) { launchCooperatively(slots, npcc_rt_multiprocessors(), 128, 1); }
static void launchAsManyAsFit(void **slots) { launchCooperatively(slots, int64_t(1) << 20, 1024, 3); }
static void launchFewerThanFit(void **slots) { launchCooperatively(slots, 2, 1024, 3); }

DEVICE_TEST(cooperativeLaunchesRunAllBlocksAtOnce) {
  if (!isCuda(device))
    return;
  for (auto launch : {launchOnAll, launchAsManyAsFit, launchFewerThanFit}) {
    OwnedArray out(device, NPCC_INT64, {1024});
    fill(out.array, std::vector<int64_t>(1024, -1));
    TestFunction function({arrayParam(NPCC_INT64, 1, 1)}, {});
    CHECK_OK(function.variant(NPCC_TARGET_CUDA, launch).call(device, {value(out.array)}));
    // Every block wrote the number of blocks, which none knew before all had arrived.
    std::vector<int64_t> got = fetch<int64_t>(out.array);
    int64_t blocks = got[0];
    CHECK(launch == launchFewerThanFit ? blocks == 2 : blocks > 1);
    for (int64_t k = 0; k < 1024; ++k)
      CHECK_EQ(got[k], k < blocks ? blocks : -1);
  }
}

DEVICE_TEST(streams) {
  void *stream = nullptr;
  CHECK_OK(npcc_rt_stream(device, &stream));
  CHECK_EQ(stream != nullptr, isCuda(device));
  // Against the legacy default stream, both ways.
  CHECK_OK(npcc_rt_order_streams(device, nullptr, 1));
  CHECK_OK(npcc_rt_order_streams(device, nullptr, 0));
}

DEVICE_TEST(deviceFacts) {
  if (!isCuda(device))
    return;
  int32_t capability = 0;
  char name[256] = "";
  int64_t memory = 0;
  CHECK_OK(npcc_rt_cuda_device_info(device, &capability, name, &memory));
  CHECK(capability >= 50);
  CHECK(strlen(name) > 0);
  CHECK(memory > 0);
  CHECK_ERROR(npcc_rt_cuda_device_info(1000, &capability, name, &memory), NPCC_VALUE_ERROR, "1000");
  check::note(std::string(name) + ", capability " + std::to_string(capability));
}

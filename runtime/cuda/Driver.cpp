#include "runtime/cuda/Driver.h"
#include "runtime/abi/devices.h"
#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <set>

namespace npcc::rt::cuda {

static std::atomic<bool> forked{false};

static std::string open(Driver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "libcuda.so.1 not found";
#define NPCC_CUDA_LOAD(symbol, name, params)                                                                           \
  driver.name = reinterpret_cast<Result(*) params>(dlsym(library, #symbol));                                           \
  if (!driver.name)                                                                                                    \
    return "libcuda.so.1 has no " #symbol ": the driver is too old";
  NPCC_CUDA_FUNCTIONS(NPCC_CUDA_LOAD)
#undef NPCC_CUDA_LOAD
#define NPCC_CUDA_LOAD(symbol, name, params) driver.name = reinterpret_cast<Result(*) params>(dlsym(library, #symbol));
  NPCC_CUDA_OPTIONAL_FUNCTIONS(NPCC_CUDA_LOAD)
#undef NPCC_CUDA_LOAD
  // A toolkit's stub library opens and resolves too: only cuInit tells.
  auto explain = [&](const char *call, Result result) {
    const char *text = nullptr;
    driver.getErrorString(result, &text);
    return fmt::format("{}: {}", call, text ? text : fmt::format("error {}", result).c_str());
  };
  if (Result result = driver.init(0); result == stubLibrary)
    return "cuInit: libcuda.so.1 is the toolkit's stub, not a driver";
  else if (result != success)
    return explain("cuInit", result);
  int count = 0;
  if (Result result = driver.deviceGetCount(&count); result != success)
    return explain("cuDeviceGetCount", result);
  if (count == 0)
    return "no CUDA device is visible";
  driver.deviceCount = count;
  pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  return "";
}

const Driver &driver() {
  static const Driver *const instance = [] {
    auto *driver = new Driver;
    driver->unavailable = open(*driver);
    return driver;
  }();
  return *instance;
}

bool forkedAfterInit() { return forked.load(std::memory_order_relaxed); }

/// The user's kernels launched since the last synchronisation, the latest few of them.
static constexpr int suspectCount = 4;
static std::atomic<const char *> suspects[suspectCount];

const char *intern(const std::string &text) {
  static auto *const texts = new std::set<std::string>;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  return texts->insert(text).first->c_str();
}

void noteOwnKernel(const char *shown) {
  for (auto &suspect : suspects)
    if (suspect.load(std::memory_order_relaxed) == shown)
      return;
  static std::atomic<unsigned> next{0};
  suspects[next.fetch_add(1, std::memory_order_relaxed) % suspectCount].store(shown, std::memory_order_relaxed);
}

void forgetOwnKernels() {
  for (auto &suspect : suspects)
    if (suspect.load(std::memory_order_relaxed))
      suspect.store(nullptr, std::memory_order_relaxed);
}

/// Errors of running kernels, after which every call of the context fails with the same error.
static bool endsContext(Result result) {
  constexpr Result illegalAddress = 700, launchTimeout = 702, assertion = 710, firstFault = 714, lastFault = 719;
  return result == illegalAddress || result == launchTimeout || result == assertion ||
         (result >= firstFault && result <= lastFault);
}

static std::string lostContext() {
  std::string names;
  for (auto &suspect : suspects)
    if (const char *shown = suspect.load(std::memory_order_relaxed))
      names += fmt::format("{}{}", names.empty() ? "; own kernels that were launched last: " : ", ", shown);
  return names + "; the CUDA context of this process is lost: all its later work on the GPU fails, start a new process";
}

Status check(Result result, const char *what) {
  if (result == success)
    return {};
  if (result == outOfMemory)
    return Status(NPCC_MEMORY_ERROR, "out of device memory");
  const char *name = nullptr, *text = nullptr;
  driver().getErrorName(result, &name);
  driver().getErrorString(result, &text);
  std::string_view call(what);
  return makeError(NPCC_RUNTIME_ERROR, "CUDA: {} failed: {} ({}){}", call.substr(0, call.find('(')),
                   text ? text : "unknown error", name ? name : "?", endsContext(result) ? lostContext() : "");
}

} // namespace npcc::rt::cuda

using namespace npcc::rt;

int32_t npcc_rt_cuda_device_count(void) { return cuda::forkedAfterInit() ? 0 : cuda::driver().deviceCount; }

const char *npcc_rt_cuda_unavailable_reason(void) {
  if (cuda::forkedAfterInit())
    return "CUDA was initialised before this process was forked";
  return cuda::driver().unavailable.c_str();
}

int32_t npcc_rt_cuda_driver_version(void) {
  int version = 0;
  if (npcc_rt_cuda_device_count() > 0)
    cuda::driver().driverGetVersion(&version);
  return version;
}

npcc_status npcc_rt_cuda_device_info(int32_t ordinal, int32_t *capability, char name[256], int64_t *memory) {
  return toC([&]() -> Status {
    if (ordinal < 0 || ordinal >= npcc_rt_cuda_device_count())
      return makeError(NPCC_VALUE_ERROR, "there is no CUDA device {}", ordinal);
    cuda::DeviceHandle device;
    NPCC_CUDA_TRY(deviceGet(&device, ordinal));
    int major = 0, minor = 0;
    NPCC_CUDA_TRY(deviceGetAttribute(&major, 75, device)); // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
    NPCC_CUDA_TRY(deviceGetAttribute(&minor, 76, device));
    size_t bytes = 0;
    NPCC_CUDA_TRY(deviceTotalMem(&bytes, device));
    NPCC_CUDA_TRY(deviceGetName(name, 256, device));
    *capability = 10 * major + minor;
    *memory = static_cast<int64_t>(bytes);
    return {};
  });
}

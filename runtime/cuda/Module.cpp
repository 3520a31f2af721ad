#include "runtime/cuda/Module.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace npcc::rt::cuda {
namespace {

constexpr int optionErrorLog = 5, optionErrorLogBytes = 6; // CU_JIT_ERROR_LOG_BUFFER, _SIZE_BYTES
constexpr int attributeMaxDynamicShared = 8;               // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int64_t sharedWithoutAsking = 16 << 10;          // static and dynamic together may have 48 KiB unasked

/// What npcc_image::state points to.
struct LoadedImage {
  std::mutex mutex;
  std::unique_ptr<Module[]> modules{new Module[driver().deviceCount]()};
};

/// What npcc_kernel::state points to.
struct LoadedKernel {
  struct OnDevice {
    std::atomic<Function> function{nullptr};
    std::atomic<int64_t> sharedAllowed{sharedWithoutAsking};
    std::once_flag asked; // for the sizes of its parameters
    bool hasSizes = false;
    std::vector<size_t> sizes;
  };
  std::unique_ptr<OnDevice[]> devices{new OnDevice[driver().deviceCount]};
  std::atomic<const char *> shown{nullptr}; // how errors name it, once it was needed
};

/// The state at `slot`, made by whoever comes first. It lives as long as the process, as generated code does.
template <typename T> T &stateAt(void **slot) {
  void *state = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (state)
    return *static_cast<T *>(state);
  auto made = std::make_unique<T>();
  if (__atomic_compare_exchange_n(slot, &state, made.get(), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return *made.release();
  return *static_cast<T *>(state);
}

Result load(const void *bytes, Module &module, std::string &log) {
  char buffer[4096] = "";
  int options[] = {optionErrorLog, optionErrorLogBytes};
  void *values[] = {buffer, reinterpret_cast<void *>(sizeof(buffer))};
  Result result = driver().moduleLoadDataEx(&module, bytes, 2, options, values);
  log = buffer;
  return result;
}

/// Machine code runs on its own generation, from its own revision on.
bool fits(const npcc_image &image, int32_t capability) {
  if (!image.cubin)
    return false;
  int32_t wanted = image.cubin_capability;
  return wanted == 0 || (wanted / 10 == capability / 10 && capability >= wanted);
}

/// Prints what loading took, to stderr, if NPCC_TIME is set: the compiler prints the other parts of a first call.
class LoadTimer {
public:
  ~LoadTimer() {
    static const bool enabled = std::getenv("NPCC_TIME") != nullptr;
    if (enabled)
      std::fprintf(stderr, "npcc: %-16s %8.2f ms\n", "load image",
                   std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

Status loadImage(CudaDevice &device, npcc_image &image, Module &module) {
  LoadTimer timer;
  Result result = noBinaryForGpu;
  std::string log;
  if (fits(image, device.capability()))
    result = load(image.cubin, module, log);
  if (result == noBinaryForGpu && image.ptx)
    result = load(image.ptx, module, log);
  if (result == success)
    return {};
  if (result == noBinaryForGpu)
    return makeError(NPCC_RUNTIME_ERROR, "no code for compute capability {}.{} ({}) in this module",
                     device.capability() / 10, device.capability() % 10, device.name());
  Status status = check(result, "cuModuleLoadDataEx");
  return status.code() == NPCC_RUNTIME_ERROR && !log.empty()
             ? makeError(NPCC_RUNTIME_ERROR, "{}: {}", status.message(), log)
             : std::move(status);
}

Status lookUp(CudaDevice &device, npcc_kernel &kernel, Function &out) {
  auto &image = stateAt<LoadedImage>(&kernel.image->state);
  std::lock_guard<std::mutex> lock(image.mutex);
  Module &module = image.modules[device.id];
  if (!module)
    NPCC_TRY(loadImage(device, *kernel.image, module));
  Result result = driver().moduleGetFunction(&out, module, kernel.name);
  if (result != success)
    return makeError(NPCC_RUNTIME_ERROR, "kernel {}: {}", kernel.name, check(result, "cuModuleGetFunction").message());
  return {};
}

} // namespace

Status findFunction(CudaDevice &device, npcc_kernel &kernel, int64_t sharedBytes, Function &out) {
  auto &onDevice = stateAt<LoadedKernel>(&kernel.state).devices[device.id];
  out = onDevice.function.load(std::memory_order_acquire);
  if (!out) {
    NPCC_TRY(lookUp(device, kernel, out));
    onDevice.function.store(out, std::memory_order_release);
  }
  if (sharedBytes > onDevice.sharedAllowed.load(std::memory_order_relaxed)) {
    NPCC_CUDA_TRY(funcSetAttribute(out, attributeMaxDynamicShared, static_cast<int>(sharedBytes)));
    onDevice.sharedAllowed.store(sharedBytes, std::memory_order_relaxed);
  }
  return {};
}

bool findParameters(CudaDevice &device, npcc_kernel &kernel, Function function, const std::vector<size_t> *&sizes) {
  auto &onDevice = stateAt<LoadedKernel>(&kernel.state).devices[device.id];
  std::call_once(onDevice.asked, [&] {
    Result result = success;
    for (size_t offset = 0, bytes = 0; result == success;) {
      result = driver().funcGetParamInfo(function, onDevice.sizes.size(), &offset, &bytes);
      if (result == success)
        onDevice.sizes.push_back(bytes);
    }
    onDevice.hasSizes = result == invalidValue; // behind the last one
  });
  sizes = &onDevice.sizes;
  return onDevice.hasSizes;
}

/// "name\tfile.py:line" as "'name' (file.py:line)".
static const char *makeShown(const npcc_kernel &kernel) {
  std::string_view label = kernel.label ? kernel.label : kernel.name;
  size_t end = std::min(label.find('\t'), label.size());
  std::string shown = fmt::format("'{}'", label.substr(0, end));
  return intern(end < label.size() ? fmt::format("{} ({})", shown, label.substr(end + 1)) : shown);
}

void noteUnchecked(npcc_kernel &kernel) {
  auto &state = stateAt<LoadedKernel>(&kernel.state);
  const char *shown = state.shown.load(std::memory_order_relaxed);
  if (!shown)
    state.shown.store(shown = makeShown(kernel), std::memory_order_relaxed);
  noteOwnKernel(shown);
}

} // namespace npcc::rt::cuda

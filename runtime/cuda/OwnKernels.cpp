// Kernels of the user's own: modules from bytes, their functions and globals, and launches of any parameters.
#include "runtime/Counters.h"
#include "runtime/LaunchShape.h"
#include "runtime/abi/own_kernels.h"
#include "runtime/abi/trace.h"
#include "runtime/cuda/DeviceTrace.h"
#include "runtime/cuda/Find.h"
#include <string>
#include <vector>

namespace npcc::rt::cuda {
namespace {

// Values of the driver's enumerations.
constexpr int optionErrorLog = 5, optionErrorLogBytes = 6;
constexpr int maxThreads = 0, sharedBytes = 1, registers = 4, maxDynamicShared = 8; // of a function
constexpr int sharedPerBlock = 8, sharedPerBlockOptIn = 97;                         // of a device

/// What npcc_rt_module_function gives. It lives as long as the process, as modules do.
struct OwnKernel {
  CudaDevice &device;
  Function function;
  const char *name, *shown;
  int32_t attributes[NPCC_FUNCTION_ATTRIBUTES];
  int sharedDefault, sharedMost; // bytes of a block: without asking, and at most
};

Status readAttributes(OwnKernel &kernel) {
  for (int k = 0; k < NPCC_FUNCTION_ATTRIBUTES; ++k)
    if (driver().funcGetAttribute(&kernel.attributes[k], k, kernel.function) != success)
      kernel.attributes[k] = k == maxThreads ? 1024 : 0; // one that this driver does not know
  return {};
}

/// What the driver would only call an invalid value.
Status checkShape(const OwnKernel &kernel, const npcc_launch &launch) {
  NPCC_TRY(checkLaunchShape(kernel.name, launch.grid, launch.block));
  int64_t threads = countThreads(launch.block);
  if (threads > kernel.attributes[maxThreads])
    return makeError(
        NPCC_VALUE_ERROR,
        "kernel '{}': {} is {} threads; a block of this kernel has at most {} (with {} registers a thread)",
        kernel.name, describeExtents("block", launch.block), threads, kernel.attributes[maxThreads],
        kernel.attributes[registers]);
  int64_t fixed = kernel.attributes[sharedBytes];
  if (launch.shared_bytes < 0 || launch.shared_bytes + fixed > kernel.sharedMost)
    return makeError(NPCC_VALUE_ERROR,
                     "kernel '{}': {} bytes of shared memory with {} that the kernel declares; {} has {} for a block",
                     kernel.name, launch.shared_bytes, fixed, kernel.device.name(), kernel.sharedMost);
  if (launch.shared_bytes > kernel.attributes[maxDynamicShared] && launch.shared_bytes + fixed > kernel.sharedDefault)
    return makeError(NPCC_VALUE_ERROR,
                     "kernel '{}': {} bytes of shared memory with {} that the kernel declares are more than {}: set "
                     "max_dynamic_shared_size_bytes of the kernel to as many ({} has {} for a block)",
                     kernel.name, launch.shared_bytes, fixed, kernel.sharedDefault, kernel.device.name(),
                     kernel.sharedMost);
  return {};
}

Status launchOwn(OwnKernel &kernel, const npcc_launch &launch) {
  NPCC_TRY(checkShape(kernel, launch));
  const int64_t *grid = launch.grid, *block = launch.block;
  if (!grid[0] || !grid[1] || !grid[2])
    return {};
  auto u = [](int64_t value) { return static_cast<unsigned>(value); };
  Stream stream = kernel.device.streams.use();
  DeviceSpan span(kernel.device, NPCC_TRACE_KERNEL, kernel.name, 0, stream);
  Result result =
      launch.flags & NPCC_LAUNCH_COOPERATIVE
          ? driver().launchCooperativeKernel(kernel.function, u(grid[0]), u(grid[1]), u(grid[2]), u(block[0]),
                                             u(block[1]), u(block[2]), u(launch.shared_bytes), stream, launch.params)
          : driver().launchKernel(kernel.function, u(grid[0]), u(grid[1]), u(grid[2]), u(block[0]), u(block[1]),
                                  u(block[2]), u(launch.shared_bytes), stream, launch.params, nullptr);
  if (result == success) {
    noteOwnKernel(kernel.shown);
    counters.launches.add(1);
    return {};
  }
  Status status = check(result, "cuLaunchKernel");
  return makeError(status.code(), "kernel '{}': {}", kernel.name, status.message());
}

} // namespace
} // namespace npcc::rt::cuda

using namespace npcc::rt;
using namespace npcc::rt::cuda;

npcc_status npcc_rt_module_load(int32_t id, const void *image, void **module) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    char log[400] = "";
    int options[] = {optionErrorLog, optionErrorLogBytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    Module made = nullptr;
    Result result = driver().moduleLoadDataEx(&made, image, 2, options, values);
    *module = made;
    if (result == noBinaryForGpu)
      return makeError(NPCC_RUNTIME_ERROR, "no code for compute capability {}.{} ({}) in this module",
                       device.capability() / 10, device.capability() % 10, device.name());
    Status status = check(result, "cuModuleLoadDataEx");
    return status.code() == NPCC_RUNTIME_ERROR && *log ? makeError(NPCC_RUNTIME_ERROR, "{}: {}", status.message(), log)
                                                       : std::move(status);
  });
}

npcc_status npcc_rt_module_function(int32_t id, void *module, const char *symbol, const char *name, void **kernel) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    Function function;
    Result result = driver().moduleGetFunction(&function, static_cast<Module>(module), symbol);
    if (result == notFound)
      return makeError(NPCC_VALUE_ERROR, "there is no kernel '{}' in this module", name);
    NPCC_TRY(check(result, "cuModuleGetFunction"));
    auto made = std::make_unique<OwnKernel>(device, function, intern(name), intern(fmt::format("'{}'", name)));
    NPCC_TRY(readAttributes(*made));
    DeviceHandle handle = 0;
    NPCC_CUDA_TRY(deviceGet(&handle, id));
    NPCC_CUDA_TRY(deviceGetAttribute(&made->sharedDefault, sharedPerBlock, handle));
    NPCC_CUDA_TRY(deviceGetAttribute(&made->sharedMost, sharedPerBlockOptIn, handle));
    made->sharedMost = std::max(made->sharedMost, made->sharedDefault);
    *kernel = made.release();
    return {};
  });
}

npcc_status npcc_rt_module_global(int32_t id, void *module, const char *symbol, void **address, int64_t *bytes) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Address found = 0;
    size_t size = 0;
    Result result = driver().moduleGetGlobal(&found, &size, static_cast<Module>(module), symbol);
    if (result == notFound || result == invalidValue) // which the driver says of functions
      return makeError(NPCC_VALUE_ERROR, "there is no global variable '{}' in this module", symbol);
    NPCC_TRY(check(result, "cuModuleGetGlobal"));
    *address = reinterpret_cast<void *>(found);
    *bytes = static_cast<int64_t>(size);
    return {};
  });
}

void npcc_rt_function_attributes(void *kernel, int32_t values[NPCC_FUNCTION_ATTRIBUTES]) {
  std::copy_n(static_cast<OwnKernel *>(kernel)->attributes, NPCC_FUNCTION_ATTRIBUTES, values);
}

npcc_status npcc_rt_function_blocks(void *handle, int64_t threads, int64_t sharedBytes, int64_t *blocks) {
  auto &kernel = *static_cast<OwnKernel *>(handle);
  return onCuda(kernel.device.id, [&](CudaDevice &device) -> Status {
    int each = 0;
    Result result = driver().occupancyMaxActiveBlocks(&each, kernel.function, static_cast<int>(threads),
                                                      static_cast<size_t>(sharedBytes));
    NPCC_TRY(check(result, "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
    *blocks = int64_t(each) * device.multiprocessors();
    return {};
  });
}

npcc_status npcc_rt_device_attribute(int32_t id, int32_t attribute, int32_t *value) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    DeviceHandle handle = 0;
    NPCC_CUDA_TRY(deviceGet(&handle, id));
    NPCC_CUDA_TRY(deviceGetAttribute(value, attribute, handle));
    return {};
  });
}

npcc_status npcc_rt_function_set_attribute(void *handle, int32_t attribute, int32_t value) {
  auto &kernel = *static_cast<OwnKernel *>(handle);
  return onCuda(kernel.device.id, [&](CudaDevice &) -> Status {
    if (attribute == maxDynamicShared && value + kernel.attributes[sharedBytes] > kernel.sharedMost)
      return makeError(NPCC_VALUE_ERROR,
                       "kernel '{}': max_dynamic_shared_size_bytes = {} with {} bytes that the kernel declares; {} has "
                       "{} for a block",
                       kernel.name, value, kernel.attributes[sharedBytes], kernel.device.name(), kernel.sharedMost);
    Status status = check(driver().funcSetAttribute(kernel.function, attribute, value), "cuFuncSetAttribute");
    if (!status.ok())
      return makeError(status.code(), "kernel '{}': {}", kernel.name, status.message());
    return readAttributes(kernel);
  });
}

int32_t npcc_rt_function_parameters(void *handle, int32_t capacity, int64_t *bytes) {
  auto &kernel = *static_cast<OwnKernel *>(handle);
  if (!driver().funcGetParamInfo)
    return -1;
  DeviceScope scope(kernel.device);
  for (int32_t count = 0;; ++count) {
    size_t offset = 0, size = 0;
    if (driver().funcGetParamInfo(kernel.function, count, &offset, &size) != success)
      return count;
    if (count < capacity)
      bytes[count] = static_cast<int64_t>(size);
  }
}

npcc_status npcc_rt_launch_function(const npcc_launch *launch) {
  auto &kernel = *static_cast<OwnKernel *>(launch->kernel);
  return toC([&]() -> Status {
    if (forkedAfterInit())
      return Status(NPCC_RUNTIME_ERROR, npcc_rt_cuda_unavailable_reason());
    DeviceScope scope(kernel.device);
    return launchOwn(kernel, *launch);
  });
}

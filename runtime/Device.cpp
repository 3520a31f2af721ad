#include "runtime/Device.h"
#include "runtime/abi/counters.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <mutex>
#include <pthread.h>

namespace npcc::rt {

// Slot 0 is the CPU, then logical CPU devices, then CUDA devices. Devices are never freed: buffers name them.
static constexpr int32_t maxLogical = 256;
static constexpr int32_t maxCuda = 256;
static constexpr int32_t slotCount = 1 + maxLogical + maxCuda;
static std::atomic<Device *> slots[slotCount];
static std::mutex makeMutex;

/// A child made by fork must find no lock held by a thread that does not exist there.
static void registerForkHandlers() {
  auto lockAll = [] {
    makeMutex.lock();
    forEachDevice([](Device &device) { device.pool.lockForFork(); });
  };
  auto unlockAll = [] {
    forEachDevice([](Device &device) { device.pool.unlockAfterFork(); });
    makeMutex.unlock();
  };
  pthread_atfork(lockAll, unlockAll, unlockAll);
}

static int32_t slotOf(int32_t id) {
  if (id == NPCC_CPU)
    return 0;
  if (id >= NPCC_LOGICAL_CPU && id < NPCC_LOGICAL_CPU + maxLogical)
    return 1 + id - NPCC_LOGICAL_CPU;
  if (id >= 0 && id < maxCuda)
    return 1 + maxLogical + id;
  return -1;
}

Status findDevice(int32_t id, Device *&out) {
  int32_t slot = slotOf(id);
  if (slot < 0)
    return makeError(NPCC_VALUE_ERROR, "there is no device {}", id);
  out = slots[slot].load(std::memory_order_acquire);
  bool cuda = slot > maxLogical;
  // A context does not survive fork(): the child must not use what the parent made.
  if (out && (!cuda || !cuda::forkedAfterInit()))
    return {};
  if (cuda && (cuda::forkedAfterInit() || id >= npcc_rt_cuda_device_count())) {
    int32_t count = npcc_rt_cuda_device_count();
    if (count == 0)
      return makeError(NPCC_RUNTIME_ERROR, "CUDA is not available: {}", npcc_rt_cuda_unavailable_reason());
    return makeError(NPCC_VALUE_ERROR, "there is no CUDA device {}: this machine has {}", id, count);
  }
  std::lock_guard<std::mutex> lock(makeMutex);
  out = slots[slot].load(std::memory_order_acquire);
  if (out)
    return {};
  static bool registered = false;
  if (!registered) {
    registerForkHandlers();
    registered = true;
  }
  if (cuda)
    NPCC_TRY(makeCudaDevice(id, out));
  else
    out = makeCpuDevice(id);
  slots[slot].store(out, std::memory_order_release);
  return {};
}

void forEachDevice(void (*visit)(Device &device)) {
  for (std::atomic<Device *> &slot : slots)
    if (Device *device = slot.load(std::memory_order_acquire))
      visit(*device);
}

} // namespace npcc::rt

using namespace npcc::rt;

npcc_status npcc_rt_prepare(int32_t id, const char *routine) {
  return toC([&]() -> Status {
    Device *device;
    NPCC_TRY(findDevice(id, device));
    DeviceScope scope(*device);
    if (routine)
      device->prepare(routine);
    return {};
  });
}

npcc_status npcc_rt_synchronize(int32_t id) {
  return toC([&]() -> Status {
    Device *device;
    NPCC_TRY(findDevice(id, device));
    DeviceScope scope(*device);
    NPCC_TRY(device->orderAfter(~0u)); // all streams, the user's too
    return device->synchronize();
  });
}

void npcc_rt_trim(void) {
  forEachDevice([](Device &device) {
    if (device.target == NPCC_TARGET_CUDA && cuda::forkedAfterInit())
      return;
    DeviceScope scope(device);
    device.dropPassages();
    device.pool.trim();
  });
}

void npcc_rt_fail_allocation(int32_t id, int64_t k) {
  Device *device;
  if (guarded([&] { return findDevice(id, device); }).ok())
    device->pool.failAllocation(k);
}

// Memory that the user asks the driver for: page-locked, mapped, managed; and copies that are not waited for.
#include "runtime/Copy.h"
#include "runtime/Counters.h"
#include "runtime/abi/host_memory.h"
#include "runtime/abi/trace.h"
#include "runtime/cuda/DeviceTrace.h"
#include "runtime/cuda/Find.h"
#include <algorithm>

using namespace npcc::rt;
using namespace npcc::rt::cuda;

static constexpr unsigned attachGlobal = 1;

npcc_status npcc_rt_host_alloc(int32_t id, int64_t bytes, int32_t flags, void **host) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(memHostAlloc(host, std::max<size_t>(bytes, 1), flags));
    return {};
  });
}

void npcc_rt_host_free(int32_t id, void *host) {
  // Nobody reads a failure: it is that of the work which was still under way.
  (void)onCuda(id, [&](CudaDevice &) { return Status(check(driver().memFreeHost(host), "cuMemFreeHost")); }).error;
}

npcc_status npcc_rt_managed_alloc(int32_t id, int64_t bytes, void **memory) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Address address = 0;
    NPCC_CUDA_TRY(memAllocManaged(&address, std::max<size_t>(bytes, 1), attachGlobal));
    *memory = reinterpret_cast<void *>(address);
    return {};
  });
}

void npcc_rt_managed_free(int32_t id, void *memory) {
  (void)onCuda(id, [&](CudaDevice &) {
    return Status(check(driver().memFree(reinterpret_cast<Address>(memory)), "cuMemFree"));
  }).error;
}

npcc_status npcc_rt_host_register(int32_t id, void *host, int64_t bytes, int32_t flags) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(memHostRegister(host, static_cast<size_t>(bytes), flags));
    return {};
  });
}

npcc_status npcc_rt_host_unregister(int32_t id, void *host) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(memHostUnregister(host));
    return {};
  });
}

npcc_status npcc_rt_memory_info(int32_t id, int64_t *free, int64_t *total) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    size_t freeBytes = 0, totalBytes = 0;
    NPCC_CUDA_TRY(memGetInfo(&freeBytes, &totalBytes));
    *free = static_cast<int64_t>(freeBytes) + device.pool.bytesCached(); // what the pool keeps is free for npcc
    *total = static_cast<int64_t>(totalBytes);
    return {};
  });
}

npcc_status npcc_rt_copy_async(npcc_array *to, const npcc_array *from) {
  Device *source, *target;
  View toView = viewOf(*to), fromView = viewOf(*from);
  bool straight = to->dtype == from->dtype && to->rank == from->rank &&
                  std::equal(to->shape, to->shape + to->rank, from->shape) && !(to->flags & NPCC_READONLY) &&
                  isContiguous(toView) && isContiguous(fromView);
  Status found = guarded([&]() -> Status {
    NPCC_TRY(findDevice(from->device, source));
    return findDevice(to->device, target);
  });
  if (!found.ok())
    return toC([&] { return std::move(found); });
  int64_t bytes = elementCount(toView) * toView.elementSize;
  // What must be gathered goes through buffers that this call owns, so it waits.
  if (!straight || source->onHost() == target->onHost() || !bytes)
    return npcc_rt_copy(to, from);
  Device *device = source->onHost() ? target : source;
  return onCuda(device->id, [&](CudaDevice &cuda) -> Status {
    NPCC_TRY(cuda.orderBuffer(source->onHost() ? to->base : from->base));
    if (source->onHost())
      return cuda.copyIn(to->data, from->data, bytes);
    counters.bytesDeviceToHost.add(bytes);
    Stream stream = cuda.streams.use();
    DeviceSpan span(cuda, NPCC_TRACE_DEVICE_TO_HOST, "copy to the host", bytes, stream);
    NPCC_CUDA_TRY(memcpyDtoH(to->data, reinterpret_cast<Address>(from->data), static_cast<size_t>(bytes), stream));
    return {};
  });
}

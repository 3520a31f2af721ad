// What every function of the C ABI for CUDA alone begins with.
#ifndef NPCC_RUNTIME_CUDA_FIND_H
#define NPCC_RUNTIME_CUDA_FIND_H

#include "runtime/abi/devices.h"
#include "runtime/cuda/CudaDevice.h"

namespace npcc::rt::cuda {

inline Status findCudaDevice(int32_t id, CudaDevice *&out) {
  Device *device;
  NPCC_TRY(findDevice(id, device));
  if (device->target != NPCC_TARGET_CUDA)
    return makeError(NPCC_VALUE_ERROR, "{} is no CUDA device", device->name());
  out = static_cast<CudaDevice *>(device);
  return {};
}

/// body(CudaDevice &) with the device's context current.
template <typename Body> npcc_status onCuda(int32_t id, Body &&body) {
  return toC([&]() -> Status {
    CudaDevice *device;
    NPCC_TRY(findCudaDevice(id, device));
    DeviceScope scope(*device);
    return body(*device);
  });
}

} // namespace npcc::rt::cuda

#endif

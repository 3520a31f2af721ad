#ifndef NPCC_RUNTIME_CUDA_DEVICETRACE_H
#define NPCC_RUNTIME_CUDA_DEVICETRACE_H
// What a GPU does, by CUDA's events around it: when recording ends, their times become the host's.
#include "runtime/Trace.h"
#include "runtime/cuda/Driver.h"
#include <optional>

namespace npcc::rt::cuda {

class CudaDevice;

/// Work that is sent to the device's current stream while it lives. For NVIDIA's tools the sending is a range.
class DeviceSpan {
public:
  DeviceSpan(CudaDevice &device, int32_t kind, const char *label, int64_t bytes = 0) {
    if (isTracing())
      open(device, kind, label, bytes, nullptr);
  }
  /// The same on another stream.
  DeviceSpan(CudaDevice &device, int32_t kind, const char *label, int64_t bytes, Stream on) {
    if (isTracing())
      open(device, kind, label, bytes, on);
  }
  ~DeviceSpan() {
    if (device)
      close();
  }
  DeviceSpan(const DeviceSpan &) = delete;
  DeviceSpan &operator=(const DeviceSpan &) = delete;

private:
  void open(CudaDevice &on, int32_t kind, const char *label, int64_t bytes, Stream stream);
  void close();

  CudaDevice *device = nullptr;
  int32_t kind = 0;
  std::string label;
  int64_t bytes = 0;
  Stream stream = nullptr;
  Event begin = nullptr;
  std::optional<uint64_t> range;
};

} // namespace npcc::rt::cuda

#endif

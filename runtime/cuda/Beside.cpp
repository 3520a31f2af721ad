#include "runtime/cuda/Beside.h"
#include "runtime/cuda/CudaDevice.h"

namespace npcc::rt::cuda {
namespace {

/// Streams beside the device's own: each one more is a wait of the driver at the fork and at the join.
constexpr int mostStreams = 3;

/// The launches of this thread that began last.
struct Launches {
  CudaDevice *device = nullptr; // null: they go one after the other
  int64_t blocks = 0;
  int count = 0; // beside the first
};
thread_local constinit Launches launches;

int64_t blocksOf(const LaunchShape &shape) { return shape.grid[0] * shape.grid[1] * shape.grid[2]; }

} // namespace

Status chooseStream(CudaDevice &device, const LaunchShape &shape, Stream &stream) {
  if (shape.begins) {
    launches = {};
    if (int64_t blocks = blocksOf(shape); device.streams.isOwn() && blocks < device.multiprocessors()) {
      NPCC_TRY(device.streams.fork());
      launches = {&device, blocks, 0};
    }
  } else if (shape.isBeside && launches.device == &device && device.streams.isOwn()) {
    launches.blocks += blocksOf(shape);
    if (launches.blocks <= device.multiprocessors())
      return device.streams.beside(launches.count++ % mostStreams, stream);
    // The device is full: the rest goes one after the other, behind those before.
    launches.device = nullptr;
  }
  stream = device.streams.use();
  return {};
}

} // namespace npcc::rt::cuda

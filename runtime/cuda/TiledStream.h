// A bit generator's stream, as kernels go through it tile by tile (kernels/reject.cu, numbers.cu).
#ifndef NPCC_RUNTIME_CUDA_TILEDSTREAM_H
#define NPCC_RUNTIME_CUDA_TILEDSTREAM_H

#include "runtime/cuda/RandomWords.h"
#include "runtime/random/StreamDraw.h"

namespace npcc::rt::cuda {

/// The tables of the ziggurat method, which each device has once and keeps.
Status findTables(CudaDevice &device, const ZigguratTables *&tables);

class TiledStream {
public:
  TiledStream(CudaDevice &device, const random::StreamDraw &draw) : device(device), draw(draw), words(device) {}
  /// Sets what the parameters say of the stream and its tiles, whose `result`, `status` and `exits` are set already,
  /// and makes ready what they point to.
  Status prepare(RejectParams &params, int64_t tiles, int32_t unitsOfTile, int64_t wordsBefore);
  /// A kernel whose parameters begin with RejectParams: at most one block for each tile.
  Status launch(npcc_kernel &kernel, RejectParams &params);
  /// So many units are used up.
  Status finish(random::StreamOutcome &outcome, int64_t units);

private:
  CudaDevice &device;
  const random::StreamDraw &draw;
  MersenneWords words;
  OwnedBuffer states;
};

} // namespace npcc::rt::cuda

#endif

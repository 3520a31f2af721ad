// The words of bit generators, made on a GPU (kernels/words.cu).
#ifndef NPCC_RUNTIME_CUDA_RANDOMWORDS_H
#define NPCC_RUNTIME_CUDA_RANDOMWORDS_H

#include "runtime/Buffer.h"
#include "runtime/cuda/CudaDevice.h"

namespace npcc::rt::cuda {

/// Uniform numbers straight from the generator.
Status drawUniform(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

/// A part of a stream, in memory.
class RandomWords {
public:
  explicit RandomWords(CudaDevice &device) : device(device) {}
  Status make(const random::StreamDraw &draw, int64_t units);
  /// The first unit.
  const uint32_t *units() const { return first; }
  /// Of MT19937: what is known of the state behind so many units.
  Status finish(const random::StreamDraw &draw, int64_t units, random::StreamOutcome &outcome);

private:
  CudaDevice &device;
  OwnedBuffer buffer;
  const uint32_t *first = nullptr;
};

} // namespace npcc::rt::cuda

#endif

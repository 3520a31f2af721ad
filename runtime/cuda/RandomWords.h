// The words of bit generators, made on a GPU (kernels/words.cu).
#ifndef NPCC_RUNTIME_CUDA_RANDOMWORDS_H
#define NPCC_RUNTIME_CUDA_RANDOMWORDS_H

#include "runtime/Buffer.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/kernels/RandomParams.h"

namespace npcc::rt::cuda {

/// Uniform numbers straight from the generator.
Status drawUniform(CudaDevice &device, const random::StreamDraw &draw, random::StreamOutcome &outcome);

/// The state of a generator other than MT19937, as kernels go on from it.
void setSource(StreamSource &source, const random::StreamDraw &draw);

/// A part of MT19937's stream, in memory.
class MersenneWords {
public:
  explicit MersenneWords(CudaDevice &device) : device(device) {}
  Status make(const random::StreamDraw &draw, int64_t units);
  /// The first one that is not used up.
  const uint32_t *get() const { return first; }
  /// What is known of the state behind so many units.
  Status finish(const random::StreamDraw &draw, int64_t units, random::StreamOutcome &outcome);

private:
  CudaDevice &device;
  OwnedBuffer buffer;
  const uint32_t *first = nullptr;
};

} // namespace npcc::rt::cuda

#endif

// A CUDA driver without a GPU (FakeCuda.cpp), and the kernels it knows by name (FakeKernels.cpp).
#ifndef NPCC_TEST_RUNTIME_FAKECUDA_H
#define NPCC_TEST_RUNTIME_FAKECUDA_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace fake {

/// Where the bytes at a device address are: ends the process if `device` may not touch them. Page-locked memory of the
/// host stays.
void *reach(const void *address, int device);

struct Launch {
  int device;
  unsigned grid, block;
  const char *params; // the parameters one after the other, each at a multiple of 8
};

struct Kernel {
  const char *name;
  size_t parameterCount;
  const size_t *parameterBytes;
  void (*run)(const Launch &launch);
};

/// What a library does on a stream, in the stream's order (FakeCufft.cpp); false if the current context is another's.
bool enqueue(void *stream, std::function<void(int device)> work);

/// Null if there is none.
const Kernel *findKernel(const char *name);

} // namespace fake

#endif

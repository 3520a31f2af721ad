#ifndef NPCC_RUNTIME_CUDA_KERNELS_SORT_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_SORT_PARAMS_H
#include <cstdint>

// What the kernels of sort.cu take.
struct SortParams {
  const void *in;
  void *out;
  uint64_t *keys, *newKeys;
  int64_t *positions, *newPositions; // within the line
  int64_t lines, length, width;      // width: of the runs that are sorted already
  int32_t dtype, part;               // dtype: npcc_dtype; part: which key of complex numbers
};

#endif

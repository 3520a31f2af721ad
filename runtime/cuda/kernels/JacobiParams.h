#ifndef NPCC_RUNTIME_CUDA_KERNELS_JACOBI_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_JACOBI_PARAMS_H
#include "ErrorParams.h"

// What the kernels of jacobi.cu take: stacks of column-major matrices.
struct JacobiParams {
  void *matrices;
  void *values;       // real, a vector for each matrix
  void *left, *right; // U and V^H
  int64_t count;
  int32_t rows, columns;
  int32_t leftColumns, rightRows;
  int32_t hasVectors;                // whether they are wanted
  int32_t pairs;                     // of columns: half of them, rounded up
  int32_t pairLanes;                 // threads for each pair: a power of two, from 2 to 32
  int32_t groups;                    // matrices that one block has at a time
  int32_t sharedColumns, sharedRows; // of each matrix in shared memory
  int32_t sharedBytes;               // for each matrix
  FailureParams failure;             // of elements that are not finite
};

constexpr int largestJacobi = 32, jacobiThreads = 256; // the most threads of a block

#endif

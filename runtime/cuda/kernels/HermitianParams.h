#ifndef NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_HERMITIAN_PARAMS_H
#include "ErrorParams.h"

// What the kernels of hermitian.cu and of rotations.cu take: a stack of column-major matrices. A block is one warp,
// with one matrix or several; of rotations.cu it has one matrix and several warps.
struct HermitianParams {
  void *matrices; // become their eigenvectors
  void *values;   // real, a vector for each matrix
  int64_t count;
  int32_t size;       // rows of each matrix
  int32_t hasVectors; // whether they are wanted
  int32_t isUpper;    // which triangle is read
  int32_t lanes;  // threads for each matrix, one for each row: a power of two, so that a warp has 32 / lanes matrices
  int32_t step;   // from column to column where the matrices lie
  int32_t stride; // from column to column in shared memory: odd, and at least the rows rounded up to a chunk
  int32_t sharedBytes;   // for each matrix
  FailureParams failure; // of eigenvalues that do not converge
};

// Loops over the columns that a thread has in registers leave off at multiples of a chunk.
constexpr int largestHermitian = 32, hermitianChunk = 4;

// The most threads of a block of rotations.cu: 16 pairs of rows meet each other, and the rows of the vectors are turned
// two pairs for each thread.
constexpr int mostRotating = 128 + 256, pairsOfThread = 2;

#endif

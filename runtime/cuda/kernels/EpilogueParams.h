#ifndef NPCC_RUNTIME_CUDA_KERNELS_EPILOGUE_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_EPILOGUE_PARAMS_H
#include <cstdint>

// What the kernels of epilogue.cu take: C of m x n elements, which the product is in, and npcc_epilogue.
struct EpilogueParams {
  void *c;
  const void *addend, *bias; // null: none
  int64_t m, n, cRow, cColumn, addendRow, addendColumn, biasColumn;
  double alpha, beta;
  int32_t hasRelu;
};

#endif

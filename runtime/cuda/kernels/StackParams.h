#ifndef NPCC_RUNTIME_CUDA_KERNELS_STACK_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_STACK_PARAMS_H
#include <cstdint>

// What the kernels of stack.cu take: of A, B and C the first matrix, and how many elements further the next one, the next row and the next column are.
struct StackOperand {
  void *data;
  int64_t matrix, row, column;
};
struct StackParams {
  StackOperand a, b, c;
  int64_t count;
  int32_t m, n, k;
};

#endif

// Products of stacks of matrices: as few calls of a library as the strides allow.
#ifndef NPCC_RUNTIME_MATMULSTACK_H
#define NPCC_RUNTIME_MATMULSTACK_H

#include "runtime/Device.h"
#include "runtime/abi/products.h"

namespace npcc::rt {

/// The first matrix of a stack, and how far its matrices are apart along each axis of the stack, in elements (0: the
/// same matrix).
struct MatrixStack {
  npcc_matrix first;
  const int64_t *strides;
};

/// C = A B for each position of the axes of these extents.
Status multiplyStacks(Device &device, const MatmulShape &shape, int32_t rank, const int64_t *extents,
                      const MatrixStack &a, const MatrixStack &b, const MatrixStack &c);

} // namespace npcc::rt

#endif

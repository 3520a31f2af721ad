#include "runtime/MatmulStack.h"
#include "runtime/Element.h"
#include <algorithm>
#include <vector>

namespace npcc::rt {
namespace {

/// One axis of the stacks: how many, and the strides of A, B and C.
struct Axis {
  int64_t extent;
  int64_t strides[3];
};

/// Axes of one position mean nothing, and two that all three stacks run along without a gap are one.
std::vector<Axis> joinAxes(int32_t rank, const int64_t *extents, const MatrixStack *const stacks[3]) {
  std::vector<Axis> axes;
  for (int32_t k = rank - 1; k >= 0; --k) {
    Axis axis{extents[k], {stacks[0]->strides[k], stacks[1]->strides[k], stacks[2]->strides[k]}};
    if (axis.extent == 1)
      continue;
    bool follows = !axes.empty();
    for (int operand = 0; follows && operand < 3; ++operand)
      follows = axis.strides[operand] == axes.back().extent * axes.back().strides[operand];
    if (follows)
      axes.back().extent *= axis.extent;
    else
      axes.push_back(axis);
  }
  // The longest in one call.
  if (!axes.empty())
    std::iter_swap(axes.begin(), std::max_element(axes.begin(), axes.end(),
                                                  [](const Axis &a, const Axis &b) { return a.extent < b.extent; }));
  return axes;
}

} // namespace

Status multiplyStacks(Device &device, const MatmulShape &shape, int32_t rank, const int64_t *extents,
                      const MatrixStack &a, const MatrixStack &b, const MatrixStack &c) {
  if (shape.m == 0 || shape.n == 0 || std::find(extents, extents + rank, 0) != extents + rank)
    return {};
  const MatrixStack *const stacks[3] = {&a, &b, &c};
  std::vector<Axis> axes = joinAxes(rank, extents, stacks);
  Axis inner = axes.empty() ? Axis{1, {0, 0, 0}} : axes.front();
  const int64_t sizes[3] = {elementSize(shape.dtype), elementSize(shape.dtype), elementSize(shape.resultDtype)};
  int64_t calls = 1;
  for (size_t k = 1; k < axes.size(); ++k)
    calls *= axes[k].extent;
  for (int64_t call = 0; call < calls; ++call) {
    npcc_matrix matrices[3] = {a.first, b.first, c.first};
    int64_t rest = call;
    for (size_t k = 1; k < axes.size(); ++k) {
      for (int operand = 0; operand < 3; ++operand)
        matrices[operand].data = static_cast<char *>(matrices[operand].data) +
                                 rest % axes[k].extent * axes[k].strides[operand] * sizes[operand];
      rest /= axes[k].extent;
    }
    NPCC_TRY(device.matmulStrided(shape, matrices, inner.extent, inner.strides));
  }
  return {};
}

Status Device::matmulStridedOneByOne(Device &device, const MatmulShape &shape, const npcc_matrix matrices[3],
                                     int64_t count, const int64_t strides[3]) {
  npcc_matrix one[3] = {matrices[0], matrices[1], matrices[2]};
  const int64_t sizes[3] = {elementSize(shape.dtype), elementSize(shape.dtype), elementSize(shape.resultDtype)};
  for (int64_t k = 0; k < count; ++k) {
    NPCC_TRY(device.matmul(shape, one[0], one[1], one[2]));
    for (int operand = 0; operand < 3; ++operand)
      one[operand].data = static_cast<char *>(one[operand].data) + strides[operand] * sizes[operand];
  }
  return {};
}

} // namespace npcc::rt

#include "runtime/cpu/StridedCopy.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <cstring>

namespace npcc::rt {

static constexpr int64_t parallelBytes = 1 << 19; // below, one core's bandwidth is there before the others wake
static constexpr int64_t tile = 32;               // elements on a side: two tiles of complex128 fit in the L1 cache

namespace {

struct Bytes16 {
  uint64_t low, high;
};

/// Element types only move bytes; alignment is not assumed (memcpy of a constant size is one move).
template <typename T>
inline void moveElement(char *to, const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
void copyLine(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t n) {
  if (toStep == int64_t(sizeof(T)) && fromStep == int64_t(sizeof(T))) {
    std::memcpy(to, from, n * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    moveElement<T>(to + i * toStep, from + i * fromStep);
}

/// Rows by columns where `from` runs fastest down the rows: by tiles, so that both sides use whole cache lines.
template <typename T>
void copyTiled(char *to, const char *from, int64_t rows, int64_t columns, const int64_t *toSteps,
               const int64_t *fromSteps) {
  for (int64_t row = 0; row < rows; row += tile)
    for (int64_t column = 0; column < columns; column += tile) {
      int64_t rowEnd = std::min(row + tile, rows), columnEnd = std::min(column + tile, columns);
      for (int64_t i = row; i < rowEnd; ++i)
        for (int64_t j = column; j < columnEnd; ++j)
          moveElement<T>(to + i * toSteps[0] + j * toSteps[1], from + i * fromSteps[0] + j * fromSteps[1]);
    }
}

/// The axes from `axis` on, the first of them only over [lo, hi).
template <typename T>
void copyAxes(const View &to, const View &from, int32_t axis, int64_t lo, int64_t hi, char *toData,
              const char *fromData) {
  int64_t toStep = to.strides[axis] * int64_t(sizeof(T)), fromStep = from.strides[axis] * int64_t(sizeof(T));
  toData += lo * toStep;
  fromData += lo * fromStep;
  if (axis == to.rank - 1) {
    copyLine<T>(toData, toStep, fromData, fromStep, hi - lo);
    return;
  }
  if (axis == to.rank - 2 && std::abs(fromStep) < std::abs(from.strides[axis + 1]) * int64_t(sizeof(T))) {
    int64_t toSteps[2] = {toStep, to.strides[axis + 1] * int64_t(sizeof(T))};
    int64_t fromSteps[2] = {fromStep, from.strides[axis + 1] * int64_t(sizeof(T))};
    copyTiled<T>(toData, fromData, hi - lo, to.shape[axis + 1], toSteps, fromSteps);
    return;
  }
  for (int64_t i = lo; i < hi; ++i, toData += toStep, fromData += fromStep)
    copyAxes<T>(to, from, axis + 1, 0, to.shape[axis + 1], toData, fromData);
}

template <typename T>
void copyTyped(const View &to, const View &from) {
  int64_t count = elementCount(to);
  if (count == 0)
    return;
  if (to.rank == 0) {
    moveElement<T>(to.data, from.data);
    return;
  }
  int64_t inner = count / to.shape[0];
  int64_t grain = std::max<int64_t>(1, parallelBytes / (inner * int64_t(sizeof(T))));
  if (to.rank > 1)
    grain = (grain + tile - 1) / tile * tile;
  parallelLoop(to.shape[0], grain,
               [&](int64_t lo, int64_t hi) { copyAxes<T>(to, from, 0, lo, hi, to.data, from.data); });
}

} // namespace

void copyStridedOnHost(const View &to, const View &from) {
  switch (to.elementSize) {
  case 1: return copyTyped<uint8_t>(to, from);
  case 2: return copyTyped<uint16_t>(to, from);
  case 4: return copyTyped<uint32_t>(to, from);
  case 8: return copyTyped<uint64_t>(to, from);
  default: return copyTyped<Bytes16>(to, from);
  }
}

void copyBytesOnHost(void *to, const void *from, int64_t bytes) {
  parallelLoop(bytes, parallelBytes, [&](int64_t lo, int64_t hi) {
    std::memcpy(static_cast<char *>(to) + lo, static_cast<const char *>(from) + lo, hi - lo);
  });
}

} // namespace npcc::rt

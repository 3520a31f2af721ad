// numpy.partition and argpartition: a sort that goes on only where a place is asked for, so that it takes a pass over
// the elements and a little more.
#include "runtime/cpu/Partition.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/SortKeys.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <cstring>
#include <functional>

namespace npcc::rt {
namespace {

template <typename Element, typename Order>
void selectOneByOne(Element *first, int64_t count, const std::vector<int64_t> &places, Order before) {
  int64_t done = 0;
  for (int64_t place : places)
    if (place >= done && place < count) {
      std::nth_element(first + done, first + place, first + count, before);
      done = place + 1;
    }
}

template <typename T> void select(T *first, int64_t count, const std::vector<int64_t> &places) {
  const VectorSort *sorts = vectorSort();
  if constexpr (std::is_same_v<T, uint32_t>) {
    if (sorts)
      return sorts->select32(first, count, places);
  } else if constexpr (std::is_same_v<T, int32_t>) {
    if (sorts)
      return sorts->selectSigned32(first, count, places);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    if (sorts)
      return sorts->select64(first, count, places);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    if (sorts)
      return sorts->selectSigned64(first, count, places);
  } else if constexpr (std::is_same_v<T, Wide>) {
    if (sorts)
      return sorts->selectWide(first, count, places);
  }
  selectOneByOne(first, count, places, std::less<>());
}

template <typename T> void partitionLine(T *line, int64_t length, const std::vector<int64_t> &places) {
  if constexpr (std::is_floating_point_v<T>) {
    using Word = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    T *end = std::partition(line, line + length, [](T x) { return !std::isnan(x); });
    int64_t count = end - line;
    turnNegatives<Word>(line, count);
    select(reinterpret_cast<Word *>(line), count, places);
    turnNegatives<Word>(line, count);
  } else if constexpr (std::is_integral_v<T>) {
    select(line, length, places);
  } else {
    selectOneByOne(line, length, places, Before<T>());
  }
}

template <typename T>
void argpartitionLine(const T *in, int64_t *out, int64_t length, const std::vector<int64_t> &places) {
  std::vector<typename Positioned<T>::Type> keyed(length);
  auto finish = [&](auto positionOf) {
    for (int64_t k = 0; k < length; ++k)
      out[k] = static_cast<int64_t>(positionOf(keyed[k]));
  };
  if constexpr (Positioned<T>::isComplex) {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = {in[k], k};
    selectOneByOne(keyed.data(), length, places, Before<T>());
    finish([](const auto &item) { return item.position; });
  } else if constexpr (sizeof(T) <= 4) {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = orderedKey(in[k]) << 32 | static_cast<uint64_t>(k);
    select(keyed.data(), length, places);
    finish([](uint64_t item) { return item & 0xffffffff; });
  } else {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = {static_cast<uint64_t>(k), orderedKey(in[k])};
    select(keyed.data(), length, places);
    finish([](const Wide &item) { return item.low; });
  }
}

/// Calls run(a zero of the elements' type).
template <typename Run> Status forDtype(int32_t dtype, Run run) {
  switch (dtype) {
  case NPCC_BOOL:
  case NPCC_UINT8:
    return run(uint8_t());
  case NPCC_INT8:
    return run(int8_t());
  case NPCC_INT16:
    return run(int16_t());
  case NPCC_INT32:
    return run(int32_t());
  case NPCC_INT64:
    return run(int64_t());
  case NPCC_UINT16:
    return run(uint16_t());
  case NPCC_UINT32:
    return run(uint32_t());
  case NPCC_UINT64:
    return run(uint64_t());
  case NPCC_FLOAT16:
    return run(Half());
  case NPCC_FLOAT32:
    return run(float());
  case NPCC_FLOAT64:
    return run(double());
  case NPCC_COMPLEX64:
    return run(Complex<float>());
  case NPCC_COMPLEX128:
    return run(Complex<double>());
  default:
    return makeError(NPCC_TYPE_ERROR, "partition of unknown dtype {}", dtype);
  }
}

/// Bytes that a thread copies at once.
constexpr int64_t bytesAtOnce = 1 << 18;

int64_t grainOf(const SortShape &shape) { return std::max<int64_t>(1, (1 << 13) / std::max<int64_t>(shape.length, 1)); }

} // namespace

Status partitionOnHost(const SortShape &shape, const std::vector<int64_t> &places, void *lines) {
  return forDtype(shape.dtype, [&]<typename T>(T) -> Status {
    parallelLoop(shape.lines, grainOf(shape), [&](int64_t lo, int64_t hi) {
      for (int64_t line = lo; line < hi; ++line)
        partitionLine(static_cast<T *>(lines) + line * shape.length, shape.length, places);
    });
    return {};
  });
}

Status selectOnHost(Device &device, const SortShape &shape, const void *in, const int64_t *places, int64_t count,
                    void *out) {
  int64_t size = elementSize(shape.dtype), bytes = shape.lines * shape.length * size;
  OwnedBuffer copy;
  NPCC_TRY(copy.allocate(device, bytes));
  char *lines = static_cast<char *>(copy.get());
  parallelLoop((bytes + bytesAtOnce - 1) / bytesAtOnce, 1, [&](int64_t lo, int64_t hi) {
    int64_t from = lo * bytesAtOnce, to = std::min(hi * bytesAtOnce, bytes);
    std::memcpy(lines + from, static_cast<const char *>(in) + from, to - from);
  });
  std::vector<int64_t> wanted(places, places + count), ascending;
  for (int64_t &place : wanted)
    place += place < 0 ? shape.length : 0;
  ascending = wanted;
  std::sort(ascending.begin(), ascending.end());
  NPCC_TRY(partitionOnHost(shape, ascending, lines));
  for (int64_t line = 0; line < shape.lines; ++line)
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(static_cast<char *>(out) + (line * count + k) * size,
                  lines + (line * shape.length + wanted[k]) * size, size);
  return {};
}

Status argpartitionOnHost(const SortShape &shape, const std::vector<int64_t> &places, const void *in, int64_t *out) {
  if (shape.length > int64_t(UINT32_MAX))
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "positions in lines of {} elements", shape.length);
  return forDtype(shape.dtype, [&]<typename T>(T) -> Status {
    parallelLoop(shape.lines, grainOf(shape), [&](int64_t lo, int64_t hi) {
      for (int64_t line = lo; line < hi; ++line)
        argpartitionLine(static_cast<const T *>(in) + line * shape.length, out + line * shape.length, shape.length,
                         places);
    });
    return {};
  });
}

} // namespace npcc::rt

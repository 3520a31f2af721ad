#include "runtime/cpu/Sort.h"
#include "runtime/Buffer.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace npcc::rt {
namespace {

struct Half {
  uint16_t bits;
  bool isNaN() const { return (bits & 0x7fff) > 0x7c00; }
  int32_t rank() const { return bits & 0x8000 ? -(bits & 0x7fff) : bits; }
};
template <typename T>
struct Complex {
  T re, im;
};

template <typename T>
bool isBefore(T a, T b) {
  return a < b;
}
template <>
bool isBefore(float a, float b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}
template <>
bool isBefore(double a, double b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}
template <>
bool isBefore(Half a, Half b) {
  return !a.isNaN() && (b.isNaN() || a.rank() < b.rank());
}
/// Numbers, then those with NaN as imaginary part, then those with NaN as real part, then those with both.
template <typename T>
bool isBefore(Complex<T> a, Complex<T> b) {
  int first = 2 * std::isnan(a.re) + std::isnan(a.im), second = 2 * std::isnan(b.re) + std::isnan(b.im);
  if (first != second)
    return first < second;
  return a.re < b.re || (!(b.re < a.re) && isBefore(a.im, b.im));
}

template <typename T>
struct Keyed {
  T key;
  int64_t position;
};

template <typename T>
struct Before {
  bool operator()(const T &a, const T &b) const { return isBefore(a, b); }
  bool operator()(const Keyed<T> &a, const Keyed<T> &b) const {
    return isBefore(a.key, b.key) || (!isBefore(b.key, a.key) && a.position < b.position);
  }
};

constexpr int64_t serialLength = 1 << 15;

/// Sorts one range with all threads: parts by themselves, then merged in pairs.
template <typename Element, typename Order>
void sortRange(Element *first, int64_t count, Order before) {
  if (count <= serialLength) {
    std::sort(first, first + count, before);
    return;
  }
  int64_t parts = 1;
  while (parts < ThreadPool::get().threads())
    parts *= 2;
  auto bound = [&](int64_t part) { return first + count * part / parts; };
  parallelLoop(parts, 1, [&](int64_t lo, int64_t hi) {
    for (int64_t part = lo; part < hi; ++part)
      std::sort(bound(part), bound(part + 1), before);
  });
  for (int64_t width = 1; width < parts; width *= 2)
    parallelLoop(parts / (2 * width), 1, [&](int64_t lo, int64_t hi) {
      for (int64_t pair = lo; pair < hi; ++pair)
        std::inplace_merge(bound(2 * pair * width), bound((2 * pair + 1) * width), bound((2 * pair + 2) * width), before);
    });
}

template <typename T>
void sortValues(const T *in, T *out, int64_t length) {
  std::copy_n(in, length, out);
  sortRange(out, length, Before<T>());
}

template <typename T>
void sortPositions(const T *in, int64_t *out, int64_t length, Keyed<T> *keyed) {
  for (int64_t k = 0; k < length; ++k)
    keyed[k] = {in[k], k};
  sortRange(keyed, length, Before<T>());
  for (int64_t k = 0; k < length; ++k)
    out[k] = keyed[k].position;
}

template <typename T>
Status sortLines(Device &device, const SortShape &shape, const void *in, void *out) {
  auto *from = static_cast<const T *>(in);
  // Long lines are sorted by all threads one after the other, short ones by one thread each.
  int64_t length = shape.length, grain = length > serialLength ? shape.lines : std::max<int64_t>(1, (1 << 12) / std::max<int64_t>(length, 1));
  if (!shape.positions) {
    parallelLoop(shape.lines, grain, [&](int64_t lo, int64_t hi) {
      for (int64_t line = lo; line < hi; ++line)
        sortValues(from + line * length, static_cast<T *>(out) + line * length, length);
    });
    return {};
  }
  OwnedBuffer keyed;
  bool isShared = length > serialLength; // then one line's room is enough
  NPCC_TRY(keyed.allocate(device, (isShared ? length : shape.lines * length) * int64_t(sizeof(Keyed<T>))));
  auto *room = reinterpret_cast<Keyed<T> *>(keyed.get());
  parallelLoop(shape.lines, grain, [&](int64_t lo, int64_t hi) {
    for (int64_t line = lo; line < hi; ++line)
      sortPositions(from + line * length, static_cast<int64_t *>(out) + line * length, length, room + (isShared ? 0 : line * length));
  });
  return {};
}

} // namespace

Status sortOnHost(Device &device, const SortShape &shape, const void *in, void *out) {
  if (shape.lines * shape.length == 0)
    return {};
  switch (shape.dtype) {
  case NPCC_BOOL:
  case NPCC_UINT8: return sortLines<uint8_t>(device, shape, in, out);
  case NPCC_INT8: return sortLines<int8_t>(device, shape, in, out);
  case NPCC_INT16: return sortLines<int16_t>(device, shape, in, out);
  case NPCC_INT32: return sortLines<int32_t>(device, shape, in, out);
  case NPCC_INT64: return sortLines<int64_t>(device, shape, in, out);
  case NPCC_UINT16: return sortLines<uint16_t>(device, shape, in, out);
  case NPCC_UINT32: return sortLines<uint32_t>(device, shape, in, out);
  case NPCC_UINT64: return sortLines<uint64_t>(device, shape, in, out);
  case NPCC_FLOAT16: return sortLines<Half>(device, shape, in, out);
  case NPCC_FLOAT32: return sortLines<float>(device, shape, in, out);
  case NPCC_FLOAT64: return sortLines<double>(device, shape, in, out);
  case NPCC_COMPLEX64: return sortLines<Complex<float>>(device, shape, in, out);
  case NPCC_COMPLEX128: return sortLines<Complex<double>>(device, shape, in, out);
  default: return makeError(NPCC_TYPE_ERROR, "sort of unknown dtype {}", shape.dtype);
  }
}

} // namespace npcc::rt

#include "runtime/cpu/Sort.h"
#include "runtime/Buffer.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cpu/ShortSort.h"
#include "runtime/cpu/SortKeys.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cpu/VectorSort.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

namespace npcc::rt {
namespace {

constexpr int64_t serialLength = 1 << 15;

template <typename Word, typename Float>
void sortFloats(Float *first, int64_t count, void (*sort)(Word *, int64_t)) {
  turnNegatives<Word>(first, count);
  sort(reinterpret_cast<Word *>(first), count);
  turnNegatives<Word>(first, count);
}

/// Sorts with one thread; what the vectors have a sort for, with that.
template <typename Element, typename Order>
void sortPart(Element *first, int64_t count, Order before) {
  std::sort(first, first + count, before);
}
template <typename T>
void sortPart(T *first, int64_t count, std::less<>) {
  constexpr int64_t few = 32; // for which the vectors' sort takes as long
  const VectorSort *sorts = count > few ? vectorSort() : nullptr;
  if (!sorts)
    std::sort(first, first + count);
  else if constexpr (std::is_same_v<T, uint16_t>)
    sorts->sort16(first, count);
  else if constexpr (std::is_same_v<T, int16_t>)
    sorts->sortSigned16(first, count);
  else if constexpr (std::is_same_v<T, uint32_t>)
    sorts->sort32(first, count);
  else if constexpr (std::is_same_v<T, int32_t>)
    sorts->sortSigned32(first, count);
  else if constexpr (std::is_same_v<T, uint64_t>)
    sorts->sort64(first, count);
  else if constexpr (std::is_same_v<T, int64_t>)
    sorts->sortSigned64(first, count);
  else if constexpr (std::is_same_v<T, float>)
    sortFloats(first, count, sorts->sortSigned32);
  else if constexpr (std::is_same_v<T, double>)
    sortFloats(first, count, sorts->sortSigned64);
  else
    sorts->sortWide(first, count);
}

/// Sorts one range with all threads: parts by themselves, then merged in pairs.
template <typename Element, typename Order>
void sortRange(Element *first, int64_t count, Order before) {
  // Merging two parts takes as long as sorting both by vectors: that takes more threads to pay.
  constexpr bool isByVectors = std::is_same_v<Order, std::less<>>;
  bool isSlow = isByVectors && vectorSort() && ThreadPool::get().threads() < 4;
  if (count <= serialLength || isSlow) {
    sortPart(first, count, before);
    return;
  }
  int64_t parts = 1;
  while (parts < ThreadPool::get().threads())
    parts *= 2;
  auto bound = [&](int64_t part) { return first + count * part / parts; };
  parallelLoop(parts, 1, [&](int64_t lo, int64_t hi) {
    for (int64_t part = lo; part < hi; ++part)
      sortPart(bound(part), bound(part + 1) - bound(part), before);
  });
  for (int64_t width = 1; width < parts; width *= 2)
    parallelLoop(parts / (2 * width), 1, [&](int64_t lo, int64_t hi) {
      for (int64_t pair = lo; pair < hi; ++pair)
        std::inplace_merge(bound(2 * pair * width), bound((2 * pair + 1) * width), bound((2 * pair + 2) * width), before);
    });
}

/// Numbers of 8 bits are counted.
template <typename T>
void sortByCounts(const T *in, T *out, int64_t length) {
  constexpr int least = std::is_signed_v<T> ? -128 : 0;
  int64_t counts[256] = {};
  for (int64_t k = 0; k < length; ++k)
    ++counts[in[k] - least];
  for (int number = 0; number < 256; ++number)
    out = std::fill_n(out, counts[number], static_cast<T>(number + least));
}

template <typename T>
void sortValues(const T *in, T *out, int64_t length) {
  if constexpr (sizeof(T) == 1) {
    if (length > 64)
      return sortByCounts(in, out, length);
    std::copy_n(in, length, out);
    std::sort(out, out + length);
  } else if constexpr (std::is_floating_point_v<T>) {
    T *end = out, *last = out + length;
    for (int64_t k = 0; k < length; ++k) // NaN is written from the end on
      (std::isnan(in[k]) ? *--last : *end++) = in[k];
    sortRange(out, end - out, std::less<>());
  } else if constexpr (std::is_integral_v<T>) {
    std::copy_n(in, length, out);
    sortRange(out, length, std::less<>());
  } else {
    std::copy_n(in, length, out);
    sortRange(out, length, Before<T>());
  }
}

/// Half precision as integers in the order of the numbers, and back; all NaN become one.
template <>
void sortValues(const Half *in, Half *out, int64_t length) {
  auto *keys = reinterpret_cast<int16_t *>(out);
  for (int64_t k = 0; k < length; ++k) {
    int bits = in[k].bits;
    keys[k] = static_cast<int16_t>(in[k].isNaN() ? 0x7fff : bits & 0x8000 ? bits ^ 0x7fff : bits);
  }
  sortRange(keys, length, std::less<>());
  for (int64_t k = 0; k < length; ++k) {
    int key = keys[k];
    out[k].bits = static_cast<uint16_t>(key == 0x7fff ? 0x7e00 : key < 0 ? key ^ 0x7fff : key);
  }
}

template <typename T>
void sortPositions(const T *in, int64_t *out, int64_t length, typename Positioned<T>::Type *keyed) {
  if constexpr (Positioned<T>::isComplex) {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = {in[k], k};
    sortRange(keyed, length, Before<T>());
    for (int64_t k = 0; k < length; ++k)
      out[k] = keyed[k].position;
  } else if constexpr (sizeof(T) <= 4) {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = orderedKey(in[k]) << 32 | static_cast<uint64_t>(k);
    sortRange(keyed, length, std::less<>());
    for (int64_t k = 0; k < length; ++k)
      out[k] = static_cast<int64_t>(keyed[k] & 0xffffffff);
  } else {
    for (int64_t k = 0; k < length; ++k)
      keyed[k] = {static_cast<uint64_t>(k), orderedKey(in[k])};
    sortRange(keyed, length, std::less<>());
    for (int64_t k = 0; k < length; ++k)
      out[k] = static_cast<int64_t>(keyed[k].low);
  }
}

/// An integer with a sign in whose order the elements are, of the same size, and what it was made of; all NaN become one.
template <typename T>
struct ShortKey {
  using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
  using Key = std::make_signed_t<Bits>;
  static constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  static constexpr bool isFloat = std::is_same_v<T, Half> || std::is_floating_point_v<T>;

  static NPCC_INLINE Bits turned(Bits bits) { return bits & sign ? Bits(bits ^ Bits(~sign)) : bits; }
  static NPCC_INLINE Key of(T x) {
    Bits bits = std::bit_cast<Bits>(x);
    if constexpr (isFloat) {
      Bits magnitude = Bits(bits & Bits(~sign));
      constexpr Bits infinity = sizeof(T) == 2 ? 0x7c00 : sizeof(T) == 4 ? 0x7f800000 : Bits(0x7ff0000000000000);
      return Key(magnitude > infinity ? magnitude : turned(bits));
    }
    return Key(std::is_signed_v<T> ? bits : Bits(bits ^ sign));
  }
  static NPCC_INLINE T back(Key key) {
    Bits bits = Bits(key);
    if constexpr (isFloat)
      return std::bit_cast<T>(turned(bits));
    return std::bit_cast<T>(std::is_signed_v<T> ? bits : Bits(bits ^ sign));
  }
};

template <typename T>
NPCC_INLINE void sortShort(const T *in, void *out, int64_t lines, int64_t length, bool positions) {
  using namespace shortsort;
  forSize(length, [&](auto size) __attribute__((always_inline)) {
    constexpr uint64_t sign = uint64_t(1) << 63;
    if (!positions) {
      using Keys = ShortKey<T>;
      sortKeys<typename Keys::Key, size>(
          lines, length, [&](int64_t i) __attribute__((always_inline)) { return Keys::of(in[i]); },
          [&](int64_t i, typename Keys::Key key) __attribute__((always_inline)) { static_cast<T *>(out)[i] = Keys::back(key); });
    } else if constexpr (sizeof(T) <= 4) { // key and position in one number
      sortKeys<int64_t, size>(
          lines, length,
          [&](int64_t i) __attribute__((always_inline)) { return int64_t((orderedKey(in[i]) << 32 | uint64_t(i % length)) ^ sign); },
          [&](int64_t i, int64_t key) __attribute__((always_inline)) { static_cast<int64_t *>(out)[i] = key & 0xffffffff; });
    } else {
      sortPlaces<size>(
          lines, length, [&](int64_t i) __attribute__((always_inline)) { return int64_t(orderedKey(in[i]) ^ sign); }, static_cast<int64_t *>(out));
    }
  });
}

// The same code for each kind of vectors.
template <typename T>
using SortShort = void (*)(const T *in, void *out, int64_t lines, int64_t length, bool positions);
template <typename T>
void sortShortPlain(const T *in, void *out, int64_t lines, int64_t length, bool positions) {
  sortShort(in, out, lines, length, positions);
}
#ifdef __x86_64__
template <typename T>
__attribute__((target("avx2"))) void sortShort256(const T *in, void *out, int64_t lines, int64_t length, bool positions) {
  sortShort(in, out, lines, length, positions);
}
template <typename T>
__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))) void sortShort512(const T *in, void *out, int64_t lines, int64_t length, bool positions) {
  sortShort(in, out, lines, length, positions);
}
#endif
template <typename T>
SortShort<T> findSortShort() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return sortShort512<T>;
  if (__builtin_cpu_supports("avx2"))
    return sortShort256<T>;
#endif
  return sortShortPlain<T>;
}

template <typename T>
Status sortLines(Device &device, const SortShape &shape, const void *in, void *out) {
  auto *from = static_cast<const T *>(in);
  constexpr bool isComplex = Positioned<T>::isComplex;
  if constexpr (!isComplex)
    if (shape.length <= shortsort::longest && shape.lines >= 8) {
      static const SortShort<T> sort = findSortShort<T>();
      parallelLoop(shape.lines, std::max<int64_t>(64, (1 << 12) / shape.length / 64 * 64), [&](int64_t lo, int64_t hi) {
        int64_t first = lo * shape.length;
        void *to = shape.positions ? static_cast<void *>(static_cast<int64_t *>(out) + first) : static_cast<T *>(out) + first;
        sort(from + first, to, hi - lo, shape.length, shape.positions);
      });
      return {};
    }
  // Long lines are sorted by all threads one after the other, short ones by one thread each.
  int64_t length = shape.length, grain = length > serialLength ? shape.lines : std::max<int64_t>(1, (1 << 12) / std::max<int64_t>(length, 1));
  if (!shape.positions) {
    parallelLoop(shape.lines, grain, [&](int64_t lo, int64_t hi) {
      for (int64_t line = lo; line < hi; ++line)
        sortValues(from + line * length, static_cast<T *>(out) + line * length, length);
    });
    return {};
  }
  using Item = typename Positioned<T>::Type;
  if (sizeof(T) <= 4 && length > int64_t(UINT32_MAX))
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "positions in lines of {} elements", length);
  OwnedBuffer keyed;
  bool isShared = length > serialLength; // then one line's room is enough
  NPCC_TRY(keyed.allocate(device, (isShared ? length : shape.lines * length) * int64_t(sizeof(Item))));
  auto *room = reinterpret_cast<Item *>(keyed.get());
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

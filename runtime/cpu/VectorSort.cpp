// Compiled once for each kind of vectors: foreach_target.h includes this file again and again. Highway's own choice among them is in its library, which
// is not linked: the CPU is asked here.
#include "runtime/cpu/VectorSort.h"
#include <algorithm>

#ifndef NPCC_HAS_HIGHWAY
namespace npcc::rt {
const VectorSort *vectorSort() { return nullptr; }
} // namespace npcc::rt
#else

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/VectorSort.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {
namespace {

#if VQSORT_ENABLED
template <typename T>
void sortNumbers(T *numbers, int64_t count) {
  using Traits = detail::SharedTraits<detail::TraitsLane<detail::OrderAscending<T>>>;
  HWY_ALIGN T room[SortConstants::BufBytes<T>(HWY_MAX_BYTES) / sizeof(T)];
  Sort(SortTag<T>(), Traits(), numbers, static_cast<size_t>(count), room);
}

void sortPairs(npcc::rt::Wide *numbers, int64_t count) {
  using Traits = detail::SharedTraits<detail::Traits128<detail::OrderAscending128>>;
  HWY_ALIGN uint64_t room[SortConstants::BufBytes<uint64_t>(HWY_MAX_BYTES) / sizeof(uint64_t)];
  Sort(SortTag<uint64_t>(), Traits(), reinterpret_cast<uint64_t *>(numbers), static_cast<size_t>(2 * count), room);
}

/// As vqsort's own recursion, but only into parts that hold one of the places: the elements of these are where sorting would bring them, lesser
/// ones before and greater ones behind. Places and `offset`, where the keys begin, count lanes.
template <class D, class Traits, typename T>
void selectIn(D d, Traits st, T *keys, size_t count, T *room, detail::Generator &random, size_t levels, const int64_t *places, const int64_t *end,
              int64_t offset) {
  places = std::lower_bound(places, end, offset);
  end = std::lower_bound(places, end, offset + static_cast<int64_t>(count));
  if (places == end)
    return;
  if (count <= SortConstants::BaseCaseNum(Lanes(d)))
    return detail::BaseCase(d, st, keys, keys + count, count, room);
  detail::DrawSamples(d, st, keys, count, room, random);
  Vec<D> pivot;
  detail::PivotResult result = detail::PivotResult::kNormal;
  if (detail::UnsortedSampleEqual(d, st, room)) {
    pivot = st.SetKey(d, room);
    size_t second = 0;
    if (detail::AllEqual(d, st, pivot, keys, count, &second))
      return;
    const Vec<D> other = st.SetKey(d, keys + second);
    Vec<D> third;
    if (!st.IsKV() && detail::PartitionIfTwoKeys(d, st, pivot, keys, count, second, other, third, room))
      return; // each side holds equal keys
    pivot = detail::ChoosePivotForEqualSamples(d, st, keys, count, room, other, third, result);
  } else {
    detail::SortSamples(d, st, room);
    if (!st.IsKV() && detail::PartitionIfTwoSamples(d, st, keys, count, room))
      return;
    pivot = detail::ChoosePivotByRank(d, st, room);
  }
  if (levels == 0)
    return detail::HeapSort(st, keys, count);
  size_t bound = detail::Partition(d, st, keys, count, pivot, room);
  if (result != detail::PivotResult::kIsFirst)
    selectIn(d, st, keys, bound, room, random, levels - 1, places, end, offset);
  if (result != detail::PivotResult::kWasLast)
    selectIn(d, st, keys + bound, count - bound, room, random, levels - 1, places, end, offset + static_cast<int64_t>(bound));
}

template <class Traits, typename T>
void selectKeys(T *keys, size_t count, const int64_t *places, const int64_t *end) {
  SortTag<T> d;
  HWY_ALIGN T room[SortConstants::BufNum<T>(HWY_LANES(T))] = {};
  if (count < 2 || detail::HandleSpecialCases(d, Traits(), keys, count))
    return;
  detail::Generator random(keys, count);
  selectIn(d, Traits(), keys, count, room, random, 2 * hwy::CeilLog2(count) + 4, places, end, 0);
}

template <typename T>
void selectNumbers(T *numbers, int64_t count, const std::vector<int64_t> &places) {
  using Traits = detail::SharedTraits<detail::TraitsLane<detail::OrderAscending<T>>>;
  selectKeys<Traits>(numbers, static_cast<size_t>(count), places.data(), places.data() + places.size());
}

void selectPairs(npcc::rt::Wide *numbers, int64_t count, const std::vector<int64_t> &places) {
  using Traits = detail::SharedTraits<detail::Traits128<detail::OrderAscending128>>;
  std::vector<int64_t> lanes(places);
  for (int64_t &place : lanes)
    place *= 2;
  selectKeys<Traits>(reinterpret_cast<uint64_t *>(numbers), static_cast<size_t>(2 * count), lanes.data(), lanes.data() + lanes.size());
}

constexpr npcc::rt::VectorSort sorts = {sortNumbers<uint16_t>,   sortNumbers<int16_t>,   sortNumbers<uint32_t>,   sortNumbers<int32_t>,
                                        sortNumbers<uint64_t>,   sortNumbers<int64_t>,   sortPairs,               selectNumbers<uint32_t>,
                                        selectNumbers<int32_t>,  selectNumbers<uint64_t>, selectNumbers<int64_t>, selectPairs};
const npcc::rt::VectorSort *found() { return &sorts; }
#else
const npcc::rt::VectorSort *found() { return nullptr; }
#endif

} // namespace
// Named from the namespaces of the other targets.
const npcc::rt::VectorSort *sortsOfTarget() { return found(); }
} // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
// Where the pivots are looked for need not be hard to guess: the numbers are made of the count.
void hwy::Sorter::Fill24Bytes(const void *, size_t count, void *bytes) {
  auto *words = static_cast<uint64_t *>(bytes);
  uint64_t state = count;
  for (int k = 0; k < 3; ++k) {
    state += 0x9e3779b97f4a7c15;
    uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    words[k] = mixed ^ (mixed >> 31);
  }
}

namespace npcc::rt {

static const VectorSort *chosen() {
#if HWY_ARCH_X86
  bool has2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
              __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("aes") &&
              __builtin_cpu_supports("pclmul");
  bool has3 = has2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const VectorSort *sorts2 = has2 ? hwy::N_AVX2::sortsOfTarget() : nullptr;
  if (!has3 || !sorts2)
    return sorts2;
  const VectorSort *sorts3 = hwy::N_AVX3::sortsOfTarget();
  if (!sorts3 || !__builtin_cpu_is("amd"))
    return sorts3;
  // AMD's processors take a hundred cycles to write selected 32-bit lanes of a vector of 512 bits to memory: AVX2's sort is six times as fast.
  static VectorSort mixed = *sorts3;
  mixed.sort32 = sorts2->sort32;
  mixed.sortSigned32 = sorts2->sortSigned32;
  mixed.select32 = sorts2->select32;
  mixed.selectSigned32 = sorts2->selectSigned32;
  return &mixed;
#else
  return hwy::HWY_NAMESPACE::sortsOfTarget();
#endif
}

const VectorSort *vectorSort() {
  static const VectorSort *const sorts = chosen();
  return sorts;
}

} // namespace npcc::rt
#endif
#endif

// Arrays that the runtime keeps under numbers until the call's results are read.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/kept.h"

namespace {

int64_t number;

npcc_array ofType(int32_t dtype, int32_t rank) {
  npcc_array array{};
  array.dtype = dtype;
  array.rank = rank;
  return array;
}

/// Keeps a view of the argument: all but its first element.
void keepArgument(void **slots) {
  Memref<1> &given = memref<1>(slots, 0);
  npcc_array view = describe(given.allocated, given.aligned + sizeof(double), NPCC_FLOAT64, NPCC_CPU,
                             {given.sizes[0] - 1}, {given.strides[0]});
  number = npcc_rt_keep(&view);
}

void keepAndFail(void **slots) {
  keepArgument(slots);
  npcc_rt_fail(NPCC_VALUE_ERROR, "behind it", nullptr, 0);
}

/// Makes an array, and looks for it as what it is, as another type, and under a number that there is not.
void keepNew(void **) {
  void *base = npcc_rt_alloc(6 * sizeof(double));
  npcc_array made = describe(base, base, NPCC_FLOAT64, NPCC_CPU, {2, 3}, {3, 1});
  number = npcc_rt_keep(&made);
  npcc_rt_release(base);
  npcc_array again = ofType(NPCC_FLOAT64, 2);
  npcc_rt_kept(number, &again);
  CHECK(again.base == base && again.data == base);
  CHECK(again.shape[0] == 2 && again.shape[1] == 3 && again.strides[0] == 3);
  npcc_rt_release(again.base);
  for (npcc_array other : {ofType(NPCC_FLOAT64, 1), ofType(NPCC_INT64, 2)}) {
    npcc_rt_kept(number, &other);
    CHECK(other.base != base && other.shape[0] == 0);
    npcc_rt_release(other.base);
  }
  npcc_array none = ofType(NPCC_FLOAT64, 2);
  npcc_rt_kept(number + 1, &none);
  CHECK(none.shape[0] == 0 && none.shape[1] == 0);
  npcc_rt_release(none.base);
}

} // namespace

TEST(keptArraysLiveUntilTheCallerLetsGo) {
  OwnedArray owned(NPCC_CPU, NPCC_FLOAT64, {5});
  fill<double>(owned.array, {0, 1, 2, 3, 4});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CPU, keepArgument);
  npcc_rt_hold();
  CHECK_OK(function.call(NPCC_CPU, {value(owned.array)}));
  CHECK_EQ(npcc_rt_refcount(owned.array.base), 2);
  npcc_array taken;
  CHECK_OK(npcc_rt_take_kept(number, 1, &taken));
  CHECK(fetch<double>(taken) == (std::vector<double>{1, 2, 3, 4}));
  npcc_rt_release(taken.base);
  // A call inside of this one has its own.
  npcc_rt_hold();
  CHECK_EQ(npcc_rt_take_kept(number, 1, &taken).error, NPCC_INDEX_ERROR);
  npcc_rt_let_go();
  CHECK_EQ(npcc_rt_refcount(owned.array.base), 2);
  npcc_rt_let_go();
  CHECK_EQ(npcc_rt_refcount(owned.array.base), 1);
}

TEST(keptArraysOfAnotherTypeAreEmpty) {
  int64_t before = counters().live_buffers;
  TestFunction function({}, {});
  function.variant(NPCC_TARGET_CPU, keepNew);
  npcc_rt_hold();
  CHECK_OK(function.call(NPCC_CPU, {}));
  CHECK_EQ(counters().live_buffers, before + 1);
  npcc_rt_let_go();
  CHECK_EQ(counters().live_buffers, before);
}

TEST(keptArraysEndWithAFailure) {
  OwnedArray owned(NPCC_CPU, NPCC_FLOAT64, {5});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CPU, keepAndFail);
  npcc_rt_hold();
  CHECK_EQ(function.call(NPCC_CPU, {value(owned.array)}).error, NPCC_VALUE_ERROR);
  CHECK_EQ(npcc_rt_refcount(owned.array.base), 1);
  npcc_array taken;
  CHECK_EQ(npcc_rt_take_kept(number, 1, &taken).error, NPCC_INDEX_ERROR);
  npcc_rt_let_go();
  CHECK_EQ(npcc_rt_refcount(owned.array.base), 1);
}

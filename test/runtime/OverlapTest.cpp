// Large copies between host and device, and calls whose copies go on after them.
#include "Fixture.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/host_memory.h"
#include <algorithm>
#include <cmath>
#include <thread>

static npcc_array rows(std::vector<double> &data, int64_t first, int64_t count, int64_t columns) {
  double *at = data.data() + first * columns;
  return describe(at, at, NPCC_FLOAT64, NPCC_CPU, {count, columns}, {columns, 1});
}
static npcc_array elements(std::vector<double> &data, int64_t first, int64_t count) {
  return describe(data.data() + first, data.data() + first, NPCC_FLOAT64, NPCC_CPU, {count}, {1});
}

static TestFunction scaleFunction(int32_t device) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), scalarParam(NPCC_FLOAT64)}, {});
  function.variant(targetOf(device), scaleEntry.of(device));
  return function;
}

/// Page-locked memory of the host.
struct Locked {
  int32_t device;
  void *memory;
  Locked(int32_t device, std::vector<double> &data) : device(device), memory(data.data()) {
    if (isCuda(device))
      CHECK_OK(npcc_rt_host_register(device, memory, static_cast<int64_t>(data.size() * 8), 1));
  }
  ~Locked() {
    if (isCuda(device))
      CHECK_OK(npcc_rt_host_unregister(device, memory));
  }
};

static constexpr int64_t large = 3 * (1 << 20) / 8 + 12345; // no whole number of pieces

DEVICE_TEST(largeCopiesGoInPieces) {
  std::vector<double> values = iota<double>(large, 1);
  npcc_counters before = counters();
  OwnedArray array(device, NPCC_FLOAT64, {large});
  fill(array.array, values);
  CHECK(fetch<double>(array.array) == values);
  npcc_counters after = counters();
  CHECK_EQ(after.bytes_host_to_device - before.bytes_host_to_device, isCuda(device) ? large * 8 : 0);
  CHECK_EQ(after.bytes_device_to_host - before.bytes_device_to_host, isCuda(device) ? large * 8 : 0);
}

DEVICE_TEST(largeCopiesOfPageLockedMemory) {
  std::vector<double> values = iota<double>(large, 1), back(large);
  Locked locked(device, values), lockedBack(device, back);
  OwnedArray array(device, NPCC_FLOAT64, {large});
  npcc_array from = elements(values, 0, large), to = elements(back, 0, large);
  CHECK_OK(npcc_rt_copy(&array.array, &from));
  CHECK_OK(npcc_rt_copy(&to, &array.array));
  CHECK(back == values);
}

DEVICE_TEST(threadsCopyAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<int> good(4);
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      std::vector<double> values = iota<double>(large, k);
      OwnedArray array(device, NPCC_FLOAT64, {large});
      for (int turn = 0; turn < 3; ++turn) {
        fill(array.array, values);
        good[k] += fetch<double>(array.array) == values;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int count : good)
    CHECK_EQ(count, 3);
}

DEVICE_TEST(largeArgumentsComeAndGo) {
  TestFunction function = scaleFunction(device);
  std::vector<double> data = iota<double>(large);
  npcc_counters before = counters();
  for (int turn = 0; turn < 5; ++turn)
    CHECK_OK(function.call(device, {value(*std::make_unique<npcc_array>(rows(data, 0, 1, large))), value(2.0)}));
  npcc_counters after = counters();
  bool right = true;
  for (int64_t k = 0; k < large; ++k)
    right = right && data[k] == 32 * double(k) + 31;
  CHECK(right);
  if (isCuda(device)) {
    CHECK_EQ(after.bytes_host_to_device - before.bytes_host_to_device, 5 * large * 8);
    CHECK_EQ(after.bytes_device_to_host - before.bytes_device_to_host, 5 * large * 8);
  }
  CHECK_EQ(after.live_buffers, before.live_buffers); // what is kept for later calls is nobody's
}

/// A loop over batches that are written in place; each row by one call, then again by another.
static void scaleInBatches(int32_t device, std::vector<double> &data, int64_t batches, int64_t columns) {
  TestFunction function = scaleFunction(device);
  std::vector<npcc_array> views;
  for (int64_t k = 0; k < batches; ++k)
    views.push_back(rows(data, k, 1, columns));
  npcc_rt_begin_overlap();
  CHECK(npcc_rt_is_overlapping());
  for (int turn = 0; turn < 2; ++turn)
    for (npcc_array &view : views)
      CHECK_OK(function.call(device, {value(view), value(3.0)}));
  CHECK_OK(npcc_rt_end_overlap());
  CHECK(!npcc_rt_is_overlapping());
  bool right = true;
  for (int64_t k = 0; k < batches * columns; ++k)
    right = right && data[k] == 9 * double(k) + 4;
  CHECK(right);
}

DEVICE_TEST(overlappedCallsWriteTheirArrays) {
  for (int64_t columns : {int64_t(1), int64_t(1000), int64_t(150000), large}) {
    std::vector<double> data = iota<double>(7 * columns);
    scaleInBatches(device, data, 7, columns);
  }
}

DEVICE_TEST(overlappedCallsWritePageLockedArrays) {
  std::vector<double> data = iota<double>(7 * large);
  Locked locked(device, data);
  scaleInBatches(device, data, 7, large);
}

DEVICE_TEST(aCallWaitsForWhatAnEarlierOneWrites) {
  TestFunction function = scaleFunction(device);
  std::vector<double> data(large, 1);
  npcc_array view = rows(data, 0, 1, large), part = rows(data, 0, 1, 10);
  npcc_rt_begin_overlap();
  for (int turn = 0; turn < 6; ++turn)
    CHECK_OK(function.call(device, {value(turn % 2 ? part : view), value(2.0)}));
  OwnedArray copy(NPCC_CPU, NPCC_FLOAT64, {1, large});
  CHECK_OK(npcc_rt_copy(&copy.array, &view)); // so does a copy
  CHECK_OK(npcc_rt_end_overlap());
  std::vector<double> seen = fetch<double>(copy.array);
  CHECK_EQ(seen[0], 127.0); // six times
  CHECK_EQ(seen[large - 1], 15.0);
  CHECK(seen == data);
}

DEVICE_TEST(overlappedCallsGiveNewArrays) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 1)}, {arrayParam(NPCC_FLOAT64, 1)});
  function.variant(targetOf(device), addEntry.of(device));
  constexpr int calls = 9;
  std::vector<double> a = iota<double>(large);
  std::vector<npcc_array> sums(calls);
  int64_t live = counters().live_buffers;
  npcc_rt_begin_overlap();
  for (int k = 0; k < calls; ++k) {
    std::vector<double> b(large, k); // it is gone when the call has returned
    npcc_array left = elements(a, 0, large), right = elements(b, 0, large);
    std::vector<npcc_value> results{value(sums[k])};
    CHECK_OK(function.call(device, {value(left), value(right)}, results));
  }
  CHECK_OK(npcc_rt_end_overlap());
  for (int k = 0; k < calls; ++k) {
    std::vector<double> seen = fetch<double>(sums[k]);
    CHECK_EQ(sums[k].device, NPCC_CPU);
    CHECK_EQ(seen[0], double(k));
    CHECK_EQ(seen[large - 1], double(large - 1 + k));
    npcc_rt_release(sums[k].base);
  }
  CHECK_EQ(counters().live_buffers, live);
}

DEVICE_TEST(keptMemoryIsGivenBack) {
  TestFunction function = scaleFunction(device);
  std::vector<double> data(large, 1);
  npcc_array view = rows(data, 0, 1, large);
  npcc_rt_trim();
  int64_t cached = counters().bytes_cached;
  CHECK_OK(function.call(device, {value(view), value(2.0)}));
  npcc_rt_trim();
  CHECK_EQ(counters().bytes_cached, cached);
}

DEVICE_TEST(overlapsNest) {
  std::vector<double> data(1, 1);
  npcc_array view = rows(data, 0, 1, 1);
  TestFunction function = scaleFunction(device);
  npcc_rt_begin_overlap();
  npcc_rt_begin_overlap();
  CHECK_OK(function.call(device, {value(view), value(2.0)}));
  CHECK_OK(npcc_rt_end_overlap());
  CHECK(npcc_rt_is_overlapping());
  CHECK_OK(function.call(device, {value(view), value(2.0)}));
  CHECK_OK(npcc_rt_end_overlap());
  CHECK_EQ(data[0], 7.0);
  CHECK_OK(npcc_rt_end_overlap()); // one too many is no error
}

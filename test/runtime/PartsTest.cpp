// Arguments that come part by part, and leave so while the function runs.
#include "Fixture.h"
#include "runtime/abi/calls.h"
#include <algorithm>

namespace {

constexpr int64_t rowCount = 7, columnCount = 3 * (1 << 20) / 8 + 777,
                  rowBytes = columnCount * 8; // no whole number of pieces

int64_t leftBefore = 0; // bytes that are on their way to the host when the function ends

/// The rows of the first argument times the third, each when its part is there; `turns` times.
void scaleRow(void **slots, int64_t row) {
  auto &x = memref<2>(slots, 0);
  double *data = x.at<double>() + row * columnCount;
  auto address = reinterpret_cast<int64_t>(x.at<double>());
  npcc_rt_await(address, row * rowBytes, (row + 1) * rowBytes);
  npcc_rt_written(address, row * rowBytes, (row + 1) * rowBytes);
  int64_t one = 1, stride = columnCount, unit = 1;
  double *factor = static_cast<double *>(slots[1]);
  void *params[] = {&data, &one, const_cast<int64_t *>(&columnCount), &stride, &unit, factor};
  npcc_rt_launch(&scaleKernel, (columnCount + 127) / 128, 1, 1, 128, 1, 1, 0, 0, params);
}

template <int turns, int64_t step> void scaleRows(void **slots) {
  int64_t before = counters().bytes_device_to_host;
  for (int turn = 0; turn < turns; ++turn)
    for (int64_t row = step > 0 ? 0 : rowCount - 1; row >= 0 && row < rowCount; row += step)
      scaleRow(slots, row);
  leftBefore = counters().bytes_device_to_host - before;
}

/// Each row, where the function says nothing about it before it has launched everything.
void scaleAllAtOnce(void **slots) {
  auto &x = memref<2>(slots, 0);
  auto address = reinterpret_cast<int64_t>(x.at<double>());
  npcc_rt_await(address, 0, -1);
  for (int64_t row = 0; row < rowCount; ++row) {
    npcc_rt_written(address, 0, -1);
    double *data = x.at<double>() + row * columnCount;
    int64_t one = 1, stride = columnCount, unit = 1;
    void *params[] = {&data, &one, const_cast<int64_t *>(&columnCount), &stride, &unit, slots[1]};
    npcc_rt_launch(&scaleKernel, (columnCount + 127) / 128, 1, 1, 128, 1, 1, 0, 0, params);
  }
}

struct Run {
  int64_t toDevice, toHost; // bytes
  bool isRight;
};

Run run(int32_t device, npcc_entry entry, double factor, bool overlaps = false) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), scalarParam(NPCC_FLOAT64)}, {});
  function.variant(NPCC_TARGET_CUDA, entry, 0, {}, NPCC_VARIANT_AWAITS);
  std::vector<double> data = iota<double>(rowCount * columnCount, 1);
  npcc_array array =
      describe(data.data(), data.data(), NPCC_FLOAT64, NPCC_CPU, {rowCount, columnCount}, {columnCount, 1});
  npcc_counters before = counters();
  if (overlaps)
    npcc_rt_begin_overlap();
  CHECK_OK(function.call(device, {value(array), value(2.0)}));
  if (overlaps)
    CHECK_OK(npcc_rt_end_overlap());
  npcc_counters after = counters();
  Run result{after.bytes_host_to_device - before.bytes_host_to_device,
             after.bytes_device_to_host - before.bytes_device_to_host, true};
  // The kernel computes x * factor + (factor - 1).
  for (int64_t k = 0; k < rowCount * columnCount; ++k)
    result.isRight = result.isRight && data[k] == factor * double(k + 1) + (factor - 1);
  CHECK_EQ(after.live_buffers, before.live_buffers);
  return result;
}

constexpr int64_t allBytes = rowCount * rowBytes;

} // namespace

DEVICE_TEST(partsLeaveWhenTheLoopIsElsewhere) {
  if (!isCuda(device))
    return;
  for (bool overlaps : {false, true})
    for (npcc_entry entry : {scaleRows<1, 1>, scaleRows<1, -1>}) {
      Run one = run(device, entry, 2, overlaps);
      CHECK(one.isRight);
      CHECK_EQ(one.toDevice, allBytes);
      CHECK_EQ(one.toHost, allBytes);                  // each byte once
      CHECK_EQ(leftBefore, (rowCount - 1) * rowBytes); // all rows but the last one
    }
}

DEVICE_TEST(partsThatAreWrittenAgainLeaveAgain) {
  if (!isCuda(device))
    return;
  for (bool overlaps : {false, true}) {
    Run one = run(device, scaleRows<3, 1>, 8, overlaps);
    CHECK(one.isRight);
    CHECK_EQ(leftBefore, (rowCount - 1) * rowBytes); // in the first turn alone
    CHECK_EQ(one.toHost, allBytes + leftBefore);
  }
}

DEVICE_TEST(whatMayBeWrittenAnywhereLeavesAtTheEnd) {
  if (!isCuda(device))
    return;
  Run one = run(device, scaleAllAtOnce, 2);
  CHECK(one.isRight);
  CHECK_EQ(one.toHost, allBytes);
}

DEVICE_TEST(functionsThatSayNothingWaitForTheirArguments) {
  if (!isCuda(device))
    return;
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), scalarParam(NPCC_FLOAT64)}, {});
  function.variant(NPCC_TARGET_CUDA, scaleEntry.of(device));
  std::vector<double> data = iota<double>(rowCount * columnCount, 1);
  npcc_array array =
      describe(data.data(), data.data(), NPCC_FLOAT64, NPCC_CPU, {rowCount, columnCount}, {columnCount, 1});
  CHECK_OK(function.call(device, {value(array), value(2.0)}));
  bool isRight = true;
  for (int64_t k = 0; k < rowCount * columnCount; ++k)
    isRight = isRight && data[k] == 2 * double(k + 1) + 1;
  CHECK(isRight);
}

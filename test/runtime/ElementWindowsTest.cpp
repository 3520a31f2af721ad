// Elements that the host reads one after the other come in windows.
#include "Fixture.h"
#include "runtime/abi/frame.h"

namespace {
constexpr int64_t length = 20000; // several windows

int64_t readBytes() {
  npcc_counters now;
  npcc_rt_counters(&now);
  return now.bytes_device_to_host;
}

double at(const double *element) {
  double value = 0;
  npcc_rt_read(&value, element, 8);
  return value;
}

int64_t bytesOfAll, wrong;
/// Reads all elements in order.
void readAll(void **slots) {
  const double *from = memref<1>(slots, 0).at<double>();
  int64_t before = readBytes();
  for (int64_t i = 0; i < length; ++i)
    wrong += at(from + i) != double(i);
  bytesOfAll = readBytes() - before;
}

/// Reads elements between launches and writes that change them.
void readChanging(void **slots) {
  auto &a = memref<1>(slots, 0);
  double *x = a.at<double>();
  for (int64_t round = 0; round < 4; ++round) {
    for (int64_t i = 0; i < 10; ++i)
      wrong += at(x + i) != double(i + 2 * round);
    // By a kernel: to[i] = from[i] + 1.
    int64_t one = 1, n = length;
    double *to = static_cast<double *>(npcc_rt_alloc(n * 8));
    void *there[] = {&x, &one, &to, &one, &n}, *back[] = {&to, &one, &x, &one, &n};
    npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, there);
    npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, back);
    npcc_rt_release(to);
    for (int64_t i = 0; i < 10; ++i)
      wrong += at(x + i) != double(i + 2 * round + 2);
    // By the host.
    double there7 = at(x + 7), other = -1;
    npcc_rt_write(x + 7, &other, 8);
    wrong += at(x + 7) != -1 || at(x + 6) != double(6 + 2 * round + 2);
    npcc_rt_write(x + 7, &there7, 8);
    wrong += at(x + 7) != there7;
  }
}
int64_t sentBytes() {
  npcc_counters now;
  npcc_rt_counters(&now);
  return now.bytes_host_to_device;
}

int64_t sent;
/// Writes all elements in order, every second one once more.
void writeAll(void **slots) {
  double *to = memref<1>(slots, 0).at<double>();
  int64_t before = sentBytes();
  for (int64_t i = 0; i < length; ++i) {
    double value = double(2 * i), other = at(to + i / 2) + 1;
    npcc_rt_write(to + i, &value, 8);
    if (i % 2)
      npcc_rt_write(to + i - 1, &other, 8);
  }
  int64_t one = 1, n = length;
  double *next = static_cast<double *>(npcc_rt_alloc(n * 8));
  void *there[] = {&to, &one, &next, &one, &n};
  npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, there);
  wrong += at(next + 5) != 11 || at(next + length - 1) != double(2 * length - 1);
  npcc_rt_release(next);
  sent = sentBytes() - before;
}

/// Writes here and there, and fails.
void writeAndFail(void **slots) {
  double *to = memref<1>(slots, 0).at<double>();
  for (int64_t i = 0; i < length; i += 7) {
    double value = -at(to + i);
    npcc_rt_write(to + i, &value, 8);
  }
  npcc_rt_fail(NPCC_VALUE_ERROR, "enough", "test.py", 1);
}
} // namespace

DEVICE_TEST(elementsComeInWindows) {
  if (!isCuda(device))
    return;
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 0)}, {});
  function.variant(NPCC_TARGET_CUDA, readAll);
  OwnedArray array(device, NPCC_FLOAT64, {length});
  fill(array.array, iota<double>(length));
  wrong = 0;
  CHECK_OK(function.call(device, {value(array.array)}, 1, 1));
  CHECK(wrong == 0);
  // The first element alone, and then windows of up to 64 KiB, of which each begins where its size says.
  CHECK(bytesOfAll >= length * 8);
  CHECK(bytesOfAll <= 2 * length * 8);
}

DEVICE_TEST(windowsEndWithWhatChangesElements) {
  if (!isCuda(device))
    return;
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, readChanging);
  OwnedArray array(device, NPCC_FLOAT64, {length});
  for (int call = 0; call < 3; ++call) { // the caller's own writes between calls are seen
    fill(array.array, iota<double>(length));
    wrong = 0;
    CHECK_OK(function.call(device, {value(array.array)}, 1, 1));
    CHECK(wrong == 0);
  }
}

DEVICE_TEST(writtenElementsLeaveInRanges) {
  if (!isCuda(device))
    return;
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, writeAll);
  OwnedArray array(device, NPCC_FLOAT64, {length});
  fill(array.array, iota<double>(length));
  wrong = 0;
  CHECK_OK(function.call(device, {value(array.array)}, 1, 1));
  CHECK(wrong == 0);
  CHECK(sent >= length * 8);
  CHECK(sent <= 3 * length * 8);
  std::vector<double> end = fetch<double>(array.array), expected = iota<double>(length);
  for (int64_t i = 0; i < length; ++i) {
    double other = expected[size_t(i / 2)] + 1;
    expected[size_t(i)] = double(2 * i);
    if (i % 2)
      expected[size_t(i - 1)] = other;
  }
  CHECK(end == expected);
}

DEVICE_TEST(whatWasWrittenBeforeAnErrorIsThere) {
  if (!isCuda(device))
    return;
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, writeAndFail);
  OwnedArray array(device, NPCC_FLOAT64, {length});
  fill(array.array, iota<double>(length));
  CHECK(function.call(device, {value(array.array)}, 1, 1).error == NPCC_VALUE_ERROR);
  std::vector<double> end = fetch<double>(array.array);
  bool isRight = true;
  for (int64_t i = 0; i < length; ++i)
    isRight &= end[size_t(i)] == (i % 7 ? double(i) : -double(i));
  CHECK(isRight);
}

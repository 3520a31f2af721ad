// Launches that are marked as independent of each other.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/streams.h"
#include "runtime/abi/trace.h"
#include <set>

namespace {
enum { First = 4, Beside = 8 };
constexpr int arrays = 5;
constexpr int64_t length = 300;

int64_t blocks, rounds;
bool firstIsEmpty;

/// to[i] = from[i] + 1, as often as there are blocks; the result is the same.
void increase(double *from, double *to, int32_t flags, int64_t grid) {
  int64_t one = 1, n = length;
  void *params[] = {&from, &one, &to, &one, &n};
  npcc_rt_launch(&sequentialKernel, grid, 1, 1, 1, 1, 1, 0, flags, params);
}

/// slots: rows of two matrices of one row for each array. Rows go from one to the other and back; then the first takes
/// the sum of rows 0 and 1 in row 2.
void increaseAll(void **slots) {
  auto &a = memref<2>(slots, 0), &b = memref<2>(slots, 1);
  double *from = a.at<double>(), *to = b.at<double>();
  for (int64_t round = 0; round < 2 * rounds; ++round, std::swap(from, to)) {
    void *before = npcc_rt_alloc(length * 8);
    if (firstIsEmpty)
      increase(from, to, First, 0);
    for (int k = 0; k < arrays; ++k)
      increase(from + k * length, to + k * length, k || firstIsEmpty ? Beside : First, blocks);
    npcc_rt_release(before);
    // Memory that is reused, and what comes after all of them.
    double *sum = static_cast<double *>(npcc_rt_alloc(length * 8)), *left = to, *right = to + length;
    int64_t one = 1, n = length;
    void *params[] = {&left, &one, &right, &one, &sum, &n};
    npcc_rt_launch(&addKernel, (n + 127) / 128, 1, 1, 128, 1, 1, 0, 0, params);
    if (round + 1 == 2 * rounds)
      increase(sum, to + 2 * length, 0, 1);
    npcc_rt_release(sum);
  }
}

std::set<int64_t> tracks;
void noteTrack(const npcc_trace_event *event, void *) {
  if (event->kind == NPCC_TRACE_KERNEL)
    tracks.insert(event->track);
}

void checkRounds(int32_t device) {
  OwnedArray a(device, NPCC_FLOAT64, {arrays, length}), b(device, NPCC_FLOAT64, {arrays, length});
  std::vector<double> start = iota<double>(arrays * length);
  fill(a.array, start);
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), arrayParam(NPCC_FLOAT64, 2, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, increaseAll);
  CHECK_OK(function.call(device, {value(a.array), value(b.array)}, 1, 1));
  std::vector<double> end = fetch<double>(a.array);
  bool right = true;
  for (int64_t k = 0; k < arrays * length; ++k) {
    double added = double(2 * rounds);
    double expected =
        k / length == 2 ? start[k % length] + start[length + k % length] + 2 * added + 1 : start[k] + added;
    right = right && end[k] == expected;
  }
  CHECK(right);
}
} // namespace

DEVICE_TEST(independentLaunchesRunBesideEachOther) {
  if (!isCuda(device))
    return;
  rounds = 6;
  for (bool empty : {false, true}) {
    firstIsEmpty = empty;
    // One block each; and more than the device has multiprocessors, which run one after the other.
    for (int64_t each : {int64_t(1), int64_t(10000)}) {
      blocks = each;
      checkRounds(device);
      tracks.clear();
      npcc_rt_trace_start();
      checkRounds(device);
      npcc_rt_trace_stop(noteTrack, nullptr);
      CHECK_EQ(tracks.size() > 1, each == 1);
    }
  }
}

DEVICE_TEST(independentLaunchesOnAStreamOfTheUsersStayThere) {
  if (!isCuda(device))
    return;
  rounds = 3;
  blocks = 1;
  firstIsEmpty = false;
  void *stream = nullptr;
  npcc_stream_use previous;
  CHECK_OK(npcc_rt_stream_new(device, 1, 0, &stream));
  CHECK_OK(npcc_rt_enter_stream(device, stream, &previous));
  tracks.clear();
  npcc_rt_trace_start();
  checkRounds(device);
  npcc_rt_leave_stream(&previous);
  npcc_rt_trace_stop(noteTrack, nullptr);
  CHECK_EQ(tracks.size(), size_t(1));
  checkRounds(device);
  CHECK_OK(npcc_rt_stream_destroy(device, stream));
}

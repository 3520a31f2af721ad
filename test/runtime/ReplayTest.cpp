// Calls that launch the same again, as graphs.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include <memory>
#include <thread>

namespace {
constexpr int64_t length = 100;
int64_t steps;
bool looks; // at an element on the host, half the way

/// a += 2 * count, by as many launches.
void increaseBy(void **slots, int64_t count) {
  auto &a = memref<1>(slots, 0);
  for (int64_t step = 0; step < count; ++step) {
    int64_t one = 1, n = a.sizes[0];
    double *from = a.at<double>(), *to = static_cast<double *>(npcc_rt_alloc(n * 8));
    void *there[] = {&from, &one, &to, &one, &n}, *back[] = {&to, &one, &from, &one, &n};
    npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, there);
    npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, back);
    npcc_rt_release(to);
    double seen = 0;
    if (looks && step == count / 2)
      npcc_rt_read(&seen, from, 8);
  }
}
void increase(void **slots) { increaseBy(slots, steps); }
void increaseOnce(void **slots) { increaseBy(slots, 1); }

struct Counts {
  int64_t launches, replays;
};
Counts counts() {
  npcc_counters now;
  npcc_rt_counters(&now);
  return {now.launches, now.replays};
}

/// How many graphs were launched in so many calls with each of the arrays in turn, without waiting in between.
int64_t callInTurn(int32_t device, int arrays, int calls) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, increase);
  std::vector<std::unique_ptr<OwnedArray>> all;
  for (int k = 0; k < arrays; ++k) {
    all.push_back(std::make_unique<OwnedArray>(device, NPCC_FLOAT64, std::vector<int64_t>{length}));
    fill(all.back()->array, iota<double>(length));
  }
  Counts before = counts();
  for (int call = 0; call < calls; ++call)
    for (auto &one : all)
      CHECK_OK(function.call(device, {value(one->array)}, 1, 1));
  Counts after = counts();
  CHECK(after.launches - before.launches == 2 * steps * calls * arrays);
  for (auto &one : all) {
    std::vector<double> end = fetch<double>(one->array), expected = iota<double>(length);
    for (double &x : expected)
      x += double(2 * steps * calls);
    CHECK(end == expected);
  }
  return after.replays - before.replays;
}
} // namespace

DEVICE_TEST(launchesThatComeAgainAreOneGraph) {
  if (!isCuda(device))
    return;
  looks = false;
  // The fourth time they are a graph.
  steps = 4;
  CHECK(callInTurn(device, 1, 6) == 3);
  steps = 3;
  CHECK(callInTurn(device, 3, 6) == 3 * 3);
  // What the host waits for ends a graph; the other half is one of its own.
  looks = true;
  steps = 4;
  CHECK(callInTurn(device, 1, 6) == 3); // six launches and, behind the look, two, which are no graph
}

DEVICE_TEST(iterationsThatComeAgainAreOneGraph) {
  if (!isCuda(device))
    return;
  looks = false;
  steps = 100; // 25 times eight launches
  OwnedArray other(device, NPCC_FLOAT64, {length}); // so that the array is where none was before
  CHECK(callInTurn(device, 1, 1) == 22);
}

DEVICE_TEST(fewLaunchesAreNoGraph) {
  if (!isCuda(device))
    return;
  looks = false;
  steps = 1;
  CHECK(callInTurn(device, 1, 6) == 0);
}

/// One thread's launches become graphs while another one sends its own to the same stream: each of these is done once,
/// and is in no graph.
DEVICE_TEST(launchesOfAnotherThreadAreInNoGraph) {
  if (!isCuda(device))
    return;
  looks = false;
  steps = 4;
  constexpr int rounds = 30, calls = 8;
  auto isIncreased = [](const OwnedArray &array, double by) {
    return fetch<double>(array.array) == iota<double>(array.array.shape[0], by);
  };
  bool isOtherRight = true;
  std::thread other([&] {
    TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
    function.variant(NPCC_TARGET_CUDA, increaseOnce);
    for (int round = 0; round < rounds; ++round) {
      OwnedArray array(device, NPCC_FLOAT64, {length});
      fill(array.array, iota<double>(length));
      for (int call = 0; call < 2 * calls; ++call)
        isOtherRight &= function.call(device, {value(array.array)}, 1, 1).error == NPCC_OK;
      isOtherRight &= isIncreased(array, 2 * 2 * calls);
    }
  });
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, increase);
  int64_t before = counts().replays;
  // The length is a parameter of the launches, so that each round makes a graph of its own.
  for (int round = 0; round < rounds; ++round) {
    OwnedArray array(device, NPCC_FLOAT64, {length + round});
    fill(array.array, iota<double>(length + round));
    for (int call = 0; call < calls; ++call)
      CHECK_OK(function.call(device, {value(array.array)}, 1, 1));
    CHECK(isIncreased(array, double(2 * steps * calls)));
  }
  other.join();
  CHECK(isOtherRight);
  CHECK(counts().replays > before);
}

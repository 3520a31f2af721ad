// parallel_for: coverage, borders, failures, nesting, many callers, fork.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

struct Coverage {
  std::vector<std::atomic<int>> hits;
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> chunks;
  explicit Coverage(int64_t n) : hits(n) {}
};

void cover(int64_t lo, int64_t hi, void *context) {
  auto &coverage = *static_cast<Coverage *>(context);
  for (int64_t i = lo; i < hi; ++i)
    ++coverage.hits[i];
  std::lock_guard<std::mutex> lock(coverage.mutex);
  coverage.chunks.push_back({lo, hi});
}

void addUp(int64_t lo, int64_t hi, void *context) {
  auto &sum = *static_cast<std::atomic<int64_t> *>(context);
  int64_t part = 0;
  for (int64_t i = lo; i < hi; ++i)
    part += i;
  sum += part;
}

int64_t parallelSum(int64_t n) {
  std::atomic<int64_t> sum{0};
  npcc_rt_parallel_for(n, 100, addUp, &sum);
  return sum;
}

} // namespace

TEST(everyElementOnceAndBordersAtGrains) {
  for (int64_t n : {0, 1, 7, 8, 9, 63, 64, 1000, 8193, 100000})
    for (int64_t grain : {1, 8, 13, 1000, 8192}) {
      Coverage coverage(n);
      npcc_rt_parallel_for(n, grain, cover, &coverage);
      CHECK(std::all_of(coverage.hits.begin(), coverage.hits.end(), [](auto &hit) { return hit == 1; }));
      if (n > 0 && n <= grain)
        CHECK_EQ(coverage.chunks.size(), 1u);
      for (auto [lo, hi] : coverage.chunks) {
        CHECK_EQ(lo % grain, 0);
        CHECK(hi == n || hi % grain == 0);
      }
    }
}

static std::atomic<int> chunksRun;
static void failSome(int64_t lo, int64_t hi, void *) {
  ++chunksRun;
  npcc_rt_alloc(64); // the frame's, whichever thread runs this
  for (int64_t i = lo; i < hi; ++i)
    if (i % 1000 == 777)
      npcc_rt_fail_index(i, 0, 777, "loop.py", 2);
}
static void loopThatFails(void **) { npcc_rt_parallel_for(100000, 100, failSome, nullptr); }

TEST(theFirstFailureOfALoopFailsTheFrame) {
  int64_t live = counters().live_buffers;
  TestFunction function({}, {});
  function.variant(NPCC_TARGET_CPU, loopThatFails);
  for (int round = 0; round < 50; ++round)
    CHECK_ERROR(function.call(NPCC_CPU, {}), NPCC_INDEX_ERROR, "index 777 is out of bounds");
  CHECK_EQ(counters().live_buffers, live);
  CHECK(chunksRun > 0);
}

static void failInline(void **) {
  npcc_rt_parallel_for(900, 1000, failSome, nullptr);
  npcc_rt_fail(NPCC_RUNTIME_ERROR, "not reached", nullptr, 0);
}
TEST(failuresOfInlineLoopsFailTheFrame) {
  TestFunction function({}, {});
  CHECK_ERROR(function.variant(NPCC_TARGET_CPU, failInline).call(NPCC_CPU, {}), NPCC_INDEX_ERROR, "index 777");
}

static void nested(int64_t lo, int64_t hi, void *context) {
  for (int64_t i = lo; i < hi; ++i)
    npcc_rt_parallel_for(1000, 10, addUp, context);
}
static void failNested(int64_t, int64_t, void *) { npcc_rt_parallel_for(100000, 100, failSome, nullptr); }
static void nestedLoopThatFails(void **) { npcc_rt_parallel_for(64, 1, failNested, nullptr); }

TEST(loopsNest) {
  std::atomic<int64_t> sum{0};
  npcc_rt_parallel_for(64, 1, nested, &sum);
  CHECK_EQ(sum.load(), 64 * 499500);
  TestFunction function({}, {});
  CHECK_ERROR(function.variant(NPCC_TARGET_CPU, nestedLoopThatFails).call(NPCC_CPU, {}), NPCC_INDEX_ERROR, "index 777");
}

static void loopThatRetains(int64_t lo, int64_t hi, void *base) {
  for (int64_t i = lo; i < hi; ++i)
    npcc_rt_retain(base);
  if (hi > 9000)
    npcc_rt_fail(NPCC_RUNTIME_ERROR, "late", nullptr, 0);
}
static void retainInLoop(void **slots) { npcc_rt_parallel_for(10000, 10, loopThatRetains, memref<1>(slots, 0).allocated); }

TEST(referencesTakenByWorkersAreDroppedToo) {
  OwnedArray a(NPCC_CPU, NPCC_FLOAT64, {1});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CPU, retainInLoop);
  CHECK_ERROR(function.call(NPCC_CPU, {value(a.array)}), NPCC_RUNTIME_ERROR, "late");
  CHECK_EQ(npcc_rt_refcount(a.array.base), 1);
}

static void nothing(int64_t, int64_t, void *) {}
TEST(parallelLoopsCostLittle) {
  auto time = [](int64_t n) {
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < 200; ++k)
        npcc_rt_parallel_for(n, 1000, nothing, nullptr);
      std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
      best = std::min(best, time.count() / 200);
    }
    return best;
  };
  double inlined = time(1000), shared = time(16000);
  check::note(std::to_string(inlined) + " ns inline, " + std::to_string(shared) + " ns over the threads");
  CHECK(inlined < shared + 1000);
}

TEST(manyCallersAtOnce) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([] {
      TestFunction failing({}, {});
      failing.variant(NPCC_TARGET_CPU, loopThatFails);
      for (int round = 0; round < 200; ++round) {
        int64_t n = 1000 + round * 37;
        CHECK_EQ(parallelSum(n), n * (n - 1) / 2);
        if (round % 10 == 0)
          CHECK_ERROR(failing.call(NPCC_CPU, {}), NPCC_INDEX_ERROR, "index 777");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

#if defined(__SANITIZE_THREAD__)
static constexpr bool mayFork = false; // ThreadSanitizer ends a child that starts threads
#else
static constexpr bool mayFork = true;
#endif

/// The pool, the buffers and the pool's locks work in a child, also if other threads were using them.
TEST(forkedChildrenWork) {
  if (!mayFork)
    return check::skipped("fork under ThreadSanitizer");
  parallelSum(100000); // the parent's workers exist
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      void *base = nullptr;
      if (npcc_rt_buffer_new(NPCC_CPU, 200000, &base).error == NPCC_OK)
        npcc_rt_release(base);
      parallelSum(10000);
    }
  });
  for (int round = 0; round < 20; ++round) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20); // a deadlock must not hang the suite
      void *base = nullptr;
      bool good = parallelSum(1000000) == 499999500000 &&
                  npcc_rt_buffer_new(NPCC_CPU, 300000, &base).error == NPCC_OK;
      npcc_rt_release(base);
      if (npcc_rt_cuda_device_count() > 0)
        good = false; // contexts do not survive; with no GPU the count is 0 anyway
      _exit(good ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  stop = true;
  busy.join();
}

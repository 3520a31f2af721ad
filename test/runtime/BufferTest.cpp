// Buffers, the pool, and running out of memory.
#include "Fixture.h"
#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

DEVICE_TEST(buffersCountReferences) {
  int64_t live = counters().live_buffers, inUse = counters().bytes_in_use;
  void *base = nullptr;
  CHECK_OK(npcc_rt_buffer_new(device, 1000, &base));
  CHECK(base != nullptr);
  CHECK_EQ(reinterpret_cast<uintptr_t>(base) % (isCuda(device) ? 256 : 64), 0u);
  CHECK_EQ(npcc_rt_refcount(base), 1);
  npcc_rt_retain(base);
  CHECK_EQ(npcc_rt_refcount(base), 2);
  npcc_rt_release(base);
  CHECK_EQ(npcc_rt_refcount(base), 1);
  CHECK_EQ(counters().bytes_in_use - inUse, 1000);
  npcc_rt_release(base);
  CHECK_EQ(npcc_rt_refcount(base), 0);
  CHECK_EQ(counters().live_buffers, live);
  CHECK_EQ(counters().bytes_in_use, inUse);
}

TEST(unknownPointersAreLeftAlone) {
  int mine = 0;
  npcc_rt_retain(&mine);
  npcc_rt_release(&mine);
  npcc_rt_release(nullptr);
  CHECK_EQ(npcc_rt_refcount(&mine), 0);
  CHECK_EQ(npcc_rt_refcount(nullptr), 0);
}

DEVICE_TEST(zeroBytesGiveUniquePointers) {
  void *a = nullptr, *b = nullptr;
  CHECK_OK(npcc_rt_buffer_new(device, 0, &a));
  CHECK_OK(npcc_rt_buffer_new(device, 0, &b));
  CHECK(a && b && a != b);
  npcc_rt_release(a);
  npcc_rt_release(b);
}

TEST(negativeSizesAndUnknownDevicesAreErrors) {
  void *base = nullptr;
  CHECK_ERROR(npcc_rt_buffer_new(NPCC_CPU, -1, &base), NPCC_VALUE_ERROR, "negative dimensions");
  CHECK_ERROR(npcc_rt_buffer_new(-7, 1, &base), NPCC_VALUE_ERROR, "no device -7");
  int32_t count = npcc_rt_cuda_device_count();
  npcc_status status = npcc_rt_buffer_new(count, 1, &base);
  CHECK(status.error != NPCC_OK);
  CHECK_EQ(count == 0, strlen(npcc_rt_cuda_unavailable_reason()) > 0);
}

DEVICE_TEST(releasedMemoryIsReused) {
  // Larger than what the C library serves, so that the pool is asked.
  constexpr int64_t bytes = 3 << 20;
  npcc_rt_trim();
  void *first = nullptr, *second = nullptr;
  CHECK_OK(npcc_rt_buffer_new(device, bytes, &first));
  npcc_rt_release(first);
  int64_t cached = counters().bytes_cached;
  CHECK(cached >= bytes);
  CHECK_OK(npcc_rt_buffer_new(device, bytes, &second));
  CHECK_EQ(first, second);
  CHECK(counters().bytes_cached < cached);
  npcc_rt_release(second);
  npcc_rt_trim();
  CHECK(counters().bytes_cached < bytes);
}

DEVICE_TEST(blocksSplitAndMerge) {
  npcc_rt_trim();
  // One segment holds several of these; released in any order they must become one block again.
  std::vector<void *> parts(4);
  for (void *&part : parts)
    CHECK_OK(npcc_rt_buffer_new(device, 4 << 20, &part));
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t j = i + 1; j < parts.size(); ++j)
      CHECK(std::abs(static_cast<char *>(parts[i]) - static_cast<char *>(parts[j])) >= 4 << 20);
  for (int k : {1, 3, 0, 2})
    npcc_rt_release(parts[k]);
  int64_t cached = counters().bytes_cached;
  void *whole = nullptr;
  CHECK_OK(npcc_rt_buffer_new(device, 10 << 20, &whole)); // fits only where blocks were merged
  CHECK(counters().bytes_cached <= cached - (10 << 20));
  npcc_rt_release(whole);
  npcc_rt_trim();
}

DEVICE_TEST(outOfMemoryNamesTheSizesAndPasses) {
  void *base = nullptr;
  npcc_status status = npcc_rt_buffer_new(device, int64_t(1) << 52, &base);
  CHECK_ERROR(status, NPCC_MEMORY_ERROR, "requested 4.00 PiB");
  for (const char *word : {"in use", "cached", "total"})
    CHECK(strstr(status.message, word) != nullptr);
  CHECK_ERROR(npcc_rt_buffer_new(device, int64_t(1) << 60, &base), NPCC_MEMORY_ERROR, "requested");
  CHECK_ERROR(npcc_rt_buffer_new(device, INT64_MAX, &base), NPCC_VALUE_ERROR, "array is too big");
  CHECK_OK(npcc_rt_buffer_new(device, 1 << 20, &base));
  npcc_rt_release(base);
}

DEVICE_TEST(cachedMemoryIsGivenBackBeforeFailing) {
  if (!isCuda(device))
    return; // the CPU would swap before it refused
  int32_t capability;
  char name[256];
  int64_t memory = 0;
  CHECK_OK(npcc_rt_cuda_device_info(device, &capability, name, &memory));
  // Most of the memory, cached in one size, must not be in the way of another size.
  int64_t bytes = memory / 10 * 6;
  void *base = nullptr;
  npcc_status status = npcc_rt_buffer_new(device, bytes, &base);
  if (status.error) {
    check::skipped("the device is in use by others");
    return;
  }
  npcc_rt_release(base);
  CHECK_OK(npcc_rt_buffer_new(device, memory / 10 * 7, &base));
  npcc_rt_release(base);
  npcc_rt_trim();
}

DEVICE_TEST(injectedFailuresHitTheKthAllocation) {
  void *base = nullptr;
  npcc_rt_fail_allocation(device, 2);
  CHECK_OK(npcc_rt_buffer_new(device, 64, &base));
  npcc_rt_release(base);
  CHECK_ERROR(npcc_rt_buffer_new(device, 64, &base), NPCC_MEMORY_ERROR, "out of memory on");
  CHECK_OK(npcc_rt_buffer_new(device, 64, &base));
  npcc_rt_release(base);
  npcc_rt_fail_allocation(device, 1);
  npcc_rt_fail_allocation(device, 0);
  CHECK_OK(npcc_rt_buffer_new(device, 64, &base));
  npcc_rt_release(base);
}

/// Many sizes from many threads; every buffer is filled with its own number, which must still be there at its release.
DEVICE_TEST(poolServesManyThreads) {
  if (isCuda(device))
    return; // the same code; only the host can look into the memory cheaply
  int64_t live = counters().live_buffers;
  auto work = [&](int seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<int64_t *, int64_t>> held;
    for (int step = 0; step < 2000; ++step) {
      if (held.size() < 20 && random() % 2) {
        int64_t words = 1 + random() % (random() % 8 == 0 ? 400000 : 2000);
        void *base = nullptr;
        if (npcc_rt_buffer_new(device, words * 8, &base).error)
          return;
        int64_t mark = int64_t(seed) << 32 | step;
        static_cast<int64_t *>(base)[0] = static_cast<int64_t *>(base)[words - 1] = mark;
        held.push_back({static_cast<int64_t *>(base), words});
      } else if (!held.empty()) {
        size_t k = random() % held.size();
        auto [base, words] = held[k];
        CHECK_EQ(base[0], base[words - 1]);
        CHECK_EQ(base[0] >> 32, seed);
        npcc_rt_release(base);
        held[k] = held.back();
        held.pop_back();
      }
    }
    for (auto [base, words] : held)
      npcc_rt_release(base);
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back(work, k + 1);
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(counters().live_buffers, live);
}

TEST(sharedReferencesFromManyThreads) {
  void *base = nullptr;
  CHECK_OK(npcc_rt_buffer_new(NPCC_CPU, 64, &base));
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int step = 0; step < 10000; ++step) {
        npcc_rt_retain(base);
        npcc_rt_release(base);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(npcc_rt_refcount(base), 1);
  npcc_rt_release(base);
}

TEST(retainAndReleaseAreFast) {
  void *base = nullptr;
  CHECK_OK(npcc_rt_buffer_new(NPCC_CPU, 64, &base));
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 10000; ++k) {
      npcc_rt_retain(base);
      npcc_rt_release(base);
    }
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 20000);
  }
  check::note(std::to_string(best) + " ns");
#if defined(NDEBUG) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  CHECK(best < 50);
#endif
  npcc_rt_release(base);
}

// Distributed calls: ranks, collectives, and failures of some of the devices.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/group.h"
#include <array>
#include <atomic>
#include <thread>

namespace {

/// Device and count of the groups that this machine can form, starting at `device`.
std::vector<int32_t> groupSizes(int32_t device) {
  if (!isCuda(device))
    return {2, 3, 5};
  int32_t left = npcc_rt_cuda_device_count() - device;
  std::vector<int32_t> sizes;
  for (int32_t size = 2; size <= left; ++size)
    sizes.push_back(size);
  if (sizes.empty() && device == 0)
    check::skipped("one CUDA device forms no group");
  return sizes;
}

TestFunction distributed(int32_t device, npcc_entry entry, std::initializer_list<TestFunction::Param> params = {},
                         std::initializer_list<TestFunction::Param> results = {}) {
  TestFunction function(params, results);
  function.variant(targetOf(device), entry, 0, {}, 1);
  return function;
}

std::atomic<int> ranksSeen, wrong;

void checkRanks(void **) {
  ranksSeen |= 1 << npcc_rt_rank();
  if (npcc_rt_size() < 2)
    ++wrong;
}

/// out = all_gather of what each rank writes; every rank checks all of it.
void gather(void **) {
  int64_t rank = npcc_rt_rank(), size = npcc_rt_size();
  for (int round = 0; round < 20; ++round) {
    int64_t mine[3] = {rank, rank * rank, round}, all[3 * 8];
    void *in = npcc_rt_alloc(sizeof(mine)), *out = npcc_rt_alloc(size * int64_t(sizeof(mine)));
    npcc_rt_write(in, mine, sizeof(mine));
    npcc_rt_all_gather(out, in, sizeof(mine));
    // May be overwritten and reused at once: what comes later on this device waits until all have read.
    int64_t others[3] = {-1, -1, -1};
    npcc_rt_write(in, others, sizeof(others));
    npcc_rt_release(in);
    npcc_rt_read(all, out, size * int64_t(sizeof(mine)));
    for (int64_t r = 0; r < size; ++r)
      if (all[3 * r] != r || all[3 * r + 1] != r * r || all[3 * r + 2] != round)
        ++wrong;
    npcc_rt_release(out);
  }
}

int64_t ghostsBefore, ghostsAfter, rowsOfRank0;

/// Rank r has rowsOfRank0 + r rows of two numbers; row g of all has the value g.
void halo(void **) {
  int64_t rank = npcc_rt_rank(), size = npcc_rt_size();
  int64_t first = 0, total = 0;
  for (int64_t r = 0; r < size; ++r) {
    first += r < rank ? rowsOfRank0 + r : 0;
    total += rowsOfRank0 + r;
  }
  int64_t rows = rowsOfRank0 + rank, all = ghostsBefore + rows + ghostsAfter;
  int64_t tile[64];
  for (int64_t k = 0; k < 2 * all; ++k)
    tile[k] = k / 2 >= ghostsBefore && k / 2 < ghostsBefore + rows ? first + k / 2 - ghostsBefore : -1;
  void *buffer = npcc_rt_alloc(all * 16);
  npcc_rt_write(buffer, tile, all * 16);
  npcc_rt_halo_exchange(buffer, rows, 16, ghostsBefore, ghostsAfter);
  npcc_rt_read(tile, buffer, all * 16);
  for (int64_t k = 0; k < 2 * all; ++k) {
    int64_t global = first + k / 2 - ghostsBefore;
    if (tile[k] != (global >= 0 && global < total ? global : -1))
      ++wrong;
  }
  npcc_rt_release(buffer);
}

int32_t failingRank;
bool waitBeforeFailing;

void failOnOneRank(void **) {
  void *in = npcc_rt_alloc(8), *out = npcc_rt_alloc(8 * npcc_rt_size());
  if (waitBeforeFailing)
    npcc_rt_all_gather(out, in, 8);
  if (npcc_rt_rank() == failingRank)
    npcc_rt_fail_index(failingRank, 0, 0, "spmd.py", 5);
  npcc_rt_all_gather(out, in, 8); // would wait for ever
  npcc_rt_all_gather(out, in, 8);
}

void leaveEarly(void **) {
  void *in = npcc_rt_alloc(8), *out = npcc_rt_alloc(8 * npcc_rt_size());
  if (npcc_rt_rank() != failingRank)
    npcc_rt_all_gather(out, in, 8);
  npcc_rt_release(in);
  npcc_rt_release(out);
}

} // namespace

DEVICE_TEST(everyRankRuns) {
  for (int32_t size : groupSizes(device)) {
    ranksSeen = wrong = 0;
    TestFunction function = distributed(device, checkRanks);
    CHECK_OK(function.call(device, {}, size));
    CHECK_EQ(ranksSeen.load(), (1 << size) - 1);
    CHECK_EQ(wrong.load(), 0);
  }
}

static int64_t rankAlone = -1, sizeAlone;
static void noteRank(void **) {
  rankAlone = npcc_rt_rank();
  sizeAlone = npcc_rt_size();
  int64_t x = 5, y = 0;
  void *in = npcc_rt_alloc(8), *out = npcc_rt_alloc(8);
  npcc_rt_write(in, &x, 8);
  npcc_rt_all_gather(out, in, 8);
  npcc_rt_halo_exchange(out, 1, 8, 0, 0);
  npcc_rt_read(&y, out, 8);
  sizeAlone += y == 5 ? 0 : 100;
}

DEVICE_TEST(withoutADistributedVariantOneDeviceServes) {
  TestFunction function({}, {});
  function.variant(targetOf(device), noteRank);
  CHECK_OK(function.call(device, {}, isCuda(device) ? 1 : 3));
  CHECK_EQ(rankAlone, 0);
  CHECK_EQ(sizeAlone, 1);
}

DEVICE_TEST(allGatherIsInRankOrder) {
  for (int32_t size : groupSizes(device)) {
    int64_t live = counters().live_buffers;
    wrong = 0;
    TestFunction function = distributed(device, gather);
    for (int round = 0; round < 5; ++round)
      CHECK_OK(function.call(device, {}, size));
    CHECK_EQ(wrong.load(), 0);
    CHECK_EQ(counters().live_buffers, live);
  }
}

DEVICE_TEST(haloRowsComeFromTheNeighbours) {
  for (int32_t size : groupSizes(device))
    for (auto [before, after, rows] : {std::array<int64_t, 3>{1, 1, 3}, {2, 0, 2}, {0, 3, 4}, {2, 3, 1}, {4, 4, 0}, {0, 0, 2}}) {
      ghostsBefore = before;
      ghostsAfter = after;
      rowsOfRank0 = rows;
      wrong = 0;
      TestFunction function = distributed(device, halo);
      CHECK_OK(function.call(device, {}, size));
      CHECK_EQ(wrong.load(), 0);
    }
}

DEVICE_TEST(oneRanksFailureFailsAll) {
  for (int32_t size : groupSizes(device)) {
    int64_t live = counters().live_buffers;
    TestFunction function = distributed(device, failOnOneRank);
    for (failingRank = 0; failingRank < size; ++failingRank)
      for (bool wait : {false, true}) {
        waitBeforeFailing = wait;
        npcc_status status = function.call(device, {}, size);
        CHECK_ERROR(status, NPCC_INDEX_ERROR, ("index " + std::to_string(failingRank)).c_str());
        CHECK_EQ(status.line, 5);
      }
    CHECK_EQ(counters().live_buffers, live);
    // Memory runs out on one device.
    int32_t last = isCuda(device) ? device + size - 1 : NPCC_LOGICAL_CPU + size - 1;
    failingRank = -1;
    npcc_rt_fail_allocation(last, 2);
    CHECK_ERROR(function.call(device, {}, size), NPCC_MEMORY_ERROR, "out of memory");
    CHECK_EQ(counters().live_buffers, live);
    CHECK_OK(function.call(device, {}, size));
  }
}

DEVICE_TEST(aRankThatEndsEarlyDoesNotHangTheOthers) {
  for (int32_t size : groupSizes(device)) {
    TestFunction function = distributed(device, leaveEarly);
    for (failingRank = 0; failingRank < size; ++failingRank)
      CHECK_ERROR(function.call(device, {}, size), NPCC_RUNTIME_ERROR, "ended while others were waiting");
  }
}

/// Each rank scales its block of rows of the caller's array, in place, and returns a new array that names it.
template <bool cuda>
static void scaleOwnTile(void **slots) {
  Memref<2> tile = memref<2>(slots, 0);
  int64_t rank = npcc_rt_rank(), size = npcc_rt_size();
  int64_t lo = tile.sizes[0] * rank / size, hi = tile.sizes[0] * (rank + 1) / size;
  tile.offset += lo * tile.strides[0];
  tile.sizes[0] = hi - lo;
  void *tileSlots[] = {&tile, slots[1]};
  (cuda ? scaleEntry.cuda : scaleEntry.cpu)(tileSlots);
  double mark = double(rank) + 0.5;
  void *base = npcc_rt_alloc(8);
  npcc_rt_write(base, &mark, 8);
  memref<1>(slots, 2) = {base, static_cast<char *>(base), 0, {1}, {1}};
}

DEVICE_TEST(ranksShareTheCallersArrays) {
  for (int32_t size : groupSizes(device)) {
    int64_t live = counters().live_buffers;
    TestFunction function =
        distributed(device, isCuda(device) ? scaleOwnTile<true> : scaleOwnTile<false>,
                    {arrayParam(NPCC_FLOAT64, 2, 1), scalarParam(NPCC_FLOAT64)}, {arrayParam(NPCC_FLOAT64, 1)});
    for (int32_t home : {int32_t(NPCC_CPU), device}) {
      OwnedArray a(home, NPCC_FLOAT64, {23, 40});
      fill(a.array, iota<double>(23 * 40));
      npcc_array result;
      std::vector<npcc_value> results = {value(result)};
      CHECK_OK(function.call(device, {value(a.array), value(3.0)}, results, size));
      std::vector<double> got = fetch<double>(a.array);
      bool right = true;
      for (int64_t k = 0; k < 23 * 40; ++k)
        right = right && got[k] == 3.0 * k + 1;
      CHECK(right);
      CHECK_EQ(fetch<double>(result)[0], 0.5);
      CHECK_EQ(result.device, home == NPCC_CPU ? NPCC_CPU : device);
      npcc_rt_release(result.base);
    }
    CHECK_EQ(counters().live_buffers, live);
  }
}

TEST(groupsOfManyCallersAtOnce) {
  wrong = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([] {
      TestFunction function = distributed(NPCC_CPU, gather);
      for (int round = 0; round < 20; ++round)
        CHECK_OK(function.call(NPCC_CPU, {}, 3));
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(wrong.load(), 0);
}

TEST(groupsOfDevicesThatDoNotExist) {
  TestFunction function = distributed(0, gather);
  npcc_status status = function.call(0, {}, npcc_rt_cuda_device_count() + 1);
  CHECK(status.error == NPCC_VALUE_ERROR || status.error == NPCC_RUNTIME_ERROR);
}

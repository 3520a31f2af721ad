// What this CPU allows, with all threads: copy bandwidth, arithmetic, and the cost of handing work to threads and of a barrier.
// Prints one JSON object. Built by benchmarks/ceilings/measure.py.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Threads that wait, spinning, for a generation to pass: what a compiled loop with a barrier a step would use.
struct Barrier {
  explicit Barrier(int count) : count(count) {}
  void wait() {
    int mine = generation.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) == count - 1) {
      arrived.store(0, std::memory_order_relaxed);
      generation.store(mine + 1, std::memory_order_release);
    } else {
      for (int spins = 0; generation.load(std::memory_order_acquire) == mine; spins++)
        if (spins > 2000) std::this_thread::yield();
    }
  }
  int count;
  std::atomic<int> arrived{0}, generation{0};
};

static void copy_part(double *to, const double *from, size_t bytes) {
  std::memcpy(to, from, bytes);
  asm volatile("" : : "r"(to), "r"(from) : "memory");
}

static double timed(int threads, const std::function<void(int)> &work) {
  Barrier barrier(threads);
  std::vector<double> begins(threads), ends(threads);
  auto body = [&](int id) {
    barrier.wait();
    begins[id] = now();
    work(id);
    asm volatile("" ::: "memory");  // the copies are read by nobody: without this they are no work at all
    ends[id] = now();
  };
  std::vector<std::thread> others;
  for (int id = 1; id < threads; id++) others.emplace_back(body, id);
  body(0);
  for (auto &other : others) other.join();
  return *std::max_element(ends.begin(), ends.end()) - *std::min_element(begins.begin(), begins.end());
}

template <class Measure> static double median(int repeats, Measure measure) {
  std::vector<double> times;
  for (int i = 0; i < repeats; i++) times.push_back(measure());
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main() {
  int threads = std::max(1u, std::thread::hardware_concurrency());
  size_t count = size_t(64) << 20;  // 512 MiB an array: beyond any cache
  double *from = static_cast<double *>(std::aligned_alloc(4096, count * 8)), *to = static_cast<double *>(std::aligned_alloc(4096, count * 8));
  size_t part = count / threads;
  timed(threads, [&](int id) { std::memset(from + id * part, 1, part * 8), std::memset(to + id * part, 0, part * 8); });
  double copy = median(5, [&] { return timed(threads, [&](int id) { copy_part(to + id * part, from + id * part, part * 8); }); });

  // 64 independent chains a thread, in vectors as wide as the machine has.
  const long rounds = 2000000;
  std::vector<double> sink(threads * 64);
  double arithmetic = median(3, [&] {
    return timed(threads, [&](int id) {
      double x[64];
      for (int k = 0; k < 64; k++) x[k] = k;
      for (long i = 0; i < rounds; i++)
        for (int k = 0; k < 64; k++) x[k] = x[k] * 0.999 + 0.001;
      std::memcpy(&sink[id * 64], x, sizeof x);
    });
  });

  const int steps = 20000;
  Barrier barrier(threads);
  double crossing = median(3, [&] { return timed(threads, [&](int) { for (int i = 0; i < steps; i++) barrier.wait(); }); }) / steps;
  double spawn = median(50, [&] {
    double begin = now();
    std::thread([] {}).join();
    return now() - begin;
  });
  std::printf("{\"threads\": %d, \"copy\": %.6g, \"float64\": %.6g, \"barrier\": %.6g, \"thread\": %.6g}\n", threads, 2.0 * 8 * part * threads / copy,
              2.0 * 64 * rounds * threads / arithmetic, crossing, spawn);
}

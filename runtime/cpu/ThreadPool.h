// The pool of worker threads behind npcc_rt_parallel_for and the runtime's own loops.
//
// The caller takes part in its own job and waits only for chunks that somebody has taken, never for a worker to wake up:
// after a pause that is the difference between 7 and 150 microseconds. One job runs at a time; a caller that finds the
// pool busy, or is itself inside a job, runs its chunks alone, in order.
#ifndef NPCC_RUNTIME_CPU_THREADPOOL_H
#define NPCC_RUNTIME_CPU_THREADPOOL_H

#include <atomic>
#include <cstdint>

namespace npcc::rt {

class ThreadPool {
public:
  using Task = void (*)(uint32_t chunk, void *context);

  /// The process's pool, with NPCC_NUM_THREADS threads (or one for each core this process may run on). After fork() the
  /// child gets a new one: threads do not survive a fork.
  static ThreadPool &get();

  int32_t threads() const { return threadCount; }

  /// Calls task(k, context) for every k < chunks, and returns when all have returned.
  void run(uint32_t chunks, Task task, void *context);

  /// While there is one of these, workers without a job sleep at once instead of waiting awake for the next: a library
  /// computes in threads of its own, which need the cores.
  class Rest {
  public:
    Rest() { resting.fetch_add(1, std::memory_order_relaxed); }
    ~Rest() { resting.fetch_sub(1, std::memory_order_relaxed); }
    Rest(const Rest &) = delete;
  };

private:
  explicit ThreadPool(int32_t threads);
  static void *workerMain(void *pool);
  void work();
  void drain(uint32_t epoch);
  void startWorkers();

  static inline std::atomic<int32_t> resting{0};

  const int32_t threadCount;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  bool started = false; // under `busy`

  // The job. A worker may read these while the next job is being set up, but acts on them only after taking a chunk,
  // which cannot succeed then: the ticket carries the job's number.
  std::atomic<uint32_t> chunkCount{0};
  std::atomic<Task> task{nullptr};
  std::atomic<void *> taskContext{nullptr};

  alignas(64) std::atomic<uint64_t> ticket{0}; // job number << 32 | next chunk
  alignas(64) std::atomic<uint32_t> finished{0};
  alignas(64) std::atomic<uint32_t> epoch{0}; // number of the newest job; workers sleep on it
  std::atomic<int32_t> sleepers{0};
};

/// Calls body(lo, hi) over [0, n) with chunks that are multiples of `grain`; inline if n <= grain. For the runtime's own
/// loops, whose bodies cannot fail.
template <typename Body>
void parallelLoop(int64_t n, int64_t grain, Body &&body);

/// How [0, n) is cut: `chunk` elements each but the last.
struct Chunks {
  uint32_t count;
  int64_t chunk;
};
Chunks cut(int64_t n, int64_t grain, int32_t threads);

template <typename Body>
void parallelLoop(int64_t n, int64_t grain, Body &&body) {
  if (n <= grain) {
    if (n > 0)
      body(int64_t(0), n);
    return;
  }
  ThreadPool &pool = ThreadPool::get();
  struct Job {
    Body &body;
    int64_t n, chunk;
  };
  Chunks chunks = cut(n, grain, pool.threads());
  Job job{body, n, chunks.chunk};
  pool.run(
      chunks.count,
      [](uint32_t k, void *context) {
        Job &job = *static_cast<Job *>(context);
        int64_t lo = k * job.chunk, hi = lo + job.chunk;
        job.body(lo, hi < job.n ? hi : job.n);
      },
      &job);
}

} // namespace npcc::rt

#endif

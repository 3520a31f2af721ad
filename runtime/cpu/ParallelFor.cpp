// npcc_rt_parallel_for: chunks of generated code, each of which may fail. The failure of the lowest chunk is the one that
// is reported, because it is the one that a loop would have met first.
#include "runtime/Counters.h"
#include "runtime/Frame.h"
#include "runtime/Trace.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/trace.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>
#include <mutex>

namespace npcc::rt {
namespace {

struct Job {
  void (*body)(int64_t lo, int64_t hi, void *context);
  void *context;
  int64_t n, chunk;
  Frame *frame;
  SpinLock lock{};
  std::atomic<uint32_t> firstFailed{UINT32_MAX};
  npcc_status status{};
};

struct ChunkCall {
  Job *job;
  int64_t lo, hi;
};

void callBody(void *argument) {
  auto *call = static_cast<ChunkCall *>(argument);
  call->job->body(call->lo, call->hi, call->job->context);
}

void runChunk(uint32_t chunk, void *argument) {
  Job &job = *static_cast<Job *>(argument);
  if (chunk > job.firstFailed.load(std::memory_order_relaxed))
    return;
  int64_t lo = chunk * job.chunk;
  ChunkCall call{&job, lo, std::min(lo + job.chunk, job.n)};
  npcc_status status;
  if (catchFailure(job.frame, status, callBody, &call))
    return;
  std::lock_guard<SpinLock> guard(job.lock);
  if (chunk < job.firstFailed.load(std::memory_order_relaxed)) {
    job.firstFailed.store(chunk, std::memory_order_relaxed);
    job.status = status;
  }
}

/// False: some chunk failed and the frame's status says how.
bool runJob(int64_t n, int64_t grain, void (*body)(int64_t, int64_t, void *), void *argument) {
  ThreadPool &pool = ThreadPool::get();
  Chunks chunks = cut(n, grain, pool.threads());
  Job job{body, argument, n, chunks.chunk, context.frame};
  counters.parallelRegions.add(1);
  pool.run(chunks.count, runChunk, &job);
  if (job.firstFailed.load(std::memory_order_relaxed) == UINT32_MAX)
    return true;
  if (context.status)
    *context.status = job.status;
  return false;
}

} // namespace
} // namespace npcc::rt

void npcc_rt_parallel_for(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context),
                          void *argument) {
  if (n <= grain) {
    if (n > 0)
      body(0, n, argument);
    return;
  }
  if (!npcc::rt::runJob(n, grain, body, argument))
    npcc::rt::leaveFrame();
}

void npcc_rt_run_kernel(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context), void *argument, const char *label) {
  if (!npcc::rt::isTracing() || n <= 0) {
    npcc_rt_parallel_for(n, grain, body, argument);
    return;
  }
  bool isGood;
  {
    npcc::rt::HostSpan span(NPCC_TRACE_KERNEL, label); // which ends before the frame may be left
    isGood = npcc::rt::runJob(n, grain, body, argument);
  }
  if (!isGood)
    npcc::rt::leaveFrame();
}

int32_t npcc_rt_cpu_threads(void) { return npcc::rt::ThreadPool::get().threads(); }

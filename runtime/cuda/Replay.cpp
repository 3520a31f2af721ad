#include "runtime/cuda/Replay.h"
#include "runtime/Counters.h"
#include "runtime/Trace.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace npcc::rt::cuda {

thread_local constinit Replay *Replay::recording = nullptr;

/// Runs of fewer launches are issued as they are. Several iterations of a short loop are one run; one of a long loop is
/// cut.
static constexpr size_t leastSteps = 3, fewSteps = 8, mostSteps = 256;
/// How often a run is seen before it is captured, and how many graphs and hashes a function keeps.
static constexpr int timesSeen = 3;
static constexpr size_t mostGraphs = 128, mostSeen = 1024;
/// A function whose runs do not come again is not recorded for a while, and then for a longer one.
static constexpr int64_t callsToLearn = 4, longestPause = 4096;
/// A call whose runs were never there before is not recorded any further.
static constexpr int64_t mostStrange = 64;
/// A graph makes room for another one when the function was called so often without it.
static constexpr int64_t callsUnused = 32;
static constexpr int captureThreadLocal = 1; // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  const char *at = static_cast<const char *>(data);
  for (; bytes > 0; at += 8, bytes -= std::min<size_t>(bytes, 8)) {
    uint64_t word = 0;
    memcpy(&word, at, std::min<size_t>(bytes, 8));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

uint64_t Replay::Run::hash() const {
  return mix(mix(steps.size(), steps.data(), steps.size() * sizeof(Step)), bytes.data(), bytes.size());
}

bool Replay::Run::operator==(const Run &other) const {
  return steps.size() == other.steps.size() && bytes == other.bytes && offsets == other.offsets &&
         !memcmp(steps.data(), other.steps.data(), steps.size() * sizeof(Step));
}

void Replay::beginCall(const void *code) {
  if (recording == this) {
    ++depth;
    return;
  }
  const Driver &d = driver();
  static const bool isOff = getenv("NPCC_REPLAY") && !strcmp(getenv("NPCC_REPLAY"), "0");
  if (isOff || recording || !d.graphLaunch || !d.graphExecDestroy || !d.funcGetParamInfo || !device.streams.isQuiet() ||
      isTracing())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (isTaken)
    return;
  History &mine = histories[code];
  ++mine.calls;
  if (mine.idle > 0) {
    --mine.idle;
    return;
  }
  isTaken = true;
  history = &mine;
  number = 1;
  kept = strange = 0;
  hasFamiliar = false;
  isGivenUp.store(false, std::memory_order_relaxed);
  recording = this;
}

Status Replay::endCall() {
  if (recording != this)
    return {};
  if (depth > 0) {
    --depth;
    return {};
  }
  flush();
  recording = nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  isTaken = false;
  if (hasFamiliar) {
    history->tries = 0;
    history->pause = firstPause;
  } else if (++history->tries == callsToLearn || kept < int64_t(leastSteps)) {
    history->tries = 0;
    history->idle = history->pause;
    history->pause = std::min(2 * history->pause, longestPause);
  }
  history = nullptr;
  return std::exchange(failure, Status());
}

void Replay::keep(Function function, const LaunchShape &shape, void **params, const std::vector<size_t> &sizes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (function == run.head && run.steps.size() >= fewSteps)
    issueRun();
  Step step;
  memset(&step, 0, sizeof step);
  step.function = function;
  for (int axis = 0; axis < 3; ++axis) {
    step.grid[axis] = static_cast<unsigned>(shape.grid[axis]);
    step.block[axis] = static_cast<unsigned>(shape.block[axis]);
  }
  step.sharedBytes = static_cast<unsigned>(shape.sharedBytes);
  step.firstParameter = static_cast<unsigned>(run.offsets.size());
  step.parameterCount = static_cast<unsigned>(sizes.size());
  for (size_t k = 0; k < sizes.size(); ++k) {
    size_t at = (run.bytes.size() + 15) / 16 * 16;
    run.bytes.resize(at + sizes[k]);
    memcpy(run.bytes.data() + at, params[k], sizes[k]);
    run.offsets.push_back(static_cast<unsigned>(at));
  }
  run.head = run.head ? run.head : function;
  keep(step);
}

void Replay::keep(const void *key, size_t bytes, std::function<Status(Stream)> issue) {
  std::lock_guard<std::mutex> lock(mutex);
  Step step;
  memset(&step, 0, sizeof step);
  step.firstParameter = static_cast<unsigned>(others.size());
  const char *first = static_cast<const char *>(key);
  run.bytes.insert(run.bytes.end(), first, first + bytes);
  others.push_back(std::move(issue));
  keep(step);
}

void Replay::keep(const Step &step) {
  run.steps.push_back(step);
  ++kept;
  pending.store(true, std::memory_order_release);
  if (run.steps.size() >= mostSteps)
    issueRun();
}

void Replay::note(Status status) {
  if (failure.ok())
    failure = std::move(status);
}

/// Everything, one after the other.
Status Replay::issue(Stream stream) {
  std::vector<void *> params;
  for (const Step &step : run.steps) {
    if (!step.function) {
      NPCC_TRY(others[step.firstParameter](stream));
      continue;
    }
    params.clear();
    for (unsigned k = 0; k < step.parameterCount; ++k)
      params.push_back(run.bytes.data() + run.offsets[step.firstParameter + k]);
    NPCC_CUDA_TRY(launchKernel(step.function, step.grid[0], step.grid[1], step.grid[2], step.block[0], step.block[1],
                               step.block[2], step.sharedBytes, stream, params.data(), nullptr));
  }
  return {};
}

/// Everything as a graph, without running it.
Status Replay::capture(GraphExec &exec) {
  if (!capturing) {
    NPCC_CUDA_TRY(streamCreate(&capturing, streamNonBlocking));
    device.captureOn(capturing);
  }
  NPCC_CUDA_TRY(streamBeginCapture(capturing, captureThreadLocal));
  Status issued = issue(capturing);
  Graph graph = nullptr;
  Result ended = driver().streamEndCapture(capturing, &graph);
  Status status = issued.ok() ? check(ended, "cuStreamEndCapture") : std::move(issued);
  if (status.ok())
    status = check(driver().graphInstantiate(&exec, graph, 0), "cuGraphInstantiateWithFlags");
  if (graph)
    driver().graphDestroy(graph);
  return status;
}

bool Replay::makeRoom() {
  auto &graphs = history->graphs;
  if (graphs.size() < mostGraphs)
    return true;
  auto oldest = std::min_element(graphs.begin(), graphs.end(),
                                 [](const auto &a, const auto &b) { return a.second.lastCall < b.second.lastCall; });
  if (oldest->second.lastCall + callsUnused > history->calls ||
      driver().streamSynchronize(device.streams.begin()) != success)
    return false;
  driver().graphExecDestroy(oldest->second.graph);
  graphs.erase(oldest);
  return true;
}

void Replay::issuePending() {
  std::lock_guard<std::mutex> lock(mutex);
  if (pending.load(std::memory_order_relaxed))
    issueRun();
}

void Replay::issueRun() {
  DeviceScope scope(device);
  Stream stream = device.streams.begin();
  uint64_t hash = run.hash();
  auto known = history->graphs.find(hash);
  GraphExec graph = nullptr;
  ++strange;
  if (known != history->graphs.end() && known->second.run == run) {
    graph = known->second.graph;
    known->second.lastCall = history->calls;
  } else if (known == history->graphs.end() && run.steps.size() >= leastSteps) {
    if (history->seen.size() >= mostSeen)
      history->seen.clear();
    int &times = history->seen[hash];
    hasFamiliar |= times > 0;
    strange = times > 0 ? 0 : strange;
    if (times++ == timesSeen && makeRoom() && capture(graph).ok())
      history->graphs.emplace(hash, Known{run, graph, history->calls});
  }
  if (graph) {
    hasFamiliar = true;
    strange = 0;
    counters.replays.add(1);
    note(check(driver().graphLaunch(graph, stream), "cuGraphLaunch"));
  } else {
    note(issue(stream));
  }
  if (strange == mostStrange)
    isGivenUp.store(true, std::memory_order_relaxed);
  run.clear();
  others.clear();
  pending.store(false, std::memory_order_release);
}

} // namespace npcc::rt::cuda

// Launches that come again. A launch costs the host several microseconds, often more than the GPU takes for it. Loops,
// and functions that are called again and again, launch the same kernels on arrays at the same places: the fourth
// time they are captured into a graph of CUDA's, and from then on one launch of the graph does all of them.
//
// While a call records, launches are kept, not issued. Whatever else wants the device's stream (Streams::use, of any
// thread) first issues what was kept, so that the order of the stream is that of the calls. What was kept up to there
// is a run, or up to where the run's first kernel comes again: a loop's iterations are runs, several of them where they
// are short. Its launches with all their parameters are compared with runs that the function had before, byte by byte.
// So a graph does exactly what the launches would have done, and one that does not fit is not used.
#ifndef NPCC_RUNTIME_CUDA_REPLAY_H
#define NPCC_RUNTIME_CUDA_REPLAY_H

#include "runtime/cuda/Driver.h"
#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace npcc::rt {
struct LaunchShape;
}

namespace npcc::rt::cuda {

class CudaDevice;

class Replay {
public:
  explicit Replay(CudaDevice &device) : device(device) {}

  /// Around a call of generated code, which `code` stands for. endCall issues what is kept, and reports what was wrong
  /// with anything that was issued since beginCall.
  void beginCall(const void *code);
  Status endCall();

  /// Whether this thread's launches are kept.
  bool records() const { return recording == this && !isGivenUp.load(std::memory_order_relaxed); }
  bool isInCall() const { return recording == this; }
  /// Keeps a launch, whose function takes parameters of these sizes.
  void keep(Function function, const LaunchShape &shape, void **params, const std::vector<size_t> &sizes);
  /// Keeps something else: `key` is all that it depends on, `issue` sends it to the stream.
  void keep(const void *key, size_t bytes, std::function<Status(Stream)> issue);

  bool isPending() const { return pending.load(std::memory_order_acquire); }
  /// Issues what is kept, if there is anything.
  void flush() {
    if (isPending()) [[unlikely]]
      issuePending();
  }

  /// Numbers of a call's launches (npcc_rt_launch_number), the same in each call.
  int64_t nextNumber() { return number++; }

  /// Nothing is kept: for libraries, which are told the stream once and then called between copies and kernels.
  class Pause {
  public:
    explicit Pause(Replay &replay) : replay(recording == &replay ? &replay : nullptr) {
      if (this->replay) {
        replay.flush();
        recording = nullptr;
      }
    }
    ~Pause() {
      if (replay)
        recording = replay;
    }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;

  private:
    Replay *replay;
  };

private:
  static constexpr int64_t firstPause = 16;
  struct Step {
    Function function; // null: `others` has it
    unsigned grid[3], block[3], sharedBytes;
    unsigned firstParameter, parameterCount; // of `offsets`; or its number in `others`
    unsigned padding;
  };
  struct Run {
    std::vector<Step> steps;
    std::vector<unsigned> offsets; // of parameters in `bytes`
    std::vector<char> bytes;
    Function head = nullptr; // of the first kernel
    void clear() { steps.clear(), offsets.clear(), bytes.clear(), head = nullptr; }
    uint64_t hash() const;
    bool operator==(const Run &other) const;
  };
  struct Known {
    Run run;
    GraphExec graph;
    int64_t lastCall;
  };
  /// What is known of one function.
  struct History {
    int64_t calls = 0, tries = 0;           // in a row that had no run that was there before
    int64_t idle = 0, pause = firstPause;   // calls that are not recorded: now, and after the next tries
    std::unordered_map<uint64_t, int> seen; // how often, of runs without a graph, by hash
    std::unordered_map<uint64_t, Known> graphs;
  };

  void keep(const Step &step);
  void issuePending();
  void issueRun();
  Status issue(Stream stream);
  Status capture(GraphExec &graph);
  bool makeRoom();
  void note(Status status);

  static thread_local constinit Replay *recording __attribute__((tls_model("initial-exec")));

  CudaDevice &device;
  std::atomic<bool> pending{false};
  std::atomic<bool> isGivenUp{false}; // nothing of this call comes again
  std::mutex mutex;                   // of what follows
  // Launches are captured on a stream that nothing else is sent to: what another thread sends to the device's stream
  // meanwhile would be in the graph.
  Stream capturing = nullptr;
  bool isTaken = false;
  int depth = 0; // of calls in calls
  std::unordered_map<const void *, History> histories;
  History *history = nullptr;
  Run run;
  std::vector<std::function<Status(Stream)>> others;
  Status failure;
  int64_t number = 0, kept = 0, strange = 0; // strange: runs in a row that were never there before
  bool hasFamiliar = false;                  // a run of this call was there before
};

} // namespace npcc::rt::cuda

#endif

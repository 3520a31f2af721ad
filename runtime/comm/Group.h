// The devices of one distributed call: a thread and a frame for each, a barrier between them, and the collectives.
//
// No rank can leave the others waiting: a rank that fails breaks the group, and one that ends while others wait for it
// does too.
#ifndef NPCC_RUNTIME_COMM_GROUP_H
#define NPCC_RUNTIME_COMM_GROUP_H

#include "runtime/Device.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace npcc::rt {

class Group {
public:
  explicit Group(std::vector<Device *> devices) : devices(std::move(devices)), posts(this->devices.size()) {}
  ~Group();

  int32_t size() const { return static_cast<int32_t>(devices.size()); }
  Device &device(int32_t rank) const { return *devices[rank]; }

  /// What a rank shows the others in a collective.
  struct Post {
    const char *data = nullptr;
    int64_t rows = 0;
    void *ready = nullptr; // event: the rank's data is written
    void *done = nullptr;  // event: the rank has read what it wanted
  };

  /// False if the group is broken: some rank failed or ended.
  bool barrier();
  /// A rank failed: all others fail at their next barrier. `ofItself`: not because another one had.
  void breakUp(bool ofItself);
  /// A rank ended well; whoever waits for it now or later is in a broken group.
  void leave();
  bool rankFailed() const { return failed.load(); }

  Status allGather(int32_t rank, void *out, const void *in, int64_t bytes);
  Status haloExchange(int32_t rank, void *tile, int64_t rows, int64_t rowBytes, int64_t before, int64_t after);

private:
  /// Shows `post`, waits for everyone's, lets `read` issue this rank's copies, and keeps everyone from going on before all
  /// have been read.
  template <typename Read>
  Status exchange(int32_t rank, Read &&read);
  Status copyFrom(int32_t rank, int32_t peer, void *to, const void *from, int64_t bytes);
  bool over(uint32_t seen, bool &passed) const;

  const std::vector<Device *> devices;
  std::vector<Post> posts;
  std::atomic<uint32_t> generation{0};
  std::atomic<int32_t> arrived{0};
  std::atomic<bool> broken{false}, failed{false}, left{false};
  std::mutex mutex;
  std::condition_variable changed;
};

/// Runs body(rank, context) for ranks 0..size-1 at the same time, rank 0 on this thread. The other threads are kept for
/// the next call.
Status runRanks(int32_t size, void (*body)(int32_t rank, void *context), void *context);

} // namespace npcc::rt

#endif

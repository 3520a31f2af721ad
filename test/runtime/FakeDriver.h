#ifndef NPCC_TEST_RUNTIME_FAKEDRIVER_H
#define NPCC_TEST_RUNTIME_FAKEDRIVER_H
// What the files of the fake driver share: its objects, and whether it still works.
#include "FakeCuda.h"
#include "FakePtx.h"
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace fake {

constexpr int success = 0, invalidValue = 1, outOfMemory = 2, invalidContext = 201, noBinary = 209, invalidPtx = 218,
              notFound = 500, notReady = 600, illegalAddress = 700, cooperativeLaunchTooLarge = 720;
constexpr unsigned blocksAtOnce = 4;

struct Context {
  int device;
};
struct Event {
  Context *context;
  struct Stream *stream = nullptr;
  uint64_t number = 0; // of the last operation before it
  bool isTimed = true;
  double time = 0; // when the operation before it was done
};
struct Stream {
  Context *context;
  std::deque<std::function<void()>> pending;
  struct Graph *captured = nullptr; // takes what is issued meanwhile
  uint64_t done = 0;
  uint64_t issued() const { return done + pending.size(); }
  void runTo(uint64_t number) {
    while (done < number && !pending.empty()) {
      auto operation = std::move(pending.front());
      pending.pop_front();
      ++done;
      operation();
    }
  }
};
struct Graph {
  std::vector<std::function<void()>> operations;
};
struct Module {
  std::string text;
  std::unique_ptr<ptx::Module> ptx;
};
struct Function {
  const Kernel *kernel;
  const Module *module;
  const ptx::Kernel *ptx;
  int sharedAllowed = 48 << 10;
};

extern std::recursive_mutex mutex;
extern thread_local Context *current;
extern bool isLost; // a kernel touched what it may not

[[noreturn]] void fatal(const char *what);
void issue(Stream *stream, std::function<void()> operation);
/// The handles 0, 1 and 2 are CUDA's default streams.
Stream *resolve(Stream *stream);
/// As `reach`, but null where that ends the process; allocations and page-locked memory of the host only.
char *reachOrNull(uint64_t address, size_t bytes, int device);

#define LOCKED std::lock_guard<std::recursive_mutex> lock(fake::mutex)
#define IN_CONTEXT_OF(object)                                                                                          \
  LOCKED;                                                                                                              \
  if (fake::isLost)                                                                                                    \
    return fake::illegalAddress;                                                                                       \
  if (!fake::current || (object)->context != fake::current)                                                            \
  return fake::invalidContext

} // namespace fake
#endif

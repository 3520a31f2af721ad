#include "compiler/codegen/Object.h"
#include "llvm/Support/ErrorHandling.h"
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>

using namespace npcc;

// LLVM is built without exceptions, and so are we: the handlers jump back to the guard of their thread. Destructors in
// between do not run; the frames belong to a compilation that is given up with all it owns.
static thread_local sigjmp_buf *guard = nullptr;
static thread_local char reason[1024]; // needs no memory

static void leave(void *, const char *message, bool) {
  if (!guard)
    return; // not in a compilation of ours: LLVM goes on to end the process
  std::snprintf(reason, sizeof(reason), "LLVM: %s", message);
  siglongjmp(*guard, 1);
}

// What is left for saying so when memory is short.
static constexpr size_t reserveBytes = 1 << 20;
static std::atomic<void *> reserve = nullptr;

/// Called by `operator new` when there is no memory, before it throws what no frame of LLVM's can catch.
static void leaveWithoutMemory() {
  if (!guard) {
    std::set_new_handler(nullptr); // not ours: `operator new` throws as if this handler were not there
    return;
  }
  std::free(reserve.exchange(nullptr));
  std::snprintf(reason, sizeof(reason), "LLVM: out of memory");
  siglongjmp(*guard, 1);
}

//===---- Crashes ----===//

namespace {
/// The signals by which a process ends that reads where nothing is, or whose assertion does not hold.
struct CrashSignal {
  int number;
  const char *name;
  struct sigaction before;
};
} // namespace

static CrashSignal crashSignals[] = {{SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}},   {SIGILL, "SIGILL", {}},
                                     {SIGFPE, "SIGFPE", {}},   {SIGABRT, "SIGABRT", {}}, {SIGTRAP, "SIGTRAP", {}}};
static std::mutex signalsLock;
static unsigned guards = 0; // of all threads: while there are some, the handlers are ours

static void leaveCrash(int number) {
  const CrashSignal *found = nullptr;
  for (const CrashSignal &one : crashSignals)
    found = one.number == number ? &one : found;
  if (!guard) { // another thread's, and so none of ours: it ends as it would have ended
    sigaction(number, &found->before, nullptr);
    raise(number);
    return;
  }
  std::snprintf(reason, sizeof(reason), "the compiler crashed (%s)", found->name);
  siglongjmp(*guard, 1);
}

namespace {
/// While it lives, a crash of this thread jumps to its guard. The handler has a stack of its own: the thread's may be
/// what has run out.
class Handlers {
public:
  Handlers() : memory(new char[bytes]) { // no zeros: its pages are made when a crash needs them
    stack_t own = {};
    own.ss_sp = memory.get();
    own.ss_size = bytes;
    sigaltstack(&own, &stackBefore);
    std::lock_guard<std::mutex> lock(signalsLock);
    if (guards++)
      return;
    for (CrashSignal &one : crashSignals) {
      struct sigaction action = {};
      action.sa_handler = leaveCrash;
      action.sa_flags = SA_ONSTACK;
      sigaction(one.number, &action, &one.before);
    }
  }
  ~Handlers() {
    {
      std::lock_guard<std::mutex> lock(signalsLock);
      if (--guards == 0)
        for (const CrashSignal &one : crashSignals)
          sigaction(one.number, &one.before, nullptr);
    }
    sigaltstack(&stackBefore, nullptr);
  }

private:
  static constexpr size_t bytes = 64 << 10;
  std::unique_ptr<char[]> memory;
  stack_t stackBefore;
};
} // namespace

//===---- Guards ----===//

llvm::Error npcc::guardCrashes(llvm::function_ref<llvm::Error()> action) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(leave);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(leave);
  });
  if (guard)
    return action();
  if (!reserve)
    std::free(reserve.exchange(std::malloc(reserveBytes)));
  std::new_handler before = std::set_new_handler(leaveWithoutMemory);
  Handlers handlers;
  sigjmp_buf here;
  guard = &here;
  if (sigsetjmp(here, /*savemask=*/1)) {
    guard = nullptr;
    return llvm::createStringError(std::string(reason));
  }
  llvm::Error error = action();
  guard = nullptr;
  if (before != leaveWithoutMemory)
    std::set_new_handler(before);
  return error;
}

// Much of a compiler follows values to what they are made of, by recursion: a function of thousands of lines needs more
// than a thread's usual 8 MiB. Only what is used of it is memory.
static constexpr size_t stackBytes = size_t(256) << 20;

namespace {
struct Work {
  llvm::function_ref<llvm::Error()> action;
  llvm::Error error = llvm::Error::success();
};
} // namespace

llvm::Error npcc::guardFatalErrors(llvm::function_ref<llvm::Error()> action) {
  if (guard)
    return action();
  Work work{action};
  auto body = [](void *argument) -> void * {
    auto *work = static_cast<Work *>(argument);
    llvm::cantFail(std::move(work->error));
    work->error = guardCrashes(work->action);
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool isStarted =
      pthread_attr_setstacksize(&attributes, stackBytes) == 0 && pthread_create(&thread, &attributes, body, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (isStarted)
    pthread_join(thread, nullptr);
  else // an address space too small for that stack may do for the function
    body(&work);
  return std::move(work.error);
}

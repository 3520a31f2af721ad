// Threads for the ranks of groups, kept between calls: starting one costs more than most collectives.
#include "runtime/comm/Group.h"
#include <csignal>
#include <pthread.h>

namespace npcc::rt {
namespace {

/// One thread and its current job.
class Worker {
public:
  static Worker *start() {
    auto *worker = new Worker;
    sigset_t all, old; // signals belong to the application's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    bool good = pthread_create(&thread, nullptr, main, worker) == 0;
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (!good) {
      delete worker;
      return nullptr;
    }
    pthread_detach(thread);
    return worker;
  }

  void give(int32_t newRank, void (*newBody)(int32_t, void *), void *newContext) {
    std::lock_guard<std::mutex> lock(mutex);
    rank = newRank;
    body = newBody;
    context = newContext;
    changed.notify_one();
  }

  void join() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !body; });
  }

  Worker *next = nullptr;

private:
  static void *main(void *self) {
    auto &worker = *static_cast<Worker *>(self);
    std::unique_lock<std::mutex> lock(worker.mutex);
    for (;;) {
      worker.changed.wait(lock, [&] { return worker.body != nullptr; });
      auto body = worker.body;
      lock.unlock();
      body(worker.rank, worker.context);
      lock.lock();
      worker.body = nullptr;
      worker.changed.notify_one();
    }
    return nullptr;
  }

  std::mutex mutex;
  std::condition_variable changed;
  int32_t rank = 0;
  void (*body)(int32_t, void *) = nullptr;
  void *context = nullptr;
};

std::mutex idleMutex;
Worker *idle = nullptr;

/// A child made by fork has none of these threads.
void forgetAfterFork() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { idleMutex.lock(); }, [] { idleMutex.unlock(); },
                   [] {
                     idle = nullptr;
                     idleMutex.unlock();
                   });
  });
}

Worker *acquire() {
  {
    std::lock_guard<std::mutex> lock(idleMutex);
    if (Worker *worker = idle) {
      idle = worker->next;
      return worker;
    }
  }
  return Worker::start();
}

void giveBack(Worker *worker) {
  std::lock_guard<std::mutex> lock(idleMutex);
  worker->next = idle;
  idle = worker;
}

} // namespace

Status runRanks(int32_t size, void (*body)(int32_t rank, void *context), void *context) {
  forgetAfterFork();
  // All threads first: a group of which only some ranks run would never end.
  std::vector<Worker *> workers;
  for (int32_t rank = 1; rank < size; ++rank) {
    Worker *worker = acquire();
    if (!worker) {
      for (Worker *started : workers)
        giveBack(started);
      return makeError(NPCC_RUNTIME_ERROR, "cannot start a thread for each of {} devices", size);
    }
    workers.push_back(worker);
  }
  for (int32_t rank = 1; rank < size; ++rank)
    workers[rank - 1]->give(rank, body, context);
  body(0, context);
  for (Worker *worker : workers) {
    worker->join();
    giveBack(worker);
  }
  return {};
}

} // namespace npcc::rt

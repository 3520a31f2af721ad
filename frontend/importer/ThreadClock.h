#ifndef NPCC_FRONTEND_IMPORTER_THREADCLOCK_H
#define NPCC_FRONTEND_IMPORTER_THREADCLOCK_H
#include <chrono>
#include <ctime>

namespace npcc::frontend {

/// How long this thread has computed, as a clock of <chrono>: whether a function takes too long to import must not
/// depend on what else the machine does.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }
};

} // namespace npcc::frontend
#endif

// The clocks of Python's module `time`, for compiled code.
#include "runtime/Frame.h"
#include "runtime/abi/frame.h"
#include <cstring>
#include <ctime>

using namespace npcc::rt;

/// The clocks that CPython reads on Linux.
static clockid_t clockOf(const char *kind) {
  if (strcmp(kind, "time") == 0)
    return CLOCK_REALTIME;
  return strcmp(kind, "process_time") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

double npcc_rt_clock(const char *kind) {
  // What was launched before is part of the time that is measured.
  if (context.frame && context.frame->device)
    NPCC_OR_FAIL(context.frame->device->synchronize());
  timespec now;
  clock_gettime(clockOf(kind), &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

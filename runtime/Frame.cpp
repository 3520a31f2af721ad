#include "runtime/Frame.h"
#include "runtime/Arguments.h"
#include "runtime/Counters.h"
#include "runtime/Element.h"
#include "runtime/Kept.h"
#include "runtime/MatmulStack.h"
#include "runtime/Messages.h"
#include "runtime/Routines.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/routines.h"
#include "runtime/debug/Shadow.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

namespace npcc::rt {

thread_local constinit Context context;

bool report(const Status &status) {
  if (status.ok())
    return true;
  if (context.status)
    status.write(*context.status);
  else
    fmt::print(stderr, "npcc runtime: {}\n", status.message());
  return false;
}

void leaveFrame() {
  // Only generated code calls the functions of part 3, and only in a frame; there is nobody to return to here.
  if (!context.landing)
    std::abort();
  longjmp(*context.landing, 1);
}

/// Kept apart and out of line: no object with a destructor, and nothing that changes between setjmp and longjmp.
__attribute__((noinline)) static bool land(jmp_buf &landing, void (*body)(void *), void *argument) {
  if (setjmp(landing))
    return false;
  body(argument);
  return true;
}

bool catchFailure(Frame *frame, npcc_status &status, void (*body)(void *argument), void *argument) {
  Context saved = context;
  jmp_buf landing;
  context = {frame, &landing, &status};
  bool good = land(landing, body, argument);
  context = saved;
  return good;
}

/// The lowest address that this thread's stack may reach while something is left of it; null where that is not known.
static const char *stackEnd() {
  static thread_local const char *end = [] {
    pthread_attr_t attributes;
    void *lowest = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return static_cast<const char *>(nullptr);
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    // Enough for the runtime's and the driver's functions that a compiled function calls.
    return static_cast<const char *>(lowest) + std::min<size_t>(512 * 1024, bytes / 2);
  }();
  return end;
}

bool runFrame(Frame &frame, npcc_entry entry, void **slots) {
  struct Call {
    npcc_entry entry;
    void **slots;
  } call{entry, slots};
  frame.ledger = acquireLedger();
  bool good = catchFailure(
      &frame, frame.status, [](void *argument) { static_cast<Call *>(argument)->entry(static_cast<Call *>(argument)->slots); },
      &call);
  if (good && frame.record[0] != 0) {
    takeRecordedError(frame.record).write(frame.status);
    good = false;
  }
  if (good)
    settleLedger(frame.ledger, currentLedger());
  else {
    rollBackLedger(frame.ledger);
    forgetKept();
  }
  frame.ledger = nullptr;
  debug::drop(frame);
  return good;
}

Status requireFrame(Frame *&frame) {
  frame = context.frame;
  return frame ? Status() : Status(NPCC_RUNTIME_ERROR, "called outside a generated function");
}

Status takeRecordedError(int64_t *record) {
  auto *shared = reinterpret_cast<std::atomic<int64_t> *>(record);
  auto error = static_cast<npcc_error>(shared[0].load(std::memory_order_acquire));
  if (error == NPCC_OK)
    return {};
  auto *file = reinterpret_cast<const char *>(record[5]);
  auto *text = reinterpret_cast<const char *>(record[6]);
  int32_t line = static_cast<int32_t>(record[1]);
  int64_t numbers[NPCC_RECORD_NUMBERS];
  for (int k = 0; k < NPCC_RECORD_NUMBERS; ++k)
    numbers[k] = record[NPCC_RECORD_NUMBER(k)];
  std::string message = text                        ? formatMessage(text, NPCC_RECORD_NUMBERS, numbers)
                        : error == NPCC_INDEX_ERROR ? indexErrorMessage(numbers[0], numbers[1], numbers[2])
                                                    : defaultMessage(error);
  std::fill_n(record + 1, NPCC_RECORD_FLAG - 1, 0);
  shared[0].store(NPCC_OK, std::memory_order_release);
  return Status(error, std::move(message), file, line);
}

} // namespace npcc::rt

using namespace npcc::rt;

int32_t npcc_rt_abi_version(void) { return NPCC_RT_ABI_VERSION; }

void npcc_rt_check_stack(const char *file, int32_t line) {
  char here;
  if (&here < stackEnd()) {
    report(Status(NPCC_RECURSION_ERROR, "maximum recursion depth exceeded", file, line));
    leaveFrame();
  }
}

/// In the memory of the frame's device, or of the host.
static void *allocate(int64_t bytes, bool onHost) {
  void *base = nullptr;
  Frame *frame;
  auto make = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    Device *device = frame->device;
    if (onHost)
      NPCC_TRY(findDevice(NPCC_CPU, device));
    return newBuffer(*device, bytes, frame->ledger, base);
  };
  NPCC_OR_FAIL(make());
  return base;
}

void *npcc_rt_alloc(int64_t bytes) { return allocate(bytes, /*onHost=*/false); }
void *npcc_rt_alloc_host(int64_t bytes) { return allocate(bytes, /*onHost=*/true); }

void *npcc_rt_mirror(void *array, int64_t bytes) {
  void *base = nullptr;
  Frame *frame;
  Device *host = nullptr;
  auto make = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    NPCC_TRY(findDevice(NPCC_CPU, host));
    NPCC_TRY(newMirror(*host, *frame->device, array, bytes, frame->ledger, base));
    return takeRecordedError(frame->record);
  };
  NPCC_OR_FAIL(make());
  return base;
}

void npcc_rt_launch(npcc_kernel *kernel, int64_t grid_x, int64_t grid_y, int64_t grid_z, int64_t block_x,
                    int64_t block_y, int64_t block_z, int64_t shared_bytes, int32_t flags, void **params) {
  LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, (flags & 1) != 0,
                    (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0,
                    (flags & 16) != 0};
  Frame *frame;
  auto launch = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    if (grid_x == 0 || grid_y == 0 || grid_z == 0) // what comes beside it is to know that it was there
      return shape.begins ? frame->device->launch(*kernel, shape, params) : Status();
    NPCC_TRY(frame->device->launch(*kernel, shape, params));
    counters.launches.add(1);
    return {};
  };
  NPCC_OR_FAIL(launch());
}

int64_t *npcc_rt_error_record(void) {
  Frame *frame;
  NPCC_OR_FAIL(requireFrame(frame));
  int64_t *record = frame->device->errorRecord();
  return record ? record : frame->record;
}

int64_t npcc_rt_launch_number(void) {
  Frame *frame;
  NPCC_OR_FAIL(requireFrame(frame));
  return frame->device->launchNumber();
}

int64_t *npcc_rt_error_flag(void) {
  Frame *frame;
  NPCC_OR_FAIL(requireFrame(frame));
  return frame->device->errorFlag();
}

void npcc_rt_settle(void) {
  Frame *frame;
  NPCC_OR_FAIL(requireFrame(frame));
  NPCC_OR_FAIL(frame->device->settle());
}

int32_t npcc_rt_multiprocessors(void) { return context.frame ? context.frame->device->multiprocessors() : 1; }

void npcc_rt_await(int64_t address, int64_t low, int64_t high) {
  Frame *frame = context.frame;
  if (!frame || !frame->arriving)
    return;
  NPCC_OR_FAIL(frame->arriving->arrive(reinterpret_cast<const char *>(address), low, high));
}

void npcc_rt_written(int64_t address, int64_t low, int64_t high) {
  Frame *frame = context.frame;
  if (!frame || !frame->arriving)
    return;
  NPCC_OR_FAIL(frame->arriving->written(reinterpret_cast<const char *>(address), low, high));
}

static constexpr int64_t mostElementBytes = 16; // complex128

void npcc_rt_read(void *to, const void *from, int64_t bytes) {
  Frame *frame;
  auto read = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    // The devices of a group may write to each other's memory.
    bool isElement = bytes <= mostElementBytes && !frame->group;
    NPCC_TRY(isElement ? frame->device->readElement(to, from, bytes) : frame->device->copyOut(to, from, bytes));
    return takeRecordedError(frame->record);
  };
  NPCC_OR_FAIL(read());
}

void npcc_rt_write(void *to, const void *from, int64_t bytes) {
  Frame *frame;
  auto write = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    bool isElement = bytes <= mostElementBytes && !frame->group;
    return isElement ? frame->device->writeElement(to, from, bytes) : frame->device->copyIn(to, from, bytes);
  };
  NPCC_OR_FAIL(write());
}

void npcc_rt_matmul(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, const npcc_matrix *a,
                    const npcc_matrix *b, const npcc_matrix *c) {
  Frame *frame;
  auto multiply = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    if (m == 0 || n == 0)
      return {};
    return frame->device->matmul({dtype, m, n, k, result_dtype, (flags & NPCC_MATMUL_TF32) != 0}, *a, *b, *c);
  };
  NPCC_OR_FAIL(multiply());
}

void npcc_rt_matmul_epilogue(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, const npcc_matrix *a,
                             const npcc_matrix *b, const npcc_matrix *c, const npcc_epilogue *epilogue) {
  Frame *frame;
  auto multiply = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    if (m == 0 || n == 0)
      return {};
    if (!isNarrowFloat(result_dtype) && result_dtype != NPCC_FLOAT32 && result_dtype != NPCC_FLOAT64)
      return makeError(NPCC_TYPE_ERROR, "a product of dtype {} has no epilogue", result_dtype);
    return frame->device->matmulEpilogue({dtype, m, n, k, result_dtype, (flags & NPCC_MATMUL_TF32) != 0}, *a, *b, *c, *epilogue);
  };
  NPCC_OR_FAIL(multiply());
}

void npcc_rt_matmul_stack(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, int32_t rank,
                          const int64_t *extents, const npcc_matrix *a, const int64_t *a_strides, const npcc_matrix *b,
                          const int64_t *b_strides, const npcc_matrix *c, const int64_t *c_strides) {
  Frame *frame;
  auto multiply = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    MatmulShape shape{dtype, m, n, k, result_dtype, (flags & NPCC_MATMUL_TF32) != 0};
    return multiplyStacks(*frame->device, shape, rank, extents, {*a, a_strides}, {*b, b_strides}, {*c, c_strides});
  };
  NPCC_OR_FAIL(multiply());
}

int64_t npcc_rt_routine(const char *name, int32_t inputs, int32_t count, const npcc_array *operands) {
  Frame *frame;
  int64_t failed = 0;
  auto run = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    return callRoutine(*frame->device, name, inputs, count, operands, nullptr, failed);
  };
  NPCC_OR_FAIL(run());
  return failed;
}

void npcc_rt_routine_or_error(const char *name, int32_t inputs, int32_t count, const npcc_array *operands,
                              int32_t error, const char *message, const char *file, int32_t line) {
  Frame *frame;
  auto run = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    int64_t failed = 0;
    RoutineError raised{static_cast<npcc_error>(error), message, file, line};
    NPCC_TRY(callRoutine(*frame->device, name, inputs, count, operands, &raised, failed));
    return failed ? Status(raised.error, message, file, line) : Status();
  };
  NPCC_OR_FAIL(run());
}

// A frame is one run of a generated function on one device. Generated code calls back without naming a device or a
// stream: the thread's context does. A failure leaves the generated code by longjmp, so a function that may fail the
// frame must hold no object with a destructor at that point: it computes a Status first (NPCC_OR_FAIL).
#ifndef NPCC_RUNTIME_FRAME_H
#define NPCC_RUNTIME_FRAME_H

#include "runtime/Buffer.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/random.h"
#include <csetjmp>
#include <memory>
#include <vector>

namespace npcc::rt {

class Arguments;
class Group;
namespace debug {
class Shadow;
}

struct Frame {
  Device *device = nullptr;
  Ledger *ledger = nullptr;
  Group *group = nullptr;
  int32_t rank = 0;
  bool groupBroken = false; // it failed because another rank did
  Arguments *arriving = nullptr; // those that the code waits for itself; null: none is on its way
  // Errors that host code records the way kernels do (npcc_rt_error_record on the CPU).
  int64_t record[NPCC_RECORD_WORDS] = {};
  npcc_status status;
  // What the target "debug" has heard (debug/Shadow.h), from its first call on.
  debug::Shadow *shadow = nullptr;
  // Generators of random numbers: the caller's, and those that were made meanwhile.
  const npcc_call_options *options = nullptr;
  std::vector<std::shared_ptr<npcc_generator>> generators;
};

/// Where this thread is: in which frame, and where a failure goes. A thread that runs a chunk of another thread's
/// parallel_for is in that thread's frame but fails to its own chunk.
struct Context {
  Frame *frame = nullptr;
  jmp_buf *landing = nullptr;
  npcc_status *status = nullptr;
};

// Initial-exec: retain and release read it on every call. The library is small enough for the static TLS surplus.
extern thread_local constinit Context context __attribute__((tls_model("initial-exec")));

inline Ledger *currentLedger() { return context.frame ? context.frame->ledger : nullptr; }

/// Runs `entry` inside `frame` (device, group and rank are set): false if it failed, with frame.status set and
/// everything it allocated released.
bool runFrame(Frame &frame, npcc_entry entry, void **slots);

/// Calls body(argument) so that a failure in it returns here: false, and `status` says why.
bool catchFailure(Frame *frame, npcc_status &status, void (*body)(void *argument), void *argument);

/// Stores a failure for leaveFrame; true on success.
bool report(const Status &status);
[[noreturn]] void leaveFrame();

/// RuntimeError outside a frame.
Status requireFrame(Frame *&frame);

/// Takes an error that was recorded in `record` (npcc_rt_error_record) and clears it.
Status takeRecordedError(int64_t *record);

} // namespace npcc::rt

/// In a function of part 3: leaves the frame unless `expression`, a Status, is a success. The braces end the lives of
/// all temporaries before the jump.
#define NPCC_OR_FAIL(expression)                                                                                       \
  do {                                                                                                                 \
    if (!::npcc::rt::report(::npcc::rt::guarded([&]() -> ::npcc::rt::Status { return expression; })))                  \
      ::npcc::rt::leaveFrame();                                                                                        \
  } while (false)

#endif

#include "runtime/Frame.h"
#include "runtime/abi/routines.h"

using namespace npcc::rt;

void npcc_rt_sort(int32_t dtype, int32_t positions, int64_t lines, int64_t length, int64_t bound,
                  const void *in, void *out) {
  NPCC_OR_FAIL([&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    return frame->device->sort({dtype, positions != 0, lines, length, bound}, in, out);
  }());
}

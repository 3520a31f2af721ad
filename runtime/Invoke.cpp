#include "runtime/abi/calls.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/kept.h"
// What C programs call a generated function through.

static thread_local npcc_status last;

static int32_t chooseDevice(const npcc_function &function) {
  for (int32_t k = 0; k < function.variant_count; ++k)
    if (function.variants[k].target == NPCC_TARGET_CUDA && npcc_rt_cuda_device_count() > 0)
      return 0;
  return NPCC_CPU;
}

int32_t npcc_rt_invoke(const npcc_function *function, const npcc_value *args, npcc_value *results) {
  npcc_call_options options{chooseDevice(*function), 1, 0};
  npcc_rt_hold();
  last = npcc_rt_call(function, &options, args, results);
  npcc_rt_let_go();
  return last.error;
}

const char *npcc_rt_last_error(void) { return last.message; }

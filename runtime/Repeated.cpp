// npcc_rt_repeat: a call without what it would find out again. The launch of an own kernel is such a call: its host
// code is short, and checks, choice and descriptors would take several times as long.
#include "runtime/abi/repeated.h"
#include "runtime/Call.h"
#include "runtime/Element.h"
#include "runtime/Overlap.h"
#include "runtime/Trace.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <cstddef>
#include <cstring>
#include <vector>

namespace npcc::rt {
namespace {

std::vector<npcc_array> arraysOf(const npcc_function &function, const npcc_value *args) {
  std::vector<npcc_array> arrays(function.param_count);
  for (int32_t k = 0; k < function.param_count; ++k)
    if (function.params[k].kind == NPCC_ARRAY && args[k].a)
      arrays[k] = *args[k].a;
  return arrays;
}

std::vector<npcc_value> valuesOf(const npcc_function &function, const npcc_value *args,
                                 std::vector<npcc_array> &arrays) {
  std::vector<npcc_value> values(args, args + function.param_count);
  for (int32_t k = 0; k < function.param_count; ++k)
    if (function.params[k].kind == NPCC_ARRAY)
      values[k].a = &arrays[k];
  return values;
}

void copyArray(npcc_array &to, const npcc_array &from) {
  memcpy(&to, &from, offsetof(npcc_array, shape));
  std::copy_n(from.shape, from.rank, to.shape);
  std::copy_n(from.strides, from.rank, to.strides);
}

bool isSame(const npcc_array &a, const npcc_array &b) {
  size_t bytes = sizeof(int64_t) * static_cast<size_t>(a.rank);
  return a.base == b.base && a.data == b.data && a.dtype == b.dtype && a.rank == b.rank && a.device == b.device &&
         a.flags == b.flags && !memcmp(a.shape, b.shape, bytes) && !memcmp(a.strides, b.strides, bytes);
}

} // namespace
} // namespace npcc::rt

using namespace npcc::rt;

struct npcc_repeated {
  npcc_repeated(const npcc_function &function, const npcc_call_options &options, const npcc_value *args)
      : function(function), options(options), arrays(arraysOf(function, args)),
        values(valuesOf(function, args, arrays)), arguments(function, values.data()) {}

  /// Whether there is something to repeat.
  bool prepare() { return findDevice(options.device, device).ok() && !device->onHost() && bind(); }

  /// Finds out what a call with these arrays does; false where that is more than can be repeated.
  bool bind() {
    isBound = false;
    if (!arguments.bind(*device).ok())
      return false;
    for (int32_t k = 0; k < function.param_count; ++k)
      if (function.params[k].kind == NPCC_ARRAY && arguments.array(k).source)
        return false;
    slots.emplace(arguments);
    bool lacksAlternatives = false;
    variant = choose(arguments, device->target, false, *slots, lacksAlternatives);
    // The choice of alternatives looks at numbers too.
    isBound = variant && !variant->choice && !(variant->flags & NPCC_VARIANT_DISTRIBUTED);
    return isBound;
  }

  /// Takes the arguments; false where arrays are on another device, or no such code holds for them.
  bool take(const npcc_value *args) {
    for (int32_t k = 0; k < function.param_count; ++k) {
      const npcc_param &param = function.params[k];
      if (param.kind == NPCC_ARRAY) {
        const npcc_array &given = *args[k].a;
        if (given.device != device->id || given.dtype != param.dtype || given.rank != param.rank)
          return false;
        if (!isSame(arrays[k], given)) {
          copyArray(arrays[k], given);
          isBound = false;
        }
      } else if (memcmp(&values[k], &args[k], sizeof(npcc_value)) != 0) {
        bool isPythonInt = param.weak == 1 && param.dtype == NPCC_INT64;
        if (isBound && isPythonInt && (variant->assumptions & NPCC_ASSUME_SMALL_INTEGERS) &&
            (args[k].i < -(int64_t(1) << 31) || args[k].i > int64_t(1) << 31))
          return false;
        values[k] = args[k];
        storeScalar(slots->data()[k], param.dtype, args[k]);
      }
    }
    return isBound || bind();
  }

  Status run() {
    for (int32_t k = 0; k < function.param_count; ++k)
      if (function.params[k].kind == NPCC_ARRAY)
        NPCC_TRY(device->orderBuffer(arrays[k].base));
    Frame frame;
    frame.device = device;
    frame.options = &options;
    return runOn(frame, variant->entry, *slots, /*wait=*/false, /*isRecorded=*/false); // one launch is what it is
  }

  const npcc_function &function;
  const npcc_call_options options;
  std::vector<npcc_array> arrays; // by parameter
  std::vector<npcc_value> values;
  Arguments arguments;
  std::optional<Slots> slots;
  Device *device = nullptr;
  const npcc_variant *variant = nullptr;
  bool isBound = false; // the variant and the slots are those for the arrays
  std::atomic_flag isTaken;
};

npcc_repeated *npcc_rt_repeated_new(const npcc_function *function, const npcc_call_options *options,
                                    const npcc_value *args) {
  if (function->result_count || function->generator_count || options->device_count != 1 || options->device < 0)
    return nullptr;
  for (int32_t k = 0; k < function->param_count; ++k) {
    const npcc_param &param = function->params[k];
    if (param.kind == NPCC_GENERATOR || param.weak == NPCC_WEAK_STRING || (param.kind == NPCC_ARRAY && param.weak))
      return nullptr;
  }
  std::unique_ptr<npcc_repeated> made;
  Status status = guarded([&]() -> Status {
    made = std::make_unique<npcc_repeated>(*function, *options, args);
    if (!made->prepare())
      made.reset();
    return {};
  });
  return status.ok() ? made.release() : nullptr;
}

int32_t npcc_rt_repeat(npcc_repeated *repeated, const npcc_value *args, npcc_status *status) {
  // A call that is traced, or whose process has no GPU any longer, goes the long way.
  if (isOverlapping() || isTracing() || cuda::forkedAfterInit() ||
      repeated->isTaken.test_and_set(std::memory_order_acquire))
    return 0;
  bool isSame = repeated->take(args);
  if (isSame)
    *status = toC([&] { return repeated->run(); });
  repeated->isTaken.clear(std::memory_order_release);
  return isSame;
}

void npcc_rt_repeated_free(npcc_repeated *repeated) { delete repeated; }

// npcc_rt_call: bind, bring, choose a variant, run, bring back, give results.
#include "runtime/Call.h"
#include "runtime/Trace.h"
#include "runtime/abi/trace.h"
#include "runtime/comm/Group.h"
#include <algorithm>

namespace npcc::rt {
namespace {

Status fromC(const npcc_status &status) {
  return Status(static_cast<npcc_error>(status.error), status.message, status.file, status.line);
}

/// Whether code with some of its alternatives has those for these arguments.
bool hasAlternatives(const npcc_variant &variant, const Arguments &arguments, Slots &slots) {
  if (!variant.choice)
    return true;
  int32_t count = arguments.function.param_count;
  int8_t result = 0;
  InlineArray<void *, 24> pointers(count + 1);
  std::copy_n(slots.data(), count, pointers.data());
  pointers[count] = &result;
  variant.choice(pointers.data());
  return result != 0;
}

} // namespace

const npcc_variant *choose(const Arguments &arguments, npcc_target target, bool distributed, Slots &slots,
                           bool &lacksAlternatives) {
  const npcc_function &function = arguments.function;
  auto isWanted = [&](const npcc_variant &variant) {
    return variant.target == target && ((variant.flags & NPCC_VARIANT_DISTRIBUTED) != 0) == distributed;
  };
  const npcc_variant *lacking = nullptr, *other = nullptr;
  for (int32_t k = 0; k < function.variant_count; ++k) {
    const npcc_variant &variant = function.variants[k];
    if (!isWanted(variant) || !arguments.holds(variant))
      continue;
    if (!hasAlternatives(variant, arguments, slots)) {
      lacking = lacking ? lacking : &variant;
      continue;
    }
    if (!lacking || variant.assumptions == lacking->assumptions)
      return &variant;
    other = other ? other : &variant;
  }
  // Code with all alternatives that is there and assumes other extents shows that more alternatives would not help.
  for (int32_t k = 0; lacking && k < function.variant_count; ++k) {
    const npcc_variant &variant = function.variants[k];
    if (isWanted(variant) && variant.assumptions == lacking->assumptions && !variant.choice)
      return other;
  }
  lacksAlternatives = lacking;
  return distributed && !lacking ? choose(arguments, target, false, slots, lacksAlternatives) : nullptr;
}

Status runOn(Frame &frame, npcc_entry entry, Slots &slots, bool wait, bool isRecorded) {
  DeviceScope scope(*frame.device);
  if (isRecorded)
    frame.device->beginCall(reinterpret_cast<const void *>(entry));
  bool good = runFrame(frame, entry, slots.data());
  Status late = isRecorded ? frame.device->endCall() : Status();
  if (good && !wait && late.ok())
    return {};
  // What a kernel recorded came before whatever the host code ran into afterwards.
  if (Status recorded = frame.device->synchronize(); late.ok())
    late = std::move(recorded);
  if (good && !late.ok())
    slots.discardResults();
  if (!late.ok() || good)
    return late;
  return fromC(frame.status);
}

namespace {

struct Rank {
  Slots *slots;
  Status status;
  bool followsAnother = false; // it failed because another rank did
};

struct GroupRun {
  Group &group;
  npcc_entry entry;
  std::vector<Rank> ranks;
};

void runRank(int32_t k, void *argument) {
  auto &run = *static_cast<GroupRun *>(argument);
  Rank &rank = run.ranks[k];
  Frame frame;
  frame.device = &run.group.device(k);
  frame.group = &run.group;
  frame.rank = k;
  rank.status = guarded([&] { return runOn(frame, run.entry, *rank.slots, true); });
  rank.followsAnother = frame.groupBroken;
  if (rank.status.ok())
    run.group.leave();
  else
    run.group.breakUp(!rank.followsAnother);
}

/// Every rank sees the arrays where they are (on the first device); results are rank 0's.
Status runDistributed(const Arguments &arguments, const npcc_variant &variant, Device &home,
                      const std::vector<Device *> &devices, Slots &slots) {
  for (Device *device : devices) {
    for (Device *peer : devices)
      if (device != peer)
        NPCC_TRY(device->enablePeer(*peer));
  }
  // What was brought to the first device must have arrived before another one reads it.
  {
    DeviceScope scope(home);
    NPCC_TRY(home.synchronize());
  }
  Group group(devices);
  GroupRun run{group, variant.entry, std::vector<Rank>(devices.size())};
  std::vector<std::unique_ptr<Slots>> others;
  run.ranks[0].slots = &slots;
  for (size_t k = 1; k < devices.size(); ++k) {
    others.push_back(std::make_unique<Slots>(arguments));
    run.ranks[k].slots = others.back().get();
  }
  NPCC_TRY(runRanks(group.size(), runRank, &run));

  Rank *failed = nullptr;
  for (Rank &rank : run.ranks)
    if (!rank.status.ok() && (!failed || (failed->followsAnother && !rank.followsAnother)))
      failed = &rank;
  for (Rank &rank : run.ranks)
    if (rank.status.ok() && (failed || &rank != &run.ranks[0]))
      rank.slots->discardResults();
  return failed ? std::move(failed->status) : Status();
}

/// On the CPU, the devices of a group are logical ones; arrays stay where the caller has them.
Status devicesOf(const npcc_call_options &options, std::vector<Device *> &devices) {
  int32_t first = options.device == NPCC_CPU ? NPCC_LOGICAL_CPU : options.device;
  devices.resize(options.device_count);
  for (int32_t k = 0; k < options.device_count; ++k)
    NPCC_TRY(findDevice(first + k, devices[k]));
  return {};
}

Status runVariant(Arguments &arguments, const npcc_variant &variant, const npcc_call_options &options,
                  Device &home, bool overlaps, Device *&ranOn, Slots &slots) {
  ranOn = &home;
  if (variant.flags & NPCC_VARIANT_DISTRIBUTED) {
    NPCC_TRY(arguments.arrive());
    std::vector<Device *> devices;
    NPCC_TRY(devicesOf(options, devices));
    ranOn = devices[0];
    return runDistributed(arguments, variant, home, devices, slots);
  }
  Frame frame;
  frame.device = &home;
  frame.options = &options;
  if (!(variant.flags & NPCC_VARIANT_AWAITS))
    NPCC_TRY(arguments.arrive());
  else if (arguments.anyPassage())
    frame.arriving = &arguments;
  // The caller's memory may be page-locked, and then a copy from it may still be under way.
  return runOn(frame, variant.entry, slots, !overlaps && (!options.asynchronous || arguments.anyTransferred()));
}

/// Runs the function on the device of the options. `lacksAlternatives`: it did not, because it was not compiled for
/// these extents.
Status callOn(const npcc_function &function, const npcc_call_options &options, const npcc_value *args,
              npcc_value *results, bool &lacksAlternatives) {
  Device *home;
  NPCC_TRY(findDevice(options.device, home));
  DeviceScope scope(*home);
  bool overlaps = isOverlapping() && !home->onHost() && options.device_count == 1;
  if (overlaps)
    NPCC_TRY(beginOverlappedCall());
  Arguments arguments(function, args);
  NPCC_TRY(arguments.bind(*home));
  NPCC_TRY(arguments.bringIn());
  Slots slots(arguments);
  const npcc_variant *variant = choose(arguments, home->target, options.device_count > 1, slots, lacksAlternatives);
  if (lacksAlternatives)
    return {};
  if (!variant)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "{} was not compiled for {}", function.signature,
                     home->target == NPCC_TARGET_CUDA ? "cuda" : "these arguments on the cpu");
  Device *ranOn;
  Status status = runVariant(arguments, *variant, options, *home, overlaps, ranOn, slots);
  // What the code did not need.
  if (Status rest = arguments.arrive(); status.ok() && !rest.ok()) {
    slots.discardResults();
    return rest;
  }
  // In-place effects are the caller's, whether the function failed later or not.
  if (arguments.anyTransferred()) {
    Status back = arguments.bringBack(overlaps);
    if (status.ok() && !back.ok()) {
      slots.discardResults();
      return back;
    }
  }
  NPCC_TRY(std::move(status));
  return giveResults(arguments, slots, *ranOn, overlaps, results);
}

bool hasVariant(const npcc_function &function, npcc_target target) {
  return std::any_of(function.variants, function.variants + function.variant_count,
                     [&](const npcc_variant &variant) { return variant.target == target; });
}

/// Whether the host is to run a call that was meant for a GPU: there is code for that (NPCC_VARIANT_MOVED), which is
/// for calls like this one, and no array is on a device.
Status findMoved(const npcc_function &function, const npcc_value *args, bool &isMoved) {
  isMoved = false;
  Device *host;
  NPCC_TRY(findDevice(NPCC_CPU, host));
  Arguments arguments(function, args);
  NPCC_TRY(arguments.bind(*host));
  if (!arguments.allOnHost())
    return {};
  Slots slots(arguments);
  bool lacksAlternatives = false;
  isMoved = choose(arguments, host->target, false, slots, lacksAlternatives);
  return {};
}

Status callFunction(const npcc_function &function, const npcc_call_options &options, const npcc_value *args,
                    npcc_value *results) {
  if (options.device_count < 1)
    return makeError(NPCC_VALUE_ERROR, "device_count is {}", options.device_count);
  npcc_call_options chosen = options;
  bool lacksAlternatives = false;
  auto isMovedCode = [](const npcc_variant &variant) { return (variant.flags & NPCC_VARIANT_MOVED) != 0; };
  if (options.device >= 0 && options.device_count == 1 &&
      std::any_of(function.variants, function.variants + function.variant_count, isMovedCode)) {
    bool isMoved;
    NPCC_TRY(findMoved(function, args, isMoved));
    if (isMoved)
      chosen.device = NPCC_CPU;
    else
      lacksAlternatives = !hasVariant(function, NPCC_TARGET_CUDA);
  }
  if (!lacksAlternatives)
    NPCC_TRY(callOn(function, chosen, args, results, lacksAlternatives));
  if (lacksAlternatives)
    return makeError(NPCC_OTHER_ALTERNATIVES, "{} was not compiled for these extents", function.signature);
  return {};
}

/// The function's signature and place, where somebody records.
std::string traceLabel(const npcc_function &function) {
  return isTracing() ? fmt::format("{}\t{}:{}", function.signature, function.file ? function.file : "", function.line) : std::string();
}

} // namespace
} // namespace npcc::rt

using namespace npcc::rt;

npcc_status npcc_rt_call(const npcc_function *function, const npcc_call_options *options, const npcc_value *args,
                         npcc_value *results) {
  npcc::rt::HostSpan span(NPCC_TRACE_CALL, traceLabel(*function).c_str());
  return toC([&] { return callFunction(*function, *options, args, results); });
}

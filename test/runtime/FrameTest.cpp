// Frames: what a failure leaves behind, and what it says.
#include "Fixture.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/frame.h"

static void *held;

static void allocateAndFail(void **) {
  npcc_rt_alloc(100);
  held = npcc_rt_alloc(1 << 20);
  npcc_rt_retain(held);
  npcc_rt_release(npcc_rt_alloc(8));
  npcc_rt_fail(NPCC_VALUE_ERROR, "no", "model.py", 12);
}

DEVICE_TEST(failureReleasesWhatTheFrameHolds) {
  int64_t live = counters().live_buffers, inUse = counters().bytes_in_use;
  TestFunction function({}, {});
  function.variant(targetOf(device), allocateAndFail);
  for (int round = 0; round < 3; ++round) {
    npcc_status status = function.call(device, {});
    CHECK_ERROR(status, NPCC_VALUE_ERROR, "no");
    CHECK_EQ(std::string(status.file), "model.py");
    CHECK_EQ(status.line, 12);
    CHECK_EQ(npcc_rt_refcount(held), 0);
  }
  CHECK_EQ(counters().live_buffers, live);
  CHECK_EQ(counters().bytes_in_use, inUse);
}

static void retainArgumentAndFail(void **slots) {
  for (int k = 0; k < 3; ++k)
    npcc_rt_retain(memref<1>(slots, 0).allocated);
  npcc_rt_release(memref<1>(slots, 0).allocated);
  npcc_rt_fail(NPCC_RUNTIME_ERROR, "late", nullptr, 0);
}

DEVICE_TEST(failureDropsReferencesToArguments) {
  OwnedArray a(device, NPCC_FLOAT64, {4});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(targetOf(device), retainArgumentAndFail);
  CHECK_ERROR(function.call(device, {value(a.array)}), NPCC_RUNTIME_ERROR, "late");
  CHECK_EQ(npcc_rt_refcount(a.array.base), 1);
}

static void failIndex(void **) { npcc_rt_fail_index(7, 0, 5, "model.py", 3); }
static void failNegativeIndex(void **) { npcc_rt_fail_index(-6, 1, 5, "model.py", 3); }
static void failBroadcast(void **) {
  int64_t ranks[] = {1, 2, 0}, extents[] = {3, 4, 5};
  npcc_rt_fail_broadcast(3, ranks, extents, "model.py", 4);
}
static void failWithLongText(void **) {
  static char text[801];
  for (int k = 0; k < 400; ++k)
    memcpy(text + 2 * k, "\xc3\xa9", 2); // two bytes a character
  npcc_rt_fail(NPCC_VALUE_ERROR, text, "", 0);
}

TEST(failuresHaveNumpysWords) {
  auto call = [](npcc_entry entry) {
    TestFunction function({}, {});
    return function.variant(NPCC_TARGET_CPU, entry).call(NPCC_CPU, {});
  };
  npcc_status status = call(failIndex);
  CHECK_EQ(status.error, int32_t(NPCC_INDEX_ERROR));
  CHECK_EQ(std::string(status.message), "index 7 is out of bounds for axis 0 with size 5");
  status = call(failNegativeIndex);
  CHECK_EQ(std::string(status.message), "index -6 is out of bounds for axis 1 with size 5");
  status = call(failBroadcast);
  CHECK_EQ(status.error, int32_t(NPCC_VALUE_ERROR));
  CHECK_EQ(std::string(status.message), "operands could not be broadcast together with shapes (3,) (4,5) () ");
  CHECK_EQ(status.line, 4);
  status = call(failWithLongText);
  size_t length = strlen(status.message);
  CHECK(length >= 500 && length % 2 == 0); // whole characters only
}

static void failStore(void **) {
  int64_t from[] = {3}, to[] = {2, 4};
  npcc_rt_fail_broadcast_store(NPCC_STORE_ASSIGNMENT, 1, from, 2, to, "model.py", 8);
}
static void failOutput(void **) {
  int64_t from[] = {3}, to[] = {1};
  npcc_rt_fail_broadcast_store(NPCC_STORE_OUTPUT, 1, from, 1, to, "model.py", 8);
}
static void failPositions(void **) {
  int64_t from[] = {3}, to[] = {1};
  npcc_rt_fail_broadcast_store(NPCC_STORE_POSITIONS, 1, from, 1, to, "model.py", 8);
}
static void failFormatted(void **) {
  int64_t args[] = {-7, 12};
  npcc_rt_fail_format(NPCC_VALUE_ERROR, "{1} of {0}, {2} and {x} stay", 2, args, "model.py", 9);
}
static void recordFormatted(void **) {
  int64_t *record = npcc_rt_error_record();
  const int64_t values[] = {NPCC_VALUE_ERROR, 3, 10, 20, 30, 0, reinterpret_cast<int64_t>("{2} {0} {1}"), 0};
  for (int k = 8; k-- > 0;)
    record[k] = values[k];
}

TEST(failuresWithArguments) {
  auto message = [](npcc_entry entry) {
    TestFunction function({}, {});
    npcc_status status = function.variant(NPCC_TARGET_CPU, entry).call(NPCC_CPU, {});
    CHECK_EQ(status.error, int32_t(NPCC_VALUE_ERROR));
    return std::string(status.message);
  };
  CHECK_EQ(message(failStore), "could not broadcast input array from shape (3,) into shape (2,4)");
  CHECK_EQ(message(failOutput), "non-broadcastable output operand with shape (1,) doesn't match the broadcast shape (3,)");
  CHECK_EQ(message(failPositions),
           "shape mismatch: value array of shape (3,) could not be broadcast to indexing result of shape (1,)");
  CHECK_EQ(message(failFormatted), "12 of -7, {2} and {x} stay");
  CHECK_EQ(message(recordFormatted), "30 10 20");
}

TEST(cProgramsCallWithoutOptions) {
  TestFunction good({}, {}), bad({}, {});
  bad.variant(NPCC_TARGET_CPU, failFormatted);
  good.variant(NPCC_TARGET_CPU, [](void **) {});
  CHECK_EQ(npcc_rt_invoke(bad.get(), nullptr, nullptr), int32_t(NPCC_VALUE_ERROR));
  CHECK_EQ(std::string(npcc_rt_last_error()), "12 of -7, {2} and {x} stay");
  CHECK_EQ(npcc_rt_invoke(good.get(), nullptr, nullptr), int32_t(NPCC_OK));
  CHECK_EQ(std::string(npcc_rt_last_error()), "");
}

static void allocateTwice(void **) {
  npcc_rt_alloc(1000);
  npcc_rt_release(npcc_rt_alloc(2000));
  npcc_rt_fail(NPCC_RUNTIME_ERROR, "both were allocated", nullptr, 0);
}

DEVICE_TEST(allocationFailureInAFrame) {
  int64_t live = counters().live_buffers;
  TestFunction function({}, {});
  function.variant(targetOf(device), allocateTwice);
  for (int k : {1, 2}) {
    npcc_rt_fail_allocation(device, k);
    CHECK_ERROR(function.call(device, {}), NPCC_MEMORY_ERROR, k == 1 ? "requested 1000 B" : "requested 1.95 KiB");
    CHECK_EQ(counters().live_buffers, live);
  }
  CHECK_ERROR(function.call(device, {}), NPCC_RUNTIME_ERROR, "both were allocated");
  CHECK_EQ(counters().live_buffers, live);
}

static int32_t nestedDevice;
static int64_t refcountInside, refcountAfter;
static bool outerFails;

static void outer(void **slots) {
  // The inner function's result becomes this frame's, to be released with it.
  TestFunction *inner = new TestFunction({arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 1)},
                                         {arrayParam(NPCC_FLOAT64, 1)});
  inner->variant(targetOf(nestedDevice), addEntry.of(nestedDevice));
  auto &a = memref<1>(slots, 0);
  npcc_array argument = describe(a.allocated, a.aligned, NPCC_FLOAT64, nestedDevice, {a.sizes[0]}, {a.strides[0]});
  npcc_array result;
  npcc_value args[] = {value(argument), value(argument)}, results[] = {value(result)};
  npcc_call_options options{nestedDevice, 1, 0, 0, nullptr};
  npcc_status status = npcc_rt_call(inner->get(), &options, args, results);
  delete inner;
  if (status.error)
    npcc_rt_fail(status.error, status.message, status.file, status.line);
  held = result.base;
  refcountInside = npcc_rt_refcount(held);
  if (outerFails)
    npcc_rt_fail(NPCC_RUNTIME_ERROR, "outer", nullptr, 0);
  npcc_rt_release(held);
  refcountAfter = npcc_rt_refcount(held);
}

DEVICE_TEST(callsNest) {
  int64_t live = counters().live_buffers;
  {
    nestedDevice = device;
    OwnedArray a(device, NPCC_FLOAT64, {10});
    fill(a.array, iota<double>(10));
    TestFunction function({arrayParam(NPCC_FLOAT64, 1)}, {});
    function.variant(targetOf(device), outer);
    outerFails = false;
    CHECK_OK(function.call(device, {value(a.array)}));
    CHECK_EQ(refcountInside, 1);
    CHECK_EQ(refcountAfter, 0);
    outerFails = true;
    CHECK_ERROR(function.call(device, {value(a.array)}), NPCC_RUNTIME_ERROR, "outer");
    CHECK_EQ(npcc_rt_refcount(held), 0);
    CHECK_EQ(npcc_rt_refcount(a.array.base), 1);
  }
  CHECK_EQ(counters().live_buffers, live);
}

static void recordOnHost(void **) {
  int64_t *record = npcc_rt_error_record();
  record[0] = NPCC_ZERO_DIVISION_ERROR;
  record[1] = 9;
  record[5] = reinterpret_cast<int64_t>("model.py");
}

TEST(recordedErrorsFailFramesOnTheCpu) {
  TestFunction function({}, {});
  npcc_status status = function.variant(NPCC_TARGET_CPU, recordOnHost).call(NPCC_CPU, {});
  CHECK_ERROR(status, NPCC_ZERO_DIVISION_ERROR, "division by zero");
  CHECK_EQ(status.line, 9);
  CHECK_EQ(std::string(status.file), "model.py");
}

static void readAndWrite(void **slots) {
  auto &a = memref<1>(slots, 0);
  double first = 0;
  npcc_rt_read(&first, a.at<double>(), 8);
  first *= 10;
  npcc_rt_write(a.at<double>() + 1, &first, 8);
}

DEVICE_TEST(scalarsMoveBothWays) {
  OwnedArray a(device, NPCC_FLOAT64, {2});
  fill(a.array, std::vector<double>{4, 0});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  CHECK_OK(function.variant(targetOf(device), readAndWrite).call(device, {value(a.array)}));
  CHECK_EQ(fetch<double>(a.array)[1], 40.0);
}

// npcc_rt_call: variants, scalars, transfers, aliasing, results.
#include "Fixture.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/frame.h"
#include <algorithm>
#include <chrono>
#include <cmath>

static int chosen;
template <int k>
static void choose(void **) {
  chosen = k;
}

static npcc_array hostView(std::vector<double> &data, int64_t offset, Extents shape, Extents strides) {
  return describe(data.data(), data.data() + offset, NPCC_FLOAT64, NPCC_CPU, shape, strides);
}

TEST(variantsAreChosenByTheirAssumptions) {
  std::vector<double> data(100);
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1), arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CUDA, choose<0>)
      .variant(NPCC_TARGET_CPU, choose<1>, NPCC_ASSUME_CONTIGUOUS | NPCC_ASSUME_NO_ALIAS, {{0, 0, 1, 0}})
      .variant(NPCC_TARGET_CPU, choose<2>, NPCC_ASSUME_CONTIGUOUS | NPCC_ASSUME_NO_ALIAS)
      .variant(NPCC_TARGET_CPU, choose<3>, NPCC_ASSUME_NO_ALIAS)
      .variant(NPCC_TARGET_CPU, choose<4>);
  auto call = [&](npcc_array a, npcc_array b) {
    chosen = -1;
    CHECK_OK(function.call(NPCC_CPU, {value(a), value(b)}));
    return chosen;
  };
  CHECK_EQ(call(hostView(data, 0, {10}, {1}), hostView(data, 10, {10}, {1})), 1);
  CHECK_EQ(call(hostView(data, 0, {10}, {1}), hostView(data, 10, {11}, {1})), 2);
  CHECK_EQ(call(hostView(data, 0, {10}, {2}), hostView(data, 20, {10}, {1})), 3);
  CHECK_EQ(call(hostView(data, 0, {10}, {1}), hostView(data, 9, {10}, {1})), 4);
  CHECK_EQ(call(hostView(data, 9, {10}, {-1}), hostView(data, 0, {1}, {1})), 4);
  CHECK_EQ(call(hostView(data, 9, {1}, {-5}), hostView(data, 20, {1}, {7})), 1); // one element is contiguous
  CHECK_EQ(call(hostView(data, 0, {0}, {3}), hostView(data, 0, {0}, {1})), 1);   // and so is none
  npcc_array odd = hostView(data, 0, {10}, {1});
  odd.data = static_cast<char *>(odd.data) + 4; // not aligned to its element
  CHECK_EQ(call(odd, hostView(data, 20, {10}, {1})), 3);
}

/// No call takes the alternatives.
static void refuse(void **slots) { *static_cast<int8_t *>(slots[1]) = 0; }

TEST(moreAlternativesAreAskedForWhereTheyWouldHelp) {
  std::vector<double> data(100);
  npcc_array array = hostView(data, 0, {5, 10}, {10, 1});
  auto call = [&](TestFunction &function) {
    chosen = -1;
    npcc_status status = function.call(NPCC_CPU, {value(array)});
    return status.error == NPCC_OTHER_ALTERNATIVES ? -2 : chosen;
  };
  TestFunction partial({arrayParam(NPCC_FLOAT64, 2)}, {});
  partial.variant(NPCC_TARGET_CPU, choose<0>, NPCC_ASSUME_NO_ALIAS).choice(refuse).variant(NPCC_TARGET_CPU, choose<1>);
  CHECK_EQ(call(partial), -2);
  // What has all alternatives assumes that the extents are equal.
  TestFunction other({arrayParam(NPCC_FLOAT64, 2)}, {});
  other.variant(NPCC_TARGET_CPU, choose<0>, NPCC_ASSUME_NO_ALIAS)
      .choice(refuse)
      .variant(NPCC_TARGET_CPU, choose<1>, NPCC_ASSUME_NO_ALIAS, {{0, 0, 0, 1}})
      .variant(NPCC_TARGET_CPU, choose<2>);
  CHECK_EQ(call(other), 2);
}

TEST(interleavedArgumentsDoNotOverlap) {
  std::vector<double> data(100);
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), arrayParam(NPCC_FLOAT64, 2)}, {});
  function.variant(NPCC_TARGET_CPU, choose<1>, NPCC_ASSUME_NO_ALIAS).variant(NPCC_TARGET_CPU, choose<2>);
  auto call = [&](npcc_array a, npcc_array b) {
    chosen = -1;
    CHECK_OK(function.call(NPCC_CPU, {value(a), value(b)}));
    return chosen;
  };
  // Records of 5 numbers: a field of two, and others beside it.
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 3, {10, 2}, {5, 1})), 1);
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 0, {10, 1}, {5, 1})), 1);
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 48, {4, 2}, {-10, 1})), 1); // every second one, from the end
  CHECK_EQ(call(hostView(data, 47, {10, 2}, {-5, -1}), hostView(data, 3, {10, 1}, {5, 1})), 1);
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 2, {10, 2}, {5, 1})), 2); // one number is of both
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 9, {8, 3}, {5, 1})), 2);  // over the end of a record
  CHECK_EQ(call(hostView(data, 1, {10, 2}, {5, 1}), hostView(data, 3, {10, 1}, {4, 1})), 2); // at other distances
  CHECK_EQ(call(hostView(data, 0, {3, 3}, {20, 5}), hostView(data, 1, {3, 3}, {20, 5})), 1); // rows of them
}

TEST(viewsNeedNotBeContiguous) {
  std::vector<double> data(100);
  TestFunction::Param view = arrayParam(NPCC_FLOAT64, 1);
  view.isView = true;
  TestFunction function({view, arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CPU, choose<1>, NPCC_ASSUME_CONTIGUOUS).variant(NPCC_TARGET_CPU, choose<2>);
  auto call = [&](npcc_array a, npcc_array b) {
    chosen = -1;
    CHECK_OK(function.call(NPCC_CPU, {value(a), value(b)}));
    return chosen;
  };
  CHECK_EQ(call(hostView(data, 0, {10}, {3}), hostView(data, 50, {10}, {1})), 1);
  CHECK_EQ(call(hostView(data, 0, {10}, {3}), hostView(data, 50, {10}, {2})), 2);
  npcc_array odd = hostView(data, 0, {10}, {3});
  odd.data = static_cast<char *>(odd.data) + 4;
  CHECK_EQ(call(odd, hostView(data, 50, {10}, {1})), 2);
}

TEST(largeIntegersAreForTheVariantThatExpectsThem) {
  TestFunction::Param integer = scalarParam(NPCC_INT64), numpys = scalarParam(NPCC_INT64);
  integer.weak = 1;
  TestFunction function({integer, numpys}, {});
  function.variant(NPCC_TARGET_CPU, choose<5>, NPCC_ASSUME_SMALL_INTEGERS).variant(NPCC_TARGET_CPU, choose<6>);
  auto call = [&](int64_t python, int64_t numpy) {
    chosen = -1;
    CHECK_OK(function.call(NPCC_CPU, {value(python), value(numpy)}));
    return chosen;
  };
  const int64_t limit = int64_t(1) << 31;
  CHECK_EQ(call(7, limit * 4), 5); // a NumPy scalar wraps around by itself
  CHECK_EQ(call(limit, 0), 5);
  CHECK_EQ(call(-limit, 0), 5);
  CHECK_EQ(call(limit + 1, 0), 6);
  CHECK_EQ(call(-limit - 1, 0), 6);
}

/// The bases that the entry sees.
static void lookAtBases(void **slots) {
  chosen = (*static_cast<int64_t *>(slots[0]) < 0) + 2 * (*static_cast<int64_t *>(slots[1]) < 0);
}

TEST(readOnlyArgumentsAreMarkedForTheVariantThatLooks) {
  std::vector<double> data(20);
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1), arrayParam(NPCC_FLOAT64, 1)}, {});
  function.variant(NPCC_TARGET_CPU, choose<9>, NPCC_ASSUME_WRITABLE).variant(NPCC_TARGET_CPU, lookAtBases);
  npcc_array written = hostView(data, 0, {10}, {1}), read = hostView(data, 10, {10}, {1});
  read.flags = NPCC_READONLY;
  CHECK_OK(function.call(NPCC_CPU, {value(written), value(read)}));
  CHECK_EQ(chosen, 9);
  written.flags = NPCC_READONLY;
  CHECK_OK(function.call(NPCC_CPU, {value(written), value(read)}));
  CHECK_EQ(chosen, 1);
}

TEST(argumentsAreChecked) {
  std::vector<double> data(10);
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1, 1u)}, {});
  function.variant(NPCC_TARGET_CPU, choose<1>);
  npcc_array good = hostView(data, 0, {1, 10}, {10, 1}), wrong = good;
  CHECK_OK(function.call(NPCC_CPU, {value(good)}));
  wrong.dtype = NPCC_FLOAT32;
  CHECK_ERROR(function.call(NPCC_CPU, {value(wrong)}), NPCC_TYPE_ERROR, "argument x is not a float64 array of rank 2");
  wrong = good;
  wrong.rank = 1;
  CHECK_ERROR(function.call(NPCC_CPU, {value(wrong)}), NPCC_TYPE_ERROR, "rank 2");
  wrong = hostView(data, 0, {2, 5}, {5, 1});
  CHECK_ERROR(function.call(NPCC_CPU, {value(wrong)}), NPCC_TYPE_ERROR, "extent 1");
  npcc_call_options options{NPCC_CPU, 0, 0, 0, nullptr};
  npcc_value argument = value(good);
  CHECK_ERROR(npcc_rt_call(function.get(), &options, &argument, nullptr), NPCC_VALUE_ERROR, "device_count");
  TestFunction none({}, {});
  CHECK_ERROR(none.variant(NPCC_TARGET_CUDA, choose<0>).call(NPCC_CPU, {}), NPCC_NOT_IMPLEMENTED_ERROR,
              "not compiled for");
}

/// Copies scalars of every dtype from the parameters to the results.
static void echo(void **slots) {
  static const npcc_dtype all[] = {NPCC_BOOL,   NPCC_INT8,    NPCC_INT16,   NPCC_INT32,   NPCC_INT64,
                                   NPCC_UINT8,  NPCC_UINT16,  NPCC_UINT32,  NPCC_UINT64,  NPCC_FLOAT16,
                                   NPCC_FLOAT32, NPCC_FLOAT64, NPCC_COMPLEX64, NPCC_COMPLEX128, NPCC_BFLOAT16};
  for (int k = 0; k < NPCC_DTYPE_COUNT; ++k)
    memcpy(slots[NPCC_DTYPE_COUNT + k], slots[k], npcc_rt_dtype_size(all[k]));
}

TEST(scalarsOfEveryDtype) {
  std::vector<TestFunction::Param> params;
  for (int k = 0; k < NPCC_DTYPE_COUNT; ++k)
    params.push_back(scalarParam(k));
  TestFunction function(params, params);
  function.variant(NPCC_TARGET_CPU, echo);
  std::vector<npcc_value> args(NPCC_DTYPE_COUNT), results(NPCC_DTYPE_COUNT);
  args[0].i = 1;
  for (int k = 1; k <= 4; ++k)
    args[k].i = k == 1 ? INT8_MIN : k == 2 ? INT16_MIN : k == 3 ? INT32_MIN : INT64_MIN;
  for (int k = 5; k <= 8; ++k)
    args[k].u = UINT64_MAX >> (64 - (8 << (k - 5)));
  args[9].f = 65504;
  args[10].f = 0.1f;
  args[11].f = 0.1;
  args[12].c = {0.1f, -2.5};
  args[13].c = {0.1, 3e300};
  args[14].f = -0x1.fep127;
  CHECK_OK(function.call(NPCC_CPU, args, results));
  for (int k = 0; k < 9; ++k)
    CHECK_EQ(results[k].u, args[k].u);
  for (int k = 9; k < 12; ++k)
    CHECK_EQ(results[k].f, args[k].f);
  for (int k = 12; k < 14; ++k) {
    CHECK_EQ(results[k].c.re, args[k].c.re);
    CHECK_EQ(results[k].c.im, args[k].c.im);
  }
  CHECK_EQ(results[14].f, args[14].f);
}

static void echoHalf(void **slots) { memcpy(slots[1], slots[0], 2); }

TEST(float16RoundsToNearestEven) {
  TestFunction function({scalarParam(NPCC_FLOAT16)}, {scalarParam(NPCC_FLOAT16)});
  function.variant(NPCC_TARGET_CPU, echoHalf);
  auto round = [&](double x) {
    std::vector<npcc_value> results(1);
    CHECK_OK(function.call(NPCC_CPU, {value(x)}, results));
    return results[0].f;
  };
  CHECK_EQ(round(2049), 2048.0); // a tie
  CHECK_EQ(round(2051), 2052.0);
  CHECK_EQ(round(65519.99), 65504.0);
  CHECK_EQ(round(65520), HUGE_VAL);
  CHECK_EQ(round(-1e9), -HUGE_VAL);
  CHECK_EQ(round(std::ldexp(1, -25)), 0.0);
  CHECK_EQ(round(std::ldexp(1.5, -25)), std::ldexp(1, -24));
  CHECK_EQ(round(std::ldexp(2047, -25)), std::ldexp(1, -14)); // rounds up out of the subnormals
  CHECK_EQ(round(0.1), 0.0999755859375);
  CHECK(std::isnan(round(std::nan(""))));
}

/// Every combination of where the array lives and where the function runs; strided, in place.
DEVICE_TEST(arraysAreBroughtAndTakenBack) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), scalarParam(NPCC_FLOAT64)}, {});
  function.variant(targetOf(device), scaleEntry.of(device));
  std::vector<int32_t> homes = {NPCC_CPU, NPCC_LOGICAL_CPU + 1, device};
  if (npcc_rt_cuda_device_count() > 0)
    homes.push_back(npcc_rt_cuda_device_count() - 1);
  for (int32_t home : homes) {
    OwnedArray whole(home, NPCC_FLOAT64, {6, 8});
    fill(whole.array, iota<double>(48));
    // whole[5:0:-2, 1:8:3]
    npcc_array view = describe(whole.array.base, static_cast<double *>(whole.array.data) + 5 * 8 + 1, NPCC_FLOAT64,
                               home, {3, 3}, {-16, 3});
    CHECK_OK(function.call(device, {value(view), value(2.0)}));
    std::vector<double> got = fetch<double>(whole.array);
    for (int64_t k = 0; k < 48; ++k) {
      bool inView = (k / 8) % 2 == 1 && (k % 8) % 3 == 1;
      CHECK_EQ(got[k], inView ? 2.0 * k + 1 : double(k));
    }
    npcc_array empty = describe(whole.array.base, whole.array.data, NPCC_FLOAT64, home, {0, 5}, {8, 1});
    CHECK_OK(function.call(device, {value(empty), value(2.0)}));
  }
}

/// to[i] = from[i] + 1 in order, over overlapping arrays: what one store writes the next load must see.
DEVICE_TEST(overlappingArgumentsOverlapOnTheDevice) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(targetOf(device), sequentialEntry.of(device));
  std::vector<double> data(20, 0.0);
  data[0] = 100;
  data[19] = -1;
  npcc_array from = hostView(data, 0, {10}, {1}), to = hostView(data, 1, {10}, {1});
  CHECK_OK(function.call(device, {value(from), value(to)}));
  for (int k = 0; k <= 10; ++k)
    CHECK_EQ(data[k], 100.0 + k);
  CHECK_EQ(data[11], 0.0);
  // Interleaved views cover each other's bytes but share no element; what lies between is nobody's.
  for (int k = 0; k < 20; ++k)
    data[k] = k;
  from = hostView(data, 0, {5}, {4});
  to = hostView(data, 17, {5}, {-4});
  CHECK_OK(function.call(device, {value(from), value(to)}));
  for (int k = 0; k < 20; ++k)
    CHECK_EQ(data[k], k % 4 == 1 ? double(17 - k + 1) : double(k));
  // The same array twice.
  from = to = hostView(data, 0, {20}, {1});
  std::vector<double> before = data;
  CHECK_OK(function.call(device, {value(from), value(to)}));
  for (int k = 0; k < 20; ++k)
    CHECK_EQ(data[k], before[k] + 1);
}

DEVICE_TEST(newResultsGoWhereTheArgumentsAre) {
  int64_t live = counters().live_buffers;
  TestFunction function({arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 1)}, {arrayParam(NPCC_FLOAT64, 1)});
  function.variant(targetOf(device), addEntry.of(device));
  {
    std::vector<double> a = iota<double>(1000), b = iota<double>(1000, 5);
    npcc_array aArray = hostView(a, 0, {500}, {2}), bArray = hostView(b, 999, {500}, {-1}), result;
    std::vector<npcc_value> results = {value(result)};
    CHECK_OK(function.call(device, {value(aArray), value(bArray)}, results));
    CHECK_EQ(result.device, NPCC_CPU);
    CHECK_EQ(result.shape[0], 500);
    CHECK_EQ(npcc_rt_refcount(result.base), 1);
    for (int k = 0; k < 500; ++k)
      CHECK_EQ(static_cast<double *>(result.data)[k], 2.0 * k + 1004 - k);
    npcc_rt_release(result.base);

    // One argument on the device: the result stays there.
    OwnedArray onDevice(device, NPCC_FLOAT64, {500});
    fill(onDevice.array, iota<double>(500));
    CHECK_OK(function.call(device, {value(onDevice.array), value(bArray)}, results));
    CHECK_EQ(result.device, device);
    CHECK_EQ(fetch<double>(result)[3], 3 + 1001.0);
    npcc_rt_release(result.base);
  }
  CHECK_EQ(counters().live_buffers, live);
}

static int64_t viewOffset, viewExtents[2], viewStrides[2];

/// Returns a view of its argument, given in elements from the argument's first.
static void returnView(void **slots) {
  auto &a = memref<2>(slots, 0);
  auto &result = memref<2>(slots, 1);
  npcc_rt_retain(a.allocated);
  result.allocated = a.allocated;
  result.aligned = a.aligned;
  result.offset = a.offset + viewOffset;
  for (int k = 0; k < 2; ++k) {
    result.sizes[k] = viewExtents[k];
    result.strides[k] = viewStrides[k];
  }
}

/// The view as a function of the strides that the entry sees: axis steps instead of strides.
static int64_t startIndex[2], steps[2][2];
static void returnSlice(void **slots) {
  auto &a = memref<2>(slots, 0);
  viewOffset = startIndex[0] * a.strides[0] + startIndex[1] * a.strides[1];
  for (int k = 0; k < 2; ++k)
    viewStrides[k] = steps[k][0] * a.strides[0] + steps[k][1] * a.strides[1];
  returnView(slots);
}

DEVICE_TEST(viewsOfArgumentsAreViewsOfTheCallersArray) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1)}, {arrayParam(NPCC_FLOAT64, 2)});
  function.variant(targetOf(device), returnSlice);
  struct Case {
    int64_t start[2], steps[2][2], extents[2];
  };
  const Case cases[] = {
      {{0, 0}, {{1, 0}, {0, 1}}, {5, 7}},    // all of it
      {{0, 0}, {{0, 1}, {1, 0}}, {7, 5}},    // transposed
      {{4, 6}, {{-1, 0}, {0, -2}}, {5, 4}},  // reversed
      {{1, 2}, {{2, 0}, {0, 3}}, {2, 2}},    // sliced
      {{0, 0}, {{1, 1}, {0, 0}}, {5, 3}},    // the diagonal, broadcast
      {{0, 6}, {{1, -1}, {0, 0}}, {5, 1}},   // the other diagonal
      {{4, 0}, {{0, 5}, {-4, 0}}, {2, 2}},
      {{0, 0}, {{1, 0}, {0, 1}}, {0, 7}},    // empty
  };
  std::vector<double> data = iota<double>(300);
  // Contiguous, with gaps, reversed: each maps in its own way.
  const npcc_array callers[] = {hostView(data, 0, {5, 7}, {7, 1}), hostView(data, 3, {5, 7}, {40, 3}),
                                hostView(data, 299, {5, 7}, {-1, -6}), hostView(data, 9, {5, 7}, {1, 5})};
  int64_t live = counters().live_buffers;
  for (npcc_array caller : callers)
    for (const Case &c : cases) {
      for (int k = 0; k < 2; ++k) {
        startIndex[k] = c.start[k];
        viewExtents[k] = c.extents[k];
        steps[k][0] = c.steps[k][0];
        steps[k][1] = c.steps[k][1];
      }
      npcc_array result;
      std::vector<npcc_value> results = {value(result)};
      CHECK_OK(function.call(device, {value(caller)}, results));
      CHECK_EQ(result.base, caller.base);
      CHECK_EQ(result.device, NPCC_CPU);
      for (int64_t i = 0; i < c.extents[0]; ++i)
        for (int64_t j = 0; j < c.extents[1]; ++j) {
          int64_t row = c.start[0] + i * c.steps[0][0] + j * c.steps[1][0];
          int64_t column = c.start[1] + i * c.steps[0][1] + j * c.steps[1][1];
          CHECK_EQ(static_cast<double *>(result.data) + i * result.strides[0] + j * result.strides[1],
                   static_cast<double *>(caller.data) + row * caller.strides[0] + column * caller.strides[1]);
        }
    }
  CHECK_EQ(counters().live_buffers, live);
  // A device array of the caller's: its base, and no reference too many.
  OwnedArray own(device, NPCC_FLOAT64, {5, 7});
  npcc_array result;
  std::vector<npcc_value> results = {value(result)};
  CHECK_OK(function.call(device, {value(own.array)}, results));
  CHECK_EQ(result.base, own.array.base);
  CHECK_EQ(result.device, device);
  CHECK_EQ(npcc_rt_refcount(own.array.base), 1);
}

/// A reshape of the contiguous copy is a view there, but none of a strided caller's array: NumPy copies, and so do we.
static void returnFlat(void **slots) {
  auto &a = memref<2>(slots, 0);
  auto &result = memref<1>(slots, 1);
  npcc_rt_retain(a.allocated);
  result = {a.allocated, a.aligned, a.offset, {a.sizes[0] * a.sizes[1]}, {1}};
}

DEVICE_TEST(viewsThatTheCallersArrayHasNotAreCopied) {
  if (device == NPCC_CPU)
    return; // nothing is brought, so nothing was made contiguous
  TestFunction function({arrayParam(NPCC_FLOAT64, 2)}, {arrayParam(NPCC_FLOAT64, 1)});
  function.variant(targetOf(device), returnFlat);
  std::vector<double> data = iota<double>(100);
  npcc_array caller = hostView(data, 0, {4, 3}, {10, 2}), result;
  std::vector<npcc_value> results = {value(result)};
  CHECK_OK(function.call(device, {value(caller)}, results));
  CHECK(result.base != caller.base);
  CHECK_EQ(npcc_rt_refcount(result.base), 1);
  for (int k = 0; k < 12; ++k)
    CHECK_EQ(static_cast<double *>(result.data)[k], double(k / 3 * 10 + k % 3 * 2));
  npcc_rt_release(result.base);
  // A contiguous array lies as its copy does.
  npcc_array contiguous = hostView(data, 8, {4, 3}, {3, 1});
  CHECK_OK(function.call(device, {value(contiguous)}, results));
  CHECK_EQ(result.base, contiguous.base);
  CHECK_EQ(result.data, contiguous.data);
  CHECK_EQ(result.strides[0], 1);
}

/// Two results that share a base: row 0 and column 0 of a new 3 x 4 array, and the whole of it transposed.
static void returnShared(void **slots) {
  void *base = npcc_rt_alloc(12 * 8);
  npcc_rt_retain(base);
  double values[12];
  for (int k = 0; k < 12; ++k)
    values[k] = k;
  npcc_rt_write(base, values, sizeof(values));
  memref<1>(slots, 0) = {base, static_cast<char *>(base), 1, {3}, {4}};
  memref<2>(slots, 1) = {base, static_cast<char *>(base), 0, {4, 3}, {1, 4}};
}

DEVICE_TEST(resultsThatShareMemoryGoOnSharingIt) {
  int64_t live = counters().live_buffers;
  TestFunction function({}, {arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 2)});
  function.variant(targetOf(device), returnShared);
  npcc_array column, whole;
  std::vector<npcc_value> results = {value(column), value(whole)};
  CHECK_OK(function.call(device, {}, results));
  CHECK_EQ(column.device, NPCC_CPU);
  CHECK_EQ(column.base, whole.base);
  CHECK_EQ(npcc_rt_refcount(whole.base), 2);
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(static_cast<double *>(column.data)[i * column.strides[0]], 4.0 * i + 1);
  CHECK_EQ(whole.strides[0], 1);
  CHECK_EQ(whole.strides[1], 4);
  static_cast<double *>(whole.data)[1] = 77;
  CHECK_EQ(*static_cast<double *>(column.data), 77.0);
  npcc_rt_release(column.base);
  npcc_rt_release(whole.base);
  CHECK_EQ(counters().live_buffers, live);
}

/// In-place effects before a failure are the caller's.
static void writeThenFail(void **slots) {
  double seven = 7;
  npcc_rt_write(memref<1>(slots, 0).at<double>(), &seven, 8);
  npcc_rt_fail(NPCC_VALUE_ERROR, "after the store", nullptr, 0);
}

DEVICE_TEST(storesBeforeAFailureStay) {
  std::vector<double> data(3, 1.0);
  npcc_array a = hostView(data, 0, {3}, {1});
  TestFunction function({arrayParam(NPCC_FLOAT64, 1, 1)}, {});
  function.variant(targetOf(device), writeThenFail);
  CHECK_ERROR(function.call(device, {value(a)}), NPCC_VALUE_ERROR, "after the store");
  CHECK_EQ(data[0], 7.0);
  CHECK_EQ(data[1], 1.0);
}

/// Out of memory at every allocation a call makes, in turn: always a MemoryError, never a leak, and then it works.
DEVICE_TEST(outOfMemoryAnywhereInACall) {
  TestFunction function({arrayParam(NPCC_FLOAT64, 1), arrayParam(NPCC_FLOAT64, 1)}, {arrayParam(NPCC_FLOAT64, 1)});
  function.variant(targetOf(device), addEntry.of(device));
  std::vector<double> a(100), b(100);
  npcc_array aArray = hostView(a, 0, {50}, {2}), bArray = hostView(b, 0, {50}, {1}), result;
  int64_t live = counters().live_buffers;
  bool worked = false;
  for (int32_t failing : {device, int32_t(NPCC_CPU)})
    for (int k = 1; k < 10; ++k) {
      npcc_rt_fail_allocation(failing, k);
      std::vector<npcc_value> results = {value(result)};
      npcc_status status = function.call(device, {value(aArray), value(bArray)}, results);
      npcc_rt_fail_allocation(failing, 0);
      if (!status.error) {
        worked = true;
        npcc_rt_release(result.base);
      } else {
        CHECK_ERROR(status, NPCC_MEMORY_ERROR, "out of memory");
      }
      CHECK_EQ(counters().live_buffers, live);
    }
  CHECK(worked);
}

static void nothing(void **) {}

DEVICE_TEST(callsCostLittle) {
  OwnedArray a(device, NPCC_FLOAT64, {10, 10}), b(device, NPCC_FLOAT64, {10, 10});
  TestFunction function({arrayParam(NPCC_FLOAT64, 2, 1), arrayParam(NPCC_FLOAT64, 2), scalarParam(NPCC_FLOAT64)}, {});
  function.variant(targetOf(device), nothing, NPCC_ASSUME_CONTIGUOUS | NPCC_ASSUME_NO_ALIAS, {{0, 0, 1, 0}, {0, 1, 1, 1}});
  const npcc_function *described = function.get();
  npcc_value args[] = {value(a.array), value(b.array), value(2.0)};
  npcc_call_options options{device, 1, 1, 0, nullptr}; // asynchronous: what waits for a GPU is not ours
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 1000; ++k)
      if (npcc_rt_call(described, &options, args, nullptr).error)
        return check::failed(__FILE__, __LINE__, "call failed");
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 1000);
  }
  check::note(std::to_string(best) + " ns for two arrays and a scalar");
#if defined(NDEBUG) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  CHECK(best < 2000);
#endif
}

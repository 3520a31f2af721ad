// What the tests call the runtime with: arrays with data, functions, and entries as the compiler would write them.
#ifndef NPCC_TEST_RUNTIME_FIXTURE_H
#define NPCC_TEST_RUNTIME_FIXTURE_H

#include "Check.h"
#include "runtime/abi/counters.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/functions.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/values.h"
#include <complex>
#include <initializer_list>

inline bool isCuda(int32_t device) { return device >= 0 && device < NPCC_LOGICAL_CPU; }

/// A memref descriptor, as slots[] point to.
template <int rank>
struct Memref {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes[rank ? rank : 1];
  int64_t strides[rank ? rank : 1];

  template <typename T>
  T *at() const {
    return reinterpret_cast<T *>(aligned) + offset;
  }
};
template <int rank>
Memref<rank> &memref(void **slots, int k) {
  return *static_cast<Memref<rank> *>(slots[k]);
}
template <typename T>
T scalar(void **slots, int k) {
  return *static_cast<T *>(slots[k]);
}

using Extents = std::vector<int64_t>;
Extents contiguousStrides(const Extents &shape);
int64_t product(const Extents &extents);

template <typename T>
constexpr int32_t dtypeOf() {
  if constexpr (std::is_same_v<T, bool>) return NPCC_BOOL;
  else if constexpr (std::is_same_v<T, int8_t>) return NPCC_INT8;
  else if constexpr (std::is_same_v<T, int16_t>) return NPCC_INT16;
  else if constexpr (std::is_same_v<T, int32_t>) return NPCC_INT32;
  else if constexpr (std::is_same_v<T, int64_t>) return NPCC_INT64;
  else if constexpr (std::is_same_v<T, uint8_t>) return NPCC_UINT8;
  else if constexpr (std::is_same_v<T, uint16_t>) return NPCC_UINT16;
  else if constexpr (std::is_same_v<T, uint32_t>) return NPCC_UINT32;
  else if constexpr (std::is_same_v<T, uint64_t>) return NPCC_UINT64;
  else if constexpr (std::is_same_v<T, float>) return NPCC_FLOAT32;
  else if constexpr (std::is_same_v<T, double>) return NPCC_FLOAT64;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return NPCC_COMPLEX64;
  else return NPCC_COMPLEX128;
}

/// An npcc_array onto memory.
npcc_array describe(void *base, void *data, int32_t dtype, int32_t device, const Extents &shape, const Extents &strides);

/// A C-contiguous array on some device, which owns its buffer.
struct OwnedArray {
  npcc_array array;
  OwnedArray(int32_t device, int32_t dtype, const Extents &shape);
  ~OwnedArray() { npcc_rt_release(array.base); }
  OwnedArray(const OwnedArray &) = delete;
  OwnedArray &operator=(const OwnedArray &) = delete;
};

/// The elements of any array in C order, on the host.
template <typename T>
std::vector<T> fetch(const npcc_array &array) {
  Extents shape(array.shape, array.shape + array.rank);
  OwnedArray copy(NPCC_CPU, array.dtype, shape);
  CHECK_OK(npcc_rt_copy(&copy.array, &array));
  auto *data = static_cast<T *>(copy.array.data);
  return std::vector<T>(data, data + product(shape));
}
template <typename T>
void fill(npcc_array &array, const std::vector<T> &values) {
  Extents shape(array.shape, array.shape + array.rank);
  npcc_array from = describe(nullptr, const_cast<T *>(values.data()), array.dtype, NPCC_CPU, shape,
                             contiguousStrides(shape));
  CHECK_OK(npcc_rt_copy(&array, &from));
}
template <typename T>
std::vector<T> iota(int64_t count, T start = T(0)) {
  std::vector<T> values(count);
  for (int64_t k = 0; k < count; ++k)
    values[k] = start + T(k);
  return values;
}

/// A function with its parameters, results and variants.
class TestFunction {
public:
  struct Param {
    int32_t kind, dtype, rank;
    int32_t written = 0;
    uint32_t unitAxes = 0;
    int32_t weak = 0;
    int32_t isView = 0;
  };
  TestFunction(const std::vector<Param> &params, const std::vector<Param> &results);
  TestFunction &variant(int32_t target, npcc_entry entry, int32_t assumptions = 0,
                        std::vector<npcc_extent_guard> guards = {}, int32_t distributed = 0);
  /// The last variant has some of its alternatives only, and `choice` says whether a call takes them.
  TestFunction &choice(npcc_entry choice);

  npcc_status call(int32_t device, std::vector<npcc_value> args, std::vector<npcc_value> &results,
                   int32_t deviceCount = 1, int32_t asynchronous = 0);
  /// For functions without array results.
  npcc_status call(int32_t device, std::vector<npcc_value> args, int32_t deviceCount = 1, int32_t asynchronous = 0);
  const npcc_function *get();

private:
  std::vector<npcc_param> params, results;
  std::vector<npcc_variant> variants;
  std::vector<std::vector<npcc_extent_guard>> guardLists;
  npcc_function function{};
};

inline TestFunction::Param arrayParam(int32_t dtype, int32_t rank, int32_t written = 0, uint32_t unitAxes = 0) {
  return {NPCC_ARRAY, dtype, rank, written, unitAxes};
}
inline TestFunction::Param scalarParam(int32_t dtype) { return {NPCC_SCALAR, dtype, 0}; }

inline npcc_value value(npcc_array &array) {
  npcc_value v;
  v.a = &array;
  return v;
}
inline npcc_value value(int64_t i) {
  npcc_value v;
  v.i = i;
  return v;
}
inline npcc_value value(double f) {
  npcc_value v;
  v.f = f;
  return v;
}

npcc_counters counters();

// Kernels for entries that run on CUDA (kernels.cu).
extern npcc_kernel scaleKernel;      // (data, n0, n1, s0, s1, factor): x = x * factor + 1
extern npcc_kernel addKernel;        // (a, sa, b, sb, out, n)
extern npcc_kernel sequentialKernel; // (from, sf, to, st, n): one thread, to[i] = from[i] + 1 in order
extern npcc_kernel recordKernel;     // (record, error, line, a, b, c, file, message)
extern npcc_kernel delayKernel;      // (nanoseconds)
extern npcc_kernel cooperativeKernel; // (counter, out): a grid barrier, then out[block] = the counter

/// The entries below exist for both targets and act alike.
struct EntryPair {
  npcc_entry cpu, cuda;
  npcc_entry of(int32_t device) const { return isCuda(device) ? cuda : cpu; }
};
extern const EntryPair scaleEntry;      // (a: f64[:,:] written, factor: float)
extern const EntryPair addEntry;        // (a: f64[:], b: f64[:]) -> new f64[:]
extern const EntryPair sequentialEntry; // (from: f64[:], to: f64[:] written)
inline int32_t targetOf(int32_t device) { return isCuda(device) ? NPCC_TARGET_CUDA : NPCC_TARGET_CPU; }

#endif

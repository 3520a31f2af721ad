// The few functions of the runtime that host code of CUDA kernels calls, straight on the driver, for checks and timings of the kernels alone
// (device.py). Linked into the program under test; needs libcuda.so.1 and nothing else.
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <vector>

using Handle = void *;
using Pointer = unsigned long long;

namespace {
void *library;
template <typename... Parameters>
void call(const char *name, Parameters... parameters) {
  auto function = reinterpret_cast<int (*)(Parameters...)>(dlsym(library, name));
  int status = function ? function(parameters...) : -1;
  if (status != 0) {
    fprintf(stderr, "%s: CUDA error %d\n", name, status);
    exit(1);
  }
}

Handle stream;
Pointer record;
constexpr size_t recordBytes = 17 * sizeof(int64_t); // NPCC_RECORD_WORDS
std::multimap<int64_t, Pointer> unused;
std::map<Pointer, int64_t> sizes;
std::map<const void *, Handle> modules, functions;
jmp_buf frame;
} // namespace

extern "C" {
struct npcc_image {
  const void *cubin;
  int64_t cubinBytes;
  int32_t capability;
  const char *ptx;
  void *state;
};
struct npcc_kernel {
  npcc_image *image;
  const char *name;
  void *state;
};

int device_open() {
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return 1;
  int device;
  Handle context;
  call("cuInit", 0u);
  call("cuDeviceGet", &device, 0);
  call("cuDevicePrimaryCtxRetain", &context, device);
  call("cuCtxSetCurrent", context);
  call("cuStreamCreate", &stream, 1u);
  call("cuMemAlloc_v2", &record, recordBytes);
  return 0;
}

void npcc_rt_launch(npcc_kernel *kernel, int64_t gx, int64_t gy, int64_t gz, int64_t bx, int64_t by, int64_t bz, int64_t shared, int32_t,
                    void **params) {
  if (gx == 0 || gy == 0 || gz == 0)
    return;
  Handle &module = modules[kernel->image], &function = functions[kernel];
  if (!module)
    call("cuModuleLoadData", &module, kernel->image->cubin ? kernel->image->cubin : kernel->image->ptx);
  if (!function)
    call("cuModuleGetFunction", &function, module, kernel->name);
  call("cuLaunchKernel", function, unsigned(gx), unsigned(gy), unsigned(gz), unsigned(bx), unsigned(by), unsigned(bz), unsigned(shared), stream,
       params, static_cast<void **>(nullptr));
}
int64_t *npcc_rt_error_record() { return reinterpret_cast<int64_t *>(record); }
int64_t npcc_rt_launch_number() { return 0; }
int64_t *npcc_rt_error_flag() { return npcc_rt_error_record() + 7; } // the place: the record is in the device's memory
void npcc_rt_settle() {}
void *npcc_rt_alloc(int64_t bytes) {
  bytes = bytes < 256 ? 256 : bytes;
  auto found = unused.find(bytes);
  Pointer pointer;
  if (found != unused.end()) {
    pointer = found->second;
    unused.erase(found);
  } else {
    call("cuMemAlloc_v2", &pointer, size_t(bytes));
    sizes[pointer] = bytes;
  }
  return reinterpret_cast<void *>(pointer);
}
void npcc_rt_retain(void *) {}
void npcc_rt_release(void *base) { // work on the stream is in order
  auto pointer = reinterpret_cast<Pointer>(base);
  if (sizes.count(pointer))
    unused.insert({sizes[pointer], pointer});
}
void npcc_rt_read(void *to, const void *from, int64_t bytes) {
  call("cuMemcpyDtoHAsync_v2", to, reinterpret_cast<Pointer>(from), size_t(bytes), stream);
  call("cuStreamSynchronize", stream);
}
void npcc_rt_write(void *to, const void *from, int64_t bytes) {
  call("cuMemcpyHtoDAsync_v2", reinterpret_cast<Pointer>(to), from, size_t(bytes), stream);
}
int32_t npcc_rt_multiprocessors() { return 132; }
// Arrays are where the kernels are.
void npcc_rt_await(int64_t, int64_t, int64_t) {}
void npcc_rt_written(int64_t, int64_t, int64_t) {}
[[noreturn]] void npcc_rt_fail_index(int64_t, int64_t, int64_t, const char *, int32_t) { longjmp(frame, 1); }
[[noreturn]] void npcc_rt_fail_format(int32_t, const char *, int32_t, const int64_t *, const char *, int32_t) { longjmp(frame, 1); }

void device_free(void *pointer) { call("cuMemFree_v2", reinterpret_cast<Pointer>(pointer)); }
void *device_new(int64_t bytes) {
  Pointer pointer;
  call("cuMemAlloc_v2", &pointer, size_t(bytes < 256 ? 256 : bytes));
  return reinterpret_cast<void *>(pointer);
}
int device_run(void (*entry)(void **), void **slots, int64_t *errors) {
  call("cuMemsetD8_v2", record, (unsigned char)0, recordBytes);
  if (setjmp(frame))
    return 1;
  entry(slots);
  npcc_rt_read(errors, reinterpret_cast<void *>(record), recordBytes);
  return 0;
}
/// Milliseconds of one call: the least of `repeats`, measured on the device.
double device_time(void (*entry)(void **), void **slots, int repeats) {
  Handle start, stop;
  call("cuEventCreate", &start, 0u);
  call("cuEventCreate", &stop, 0u);
  double best = 1e30;
  for (int repeat = 0; repeat < repeats + 2; ++repeat) {
    call("cuEventRecord", start, stream);
    entry(slots);
    call("cuEventRecord", stop, stream);
    call("cuEventSynchronize", stop);
    float elapsed;
    call("cuEventElapsedTime", &elapsed, start, stop);
    if (repeat >= 2 && elapsed < best)
      best = elapsed;
  }
  return best;
}
/// A plain copy of the device: {to, from, bytes}.
void device_copy(void **slots) {
  call("cuMemcpyDtoDAsync_v2", reinterpret_cast<Pointer>(slots[0]), reinterpret_cast<Pointer>(slots[1]), reinterpret_cast<size_t>(slots[2]), stream);
}
}

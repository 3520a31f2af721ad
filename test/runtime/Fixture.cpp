#include "Fixture.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/frame.h"

Extents contiguousStrides(const Extents &shape) {
  Extents strides(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis] > 0 ? shape[axis] : 1;
  }
  return strides;
}

int64_t product(const Extents &extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

npcc_array describe(void *base, void *data, int32_t dtype, int32_t device, const Extents &shape,
                    const Extents &strides) {
  npcc_array array{};
  array.base = base;
  array.data = data;
  array.dtype = dtype;
  array.rank = static_cast<int32_t>(shape.size());
  array.device = device;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    array.shape[axis] = shape[axis];
    array.strides[axis] = strides[axis];
  }
  return array;
}

OwnedArray::OwnedArray(int32_t device, int32_t dtype, const Extents &shape) {
  void *base = nullptr;
  CHECK_OK(npcc_rt_buffer_new(device, product(shape) * npcc_rt_dtype_size(static_cast<npcc_dtype>(dtype)), &base));
  array = describe(base, base, dtype, device, shape, contiguousStrides(shape));
}

static std::vector<npcc_param> paramsOf(const std::vector<TestFunction::Param> &list) {
  std::vector<npcc_param> params;
  for (const TestFunction::Param &param : list)
    params.push_back({"x", param.kind, param.dtype, param.rank, param.weak, param.written, param.unitAxes, param.isView});
  return params;
}

TestFunction::TestFunction(const std::vector<Param> &params, const std::vector<Param> &results)
    : params(paramsOf(params)), results(paramsOf(results)) {}

TestFunction &TestFunction::variant(int32_t target, npcc_entry entry, int32_t assumptions,
                                    std::vector<npcc_extent_guard> guards, int32_t distributed) {
  guardLists.push_back(std::move(guards));
  variants.push_back({target, assumptions, static_cast<int32_t>(guardLists.back().size()), distributed,
                      guardLists.back().data(), entry});
  return *this;
}

TestFunction &TestFunction::choice(npcc_entry choice) {
  variants.back().choice = choice;
  return *this;
}

const npcc_function *TestFunction::get() {
  function = {"f",
              "f()",
              "test.py",
              1,
              static_cast<int32_t>(params.size()),
              static_cast<int32_t>(results.size()),
              static_cast<int32_t>(variants.size()),
              0,
              0,
              params.data(),
              results.data(),
              variants.data()};
  return &function;
}

npcc_status TestFunction::call(int32_t device, std::vector<npcc_value> args, std::vector<npcc_value> &resultValues,
                               int32_t deviceCount, int32_t asynchronous) {
  npcc_call_options options{device, deviceCount, asynchronous, 0, nullptr};
  return npcc_rt_call(get(), &options, args.data(), resultValues.data());
}

npcc_status TestFunction::call(int32_t device, std::vector<npcc_value> args, int32_t deviceCount,
                               int32_t asynchronous) {
  std::vector<npcc_value> none(results.size());
  return call(device, std::move(args), none, deviceCount, asynchronous);
}

npcc_counters counters() {
  npcc_counters now;
  npcc_rt_counters(&now);
  return now;
}

asm(".pushsection .rodata\n"
    "npccTestPtx:\n"
    ".incbin \"" NPCC_TEST_KERNELS "\"\n"
    ".byte 0\n"
    ".popsection\n"
    ".pushsection .data.rel.local,\"aw\"\n"
    ".globl npccTestPtxAddress\n"
    ".balign 8\n"
    "npccTestPtxAddress: .quad npccTestPtx\n"
    ".popsection\n");
extern "C" const char *npccTestPtxAddress;

static npcc_image &image() {
  static npcc_image instance{nullptr, 0, 0, npccTestPtxAddress, nullptr};
  return instance;
}
npcc_kernel scaleKernel{&image(), "scale", nullptr, nullptr};
npcc_kernel addKernel{&image(), "add", nullptr, nullptr};
npcc_kernel sequentialKernel{&image(), "sequential", nullptr, nullptr};
npcc_kernel recordKernel{&image(), "record_error", nullptr, nullptr};
npcc_kernel delayKernel{&image(), "delay", nullptr, nullptr};
npcc_kernel cooperativeKernel{&image(), "cooperative", nullptr, nullptr};

static void scaleOnCpu(void **slots) {
  auto &a = memref<2>(slots, 0);
  double factor = scalar<double>(slots, 1);
  for (int64_t i = 0; i < a.sizes[0]; ++i)
    for (int64_t j = 0; j < a.sizes[1]; ++j) {
      double &x = a.at<double>()[i * a.strides[0] + j * a.strides[1]];
      x = x * factor + 1;
    }
}

static void scaleOnCuda(void **slots) {
  auto &a = memref<2>(slots, 0);
  double *data = a.at<double>();
  double factor = scalar<double>(slots, 1);
  void *params[] = {&data, &a.sizes[0], &a.sizes[1], &a.strides[0], &a.strides[1], &factor};
  npcc_rt_launch(&scaleKernel, (a.sizes[0] * a.sizes[1] + 127) / 128, 1, 1, 128, 1, 1, 0, 0, params);
}
const EntryPair scaleEntry{scaleOnCpu, scaleOnCuda};

static Memref<1> &newResult(void **slots, int k, int64_t n) {
  auto &out = memref<1>(slots, k);
  out.allocated = npcc_rt_alloc(n * 8);
  out.aligned = static_cast<char *>(out.allocated);
  out.offset = 0;
  out.sizes[0] = n;
  out.strides[0] = 1;
  return out;
}

static void addOnCpu(void **slots) {
  auto &a = memref<1>(slots, 0), &b = memref<1>(slots, 1);
  auto &out = newResult(slots, 2, a.sizes[0]);
  for (int64_t i = 0; i < a.sizes[0]; ++i)
    out.at<double>()[i] = a.at<double>()[i * a.strides[0]] + b.at<double>()[i * b.strides[0]];
}

static void addOnCuda(void **slots) {
  auto &a = memref<1>(slots, 0), &b = memref<1>(slots, 1);
  auto &out = newResult(slots, 2, a.sizes[0]);
  double *aData = a.at<double>(), *bData = b.at<double>(), *outData = out.at<double>();
  void *params[] = {&aData, &a.strides[0], &bData, &b.strides[0], &outData, &a.sizes[0]};
  npcc_rt_launch(&addKernel, (a.sizes[0] + 127) / 128, 1, 1, 128, 1, 1, 0, 0, params);
}
const EntryPair addEntry{addOnCpu, addOnCuda};

static void sequentialOnCpu(void **slots) {
  auto &from = memref<1>(slots, 0), &to = memref<1>(slots, 1);
  for (int64_t i = 0; i < from.sizes[0]; ++i)
    to.at<double>()[i * to.strides[0]] = from.at<double>()[i * from.strides[0]] + 1;
}

static void sequentialOnCuda(void **slots) {
  auto &from = memref<1>(slots, 0), &to = memref<1>(slots, 1);
  double *fromData = from.at<double>(), *toData = to.at<double>();
  void *params[] = {&fromData, &from.strides[0], &toData, &to.strides[0], &from.sizes[0]};
  npcc_rt_launch(&sequentialKernel, 1, 1, 1, 1, 1, 1, 0, 0, params);
}
const EntryPair sequentialEntry{sequentialOnCpu, sequentialOnCuda};

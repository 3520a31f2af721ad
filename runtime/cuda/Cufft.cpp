#include "runtime/cuda/Cufft.h"
#include "runtime/Buffer.h"
#include "runtime/Copy.h"
#include "runtime/abi/dtypes.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Library.h"
#include <algorithm>

namespace npcc::rt::cuda {
namespace {

// Values of cuFFT's enumerations.
constexpr int realToComplex = 0x2a, complexToReal = 0x2c, complexToComplex = 0x29, doublePrecision = 0x40;
constexpr int forwardDirection = -1, inverseDirection = 1;

constexpr size_t mostPlans = 64;
/// Lines that do not lie at equal distances are walked by several calls. Where there are more calls than one for so
/// many bytes, copying the lines together costs less.
constexpr int64_t bytesOfCall = 5 << 19;

struct Functions {
  Library library;
  int (*create)(int *plan) = nullptr;
  int (*destroy)(int plan) = nullptr;
  int (*setAutoAllocation)(int plan, int automatic) = nullptr;
  int (*makePlan)(int plan, int rank, long long *lengths, long long *inEmbed, long long inStride, long long inDistance,
                  long long *outEmbed, long long outStride, long long outDistance, int kind, long long batch,
                  size_t *workBytes) = nullptr;
  int (*setStream)(int plan, Stream stream) = nullptr;
  int (*setWorkArea)(int plan, void *work) = nullptr;
  // Indexed by double precision.
  int (*complexToComplex[2])(int plan, void *in, void *out, int direction) = {};
  int (*realToComplex[2])(int plan, void *in, void *out) = {};
  int (*complexToReal[2])(int plan, void *in, void *out) = {};

  bool load() {
    return library.open("NPCC_CUFFT", {"libcufft.so.12", "libcufft.so.11"}) && library.find(create, "cufftCreate") &&
           library.find(destroy, "cufftDestroy") && library.find(setAutoAllocation, "cufftSetAutoAllocation") &&
           library.find(makePlan, "cufftMakePlanMany64") && library.find(setStream, "cufftSetStream") &&
           library.find(setWorkArea, "cufftSetWorkArea") && library.find(complexToComplex[0], "cufftExecC2C") &&
           library.find(complexToComplex[1], "cufftExecZ2Z") && library.find(realToComplex[0], "cufftExecR2C") &&
           library.find(realToComplex[1], "cufftExecD2Z") && library.find(complexToReal[0], "cufftExecC2R") &&
           library.find(complexToReal[1], "cufftExecZ2D");
  }
};

/// Null if there is none.
const Functions *library() { return loaded<Functions>(); }

/// Why there is none.
Status complain() {
  Functions again;
  again.load();
  if (const std::string &fault = again.library.fault(); !fault.empty())
    return Status(NPCC_NOT_IMPLEMENTED_ERROR, "Fourier transforms on a GPU need cuFFT: " + fault);
  return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "Fourier transforms on a GPU need cuFFT, and neither libcufft.so.12 "
                                               "nor libcufft.so.11 is found: the CUDA toolkit has it, and NPCC_CUFFT "
                                               "names a file elsewhere");
}

Status checkFft(int status, const char *function) { return checkCall("cuFFT", function, status); }

/// The axes before the last `kept` ones as few as they can be: those that are one in both views are joined.
void joinLines(View &in, View &out, int32_t kept) {
  int32_t lines = in.rank - kept, joined = 0;
  for (int32_t axis = 0; axis < in.rank; ++axis) {
    auto continues = [&](const View &view) {
      return view.strides[joined - 1] == view.shape[axis] * view.strides[axis];
    };
    if (axis < lines && in.shape[axis] == 1)
      continue;
    bool isSame = axis < lines && joined && continues(in) && continues(out);
    for (View *view : {&in, &out}) {
      if (isSame)
        view->shape[joined - 1] *= view->shape[axis];
      else
        view->shape[joined] = view->shape[axis];
      view->strides[joined - isSame] = view->strides[axis];
    }
    joined += !isSame;
  }
  in.rank = out.rank = joined;
}

/// Whether the last `axes` axes are one piece of memory in C order.
bool isOnePiece(const View &view, int32_t axes) {
  int64_t expected = 1;
  for (int32_t axis = view.rank - 1; axis >= view.rank - axes; --axis) {
    if (view.strides[axis] != expected)
      return false;
    expected *= view.shape[axis];
  }
  return true;
}

/// cuFFT reads and writes pairs of numbers.
bool isAligned(const View &view, const FourierShape &shape) {
  int64_t pair = shape.dtype == NPCC_COMPLEX64 ? 8 : 16;
  if (reinterpret_cast<uintptr_t>(view.data) % pair)
    return false;
  for (int32_t axis = 0; axis + 2 < view.rank; ++axis) // what calls begin with
    if (view.strides[axis] * view.elementSize % pair)
      return false;
  return true;
}

bool hasPlanStrides(const View &view) {
  return std::all_of(view.strides, view.strides + view.rank, [](int64_t stride) { return stride > 0; });
}

/// A contiguous view of new memory.
Status allocateLike(Device &device, const View &view, OwnedBuffer &buffer, View &contiguous) {
  NPCC_TRY(buffer.allocate(device, elementCount(view) * view.elementSize));
  contiguous = contiguousLike(view, buffer.get());
  return {};
}

/// cuFFT's backward transform to real numbers may overwrite its input, and reads imaginary parts that do not count.
Status clearImaginary(CudaDevice &device, const FourierShape &shape, View lines) {
  View parts = lines;
  int32_t last = parts.rank - 1;
  parts.elementSize /= 2;
  for (int32_t axis = 0; axis < parts.rank; ++axis)
    parts.strides[axis] *= 2;
  parts.data += parts.elementSize;
  parts.shape[last] = 1;
  NPCC_TRY(fillWithZeros(device, parts));
  if (shape.length % 2 == 1 || shape.length == 1)
    return {};
  parts.data += shape.length / 2 * parts.strides[last] * parts.elementSize;
  return fillWithZeros(device, parts);
}

} // namespace

Status Cufft::findPlan(CudaDevice &device, const Layout &layout, Plan &plan) {
  auto found = std::find_if(plans.begin(), plans.end(), [&](const Plan &known) { return known.layout == layout; });
  if (found != plans.end()) {
    plans.splice(plans.begin(), plans, found);
    plan = plans.front();
    return {};
  }
  if (plans.size() >= mostPlans) {
    NPCC_TRY(device.synchronize()); // it may be at work
    library()->destroy(plans.back().handle);
    plans.pop_back();
  }
  plan.layout = layout;
  NPCC_TRY(checkFft(library()->create(&plan.handle), "cufftCreate"));
  long long lengths[3];
  std::copy_n(layout.lengths, 3, lengths);
  int status = library()->setAutoAllocation(plan.handle, 0);
  if (!status)
    status =
        library()->makePlan(plan.handle, layout.axes, lengths, lengths, layout.inStride, layout.inDistance, lengths,
                            layout.outStride, layout.outDistance, layout.kind, layout.batch, &plan.workBytes);
  if (status) {
    library()->destroy(plan.handle);
    return checkFft(status, "cufftMakePlanMany64");
  }
  plans.push_front(plan);
  return {};
}

Status Cufft::run(CudaDevice &device, const FourierShape &shape, const View &in, const View &out) {
  int32_t last = in.rank - 1, first = in.rank - shape.axes, isDouble = shape.dtype == NPCC_COMPLEX128;
  int kind = (!shape.isReal   ? complexToComplex
              : shape.forward ? realToComplex
                              : complexToReal) +
             isDouble * doublePrecision;
  Layout layout{kind, shape.axes, {}, first ? in.shape[first - 1] : 1, in.strides[last], 0, out.strides[last], 0};
  int64_t inputs = shape.inputs(), outputs = shape.outputs();
  for (int32_t k = 0; k < shape.axes; ++k)
    layout.lengths[k] = k + 1 == shape.axes ? shape.length : in.shape[first + k];
  for (int32_t axis = first; axis < last; ++axis) {
    inputs *= in.shape[axis];
    outputs *= in.shape[axis];
  }
  layout.inDistance = first ? in.strides[first - 1] : inputs;
  layout.outDistance = first ? out.strides[first - 1] : outputs;
  std::lock_guard<std::mutex> lock(mutex);
  Plan plan;
  NPCC_TRY(findPlan(device, layout, plan));
  OwnedBuffer work;
  NPCC_TRY(work.allocate(device, plan.workBytes));
  NPCC_TRY(checkFft(library()->setWorkArea(plan.handle, work.get()), "cufftSetWorkArea"));
  NPCC_TRY(checkFft(library()->setStream(plan.handle, device.streams.use()), "cufftSetStream"));
  // One call for the last of the axes before the lines; the others are walked.
  int64_t calls = 1;
  for (int32_t axis = 0; axis + 1 < first; ++axis)
    calls *= in.shape[axis];
  for (int64_t call = 0; call < calls; ++call) {
    int64_t rest = call, from = 0, to = 0;
    for (int32_t axis = first - 2; axis >= 0; --axis) {
      from += rest % in.shape[axis] * in.strides[axis];
      to += rest % in.shape[axis] * out.strides[axis];
      rest /= in.shape[axis];
    }
    char *source = in.data + from * in.elementSize, *target = out.data + to * out.elementSize;
    int status = !shape.isReal   ? library()->complexToComplex[isDouble](
                                       plan.handle, source, target, shape.forward ? forwardDirection : inverseDirection)
                 : shape.forward ? library()->realToComplex[isDouble](plan.handle, source, target)
                                 : library()->complexToReal[isDouble](plan.handle, source, target);
    NPCC_TRY(checkFft(status, "cufftExec"));
  }
  return {};
}

Status Cufft::runContiguous(CudaDevice &device, const FourierShape &shape, const View &in, const View &out) {
  OwnedBuffer inBuffer, outBuffer;
  View from = in, to = out;
  NPCC_TRY(allocateLike(device, in, inBuffer, from));
  NPCC_TRY(copyOnDevice(device, from, in));
  if (shape.isReal && !shape.forward)
    NPCC_TRY(clearImaginary(device, shape, from));
  bool isOutReady = isContiguous(out);
  if (!isOutReady)
    NPCC_TRY(allocateLike(device, out, outBuffer, to));
  View fromLines = from, toLines = to;
  joinLines(fromLines, toLines, shape.axes);
  NPCC_TRY(run(device, shape, fromLines, toLines));
  return isOutReady ? Status() : copyOnDevice(device, out, to);
}

Status Cufft::transform(CudaDevice &device, const FourierShape &shape, const View &in, const View &out) {
  if (!library())
    return complain();
  View fromLines = in, toLines = out;
  joinLines(fromLines, toLines, shape.axes);
  if (shape.axes > 1 &&
      !(isOnePiece(fromLines, shape.axes) && isOnePiece(toLines, shape.axes) && fromLines.rank <= shape.axes + 1))
    return fourierByAxes(device, shape, in, out);
  int64_t calls = 1;
  for (int32_t axis = 0; axis + shape.axes + 1 < fromLines.rank; ++axis)
    calls *= fromLines.shape[axis];
  bool isBackwardToReal = shape.isReal && !shape.forward,
       isScattered = calls > 1 && calls * bytesOfCall > elementCount(in) * in.elementSize;
  if (isBackwardToReal || isScattered || !hasPlanStrides(fromLines) || !hasPlanStrides(toLines) ||
      !isAligned(fromLines, shape) || !isAligned(toLines, shape))
    return runContiguous(device, shape, in, out);
  return run(device, shape, fromLines, toLines);
}

const char *cufftLibrary() { return library() ? library()->library.file().c_str() : ""; }

} // namespace npcc::rt::cuda

const char *npcc_rt_cufft_description(void) { return npcc::rt::cuda::cufftLibrary(); }

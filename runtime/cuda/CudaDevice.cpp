#include "runtime/cuda/CudaDevice.h"
#include "runtime/Buffer.h"
#include "runtime/Counters.h"
#include "runtime/Frame.h"
#include "runtime/MatmulPlan.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/trace.h"
#include "runtime/cuda/Beside.h"
#include "runtime/cuda/Clusters.h"
#include "runtime/cuda/DeviceTrace.h"
#include "runtime/cuda/GeneralEigenvalues.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/Module.h"
#include "runtime/cuda/Random.h"
#include "runtime/cuda/Select.h"
#include "runtime/cuda/SmallMatrices.h"
#include "runtime/cuda/SmallReflectors.h"
#include "runtime/cuda/SmallSpectra.h"
#include "runtime/cuda/Sort.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace npcc::rt::cuda {

// Values of the driver's enumerations.
constexpr int attributeMultiprocessorCount = 16, attributeMajor = 75, attributeMinor = 76;

static Address addressOf(const void *pointer) { return reinterpret_cast<Address>(pointer); }
static ByteRange bytesAt(const void *low, int64_t bytes) {
  char *first = static_cast<char *>(const_cast<void *>(low));
  return {first, first + bytes};
}

CudaDevice::CudaDevice(int32_t ordinal)
    // Device memory belongs to nobody else while we run: all of it may stay cached.
    : Device(ordinal, NPCC_TARGET_CUDA,
             {.granularity = 512, .systemBelow = 0, .cacheLimit = std::numeric_limits<int64_t>::max()}),
      peerEnabled(new std::atomic<bool>[driver().deviceCount]()), replay(*this), streams(*this), records(streams),
      staging(*this), passages(*this, staging) {}

Status CudaDevice::initialise() {
  NPCC_CUDA_TRY(deviceGet(&handle, id));
  NPCC_CUDA_TRY(primaryCtxRetain(&context, handle));
  DeviceScope scope(*this);
  NPCC_TRY(streams.initialise());
  cublas.setOwnStream(streams.begin());
  int major = 0, minor = 0;
  NPCC_CUDA_TRY(deviceGetAttribute(&major, attributeMajor, handle));
  NPCC_CUDA_TRY(deviceGetAttribute(&minor, attributeMinor, handle));
  computeCapability = 10 * major + minor;
  NPCC_CUDA_TRY(deviceGetAttribute(&multiprocessorCount, attributeMultiprocessorCount, handle));
  size_t bytes = 0;
  NPCC_CUDA_TRY(deviceTotalMem(&bytes, handle));
  memory = static_cast<int64_t>(bytes);
  return records.initialise();
}

void *CudaDevice::enter() {
  Context current = nullptr;
  driver().ctxGetCurrent(&current);
  if (current != context)
    driver().ctxSetCurrent(context);
  return current;
}

void CudaDevice::leave(void *previous) {
  // Other libraries of the process (PyTorch, CuPy) expect to find their context again. Where there was none, the first
  // device's primary one is what they would make current themselves: it stays, and the next call has less to do.
  if (previous != context && (previous || id != 0))
    driver().ctxSetCurrent(static_cast<Context>(previous));
}

Status CudaDevice::allocateRaw(int64_t bytes, void **out) {
  Address address = 0;
  NPCC_CUDA_TRY(memAlloc(&address, static_cast<size_t>(bytes)));
  *out = reinterpret_cast<void *>(address);
  return {};
}

void CudaDevice::freeRaw(void *base, int64_t) {
  // The pool frees what the stream may still be using. Failures have no reader: the process is ending, or the context is
  // lost and every later call will say so.
  driver().streamSynchronize(streams.use());
  driver().memFree(addressOf(base));
}

Status CudaDevice::copyIn(void *to, const void *from, int64_t bytes) {
  if (bytes == 0)
    return {};
  if (ByteRange host = bytesAt(from, bytes); bytes >= Staging::smallest && !Staging::isPageLocked(host))
    return staging.copy(true, host, to, streams.use());
  counters.bytesHostToDevice.add(bytes);
  DeviceSpan span(*this, NPCC_TRACE_HOST_TO_DEVICE, "copy to the device", bytes);
  NPCC_CUDA_TRY(memcpyHtoD(addressOf(to), from, static_cast<size_t>(bytes), streams.use()));
  return {};
}

Status CudaDevice::copyOut(void *to, const void *from, int64_t bytes) {
  if (ByteRange host = bytesAt(to, bytes); bytes >= Staging::smallest && !Staging::isPageLocked(host)) {
    NPCC_TRY(staging.copy(false, host, const_cast<void *>(from), streams.use()));
  } else if (bytes > 0) {
    counters.bytesDeviceToHost.add(bytes);
    void *between = bytes <= ErrorRecord::elementBytes ? records.ofThread().element : nullptr;
    {
      DeviceSpan span(*this, NPCC_TRACE_DEVICE_TO_HOST, "copy to the host", bytes);
      NPCC_CUDA_TRY(memcpyDtoH(between ? between : to, addressOf(from), static_cast<size_t>(bytes), streams.use()));
    }
    if (between) {
      NPCC_TRY(synchronize());
      std::memcpy(to, between, static_cast<size_t>(bytes));
      return {};
    }
  }
  return synchronize();
}

Status CudaDevice::copyWithin(void *to, const void *from, int64_t bytes) {
  if (bytes == 0)
    return {};
  counters.bytesDeviceToDevice.add(bytes);
  if (keepsLaunches()) {
    int64_t key[3] = {static_cast<int64_t>(addressOf(to)), static_cast<int64_t>(addressOf(from)), bytes};
    replay.keep(key, sizeof key, [=](Stream stream) -> Status {
      NPCC_CUDA_TRY(memcpyDtoD(addressOf(to), addressOf(from), static_cast<size_t>(bytes), stream));
      return {};
    });
    return {};
  }
  DeviceSpan span(*this, NPCC_TRACE_DEVICE_TO_DEVICE, "copy", bytes);
  NPCC_CUDA_TRY(memcpyDtoD(addressOf(to), addressOf(from), static_cast<size_t>(bytes), streams.use()));
  return {};
}

Status CudaDevice::copyFromPeer(void *to, Device &peer, const void *from, int64_t bytes) {
  if (bytes == 0)
    return {};
  counters.bytesDeviceToDevice.add(bytes);
  Context peerContext = static_cast<CudaDevice &>(peer).context;
  NPCC_CUDA_TRY(
      memcpyPeer(addressOf(to), context, addressOf(from), peerContext, static_cast<size_t>(bytes), streams.use()));
  return {};
}

Status CudaDevice::beginPassage(const ByteRange &from, std::unique_ptr<Passage> &passage) { return passages.begin(from, passage); }

Status CudaDevice::beginDeparture(const ByteRange &to, void *toBase, const void *from, void *fromBase) {
  auto held = [](void *base) {
    retainBuffer(base, nullptr);
    return std::shared_ptr<void>(base, [](void *buffer) { releaseBuffer(buffer, nullptr); });
  };
  std::shared_ptr<StagedCopy> copy;
  NPCC_TRY(passages.depart(to, from, held(toBase), held(fromBase), copy));
  noteUnderWay(std::move(copy));
  return {};
}

Status CudaDevice::copyStrided(const View &to, const View &from) {
  counters.bytesDeviceToDevice.add(elementCount(to) * to.elementSize);
  return cuda::copyStrided(*this, to, from);
}

Status CudaDevice::fitGrid(Function function, LaunchShape &shape) {
  int blocks = 0;
  int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  NPCC_CUDA_TRY(occupancyMaxActiveBlocks(&blocks, function, static_cast<int>(threads),
                                         static_cast<size_t>(shape.sharedBytes)));
  int64_t most = int64_t(blocks) * multiprocessorCount / (shape.grid[1] * shape.grid[2]);
  shape.grid[0] = std::min(shape.grid[0], std::max<int64_t>(most, 1));
  return {};
}

Status CudaDevice::launch(npcc_kernel &kernel, const LaunchShape &shape, void **params) {
  Function function;
  NPCC_TRY(findFunction(*this, kernel, shape.sharedBytes, function));
  for (int axis = 0; axis < 3; ++axis) {
    int64_t most = axis == 0 ? std::numeric_limits<int32_t>::max() : 65535;
    if (shape.grid[axis] < 0 || shape.grid[axis] > most || shape.block[axis] < 1 || shape.block[axis] > 1024)
      return makeError(NPCC_RUNTIME_ERROR, "kernel {} cannot be launched with grid ({}, {}, {}) and block ({}, {}, {})",
                       kernel.name, shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
                       shape.block[2]);
  }
  bool isPlain = !shape.cooperative && !shape.isFitted && !shape.begins && !shape.isBeside && !shape.isUnchecked;
  if (isPlain && keepsLaunches()) {
    const std::vector<size_t> *sizes = nullptr;
    if (shape.grid[0] == 0 || shape.grid[1] == 0 || shape.grid[2] == 0)
      return {};
    if (findParameters(*this, kernel, function, sizes)) {
      replay.keep(function, shape, params, *sizes);
      return {};
    }
  }
  auto u = [](int64_t value) { return static_cast<unsigned>(value); };
  Stream stream;
  NPCC_TRY(chooseStream(*this, shape, stream));
  if (shape.grid[0] == 0 || shape.grid[1] == 0 || shape.grid[2] == 0)
    return {};
  DeviceSpan span(*this, NPCC_TRACE_KERNEL, kernel.label ? kernel.label : kernel.name, 0, stream);
  LaunchShape fitted = shape;
  if (shape.isFitted) {
    if (launchAsCluster(computeCapability, function, shape, stream, params))
      return {};
    NPCC_TRY(fitGrid(function, fitted));
  }
  const auto &[grid, block, sharedBytes, cooperative, isFitted, begins, isBeside, isUnchecked] = fitted;
  Result result = cooperative
                      ? driver().launchCooperativeKernel(function, u(grid[0]), u(grid[1]), u(grid[2]), u(block[0]),
                                                         u(block[1]), u(block[2]), u(sharedBytes), stream, params)
                      : driver().launchKernel(function, u(grid[0]), u(grid[1]), u(grid[2]), u(block[0]), u(block[1]),
                                              u(block[2]), u(sharedBytes), stream, params, nullptr);
  if (result != success)
    return check(result, kernel.name);
  if (isUnchecked)
    noteUnchecked(kernel);
  return {};
}

/// A product whose operands and factor are all that it depends on.
void CudaDevice::keepProduct(const MatmulShape &shape, const BlasProduct &product) {
  const Gemm &g = product.gemm;
  const Gemv &v = product.gemv;
  auto at = [](const void *pointer) { return static_cast<int64_t>(addressOf(pointer)); };
  int64_t key[] = {shape.dtype, shape.resultDtype, shape.allowsTf32,
                   std::bit_cast<int64_t>(shape.alpha), std::bit_cast<int64_t>(shape.beta), product.isVector,
                   g.transposeA, g.transposeB, g.m, g.n, g.k, at(g.a), at(g.b), at(g.c), g.lda, g.ldb, g.ldc,
                   v.transpose, v.rows, v.columns, at(v.a), v.lda, at(v.x), v.incX, at(v.y), v.incY};
  replay.keep(key, sizeof key, [this, shape, product](Stream stream) { return cublas.multiply(shape, product, stream); });
}

Status CudaDevice::matmul(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c) {
  if (shape.k == 0)
    return zeroMatrix(*this, shape, c);
  // cuBLAS has no product of integers that wraps as NumPy's does.
  if (shape.dtype >= NPCC_FLOAT16 && cublas.available()) {
    MatmulPlan plan;
    NPCC_TRY(plan.make(*this, shape, a, b, c));
    if (keepsLaunches()) {
      keepProduct(shape, plan);
      return plan.finish(*this);
    }
    DeviceSpan span(*this, NPCC_TRACE_LIBRARY, "matrix product (cuBLAS)");
    NPCC_TRY(cublas.multiply(shape, plan, streams.use()));
    return plan.finish(*this);
  }
  return matmulByKernel(*this, shape, a, b, c);
}

Status CudaDevice::matmulStrided(const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                                 const int64_t strides[3]) {
  if (count > 1 && isSmallProduct(shape))
    return multiplySmall(*this, shape, matrices, count, strides);
  Gemm gemm;
  int operands[3];
  if (count > 1 && shape.k > 0 && shape.dtype >= NPCC_FLOAT16 && cublas.available() &&
      makeGemm(shape, matrices, gemm, operands)) {
    DeviceSpan span(*this, NPCC_TRACE_LIBRARY, "matrix products (cuBLAS)");
    int64_t ordered[3] = {strides[operands[0]], strides[operands[1]], strides[operands[2]]};
    return cublas.multiply(shape, gemm, count, ordered, streams.use());
  }
  return Device::matmulStrided(shape, matrices, count, strides);
}

Status CudaDevice::fourier(const FourierShape &shape, const View &in, const View &out) {
  Replay::Pause pause(replay);
  DeviceSpan span(*this, NPCC_TRACE_LIBRARY, "Fourier transform (cuFFT)");
  return cufft.transform(*this, shape, in, out);
}

Status CudaDevice::linearAlgebra(const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                                 const RoutineError *error, int64_t &failed, bool &done) {
  std::string_view name = routine;
  bool isSmall = isSmallRoutine(routine, inputs, operands), isReflector = isSmallReflector(routine, operands),
       isSpectrum = isSmallSpectrum(routine, inputs, operands);
  // Kernels of the runtime's that cannot fail are launches as any others, and so are solutions whose errors nobody
  // waits for. Other errors come after what takes long: the number of the launch, which the record holds, would keep
  // the iterations of a loop from being the same launches.
  bool mayFail = !isReflector && name != "lu";
  bool isPlain = (isReflector || isSmall || (isSpectrum && name.starts_with("svd"))) && (error || !mayFail);
  std::optional<Replay::Pause> pause;
  if (!isPlain)
    pause.emplace(replay);
  done = isSmall || isReflector || isSpectrum;
  if (isSmall)
    return runSmall(*this, routine, operands, error, failed);
  if (isReflector)
    return runSmallReflector(*this, routine, operands);
  if (isSpectrum)
    return runSmallSpectrum(*this, routine, operands, error, failed);
  DeviceSpan span(*this, NPCC_TRACE_LIBRARY, routine);
  if (isOfRows(routine)) {
    done = true;
    return cusolver.has("solve") ? solveOfRows(operands, error, failed)
                                 : runSmall(*this, routine, operands, error, failed);
  }
  done = (!isGeneral(routine) || isLargeGeneral(operands[0])) && cusolver.has(routine);
  return done ? cusolver.run(*this, routine, inputs, count, operands, error, failed) : Status();
}

/// A library overwrites the matrices, column by column: it gets a copy.
Status CudaDevice::solveOfRows(const npcc_array *operands, const RoutineError *error, int64_t &failed) {
  View from = viewOf(operands[0]);
  OwnedBuffer columns;
  NPCC_TRY(columns.allocate(*this, elementCount(from) * from.elementSize));
  View to = contiguousLike(from, columns.get());
  std::swap(to.strides[1], to.strides[2]);
  NPCC_TRY(copyStrided(to, from));
  npcc_array of[] = {operands[0], operands[1]};
  of[0].data = columns.get();
  return cusolver.run(*this, "solve", 0, 2, of, error, failed);
}

Status CudaDevice::multiplySparse(const SparseLines &matrix, bool areRows, const SparseFactors &by, bool &done) {
  done = cusparse.available();
  if (!done)
    return {};
  Replay::Pause pause(replay);
  DeviceSpan span(*this, NPCC_TRACE_LIBRARY, "sparse product (cuSPARSE)");
  return cusparse.multiply(*this, matrix, areRows, by);
}

Status CudaDevice::drawNumbers(const random::StreamDraw &draw, random::StreamOutcome &outcome) {
  return drawByKernels(*this, draw, outcome);
}

void CudaDevice::prepare(const char *routine) {
  std::string_view name = routine;
  if (name == "matmul")
    cublas.available();
  else if (name.find("fft") != name.npos)
    cufftLibrary();
  else if (name == sparseColumns || name == sparseRows)
    cusparse.available();
  else
    cusolver.has(routine);
}

Status CudaDevice::select(const SortShape &shape, const void *in, const int64_t *places, int64_t count, void *out) {
  return selectByKernels(*this, shape, in, places, count, out);
}

Status CudaDevice::sort(const SortShape &shape, const void *in, void *out) { return sortByKernels(*this, shape, in, out); }

Status CudaDevice::synchronize() {
  Stream stream = streams.current();
  NPCC_CUDA_TRY(streamSynchronize(stream));
  if (!streams.any()) // else some may be running on another stream
    forgetOwnKernels();
  return records.takeError(stream);
}

Status CudaDevice::recordEvent(void *&event) {
  if (!event) {
    Event made = nullptr;
    NPCC_CUDA_TRY(eventCreate(&made, withoutTiming));
    event = made;
  }
  NPCC_CUDA_TRY(eventRecord(static_cast<Event>(event), streams.use()));
  return {};
}

Status CudaDevice::waitEvent(void *event) {
  NPCC_CUDA_TRY(streamWaitEvent(streams.use(), static_cast<Event>(event), 0));
  return {};
}

Status CudaDevice::orderBuffer(void *base) {
  if (!streams.any())
    return {};
  uint32_t others = noteStreams(base, streams.currentBit());
  return others ? streams.orderAfter(others) : Status();
}

void CudaDevice::destroyEvent(void *event) {
  if (event)
    driver().eventDestroy(static_cast<Event>(event));
}

Status CudaDevice::enablePeer(Device &other) {
  auto &peer = static_cast<CudaDevice &>(other);
  if (peerEnabled[peer.id].load(std::memory_order_relaxed))
    return {};
  int can = 0;
  NPCC_CUDA_TRY(deviceCanAccessPeer(&can, handle, peer.handle));
  if (!can)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "{} cannot access the memory of {}", name(), peer.name());
  DeviceScope scope(*this);
  Result result = driver().ctxEnablePeerAccess(peer.context, 0);
  if (result != peerAccessAlreadyEnabled)
    NPCC_TRY(check(result, "cuCtxEnablePeerAccess"));
  peerEnabled[peer.id].store(true, std::memory_order_relaxed);
  return {};
}

} // namespace npcc::rt::cuda

namespace npcc::rt {

Status makeCudaDevice(int32_t ordinal, Device *&out) {
  auto device = std::make_unique<cuda::CudaDevice>(ordinal);
  NPCC_TRY(device->initialise());
  out = device.release();
  return {};
}

} // namespace npcc::rt

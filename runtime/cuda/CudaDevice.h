// One GPU: its primary context, one non-blocking stream (and the user's, Streams.h), and the records that kernels leave
// errors in (ErrorRecords.h).
#ifndef NPCC_RUNTIME_CUDA_CUDADEVICE_H
#define NPCC_RUNTIME_CUDA_CUDADEVICE_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include "runtime/cuda/Cublas.h"
#include "runtime/cuda/CublasLt.h"
#include "runtime/cuda/Cufft.h"
#include "runtime/cuda/Cusolver.h"
#include "runtime/cuda/Cusparse.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/ElementWindows.h"
#include "runtime/cuda/ErrorRecords.h"
#include "runtime/cuda/Passages.h"
#include "runtime/cuda/Replay.h"
#include "runtime/cuda/Streams.h"
#include <atomic>

namespace npcc::rt {
struct BlasProduct;
}

namespace npcc::rt::cuda {

class CudaDevice final : public Device {
public:
  explicit CudaDevice(int32_t ordinal);
  Status initialise();

  std::string name() const override { return fmt::format("cuda:{}", id); }
  Status allocateRaw(int64_t bytes, void **out) override;
  void freeRaw(void *base, int64_t bytes) override;
  int64_t totalMemory() override { return memory; }
  Status copyIn(void *to, const void *from, int64_t bytes) override;
  Status copyOut(void *to, const void *from, int64_t bytes) override;
  Status readElement(void *to, const void *from, int64_t bytes) override {
    return ElementWindows::ofThread().read(*this, to, from, bytes);
  }
  Status writeElement(void *to, const void *from, int64_t bytes) override {
    return ElementWindows::ofThread().write(*this, to, from, bytes);
  }
  void sendElements() override { ElementWindows::flushAll(); }
  void forgetElements() override { ElementWindows::forgetAll(); }
  Status copyWithin(void *to, const void *from, int64_t bytes) override;
  Status copyFromPeer(void *to, Device &peer, const void *from, int64_t bytes) override;
  Status beginPassage(const ByteRange &from, std::unique_ptr<Passage> &passage) override;
  Status beginDeparture(const ByteRange &to, void *toBase, const void *from, void *fromBase) override;
  bool dropPassages() override { return passages.drop(); }
  Status copyStrided(const View &to, const View &from) override;
  Status launch(npcc_kernel &kernel, const LaunchShape &shape, void **params) override;
  Status matmul(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c) override;
  Status matmulEpilogue(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c,
                        const npcc_epilogue &epilogue) override;
  Status matmulStrided(const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                       const int64_t strides[3]) override;
  Status sort(const SortShape &shape, const void *in, void *out) override;
  Status select(const SortShape &shape, const void *in, const int64_t *places, int64_t count, void *out) override;
  Status fourier(const FourierShape &shape, const View &in, const View &out) override;
  Status linearAlgebra(const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                       const RoutineError *error, int64_t &failed, bool &done) override;
  Status multiplySparse(const SparseLines &matrix, bool areRows, const SparseFactors &by, bool &done) override;
  Status drawNumbers(const random::StreamDraw &draw, random::StreamOutcome &outcome) override;
  void prepare(const char *routine) override;
  Status synchronize() override;
  int64_t *errorRecord() override { return records.ofThread().onDevice; }
  int64_t *errorFlag() override { return reinterpret_cast<int64_t *>(records.ofThread().flag); }
  Status settle() override { return records.ofThread().isOpen ? synchronize() : Status(); }
  int64_t launchNumber() override {
    records.ofThread().isOpen = true;
    return (replay.isInCall() ? replay.nextNumber() : launches.fetch_add(1, std::memory_order_relaxed)) & 0x1ffff;
  }
  void beginCall(const void *code) override {
    ElementWindows::forgetAll();
    replay.beginCall(code);
  }
  Status endCall() override {
    ElementWindows::forgetAll();
    return replay.endCall();
  }
  int32_t multiprocessors() const override { return multiprocessorCount; }
  Status recordEvent(void *&event) override;
  Status waitEvent(void *event) override;
  void destroyEvent(void *event) override;
  uint32_t streamBit() override { return streams.currentBit(); }
  Status orderAfter(uint32_t others) override { return streams.orderAfter(others); }
  void reuseAfter(uint32_t others) override { streams.reuseAfter(others); }
  Status orderBuffer(void *base) override;
  Status enablePeer(Device &peer) override;
  void *enter() override;
  void leave(void *previous) override;

  int32_t capability() const { return computeCapability; }
  /// Whether what this thread sends now is kept for a graph (Replay.h).
  bool keepsLaunches() {
    ElementWindows::flushAll();
    return replay.records() && streams.isQuiet();
  }
  /// Graphs are made on this stream.
  void captureOn(Stream stream) { cublas.setCaptureStream(stream); }
  /// Null if there is no cuBLAS.
  Cublas *blas() { return cublas.available() ? &cublas : nullptr; }

private:
  void keepProduct(const MatmulShape &shape, const BlasProduct &product);
  Status solveOfRows(const npcc_array *operands, const RoutineError *error, int64_t &failed);
  /// No more blocks along x than the device runs at once.
  Status fitGrid(Function function, LaunchShape &shape);

  DeviceHandle handle = 0;
  Context context = nullptr;
  int32_t computeCapability = 0, multiprocessorCount = 1;
  std::atomic<int64_t> launches{0}; // that may leave an error
  int64_t memory = 0;
  std::unique_ptr<std::atomic<bool>[]> peerEnabled; // by ordinal
  Cublas cublas;
  CublasLt cublasLt;
  Cufft cufft;
  Cusolver cusolver;
  Cusparse cusparse;

public:
  Replay replay;
  Streams streams;
  ErrorRecords records;
  Staging staging;
  Passages passages;
};

} // namespace npcc::rt::cuda

#endif

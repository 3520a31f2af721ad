// What the runtime asks of a place where arrays live and code runs. Implementations: cpu/CpuDevice.cpp (the CPU, and the
// logical CPU devices that devices=N means there) and cuda/CudaDevice.cpp.
//
// Work on a device is ordered by its one stream: a copy or launch issued later sees what was issued earlier, and memory
// released is reusable at once for what is issued later. On the CPU everything is done when the call returns.
#ifndef NPCC_RUNTIME_DEVICE_H
#define NPCC_RUNTIME_DEVICE_H

#include "runtime/Fourier.h"
#include "runtime/Passage.h"
#include "runtime/Pool.h"
#include "runtime/Sort.h"
#include "runtime/Status.h"
#include "runtime/View.h"
#include "runtime/abi/arrays.h"
#include "runtime/abi/devices.h"
#include "runtime/random/StreamDraw.h"

struct npcc_kernel;   // runtime/abi/kernels.h
struct npcc_matrix;   // runtime/abi/products.h
struct npcc_epilogue; // there too

namespace npcc::rt {
struct SparseLines;
struct SparseFactors; // runtime/Sparse.h

struct LaunchShape {
  int64_t grid[3];
  int64_t block[3];
  int64_t sharedBytes;
  bool cooperative;
  bool isFitted = false; // cooperative: no more blocks along x than run at once
  // The first of launches that do not depend on each other, and the others.
  bool begins = false, isBeside = false;
  bool isUnchecked = false; // may reach memory that it must not: errors name it
};

/// What a program raises where a routine has no result for a matrix.
struct RoutineError {
  npcc_error error;
  const char *message, *file;
  int32_t line;
};

struct MatmulShape {
  int32_t dtype; // of A and B
  int64_t m, n, k;
  int32_t resultDtype = dtype; // of C
  bool allowsTf32 = false;
  double alpha = 1, beta = 0; // C = alpha A B + beta C, of FLOAT32 and FLOAT64
};

class Device {
public:
  Device(int32_t id, npcc_target target, const PoolOptions &poolOptions)
      : id(id), target(target), pool(*this, poolOptions) {}
  virtual ~Device() = default;

  const int32_t id;         // npcc_array::device
  const npcc_target target; // whose variants run here

  bool onHost() const { return target == NPCC_TARGET_CPU; }
  virtual std::string name() const = 0; // for messages: "cuda:0"

  // Memory from the system; everyone but the pool goes through the pool.
  virtual Status allocateRaw(int64_t bytes, void **out) = 0; // NPCC_MEMORY_ERROR when there is none
  virtual void freeRaw(void *base, int64_t bytes) = 0;
  virtual int64_t totalMemory() = 0;

  // Stream-ordered copies of bytes. copyIn may return before the data has arrived but not before `from` may be
  // overwritten if it is pageable; copyOut waits.
  virtual Status copyIn(void *to, const void *from, int64_t bytes) = 0;
  virtual Status copyOut(void *to, const void *from, int64_t bytes) = 0;
  /// The same of an element, by a host that may ask for many: what it wrote need not be there before other work is.
  virtual Status readElement(void *to, const void *from, int64_t bytes) { return copyOut(to, from, bytes); }
  virtual Status writeElement(void *to, const void *from, int64_t bytes) { return copyIn(to, from, bytes); }
  /// Memory of this thread's may become another's: what it wrote is sent.
  virtual void sendElements() {}
  /// This thread gives others the chance to read and write.
  virtual void forgetElements() {}
  virtual Status copyWithin(void *to, const void *from, int64_t bytes) = 0;
  virtual Status copyFromPeer(void *to, Device &peer, const void *from, int64_t bytes) = 0;
  /// Begins a copy of an array of the host, for a call, beside what the device does; null where that is not worth it.
  virtual Status beginPassage(const ByteRange &from, std::unique_ptr<Passage> &passage) { return {}; }
  /// Begins a copy to the host of what this thread's work so far leaves in a buffer of the device. `toBase`, `fromBase`: the buffers, which are held
  /// until it is over. Only for devices that are not the host.
  virtual Status beginDeparture(const ByteRange &to, void *toBase, const void *from, void *fromBase) { return {}; }
  /// Gives memory back that is kept for later passages; whether there was any.
  virtual bool dropPassages() { return false; }
  /// Both views on this device, not overlapping, already normalised (View.h).
  virtual Status copyStrided(const View &to, const View &from) = 0;

  /// Around a call of generated code: what it launches may be kept until endCall() or until something waits for it.
  virtual void beginCall(const void *code) {}
  virtual Status endCall() { return {}; }

  virtual Status launch(npcc_kernel &kernel, const LaunchShape &shape, void **params) = 0;
  virtual Status matmul(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c) = 0;
  /// The product with what npcc_epilogue says of its elements, of a dtype of floats.
  virtual Status matmulEpilogue(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c,
                                const npcc_epilogue &epilogue) = 0;
  /// `count` products of A, B and C, each with matrices so many elements behind the ones before.
  virtual Status matmulStrided(const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                               const int64_t strides[3]) {
    return matmulStridedOneByOne(*this, shape, matrices, count, strides);
  }
  static Status matmulStridedOneByOne(Device &device, const MatmulShape &shape, const npcc_matrix matrices[3],
                                      int64_t count, const int64_t strides[3]);
  virtual Status sort(const SortShape &shape, const void *in, void *out) = 0;
  /// Of each line the elements that sorting would bring to `count` places, which are this device's numbers.
  virtual Status select(const SortShape &shape, const void *in, const int64_t *places, int64_t count, void *out) = 0;
  virtual Status fourier(const FourierShape &shape, const View &in, const View &out) = 0;
  /// A routine of LinearAlgebra.h on matrices of at least one element, if the device has it; else `done` stays false. A
  /// device that has an error to raise leaves it in the record of kernels' errors instead of `failed`: nobody waits.
  virtual Status linearAlgebra(const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                               const RoutineError *error, int64_t &failed, bool &done) {
    return {};
  }

  /// The lines of a sparse matrix as rows of it (`areRows`) or as its columns, times a vector or a table; `done` stays
  /// false where the device has no library for that.
  virtual Status multiplySparse(const SparseLines &matrix, bool areRows, const SparseFactors &by, bool &done) {
    return {};
  }

  /// Draws from a bit generator's stream as far as the device can; the numbers are NumPy's to the last bit.
  virtual Status drawNumbers(const random::StreamDraw &draw, random::StreamOutcome &outcome) { return {}; }

  /// Opens the library of matrix products ("matmul") or of a routine.
  virtual void prepare(const char *routine) {}
  /// Waits for the stream and takes the error that a kernel recorded, if any.
  virtual Status synchronize() = 0;
  virtual int64_t *errorRecord() = 0;
  /// A word of the device's memory that is not 0 where an error was left there (npcc_rt_error_flag).
  virtual int64_t *errorFlag() { return nullptr; }
  /// Waits for launches that may leave an error, where nobody has waited since, and takes it.
  virtual Status settle() { return {}; }
  /// A number for the next launch that may leave an error there (npcc_rt_launch_number).
  virtual int64_t launchNumber() { return 0; }
  virtual int32_t multiprocessors() const = 0;

  // Order between the streams of a group's devices: nothing to do on the CPU, where a host barrier is enough.
  virtual Status recordEvent(void *&event) { return {}; } // makes the event if it is null
  virtual Status waitEvent(void *event) { return {}; }
  virtual void destroyEvent(void *event) {}
  // Streams beside the one: a thread may have its work on one of the user's (cuda/Streams.h). Sets of them are bits.
  /// The stream of this thread's work, if it is not the device's one.
  virtual uint32_t streamBit() { return 0; }
  /// This thread's later work waits for what is on those streams.
  virtual Status orderAfter(uint32_t streams) { return {}; }
  /// Memory that those streams may still use is about to be reused: all later work elsewhere waits for them.
  virtual void reuseAfter(uint32_t streams) {}
  /// This thread's work is about to use the buffer (nothing happens if it is not one): waits for what others do with it.
  virtual Status orderBuffer(void *base) { return {}; }

  /// Makes memory of `peer` addressable by kernels of this device.
  virtual Status enablePeer(Device &peer) { return {}; }

  // The thread's driver state around work on this device; nested uses are legal.
  virtual void *enter() { return nullptr; }
  virtual void leave(void *previous) {}

  Pool pool;
};

class DeviceScope {
public:
  explicit DeviceScope(Device &device) : device(device), previous(device.enter()) {}
  ~DeviceScope() { device.leave(previous); }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  Device &device;
  void *previous;
};

/// The device with this number, made at its first use. ValueError if there is none.
Status findDevice(int32_t id, Device *&out);
/// Calls `visit` for every device made so far.
void forEachDevice(void (*visit)(Device &device));

// The implementations' factories.
Device *makeCpuDevice(int32_t id);
Status makeCudaDevice(int32_t ordinal, Device *&out);

} // namespace npcc::rt

#endif

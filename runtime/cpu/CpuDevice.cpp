// The CPU, and logical CPU devices: the same memory and threads, but separate pools and buffers, so that code for many
// devices can be run and tested without any.
#include "runtime/Counters.h"
#include "runtime/Device.h"
#include "runtime/abi/kernels.h"
#include "runtime/cpu/Fourier.h"
#include "runtime/cpu/Matmul.h"
#include "runtime/cpu/Partition.h"
#include "runtime/cpu/Sort.h"
#include "runtime/cpu/StridedCopy.h"
#include "runtime/cpu/ThreadPool.h"
#include "runtime/cpu/Uniform.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace npcc::rt {
namespace {

int64_t physicalMemory() { return int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

constexpr int64_t hugePage = 2 << 20;

class CpuDevice final : public Device {
public:
  // Fresh pages cost more than most array statements (a fault a page), so large blocks are kept; a quarter of the
  // memory at most, because other programs live here too.
  explicit CpuDevice(int32_t id)
      : Device(id, NPCC_TARGET_CPU, {.granularity = 64, .systemBelow = 64 << 10, .cacheLimit = physicalMemory() / 4}) {}

  std::string name() const override {
    return id == NPCC_CPU ? "cpu" : fmt::format("cpu:{}", id - NPCC_LOGICAL_CPU);
  }

  Status allocateRaw(int64_t bytes, void **out) override {
    // Aligned for huge pages, which save most of the faults: map more, and cut.
    int64_t mapped = bytes + hugePage;
    void *base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
      return Status(NPCC_MEMORY_ERROR, "mmap failed");
    auto address = reinterpret_cast<uintptr_t>(base);
    uintptr_t aligned = (address + hugePage - 1) / hugePage * hugePage;
    uintptr_t end = (aligned + bytes + 4095) / 4096 * 4096;
    if (aligned > address)
      munmap(base, aligned - address);
    if (address + mapped > end)
      munmap(reinterpret_cast<void *>(end), address + mapped - end);
    *out = reinterpret_cast<void *>(aligned);
    madvise(*out, bytes, MADV_HUGEPAGE);
    return {};
  }
  void freeRaw(void *base, int64_t bytes) override { munmap(base, (bytes + 4095) / 4096 * 4096); }
  int64_t totalMemory() override { return physicalMemory(); }

  Status copyIn(void *to, const void *from, int64_t bytes) override { return move(to, from, bytes); }
  Status copyOut(void *to, const void *from, int64_t bytes) override { return move(to, from, bytes); }
  Status copyWithin(void *to, const void *from, int64_t bytes) override { return move(to, from, bytes); }
  Status copyFromPeer(void *to, Device &, const void *from, int64_t bytes) override {
    counters.bytesDeviceToDevice.add(bytes);
    return move(to, from, bytes);
  }
  Status copyStrided(const View &to, const View &from) override {
    copyStridedOnHost(to, from);
    return {};
  }

  Status launch(npcc_kernel &kernel, const LaunchShape &, void **) override {
    return makeError(NPCC_RUNTIME_ERROR, "kernel {} cannot be launched on {}", kernel.name, name());
  }
  Status matmul(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c) override {
    return matmulOnHost(*this, shape, a, b, c);
  }
  Status matmulEpilogue(const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b, const npcc_matrix &c,
                        const npcc_epilogue &epilogue) override {
    return matmulEpilogueOnHost(*this, shape, a, b, c, epilogue);
  }
  Status matmulStrided(const MatmulShape &shape, const npcc_matrix matrices[3], int64_t count,
                       const int64_t strides[3]) override {
    return matmulStridedOnHost(*this, shape, matrices, count, strides);
  }
  Status sort(const SortShape &shape, const void *in, void *out) override { return sortOnHost(*this, shape, in, out); }
  Status select(const SortShape &shape, const void *in, const int64_t *places, int64_t count, void *out) override {
    return selectOnHost(*this, shape, in, places, count, out);
  }
  Status fourier(const FourierShape &shape, const View &in, const View &out) override {
    if (shape.axes > 1)
      return fourierByAxes(*this, shape, in, out);
    fourierOnHost(shape, in, out);
    return {};
  }

  Status drawNumbers(const random::StreamDraw &draw, random::StreamOutcome &outcome) override {
    drawUniformOnHost(draw, outcome);
    return {};
  }

  Status synchronize() override { return {}; }
  int64_t *errorRecord() override { return nullptr; } // each frame has its own
  int32_t multiprocessors() const override { return ThreadPool::get().threads(); }

private:
  Status move(void *to, const void *from, int64_t bytes) {
    if (bytes > 0)
      copyBytesOnHost(to, from, bytes);
    return {};
  }
};

} // namespace

Device *makeCpuDevice(int32_t id) { return new CpuDevice(id); }

} // namespace npcc::rt

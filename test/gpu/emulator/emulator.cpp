// Runs kernels on the CPU, for tests on machines without a GPU: what npcc hands to the NVPTX code generator is compiled for the CPU instead
// (emulate.py), with the special registers, barriers and shuffles below, and the host code of the same module calls npcc_rt_launch here.
//
// Threads of a block are coroutines. Blocks run one after the other, so a shared variable is a global one. What waits for a barrier or a
// shuffle that not all threads reach is reported, and so are misaligned vectors (SIGSEGV, the CPU's aligned moves).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csetjmp>
#include <dlfcn.h>
#include <map>
#include <numeric>
#include <string>
#include <ucontext.h>
#include <vector>

struct npcc_kernel {
  void *image;
  const char *name;
  void *state;
};
using Trampoline = void (*)(void **);

namespace {

constexpr int warpSize = 32, stackBytes = 128 * 1024;
enum class Wait { None, Block, Warp, Done };
struct Thread {
  jmp_buf end;   // of its kernel
  jmp_buf place; // where it goes on; _setjmp and _longjmp change stacks without a system call, unlike swapcontext
  bool isStarted = false;
  Wait wait = Wait::None;
  std::vector<char> stack;
};
struct {
  std::vector<Thread> threads;
  jmp_buf scheduler;
  int current = 0, count = 0;
  int64_t grid[3], block[3], id[3];
  Trampoline kernel;
  void **params;
  std::vector<uint32_t> shuffled;
} state;

constexpr int recordWords = 17; // NPCC_RECORD_WORDS
int64_t errorRecord[recordWords];
std::string failure;
jmp_buf frame;
struct Buffer {
  int64_t bytes = 0, references = 0;
};
std::map<void *, Buffer> buffers;
int64_t launches;

void yield(Wait wait) {
  Thread &thread = state.threads[state.current];
  thread.wait = wait;
  if (_setjmp(thread.place) == 0)
    _longjmp(state.scheduler, 1);
}

/// A coroutine is made once and runs the thread of its number of one block after the other.
void runThread() {
  for (;;) {
    if (_setjmp(state.threads[state.current].end) == 0)
      state.kernel(state.params);
    yield(Wait::Done);
  }
}

void resume(int number) {
  state.current = number;
  if (_setjmp(state.scheduler) != 0)
    return;
  Thread &thread = state.threads[number];
  if (thread.isStarted)
    _longjmp(thread.place, 1);
  thread.isStarted = true;
  thread.stack.resize(stackBytes);
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.data();
  context.uc_stack.ss_size = stackBytes;
  context.uc_link = nullptr;
  makecontext(&context, runThread, 0);
  setcontext(&context);
}

void die(const char *what) {
  fprintf(stderr, "emulator: %s\n", what);
  abort();
}

/// Whether a group of threads may go on: all that are not done wait for the same thing (for shuffles nobody may be done).
bool release(int from, int to, Wait wait) {
  bool any = false;
  for (int t = from; t < to; ++t) {
    if (state.threads[t].wait == Wait::Done && wait == Wait::Block)
      continue;
    if (state.threads[t].wait != wait)
      return false;
    any = true;
  }
  for (int t = from; any && t < to; ++t)
    if (state.threads[t].wait == wait)
      state.threads[t].wait = Wait::None;
  return any;
}

void runBlock() {
  for (int t = 0; t < state.count; ++t)
    state.threads[t].wait = Wait::None;
  for (;;) {
    bool ran = false, isDone = true;
    // Every other launch the last thread runs first, so that what lacks a barrier shows.
    for (int k = 0; k < state.count; ++k)
      if (int t = launches % 2 ? k : state.count - 1 - k; state.threads[t].wait == Wait::None) {
        resume(t);
        ran = true;
      }
    for (int t = 0; t < state.count; ++t)
      isDone &= state.threads[t].wait == Wait::Done;
    if (isDone)
      return;
    bool released = release(0, state.count, Wait::Block);
    for (int warp = 0; warp < state.count; warp += warpSize)
      released |= release(warp, std::min(warp + warpSize, state.count), Wait::Warp);
    if (!ran && !released)
      die("threads wait for a barrier or a shuffle that the others do not reach");
  }
}

int64_t coordinate(int axis) {
  int64_t t = state.current;
  return axis == 0 ? t % state.block[0] : axis == 1 ? t / state.block[0] % state.block[1] : t / state.block[0] / state.block[1];
}

} // namespace

extern "C" {

// ---- What kernels use (emulate.py renames the intrinsics) ----
#define REGISTER(NAME, AXIS, EXPRESSION) int32_t emu_##NAME() { constexpr int axis = AXIS; return int32_t(EXPRESSION); }
REGISTER(tid_x, 0, coordinate(axis)) REGISTER(tid_y, 1, coordinate(axis)) REGISTER(tid_z, 2, coordinate(axis))
REGISTER(ctaid_x, 0, state.id[axis]) REGISTER(ctaid_y, 1, state.id[axis]) REGISTER(ctaid_z, 2, state.id[axis])
REGISTER(ntid_x, 0, state.block[axis]) REGISTER(ntid_y, 1, state.block[axis]) REGISTER(ntid_z, 2, state.block[axis])
REGISTER(nctaid_x, 0, state.grid[axis]) REGISTER(nctaid_y, 1, state.grid[axis]) REGISTER(nctaid_z, 2, state.grid[axis])
int32_t emu_cluster_nctaid_x() { return 1; }
void emu_cluster_arrive() {}
void emu_cluster_wait() {}
void emu_barrier() { yield(Wait::Block); }
void emu_exit() { _longjmp(state.threads[state.current].end, 1); }
#define SHUFFLE(NAME, SOURCE)                                                             \
  int32_t emu_shuffle_##NAME(int32_t mask, int32_t value, int32_t operand, int32_t) {     \
    if (mask != -1)                                                                        \
      die("a shuffle of part of a warp");                                                  \
    int me = state.current, lane = me % warpSize;                                          \
    state.shuffled[me] = value;                                                            \
    yield(Wait::Warp);                                                                     \
    int32_t result = state.shuffled[me - lane + (SOURCE)];                                 \
    yield(Wait::Warp);                                                                     \
    return result;                                                                         \
  }                                                                                        \
  float emu_shuffle_##NAME##_f32(int32_t mask, float value, int32_t operand, int32_t last) { \
    int32_t bits;                                                                          \
    memcpy(&bits, &value, 4);                                                              \
    bits = emu_shuffle_##NAME(mask, bits, operand, last);                                  \
    memcpy(&value, &bits, 4);                                                              \
    return value;                                                                          \
  }
SHUFFLE(xor, lane ^ operand) SHUFFLE(up, lane < operand ? lane : lane - operand) SHUFFLE(index, operand)
/// What all lanes of the warp have, bit by bit.
static uint32_t ballot(int32_t mask, int32_t value, int32_t wanted) {
  if (mask != -1)
    die("a vote of part of a warp");
  int me = state.current, first = me - me % warpSize;
  state.shuffled[me] = value;
  yield(Wait::Warp);
  uint32_t result = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    result |= uint32_t(state.shuffled[first + lane] == wanted) << lane;
  yield(Wait::Warp);
  return result;
}
uint32_t emu_match_any(int32_t mask, int32_t value) { return ballot(mask, value, value); }
uint32_t emu_vote_ballot(int32_t mask, int8_t value) { return ballot(mask, value & 1, 1); }
bool emu_vote_any(int32_t mask, int8_t value) { return ballot(mask, value & 1, 1) != 0; }
void emu_warp_barrier(int32_t) { yield(Wait::Warp); }
uint32_t emu_lanemask_lt() { return (1u << state.current % warpSize) - 1; }
uint32_t emu_lanemask_gt() { return ~((2u << state.current % warpSize) - 1); }

// ---- What host code uses ----
void npcc_rt_launch(npcc_kernel *kernel, int64_t gx, int64_t gy, int64_t gz, int64_t bx, int64_t by, int64_t bz, int64_t, int32_t flags,
                    void **params) {
  if (flags & 2)
    gx = 1; // one block runs at once

  if (gx < 0 || gy < 0 || gz < 0 || gx > 2147483647 || gy > 65535 || gz > 65535 || bx * by * bz > 1024 || bx * by * bz < 1)
    die("a launch that CUDA refuses");
  ++launches;
  state.kernel = reinterpret_cast<Trampoline>(dlsym(RTLD_DEFAULT, (std::string("call_") + kernel->name).c_str()));
  void *self = nullptr;
  Dl_info info;
  if (!state.kernel && dladdr(reinterpret_cast<void *>(&npcc_rt_launch), &info)) {
    self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    state.kernel = reinterpret_cast<Trampoline>(dlsym(self, (std::string("call_") + kernel->name).c_str()));
  }
  if (!state.kernel)
    die("a kernel is missing");
  state.params = params;
  int64_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  memcpy(state.grid, grid, sizeof grid);
  memcpy(state.block, block, sizeof block);
  state.count = int(bx * by * bz);
  state.threads.resize(std::max<size_t>(state.threads.size(), state.count));
  state.shuffled.resize(state.threads.size());
  for (state.id[2] = 0; state.id[2] < gz; ++state.id[2])
    for (state.id[1] = 0; state.id[1] < gy; ++state.id[1])
      for (state.id[0] = 0; state.id[0] < gx; ++state.id[0])
        runBlock();
}
int64_t *npcc_rt_error_record() { return errorRecord; }
int64_t npcc_rt_launch_number() { return 0; }
int64_t *npcc_rt_error_flag() { return errorRecord + 7; } // the place: everything is one memory
void npcc_rt_settle() {}
void *npcc_rt_alloc(int64_t bytes) {
  void *base = aligned_alloc(256, (bytes + 511) / 256 * 256);
  memset(base, 0xEE, bytes);
  buffers[base] = {bytes, 1};
  return base;
}
void *npcc_rt_alloc_host(int64_t bytes) { return npcc_rt_alloc(bytes); }
void *npcc_rt_mirror(void *array, int64_t bytes) { return memcpy(npcc_rt_alloc(bytes), array, bytes); }
void npcc_rt_retain(void *base) { ++buffers[base].references; }
// A buffer's memory is the next one's as soon as it is given back: whoever still reads it reads something else.
void npcc_rt_release(void *base) {
  auto found = buffers.find(base);
  if (found != buffers.end() && --found->second.references == 0)
    memset(base, 0x99, found->second.bytes);
}
void npcc_rt_read(void *to, const void *from, int64_t bytes) { memcpy(to, from, bytes); }
void npcc_rt_write(void *to, const void *from, int64_t bytes) { memcpy(to, from, bytes); }
int32_t npcc_rt_multiprocessors() { return 132; }
// Arrays are where the kernels are.
void npcc_rt_await(int64_t, int64_t, int64_t) {}
void npcc_rt_written(int64_t, int64_t, int64_t) {}
// Positions of one line of int64.
void npcc_rt_sort(int32_t, int32_t positions, int64_t lines, int64_t length, int64_t, const void *in, void *out) {
  if (!positions || lines != 1)
    die("no such sort");
  const int64_t *keys = static_cast<const int64_t *>(in);
  int64_t *order = static_cast<int64_t *>(out);
  std::iota(order, order + length, int64_t(0));
  std::stable_sort(order, order + length, [&](int64_t a, int64_t b) { return keys[a] < keys[b]; });
}
[[noreturn]] void npcc_rt_fail_index(int64_t, int64_t, int64_t, const char *, int32_t) { longjmp(frame, 1); }
[[noreturn]] void npcc_rt_fail_format(int32_t, const char *, int32_t, const int64_t *, const char *, int32_t) { longjmp(frame, 1); }

// ---- What emulate.py uses ----
int emulator_run(void (*entry)(void **), void **slots, int64_t record[recordWords]) {
  memset(errorRecord, 0, sizeof errorRecord);
  int status = setjmp(frame);
  if (status == 0)
    entry(slots);
  memcpy(record, errorRecord, sizeof errorRecord);
  return status;
}
int64_t emulator_launches() { return launches; }
void emulator_free() {
  for (auto &[base, buffer] : buffers)
    free(base);
  buffers.clear();
}
}

#include "runtime/cpu/Fibers.h"
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <utility>

#if defined(__x86_64__)
asm(R"(
  .text
  .globl npcc_switch_stacks
  .hidden npcc_switch_stacks
  .type npcc_switch_stacks, @function
npcc_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size npcc_switch_stacks, . - npcc_switch_stacks
)");
static constexpr size_t savedWords = 6, returnWord = 6;
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl npcc_switch_stacks
  .hidden npcc_switch_stacks
  .type npcc_switch_stacks, %function
npcc_switch_stacks:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size npcc_switch_stacks, . - npcc_switch_stacks
)");
static constexpr size_t savedWords = 20, returnWord = 11;
#else
#error "switching stacks is written for x86-64 and AArch64"
#endif

namespace npcc::rt {

StackPointer prepareStack(void *memory, size_t bytes, void (*entry)()) {
  uintptr_t top = (reinterpret_cast<uintptr_t>(memory) + bytes) & ~uintptr_t(15);
#if defined(__x86_64__)
  // A function begins with its return address on the stack, 8 beyond a multiple of 16: here 0, which nothing returns
  // to.
  auto *words = reinterpret_cast<uintptr_t *>(top) - 2 - (savedWords + 1) + 1;
  words[savedWords + 1] = 0;
#else
  auto *words = reinterpret_cast<uintptr_t *>(top) - savedWords;
#endif
  for (size_t k = 0; k < savedWords; ++k)
    words[k] = 0;
  words[returnWord] = reinterpret_cast<uintptr_t>(entry);
  return words;
}

namespace {
struct Kept {
  char *memory = nullptr;
  size_t size = 0;
  ~Kept() {
    if (memory)
      munmap(memory, size);
  }
};
thread_local Kept kept;
constexpr size_t mostKept = size_t(1) << 30; // of addresses; what was touched is far less
} // namespace

Stacks::Stacks(size_t count, size_t bytes) : memory(nullptr), size(count * bytes), bytes(bytes) {
  if (kept.size >= size) {
    memory = std::exchange(kept.memory, nullptr);
    size = std::exchange(kept.size, 0);
    return;
  }
  void *made =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made != MAP_FAILED)
    memory = static_cast<char *>(made);
}

Stacks::~Stacks() {
  if (!memory)
    return;
  if (size <= mostKept && size > kept.size) {
    if (kept.memory)
      munmap(kept.memory, kept.size);
    kept.memory = memory;
    kept.size = size;
    return;
  }
  munmap(memory, size);
}

} // namespace npcc::rt

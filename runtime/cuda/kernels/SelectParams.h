#ifndef NPCC_RUNTIME_CUDA_KERNELS_SELECT_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_SELECT_PARAMS_H
#include <cstdint>

constexpr int selectDigitBits = 11, selectDigits = 1 << selectDigitBits; // of a pass
constexpr int mostSelected = 4;                     // places of a line that are looked for together
constexpr int selectThreads = 512, selectItems = 8; // of a block, and elements that a thread takes at once

// What is known of the elements that are looked for, between passes. Keys that begin with the same digits are a group.
struct SelectState {
  uint64_t prefix[mostSelected]; // of each group: its keys' digits so far
  int64_t rank[mostSelected];    // of each place: how many of its group's keys come before it
  int32_t group[mostSelected];   // of each place
  int32_t groups;
  uint32_t kept, done; // keys that were kept for later passes; blocks that have counted theirs
  uint32_t bins[mostSelected][selectDigits];
};

// What the kernels of select.cu take. Keys are those of RadixKeys.h.
struct SelectParams {
  const void *in; // a line; of `take` all lines, sorted
  void *out;
  const int64_t *places;
  void *candidates; // keys of one of the groups
  SelectState *state;
  int64_t lines, length;
  int32_t count;                   // of the places
  int32_t dtype;                   // npcc_dtype
  int32_t firstBit, bits, keyBits; // of the pass's digit; of a key
  int32_t readsKept, keeps;        // whether a pass reads the candidates; whether it writes them
};

#endif

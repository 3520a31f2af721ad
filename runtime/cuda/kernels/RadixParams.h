#ifndef NPCC_RUNTIME_CUDA_KERNELS_RADIX_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_RADIX_PARAMS_H
#include <cstdint>

// What the kernels of radix.cu take. Positions are those in the whole array, line after line.
struct RadixParams {
  const void *in;
  void *out;
  void *keys, *newKeys; // of four or eight bytes
  uint32_t *positions, *newPositions;
  uint32_t *bins, *nextBins; // of a pass: where each digit's next key goes; of the same pass over the keys behind
  int32_t *lookback, *counter;
  int64_t lines, length;
  int64_t count;                  // of the keys that a pass goes over; of the words that are cleared
  int32_t dtype;                  // npcc_dtype
  int32_t part;                   // a RadixPart
  int32_t isExact;                // whether -0 comes before 0, so that the element follows from its key
  int32_t elementBits;            // above them a key has the number of its line
  int32_t firstBit, bits, endBit; // of a pass; of all passes
};

// What keys are made of.
enum RadixPart { imaginaryPart, realPart, whichAreNan, wholeElement, numberOfLine };

// The keys that a block of each sweep takes.
constexpr int radixThreads = 384, radixTile4 = 7680, radixTile4Positions = 8064, radixTile8 = 4608;
constexpr int radixDigits = 256, radixDigitBits = 8;

// Lines of up to so many elements are sorted by one block each.
constexpr int longestBlockLine = 4096;

// Lines of up to so many elements are sorted in the registers of one thread each.
constexpr int longestShortLine = 32, shortLinesPerBlock = 64;

// Longer ones of up to 1,024 elements in those of one warp each.
constexpr int warpLinesPerBlock = 4;

#endif

#include "runtime/cuda/SortDigits.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/RadixParams.h"
#include <algorithm>
#include <bit>
#include <utility>

NPCC_KERNELS(radix, "radix")
NPCC_KERNELS(flat, "flat")

namespace npcc::rt::cuda {
namespace {


// By the width of keys: four bytes, or eight.
npcc_kernel makeKeys[] = {{&radixImage, "npcc_radix_keys_4", nullptr}, {&radixImage, "npcc_radix_keys_8", nullptr}};
npcc_kernel makeValues[] = {{&radixImage, "npcc_radix_values_4", nullptr},
                            {&radixImage, "npcc_radix_values_8", nullptr}};
npcc_kernel histogram[] = {{&radixImage, "npcc_radix_histogram_4", nullptr},
                           {&radixImage, "npcc_radix_histogram_8", nullptr}};
npcc_kernel sweep[][2] = {
    {{&radixImage, "npcc_radix_sweep_4", nullptr}, {&radixImage, "npcc_radix_sweep_4_positions", nullptr}},
    {{&radixImage, "npcc_radix_sweep_8", nullptr}, {&radixImage, "npcc_radix_sweep_8_positions", nullptr}}};
// The same of elements as they are; indexed by flatIndex().
npcc_kernel flatHistogram[] = {
    {&flatImage, "npcc_flat_histogram_int32", nullptr},   {&flatImage, "npcc_flat_histogram_int64", nullptr},
    {&flatImage, "npcc_flat_histogram_uint32", nullptr},  {&flatImage, "npcc_flat_histogram_uint64", nullptr},
    {&flatImage, "npcc_flat_histogram_float32", nullptr}, {&flatImage, "npcc_flat_histogram_float64", nullptr}};
npcc_kernel flatSweep[] = {
    {&flatImage, "npcc_flat_sweep_int32", nullptr},   {&flatImage, "npcc_flat_sweep_int64", nullptr},
    {&flatImage, "npcc_flat_sweep_uint32", nullptr},  {&flatImage, "npcc_flat_sweep_uint64", nullptr},
    {&flatImage, "npcc_flat_sweep_float32", nullptr}, {&flatImage, "npcc_flat_sweep_float64", nullptr}};
npcc_kernel countNans{&flatImage, "npcc_flat_nans", nullptr}, turn{&flatImage, "npcc_flat_turn", nullptr},
    takeBack{&flatImage, "npcc_flat_return", nullptr};
constexpr int64_t tiles[][2] = {{radixTile4, radixTile4Positions}, {radixTile8, radixTile8}};
npcc_kernel clear{&radixImage, "npcc_radix_clear", nullptr}, sums{&radixImage, "npcc_radix_sums", nullptr},
    writePositions{&radixImage, "npcc_radix_positions", nullptr};
npcc_kernel gathers[] = {{&radixImage, "npcc_radix_gather_1", nullptr},
                         {&radixImage, "npcc_radix_gather_2", nullptr},
                         {&radixImage, "npcc_radix_gather_4", nullptr},
                         {&radixImage, "npcc_radix_gather_8", nullptr},
                         {&radixImage, "npcc_radix_gather_16", nullptr}};

/// A sweep counts the keys before a tile in 30 bits.
constexpr int64_t mostOfSweep = (int64_t(1) << 28) - 1;

/// -1 for dtypes that have no sort of their own.
int flatIndex(int32_t dtype) {
  switch (dtype) {
  case NPCC_INT32:
    return 0;
  case NPCC_INT64:
    return 1;
  case NPCC_UINT32:
    return 2;
  case NPCC_UINT64:
    return 3;
  case NPCC_FLOAT32:
    return 4;
  case NPCC_FLOAT64:
    return 5;
  default:
    return -1;
  }
}

/// Lines of so many elements are sorted one after the other rather than with the number of the line in the key.
constexpr int64_t fewLines = 16, longLine = int64_t(1) << 20;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Of a key: those of the element, or of its component, or those that differ among numbers below the bound.
int getElementBits(const SortShape &shape) {
  int all = static_cast<int>(8 * elementSize(shape.dtype) / (shape.dtype >= NPCC_COMPLEX64 ? 2 : 1));
  return shape.bound ? std::clamp(static_cast<int>(std::bit_width(uint64_t(shape.bound - 1))), 1, all) : all;
}

class Digits {
public:
  Digits(CudaDevice &device, const SortShape &shape, const void *in, void *out)
      : device(device), shape(shape), count(shape.lines * shape.length), isComplex(shape.dtype >= NPCC_COMPLEX64),
        elementBits(getElementBits(shape)),
        lineBits(std::bit_width(uint64_t(shape.lines - 1))) {
    params.in = in;
    params.out = out;
    params.lines = shape.lines;
    params.length = shape.length;
    params.dtype = shape.bound ? NPCC_UINT64 - 3 + std::countr_zero(uint64_t(elementSize(shape.dtype))) : shape.dtype;
    params.elementBits = elementBits;
  }

  /// Elements alone, in one line: from the array to the result, to and fro between that and one buffer.
  Status runFlat(int index) {
    bool isFloat = shape.dtype >= NPCC_FLOAT32;
    wide = elementBits == 64;
    NPCC_TRY(keyBuffers[0].allocate(device, count * elementBits / 8));
    NPCC_TRY(allocateCounts(false));
    params.keys = const_cast<void *>(params.in);
    params.newKeys = keyBuffers[0].get();
    NPCC_TRY(sweepAll(flatHistogram[index], flatSweep[index], elementBits, params.out));
    if (!isFloat)
      return {};
    params.keys = keyBuffers[0].get();
    params.bins = reinterpret_cast<uint32_t *>(counts.get());
    params.count = count;
    NPCC_TRY(launch(countNans, 1, 1));
    NPCC_TRY(launch(turn, blocksFor(256), 256));
    return launch(takeBack, blocksFor(256), 256);
  }

  Status run() {
    if (int index = flatIndex(shape.dtype); index >= 0 && shape.lines == 1 && !shape.positions && !shape.bound)
      return runFlat(index);
    // The number of the line is the key's highest bits where there is room, and else a key of its own.
    bool holdsLine = !isComplex && elementBits + lineBits <= 64;
    bool hasPositions = shape.positions || !holdsLine;
    int keyBits = holdsLine ? elementBits + lineBits : elementBits;
    wide = keyBits > 32;
    params.isExact = !hasPositions;
    NPCC_TRY(allocate(hasPositions, wide ? 8 : 4));
    if (isComplex) { // each sort leaves the order of equal keys
      NPCC_TRY(sortPart(imaginaryPart, elementBits));
      NPCC_TRY(sortPart(realPart, elementBits));
      NPCC_TRY(sortPart(whichAreNan, 2));
    } else {
      if (!holdsLine)
        params.elementBits = 64; // the key is the element alone
      NPCC_TRY(sortPart(wholeElement, keyBits));
    }
    if (!holdsLine && shape.lines > 1)
      NPCC_TRY(sortPart(numberOfLine, lineBits));
    int64_t blocks = blocksFor(256);
    if (shape.positions)
      return launch(writePositions, blocks, 256);
    if (!hasPositions)
      return launch(makeValues[wide], blocks, 256);
    return launch(gathers[std::countr_zero(uint64_t(elementSize(shape.dtype)))], blocks, 256);
  }

private:
  Status allocate(bool hasPositions, int64_t keyBytes) {
    for (OwnedBuffer &keys : keyBuffers)
      NPCC_TRY(keys.allocate(device, count * keyBytes));
    params.keys = keyBuffers[0].get();
    params.newKeys = keyBuffers[1].get();
    if (hasPositions) {
      for (OwnedBuffer &positions : positionBuffers)
        NPCC_TRY(positions.allocate(device, count * 4));
      params.positions = reinterpret_cast<uint32_t *>(positionBuffers[0].get());
      params.newPositions = reinterpret_cast<uint32_t *>(positionBuffers[1].get());
    }
    return allocateCounts(hasPositions);
  }

  /// The counts of digits of at most eight passes, the tiles' own, and a number for each pass.
  Status allocateCounts(bool hasPositions) {
    tile = tiles[wide][hasPositions];
    mostInPortion = mostOfSweep / tile * tile;
    portions = ceilDiv(count, mostInPortion);
    int64_t mostTiles = ceilDiv(std::min(count, mostInPortion), tile);
    binWords = 8 * (portions + 1) * radixDigits;
    lookbackWords = mostTiles * radixDigits;
    return counts.allocate(device, 4 * (binWords + 8 * portions + lookbackWords));
  }

  Status sortPart(int32_t part, int bits) {
    params.part = part;
    NPCC_TRY(launch(makeKeys[wide], blocksFor(256), 256));
    return sweepAll(histogram[wide], sweep[wide][params.positions != nullptr], bits, params.keys);
  }

  /// Pass after pass from `params.keys` to `params.newKeys`, and from there to `back`: then the names change places.
  Status sweepAll(npcc_kernel &count_, npcc_kernel &pass_, int bits, void *back) {
    auto *words = reinterpret_cast<uint32_t *>(counts.get());
    auto *counters = reinterpret_cast<int32_t *>(words + binWords), *lookback = counters + 8 * portions;
    int passes = static_cast<int>(ceilDiv(bits, radixDigitBits));
    NPCC_TRY(clearWords(words, binWords + 8 * portions));
    RadixParams all = params;
    all.bins = words;
    all.count = count;
    all.firstBit = 0;
    all.endBit = bits;
    NPCC_TRY(launch(count_, std::min<int64_t>(ceilDiv(count, 2048), 8 * device.multiprocessors()), 128, &all));
    NPCC_TRY(launch(sums, passes, radixDigits, &all));
    for (int pass = 0; pass < passes; ++pass) {
      for (int64_t portion = 0; portion < portions; ++portion) {
        int64_t from = portion * mostInPortion, size = std::min(count - from, mostInPortion);
        NPCC_TRY(clearWords(lookback, ceilDiv(size, tile) * radixDigits));
        RadixParams one = params;
        one.keys = static_cast<char *>(params.keys) + from * (wide ? 8 : 4);
        if (one.positions)
          one.positions = params.positions + from;
        one.bins = words + (portion * passes + pass) * radixDigits;
        one.nextBins = portion + 1 < portions ? words + ((portion + 1) * passes + pass) * radixDigits : nullptr;
        one.lookback = lookback;
        one.counter = counters + portion * passes + pass;
        one.count = size;
        one.firstBit = pass * radixDigitBits;
        one.bits = std::min(bits - one.firstBit, radixDigitBits);
        NPCC_TRY(launch(pass_, ceilDiv(size, tile), radixThreads, &one));
      }
      params.keys = std::exchange(params.newKeys, back);
      back = params.keys;
      std::swap(params.positions, params.newPositions);
    }
    return {};
  }

  Status clearWords(void *words, int64_t size) {
    RadixParams what = params;
    what.out = words;
    what.count = size;
    return launch(clear, std::min<int64_t>(ceilDiv(size, 256), 8 * device.multiprocessors()), 256, &what);
  }

  int64_t blocksFor(int64_t threads) const {
    return std::min<int64_t>(ceilDiv(count, threads), 32 * int64_t(device.multiprocessors()));
  }
  Status launch(npcc_kernel &kernel, int64_t blocks, int64_t threads) {
    return launch(kernel, blocks, threads, &params);
  }
  Status launch(npcc_kernel &kernel, int64_t blocks, int64_t threads, RadixParams *what) {
    void *arguments[] = {what};
    return device.launch(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0, false}, arguments);
  }

  CudaDevice &device;
  const SortShape &shape;
  int64_t count;
  bool isComplex, wide = false;
  int elementBits, lineBits;
  int64_t tile = 0, mostInPortion = 0, portions = 0, binWords = 0, lookbackWords = 0;
  OwnedBuffer keyBuffers[2], positionBuffers[2], counts;
  RadixParams params{};
};

} // namespace

Status sortByDigits(CudaDevice &device, const SortShape &shape, const void *in, void *out) {
  int64_t size = elementSize(shape.dtype);
  bool isOneByOne = shape.lines > 1 && shape.lines <= fewLines && shape.length >= longLine;
  if (!isOneByOne)
    return Digits(device, shape, in, out).run();
  SortShape line = shape;
  line.lines = 1;
  for (int64_t k = 0; k < shape.lines; ++k)
    NPCC_TRY(Digits(device, line, static_cast<const char *>(in) + k * shape.length * size,
                    static_cast<char *>(out) + k * shape.length * (shape.positions ? 8 : size))
                 .run());
  return {};
}

} // namespace npcc::rt::cuda

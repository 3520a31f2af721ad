#ifndef NPCC_RUNTIME_CUDA_KERNELS_RANDOM_PARAMS_H
#define NPCC_RUNTIME_CUDA_KERNELS_RANDOM_PARAMS_H
#include <cstdint>

/// 128 bits.
struct Wide {
  uint64_t low, high;
};
/// x -> multiplier * x + increment: so many steps of a linear congruence at once.
struct Jump {
  Wide multiplier, increment;
};

constexpr int randomThreads = 256, mostJumps = 20;

// What the kernels of words.cu take: a bit generator's state, and where its numbers go.
struct WordsParams {
  void *out; // words of 64 bits, or floats
  int64_t count;
  double shift, scale; // a float64 is shift + scale * (a number in [0, 1))
  // A stream of 32-bit words begins with the half that is left of a word of 64 bits.
  uint32_t half;
  int32_t hasHalf;
  // PCG64 and PCG64DXSM: the state; jumps of 2^k steps; the jump from one of a thread's words to its next.
  Wide state;
  Jump jumps[mostJumps], stride;
  // Philox: of the words of the last block, `used` are used up.
  uint64_t counter[4], key[2], block[4];
  int32_t used;
  // MT19937: the words of the state, to which `blocks` times as many are made; or the output words that numbers are made of.
  uint32_t *words;
  int64_t blocks;
  // Null, or the states that parts of so many times 624 words begin with, of each of which a block of threads makes the part.
  const uint32_t *states;
  int64_t partBlocks;
};

constexpr int mersenneWords = 624;

// Jumps of MT19937 (runtime/random/MersenneJump.h). A state that is known is a base: of its stream's next words, which a jump adds up, as many are made as
// the polynomial has bits, and a state more. Bases follow each other from the first on; jumps make as many states again behind them.
constexpr int mersenneSpan = 33 * mersenneWords, polynomialWords = 312;
// Sums of a thread (their number has no factor in common with that of the banks of memory), threads of a team, teams of a block.
constexpr int jumpWindow = 13, jumpTeam = mersenneWords / jumpWindow, jumpTeams = 5, wordsOfTeam = 4, wordsOfPiece = jumpTeams * wordsOfTeam;
struct JumpParams {
  uint32_t *words;    // the first state, before its next 624 words are made; null where the states are known
  uint32_t *states;   // of all parts
  uint32_t *spans;    // of each base
  const uint64_t *polynomial;
  int64_t bases, parts;
};

// Methods that take a varying number of the stream's units (numbers of 64, 32, 16, 8 bits, or one) for a number, and may reject what they took, are run
// tile by tile. An attempt begins at one unit; how many units it takes and whether it gives a number follows from that unit and those behind it.
constexpr int tileUnits = 4096, tileThreads = 256, resolveThreads = 1024;
/// More units than an attempt may take here.
constexpr int mostOfAttempt = 127;

// A tile's attempts if its first unit begins one (first...), and as they are: so many units at its beginning belong to the tile before (entry), the last
// attempt takes so many of the next tile's (exit), and so many numbers come of the tile; before it, `before`.
struct Tile {
  int32_t firstExit, firstCount, entry, exit, count, reserved;
  int64_t before;
};

// Of a number that is found with the host's logarithm, so many units of its attempt matter: the first one, and the last
// two or the last one.
constexpr int unitsOfNormalTail = 3, unitsOfExponentialTail = 2;

struct Rejection {
  int64_t count;           // numbers in all tiles
  int64_t exit;            // of the last tile
  int64_t end;             // behind the last attempt whose number was wanted
  int32_t tailCount;
  int32_t isUncertain;     // a comparison was too close for another machine's exp and log1p
};

// The tables of the ziggurat method, as NumPy has them.
struct Ziggurat64 {
  uint64_t k[256];
  double w[256], f[256];
};
struct Ziggurat32 {
  uint32_t k[256];
  float w[256], f[256];
};

// What the kernels of reject.cu take.
struct RejectParams {
  const uint32_t *units; // the stream; 64-bit units of a generator of 32-bit words have the higher half first
  void *out;
  int64_t tiles, wanted;
  Tile *tile; // null: every unit gives a number
  Rejection *result;
  // Of each tile, the units that begin an attempt that gives a number, if its first unit begins one.
  uint32_t *masks;
  const void *ziggurat;
  // Of the numbers that the host makes: where they go, which stays here, and the units that the host needs.
  int64_t *tailIndices;
  uint64_t *tailUnits;
  double shift, scale;
  uint64_t low, range; // integers from low to low + range, both included
  int32_t mostTails;
  int32_t isAffine;     // a number is shift + scale * (a standard number)
  int32_t isMasked;     // integers: bits above those of the range are cut off, and larger numbers rejected
  int32_t highFirst;    // the units are of a generator of 32-bit words
};

struct PatchParams {
  void *out;
  const int64_t *indices;
  const double *values;
  int64_t count;
  int32_t isFloat32;
};

#endif

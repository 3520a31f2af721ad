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

constexpr int randomThreads = 256, mostJumps = 40;

// A bit generator's state, of which threads make the words that they want.
struct StreamSource {
  // PCG64 and PCG64DXSM: the state, and jumps of 2^k steps.
  Wide state;
  Jump jumps[mostJumps];
  // Philox: of the words of the last block, `used` are used up.
  uint64_t counter[4], key[2], block[4];
  int32_t used;
  // A stream of 32-bit words begins with the half that is left of a word of 64 bits.
  int32_t hasHalf;
  uint32_t half;
};

// What the kernels of words.cu take: a bit generator's state, and where its numbers go.
struct WordsParams {
  void *out; // floats
  int64_t count;
  double shift, scale; // a float64 is shift + scale * (a number in [0, 1))
  StreamSource source;
  Jump stride; // PCG64 and PCG64DXSM: from one of a thread's words to its next
  // MT19937: the words of the state, to which `blocks` times as many are made; or the output words that numbers are
  // made of.
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

// Methods that take a varying number of the stream's units (numbers of 64, 32, 16, 8 bits, or one) for a number, and
// may reject what they took, are run tile by tile. An attempt begins at one unit; how many units it takes and whether
// it gives a number follows from that unit and those behind it. A block holds a tile's units, some before it, which say
// where its first attempt begins, and some behind it, which its last one may take.
constexpr int tileUnits = 3968, unitsBefore = 32, unitsBehind = 96, tileThreads = 256, tileThreadsPower = 8;
/// More units than an attempt takes: odds are below 10^-40.
constexpr int mostOfAttempt = 93;

// What a tile says to those behind it, in 64 bits: whether the count is known, and then whether it counts the numbers
// of all tiles up to this one; how many units of the next tile its last attempt takes; the count.
enum TileStatus : uint64_t { TileUnknown = 0, TileAlone = 1, TileUpToHere = 2 };
constexpr int tileExitShift = 2, tileCountShift = 10;

// Of a number that is found with the host's logarithm, so many units of its attempt matter: the first one, and the last
// two or the last one.
constexpr int unitsOfNormalTail = 3, unitsOfExponentialTail = 2;

struct Rejection {
  int64_t count;           // numbers in all tiles
  int64_t end;             // behind the last attempt whose number was wanted
  int64_t nextTile;        // that no block has taken yet
  int32_t tailCount;
  int32_t doubtCount;  // numbers.cu: numbers of which the host has to say how many units they take
  int32_t isUncertain; // a comparison was too close for another machine's exp and log1p, or a tile began elsewhere
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

struct ZigguratTables {
  Ziggurat64 normal64, exponential64;
  Ziggurat32 normal32, exponential32;
};

// Where the units come from, in the order of npcc_bits_kind.
enum class UnitSource : int32_t { Memory, Pcg64, Pcg64Dxsm, Philox };

// What the kernels of reject.cu take.
struct RejectParams {
  void *out;
  int64_t tiles, wanted;
  Rejection *result; // null: every unit gives a number
  uint64_t *status;  // of each tile
  // Null, or of each tile, where its last number ends (numbers.cu): 0 while it is unknown, then how many units of the
  // next tile it takes, and one more.
  uint64_t *exits;
  const void *ziggurat;
  // Of the numbers that the host makes: where they go, which stays here, and the units that the host needs.
  int64_t *tailIndices;
  void *tailUnits;
  double shift, scale;
  uint64_t low, range; // integers from low to low + range, both included
  int32_t mostTails;
  int32_t isAffine;     // a number is shift + scale * (a standard number)
  int32_t isMasked;     // integers: bits above those of the range are cut off, and larger numbers rejected
  UnitSource from;
  const uint32_t *words; // of Memory: 32-bit words, of which units of 64 bits have the higher one first
  StreamSource source;   // of the others
  // So many words of 64 bits are a tile's units, and begin before them.
  int64_t wordsOfTile, wordsBefore;
  // PCG64 and PCG64DXSM, found at the beginning: the state of each tile's first word, jumps to the words of a block's
  // threads.
  Wide *origins;
  Jump *threadJumps;
};

struct PatchParams {
  void *out;
  const int64_t *indices;
  const double *values;
  int64_t count;
  int32_t isFloat32;
};

/// Of pairs of numbers, the first one of each divided by the second.
struct QuotientParams {
  const double *pairs;
  double *out;
  int64_t count;
};

// Numbers of other distributions (numbers.cu) are found for every place of a tile, as if one began there. So many units
// are a tile; of a distribution that takes an even number of units, only every second one is a place.
constexpr int numberUnits = 2048;
/// Numbers that are doubtful, at most; of each, the units behind its place are kept.
constexpr int mostDoubts = 4096;

// What the host found of a number whose units nobody could be sure of: where it begins, how many units it takes, its
// bytes (two numbers of a pair).
struct Decision {
  int64_t place;
  int64_t taken;
  uint64_t value[2];
};

// What the kernels of numbers.cu take. `tailUnits` has the numbers whose last place the host finds: of each one its
// place among all shifted by 8, with the number of its units below, and the units, a word each. `mostTails` and
// `tailCount` count these words.
struct NumberParams : RejectParams {
  double constants[4];
  int64_t whole;
  const double *table; // of a distribution's own
  const ZigguratTables *tables;
  // Doubtful numbers: where, and the units behind.
  int64_t *doubtPlaces;
  void *doubtUnits;
  const Decision *decisions; // in the order of their places
  int32_t decisionCount;
};

// Numbers of which each has parameters of its own (walks.cu). So many numbers are a tile, and so many parts of it are
// pieces. A block has so many threads.
constexpr int tileNumbers = 256, tilePieces = 11, walkThreads = 128;
/// A number is tried at so many places, to see how many units it takes.
constexpr int triedPlaces = 4;
/// The places where a walk may come to a piece, at most.
constexpr int mostEntries = 8192;
/// Lines of numbers (multinomial) take up to so many units.
constexpr int mostOfLine = 2048;
/// A walk is looked for within so many standard deviations. One that goes farther takes a round more.
constexpr double walkDeviations = 4;
constexpr int sumThreads = 1024;
/// Tiles are joined to groups, so many at most.
constexpr int mostGroups = 64;

enum class WalkMode : int32_t { Try, Map, Draw };

/// Why a walk is left to the host.
enum class WalkLoss : int32_t {
  None,
  Entries,   // it leaves the places that were looked at in a round's first tile already
  Units,     // it takes more units than were made
  Disagrees, // a piece ends elsewhere than the map says
};

// Where the numbers of a round's tiles begin: the walk comes to the first one at a place that is known. `count`: the
// tiles that are looked at, and then those that the walk has gone through.
struct WalkRound {
  int64_t tile, count, place;
};
struct WalkResult {
  WalkRound rounds[2]; // this one and the next take turns
  int64_t end;         // behind the last number
  uint64_t doubtful; // the first number that only the host can tell, shifted by doubtShift, and its place; ~0 if there
                     // is none
  double mean, variance; // of the units that all numbers take, as the trials say
  WalkLoss loss;
  int32_t tailCount;
};
constexpr int doubtShift = 36;

struct WalkParams : NumberParams {
  const void *given[3]; // the parameters of each number of the draw, float64 or int64
  int64_t first;        // so many of its numbers have been drawn before
  int64_t count;
  double *prepared; // what is found once of each number's parameters
  const void *units;
  int64_t unitCount;
  int64_t lineLength; // numbers that are made together
  WalkResult *walk;
  // For each piece, of all before it: what its numbers took in `triedPlaces` places, and 12 times the variance.
  int64_t *tried, *spread;
  int64_t triedUnits;       // the trials begin among so many units
  int64_t tiles, mostTiles; // all, and of a round
  // Of each tile of a round: where one who comes to a place of a piece's comes out of it, and out of the tile; of each
  // group of tiles, where one comes out of the group. There is room for so many places each.
  uint16_t *next, *exits, *joined;
  int64_t entries;
  int64_t groupTiles;
  int64_t *own; // where the walk itself comes into each tile
};

// Positions that the steps of a shuffle exchange (positions.cu), from the last one of so many elements down to the
// element `last`; `drawn` has for each step the element that it is exchanged with.
struct ShuffleParams {
  const int64_t *drawn;
  int64_t length, last;
  int32_t *heads, *links, *nexts; // of each element
  const int64_t *values;          // null, or what stands at the positions
  int64_t *out;                   // the elements from `kept` on
  int64_t kept;
};
// A sample by Floyd's method: number t is below least + t + 1, and stands for itself, or for least + t if it is in the
// sample already.
struct SampleParams {
  const int64_t *drawn;
  int64_t count, least, population;
  int32_t *firsts; // of each of the population, the first number that is it
  int64_t *out;
};

// Values that the host made, to their places: `bytes` of the 16 that each has.
struct Patch {
  int64_t number;
  uint64_t value[2];
};
struct PatchBytesParams {
  char *out;
  const Patch *patches;
  int64_t count;
  int32_t bytes;
};

#endif

#include "runtime/random/MersenneJump.h"
#include <memory>
#include <mutex>

namespace npcc::rt::random {
namespace {

constexpr int degree = 19937;

// The powers of x below the highest one in the characteristic polynomial (tools/report/mersenne.py finds and checks
// them).
constexpr int powers[] = {
    0,     1189,  1416,  1585,  1643,  1870,  2493,  2773,  3000,  3227,  3454,  3681,  3908,  4135,  4362,
    4753,  5661,  6337,  6569,  7129,  7477,  7525,  7583,  7752,  7979,  8206,  9505,  9901,  9969,  10128,
    10693, 10761, 10920, 11089, 11147, 11157, 11215, 11321, 11374, 11384, 11485, 11611, 11712, 11717, 11838,
    11881, 11944, 11997, 12277, 12335, 12393, 12504, 12509, 12620, 12673, 12731, 12736, 12789, 12905, 12958,
    12963, 13137, 13185, 13190, 13243, 13301, 13412, 13528, 13533, 13639, 13697, 13760, 13813, 13866, 14093,
    14151, 14209, 14320, 14325, 14436, 14547, 14552, 14605, 14721, 14774, 14779, 14953, 15001, 15006, 15059,
    15117, 15228, 15344, 15349, 15455, 15513, 15576, 15629, 15682, 15909, 15967, 16025, 16136, 16141, 16252,
    16363, 16368, 16421, 16537, 16590, 16595, 16817, 16822, 16875, 16933, 17044, 17160, 17271, 17329, 17445,
    17498, 17725, 17783, 17841, 17952, 18068, 18179, 18237, 18406, 18633, 18691, 18860, 19087, 19314};

/// Bit i to bit 2 i.
uint64_t spread(uint32_t bits) {
  uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffffu;
  x = (x | x << 8) & 0x00ff00ff00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

/// A square has the bits of the polynomial at twice their places. What is beyond the degree is taken off from the
/// highest word down: x^19937 is the sum of the powers, all of which are more than a word lower.
void square(JumpPolynomial &polynomial) {
  constexpr int words = 2 * 312;
  uint64_t wide[words + 1] = {};
  for (int k = 0; k < 312; ++k) {
    wide[2 * k] = spread(uint32_t(polynomial[k]));
    wide[2 * k + 1] = spread(uint32_t(polynomial[k] >> 32));
  }
  for (int place = words - 1; place >= degree / 64; --place) {
    // Of the word that the degree itself is in, the bits from it on.
    uint64_t high = place > degree / 64 ? wide[place] : wide[place] >> degree % 64 << degree % 64;
    wide[place] ^= high;
    for (int power : powers) {
      int64_t to = int64_t(64) * place - degree + power; // of the word's lowest bit; below 0 only where that is not set
      int64_t word = to >> 6, shift = to & 63;
      if (word >= 0)
        wide[word] ^= high << shift;
      if (shift && word + 1 >= 0)
        wide[word + 1] ^= high >> (64 - shift);
    }
  }
  for (int k = 0; k < 312; ++k)
    polynomial[k] = wide[k];
}

} // namespace

const JumpPolynomial &mersenneJump(int k) {
  static std::mutex mutex;
  static std::unique_ptr<JumpPolynomial> made[64];
  std::lock_guard<std::mutex> lock(mutex);
  if (!made[0]) {
    made[0] = std::make_unique<JumpPolynomial>();
    (*made[0])[624 / 64] = uint64_t(1) << 624 % 64;
  }
  int last = k;
  while (!made[last])
    --last;
  for (; last < k; ++last) {
    made[last + 1] = std::make_unique<JumpPolynomial>(*made[last]);
    square(*made[last + 1]);
  }
  return *made[k];
}

} // namespace npcc::rt::random

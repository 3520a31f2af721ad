// Jumps of MT19937: so many words further at once, so that parts of its stream are made side by side.
#ifndef NPCC_RUNTIME_RANDOM_MERSENNEJUMP_H
#define NPCC_RUNTIME_RANDOM_MERSENNEJUMP_H

#include <array>
#include <cstdint>

namespace npcc::rt::random {

/// A polynomial over two elements of a degree below 19937; bit i is the coefficient of x^i.
using JumpPolynomial = std::array<uint64_t, 312>;

/// x^(624 2^k) modulo the characteristic polynomial of MT19937. Where its bits i are set, the sum (exclusive or) of a
/// stream's words i + j is the word j + 624 2^k, if word 0 was made by the recurrence (H. Haramoto, M. Matsumoto, T.
/// Nishimura, F. Panneton, P. L'Ecuyer, "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008). k is
/// below 64.
const JumpPolynomial &mersenneJump(int k);

} // namespace npcc::rt::random

#endif

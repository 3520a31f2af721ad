// What instructions of PTX compute of numbers, as bits in the lower part of a register.
#ifndef NPCC_TEST_RUNTIME_FAKEPTXNUMBERS_H
#define NPCC_TEST_RUNTIME_FAKEPTXNUMBERS_H

#include "FakePtx.h"

namespace fake::ptx {

/// Ends the process: what the fake driver does not know.
[[noreturn]] void die(const std::string &what);

/// The floating-point number of so many bits, and back, rounded to nearest even.
double toDouble(uint64_t raw, int bits);
uint64_t fromDouble(double value, int bits);

inline uint64_t truncated(uint64_t value, int bits) { return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1); }
inline int64_t extended(uint64_t value, int bits) {
  return bits >= 64 ? int64_t(value) : int64_t(value << (64 - bits)) >> (64 - bits);
}

/// What `op` gives for operands of the instruction's type; it is another one than the instruction's for atomics.
uint64_t arithmetic(const Instruction &in, Word op, uint64_t a, uint64_t b, uint64_t c);
uint64_t convert(const Instruction &in, uint64_t value);
bool compare(const Instruction &in, uint64_t a, uint64_t b);

} // namespace fake::ptx

#endif

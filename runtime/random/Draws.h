// The rows of Distributions.def that are not drawn element by element. Each checks its parameters first, with NumPy's
// words.
#ifndef NPCC_RUNTIME_RANDOM_DRAWS_H
#define NPCC_RUNTIME_RANDOM_DRAWS_H

#include "runtime/random/Generator.h"

namespace npcc::rt::random {

// Bits of the third scalar of `integers`.
enum IntegerFlags {
  IncludesHigh = 1, // endpoint=True
  LowIsUnsigned = 2,
  HighIsUnsigned = 4,
  HighIsLowered = 8, // it stands for one more, which 64 bits may not hold
};

/// The bounds of `integers` where they are no arrays, checked: from low to low + range, both included.
Status integerInterval(Draw &, uint64_t &low, uint64_t &range);

Status drawIntegers(Draw &);
Status drawMaskedIntegers(Draw &);
Status drawRaw(Draw &);
Status drawPositiveIntegers(Draw &);
Status drawPermutations(Draw &);
Status drawChoice(Draw &);
Status drawWeightedChoice(Draw &);
Status drawLegacyWeightedChoice(Draw &);
Status drawMultinomial(Draw &);
Status drawDirichlet(Draw &);
Status drawLegacyDirichlet(Draw &);
Status drawMultivariateHypergeometric(Draw &);

/// Whether a choice of so many of a population is the tail of a shuffle of it all.
inline bool isTail(int64_t population, int64_t count, bool isShuffled) {
  return population > 10000 && count > population / (isShuffled ? 50 : 20);
}

/// The two parts of drawMultinomial.
Status checkMultinomial(const Draw &);
void fillMultinomial(Draw &);

/// The running sums of a weighted choice's probabilities, as shares of the last one, checked; of a choice with
/// replacement.
Status sumsOfWeights(Draw &, std::vector<double> &sums);

/// The sum of all but rounding errors, as NumPy adds probabilities up (Kahan).
double compensatedSum(const double *values, int64_t count);

} // namespace npcc::rt::random

#endif

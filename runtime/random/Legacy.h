// The distributions that numpy.random.RandomState draws otherwise than numpy.random.Generator, as they were in
// NumPy 1.16.
#ifndef NPCC_RUNTIME_RANDOM_LEGACY_H
#define NPCC_RUNTIME_RANDOM_LEGACY_H

#include "runtime/abi/random.h"
#include "runtime/random/Generator.h"

namespace npcc::rt::random {

// Normal numbers come in pairs, of which the second is kept in the generator for the next call.
double legacyStandardNormal(npcc_generator &);
double pythonGauss(npcc_generator &);
double legacyStandardExponential(npcc_generator &);
double legacyStandardGamma(npcc_generator &, double shape);
double legacyStandardCauchy(npcc_generator &);
double legacyStandardT(npcc_generator &, double df);
double legacyBeta(npcc_generator &, double a, double b);
double legacyChisquare(npcc_generator &, double df);
double legacyExponential(npcc_generator &, double scale);
double legacyF(npcc_generator &, double dfnum, double dfden);
double legacyGamma(npcc_generator &, double shape, double scale);
double legacyLognormal(npcc_generator &, double mean, double sigma);
double legacyNoncentralChisquare(npcc_generator &, double df, double nonc);
double legacyNoncentralF(npcc_generator &, double dfnum, double dfden, double nonc);
double legacyNormal(npcc_generator &, double loc, double scale);
double legacyPareto(npcc_generator &, double a);
double legacyPower(npcc_generator &, double a);
double legacyRayleigh(npcc_generator &, double scale);
double legacyVonmises(npcc_generator &, double mu, double kappa);
double legacyWald(npcc_generator &, double mean, double scale);
double legacyWeibull(npcc_generator &, double a);

int64_t legacyBinomial(npcc_generator &, double p, int64_t n);
int64_t legacyGeometric(npcc_generator &, double p);
int64_t legacyHypergeometric(npcc_generator &, int64_t good, int64_t bad, int64_t sample);
int64_t legacyLogseries(npcc_generator &, double p);
int64_t legacyNegativeBinomial(npcc_generator &, double n, double p);
int64_t legacyZipf(npcc_generator &, double a);

} // namespace npcc::rt::random

#endif

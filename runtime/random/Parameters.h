// What the parameters of Distributions.def must be. Compiler and runtime read it both.
#ifndef NPCC_RUNTIME_RANDOM_PARAMETERS_H
#define NPCC_RUNTIME_RANDOM_PARAMETERS_H

namespace npcc::rt::random {

enum Constraint {
  Any,
  NonNegative,
  Positive,
  PositiveNumber, // NaN has words of its own
  From0To1,
  Above0To1,
  From0Below1,
  Above1,
  PoissonMean,
  WholeNonNegative, // int64, as is the next
  WholePositive,
};

struct Parameter {
  const char *name;
  Constraint constraint;
  bool isWhole() const { return constraint >= WholeNonNegative; }
};

} // namespace npcc::rt::random

#endif

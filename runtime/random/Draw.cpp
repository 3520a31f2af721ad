// Checks of parameters and the loops that fill arrays, for the rows of Distributions.def.
#include "runtime/abi/dtypes.h"
#include "runtime/random/Draws.h"
#include "runtime/random/Legacy.h"
#include "runtime/random/Parameters.h"
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

namespace npcc::rt::random {
namespace {

//===---- Constraints
//------------------------------------------------------------------------------------------------------===//

/// The largest mean whose numbers fit into 64 bits.
const double largestMean = 9223372036854775807.0 - std::sqrt(9223372036854775807.0) * 10;

/// NumPy's words, without the name; null where the value is good. They differ for arrays.
const char *complaint(Constraint constraint, double value, bool isArray) {
  bool isNan = std::isnan(value);
  switch (constraint) {
  case NonNegative:
    return !isNan && std::signbit(value) ? "{0} < 0" : nullptr;
  case PositiveNumber:
    if (isNan)
      return "{0} must not be NaN";
    [[fallthrough]];
  case Positive:
    return value <= 0 ? "{0} <= 0" : nullptr;
  case From0To1:
    return value >= 0 && value <= 1 ? nullptr
           : isArray                ? "{0} < 0, {0} > 1 or {0} contains NaNs"
                                    : "{0} < 0, {0} > 1 or {0} is NaN";
  case Above0To1:
    return value > 0 && value <= 1 ? nullptr : "{0} <= 0, {0} > 1 or {0} contains NaNs";
  case From0Below1:
    return value >= 0 && value < 1 ? nullptr
           : isArray               ? "{0} < 0, {0} >= 1 or {0} contains NaNs"
                                   : "{0} < 0, {0} >= 1 or {0} is NaN";
  case Above1:
    return value > 1 ? nullptr : isArray ? "{0} <= 1 or {0} contains NaNs" : "{0} <= 1 or {0} is NaN";
  case PoissonMean:
    if (isArray)
      return !(value <= largestMean) ? "{0} value too large" : value >= 0 ? nullptr : "{0} < 0 or {0} contains NaNs";
    return !(value >= 0) ? "{0} < 0 or {0} is NaN" : value <= largestMean ? nullptr : "{0} value too large";
  case WholeNonNegative:
    return value < 0 ? "{0} < 0" : nullptr;
  case WholePositive:
    return value >= 1 ? nullptr : isArray ? "{0} < 1 or {0} contains NaNs" : "{0} < 1 or {0} is NaN";
  default:
    return nullptr;
  }
}

/// Value k of a parameter: of the array, or the one scalar.
double valueOf(const Draw &draw, const Parameter &parameter, int32_t position, int64_t k) {
  if (draw.request.array_count)
    return parameter.isWhole() ? static_cast<double>(static_cast<const int64_t *>(draw.arrays[position])[k])
                               : static_cast<const double *>(draw.arrays[position])[k];
  return parameter.isWhole() ? static_cast<double>(draw.request.scalars[position].i) : draw.request.scalars[position].f;
}

Status check(const Draw &draw, const Parameter *parameters, int32_t count) {
  bool isArray = draw.request.array_count > 0;
  for (int32_t position = 0; position < count; ++position) {
    const Parameter &parameter = parameters[position];
    // As many as numbers are drawn, or any number of them where none is.
    int64_t values = isArray ? draw.request.arrays[position].count : 1;
    for (int64_t k = 0; parameter.constraint != Any && k < values; ++k)
      if (const char *words = complaint(parameter.constraint, valueOf(draw, parameter, position, k), isArray))
        return Status(NPCC_VALUE_ERROR, fmt::format(fmt::runtime(words), parameter.name));
  }
  return {};
}

//===---- Element by element
//-----------------------------------------------------------------------------------------------===//

int64_t drawBinomial(npcc_generator &generator, double p, int64_t n) {
  thread_local binomial_t setup{}; // what follows from n and p, for the next number of the same
  return random_binomial(bitsOf(generator), p, n, &setup);
}

template <typename Function> struct Signature;
template <typename Result, typename Source, typename... Parameters>
struct Signature<Result (*)(Source, Parameters...)> {
  using Value = std::conditional_t<std::is_floating_point_v<Result>, double, int64_t>;

  template <auto function, size_t... Positions>
  static void fill(Draw &draw, Value *out, std::index_sequence<Positions...>) {
    Source source = [&]() -> Source {
      if constexpr (std::is_same_v<Source, bitgen_t *>)
        return bitsOf(draw.generator);
      else
        return draw.generator;
    }();
    if (draw.request.array_count) {
      for (int64_t k = 0; k < draw.request.count; ++k)
        out[k] = function(source, static_cast<const Parameters *>(draw.arrays[Positions])[k]...);
      return;
    }
    auto scalar = [&]<typename Parameter>(std::type_identity<Parameter>, size_t position) -> Parameter {
      if constexpr (std::is_floating_point_v<Parameter>)
        return draw.request.scalars[position].f;
      else
        return draw.request.scalars[position].i;
    };
    std::tuple<Parameters...> values{scalar(std::type_identity<Parameters>(), Positions)...};
    for (int64_t k = 0; k < draw.request.count; ++k)
      out[k] = function(source, std::get<Positions>(values)...);
  }

  template <auto function> static void fill(Draw &draw) {
    fill<function>(draw, static_cast<Value *>(draw.out), std::index_sequence_for<Parameters...>());
  }
};

/// Functions of standard distributions that have a float32 form, beside their float64 one.
template <auto function> Status fillStandard(Draw &draw) {
  auto *single = [] {
    if constexpr (function == random_standard_uniform_fill)
      return random_standard_uniform_fill_f;
    else if constexpr (function == random_standard_normal_fill)
      return random_standard_normal_fill_f;
    else if constexpr (function == random_standard_exponential_fill)
      return random_standard_exponential_fill_f;
    else
      return random_standard_exponential_inv_fill_f;
  }();
  if (draw.request.dtype == NPCC_FLOAT32)
    single(bitsOf(draw.generator), draw.request.count, static_cast<float *>(draw.out));
  else
    function(bitsOf(draw.generator), draw.request.count, static_cast<double *>(draw.out));
  return {};
}

template <auto function> Status fillElements(Draw &draw) {
  // The one element-by-element distribution with a float32 form.
  if constexpr (std::is_same_v<decltype(function), double (*)(bitgen_t *, double)>)
    if (function == &random_standard_gamma && draw.request.dtype == NPCC_FLOAT32) {
      auto *out = static_cast<float *>(draw.out);
      bool isArray = draw.request.array_count > 0;
      for (int64_t k = 0; k < draw.request.count; ++k) {
        double shape = isArray ? static_cast<const double *>(draw.arrays[0])[k] : draw.request.scalars[0].f;
        out[k] = random_standard_gamma_f(bitsOf(draw.generator), static_cast<float>(shape));
      }
      return {};
    }
  Signature<decltype(function)>::template fill<function>(draw);
  return {};
}

//===---- The table
//--------------------------------------------------------------------------------------------------------===//

struct Distribution {
  Status (*function)(Draw &);
  int32_t count;
  Parameter parameters[3];
};

#define FILL(function) fillStandard<&function>
#define REAL(function) fillElements<&function>
#define WHOLE(function) fillElements<&function>
#define OTHER(function) function
const Distribution distributions[] = {
#define NPCC_DISTRIBUTION(name, kind, function, count, ...) {kind(function), count, {__VA_ARGS__}},
#include "runtime/random/Distributions.def"
};
#undef FILL
#undef REAL
#undef WHOLE
#undef OTHER

} // namespace

Status checkParameters(Draw &draw) {
  if (draw.request.distribution < 0 || draw.request.distribution >= static_cast<int32_t>(std::size(distributions)))
    return makeError(NPCC_RUNTIME_ERROR, "there is no distribution {}", draw.request.distribution);
  const Distribution &row = distributions[draw.request.distribution];
  if (!draw.generator.bits)
    return Status(NPCC_TYPE_ERROR, "a SeedSequence draws no numbers");
  return check(draw, row.parameters, row.count);
}

Status fill(Draw &draw) { return distributions[draw.request.distribution].function(draw); }

Status draw(Draw &draw) {
  NPCC_TRY(checkParameters(draw));
  return fill(draw);
}

} // namespace npcc::rt::random

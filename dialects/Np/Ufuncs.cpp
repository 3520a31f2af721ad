// The tables of elementwise functions as data.
#include "dialects/Np/Ufunc.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace npcc::np;

const UfuncInfo *npcc::np::lookupUfunc(StringRef name) {
  static const llvm::StringMap<UfuncInfo> table = [] {
    llvm::StringMap<UfuncInfo> rows;
#define UFUNC(NAME, INPUTS, RULE, ...) rows[#NAME] = UfuncInfo{#NAME, INPUTS, UfuncRule::RULE};
#include "dialects/Np/Ufuncs.def"
    return rows;
  }();
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

std::optional<Ufunc> npcc::np::symbolizeUfunc(StringRef name) {
  static const llvm::StringMap<Ufunc> names = {
#define UFUNC(NAME, ...) {#NAME, Ufunc::NAME},
#include "dialects/Np/Ufuncs.def"
  };
  auto it = names.find(name);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

StringRef npcc::np::stringifyUfunc(Ufunc ufunc) {
  switch (ufunc) {
#define UFUNC(NAME, ...)                                                                                               \
  case Ufunc::NAME:                                                                                                    \
    return #NAME;
#include "dialects/Np/Ufuncs.def"
  }
  llvm_unreachable("no elementwise function");
}

std::optional<Reduction> npcc::np::symbolizeReduction(StringRef name) {
  return llvm::StringSwitch<std::optional<Reduction>>(name)
#define UFUNC_REDUCTION(NAME, ...) .Case(#NAME, Reduction::NAME)
#include "dialects/Np/Ufuncs.def"
      .Case("argmax", Reduction::argmax)
      .Case("argmin", Reduction::argmin)
      .Default(std::nullopt);
}

StringRef npcc::np::stringifyReduction(Reduction reduction) {
  if (isPosition(reduction))
    return reduction == Reduction::argmax ? "argmax" : "argmin";
  return stringifyUfunc(getCombiner(reduction));
}

Ufunc npcc::np::getCombiner(Reduction reduction) {
  switch (reduction) {
#define UFUNC_REDUCTION(NAME, ...)                                                                                     \
  case Reduction::NAME:                                                                                                \
    return Ufunc::NAME;
#include "dialects/Np/Ufuncs.def"
  case Reduction::argmax:
    return Ufunc::maximum;
  case Reduction::argmin:
    return Ufunc::minimum;
  }
  llvm_unreachable("no reduction");
}

bool npcc::np::isCombiner(StringRef name) {
  std::optional<Ufunc> ufunc = symbolizeUfunc(name);
  return ufunc && getNeutral(*ufunc);
}

bool npcc::np::isCheap(Ufunc ufunc) {
  enum class Cost { Cheap, Costly };
  static constexpr Cost costs[] = {
#define UFUNC(NAME, INPUTS, RULE, COST, HALF) Cost::COST,
#include "dialects/Np/Ufuncs.def"
  };
  return costs[static_cast<size_t>(ufunc)] == Cost::Cheap;
}

bool npcc::np::dependsOnPrecision(Ufunc ufunc) {
  enum class Half { Single, Own };
  static constexpr Half halves[] = {
#define UFUNC(NAME, INPUTS, RULE, COST, HALF) Half::HALF,
#include "dialects/Np/Ufuncs.def"
  };
  return halves[static_cast<size_t>(ufunc)] == Half::Own;
}

bool npcc::np::isComparison(Ufunc ufunc) {
  static constexpr UfuncRule rules[] = {
#define UFUNC(NAME, INPUTS, RULE, ...) UfuncRule::RULE,
#include "dialects/Np/Ufuncs.def"
  };
  return rules[static_cast<size_t>(ufunc)] == UfuncRule::Comparison;
}

std::optional<Neutral> npcc::np::getNeutral(Ufunc ufunc) {
  switch (ufunc) {
#define UFUNC_REDUCTION(NAME, NEUTRAL)                                                                                 \
  case Ufunc::NAME:                                                                                                    \
    return Neutral::NEUTRAL;
#include "dialects/Np/Ufuncs.def"
  default:
    return std::nullopt;
  }
}

APInt npcc::np::getNeutralBits(Neutral neutral, IntegerType type) {
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned() || width == 1;
  switch (neutral) {
  case Neutral::Zero:
    return APInt::getZero(width);
  case Neutral::One:
    return APInt(width, 1);
  case Neutral::AllOnes:
    return APInt::getAllOnes(width);
  case Neutral::Least:
    return isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  case Neutral::Greatest:
    return isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  }
  llvm_unreachable("a kind of neutral element");
}

bool npcc::np::acceptsElementType(UfuncRule rule, Type type) {
  bool isBool = type.isInteger(1);
  bool isInteger = type.isInteger() && !isBool;
  bool isReal = isa<FloatType>(type), isComplex = isa<ComplexType>(type);
  switch (rule) {
  case UfuncRule::Arithmetic:
  case UfuncRule::Comparison:
  case UfuncRule::Select:
    return true;
  case UfuncRule::Number:
  case UfuncRule::Magnitude:
    return !isBool;
  case UfuncRule::Logical:
    return isBool;
  case UfuncRule::Bitwise:
    return isInteger || isBool;
  case UfuncRule::Integer:
    return isInteger;
  case UfuncRule::Float:
  case UfuncRule::FloatTest:
    return isReal || isComplex;
  case UfuncRule::RealFloat:
    return isReal;
  case UfuncRule::RealNumber:
    return isInteger || isReal;
  case UfuncRule::Part:
    return isComplex;
  }
  return false;
}

Type npcc::np::getUfuncResultType(const UfuncInfo &ufunc, Type type) {
  switch (ufunc.rule) {
  case UfuncRule::Comparison:
  case UfuncRule::FloatTest:
  case UfuncRule::Logical:
    return IntegerType::get(type.getContext(), 1);
  case UfuncRule::Magnitude:
  case UfuncRule::Part:
    if (auto complex = dyn_cast<ComplexType>(type))
      return complex.getElementType();
    return type;
  default:
    return type;
  }
}

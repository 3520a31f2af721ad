// The table of elementwise functions as data.
#include "dialects/Np/Np.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace npcc::np;

const UfuncInfo *npcc::np::lookupUfunc(StringRef name) {
  static const llvm::StringMap<UfuncInfo> table = [] {
    llvm::StringMap<UfuncInfo> rows;
#define UFUNC(NAME, INPUTS, RULE) rows[#NAME] = UfuncInfo{#NAME, INPUTS, UfuncRule::RULE};
#include "dialects/Np/Ufuncs.def"
    return rows;
  }();
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
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

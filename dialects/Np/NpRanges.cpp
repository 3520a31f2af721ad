// Between which numbers Python's integers and extents lie: the interfaces that upstream's range analysis asks.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"

using namespace mlir;
using namespace npcc::np;

/// No machine holds an array of more elements along one axis.
static constexpr int64_t largestExtent = int64_t(1) << 48;

static ConstantIntRanges between(const APInt &low, const APInt &high) {
  return ConstantIntRanges::fromSigned(low, high);
}

void DimOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setResultRange(getExtent(), between(APInt(64, 0), APInt(64, largestExtent)));
}

/// Of Python's integers; of arrays nothing is known.
void UfuncOp::inferResultRanges(ArrayRef<ConstantIntRanges> operands, SetIntRangeFn setResultRange) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(getResult().getType());
  if (width == 0)
    return;
  ConstantIntRanges unknown = ConstantIntRanges::maxRange(width);
  if (!getResult().getType().isInteger(64))
    return setResultRange(getResult(), unknown);
  auto low = [&](unsigned k) { return operands[k].smin(); };
  auto high = [&](unsigned k) { return operands[k].smax(); };
  auto magnitude = [&](unsigned k) { return llvm::APIntOps::smax(low(k).abs(), high(k).abs()); };
  APInt zero(64, 0), one(64, 1);
  auto isKnown = [&](unsigned k) { return !low(k).isMinSignedValue(); };
  switch (getName()) {
  case Ufunc::remainder: {
    if (!isKnown(1))
      break;
    // The sign is the divisor's, the magnitude less than its.
    APInt most = magnitude(1) - one;
    return setResultRange(getResult(), between(low(1).isNegative() ? -most : zero, high(1).isNegative() ? zero : most));
  }
  case Ufunc::floor_divide: {
    if (!isKnown(0))
      break;
    bool nonNegative = low(0).isNonNegative() && low(1).isNonNegative();
    return setResultRange(getResult(), between(nonNegative ? zero : -magnitude(0), magnitude(0)));
  }
  case Ufunc::maximum:
    return setResultRange(getResult(),
                          between(llvm::APIntOps::smax(low(0), low(1)), llvm::APIntOps::smax(high(0), high(1))));
  case Ufunc::minimum:
    return setResultRange(getResult(),
                          between(llvm::APIntOps::smin(low(0), low(1)), llvm::APIntOps::smin(high(0), high(1))));
  case Ufunc::absolute:
    if (!isKnown(0))
      break;
    return setResultRange(getResult(), between(zero, magnitude(0)));
  case Ufunc::sign:
    return setResultRange(getResult(), between(-one, one));
  case Ufunc::right_shift:
    return setResultRange(getResult(),
                          between(low(0).isNonNegative() ? zero : low(0), high(0).isNegative() ? -one : high(0)));
  default:
    break;
  }
  setResultRange(getResult(), unknown);
}

//===---- Overflow ----===//

bool npcc::np::alwaysFits(Arithmetic kind, const ConstantIntRanges &lhs, const ConstantIntRanges &rhs) {
  constexpr unsigned wide = 192; // holds every shift by less than 64, and every product
  APInt most = APInt::getSignedMaxValue(64).sext(wide), least = APInt::getSignedMinValue(64).sext(wide);
  if (kind == Arithmetic::power || (kind == Arithmetic::left_shift && (rhs.smin().isNegative() || rhs.smax().sge(64))))
    return false;
  for (const APInt &l : {lhs.smin().sext(wide), lhs.smax().sext(wide)})
    for (const APInt &r : {rhs.smin().sext(wide), rhs.smax().sext(wide)}) {
      APInt result = kind == Arithmetic::add        ? l + r
                     : kind == Arithmetic::subtract ? l - r
                     : kind == Arithmetic::multiply ? l * r
                                                    : l << r;
      if (result.sgt(most) || result.slt(least))
        return false;
    }
  return true;
}

OpFoldResult FitsOp::fold(FoldAdaptor adaptor) {
  auto lhs = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs()), rhs = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs());
  auto range = [](IntegerAttr known) {
    return known ? ConstantIntRanges::constant(known.getValue()) : ConstantIntRanges::maxRange(64);
  };
  // With one known operand there are 0 and 1, which always fit.
  if ((lhs || rhs) && alwaysFits(getKind(), range(lhs), range(rhs)))
    return BoolAttr::get(getContext(), true);
  return {};
}

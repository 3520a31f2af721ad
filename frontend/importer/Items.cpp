// What an array takes when a number is assigned to it: NumPy asks Python's int() and float(), and their errors are its
// own.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// The bounds of an integer type, as far as 64 bits with a sign go.
static std::pair<int64_t, int64_t> boundsOf(IntegerType type) {
  unsigned width = type.getWidth();
  if (type.isUnsigned())
    return {0, width == 64 ? INT64_MAX : static_cast<int64_t>((uint64_t(1) << width) - 1)};
  return {width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1)),
          width == 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1};
}

Value FunctionImporter::fits(Value number, IntegerType type) {
  auto [low, high] = boundsOf(type);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
    return builder.createOrFold<arith::CmpIOp>(here(), predicate, number, constantInteger(builder.getI64Type(), bound));
  };
  // Only the bounds that 64 bits can be beyond.
  Value above, below;
  if (low != INT64_MIN)
    above = compare(arith::CmpIPredicate::sge, low);
  if (high != INT64_MAX)
    below = compare(arith::CmpIPredicate::sle, high);
  if (above && below)
    return builder.createOrFold<arith::AndIOp>(here(), above, below);
  return above ? above : below ? below : constant(builder.getI1Type(), py::boolean(true));
}

void FunctionImporter::checkFits(Value number, IntegerType type) {
  check(fits(number, type), "OverflowError", "Python integer {0} out of bounds for " + dtypes.name(type), number);
}

void FunctionImporter::checkWholeNumber(Value number) {
  check(builder.createOrFold<arith::CmpFOp>(here(), arith::CmpFPredicate::ORD, number, number), "ValueError",
        "cannot convert float NaN to integer");
  check(emitUfunc("isfinite", {number}), "OverflowError", "cannot convert float infinity to integer");
}

Value FunctionImporter::wholeNumber(Value scalar) {
  Type type = scalar.getType(), i64 = builder.getI64Type();
  if (isa<FloatType>(type)) {
    scalar = castTo(scalar, builder.getF64Type());
    checkWholeNumber(scalar);
    auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
      return builder.createOrFold<arith::CmpFOp>(
          here(), predicate, scalar, arith::ConstantOp::create(builder, here(), builder.getF64FloatAttr(bound)));
    };
    checkIn64Bits(builder.createOrFold<arith::AndIOp>(here(), compare(arith::CmpFPredicate::OGE, -0x1p63),
                                                      compare(arith::CmpFPredicate::OLT, 0x1p63)));
  }
  bool mayBeTooLarge = type.isUnsignedInteger(64);
  scalar = castTo(scalar, i64);
  if (mayBeTooLarge)
    checkIn64Bits(
        builder.createOrFold<arith::CmpIOp>(here(), arith::CmpIPredicate::sge, scalar, constantInteger(i64, 0)));
  return scalar;
}

/// The integer that int() makes of a float, for an array of this dtype: Python's errors of int(), then NumPy's of what
/// does not fit.
static void checkWhole(FunctionImporter &importer, Value number, IntegerType type) {
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  number = importer.castTo(number, f64);
  auto compare = [&](arith::CmpFPredicate predicate, Value left, double bound) -> Value {
    return b.createOrFold<arith::CmpFOp>(loc, predicate, left,
                                         arith::ConstantOp::create(b, loc, b.getF64FloatAttr(bound)));
  };
  importer.checkWholeNumber(number);
  bool isWide = type.isUnsigned() && type.getWidth() == 64;
  Value fits = b.createOrFold<arith::AndIOp>(loc, compare(arith::CmpFPredicate::OGE, number, -0x1p63),
                                             compare(arith::CmpFPredicate::OLT, number, isWide ? 0x1p64 : 0x1p63));
  importer.check(fits, "OverflowError", "Python int too large to convert to C long");
  if (isWide)
    importer.check(compare(arith::CmpFPredicate::OGT, number, -1), "OverflowError",
                   "Python integer {0} out of bounds for uint64", importer.castTo(number, i64));
  else
    importer.checkFits(importer.castTo(number, i64), type);
}

Value FunctionImporter::itemAs(const PyValue &value, Type elementType, bool isItem) {
  bool isKnown = value.isObject() && promotionKey(value);
  bool isNumpys = isKnown ? py::isInstance(value.object(), dtypes.numpy["generic"]) : value.isNumpyScalar();
  bool isPythons = !isNumpys && (isKnown || value.isPythonScalar());
  auto integer = dyn_cast<IntegerType>(elementType);
  if (value.hasItems() || !(isPythons || isNumpys) || elementType.isInteger(1))
    return value.hasItems() ? asArray(value, elementType) : operandAs(value, elementType);
  if (isKnown) {
    // NumPy is asked: an array of no axes takes the number, or says why not.
    if (isPythons || isItem) {
      std::string errorType, message;
      py::Object array = py::call(dtypes.numpy["zeros"], {py::tuple({}), dtypes.dtype(elementType)});
      if (!py::tryCall(py::import("operator")["setitem"], {array, py::tuple({}), value.object()}, {}, errorType,
                       message)) {
        fail(errorType + ": " + message);
        return {};
      }
    }
    return constant(elementType, value.object());
  }
  Type from = value.elementType();
  if (isPythons && isa<ComplexType>(from) && !isa<ComplexType>(elementType)) {
    fail(integer ? "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'complex'"
                 : "TypeError: float() argument must be a string or a real number, not 'complex'",
         "take the real part");
    return {};
  }
  // What is NumPy's is cast to unsigned integers; as an item of signed ones it becomes a Python number first.
  if (integer && (isPythons || (isItem && !integer.isUnsigned())) && !from.isInteger(1)) {
    Value number = isNumpys ? item(value.ir()) : value.ir();
    if (isa<ComplexType>(from)) { // NumPy's passes for its real part
      number = emitUfunc("real", {number});
      from = number.getType();
    }
    if (isa<FloatType>(from)) {
      checkWhole(*this, number, integer);
    } else if (isNumpys) {
      if (from.isUnsignedInteger(64)) {
        Value wide = castTo(number, builder.getI64Type());
        check(builder.createOrFold<arith::CmpIOp>(here(), arith::CmpIPredicate::sge, wide,
                                                  constantInteger(builder.getI64Type(), 0)),
              "OverflowError", "Python int too large to convert to C long");
      }
      auto held = dyn_cast<IntegerType>(from);
      if (held &&
          (held.getWidth() > integer.getWidth() || (held.isUnsigned() && held.getWidth() == integer.getWidth())))
        checkFits(castTo(number, builder.getI64Type()), integer);
    }
  }
  return operandAs(value, elementType);
}

} // namespace npcc::frontend

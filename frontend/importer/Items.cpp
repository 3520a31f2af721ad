// What an array takes when a number is assigned to it: NumPy asks Python's int() and float(), and their errors are its
// own.
#include "frontend/importer/Calls.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

void checkFits(Interpreter &in, Value number, IntegerType type) {
  in.ir.check(in.ir.fits(number, type), "OverflowError", "Python integer {0} out of bounds for " + in.dtypes.name(type),
              number);
}

void checkWholeNumber(Interpreter &in, Value number) {
  in.ir.check(in.ir.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::ORD, number, number), "ValueError",
              "cannot convert float NaN to integer");
  in.ir.check(in.ir.emitUfunc("isfinite", {number}), "OverflowError", "cannot convert float infinity to integer");
}

Value wholeNumber(Interpreter &in, Value scalar) {
  Type type = scalar.getType(), i64 = in.ir.getI64Type();
  if (isa<FloatType>(type)) {
    scalar = in.ir.castTo(scalar, in.ir.getF64Type());
    checkWholeNumber(in, scalar);
    auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
      return in.ir.createOrFold<arith::CmpFOp>(in.ir.getLoc(), predicate, scalar,
                                               arith::ConstantOp::create(in.ir, in.ir.getF64FloatAttr(bound)));
    };
    in.ir.checkIn64Bits(in.ir.createOrFold<arith::AndIOp>(compare(arith::CmpFPredicate::OGE, -0x1p63),
                                                          compare(arith::CmpFPredicate::OLT, 0x1p63)));
  }
  bool mayBeTooLarge = type.isUnsignedInteger(64);
  scalar = in.ir.castTo(scalar, i64);
  if (mayBeTooLarge)
    in.ir.checkIn64Bits(
        in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, scalar, in.ir.constantInteger(i64, 0)));
  return scalar;
}

/// The integer that int() makes of a float, for an array of this dtype: Python's errors of int(), then NumPy's of what
/// does not fit.
static void checkWhole(Interpreter &in, Value number, IntegerType type) {
  NpBuilder &b = in.ir;
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  number = in.ir.castTo(number, f64);
  auto compare = [&](arith::CmpFPredicate predicate, Value left, double bound) -> Value {
    return b.createOrFold<arith::CmpFOp>(predicate, left, arith::ConstantOp::create(b, b.getF64FloatAttr(bound)));
  };
  checkWholeNumber(in, number);
  bool isWide = type.isUnsigned() && type.getWidth() == 64;
  Value fits = b.createOrFold<arith::AndIOp>(compare(arith::CmpFPredicate::OGE, number, -0x1p63),
                                             compare(arith::CmpFPredicate::OLT, number, isWide ? 0x1p64 : 0x1p63));
  in.ir.check(fits, "OverflowError", "Python int too large to convert to C long");
  if (isWide)
    in.ir.check(compare(arith::CmpFPredicate::OGT, number, -1), "OverflowError",
                "Python integer {0} out of bounds for uint64", in.ir.castTo(number, i64));
  else
    checkFits(in, in.ir.castTo(number, i64), type);
}

Value itemAs(Interpreter &in, const PyValue &value, Type elementType, bool isItem) {
  // A string is read as the number that it shows.
  if (isString(value) &&
      (isa<FloatType>(elementType) || (isa<IntegerType>(elementType) && !elementType.isInteger(1)))) {
    PyValue number = callBuiltin(in, isa<FloatType>(elementType) ? "float" : "int", {value});
    return number.isPoison() ? Value() : itemAs(in, number, elementType, isItem);
  }
  // Each of several types becomes an item of the one dtype.
  if (value.is(PyValue::Kind::Union)) {
    PyValue item = overAlternatives(in, value, [&](const PyValue &one) {
      Value made = itemAs(in, one, elementType, isItem);
      return !made ? PyValue::poison() : PyValue::runtime(isa<np::ArrayType>(made.getType()) ? in.ir.load(made) : made);
    });
    return item.isRuntime() ? item.ir() : Value();
  }
  bool isKnown = value.isObject() && promotionKey(in, value);
  bool isNumpys = isKnown ? py::isInstance(value.object(), in.dtypes.numpy["generic"]) : value.isNumpyScalar();
  bool isPythons = !isNumpys && (isKnown || value.isPythonScalar());
  auto integer = dyn_cast<IntegerType>(elementType);
  if (value.hasItems() || !(isPythons || isNumpys) || elementType.isInteger(1))
    return value.hasItems() ? asArray(in, value, elementType) : operandAs(in, value, elementType);
  if (isKnown) {
    // NumPy is asked: an array of no axes takes the number, or says why not.
    if (isPythons || isItem) {
      std::string errorType, message;
      py::Object array = py::call(in.dtypes.numpy["zeros"], {py::tuple({}), in.dtypes.dtype(elementType)});
      if (!py::tryCall(py::import("operator")["setitem"], {array, py::tuple({}), value.object()}, {}, errorType,
                       message)) {
        in.fail(errorType + ": " + message);
        return {};
      }
    }
    return constant(in, elementType, value.object());
  }
  Type from = value.elementType();
  if (isPythons && isa<ComplexType>(from) && !isa<ComplexType>(elementType)) {
    in.fail(integer ? "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'complex'"
                    : "TypeError: float() argument must be a string or a real number, not 'complex'",
            "take the real part");
    return {};
  }
  // What is NumPy's is cast to unsigned integers; as an item of signed ones it becomes a Python number first.
  if (integer && (isPythons || (isItem && !integer.isUnsigned())) && !from.isInteger(1)) {
    Value number = isNumpys ? in.ir.item(value.ir()) : value.ir();
    if (isa<ComplexType>(from)) { // NumPy's passes for its real part
      number = in.ir.emitUfunc("real", {number});
      from = number.getType();
    }
    if (isa<FloatType>(from)) {
      checkWhole(in, number, integer);
    } else if (isNumpys) {
      if (from.isUnsignedInteger(64)) {
        Value wide = in.ir.castTo(number, in.ir.getI64Type());
        in.ir.check(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, wide,
                                                      in.ir.constantInteger(in.ir.getI64Type(), 0)),
                    "OverflowError", "Python int too large to convert to C long");
      }
      auto held = dyn_cast<IntegerType>(from);
      if (held &&
          (held.getWidth() > integer.getWidth() || (held.isUnsigned() && held.getWidth() == integer.getWidth())))
        checkFits(in, in.ir.castTo(number, in.ir.getI64Type()), integer);
    }
  }
  return operandAs(in, value, elementType);
}

} // namespace npcc::frontend

// Arithmetic of Python's own int, float, bool and complex, with Python's errors.
#include "dialects/Np/Checks.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace npcc::frontend {

/// bool < int < float < complex.
static int kindOf(Type type) {
  return isa<ComplexType>(type) ? 3 : isa<FloatType>(type) ? 2 : type.isInteger(1) ? 0 : 1;
}

/// Python's float powers: zero has no negative ones, and fractional ones of negative numbers are complex, which float
/// cannot become at run time.
static void checkPower(Interpreter &in, const PyValue &left, const PyValue &right, Value base, Value exponent) {
  NpBuilder &b = in.ir;
  auto known = [](const PyValue &value) -> std::optional<double> {
    if (!value.isObject())
      return std::nullopt;
    double number = PyFloat_AsDouble(value.object().get());
    PyErr_Clear();
    return number;
  };
  std::optional<double> knownBase = known(left), knownExponent = known(right);
  Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0));
  auto compare = [&](arith::CmpFPredicate predicate, Value l, Value r) {
    return b.createOrFold<arith::CmpFOp>(predicate, l, r);
  };
  bool mayBeNegative = !knownExponent || (*knownExponent < 0 && std::isfinite(*knownExponent));
  bool mayBeFractional =
      !knownExponent || (*knownExponent != std::floor(*knownExponent) && !std::isnan(*knownExponent));
  Value infinity = arith::ConstantOp::create(b, b.getF64FloatAttr(-std::numeric_limits<double>::infinity()));
  if (mayBeNegative && !(knownBase && *knownBase != 0)) {
    Value ok = compare(arith::CmpFPredicate::UNE, base, zero);
    if (!knownExponent)
      ok = b.createOrFold<arith::OrIOp>(
          ok, b.createOrFold<arith::OrIOp>(compare(arith::CmpFPredicate::UGE, exponent, zero),
                                           compare(arith::CmpFPredicate::OEQ, exponent, infinity)));
    in.ir.check(ok, "ZeroDivisionError", "0.0 cannot be raised to a negative power");
  }
  if (mayBeFractional && !(knownBase && *knownBase >= 0)) {
    Value ok = compare(arith::CmpFPredicate::UGE, base, zero);
    // Minus infinity has fractional powers: those of infinity.
    ok = b.createOrFold<arith::OrIOp>(ok, compare(arith::CmpFPredicate::OEQ, base, infinity));
    if (!knownExponent)
      ok = b.createOrFold<arith::OrIOp>(
          ok, compare(arith::CmpFPredicate::UEQ, in.ir.emitUfunc("floor", {exponent}), exponent));
    in.ir.check(ok, "NotImplementedError", "a fractional power of a negative float is complex: make the base complex");
  }
}

int signBeyond64Bits(const PyValue &value) {
  if (!value.isObject() || !PyLong_Check(value.object().get()))
    return 0;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(value.object().get(), &overflow);
  return overflow;
}

/// The number of a member of an IntEnum, beside a number of the program; any other value as it is.
static PyValue withoutMember(const PyValue &value) {
  bool isMember = value.isObject() && PyLong_Check(value.object().get()) && !PyLong_CheckExact(value.object().get()) &&
                  !PyBool_Check(value.object().get());
  return isMember ? PyValue::object(py::call(py::import("builtins")["int"], {value.object()})) : value;
}

/// Whether the operation's right operand is written as a negation, so that it is likely to be negative.
static bool isNegated(Interpreter &in) {
  return !in.env.frame->isLibrary && in.currentNode && py::typeName(in.currentNode) == "BinOp" &&
         py::typeName(in.currentNode["right"]) == "UnaryOp" && py::typeName(in.currentNode["right"]["op"]) == "USub";
}

PyValue pythonBinary(Interpreter &in, StringRef operation, const PyValue &givenLeft, const PyValue &givenRight) {
  PyValue left = withoutMember(givenLeft), right = withoutMember(givenRight);
  Type leftType = runtimeType(in, left), rightType = runtimeType(in, right);
  if (!leftType || !rightType || !isa<IntegerType, FloatType, ComplexType>(leftType) ||
      !isa<IntegerType, FloatType, ComplexType>(rightType))
    return in.fail("TypeError: unsupported operand type(s) for " + Twine(symbolOf(operation)) + ": " +
                   nameOfType(in, left) + " and " + nameOfType(in, right));
  int kind = std::max(kindOf(leftType), kindOf(rightType));
  bool isBitwise = operation == "BitAnd" || operation == "BitOr" || operation == "BitXor";
  if (operation == "Div")
    kind = std::max(kind, 2);
  else if (!(isBitwise && kind == 0))
    kind = std::max(kind, 1);
  if (kind > 1 && (isBitwise || operation == "LShift" || operation == "RShift"))
    return in.fail("TypeError: unsupported operand type(s) for " + Twine(symbolOf(operation)) + ": " +
                   nameOfType(in, left) + " and " + nameOfType(in, right));
  if (operation == "MatMult" || (kind == 3 && (operation == "FloorDiv" || operation == "Mod")))
    return in.fail("TypeError: unsupported operand type(s) for " + Twine(symbolOf(operation)) + ": " +
                   nameOfType(in, left) + " and " + nameOfType(in, right));
  Type type = kind == 0   ? Type(in.ir.getI1Type())
              : kind == 1 ? Type(in.ir.getI64Type())
              : kind == 2 ? Type(in.ir.getF64Type())
                          : Type(ComplexType::get(in.ir.getF64Type()));
  // Where Python runs parts of the function, this is one.
  if (kind == 1 && (signBeyond64Bits(left) || signBeyond64Bits(right)))
    return in.fail("ints of more than 64 bits cannot be computed with in compiled code",
                   "take numpy.uint64, or a float");
  Value l = operandAs(in, left, type), r = operandAs(in, right, type);
  if (!l || !r)
    return PyValue::poison();
  auto result = [](Value value) { return PyValue::runtime(value); };
  if (operation == "Div" || operation == "FloorDiv" || operation == "Mod") {
    // A divisor known to be another number needs no check.
    if (!right.isObject() || !py::isTrue(right.object())) {
      Value zero = constant(in, type, py::integer(0));
      Value ok = kind == 1   ? in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, r, zero)
                 : kind == 2 ? in.ir.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::UNE, r, zero)
                             : in.ir.emitUfunc("not_equal", {r, zero});
      const char *message = operation == "Div" ? (leftType.isInteger() && rightType.isInteger() ? "division by zero"
                                                  : kind == 3 ? "complex division by zero"
                                                              : "float division by zero")
                            : kind == 1
                                ? (operation == "Mod" ? "integer modulo by zero" : "integer division or modulo by zero")
                            : operation == "Mod" ? "float modulo"
                                                 : "float floor division by zero";
      in.ir.check(ok, "ZeroDivisionError", message);
    }
    if (operation == "Div")
      return result(kind == 2 ? in.ir.createOrFold<arith::DivFOp>(l, r) : in.ir.emitUfunc("divide", {l, r}));
    // The least integer has no opposite.
    if (kind == 1 && operation == "FloorDiv" && asInteger(in, right).value_or(-1) == -1 && in.env.frame->checksInts) {
      Value fits = in.ir.createOrFold<np::FitsOp>(np::Arithmetic::subtract, in.ir.constantInteger(type, 0), l);
      Value isOther = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, r, in.ir.constantInteger(type, -1));
      in.ir.checkIn64Bits(in.ir.createOrFold<arith::OrIOp>(fits, isOther));
    }
    return result(in.ir.emitUfunc(operation == "Mod" ? "remainder" : "floor_divide", {l, r}));
  }
  if (operation == "Pow") {
    if (kind == 1) {
      std::optional<int64_t> exponent = asInteger(in, right);
      if (exponent && *exponent < 0)
        return pythonBinary(in, "Pow", PyValue::runtime(in.ir.castTo(l, in.ir.getF64Type())),
                            PyValue::object(py::real(*exponent)));
      if (exponent == 2) {
        checkFits(in, np::Arithmetic::multiply, l, l);
        return result(in.ir.createOrFold<arith::MulIOp>(l, l));
      }
      if (!exponent && isNegated(in)) { // 10 ** -n
        Value isWhole = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, r, in.ir.constantInteger(type, 0));
        auto wholePower = [&] {
          checkFits(in, np::Arithmetic::power, l, r);
          return result(in.ir.emitUfunc("power", {l, r}));
        };
        auto fraction = [&] {
          Type real = in.ir.getF64Type();
          return pythonBinary(in, "Pow", result(in.ir.castTo(l, real)), result(in.ir.castTo(r, real)));
        };
        return choose(in, result(isWhole), wholePower, fraction);
      }
      if (!exponent)
        in.ir.check(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, r, in.ir.constantInteger(type, 0)),
                    "NotImplementedError", "an int to a negative power is a float: make the base a float");
    }
    if (kind == 3) { // CPython's own, in npcc.library
      py::Object library = findLibraryFunction(py::import("builtins")["complex"]["__pow__"]);
      Call call{in.currentNode, {PyValue::runtime(l), PyValue::runtime(r)}, {}};
      return callFunction(in, functionOf(in, library, true), call);
    }
    bool isSquare = kind == 2 && right.isObject() && PyFloat_AsDouble(right.object().get()) == 2;
    PyErr_Clear();
    if (kind == 1)
      checkFits(in, np::Arithmetic::power, l, r);
    if (kind == 2 && !isSquare)
      checkPower(in, left, right, l, r);
    Value power = isSquare ? in.ir.createOrFold<arith::MulFOp>(l, l) : in.ir.emitUfunc("power", {l, r});
    double known = right.isObject() ? PyFloat_AsDouble(right.object().get()) : 0;
    PyErr_Clear();
    if (kind == 2 && std::isfinite(known)) { // an infinite power of finite numbers
      Value one = arith::ConstantOp::create(in.ir, in.ir.getBoolAttr(true));
      Value isInfinite = in.ir.emitUfunc("isinf", {power}), isFinite = in.ir.emitUfunc("isfinite", {l});
      if (!right.isObject())
        isFinite = in.ir.createOrFold<arith::AndIOp>(isFinite, in.ir.emitUfunc("isfinite", {r}));
      Value overflows = in.ir.createOrFold<arith::AndIOp>(isInfinite, isFinite);
      in.ir.check(in.ir.createOrFold<arith::XOrIOp>(overflows, one), "OverflowError",
                  "(34, 'Numerical result out of range')");
    }
    return result(power);
  }
  if (operation == "LShift" || operation == "RShift") {
    in.ir.check(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, r, in.ir.constantInteger(type, 0)),
                "ValueError", "negative shift count");
    if (operation == "LShift")
      checkFits(in, np::Arithmetic::left_shift, l, r);
    return result(in.ir.emitUfunc(operation == "LShift" ? "left_shift" : "right_shift", {l, r}));
  }
  if (isBitwise)
    return result(operation == "BitAnd"  ? in.ir.createOrFold<arith::AndIOp>(l, r)
                  : operation == "BitOr" ? in.ir.createOrFold<arith::OrIOp>(l, r)
                                         : in.ir.createOrFold<arith::XOrIOp>(l, r));
  if (kind == 1) {
    checkFits(in,
              operation == "Add"   ? np::Arithmetic::add
              : operation == "Sub" ? np::Arithmetic::subtract
                                   : np::Arithmetic::multiply,
              l, r);
    return result(operation == "Add"   ? in.ir.createOrFold<arith::AddIOp>(l, r)
                  : operation == "Sub" ? in.ir.createOrFold<arith::SubIOp>(l, r)
                                       : in.ir.createOrFold<arith::MulIOp>(l, r));
  }
  if (kind == 2)
    return result(operation == "Add"   ? in.ir.createOrFold<arith::AddFOp>(l, r)
                  : operation == "Sub" ? in.ir.createOrFold<arith::SubFOp>(l, r)
                                       : in.ir.createOrFold<arith::MulFOp>(l, r));
  return result(in.ir.emitUfunc(operation == "Add" ? "add" : operation == "Sub" ? "subtract" : "multiply", {l, r}));
}

static arith::CmpIPredicate integerPredicate(StringRef operation) {
  return operation == "Eq"      ? arith::CmpIPredicate::eq
         : operation == "NotEq" ? arith::CmpIPredicate::ne
         : operation == "Lt"    ? arith::CmpIPredicate::slt
         : operation == "LtE"   ? arith::CmpIPredicate::sle
         : operation == "Gt"    ? arith::CmpIPredicate::sgt
                                : arith::CmpIPredicate::sge;
}

/// Whether a number is known to lie where each int is a float.
static bool isBelow53Bits(const PyValue &number) {
  if (!number.isObject())
    return false;
  double known = PyFloat_AsDouble(number.object().get());
  PyErr_Clear();
  return std::isfinite(known) && std::abs(known) < 0x1p53;
}

/// An int and a float are compared exactly: 2**53 + 1 is no float, and not equal to the one that it is rounded to.
/// `isDecided`: the comparison of the rounded int; of two numbers that differ after rounding it is right. `equal`:
/// whether they do not.
static Value compareExactly(Interpreter &in, StringRef operation, Value isDecided, Value equal, Value integer,
                            Value rounded, bool isLeft) {
  NpBuilder &ir = in.ir;
  // Below 2^53 nothing is rounded, and most integers are known to be (npcc-simplify-integers).
  Value small =
      ir.createOrFold<np::FitsOp>(np::Arithmetic::multiply, integer, ir.constantInteger(ir.getI64Type(), 1024));
  Value whole = ir.castTo(rounded, ir.getI64Type());
  Value limit = arith::ConstantFloatOp::create(ir, ir.getF64Type(), llvm::APFloat(0x1p63));
  Value isLimit = ir.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OEQ, rounded, limit); // above all ints
  Value isNotLimit = ir.createOrFold<arith::XOrIOp>(isLimit, ir.boolean(true));
  Value compared =
      ir.createOrFold<arith::CmpIOp>(integerPredicate(operation), isLeft ? integer : whole, isLeft ? whole : integer);
  StringRef greater = isLeft ? "Lt" : "Gt"; // the comparisons that say that the float is greater
  compared = operation == "NotEq" || operation.starts_with(greater)
                 ? ir.createOrFold<arith::OrIOp>(compared, isLimit)
                 : ir.createOrFold<arith::AndIOp>(compared, isNotLimit);
  Value isRight = ir.createOrFold<arith::OrIOp>(small, ir.createOrFold<arith::XOrIOp>(equal, ir.boolean(true)));
  return ir.createOrFold<arith::SelectOp>(isRight, isDecided, compared);
}

PyValue pythonCompare(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  Type leftType = runtimeType(in, left), rightType = runtimeType(in, right);
  if (!leftType || !rightType || !isa<IntegerType, FloatType, ComplexType>(leftType) ||
      !isa<IntegerType, FloatType, ComplexType>(rightType))
    return in.fail("TypeError: '" + symbolOf(operation) + "' not supported between instances of '" +
                   nameOfType(in, left, false) + "' and '" + nameOfType(in, right, false) + "'");
  int kind = std::max(kindOf(leftType), kindOf(rightType));
  // No number of 64 bits reaches such an int.
  if (int order = kind <= 1 ? signBeyond64Bits(left) - signBeyond64Bits(right) : 0)
    return PyValue::object(
        py::boolean(operation == "NotEq" || StringRef(operation).starts_with(order < 0 ? "Lt" : "Gt")));
  if (kind == 3) {
    if (operation != "Eq" && operation != "NotEq")
      return in.fail("TypeError: comparison not supported between instances of 'complex' and 'complex'");
    Type type = ComplexType::get(in.ir.getF64Type());
    Value l = operandAs(in, left, type), r = operandAs(in, right, type);
    return l && r ? PyValue::runtime(in.ir.emitUfunc(operation == "Eq" ? "equal" : "not_equal", {l, r}))
                  : PyValue::poison();
  }
  Type type = kind == 2 ? Type(in.ir.getF64Type()) : Type(in.ir.getI64Type());
  Value l = operandAs(in, left, type), r = operandAs(in, right, type);
  if (!l || !r)
    return PyValue::poison();
  if (kind == 2) {
    arith::CmpFPredicate predicate = operation == "Eq"      ? arith::CmpFPredicate::OEQ
                                     : operation == "NotEq" ? arith::CmpFPredicate::UNE
                                     : operation == "Lt"    ? arith::CmpFPredicate::OLT
                                     : operation == "LtE"   ? arith::CmpFPredicate::OLE
                                     : operation == "Gt"    ? arith::CmpFPredicate::OGT
                                                            : arith::CmpFPredicate::OGE;
    Value rounded = in.ir.createOrFold<arith::CmpFOp>(predicate, l, r);
    bool isLeft = isa<IntegerType>(leftType);
    bool isExact = isLeft == isa<IntegerType>(rightType) || (isLeft ? leftType : rightType).isInteger(1) ||
                   isBelow53Bits(left) || isBelow53Bits(right) || in.ir.skipsChecks();
    if (isExact)
      return PyValue::runtime(rounded);
    Value integer = operandAs(in, isLeft ? left : right, in.ir.getI64Type());
    Value equal = in.ir.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OEQ, l, r);
    return PyValue::runtime(compareExactly(in, operation, rounded, equal, integer, isLeft ? l : r, isLeft));
  }
  return PyValue::runtime(in.ir.createOrFold<arith::CmpIOp>(integerPredicate(operation), l, r));
}

} // namespace npcc::frontend

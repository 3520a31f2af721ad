// Arithmetic of Python's own int, float, bool and complex, with Python's errors.
#include "frontend/importer/FunctionImporter.h"
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

/// Python's float powers: zero has no negative ones, and fractional ones of negative numbers are complex, which float cannot become at run time.
static void checkPower(FunctionImporter &importer, const PyValue &left, const PyValue &right, Value base, Value exponent) {
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  auto known = [](const PyValue &value) -> std::optional<double> {
    if (!value.isObject())
      return std::nullopt;
    double number = PyFloat_AsDouble(value.object().get());
    PyErr_Clear();
    return number;
  };
  std::optional<double> knownBase = known(left), knownExponent = known(right);
  Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
  auto compare = [&](arith::CmpFPredicate predicate, Value l, Value r) { return b.createOrFold<arith::CmpFOp>(loc, predicate, l, r); };
  bool mayBeNegative = !knownExponent || (*knownExponent < 0 && std::isfinite(*knownExponent));
  bool mayBeFractional = !knownExponent || (*knownExponent != std::floor(*knownExponent) && !std::isnan(*knownExponent));
  Value infinity = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(-std::numeric_limits<double>::infinity()));
  if (mayBeNegative && !(knownBase && *knownBase != 0)) {
    Value ok = compare(arith::CmpFPredicate::UNE, base, zero);
    if (!knownExponent)
      ok = b.createOrFold<arith::OrIOp>(
          loc, ok, b.createOrFold<arith::OrIOp>(loc, compare(arith::CmpFPredicate::UGE, exponent, zero),
                                                compare(arith::CmpFPredicate::OEQ, exponent, infinity)));
    importer.check(ok, "ZeroDivisionError", "0.0 cannot be raised to a negative power");
  }
  if (mayBeFractional && !(knownBase && *knownBase >= 0)) {
    Value ok = compare(arith::CmpFPredicate::UGE, base, zero);
    // Minus infinity has fractional powers: those of infinity.
    ok = b.createOrFold<arith::OrIOp>(loc, ok, compare(arith::CmpFPredicate::OEQ, base, infinity));
    if (!knownExponent)
      ok = b.createOrFold<arith::OrIOp>(loc, ok, compare(arith::CmpFPredicate::UEQ, importer.emitUfunc("floor", {exponent}), exponent));
    importer.check(ok, "NotImplementedError", "a fractional power of a negative float is complex: make the base complex");
  }
}

PyValue FunctionImporter::pythonBinary(StringRef operation, const PyValue &left, const PyValue &right) {
  Type leftType = runtimeType(left), rightType = runtimeType(right);
  if (!leftType || !rightType || !isa<IntegerType, FloatType, ComplexType>(leftType) || !isa<IntegerType, FloatType, ComplexType>(rightType))
    return fail("TypeError: unsupported operand type(s): " + describe(left) + " and " + describe(right));
  Location loc = here();
  int kind = std::max(kindOf(leftType), kindOf(rightType));
  bool isBitwise = operation == "BitAnd" || operation == "BitOr" || operation == "BitXor";
  if (operation == "Div")
    kind = std::max(kind, 2);
  else if (!(isBitwise && kind == 0))
    kind = std::max(kind, 1);
  if (kind > 1 && (isBitwise || operation == "LShift" || operation == "RShift"))
    return fail("TypeError: unsupported operand type(s): " + describe(left) + " and " + describe(right));
  if (operation == "MatMult" || (kind == 3 && (operation == "FloorDiv" || operation == "Mod")))
    return fail("TypeError: unsupported operand type(s): " + describe(left) + " and " + describe(right));
  Type type = kind == 0 ? Type(builder.getI1Type()) : kind == 1 ? Type(builder.getI64Type()) : kind == 2 ? Type(builder.getF64Type())
                                                                                        : Type(ComplexType::get(builder.getF64Type()));
  Value l = operandAs(left, type), r = operandAs(right, type);
  if (!l || !r)
    return PyValue::poison();
  auto result = [](Value value) { return PyValue::runtime(value); };
  if (operation == "Div" || operation == "FloorDiv" || operation == "Mod") {
    // A divisor known to be another number needs no check.
    if (!right.isObject() || !py::isTrue(right.object())) {
      Value zero = constant(type, py::integer(0));
      Value ok = kind == 1   ? builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, r, zero)
                 : kind == 2 ? builder.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, r, zero)
                             : emitUfunc("not_equal", {r, zero});
      const char *message = operation == "Div" ? (leftType.isInteger() && rightType.isInteger() ? "division by zero" : kind == 3 ? "complex division by zero" : "float division by zero")
                            : kind == 1 ? (operation == "Mod" ? "integer modulo by zero" : "integer division or modulo by zero")
                            : operation == "Mod" ? "float modulo" : "float floor division by zero";
      check(ok, "ZeroDivisionError", message);
    }
    if (operation == "Div")
      return result(kind == 2 ? builder.createOrFold<arith::DivFOp>(loc, l, r) : emitUfunc("divide", {l, r}));
    // The least integer has no opposite.
    if (kind == 1 && operation == "FloorDiv" && asInteger(right).value_or(-1) == -1 && !frame->isLibrary) {
      Value fits = builder.createOrFold<np::FitsOp>(loc, np::Arithmetic::subtract, constantInteger(type, 0), l);
      Value isOther = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, r, constantInteger(type, -1));
      checkIn64Bits(builder.createOrFold<arith::OrIOp>(loc, fits, isOther));
    }
    return result(emitUfunc(operation == "Mod" ? "remainder" : "floor_divide", {l, r}));
  }
  if (operation == "Pow") {
    if (kind == 1) {
      std::optional<int64_t> exponent = asInteger(right);
      if (exponent && *exponent < 0)
        return pythonBinary("Pow", PyValue::runtime(castTo(l, builder.getF64Type())), PyValue::object(py::real(*exponent)));
      if (exponent == 2) {
        checkFits(np::Arithmetic::multiply, l, l);
        return result(builder.createOrFold<arith::MulIOp>(loc, l, l));
      }
      if (!exponent)
        check(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, r, constantInteger(type, 0)), "NotImplementedError",
              "an int to a negative power is a float: make the base a float");
    }
    if (kind == 3) { // CPython's own, in npcc.library
      py::Object library = findLibraryFunction(py::import("builtins")["complex"]["__pow__"]);
      Call call{currentNode, {PyValue::runtime(l), PyValue::runtime(r)}, {}};
      return callFunction(functionOf(library, true), call);
    }
    bool isSquare = kind == 2 && right.isObject() && PyFloat_AsDouble(right.object().get()) == 2;
    PyErr_Clear();
    if (kind == 1)
      checkFits(np::Arithmetic::power, l, r);
    if (kind == 2 && !isSquare)
      checkPower(*this, left, right, l, r);
    Value power = isSquare ? builder.createOrFold<arith::MulFOp>(loc, l, l) : emitUfunc("power", {l, r});
    double known = right.isObject() ? PyFloat_AsDouble(right.object().get()) : 0;
    PyErr_Clear();
    if (kind == 2 && std::isfinite(known)) { // an infinite power of finite numbers
      Value one = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      Value isInfinite = emitUfunc("isinf", {power}), isFinite = emitUfunc("isfinite", {l});
      if (!right.isObject())
        isFinite = builder.createOrFold<arith::AndIOp>(loc, isFinite, emitUfunc("isfinite", {r}));
      Value overflows = builder.createOrFold<arith::AndIOp>(loc, isInfinite, isFinite);
      check(builder.createOrFold<arith::XOrIOp>(loc, overflows, one), "OverflowError",
            "(34, 'Numerical result out of range')");
    }
    return result(power);
  }
  if (operation == "LShift" || operation == "RShift") {
    check(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, r, constantInteger(type, 0)), "ValueError", "negative shift count");
    if (operation == "LShift")
      checkFits(np::Arithmetic::left_shift, l, r);
    return result(emitUfunc(operation == "LShift" ? "left_shift" : "right_shift", {l, r}));
  }
  if (isBitwise)
    return result(operation == "BitAnd"  ? builder.createOrFold<arith::AndIOp>(loc, l, r)
                  : operation == "BitOr" ? builder.createOrFold<arith::OrIOp>(loc, l, r)
                                         : builder.createOrFold<arith::XOrIOp>(loc, l, r));
  if (kind == 1) {
    checkFits(operation == "Add"   ? np::Arithmetic::add
              : operation == "Sub" ? np::Arithmetic::subtract
                                   : np::Arithmetic::multiply,
              l, r);
    return result(operation == "Add"   ? builder.createOrFold<arith::AddIOp>(loc, l, r)
                  : operation == "Sub" ? builder.createOrFold<arith::SubIOp>(loc, l, r)
                                       : builder.createOrFold<arith::MulIOp>(loc, l, r));
  }
  if (kind == 2)
    return result(operation == "Add"   ? builder.createOrFold<arith::AddFOp>(loc, l, r)
                  : operation == "Sub" ? builder.createOrFold<arith::SubFOp>(loc, l, r)
                                       : builder.createOrFold<arith::MulFOp>(loc, l, r));
  return result(emitUfunc(operation == "Add" ? "add" : operation == "Sub" ? "subtract" : "multiply", {l, r}));
}

PyValue FunctionImporter::pythonCompare(StringRef operation, const PyValue &left, const PyValue &right) {
  Type leftType = runtimeType(left), rightType = runtimeType(right);
  if (!leftType || !rightType || !isa<IntegerType, FloatType, ComplexType>(leftType) || !isa<IntegerType, FloatType, ComplexType>(rightType))
    return fail("TypeError: comparison not supported between " + describe(left) + " and " + describe(right));
  int kind = std::max(kindOf(leftType), kindOf(rightType));
  if (kind == 3) {
    if (operation != "Eq" && operation != "NotEq")
      return fail("TypeError: comparison not supported between instances of 'complex' and 'complex'");
    Type type = ComplexType::get(builder.getF64Type());
    Value l = operandAs(left, type), r = operandAs(right, type);
    return l && r ? PyValue::runtime(emitUfunc(operation == "Eq" ? "equal" : "not_equal", {l, r})) : PyValue::poison();
  }
  Type type = kind == 2 ? Type(builder.getF64Type()) : Type(builder.getI64Type());
  Value l = operandAs(left, type), r = operandAs(right, type);
  if (!l || !r)
    return PyValue::poison();
  if (kind == 2) {
    arith::CmpFPredicate predicate = operation == "Eq"      ? arith::CmpFPredicate::OEQ
                                     : operation == "NotEq" ? arith::CmpFPredicate::UNE
                                     : operation == "Lt"    ? arith::CmpFPredicate::OLT
                                     : operation == "LtE"   ? arith::CmpFPredicate::OLE
                                     : operation == "Gt"    ? arith::CmpFPredicate::OGT
                                                            : arith::CmpFPredicate::OGE;
    return PyValue::runtime(builder.createOrFold<arith::CmpFOp>(here(), predicate, l, r));
  }
  arith::CmpIPredicate predicate = operation == "Eq"      ? arith::CmpIPredicate::eq
                                   : operation == "NotEq" ? arith::CmpIPredicate::ne
                                   : operation == "Lt"    ? arith::CmpIPredicate::slt
                                   : operation == "LtE"   ? arith::CmpIPredicate::sle
                                   : operation == "Gt"    ? arith::CmpIPredicate::sgt
                                                          : arith::CmpIPredicate::sge;
  return PyValue::runtime(builder.createOrFold<arith::CmpIOp>(here(), predicate, l, r));
}

} // namespace npcc::frontend

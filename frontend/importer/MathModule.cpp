// Python's module math: functions of Python's float, with Python's errors.
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

StringRef shortName(Arguments &args) { return StringRef(args.row->name).substr(5); }

std::optional<PyValue> evaluate(FunctionImporter &importer, Arguments &args) {
  std::vector<py::Object> known;
  for (const PyValue &value : args.values) {
    if (!value.isObject())
      return std::nullopt;
    if (!value.isNone())
      known.push_back(value.object());
  }
  std::string errorType, message;
  py::Object result = py::tryCall(py::import("math")[shortName(args).str().c_str()], known, {}, errorType, message);
  return result ? PyValue::object(result) : importer.fail(errorType + ": " + message);
}

/// An argument as Python's float.
Value asFloat(FunctionImporter &importer, const PyValue &value) {
  bool isScalar = value.isObject() ? bool(importer.promotionKey(value)) : value.isRuntime() && value.rank() == 0;
  if (!isScalar) {
    if (value.isPoison())
      return {};
    importer.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars", "the functions of module math take numbers: use numpy's for arrays");
    return {};
  }
  if (value.isRuntime() && isa<ComplexType>(value.elementType())) {
    importer.fail("TypeError: must be real number, not complex");
    return {};
  }
  Value number = importer.operandAs(value, importer.builder.getF64Type());
  return number && isa<RankedTensorType>(number.getType()) ? importer.item(number) : number;
}

/// Where Python raises ValueError: math domain error.
void checkDomain(FunctionImporter &importer, StringRef name, Value x) {
  OpBuilder &b = importer.builder;
  auto limit = [&](double value) { return arith::ConstantOp::create(b, importer.here(), b.getF64FloatAttr(value)); };
  // Unordered comparisons: NaN goes through.
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    return arith::CmpFOp::create(b, importer.here(), predicate, x, limit(bound));
  };
  Value ok;
  if (name == "sqrt")
    ok = compare(arith::CmpFPredicate::UGE, 0);
  else if (name == "log" || name == "log2" || name == "log10")
    ok = compare(arith::CmpFPredicate::UGT, 0);
  else if (name == "log1p")
    ok = compare(arith::CmpFPredicate::UGT, -1);
  else if (name == "acosh")
    ok = compare(arith::CmpFPredicate::UGE, 1);
  else if (name == "asin" || name == "acos")
    ok = arith::AndIOp::create(b, importer.here(), compare(arith::CmpFPredicate::UGE, -1), compare(arith::CmpFPredicate::ULE, 1));
  else if (name == "atanh")
    ok = arith::AndIOp::create(b, importer.here(), compare(arith::CmpFPredicate::UGT, -1), compare(arith::CmpFPredicate::ULT, 1));
  if (ok)
    importer.check(ok, "ValueError", "math domain error");
}

/// As CPython judges a result: NaN of a number is a domain error; infinity of finite numbers is one of range where the
/// function grows beyond all bounds.
void checkResult(FunctionImporter &importer, StringRef name, ValueRange arguments, Value result) {
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  bool canOverflow = llvm::is_contained({"cosh", "exp", "exp2", "expm1", "sinh", "pow", "hypot"}, name);
  bool canFail = llvm::is_contained({"sin", "cos", "tan", "pow", "fmod"}, name);
  auto any = [&](StringRef test) {
    Value found;
    for (Value argument : arguments) {
      Value one = importer.emitUfunc(test, {argument});
      found = found ? b.createOrFold<arith::OrIOp>(loc, found, one) : one;
    }
    return found;
  };
  auto unless = [&](StringRef bad, Value excused, StringRef error, StringRef message) {
    Value isBad = importer.emitUfunc(bad, {result}), one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    importer.check(b.createOrFold<arith::OrIOp>(loc, excused, b.createOrFold<arith::XOrIOp>(loc, isBad, one)), error,
                   message);
  };
  if (canFail)
    unless("isnan", any("isnan"), "ValueError", "math domain error");
  if (canOverflow) {
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true)), finite;
    for (Value argument : arguments) {
      Value isFinite = importer.emitUfunc("isfinite", {argument});
      finite = finite ? b.createOrFold<arith::AndIOp>(loc, finite, isFinite) : isFinite;
    }
    unless("isinf", b.createOrFold<arith::XOrIOp>(loc, finite, one), "OverflowError", "math range error");
  }
}

PyValue emitUnary(FunctionImporter &importer, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(importer, args))
    return *known;
  StringRef name = shortName(args);
  bool isWhole = name == "floor" || name == "ceil" || name == "trunc";
  const PyValue &given = args.values[0];
  if (given.isRuntime() && given.rank() == 0) {
    Type element = given.elementType();
    if (name == "trunc" && !given.isPythonScalar() && (given.arrayType() || !element.isF64()))
      return importer.fail("TypeError: type numpy." +
                               (given.arrayType() ? Twine("ndarray") : Twine(importer.dtypes.name(element))) +
                               " doesn't define __trunc__ method",
                           "use int()");
    if (isWhole && given.isPythonScalar() && isa<IntegerType>(element)) {
      Value number = importer.valueOf(given);
      return PyValue::runtime(
          importer.wholeNumber(isa<RankedTensorType>(number.getType()) ? importer.item(number) : number));
    }
  }
  Value x = asFloat(importer, given);
  if (!x)
    return PyValue::poison();
  checkDomain(importer, name, x);
  StringRef ufunc = llvm::StringSwitch<StringRef>(name)
                        .Case("asin", "arcsin").Case("acos", "arccos").Case("atan", "arctan").Case("asinh", "arcsinh")
                        .Case("acosh", "arccosh").Case("atanh", "arctanh").Case("fabs", "absolute").Default(name);
  Value result = importer.emitUfunc(ufunc, {x});
  if (isWhole)
    return PyValue::runtime(importer.wholeNumber(result));
  checkResult(importer, name, x, result);
  return PyValue::runtime(result);
}

PyValue emitBinary(FunctionImporter &importer, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(importer, args))
    return *known;
  StringRef name = shortName(args);
  Value x = asFloat(importer, args.values[0]), y = asFloat(importer, args.values[1]);
  if (!x || !y)
    return PyValue::poison();
  StringRef ufunc = llvm::StringSwitch<StringRef>(name).Case("atan2", "arctan2").Case("pow", "power").Default(name);
  Value result = importer.emitUfunc(ufunc, {x, y});
  if (name == "pow") { // no power of zero is infinite
    Value zero = importer.constant(x.getType(), py::real(0));
    Value isPole = importer.builder.createOrFold<arith::AndIOp>(importer.here(), importer.emitUfunc("equal", {x, zero}),
                                                                importer.emitUfunc("isinf", {result}));
    isPole = importer.builder.createOrFold<arith::AndIOp>(importer.here(), isPole, importer.emitUfunc("isfinite", {y}));
    Value one = arith::ConstantOp::create(importer.builder, importer.here(), importer.builder.getBoolAttr(true));
    importer.check(importer.builder.createOrFold<arith::XOrIOp>(importer.here(), isPole, one), "ValueError",
                   "math domain error");
  }
  checkResult(importer, name, {x, y}, result);
  return PyValue::runtime(result);
}

PyValue emitLog(FunctionImporter &importer, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(importer, args))
    return *known;
  Value x = asFloat(importer, args.values[0]);
  if (!x)
    return PyValue::poison();
  checkDomain(importer, "log", x);
  Value result = importer.emitUfunc("log", {x});
  if (args.given("base")) {
    Value base = asFloat(importer, args["base"]);
    if (!base)
      return PyValue::poison();
    checkDomain(importer, "log", base);
    return importer.binary("Div", PyValue::runtime(result), PyValue::runtime(importer.emitUfunc("log", {base})));
  }
  return PyValue::runtime(result);
}

PyValue emitScaled(FunctionImporter &importer, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(importer, args))
    return *known;
  Value x = asFloat(importer, args.values[0]);
  if (!x)
    return PyValue::poison();
  double factor = shortName(args) == "radians" ? 3.14159265358979323846 / 180.0 : 180.0 / 3.14159265358979323846;
  return importer.binary("Mult", PyValue::runtime(x), PyValue::object(py::real(factor)));
}

const FunctionRow rows[] = {
    {"math.sqrt", "x", emitUnary},  {"math.exp", "x", emitUnary},   {"math.exp2", "x", emitUnary},  {"math.expm1", "x", emitUnary},
    {"math.log2", "x", emitUnary},  {"math.log10", "x", emitUnary}, {"math.log1p", "x", emitUnary}, {"math.sin", "x", emitUnary},
    {"math.cos", "x", emitUnary},   {"math.tan", "x", emitUnary},   {"math.asin", "x", emitUnary},  {"math.acos", "x", emitUnary},
    {"math.atan", "x", emitUnary},  {"math.sinh", "x", emitUnary},  {"math.cosh", "x", emitUnary},  {"math.tanh", "x", emitUnary},
    {"math.asinh", "x", emitUnary}, {"math.acosh", "x", emitUnary}, {"math.atanh", "x", emitUnary}, {"math.erf", "x", emitUnary},
    {"math.erfc", "x", emitUnary},  {"math.fabs", "x", emitUnary},  {"math.floor", "x", emitUnary}, {"math.ceil", "x", emitUnary},
    {"math.trunc", "x", emitUnary}, {"math.isnan", "x", emitUnary}, {"math.isinf", "x", emitUnary}, {"math.isfinite", "x", emitUnary},
    {"math.cbrt", "x", emitUnary},  {"math.atan2", "y, x", emitBinary}, {"math.pow", "x, y", emitBinary}, {"math.fmod", "x, y", emitBinary},
    {"math.copysign", "x, y", emitBinary}, {"math.hypot", "x, y", emitBinary}, {"math.log", "x, base=None", emitLog},
    {"math.radians", "x", emitScaled}, {"math.degrees", "x", emitScaled},
};

} // namespace

ArrayRef<FunctionRow> mathRows() { return rows; }

} // namespace npcc::frontend

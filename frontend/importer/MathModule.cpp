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

PyValue emitUnary(FunctionImporter &importer, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(importer, args))
    return *known;
  StringRef name = shortName(args);
  Value x = asFloat(importer, args.values[0]);
  if (!x)
    return PyValue::poison();
  checkDomain(importer, name, x);
  StringRef ufunc = llvm::StringSwitch<StringRef>(name)
                        .Case("asin", "arcsin").Case("acos", "arccos").Case("atan", "arctan").Case("asinh", "arcsinh")
                        .Case("acosh", "arccosh").Case("atanh", "arctanh").Case("fabs", "absolute").Default(name);
  Value result = importer.emitUfunc(ufunc, {x});
  // floor, ceil and trunc give int.
  if (name == "floor" || name == "ceil" || name == "trunc")
    result = importer.toPythonInteger(result);
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
  if (name == "fmod")
    importer.check(arith::CmpFOp::create(importer.builder, importer.here(), arith::CmpFPredicate::UNE, y,
                                         arith::ConstantOp::create(importer.builder, importer.here(), importer.builder.getF64FloatAttr(0))),
                   "ValueError", "math domain error");
  return PyValue::runtime(importer.emitUfunc(ufunc, {x, y}));
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

// Python's module math: functions of Python's float, with Python's errors.
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/numpy/Table.h"

#include "dialects/Np/NarrowFloats.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

StringRef shortName(Arguments &args) { return StringRef(args.row->name).substr(5); }

std::optional<PyValue> evaluate(Interpreter &in, Arguments &args) {
  std::vector<py::Object> known;
  for (const PyValue &value : args.values) {
    if (!value.isObject())
      return std::nullopt;
    if (!value.isNone())
      known.push_back(value.object());
  }
  std::string errorType, message;
  py::Object result = py::tryCall(py::import("math")[shortName(args).str().c_str()], known, {}, errorType, message);
  return result ? PyValue::object(result) : in.fail(errorType + ": " + message);
}

/// An argument as Python's float.
Value asFloat(Interpreter &in, const PyValue &value, Type narrow = {}) {
  for (const char *conversion : {"__float__", "__index__"})
    if (std::optional<PyValue> number = callSpecial(in, value, conversion, {}))
      return asFloat(in, *number, narrow);
  bool isScalar = value.isObject() ? bool(promotionKey(in, value)) : value.isRuntime() && value.rank() == 0;
  if (!isScalar) {
    if (value.isPoison())
      return {};
    in.fail("TypeError: only 0-dimensional arrays can be converted to Python scalars",
            "the functions of module math take numbers: use numpy's for arrays");
    return {};
  }
  if (value.isRuntime() && isa<ComplexType>(value.elementType())) {
    in.fail("TypeError: must be real number, not complex");
    return {};
  }
  Value number = operandAs(in, value, narrow ? narrow : Type(in.ir.getF64Type()));
  return number && isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number;
}

/// A thread computes in float32 what it has in float32, as Numba's kernels do: doubles cost a GPU up to 64 times as
/// much. The type, if all numbers of the program among the values have it; null for Python's own floats.
Type narrowOf(Interpreter &in, ArrayRef<PyValue> values) {
  if (!in.ir.isThread)
    return {};
  bool any = false;
  for (const PyValue &value : values) {
    if (!value.isRuntime())
      continue;
    Type element = value.rank() == 0 ? value.elementType() : Type();
    if (!element || value.isPythonScalar() || !(element.isF32() || np::isNarrowFloat(element)))
      return {};
    any = true;
  }
  return any ? Type(in.ir.getF32Type()) : Type();
}

PyValue wrap(Interpreter &in, Value result) {
  return PyValue::runtime(result.getType().isF32() ? in.ir.rankZero(result) : result);
}

/// Where Python raises ValueError: math domain error.
void checkDomain(Interpreter &in, StringRef name, Value x) {
  NpBuilder &b = in.ir;
  if (b.skipsChecks())
    return;
  auto limit = [&](double value) { return arith::ConstantOp::create(b, b.getFloatAttr(x.getType(), value)); };
  // Unordered comparisons: NaN goes through.
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    return arith::CmpFOp::create(b, predicate, x, limit(bound));
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
    ok = arith::AndIOp::create(b, compare(arith::CmpFPredicate::UGE, -1), compare(arith::CmpFPredicate::ULE, 1));
  else if (name == "atanh")
    ok = arith::AndIOp::create(b, compare(arith::CmpFPredicate::UGT, -1), compare(arith::CmpFPredicate::ULT, 1));
  if (ok)
    in.ir.check(ok, "ValueError", "math domain error");
}

/// As CPython judges a result: NaN of a number is a domain error; infinity of finite numbers is one of range where the
/// function grows beyond all bounds.
void checkResult(Interpreter &in, StringRef name, ValueRange arguments, Value result) {
  NpBuilder &b = in.ir;
  if (b.skipsChecks())
    return;
  bool canOverflow = llvm::is_contained({"cosh", "exp", "exp2", "expm1", "sinh", "pow", "hypot"}, name);
  bool canFail = llvm::is_contained({"sin", "cos", "tan", "pow", "fmod"}, name);
  auto any = [&](StringRef test) {
    Value found;
    for (Value argument : arguments) {
      Value one = in.ir.emitUfunc(test, {argument});
      found = found ? b.createOrFold<arith::OrIOp>(found, one) : one;
    }
    return found;
  };
  auto unless = [&](StringRef bad, Value excused, StringRef error, StringRef message) {
    Value isBad = in.ir.emitUfunc(bad, {result}), one = arith::ConstantOp::create(b, b.getBoolAttr(true));
    in.ir.check(b.createOrFold<arith::OrIOp>(excused, b.createOrFold<arith::XOrIOp>(isBad, one)), error, message);
  };
  if (canFail)
    unless("isnan", any("isnan"), "ValueError", "math domain error");
  if (canOverflow) {
    Value one = arith::ConstantOp::create(b, b.getBoolAttr(true)), finite;
    for (Value argument : arguments) {
      Value isFinite = in.ir.emitUfunc("isfinite", {argument});
      finite = finite ? b.createOrFold<arith::AndIOp>(finite, isFinite) : isFinite;
    }
    unless("isinf", b.createOrFold<arith::XOrIOp>(finite, one), "OverflowError", "math range error");
  }
}

PyValue emitUnary(Interpreter &in, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(in, args))
    return *known;
  StringRef name = shortName(args);
  bool isWhole = name == "floor" || name == "ceil" || name == "trunc";
  const PyValue &given = args.values[0];
  if (isWhole)
    if (std::optional<PyValue> own = callSpecial(in, given, "__" + name.str() + "__", {}))
      return *own;
  if (given.isRuntime() && given.rank() == 0) {
    Type element = given.elementType();
    if (name == "trunc" && !in.ir.isThread && !given.isPythonScalar() && (given.arrayType() || !element.isF64()))
      return in.fail("TypeError: type numpy." +
                         (given.arrayType() ? Twine("ndarray") : Twine(in.dtypes.name(element))) +
                         " doesn't define __trunc__ method",
                     "use int()");
    if (isWhole && given.isPythonScalar() && isa<IntegerType>(element)) {
      Value number = valueOf(in, given);
      return PyValue::runtime(wholeNumber(in, isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number));
    }
  }
  Value x = asFloat(in, given, narrowOf(in, given));
  if (!x)
    return PyValue::poison();
  checkDomain(in, name, x);
  StringRef ufunc = llvm::StringSwitch<StringRef>(name)
                        .Case("asin", "arcsin")
                        .Case("acos", "arccos")
                        .Case("atan", "arctan")
                        .Case("asinh", "arcsinh")
                        .Case("acosh", "arccosh")
                        .Case("atanh", "arctanh")
                        .Case("fabs", "absolute")
                        .Default(name);
  Value result = in.ir.emitUfunc(ufunc, {x});
  if (isWhole)
    return PyValue::runtime(wholeNumber(in, in.ir.castTo(result, in.ir.getF64Type())));
  checkResult(in, name, x, result);
  return name.starts_with("is") ? PyValue::runtime(result) : wrap(in, result);
}
const Registered unaryRows{
    {"math.sqrt", "x", emitUnary},     {"math.exp", "x", emitUnary},   {"math.exp2", "x", emitUnary},
    {"math.expm1", "x", emitUnary},    {"math.log2", "x", emitUnary},  {"math.log10", "x", emitUnary},
    {"math.log1p", "x", emitUnary},    {"math.sin", "x", emitUnary},   {"math.cos", "x", emitUnary},
    {"math.tan", "x", emitUnary},      {"math.asin", "x", emitUnary},  {"math.acos", "x", emitUnary},
    {"math.atan", "x", emitUnary},     {"math.sinh", "x", emitUnary},  {"math.cosh", "x", emitUnary},
    {"math.tanh", "x", emitUnary},     {"math.asinh", "x", emitUnary}, {"math.acosh", "x", emitUnary},
    {"math.atanh", "x", emitUnary},    {"math.erf", "x", emitUnary},   {"math.erfc", "x", emitUnary},
    {"math.fabs", "x", emitUnary},     {"math.floor", "x", emitUnary}, {"math.ceil", "x", emitUnary},
    {"math.trunc", "x", emitUnary},    {"math.isnan", "x", emitUnary}, {"math.isinf", "x", emitUnary},
    {"math.isfinite", "x", emitUnary}, {"math.cbrt", "x", emitUnary},
};

PyValue emitBinary(Interpreter &in, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(in, args))
    return *known;
  StringRef name = shortName(args);
  Type narrow = narrowOf(in, args.values);
  Value x = asFloat(in, args.values[0], narrow), y = asFloat(in, args.values[1], narrow);
  if (!x || !y)
    return PyValue::poison();
  StringRef ufunc = llvm::StringSwitch<StringRef>(name).Case("atan2", "arctan2").Case("pow", "power").Default(name);
  Value result = in.ir.emitUfunc(ufunc, {x, y});
  if (name == "pow") { // no power of zero is infinite
    Value zero = constant(in, x.getType(), py::real(0));
    Value isPole =
        in.ir.createOrFold<arith::AndIOp>(in.ir.emitUfunc("equal", {x, zero}), in.ir.emitUfunc("isinf", {result}));
    isPole = in.ir.createOrFold<arith::AndIOp>(isPole, in.ir.emitUfunc("isfinite", {y}));
    Value one = in.ir.boolean(true);
    in.ir.check(in.ir.createOrFold<arith::XOrIOp>(isPole, one), "ValueError", "math domain error");
  }
  checkResult(in, name, {x, y}, result);
  return wrap(in, result);
}
const Registered binaryRows{
    {"math.atan2", "y, x", emitBinary},
    {"math.pow", "x, y", emitBinary},
    {"math.fmod", "x, y", emitBinary},
    {"math.copysign", "x, y", emitBinary},
};

/// In kernels of threads, of more than two numbers one after the other.
PyValue emitHypot(Interpreter &in, Arguments &args) {
  const std::vector<PyValue> &numbers = args["coordinates"]->items;
  if (numbers.size() < 2) {
    PyValue number = numbers.empty() ? PyValue::object(py::real(0)) : numbers[0];
    Value x = asFloat(in, number);
    return x ? PyValue::runtime(in.ir.emitUfunc("absolute", {x})) : PyValue::poison();
  }
  if (!in.ir.isThread) {
    std::vector<PyValue> floats;
    for (const PyValue &number : numbers) {
      Value x = asFloat(in, number);
      if (!x)
        return PyValue::poison();
      floats.push_back(PyValue::runtime(x));
    }
    return callInLibrary(in, "mathematics.vector_norm", {PyValue::sequence(std::move(floats))});
  }
  PyValue length = numbers[0];
  for (const PyValue &number : llvm::drop_begin(numbers)) {
    Arguments pair{args.row, {"x", "y"}, {length, number}};
    length = emitBinary(in, pair);
    if (length.isPoison())
      return length;
  }
  return length;
}
const Registered hypotRows{{"math.hypot", "*coordinates", emitHypot}};

PyValue emitLog(Interpreter &in, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(in, args))
    return *known;
  Value x = asFloat(in, args.values[0], args.given("base") ? Type() : narrowOf(in, args.values[0]));
  if (!x)
    return PyValue::poison();
  checkDomain(in, "log", x);
  Value result = in.ir.emitUfunc("log", {x});
  if (args.given("base")) {
    Value base = asFloat(in, args["base"]);
    if (!base)
      return PyValue::poison();
    checkDomain(in, "log", base);
    return binary(in, "Div", PyValue::runtime(result), PyValue::runtime(in.ir.emitUfunc("log", {base})));
  }
  return wrap(in, result);
}
const Registered logRows{{"math.log", "x, base=None", emitLog}};

PyValue emitScaled(Interpreter &in, Arguments &args) {
  if (std::optional<PyValue> known = evaluate(in, args))
    return *known;
  Value x = asFloat(in, args.values[0], narrowOf(in, args.values[0]));
  if (!x)
    return PyValue::poison();
  double factor = shortName(args) == "radians" ? 3.14159265358979323846 / 180.0 : 180.0 / 3.14159265358979323846;
  return binary(in, "Mult", wrap(in, x), PyValue::object(py::real(factor)));
}
const Registered scaledRows{
    {"math.radians", "x", emitScaled},
    {"math.degrees", "x", emitScaled},
};

} // namespace

} // namespace npcc::frontend

// numpy.ufunc objects: NumPy itself says which element types they are computed in.
#include "dialects/Np/Ufunc.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Views.h"
#include "frontend/numpy/Autocast.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/UfuncKeywords.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

StringRef ufuncName(const py::Object &ufunc) {
  std::string name = ufunc.string("__name__");
  // Names that are others' in Ufuncs.def.
  static const std::map<std::string, const char *> aliases = {
      {"true_divide", "divide"}, {"fabs", "absolute"}, {"degrees", ""}};
  if (auto alias = aliases.find(name); alias != aliases.end())
    name = alias->second;
  const np::UfuncInfo *info = np::lookupUfunc(name);
  if (!info || static_cast<int64_t>(info->inputs) != ufunc.integer("nin") || ufunc.integer("nout") != 1)
    return "";
  return info->name;
}

PyValue applyUfunc(Interpreter &in, StringRef numpyName, ArrayRef<PyValue> operands) {
  return applyUfunc(in, in.dtypes.numpy[numpyName.str().c_str()], operands);
}

/// Comparisons of signed with unsigned 64-bit integers, which NumPy makes without a common type.
static std::optional<PyValue> compareMixed(Interpreter &in, StringRef name, ArrayRef<Value> operands) {
  Type left = getElementTypeOrSelf(operands[0].getType()), right = getElementTypeOrSelf(operands[1].getType());
  NpBuilder &b = in.ir;
  Type u64 = in.dtypes.elementType(StringRef("uint64")), i64 = b.getI64Type();
  bool leftSigned = left == i64 && right == u64;
  if (!leftSigned && !(left == u64 && right == i64))
    return std::nullopt;
  Value isSigned = operands[leftSigned ? 0 : 1];
  Value negative = in.ir.emitUfunc("less", {isSigned, in.ir.constantInteger(i64, 0)});
  Value l = in.ir.castTo(operands[0], u64), r = in.ir.castTo(operands[1], u64);
  Value plain = in.ir.emitUfunc(name, {l, r});
  // A negative number is less than every unsigned one.
  bool whenNegative = name == "not_equal" || (leftSigned ? name == "less" || name == "less_equal"
                                                         : name == "greater" || name == "greater_equal");
  Value answer = arith::ConstantOp::create(b, b.getBoolAttr(whenNegative));
  return PyValue::runtime(in.ir.emitUfunc("where", {negative, answer, plain}));
}

/// A Python int that is out of a dtype's bounds compares all the same: both operands are then taken as 64-bit integers.
static void widenForConstants(Interpreter &in, SmallVectorImpl<PyValue> &inputs, SmallVectorImpl<py::Object> &keys) {
  for (auto [constant, other] : {std::pair(0, 1), std::pair(1, 0)}) {
    const PyValue &input = inputs[constant];
    if (!input.isObject() || !PyLong_CheckExact(input.object().get()) || PyType_Check(keys[other].get()))
      continue;
    py::Object number = input.object();
    std::string errorType, error;
    if (keys[other].string("kind") == "b" || py::tryCall(keys[other]["type"], {number}, {}, errorType, error) ||
        errorType != "OverflowError")
      continue;
    py::Object scalar;
    for (const char *wide : {"int64", "uint64"})
      if (!scalar)
        scalar = py::tryCall(in.dtypes.numpy[wide], {number}, {}, errorType, error);
    if (!scalar)
      continue;
    inputs[constant] = PyValue::object(scalar);
    keys[constant] = promotionKey(in, inputs[constant]);
    if (inputs[other].elementType().getIntOrFloatBitWidth() < 64) {
      inputs[other] = PyValue::runtime(tensorOf(in, inputs[other], in.ir.getI64Type()));
      keys[other] = promotionKey(in, inputs[other]);
    }
  }
}

/// A comparison with a Python int that the other's dtype may not hold: within its bounds it is made in that dtype,
/// beyond them the answer is known.
static std::optional<PyValue> compareBounded(Interpreter &in, StringRef name, ArrayRef<PyValue> inputs,
                                             ArrayRef<py::Object> keys) {
  for (auto [number, other] : {std::pair(0, 1), std::pair(1, 0)}) {
    if (!inputs[number].isPythonScalar() || !inputs[number].type().isInteger(64) || PyType_Check(keys[other].get()))
      continue;
    auto type = dyn_cast_if_present<IntegerType>(in.dtypes.elementType(keys[other]));
    if (!type || type.isInteger(1) || type == in.ir.getI64Type())
      return std::nullopt;
    Value n = inputs[number].ir(), x = operandAs(in, inputs[other], type), cut = in.ir.castTo(n, type);
    if (!x)
      return PyValue::poison();
    Value fits = in.ir.fits(n, type);
    Value plain = in.ir.emitUfunc(name, number == 1 ? ArrayRef<Value>{x, cut} : ArrayRef<Value>{cut, x});
    Value zero = in.ir.constantInteger(n.getType(), 0);
    bool isLess = name.starts_with("less") == (number == 1), isEquality = name.ends_with("equal") && name.size() < 10;
    Value beyond = isEquality ? constant(in, in.ir.getI1Type(), py::boolean(name == "not_equal"))
                              : in.ir.emitUfunc(isLess ? "greater" : "less", {n, zero});
    Value answer = in.ir.emitUfunc("where", {fits, plain, beyond});
    return PyValue::runtime(isa<RankedTensorType>(answer.getType()) ? answer : in.ir.rankZero(answer));
  }
  return std::nullopt;
}

/// Whether arrays that meet have no elements; null where they have, whatever the call gives.
static Value areEmpty(Interpreter &in, ArrayRef<Value> values) {
  Value isAny, zero = arith::ConstantIndexOp::create(in.ir, 0);
  for (Value value : values)
    for (Value extent : in.ir.dims(value)) {
      Value isNone = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, extent, zero);
      isAny = isAny ? in.ir.createOrFold<arith::OrIOp>(isAny, isNone) : isNone;
    }
  return isAny && matchPattern(isAny, m_Zero()) ? Value() : isAny;
}

/// Integers have no negative powers: one negative exponent anywhere is an error, unless nothing is computed.
static void checkExponents(Interpreter &in, Value exponents, Value isEmpty) {
  Value isNegative =
      in.ir.emitUfunc("less", {exponents, in.ir.constantInteger(getElementTypeOrSelf(exponents.getType()), 0)});
  if (int64_t rank = np::getRank(isNegative.getType()))
    isNegative = emitReduce(in, "logical_or", isNegative, llvm::to_vector(llvm::seq<int64_t>(0, rank)), false).ir();
  if (isa<RankedTensorType>(isNegative.getType()))
    isNegative = in.ir.item(isNegative);
  Value one = in.ir.boolean(true), isRight = in.ir.createOrFold<arith::XOrIOp>(isNegative, one);
  if (isEmpty)
    isRight = in.ir.createOrFold<arith::OrIOp>(isRight, isEmpty);
  in.ir.check(isRight, "ValueError", "Integers to negative integer powers are not allowed.");
}

/// numpy.power() of float32 and float64 takes the square root where one exponent serves for all and is 0.5.
static Value powerOfOneExponent(Interpreter &in, Value base, Value exponent, const PyValue &given) {
  Value power = in.ir.emitUfunc("power", {base, exponent});
  double known = given.isObject() ? PyFloat_AsDouble(given.object().get()) : 0.5;
  PyErr_Clear();
  if (known != 0.5)
    return power;
  Value root = in.ir.emitUfunc("sqrt", {base});
  if (given.isObject())
    return root;
  Type element = getElementTypeOrSelf(exponent.getType());
  Value isHalf = in.ir.emitUfunc("equal", {exponent, constant(in, element, py::real(0.5))});
  return in.ir.emitUfunc("where", {isHalf, root, power});
}

/// The second operand of ldexp in the type of the first, cut to where the result is 0 or infinite in any case.
static Value exponentAs(Interpreter &in, Value exponent, Type type) {
  Type element = getElementTypeOrSelf(exponent.getType());
  Value bound = in.ir.constantInteger(element, 4096), least = in.ir.constantInteger(element, -4096);
  Value cut = in.ir.emitUfunc("maximum", {in.ir.emitUfunc("minimum", {exponent, bound}), least});
  return in.ir.castTo(cut, type);
}

/// The operands with the first one that may be Python's number (PythonBits.h) as a union, if NumPy computes with other
/// types where it is.
static std::optional<SmallVector<PyValue>> splitOperand(Interpreter &in, const py::Object &ufunc,
                                                        ArrayRef<PyValue> operands, ArrayRef<py::Object> keys,
                                                        const py::Object &dtype, StringRef casting) {
  auto resolve = [&](SmallVector<py::Object> keys) {
    if (llvm::all_of(keys, [](const py::Object &key) { return PyType_Check(key.get()); }))
      for (py::Object &key : keys)
        key = in.dtypes.dtype(in.dtypes.resultType(key));
    std::string error;
    return in.dtypes.resolve(ufunc, keys, dtype, casting, error);
  };
  for (auto [k, operand] : llvm::enumerate(operands)) {
    if (!operand.pythonBit)
      continue;
    SmallVector<py::Object> others(keys);
    others[k] = promotionKey(in, someNumber(operand.pythonType));
    if (resolve(others) == resolve(SmallVector<py::Object>(keys)))
      continue;
    SmallVector<PyValue> split(operands);
    split[k] = splitNumber(in, operand);
    return split;
  }
  return std::nullopt;
}

PyValue applyUfunc(Interpreter &in, const py::Object &ufunc, ArrayRef<PyValue> operands, const py::Object &dtype,
                   StringRef casting, bool isScalarMath, llvm::function_ref<bool(ArrayRef<PyValue>, Type)> admits) {
  StringRef name = ufuncName(ufunc);
  std::string spelled = ufunc.string("__name__");
  if (name.empty())
    return in.fail("numpy." + spelled + " cannot be compiled", "npcc.supported() lists the functions that can");
  SmallVector<PyValue> inputs(operands);
  autocastOperands(in, ufunc, inputs);
  SmallVector<py::Object> keys;
  bool allKnown = true;
  for (PyValue &input : inputs) {
    if (input.isPoison())
      return input;
    if (!promotionKey(in, input)) {
      Value array = asArray(in, input); // lists and global arrays
      if (!array)
        return PyValue::poison();
      input = PyValue::runtime(array);
    }
    keys.push_back(promotionKey(in, input));
    allKnown &= input.isObject();
  }
  std::string error;
  if (allKnown && !dtype && casting.empty() && !admits) {
    std::vector<py::Object> args;
    for (const PyValue &input : inputs)
      args.push_back(input.object());
    std::string errorType;
    py::Object known = py::tryCall(ufunc, args, {}, errorType, error);
    return known ? PyValue::object(known) : in.fail(errorType + ": " + error);
  }
  if (std::optional<SmallVector<PyValue>> split = splitOperand(in, ufunc, inputs, keys, dtype, casting))
    return *overAlternatives(in, *split, [&](ArrayRef<PyValue> each) {
      return applyUfunc(in, ufunc, each, dtype, casting, isScalarMath, admits);
    });
  // Of Python's own numbers only: NumPy's defaults for them.
  if (llvm::all_of(keys, [](const py::Object &key) { return PyType_Check(key.get()); }))
    for (py::Object &key : keys)
      key = in.dtypes.dtype(in.dtypes.resultType(key));
  auto failToResolve = [&] {
    return in.fail(error.empty() ? "TypeError: ufunc '" + spelled + "' not supported for the input types" : error,
                   "convert the operands with astype()");
  };
  if (np::lookupUfunc(name)->rule == np::UfuncRule::Comparison) {
    widenForConstants(in, inputs, keys);
    // What may not be cast to meet is said before what the output may not take.
    if (!casting.empty() && in.dtypes.resolve(ufunc, keys, dtype, casting, error).empty())
      return failToResolve();
    if (admits && !admits(inputs, in.ir.getI1Type()))
      return PyValue::poison();
    if (std::optional<PyValue> bounded = compareBounded(in, name, inputs, keys))
      return *bounded;
  }
  std::vector<Type> types = in.dtypes.resolve(ufunc, keys, dtype, casting, error);
  if (types.empty())
    return failToResolve();
  Type result = types.back();
  const np::UfuncInfo &info = *np::lookupUfunc(name);
  if (admits && info.rule != np::UfuncRule::Comparison && !admits(inputs, result))
    return PyValue::poison();
  SmallVector<Value> values;
  for (auto [input, type] : llvm::zip(inputs, types)) {
    Type element = type;
    // The dialect's logical functions take bool; NumPy's take anything.
    if (info.rule == np::UfuncRule::Logical)
      element = in.ir.getI1Type();
    Value value = operandAs(in, input, element);
    if (!value)
      return PyValue::poison();
    if (name == "ldexp" && values.size() == 1)
      value = exponentAs(in, value, types[0]);
    values.push_back(value);
  }
  auto finish = [&](Value value) {
    value = in.ir.castTo(value, result);
    return PyValue::runtime(isa<RankedTensorType>(value.getType()) ? value : in.ir.rankZero(value));
  };
  if (info.rule == np::UfuncRule::Comparison && values.size() == 2)
    if (std::optional<PyValue> mixed = compareMixed(in, name, values))
      return finish(mixed->ir());
  Type element = getElementTypeOrSelf(values.back().getType());
  for (Value value : values)
    if (getElementTypeOrSelf(value.getType()) != element)
      return in.fail("numpy." + spelled + " of operands of different dtypes cannot be compiled",
                     "convert the operands with astype()");
  // What changes nothing of the dtypes NumPy takes it for: floor of integers, isnan of integers, conj of reals,
  // absolute of bool.
  if (!np::acceptsElementType(info.rule, element)) {
    if (name == "bitwise_count") // of bool
      return finish(values[0]);
    if (info.inputs == 1 && element == result &&
        (info.rule == np::UfuncRule::RealFloat || info.rule == np::UfuncRule::Magnitude))
      return finish(values[0]);
    if (info.rule == np::UfuncRule::FloatTest) {
      Value self = in.ir.emitUfunc(name == "signbit" ? "less" : "not_equal",
                                   {values[0], name == "signbit" ? in.ir.constantInteger(element, 0) : values[0]});
      return finish(name == "isfinite" ? in.ir.emitUfunc("logical_not", {self}) : self);
    }
    return in.fail("TypeError: ufunc '" + spelled + "' not supported for " + in.dtypes.name(element),
                   "convert the operands with astype()");
  }
  if (name == "power" && isa<IntegerType>(element) && !element.isUnsignedInteger()) {
    bool isKnown = inputs[1].isObject(), isNegative = isKnown && asInteger(in, inputs[1]).value_or(0) < 0;
    Value isEmpty = !isKnown || isNegative ? areEmpty(in, values) : Value();
    if (!isKnown || isEmpty)
      checkExponents(in, values[1], isEmpty);
    else if (isNegative)
      return in.fail("ValueError: Integers to negative integer powers are not allowed.", "make the base a float");
  }
  if (name == "power" && (element.isF32() || element.isF64()) && np::getRank(values[1].getType()) == 0 && !isScalarMath)
    return finish(powerOfOneExponent(in, values[0], values[1], inputs[1]));
  if (name == "conjugate" && !isa<ComplexType>(element))
    return finish(values[0]);
  return finish(in.ir.emitUfunc(name, values));
}

} // namespace npcc::frontend

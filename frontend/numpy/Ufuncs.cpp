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

static bool isEllipsis(const PyValue &value) { return value.isObject() && value.object().get() == Py_Ellipsis; }

/// The array that `out=` names, or what else it says: an Ellipsis. Poison, with an error reported, where it is neither.
static PyValue takeOutput(Interpreter &in, PyValue out) {
  std::vector<PyValue> items;
  if (asSequence(in, out, items) && llvm::any_of(items, isEllipsis))
    return in.fail("TypeError: must use `...` as `out=...` and not per-operand/in a tuple");
  out = outputOf(in, out);
  if (isGlobalArray(in, out)) {
    failStoredGlobal(in, in.loc(in.currentNode), out.object().get());
    return PyValue::poison();
  }
  if (out.isNone()) // of a tuple
    return out;
  if (out.isSequence())
    return in.fail("ValueError: The 'out' tuple must have exactly one entry per ufunc output");
  if (!out.arrayType() && !isEllipsis(out) && !out.isPoison())
    return in.fail("TypeError: return arrays must be of ArrayType");
  return out;
}

PyValue storeOut(Interpreter &in, PyValue result, PyValue out, const char *casting, StringRef function) {
  if (out.isNone() || result.isPoison() || out.isPoison())
    return result;
  if (result.is(PyValue::Kind::Union))
    return overAlternatives(in, result, [&](PyValue one) { return storeOut(in, one, out, casting, function); });
  out = takeOutput(in, out);
  if (out.isPoison() || out.isNone())
    return out.isNone() ? result : out;
  if (isEllipsis(out)) { // an array, where a ufunc gives a scalar else
    if (result.rank() > 0)
      return result;
    Value value = valueOf(in, result);
    return value ? PyValue::runtime(in.ir.newArray(value)) : PyValue::poison();
  }
  if (result.rank() > out.rank())
    return in.fail("ValueError: non-broadcastable output operand with " + Twine(out.rank()) +
                   " axes doesn't match the broadcast shape with " + Twine(result.rank()));
  Type from = result.isRuntime() ? result.elementType() : Type();
  if (from && !checkCastToOutput(in, from, out, casting, function))
    return PyValue::poison();
  storeWhole(in, out.ir(), result, "output array is read-only");
  return out;
}

/// Whether a ufunc's `where` selects anything but all elements.
static bool isMask(const PyValue &where) {
  return !where.isNone() && !(where.isObject() && py::isTrue(where.object()));
}

/// The mask that `where=` says, null of all elements. False, with an error reported, where it is none.
static bool takeMask(Interpreter &in, const PyValue &where, Value &mask) {
  if (!isMask(where))
    return true;
  if (where.arrayType() && !where.elementType().isInteger(1)) {
    in.fail("TypeError: Cannot cast array data from " + py::repr(in.dtypes.dtype(where.elementType())) +
            " to dtype('bool') according to the rule 'safe'");
    return false;
  }
  mask = operandAs(in, where, in.ir.getI1Type());
  if (mask && !isa<RankedTensorType>(mask.getType()))
    mask = in.ir.rankZero(mask);
  return mask != nullptr;
}

/// Stores a ufunc's result, whose shape has been checked, into `out` where the mask is true.
static PyValue storeWhere(Interpreter &in, PyValue result, Value mask, const PyValue &out) {
  Value value = operandAs(in, result, out.elementType());
  if (!value)
    return PyValue::poison();
  in.ir.checkWritable(out.ir(), "output array is read-only");
  if (np::getRank(value.getType()) > 0 && mayMeet(out.ir()))
    return in.fail("'where' cannot be compiled with an output in which one element has several places");
  mask = in.ir.broadcastTo(mask, in.ir.dims(out.ir()), np::getShape(out.type()));
  np::StoreMaskedOp::create(in.ir, value, mask, out.ir());
  in.ir.clobber();
  return out;
}

static PyValue failWithoutOutput(Interpreter &in, const Twine &name) {
  return in.fail("numpy." + name + "() with 'where' and without 'out' leaves elements undefined", "give out=");
}

/// A ufunc that npcc.library writes with others: its operands are converted as the ufunc converts them, and of scalars
/// it gives scalars.
static PyValue callComposed(Interpreter &in, const py::Object &ufunc, const py::Object &library, Call &call) {
  size_t count = std::min<size_t>(call.args.size(), ufunc.integer("nin"));
  SmallVector<py::Object> keys;
  std::vector<py::Object> known;
  for (size_t k = 0; k < count; ++k) {
    PyValue &input = call.args[k];
    if (input.isPoison())
      return input;
    if (!promotionKey(in, input)) {
      Value array = asArray(in, input);
      if (!array)
        return PyValue::poison();
      input = PyValue::runtime(array);
    }
    keys.push_back(promotionKey(in, input));
    if (input.isObject())
      known.push_back(input.object());
  }
  std::optional<UfuncKeywords> keywords = takeUfuncKeywords(in, call);
  if (!keywords)
    return PyValue::poison();
  std::string name = ufunc.string("__name__");
  PyValue where = keywords->take("where");
  std::vector<PyValue> masked; // the outputs of a call with a mask
  UfuncOutputs outputs{{}, {}, name, keywords->castingRule()};
  size_t resultCount = ufunc.integer("nout");
  if (resultCount > 1 &&
      llvm::any_of(keywords->others, [](const auto &one) { return one.first == "out" && one.second.isNone(); }))
    return in.fail("TypeError: 'out' must be a tuple of arrays");
  if (isMask(where)) {
    PyValue given = keywords->take("out");
    if (call.args.size() > count) {
      masked.assign(call.args.begin() + count, call.args.end());
      call.args.resize(count);
    } else if (resultCount == 1 || !asSequence(in, given, masked)) {
      masked = {given};
    }
    if (!takeMask(in, where, outputs.mask))
      return PyValue::poison();
    if (masked.size() != resultCount)
      return failWithoutOutput(in, name);
    for (PyValue &one : masked) {
      one = one.isNone() ? one : takeOutput(in, one);
      if (one.isPoison())
        return one;
      if (!one.arrayType())
        return failWithoutOutput(in, name);
    }
  }
  call.keywords = keywords->others;
  if (resultCount > 1 && call.args.size() > count) { // outputs by their places
    std::vector<PyValue> outputs(call.args.begin() + count, call.args.end());
    if (outputs.size() > resultCount)
      return in.fail("TypeError: " + ufunc.string("__name__") + "() takes from " + Twine(count) + " to " +
                     Twine(count + resultCount) + " positional arguments but " + Twine(call.args.size()) +
                     " were given");
    outputs.resize(resultCount, PyValue::object(py::none()));
    call.args.resize(count);
    call.keywords.emplace_back("out", PyValue::sequence(std::move(outputs)));
  }
  std::string error, errorType;
  if (known.size() == count && count == call.args.size() && call.keywords.empty() && !keywords->wanted(in) &&
      !isMask(where)) {
    py::Object result = py::tryCall(ufunc, known, {}, errorType, error);
    return result ? fromObject(in, result) : in.fail(errorType + ": " + error);
  }
  if (llvm::all_of(keys, [](const py::Object &key) { return PyType_Check(key.get()); }))
    for (py::Object &key : keys)
      key = in.dtypes.dtype(in.dtypes.resultType(key));
  std::vector<Type> types = keys.size() == static_cast<size_t>(ufunc.integer("nin"))
                                ? in.dtypes.resolve(ufunc, keys, keywords->wanted(in), keywords->casting, error)
                                : std::vector<Type>();
  if (types.empty() && !error.empty())
    return in.fail(error, "convert the operands with astype()");
  for (size_t k = 0; k < count && !types.empty(); ++k) {
    Value value = tensorOf(in, call.args[k], types[k]);
    if (!value)
      return PyValue::poison();
    call.args[k] = PyValue::runtime(value);
  }
  PyValue out = PyValue::object(py::none());
  if (call.args.size() > count)
    out = call.args[count];
  for (const auto &[keyword, value] : call.keywords)
    if (keyword == "out")
      out = value;
  bool hasOut = !out.isNone() && !outputs.mask;
  // What is wrong with the outputs themselves the library's function says, when it stores.
  std::vector<PyValue> &arrays = outputs.arrays;
  if (outputs.mask)
    arrays = masked;
  else if (!asSequence(in, out, arrays))
    arrays = {out};
  for (PyValue &array : arrays)
    array = in.env.bound(array);
  bool areOutputs = arrays.size() == resultCount && !types.empty() && llvm::all_of(arrays, [&](const PyValue &array) {
                      return array.isNone() || (array.arrayType() && !isGlobalArray(in, array));
                    });
  if ((hasOut || outputs.mask) && areOutputs &&
      !checkOutputsOfUfunc(in, ArrayRef(call.args).take_front(count), ArrayRef(types).drop_front(count), outputs))
    return !outputs.areTooShort ? PyValue::poison() : hasOut ? out : masked[0];
  PyValue result = callLibrary(in, library, ufunc, call);
  auto finish = [&](const PyValue &one, Type type) {
    if (!one.isRuntime())
      return one;
    if (one.rank() > 0) {
      Value whole = in.ir.castTo(one.arrayType() ? in.ir.load(one.ir()) : one.ir(), type);
      bool isTurned = keywords->isFortran && one.rank() > 1 && !outputs.mask;
      return PyValue::runtime(isTurned ? newArrayIn(in, whole, /*isFortran=*/true) : whole);
    }
    Value value = tensorOf(in, one, type);
    return value ? PyValue::runtime(value) : PyValue::poison();
  };
  if (hasOut || types.empty())
    return result;
  if (outputs.mask && resultCount == 1)
    return storeWhere(in, finish(result, types[count]), outputs.mask, masked[0]);
  if (!result.isSequence())
    return finish(result, types[count]);
  std::vector<PyValue> results;
  for (auto [k, one] : llvm::enumerate(result->items)) {
    PyValue value = finish(one, types[count + k]);
    results.push_back(in.env.bound(outputs.mask ? storeWhere(in, value, outputs.mask, masked[k]) : value));
  }
  return PyValue::sequence(std::move(results));
}

PyValue callUfunc(Interpreter &in, const py::Object &ufunc, Call &call) {
  std::string name = ufunc.string("__name__");
  size_t inputs = ufunc.integer("nin");
  if (!ufunc["signature"].isNone())
    return callGeneralized(in, ufunc, call);
  if (ufuncName(ufunc).empty())
    if (py::Object library = findLibraryFunction(ufunc))
      return callComposed(in, ufunc, library, call);
  std::optional<UfuncKeywords> keywords = takeUfuncKeywords(in, name, inputs, call);
  if (!keywords)
    return PyValue::poison();
  PyValue out = keywords->take("out"), where = keywords->take("where");
  if (call.args.size() > inputs)
    out = call.args[inputs];
  if (call.args.size() > inputs && isEllipsis(out))
    return in.fail("TypeError: out=... is only allowed as a keyword argument.");
  if (!keywords->others.empty())
    return in.fail("TypeError: " + name + "() got an unexpected keyword argument '" + keywords->others[0].first + "'",
                   "it takes: out, where, dtype, signature, casting, order, subok");
  UfuncOutputs outputs{{}, {}, name, keywords->castingRule()};
  out = out.isNone() ? out : takeOutput(in, out);
  if (out.isPoison() || !takeMask(in, where, outputs.mask))
    return PyValue::poison();
  if (outputs.mask && !out.arrayType())
    return failWithoutOutput(in, name);
  SmallVector<PyValue> operands(call.args.begin(), call.args.begin() + inputs);
  outputs.arrays = {out};
  auto admits = [&](ArrayRef<PyValue> given, Type result) { return checkOutputsOfUfunc(in, given, {result}, outputs); };
  py::Object wanted = keywords->wanted(in);
  PyValue result = out.arrayType() ? applyUfunc(in, ufunc, operands, wanted, keywords->casting, false, admits)
                                   : applyUfunc(in, ufunc, operands, wanted, keywords->casting);
  if (outputs.areTooShort)
    return out;
  return outputs.mask ? storeWhere(in, result, outputs.mask, out) : keywords->store(in, result, out, name);
}

/// An object of numpy.vectorize that the function names: a call of the library's for what it was made with.
PyValue callVectorized(Interpreter &in, const py::Object &vectorized, Call &call) {
  Call made;
  made.node = call.node;
  made.args = {fromObject(in, vectorized["pyfunc"]), fromObject(in, vectorized["otypes"]),
               fromObject(in, py::call(py::import("builtins")["tuple"], {vectorized["excluded"]})),
               fromObject(in, vectorized["signature"])};
  PyValue function = callFunction(in, functionOf(in, py::import("npcc.library.applying")["vectorize"], true), made);
  return callValue(in, function, call);
}

} // namespace npcc::frontend

// Calls of ufuncs: their outputs and masks, and ufuncs that npcc.library writes with others.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Views.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/UfuncKeywords.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

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

/// The outputs of a call with a mask, of a ufunc with `count` inputs: `out=`, or what stands behind the inputs. False,
/// with an error reported, where there is not one for each result.
static bool takeMaskedOutputs(Interpreter &in, Call &call, PyValue given, size_t count, size_t resultCount,
                              const std::string &name, std::vector<PyValue> &masked) {
  if (call.args.size() > count) {
    masked.assign(call.args.begin() + count, call.args.end());
    call.args.resize(count);
  } else if (resultCount == 1 || !asSequence(in, given, masked)) {
    masked = {given};
  }
  if (masked.size() != resultCount) {
    failWithoutOutput(in, name);
    return false;
  }
  for (PyValue &one : masked) {
    one = one.isNone() ? one : takeOutput(in, one);
    if (!one.isPoison() && !one.arrayType())
      failWithoutOutput(in, name);
    if (!one.arrayType())
      return false;
  }
  return true;
}

/// A result of npcc.library's function with the ufunc's type. Of scalars it is a scalar.
static PyValue asResult(Interpreter &in, const PyValue &one, Type type, bool isTurned) {
  if (!one.isRuntime())
    return one;
  if (one.rank() > 0) {
    Value whole = in.ir.castTo(one.arrayType() ? in.ir.load(one.ir()) : one.ir(), type);
    return PyValue::runtime(isTurned && one.rank() > 1 ? newArrayIn(in, whole, /*isFortran=*/true) : whole);
  }
  Value value = tensorOf(in, one, type);
  return value ? PyValue::runtime(value) : PyValue::poison();
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
    if (!takeMask(in, where, outputs.mask) || !takeMaskedOutputs(in, call, given, count, resultCount, name, masked))
      return PyValue::poison();
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
    return asResult(in, one, type, /*isTurned=*/keywords->isFortran && !outputs.mask);
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

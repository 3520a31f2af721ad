// NumPy's generalised ufuncs, which are functions of the last axes of their operands: matmul, vecdot, matvec and
// vecmat.
#include "frontend/importer/GlobalArrays.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/UfuncKeywords.h"

using namespace mlir;

namespace npcc::frontend {

/// The operands as arrays of the dtypes that NumPy computes in, and the dtype of the result; nothing, with an error
/// reported, where it has no loop for them.
static Type castOperands(Interpreter &in, const py::Object &ufunc, const UfuncKeywords &keywords,
                         std::vector<PyValue> &operands) {
  SmallVector<py::Object> keys;
  for (PyValue &operand : operands) {
    if (!promotionKey(in, operand)) { // a list
      Value array = asArray(in, operand);
      if (!array)
        return {};
      operand = PyValue::runtime(array);
    }
    keys.push_back(promotionKey(in, operand));
    if (PyType_Check(keys.back().get()))
      keys.back() = in.dtypes.dtype(in.dtypes.resultType(keys.back()));
  }
  std::string error;
  std::vector<Type> types = in.dtypes.resolve(ufunc, keys, keywords.wanted(in), keywords.casting, error);
  if (types.empty()) {
    in.fail(error, "convert the operands with astype()");
    return {};
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    Value value = tensorOf(in, operands[k], types[k]);
    if (!value)
      return {};
    operands[k] = PyValue::runtime(value);
  }
  return types.back();
}

/// How many of the last axes of the operands and of the result the function itself takes.
struct Cores {
  int64_t left, right, result;
};

static Cores coresOf(StringRef name, int64_t leftRank, int64_t rightRank) {
  if (name == "vecdot")
    return {1, 1, 0};
  if (name == "matvec")
    return {2, 1, 1};
  if (name == "vecmat")
    return {1, 2, 1};
  int64_t left = std::min<int64_t>(leftRank, 2), right = std::min<int64_t>(rightRank, 2);
  return {left, right, left + right - 2}; // a vector has one axis, and the product one less
}

static Value isSame(Interpreter &in, Value a, Value b) {
  return a == b ? in.ir.boolean(true) : in.ir.compareIndex(arith::CmpIPredicate::eq, a, b);
}

/// The axes that the function goes over, as NumPy's iterators say them: behind them stand those that only the result
/// has.
static std::string remappedWords(ArrayRef<Value> loops, int64_t added, SmallVectorImpl<Value> &extents) {
  std::string text;
  for (Value extent : loops) {
    text += (text.empty() ? "{" : ",{") + std::to_string(extents.size()) + "}";
    extents.push_back(extent);
  }
  if (!loops.empty())
    for (int64_t k = 0; k < added; ++k)
      text += ",newaxis";
  return "(" + text + (loops.size() == 1 && added == 0 ? ",)" : ")");
}

/// The shapes of operands that meet, and of an output, in NumPy's words and order. False where the output has too few
/// axes, which is an error of the call whatever the extents are.
static bool checkShapes(Interpreter &in, const py::Object &ufunc, Value left, Value right, Value out) {
  std::string name = ufunc.string("__name__"), signature = ufunc.string("signature");
  SmallVector<Value> a = in.ir.dims(left), b = in.ir.dims(right), given = out ? in.ir.dims(out) : SmallVector<Value>();
  Cores cores = coresOf(name, a.size(), b.size());
  int64_t loopsOfA = a.size() - cores.left, loopsOfB = b.size() - cores.right;
  if (loopsOfA < 0 || loopsOfB < 0 || a.empty() || b.empty() || (!out && (!loopsOfA || !loopsOfB)))
    return true; // the function itself says what is wrong
  auto mismatch = [&](StringRef operand, int64_t axis, Value mine, Value other) {
    in.ir.check(isSame(in, mine, other), "ValueError",
                name + ": " + operand + " has a mismatch in its core dimension " + std::to_string(axis) +
                    ", with gufunc signature " + signature + " (size {0} is different from {1})",
                {mine, other});
  };
  mismatch("Input operand 1", 0, b[b.size() - cores.right], a.back());
  auto failOfReduction = [&] {
    in.ir.check(in.ir.boolean(false), "ValueError",
                "output operand requires a reduction along dimension -1, but the reduction is not enabled. The "
                "dimension size of 1 does not match the expected output shape.");
    return false;
  };
  if (name == "matmul" && given.size() == 1 && cores.result == 2) { // NumPy would have to sum the columns
    mismatch("Output operand 0", 0, given[0], b.back());
    return failOfReduction();
  }
  if (out && int64_t(given.size()) < cores.result) {
    in.fail("ValueError: " + name + ": Output operand 0 does not have enough dimensions (has " + Twine(given.size()) +
            ", gufunc core with signature " + signature + " requires " + Twine(cores.result) + ")");
    return false;
  }
  SmallVector<Value> core;
  if (cores.left == 2)
    core.push_back(a[a.size() - 2]);
  if (cores.right == 2)
    core.push_back(b.back());
  for (int64_t axis = 0; out && axis < cores.result; ++axis)
    mismatch("Output operand 0", axis, given[given.size() - cores.result + axis], core[axis]);
  ArrayRef<Value> loopsA = ArrayRef(a).take_front(loopsOfA), loopsB = ArrayRef(b).take_front(loopsOfB),
                  loopsOut = ArrayRef(given).drop_back(out ? cores.result : 0);
  Value doMeet;
  SmallVector<Value> together = in.ir.broadcastShapes({loopsA, loopsB, loopsOut}, doMeet), extents;
  std::string shapes;
  for (auto [whole, loops] : {std::pair(ArrayRef(a), loopsA), std::pair(ArrayRef(b), loopsB)}) {
    std::string from = in.ir.extentText(whole, extents);
    shapes += from + "->" + remappedWords(loops, cores.result, extents) + " ";
  }
  if (out) {
    std::string from = in.ir.extentText(given, extents);
    shapes += from + "->" + in.ir.extentText(given, extents) + " ";
  }
  std::string requested; // without the comma of one extent
  for (Value extent : core) {
    requested += (requested.empty() ? "{" : ",{") + std::to_string(extents.size()) + "}";
    extents.push_back(extent);
  }
  in.ir.check(doMeet, "ValueError",
              "operands could not be broadcast together with remapped shapes [original->remapped]: " + shapes +
                  " and requested shape (" + requested + ")",
              extents);
  if (!out)
    return true;
  if (loopsOut.size() < together.size())
    return failOfReduction();
  Value isWhole = in.ir.boolean(true);
  for (auto [mine, other] : llvm::zip(loopsOut, together))
    isWhole = in.ir.createOrFold<arith::AndIOp>(isWhole, isSame(in, mine, other));
  SmallVector<Value> numbers, reversed(llvm::reverse(given));
  llvm::append_range(together, core);
  std::string from = in.ir.extentText(given, numbers), remapped = in.ir.extentText(reversed, numbers),
              into = in.ir.extentText(together, numbers);
  in.ir.check(isWhole, "ValueError",
              "non-broadcastable output operand with shape " + from + " [remapped to " + remapped +
                  "] doesn't match the broadcast shape " + into,
              numbers);
  return true;
}

PyValue callGeneralized(Interpreter &in, const py::Object &ufunc, Call &call) {
  std::string name = ufunc.string("__name__");
  size_t inputs = ufunc.integer("nin");
  bool isMatmul = name == "matmul";
  if (!isMatmul && !findLibraryFunction(ufunc)) // scipy has such ufuncs, too
    return in.fail(name + "() cannot be compiled", "npcc.supported() lists the functions that can");
  std::optional<UfuncKeywords> keywords = takeUfuncKeywords(in, name, inputs, call);
  if (!keywords)
    return PyValue::poison();
  PyValue out = keywords->take("out");
  if (call.args.size() > inputs)
    out = call.args[inputs];
  std::vector<PyValue> operands(call.args.begin(), call.args.begin() + inputs);
  for (const PyValue &operand : operands)
    if (operand.isPoison())
      return operand;
  // matmul finds the common dtype of its operands itself: it has loops for float16 and bfloat16 that NumPy has not.
  Type type;
  if (!isMatmul || keywords->wanted(in) || !keywords->casting.empty())
    if (type = castOperands(in, ufunc, *keywords, operands); !type)
      return PyValue::poison();
  PyValue given = out.isNone() ? out : outputOf(in, out);
  if (keywords->others.empty()) { // without axes, which are another matter
    SmallVector<Value> arrays;
    SmallVector<py::Object> dtypes;
    for (const PyValue &operand : operands)
      if (Value array = operand.isRuntime()    ? operand.ir()
                        : operand.isSequence() ? asArray(in, operand)
                                               : Value();
          array && np::getRank(array.getType()) > 0) {
        arrays.push_back(array);
        dtypes.push_back(in.dtypes.dtype(np::getElementType(array.getType())));
      }
    if (arrays.size() == 2) {
      Type result = type ? type : in.dtypes.resultType({dtypes[0], dtypes[1]});
      bool hasOutput = given.arrayType() && !isGlobalArray(in, given);
      if (hasOutput && !checkCastToOutput(in, result, given, keywords->castingRule(), name))
        return PyValue::poison();
      if (!checkShapes(in, ufunc, arrays[0], arrays[1], hasOutput ? given.ir() : Value()))
        return hasOutput ? given : PyValue::poison();
    }
  }
  // axes, axis and keepdims say where the axes are that the function takes: moving them is written in Python.
  Call inner;
  inner.node = call.node;
  inner.args = {PyValue::object(ufunc), operands[0], operands[1]};
  for (const auto &given : keywords->others) {
    if (given.first != "axes" && given.first != "axis" && given.first != "keepdims")
      return in.fail("TypeError: " + name + "() got an unexpected keyword argument '" + given.first + "'");
    inner.keywords.push_back(given);
  }
  PyValue result;
  if (isMatmul && inner.keywords.empty())
    result = multiplyMatrices(in, operands[0], operands[1]);
  else
    result = callFunction(in, functionOf(in, py::import("npcc.library.generalized")["applied"], true), inner);
  if (out.isNone() && type && result.isRuntime()) { // a new array, or a scalar, of the loop's dtype
    Value value = result.arrayType() ? in.ir.load(result.ir()) : tensorOf(in, result, type);
    result = value ? PyValue::runtime(in.ir.castTo(value, type)) : PyValue::poison();
  }
  return keywords->store(in, result, out, name);
}

} // namespace npcc::frontend

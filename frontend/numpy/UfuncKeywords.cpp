#include "frontend/numpy/UfuncKeywords.h"

using namespace mlir;

namespace npcc::frontend {

PyValue UfuncKeywords::take(StringRef name) {
  for (auto at = others.begin(); at != others.end(); ++at)
    if (at->first == name) {
      PyValue value = at->second;
      others.erase(at);
      return value;
    }
  return PyValue::object(py::none());
}

PyValue UfuncKeywords::store(Interpreter &in, PyValue result, const PyValue &out, StringRef function) const {
  if (isFortran && out.isNone() && result.isRuntime() && result.rank() > 1)
    return PyValue::runtime(newArrayIn(in, asArray(in, result), /*isFortran=*/true));
  return storeOut(in, result, out, castingRule(), function);
}

/// Which casts are allowed.
static std::optional<std::string> castingOf(Interpreter &in, const PyValue &value) {
  static const std::set<std::string> rules = {"no", "equiv", "safe", "same_kind", "unsafe"};
  std::string rule = value.isObject() && PyUnicode_Check(value.object().get()) ? py::text(value.object()) : "";
  if (rules.count(rule))
    return rule;
  in.fail("ValueError: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '" + rule + "')");
  return std::nullopt;
}

std::optional<UfuncKeywords> takeUfuncKeywords(Interpreter &in, const Call &call) {
  UfuncKeywords taken;
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword == "dtype") {
      taken.dtype = asDtype(in, value, {});
      if (!value.isNone() && !taken.dtype)
        return std::nullopt;
    } else if (keyword == "casting" && !value.isNone()) {
      std::optional<std::string> rule = castingOf(in, value);
      if (!rule)
        return std::nullopt;
      taken.casting = *rule;
    } else if (keyword == "order") {
      std::optional<Order> order = asOrder(in, value, Order::K);
      if (order == Order::A)
        in.fail("order='A' of a ufunc cannot be compiled", "say order='C' or order='F'");
      if (!order || order == Order::A)
        return std::nullopt;
      taken.isFortran = order == Order::F;
    } else if (keyword == "subok") {
      if (!value.isObject() || !PyBool_Check(value.object().get())) {
        in.fail("TypeError: 'subok' must be a boolean");
        return std::nullopt;
      }
    } else if (keyword != "casting") {
      taken.others.push_back({keyword, value});
    }
  }
  return taken;
}

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
  py::Object dtype = keywords.dtype ? in.dtypes.dtype(keywords.dtype) : py::Object();
  std::vector<Type> types = in.dtypes.resolve(ufunc, keys, dtype, keywords.casting, error);
  if (types.empty()) {
    in.fail("TypeError: " + error, "convert the operands with astype()");
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

/// The last two axes of what a product of matrices is written to are those of the product: they do not broadcast.
static void checkOutput(Interpreter &in, const PyValue &product, const PyValue &out) {
  if (!product.isRuntime() || !out.arrayType() || product.rank() < 2 || out.rank() < 1)
    return;
  if (out.rank() == 1) { // where it is as long as a row, NumPy would have to sum the columns
    Value given = in.ir.dim(out.ir(), 0), wanted = in.ir.dim(product.ir(), product.rank() - 1);
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, given, wanted), "ValueError",
                "matmul: Output operand 0 has a mismatch in its core dimension 0, with gufunc signature "
                "(n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})",
                {given, wanted});
    in.ir.check(in.ir.boolean(false), "ValueError",
                "output operand requires a reduction along dimension -1, but the reduction is not enabled. The "
                "dimension size of 1 does not match the expected output shape.");
    return;
  }
  for (int64_t core : {0, 1}) {
    Value given = in.ir.dim(out.ir(), out.rank() - 2 + core),
          wanted = in.ir.dim(product.ir(), product.rank() - 2 + core);
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, given, wanted), "ValueError",
                "matmul: Output operand 0 has a mismatch in its core dimension " + std::to_string(core) +
                    ", with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})",
                {given, wanted});
  }
}

PyValue callGeneralized(Interpreter &in, const py::Object &ufunc, Call &call) {
  std::string name = ufunc.string("__name__");
  size_t inputs = ufunc.integer("nin");
  bool isMatmul = name == "matmul";
  if (!isMatmul && !findLibraryFunction(ufunc)) // scipy has such ufuncs, too
    return in.fail(name + "() cannot be compiled", "npcc.supported() lists the functions that can");
  if (call.args.size() < inputs || call.args.size() > inputs + 1)
    return in.fail("TypeError: " + name + "() takes from " + Twine(inputs) + " to " + Twine(inputs + 1) +
                   " positional arguments but " + Twine(call.args.size()) + " were given");
  std::optional<UfuncKeywords> keywords = takeUfuncKeywords(in, call);
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
  if (!isMatmul || keywords->dtype || !keywords->casting.empty())
    if (type = castOperands(in, ufunc, *keywords, operands); !type)
      return PyValue::poison();
  // axes, axis and keepdims say where the axes are that the function takes: moving them is written in Python.
  Call inner;
  inner.node = call.node;
  inner.args = {PyValue::object(ufunc), operands[0], operands[1]};
  for (const auto &given : keywords->others) {
    if (given.first == "signature" || given.first == "sig")
      return in.fail("numpy." + name + "() does not take the keyword '" + given.first + "' in compiled code",
                     "say dtype=");
    if (given.first != "axes" && given.first != "axis" && given.first != "keepdims")
      return in.fail("TypeError: " + name + "() got an unexpected keyword argument '" + given.first + "'");
    inner.keywords.push_back(given);
  }
  PyValue result;
  if (isMatmul && inner.keywords.empty()) {
    result = multiplyMatrices(in, operands[0], operands[1]);
    if (!out.isSequence() && operands[0].rank() > 1 && operands[1].rank() > 1)
      checkOutput(in, result, in.env.bound(out));
  } else
    result = callFunction(in, functionOf(in, py::import("npcc.library.generalized")["applied"], true), inner);
  if (out.isNone() && type && result.isRuntime()) { // a new array, or a scalar, of the loop's dtype
    Value value = result.arrayType() ? in.ir.load(result.ir()) : tensorOf(in, result, type);
    result = value ? PyValue::runtime(in.ir.castTo(value, type)) : PyValue::poison();
  }
  return keywords->store(in, result, out, name);
}

} // namespace npcc::frontend

#include "frontend/numpy/UfuncKeywords.h"

using namespace mlir;

namespace npcc::frontend {

py::Object UfuncKeywords::wanted(Interpreter &in) const {
  if (signature)
    return signature;
  return dtype ? in.dtypes.dtype(dtype) : py::Object();
}

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

/// What `signature=` says, "dd->d" or a tuple of dtypes: whether it fits the ufunc NumPy says when it looks for the
/// loop. Null, with an error reported, where it is neither.
static py::Object signatureOf(Interpreter &in, const PyValue &value) {
  py::Object known = asObject(in, value);
  if (known && (PyUnicode_Check(known.get()) || PyTuple_Check(known.get())))
    return known;
  if (known)
    in.fail("TypeError: the signature object to ufunc must be a string or a tuple.");
  else
    in.fail("'signature' must be known at compile time", "say \"dd->d\" or (None, None, np.float32)");
  return {};
}

std::optional<UfuncKeywords> takeUfuncKeywords(Interpreter &in, const Call &call) {
  UfuncKeywords taken;
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword == "dtype") {
      taken.dtype = asDtype(in, value, {});
      if (!value.isNone() && !taken.dtype)
        return std::nullopt;
    } else if ((keyword == "signature" || keyword == "sig") && !value.isNone()) {
      if (taken.signature) {
        in.fail("TypeError: cannot specify both 'sig' and 'signature'");
        return std::nullopt;
      }
      taken.signature = signatureOf(in, value);
      if (!taken.signature)
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
    } else if (keyword != "casting" && keyword != "signature" && keyword != "sig") {
      taken.others.push_back({keyword, value});
    }
  }
  if (taken.signature && taken.dtype) {
    in.fail("TypeError: cannot specify both 'signature' and 'dtype'");
    return std::nullopt;
  }
  return taken;
}

std::optional<UfuncKeywords> takeUfuncKeywords(Interpreter &in, StringRef name, size_t inputs, const Call &call) {
  if (call.args.size() >= inputs && call.args.size() <= inputs + 1)
    return takeUfuncKeywords(in, call);
  in.fail("TypeError: " + name + "() takes from " + Twine(inputs) + " to " + Twine(inputs + 1) +
          " positional arguments but " + Twine(call.args.size()) + (call.args.size() == 1 ? " was" : " were") +
          " given");
  return std::nullopt;
}

} // namespace npcc::frontend

#include "frontend/numpy/Autocast.h"
#include "frontend/numpy/Table.h"

#include "dialects/Np/NarrowFloats.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

enum class Rule { Narrow, Wide };

std::optional<Rule> ruleOf(const py::Object &function) {
  static const std::map<PyObject *, Rule> table = [] {
    std::map<PyObject *, Rule> rules;
    auto add = [&](const char *name, Rule rule) {
      if (py::Object found = py::lookup(name)) { // what this NumPy has not is nobody's
        Py_INCREF(found.get());
        rules[found.get()] = rule;
      }
    };
#define AUTOCAST(FUNCTION, RULE) add(FUNCTION, Rule::RULE);
#include "frontend/numpy/Autocast.def"
    return rules;
  }();
  auto found = table.find(function.get());
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// float64, complex numbers and integers stay, and so do Python's numbers.
PyValue convert(Interpreter &in, const PyValue &value, Rule rule, Type narrow) {
  if (value.isSequence()) {
    std::vector<PyValue> items;
    for (const PyValue &item : value->items)
      items.push_back(convert(in, in.env.bound(item), rule, narrow));
    return PyValue::sequence(std::move(items));
  }
  if (!value.isRuntime() || value.isPythonScalar())
    return value;
  Type from = value.elementType(), to = rule == Rule::Narrow ? narrow : Type(in.ir.getF32Type());
  if (!from || from == to || !(np::isNarrowFloat(from) || (rule == Rule::Narrow && from.isF32())))
    return value;
  Value converted = tensorOf(in, value, to);
  return converted ? PyValue::runtime(converted) : PyValue::poison();
}

} // namespace

std::optional<PyValue> callAutocast(Interpreter &in, const py::Object &function, Call &call) {
  if (!in.autocast)
    return std::nullopt;
  std::optional<Rule> rule = ruleOf(function);
  if (!rule)
    return std::nullopt;
  Type narrow = in.autocast;
  // What a ufunc takes behind its operands is where the result goes.
  size_t operands = py::typeName(function) == "ufunc" ? function.integer("nin") : call.args.size();
  for (size_t k = 0; k < std::min(operands, call.args.size()); ++k)
    call.args[k] = convert(in, call.args[k], *rule, narrow);
  bool hasOut = call.args.size() > operands;
  for (auto &[keyword, value] : call.keywords) {
    hasOut |= keyword == "out" && !value.isNone();
    if (keyword != "out")
      value = convert(in, value, *rule, narrow);
  }
  AutocastScope without(in, Type());
  PyValue result = callObject(in, function, call);
  return *rule == Rule::Narrow && !hasOut ? convert(in, result, Rule::Narrow, narrow) : result;
}

void autocastOperands(Interpreter &in, const py::Object &ufunc, MutableArrayRef<PyValue> operands) {
  if (in.autocast && ruleOf(ufunc) == Rule::Wide)
    for (PyValue &operand : operands)
      operand = convert(in, operand, Rule::Wide, in.autocast);
}

std::optional<Type> autocastOf(Interpreter &in, const py::Object &context) {
  static const py::Object autocast = py::lookup("npcc.autocast");
  if (!autocast || !py::isInstance(context, autocast))
    return std::nullopt;
  py::Object name = context["compiled_dtype"];
  return name && !name.isNone() ? in.dtypes.elementType(StringRef(py::toString(name.get()))) : Type();
}

} // namespace npcc::frontend

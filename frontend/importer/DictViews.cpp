// d.keys() and d.items() as sets: where they are computed with or compared. Everywhere else they are what they hold.
#include "frontend/importer/DictViews.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"

namespace npcc::frontend {

static bool isView(const py::Object &node) {
  py::Object function = node["func"];
  if (py::typeName(node) != "Call" || py::typeName(function) != "Attribute" || !node.list("args").empty() ||
      !node.list("keywords").empty())
    return false;
  std::string name = function.string("attr");
  return name == "keys" || name == "items";
}

static bool isDict(const PyValue &value) {
  bool isComputed = value.is(PyValue::Kind::Instance) && isContainerClass(value->cls) && value->cls["setdefault"];
  return isDictionary(value) || isComputed || (value.isObject() && PyDict_Check(value.object().get()));
}

namespace {
struct Operand {
  PyValue value;
  bool isView = false;
};
} // namespace

/// What a node gives; of a view of a dict what a set of it is made of.
static Operand operand(Interpreter &in, const py::Object &node) {
  if (!isView(node))
    return {in.expression(node)};
  std::string name = node["func"].string("attr");
  PyValue base = in.env.bound(in.expression(node["func"]["value"]));
  NodeScope scope(in, node);
  bool isOfDict = isDict(base);
  if (isOfDict && name == "keys" && !base.isObject())
    return {base, true};
  Call call;
  call.node = node;
  PyValue items = base.isPoison() ? base : callMethod(in, base, name, call);
  return {isOfDict && !items.isPoison() ? callBuiltin(in, "list", {items}) : items, isOfDict};
}

std::optional<PyValue> binaryOfViews(Interpreter &in, const py::Object &node) {
  static const std::map<std::string, const char *> functions = {{"BitAnd", "sets.views_and"},
                                                                {"BitOr", "sets.views_or"},
                                                                {"Sub", "sets.views_sub"},
                                                                {"BitXor", "sets.views_xor"}};
  auto function = functions.find(py::typeName(node["op"]));
  if (function == functions.end() || (!isView(node["left"]) && !isView(node["right"])))
    return std::nullopt;
  Operand left = operand(in, node["left"]), right = operand(in, node["right"]);
  if (!left.isView && !right.isView)
    return binary(in, function->first, left.value, right.value);
  if (left.value.isPoison() || right.value.isPoison())
    return PyValue::poison();
  auto flag = [](bool value) { return PyValue::object(py::boolean(value)); };
  return callInLibrary(in, function->second, {left.value, right.value, flag(left.isView), flag(right.isView)});
}

PyValue comparedOperand(Interpreter &in, const py::Object &node, llvm::StringRef operation) {
  bool isOfSets =
      operation == "Eq" || operation == "NotEq" || operation.starts_with("Lt") || operation.starts_with("Gt");
  if (!isOfSets || !isView(node))
    return in.expression(node);
  Operand made = operand(in, node);
  return made.isView && !made.value.isPoison() ? newContainer(in, "Set", {made.value}) : made.value;
}

} // namespace npcc::frontend

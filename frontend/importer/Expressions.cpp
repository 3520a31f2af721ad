#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/DictViews.h"
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

static PyValue boolOperation(Interpreter &in, const py::Object &node);
static PyValue comparison(Interpreter &in, const py::Object &node);

std::vector<PyValue> Interpreter::expressions(const std::vector<py::Object> &nodes) {
  std::vector<PyValue> values;
  for (const py::Object &node : nodes) {
    if (py::typeName(node) == "Starred") {
      PyValue inner = expression(node["value"]);
      std::vector<PyValue> items;
      if (unpack(*this, inner, -1, items))
        values.insert(values.end(), items.begin(), items.end());
      else
        values.push_back(PyValue::poison());
      continue;
    }
    values.push_back(expression(node));
  }
  return values;
}

PyValue Interpreter::expression(const py::Object &node) {
  using Handler = PyValue (*)(Interpreter &, const py::Object &);
  static const std::map<std::string, Handler> handlers = {
      {"Constant", [](Interpreter &, const py::Object &n) { return PyValue::object(n["value"]); }},
      {"Name", [](Interpreter &in, const py::Object &n) { return in.env.readName(n, n.string("id")); }},
      {"BinOp",
       [](Interpreter &in, const py::Object &n) {
         if (std::optional<PyValue> result = binaryOfViews(in, n))
           return *result;
         PyValue left = in.expression(n["left"]), right = in.expression(n["right"]);
         return madeAt(in, n, binary(in, py::typeName(n["op"]), left, right));
       }},
      {"UnaryOp",
       [](Interpreter &in, const py::Object &n) {
         if (py::typeName(n["op"]) == "Not")
           return condition(in, n);
         return unary(in, py::typeName(n["op"]), in.expression(n["operand"]));
       }},
      {"BoolOp", [](Interpreter &in, const py::Object &n) { return boolOperation(in, n); }},
      {"Compare", [](Interpreter &in, const py::Object &n) { return comparison(in, n); }},
      {"IfExp",
       [](Interpreter &in, const py::Object &n) {
         auto side = [&](bool isTrue) {
           Narrowed narrowed(in, n["test"], isTrue);
           PyValue value = in.expression(n[isTrue ? "body" : "orelse"]);
           narrowed.restore(in.env.frame->bindings);
           return value;
         };
         return choose(in, condition(in, n["test"]), [&] { return side(true); }, [&] { return side(false); });
       }},
      {"Call", [](Interpreter &in, const py::Object &n) { return madeAt(in, n, callExpression(in, n)); }},
      {"Attribute",
       [](Interpreter &in, const py::Object &n) {
         PyValue base = in.expression(n["value"]);
         return base.isPoison() ? base : attribute(in, base, n.string("attr"));
       }},
      {"Subscript",
       [](Interpreter &in, const py::Object &n) {
         PyValue base = in.expression(n["value"]), position = subscriptIndex(in, n["slice"]);
         if (base.isPoison() || position.isPoison())
           return PyValue::poison();
         PyValue item = subscript(in, base, position);
         return position.is(PyValue::Kind::Slice) ? madeAt(in, n, item) : item;
       }},
      {"Slice", [](Interpreter &in, const py::Object &n) { return subscriptIndex(in, n); }},
      {"Tuple",
       [](Interpreter &in, const py::Object &n) {
         if (llvm::any_of(n.list("elts"), [](const py::Object &one) { return py::typeName(one) == "Starred"; }))
           return madeAt(in, n, tupleDisplay(in, n));
         std::vector<PyValue> items = in.expressions(n.list("elts"));
         for (PyValue &item : items)
           item = in.env.bound(item);
         return madeAt(in, n, PyValue::sequence(std::move(items)));
       }},
      {"List", [](Interpreter &in, const py::Object &n) { return madeAt(in, n, listDisplay(in, n)); }},
      {"Dict", [](Interpreter &in, const py::Object &n) { return madeAt(in, n, dictExpression(in, n)); }},
      {"Set", [](Interpreter &in, const py::Object &n) { return setExpression(in, n); }},
      {"Lambda", [](Interpreter &in, const py::Object &n) { return closure(in, n); }},
      {"NamedExpr",
       [](Interpreter &in, const py::Object &n) {
         PyValue value = in.env.bound(in.expression(n["value"]));
         assign(in, n["target"], value);
         return value;
       }},
      {"JoinedStr", [](Interpreter &in, const py::Object &n) { return joinedString(in, n); }},
      {"ListComp", [](Interpreter &in, const py::Object &n) { return madeAt(in, n, comprehension(in, n)); }},
      {"DictComp", [](Interpreter &in, const py::Object &n) { return madeAt(in, n, comprehension(in, n)); }},
      {"SetComp", [](Interpreter &in, const py::Object &n) { return setComprehension(in, n); }},
      {"GeneratorExp", [](Interpreter &in, const py::Object &n) { return comprehension(in, n); }},
  };
  NodeScope scope(*this, node);
  if (isPart(*this, node))
    return runPart(*this, node);
  std::string type = py::typeName(node);
  if (auto found = handlers.find(type); found != handlers.end())
    return found->second(*this, node);
  static const std::map<std::string, std::pair<const char *, const char *>> unsupported = {
      {"Set", {"a set", "use a tuple or an array"}},
      {"SetComp", {"a set comprehension", "use a tuple or an array"}},
      {"Await", {"await", "use plain functions"}},
      {"Yield", {"yield", "compile the function that goes over what it yields"}},
      {"YieldFrom", {"yield from", "compile the function that goes over what it yields"}},
  };
  auto found = unsupported.find(type);
  if (found == unsupported.end())
    return fail("the expression '" + Twine(type) + "' cannot be compiled");
  return fail(Twine(found->second.first) + " cannot be compiled", found->second.second);
}

static PyValue boolOperation(Interpreter &in, const py::Object &node) {
  bool isAnd = py::typeName(node["op"]) == "And";
  std::vector<py::Object> values = node.list("values");
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    PyValue first = in.expression(values[k]);
    if (k + 1 == values.size() || first.isPoison())
      return first;
    auto rest = [&] {
      Narrowed narrowed(in, values[k], isAnd);
      PyValue others = from(k + 1);
      narrowed.restore(in.env.frame->bindings);
      return others;
    };
    auto decided = [&] { return first; };
    llvm::SaveAndRestore<bool> keeps(in.env.keepsNumbers, in.env.keepsNumbers || hasSeveralNumbers(in, first));
    return isAnd ? choose(in, first, rest, decided) : choose(in, first, decided, rest);
  };
  return from(0);
}

static PyValue comparison(Interpreter &in, const py::Object &node) {
  std::vector<py::Object> operators = node.list("ops"), others = node.list("comparators");
  std::function<PyValue(size_t, PyValue)> from = [&](size_t k, PyValue left) -> PyValue {
    // x in {1, 2}: a set whose only use is this one.
    bool isSet = py::typeName(others[k]) == "Set" && StringRef(py::typeName(operators[k])).ends_with("In");
    std::string operation = py::typeName(operators[k]);
    PyValue right =
        isSet ? PyValue::sequence(in.expressions(others[k].list("elts"))) : comparedOperand(in, others[k], operation);
    if (k + 1 < operators.size())
      right = in.env.bound(right);
    PyValue result = compare(in, operation, left, right);
    if (k + 1 == operators.size() || result.isPoison())
      return result;
    return choose(in, result, [&] { return from(k + 1, right); }, [&] { return result; });
  };
  PyValue left = comparedOperand(in, node["left"], py::typeName(operators[0]));
  return from(0, operators.size() > 1 ? in.env.bound(left) : left);
}

} // namespace npcc::frontend

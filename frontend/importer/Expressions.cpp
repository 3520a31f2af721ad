#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

std::vector<PyValue> FunctionImporter::expressions(const std::vector<py::Object> &nodes) {
  std::vector<PyValue> values;
  for (const py::Object &node : nodes) {
    if (py::typeName(node) == "Starred") {
      PyValue inner = expression(node["value"]);
      std::vector<PyValue> items;
      if (unpack(inner, -1, items))
        values.insert(values.end(), items.begin(), items.end());
      else
        values.push_back(PyValue::poison());
      continue;
    }
    values.push_back(expression(node));
  }
  return values;
}

PyValue FunctionImporter::expression(const py::Object &node) {
  using Handler = PyValue (*)(FunctionImporter &, const py::Object &);
  static const std::map<std::string, Handler> handlers = {
      {"Constant", [](FunctionImporter &, const py::Object &n) { return PyValue::object(n["value"]); }},
      {"Name", [](FunctionImporter &f, const py::Object &n) { return f.readName(n, n.string("id")); }},
      {"BinOp", [](FunctionImporter &f, const py::Object &n) {
         PyValue left = f.expression(n["left"]), right = f.expression(n["right"]);
         return f.binary(py::typeName(n["op"]), left, right);
       }},
      {"UnaryOp", [](FunctionImporter &f, const py::Object &n) {
         if (py::typeName(n["op"]) == "Not")
           return f.condition(n);
         return f.unary(py::typeName(n["op"]), f.expression(n["operand"]));
       }},
      {"BoolOp", [](FunctionImporter &f, const py::Object &n) { return f.boolOperation(n); }},
      {"Compare", [](FunctionImporter &f, const py::Object &n) { return f.comparison(n); }},
      {"IfExp", [](FunctionImporter &f, const py::Object &n) {
         return f.choose(f.condition(n["test"]), [&] { return f.expression(n["body"]); }, [&] { return f.expression(n["orelse"]); });
       }},
      {"Call", [](FunctionImporter &f, const py::Object &n) { return f.callExpression(n); }},
      {"Attribute", [](FunctionImporter &f, const py::Object &n) {
         PyValue base = f.expression(n["value"]);
         return base.isPoison() ? base : f.attribute(base, n.string("attr"));
       }},
      {"Subscript", [](FunctionImporter &f, const py::Object &n) {
         PyValue base = f.expression(n["value"]), position = f.subscriptIndex(n["slice"]);
         return base.isPoison() || position.isPoison() ? PyValue::poison() : f.subscript(base, position);
       }},
      {"Slice", [](FunctionImporter &f, const py::Object &n) { return f.subscriptIndex(n); }},
      {"Tuple", [](FunctionImporter &f, const py::Object &n) {
         std::vector<PyValue> items = f.expressions(n.list("elts"));
         for (PyValue &item : items)
           item = f.bound(item);
         return PyValue::sequence(std::move(items));
       }},
      {"List", [](FunctionImporter &f, const py::Object &n) {
         std::vector<PyValue> items = f.expressions(n.list("elts"));
         for (PyValue &item : items)
           item = f.bound(item);
         PyValue list = PyValue::sequence(std::move(items), true);
         list->depth = f.depth;
         list->owner = f.frame.get();
         return list;
       }},
      {"Lambda", [](FunctionImporter &f, const py::Object &n) { return f.closure(n); }},
      {"NamedExpr", [](FunctionImporter &f, const py::Object &n) {
         PyValue value = f.bound(f.expression(n["value"]));
         f.assign(n["target"], value);
         return value;
       }},
      {"JoinedStr", [](FunctionImporter &f, const py::Object &n) { return f.joinedString(n); }},
      {"ListComp", [](FunctionImporter &f, const py::Object &n) { return f.comprehension(n); }},
      {"GeneratorExp", [](FunctionImporter &f, const py::Object &n) { return f.comprehension(n); }},
  };
  NodeScope scope(*this, node);
  std::string type = py::typeName(node);
  if (auto found = handlers.find(type); found != handlers.end())
    return found->second(*this, node);
  static const std::map<std::string, std::pair<const char *, const char *>> unsupported = {
      {"Dict", {"a dict", "use names, tuples or arrays"}},
      {"Set", {"a set", "use a tuple or an array"}},
      {"DictComp", {"a dict comprehension", "use names, tuples or arrays"}},
      {"SetComp", {"a set comprehension", "use a tuple or an array"}},
      {"Await", {"await", "use plain functions"}},
      {"Yield", {"yield", "return an array of all values"}},
      {"YieldFrom", {"yield from", "return an array of all values"}},
  };
  auto found = unsupported.find(type);
  if (found == unsupported.end())
    return fail("the expression '" + Twine(type) + "' cannot be compiled");
  return fail(Twine(found->second.first) + " cannot be compiled", found->second.second);
}

PyValue FunctionImporter::boolOperation(const py::Object &node) {
  bool isAnd = py::typeName(node["op"]) == "And";
  std::vector<py::Object> values = node.list("values");
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    PyValue first = expression(values[k]);
    if (k + 1 == values.size() || first.isPoison())
      return first;
    auto rest = [&] { return from(k + 1); };
    auto decided = [&] { return first; };
    return isAnd ? choose(first, rest, decided) : choose(first, decided, rest);
  };
  return from(0);
}

PyValue FunctionImporter::comparison(const py::Object &node) {
  std::vector<py::Object> operators = node.list("ops"), others = node.list("comparators");
  std::function<PyValue(size_t, PyValue)> from = [&](size_t k, PyValue left) -> PyValue {
    // x in {1, 2}: a set whose only use is this one.
    bool isSet = py::typeName(others[k]) == "Set" && StringRef(py::typeName(operators[k])).ends_with("In");
    PyValue right = isSet ? PyValue::sequence(expressions(others[k].list("elts"))) : expression(others[k]);
    if (k + 1 < operators.size())
      right = bound(right);
    PyValue result = compare(py::typeName(operators[k]), left, right);
    if (k + 1 == operators.size() || result.isPoison())
      return result;
    return choose(result, [&] { return from(k + 1, right); }, [&] { return result; });
  };
  PyValue left = expression(node["left"]);
  return from(0, operators.size() > 1 ? bound(left) : left);
}

/// The targets of a comprehension are its own.
void FunctionImporter::withOwnTargets(const std::vector<py::Object> &generators, llvm::function_ref<void()> body) {
  std::set<std::string> targets;
  static const py::Object walk = py::lookup("ast.walk");
  for (const py::Object &generator : generators)
    for (const py::Object &one : py::elements(py::call(walk, {generator["target"]})))
      if (py::typeName(one) == "Name")
        targets.insert(one.string("id"));
  std::set<std::string> added;
  Environment saved = frame->environment;
  for (const std::string &name : targets)
    if (frame->locals.insert(name).second)
      added.insert(name);
  body();
  for (const std::string &name : targets) {
    auto before = saved.find(name);
    if (before == saved.end())
      frame->environment.erase(name);
    else
      frame->environment[name] = before->second;
  }
  for (const std::string &name : added)
    frame->locals.erase(name);
}

PyValue FunctionImporter::comprehension(const py::Object &node) {
  std::vector<py::Object> generators = node.list("generators");
  std::vector<PyValue> items;
  bool ok = true, atRuntime = false;
  Snapshot before = snapshot();
  std::function<void(size_t)> from = [&](size_t k) {
    if (k == generators.size()) {
      items.push_back(bound(expression(node["elt"])));
      return;
    }
    PyValue iterable = bound(expression(generators[k]["iter"]));
    std::vector<PyValue> known;
    if (iterable.isPoison() || !asSequence(iterable, known)) {
      ok = false;
      atRuntime = !iterable.isPoison();
      return;
    }
    for (const PyValue &item : known) {
      if (!ok)
        return;
      assign(generators[k]["target"], item);
      bool use = true;
      for (const py::Object &test : generators[k].list("ifs")) {
        std::optional<bool> isTrue;
        truth(condition(test), isTrue);
        if (!isTrue) {
          ok = false;
          atRuntime = diagnostics.size() == before.diagnostics;
          return;
        }
        use &= *isTrue;
      }
      if (use)
        from(k + 1);
    }
  };
  withOwnTargets(generators, [&] { from(0); });
  if (atRuntime && isReachable) {
    rollBack(before);
    return runtimeComprehension(node);
  }
  if (!ok)
    return PyValue::poison();
  PyValue list = PyValue::sequence(std::move(items), true);
  list->depth = depth;
  list->owner = frame.get();
  return list;
}

} // namespace npcc::frontend

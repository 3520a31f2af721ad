#include "frontend/importer/FunctionImporter.h"

using namespace mlir;

namespace npcc::frontend {

void FunctionImporter::statements(const std::vector<py::Object> &nodes) {
  for (const py::Object &node : nodes) {
    if (!isReachable)
      return;
    statement(node);
  }
}

void FunctionImporter::statement(const py::Object &node) {
  using Handler = void (*)(FunctionImporter &, const py::Object &);
  static const std::map<std::string, Handler> handlers = {
      {"Expr", [](FunctionImporter &f, const py::Object &n) { f.expression(n["value"]); }},
      {"Pass", [](FunctionImporter &, const py::Object &) {}},
      {"Assign", [](FunctionImporter &f, const py::Object &n) {
         std::vector<py::Object> targets = n.list("targets");
         PyValue value = f.expression(n["value"]);
         // A value that is only stored needs no array of its own.
         if (targets.size() > 1 || py::typeName(targets[0]) != "Subscript")
           value = f.bound(value);
         for (const py::Object &target : targets)
           f.assign(target, value);
       }},
      {"AnnAssign", [](FunctionImporter &f, const py::Object &n) {
         if (!n["value"].isNone())
           f.assign(n["target"], f.bound(f.expression(n["value"])));
       }},
      {"AugAssign", [](FunctionImporter &f, const py::Object &n) { f.augmentedAssignment(n); }},
      {"If", [](FunctionImporter &f, const py::Object &n) { f.ifStatement(n); }},
      {"While", [](FunctionImporter &f, const py::Object &n) { f.whileStatement(n); }},
      {"For", [](FunctionImporter &f, const py::Object &n) { f.forStatement(n); }},
      {"Break", [](FunctionImporter &f, const py::Object &) { f.breakStatement(); }},
      {"Continue", [](FunctionImporter &f, const py::Object &) { f.continueStatement(); }},
      {"Return", [](FunctionImporter &f, const py::Object &n) {
         PyValue value = n["value"].isNone() ? PyValue::object(py::none()) : f.bound(f.expression(n["value"]));
         if (!f.isReachable)
           return;
         f.frame->environment["%return"] = value;
         f.frame->returnNode = n;
         f.frame->returns.push_back(f.edgeHere());
         f.isReachable = false;
       }},
      {"FunctionDef", [](FunctionImporter &f, const py::Object &n) {
         if (!n.list("decorator_list").empty())
           f.fail("a decorated function inside a compiled function cannot be compiled", "define it outside");
         f.bindName(n.string("name"), f.closure(n));
       }},
      {"Assert", [](FunctionImporter &f, const py::Object &n) { f.assertion(n); }},
      {"Raise", [](FunctionImporter &f, const py::Object &n) { f.raise(n); }},
      {"Delete", [](FunctionImporter &f, const py::Object &n) { f.deleteStatement(n); }},
      {"With", [](FunctionImporter &f, const py::Object &n) { f.withStatement(n); }},
      {"Global", [](FunctionImporter &, const py::Object &) {}},
      {"Nonlocal", [](FunctionImporter &, const py::Object &) {}},
      {"Import", [](FunctionImporter &f, const py::Object &n) {
         for (const py::Object &alias : n.list("names")) {
           std::string name = alias.string("name"), as = alias.string("asname");
           py::Object module = py::import((as.empty() ? name.substr(0, name.find('.')) : name).c_str());
           if (!module || !py::import(name.c_str()))
             f.fail("ModuleNotFoundError: No module named '" + name + "'");
           else
             f.bindName(as.empty() ? name.substr(0, name.find('.')) : as, PyValue::object(as.empty() ? module : py::lookup(name)));
         }
       }},
      {"ImportFrom", [](FunctionImporter &f, const py::Object &n) {
         for (const py::Object &alias : n.list("names")) {
           std::string name = alias.string("name"), as = alias.string("asname");
           py::Object object = py::import(n.string("module").c_str())[name.c_str()];
           if (!object)
             f.fail("ImportError: cannot import name '" + name + "' from '" + n.string("module") + "'");
           f.bindName(as.empty() ? name : as, PyValue::object(object));
         }
       }},
  };
  static const std::map<std::string, const char *> unsupported = {
      {"Try", "test for the condition with if before it happens"},
      {"TryStar", "test for the condition with if before it happens"},
      {"ClassDef", "define the class outside and pass its arrays"},
      {"AsyncFunctionDef", "use a plain function"},
      {"AsyncFor", "use a plain loop"},
      {"AsyncWith", "use plain statements"},
      {"Match", "use if and elif"},
  };
  NodeScope scope(*this, node);
  std::string type = py::typeName(node);
  if (auto found = handlers.find(type); found != handlers.end())
    return found->second(*this, node);
  static const std::map<std::string, const char *> words = {{"Try", "try"}, {"TryStar", "try"}, {"ClassDef", "class"}, {"Match", "match"}};
  auto word = words.find(type);
  auto hint = unsupported.find(type);
  fail("the statement '" + Twine(word == words.end() ? type.c_str() : word->second) + "' cannot be compiled",
       hint == unsupported.end() ? "" : hint->second);
}

void FunctionImporter::deleteStatement(const py::Object &node) {
  for (const py::Object &target : node.list("targets")) {
    if (py::typeName(target) != "Name") {
      fail(target, "only names can be deleted in compiled code");
      continue;
    }
    readName(target, target.string("id"));
    frame->environment[target.string("id")] = PyValue::unbound();
  }
}

/// What numpy.errstate would do beside being silent or warning: compiled code does neither, and could not do that.
static bool asksForErrors(FunctionImporter &importer, const py::Object &state) {
  py::call(state["__enter__"], {});
  py::Object modes = py::call(importer.dtypes.numpy["geterr"], {});
  py::call(state["__exit__"], {py::none(), py::none(), py::none()});
  return llvm::any_of(py::elements(py::call(modes["values"], {})),
                      [](const py::Object &mode) { return py::text(mode) != "ignore" && py::text(mode) != "warn"; });
}

/// numpy.errstate: compiled code gives no floating-point warnings anyway.
void FunctionImporter::withStatement(const py::Object &node) {
  for (const py::Object &item : node.list("items")) {
    PyValue context = expression(item["context_expr"]);
    if (context.isPoison())
      continue;
    if (!context.isObject() || !py::isInstance(context.object(), dtypes.numpy["errstate"]))
      fail(item["context_expr"], "the statement 'with' cannot be compiled", "numpy.errstate is the only context manager of compiled code");
    else if (asksForErrors(*this, context.object()))
      fail(item["context_expr"],
           "numpy.errstate with anything but 'ignore' and 'warn' cannot be compiled: compiled code raises no "
           "floating-point errors",
           "test the result with np.isfinite");
  }
  statements(node.list("body"));
}

/// The exception's name and message of `raise X(...)`; `values` are what the message shows of the program.
static bool describeException(FunctionImporter &importer, const py::Object &exception, std::string &error, std::string &message,
                              SmallVector<Value> &values) {
  py::Object callee = exception;
  std::vector<py::Object> args;
  if (py::typeName(exception) == "Call") {
    callee = exception["func"];
    args = exception.list("args");
  }
  PyValue type = importer.expression(callee);
  if (!type.isObject() || !PyType_Check(type.object().get())) {
    if (!type.isPoison())
      importer.fail(callee, "only exceptions of known types can be raised in compiled code");
    return false;
  }
  error = type.object().string("__name__");
  std::vector<PyValue> shown;
  for (const py::Object &arg : args)
    shown.push_back(importer.expression(arg));
  if (!shown.empty()) // of several arguments an exception shows the tuple
    message = importer.message(importer.text(shown.size() == 1 ? shown[0] : PyValue::sequence(shown), ""), values);
  return true;
}

void FunctionImporter::raise(const py::Object &node) {
  py::Object exception = node["exc"];
  if (exception.isNone()) {
    fail("'raise' without an exception cannot be compiled", "name the exception");
    return;
  }
  std::string error, message;
  SmallVector<Value> values;
  if (!describeException(*this, exception, error, message, values))
    return;
  // In a library function, what is wrong whatever the arrays hold is wrong in the program.
  if (frame->isLibrary && depth == frame->depth && values.empty()) {
    fail(error + (message.empty() ? "" : ": " + message));
    return;
  }
  static const std::set<std::string> known = {"IndexError", "ValueError", "TypeError", "MemoryError", "ZeroDivisionError", "OverflowError",
                                              "RuntimeError", "UnboundLocalError", "LinAlgError", "AssertionError", "NotImplementedError"};
  if (!known.count(error)) {
    fail("exception " + Twine(error) + " cannot be raised from compiled code", "use ValueError, TypeError, IndexError or RuntimeError");
    return;
  }
  Value never = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(false));
  np::AssertOp::create(builder, here(), never, builder.getStringAttr(error), builder.getStringAttr(message), values);
  failed.push_back(builder.getInsertionBlock());
  isReachable = false;
}

void FunctionImporter::assertion(const py::Object &node) {
  PyValue test = condition(node["test"]);
  std::optional<bool> known;
  Value bit = truth(test, known);
  if (known && *known)
    return;
  if (!bit)
    bit = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(false));
  std::string message;
  SmallVector<Value> values;
  if (!node["msg"].isNone()) {
    message = this->message(text(expression(node["msg"]), ""), values);
  }
  check(bit, "AssertionError", message, values);
}

} // namespace npcc::frontend

// `with`: of what compiled code gives a meaning of its own, of objects with __enter__ and __exit__, and of
// contextlib.contextmanager's functions. The statements that it stands for are made in npcc/with_statements.py.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Objects.h"
#include "frontend/numpy/Autocast.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace npcc::frontend {

static py::Object helper(const char *name) { return py::import("npcc.with_statements")[name]; }

/// What numpy.errstate would do beside being silent or warning: compiled code does neither, and could not do that.
static bool asksForErrors(Interpreter &in, const py::Object &state) {
  py::call(state["__enter__"], {});
  py::Object modes = py::call(in.dtypes.numpy["geterr"], {});
  py::call(state["__exit__"], {py::none(), py::none(), py::none()});
  return llvm::any_of(py::elements(py::call(modes["values"], {})),
                      [](const py::Object &mode) { return py::text(mode) != "ignore" && py::text(mode) != "warn"; });
}

/// Whether a callee is contextlib.suppress, and the classes are named one by one.
static bool isSuppress(const PyValue &callee, const py::Object &call) {
  static const py::Object suppress = py::lookup("contextlib.suppress");
  return callee.isObject() && callee.object() == suppress && call.list("keywords").empty();
}

static bool isPrintOptions(const PyValue &callee) {
  static const py::Object printOptions = py::lookup("numpy.printoptions");
  return callee.isObject() && callee.object() == printOptions;
}

/// Puts the options of a call of numpy.printoptions around all texts of arrays that are made from here on.
static bool enterPrintOptions(Interpreter &in, const py::Object &item, const py::Object &manager) {
  if (!item["optional_vars"].isNone())
    return in.fail("numpy.printoptions with 'as' cannot be compiled", "leave the name out"), false;
  std::string text = py::text(py::call(helper("print_options"), {manager}));
  if (!StringRef(text).starts_with("numpy."))
    return in.fail(text), false;
  in.printOptions.push_back(text);
  return true;
}

/// A name of the frame's that no program has.
static std::string ownName(Interpreter &in, const char *what, const PyValue &value) {
  std::string name = "%" + std::string(what) + std::to_string(in.temporaries++);
  in.env.frame->locals.insert(name);
  in.env.frame->bindings[name] = value;
  return name;
}

/// The names that the statements have for a manager, the same ones whenever the `with` is imported.
static std::string managerName(Interpreter &in, const py::Object &node, size_t number, const PyValue &manager) {
  std::string &name = in.managerNames[{node.get(), number}];
  if (name.empty())
    name = ownName(in, "manager", manager);
  for (const char *part : {"", ".failed", ".error"})
    in.env.frame->locals.insert(name + part);
  in.env.frame->bindings[name] = manager;
  return name;
}

static void forgetManager(Interpreter &in, const std::string &name) {
  for (const char *part : {"", ".failed", ".error"})
    in.env.frame->bindings.erase(name + part);
}

/// An object with __enter__ and __exit__.
static void enterObject(Interpreter &in, const py::Object &node, size_t number, const PyValue &manager) {
  py::Object exit = manager->cls["__exit__"], enter = manager->cls["__enter__"];
  if (!enter || !exit) {
    in.fail("TypeError: '" + manager->cls.string("__name__") +
            "' object does not support the context manager protocol" + (enter ? " (missed __exit__ method)" : ""));
    return;
  }
  if (py::typeName(exit) != "function") {
    in.fail("a context manager whose '__exit__' is no function of the program cannot be compiled");
    return;
  }
  PyValue function = functionOf(in, exit);
  if (function.isPoison())
    return;
  std::string asks = py::text(py::call(helper("asks_of_exceptions"), {function->definition}));
  if (asks == "traceback") {
    in.fail("an '__exit__' that looks at the traceback cannot be compiled", "let it look at the exception");
    return;
  }
  std::string name = managerName(in, node, number, manager);
  in.statements(
      {py::call(helper("entered"), {node, py::integer(number), py::string(name), py::boolean(!asks.empty())})});
  forgetManager(in, name);
}

/// A call of one of contextlib.contextmanager's functions: false of other callees.
static bool enterGenerator(Interpreter &in, const py::Object &node, size_t number, const PyValue &callee) {
  bool isMethod =
      callee.is(PyValue::Kind::Method) && callee->items[0].is(PyValue::Kind::Instance) && callee->items[0]->cls;
  py::Object function = callee.isObject() ? callee.object()
                        : isMethod        ? callee->items[0]->cls[callee->name.c_str()]
                                          : py::Object();
  py::Object made = function ? py::call(helper("generator_function"), {function}) : py::none();
  if (made.isNone())
    return false;
  PyValue generator = functionOf(in, made);
  if (generator.isPoison())
    return true;
  std::string refusal = py::text(py::call(helper("refusal"), {generator->definition, node}));
  if (!refusal.empty()) {
    in.fail(refusal + ": that cannot be compiled", "write it as a class with '__enter__' and '__exit__'");
    return true;
  }
  std::string name = isMethod ? managerName(in, node, number, callee->items[0]) : "";
  py::Object loop = py::call(helper("managed"), {node, py::integer(number), made, py::string(name)});
  PyValue waiting = in.expression(loop["iter"]);
  if (isMethod)
    forgetManager(in, name);
  if (isGenerator(waiting))
    generatorLoop(in, loop, waiting);
  return true;
}

void withStatement(Interpreter &in, const py::Object &node) {
  Type narrow = in.autocast;
  size_t printOptions = in.printOptions.size();
  auto forget = llvm::make_scope_exit([&] { in.printOptions.resize(printOptions); });
  for (auto [number, item] : llvm::enumerate(node.list("items"))) {
    AutocastScope scope(in, narrow);
    py::Object expression = item["context_expr"];
    if (py::typeName(expression) == "Call") {
      PyValue callee = in.expression(expression["func"]);
      if (isSuppress(callee, expression))
        return tryStatement(in, py::call(helper("suppressing"), {node, py::integer(number)}));
      if (isPrintOptions(callee)) {
        PyValue manager = in.expression(expression);
        if (manager.isObject())
          enterPrintOptions(in, item, manager.object());
        continue;
      }
      if (enterGenerator(in, node, number, callee))
        return;
    }
    PyValue context = in.env.bound(in.expression(expression));
    if (context.is(PyValue::Kind::Instance) && context->cls)
      return enterObject(in, node, number, context);
    if (!item["optional_vars"].isNone()) // of what has failed: its name is no error of its own
      assign(in, item["optional_vars"], PyValue::poison());
    if (context.isPoison())
      continue;
    if (context.isObject())
      if (std::optional<Type> named = autocastOf(in, context.object())) {
        narrow = *named;
        continue;
      }
    if (!context.isObject() || !py::isInstance(context.object(), in.dtypes.numpy["errstate"]))
      in.fail(expression, "the statement 'with' cannot be compiled",
              "the context managers of compiled code are objects of the program's classes, functions of "
              "contextlib.contextmanager, contextlib.suppress, numpy.errstate, numpy.printoptions and npcc.autocast");
    else if (asksForErrors(in, context.object()))
      in.fail(expression,
              "numpy.errstate with anything but 'ignore' and 'warn' cannot be compiled: compiled code raises no "
              "floating-point errors",
              "test the result with np.isfinite");
  }
  AutocastScope scope(in, narrow);
  in.statements(node.list("body"));
}

} // namespace npcc::frontend

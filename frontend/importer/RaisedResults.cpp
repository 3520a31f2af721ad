#include "frontend/importer/RaisedResults.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"

using namespace mlir;

namespace npcc::frontend {

std::vector<py::Object> caughtHere(Interpreter &in) {
  std::vector<py::Object> found;
  auto add = [&](const py::Object &cls) {
    if (!llvm::is_contained(found, cls))
      found.push_back(cls);
  };
  for (const Handler *handler : in.env.handlers) {
    for (const auto &classes : handler->clauses)
      llvm::for_each(classes, add);
    if (handler->catchesAll)
      add(py::import("builtins")["BaseException"]);
  }
  llvm::sort(found, [](const py::Object &left, const py::Object &right) { return left.get() < right.get(); });
  return found;
}

RaisedResults::RaisedResults(Interpreter &in, const std::vector<py::Object> &caught, bool leaves) : in(in) {
  if (leaves) {
    outermost.frame = in.env.frame;
    outermost.raised.resize(1);
    in.env.outermost = &outermost;
    in.env.hasChanged = [] { return true; };
  }
  if (!caught.empty()) {
    handler.frame = in.env.frame;
    handler.clauses = {caught};
    handler.raised.resize(2);
    in.env.handlers.push_back(&handler);
  }
  if (leaves || !caught.empty())
    takeChecks(in);
}

/// The tuple that stands for an exception, at the end of its edge: of its message, or of what its object holds.
static PyValue asResult(Interpreter &in, const Raised &one) {
  StringRef words = one.message;
  bool isKey = words.consume_front(keyMark);
  if (one.error == "npcc.ClassError")
    words = words.split('\n').second;
  std::vector<PyValue> items;
  std::vector<py::Object> keys;
  if (isPythons(one.object)) {
    keys.push_back(py::string("object"));
    items.push_back(one.object);
  } else if (one.object.isPoison()) {
    items.push_back(exceptionString(in, words, one.values));
  } else {
    keys = heldKeys(in, one.object);
    for (const py::Object &key : keys)
      items.push_back(readHeld(in, one.object, key));
  }
  PyValue result = PyValue::sequence(std::move(items));
  result->cls = py::call(py::lookup("npcc.library.exceptions.raised"), {one.cls, py::boolean(isKey), py::tuple(keys)});
  return result;
}

void RaisedResults::addToReturns() {
  std::vector<Raised> all;
  if (!handler.clauses.empty()) {
    in.env.handlers.pop_back();
    all = std::move(handler.raised[0]);
  }
  if (in.env.outermost) {
    in.env.outermost = nullptr;
    llvm::move(outermost.raised[0], std::back_inserter(all));
  }
  in.ir.onCheck = nullptr;
  in.ir.isCaught = nullptr;
  for (Raised &one : all) {
    in.env.continueIn(one.edge.block);
    in.env.frame->bindings = one.edge.bindings;
    in.ir.forgetCaches();
    in.env.frame->bindings["%return"] = asResult(in, one);
    in.env.frame->returns.push_back(in.env.edgeHere());
    in.env.isReachable = false;
  }
}

bool isRaised(const PyValue &value) {
  static const py::Object base = py::lookup("npcc.library.exceptions.RaisedResult");
  return value.isSequence() && value->cls &&
         py::isTrue(py::call(py::import("builtins")["issubclass"], {value->cls, base}));
}

/// Raises the exception that a tuple stands for.
static void raiseAgain(Interpreter &in, const PyValue &raised) {
  if (isPythons(raised->items[0]))
    return raiseObject(in, raised->items[0]);
  py::Object cls = raised->cls["raised"];
  std::string error = cls.string("__name__"), message;
  if (!isRaisable(error) || !(exceptionClass(error) == cls)) {
    error = "npcc.ClassError";
    message = classKey(in, cls) + "\n";
  }
  PyValue shown, object = PyValue::poison();
  std::vector<py::Object> keys = raised->cls.list("keys");
  if (keys.empty()) {
    shown = raised->items[0];
  } else {
    object = newInstance(
        in, py::call(py::lookup("npcc.library.exceptions.caught"), {cls, py::boolean(false), py::boolean(true)}));
    for (auto [key, value] : llvm::zip(keys, raised->items))
      storeHeld(in, object, key, value);
    shown = readHeld(in, object, textKey());
  }
  SmallVector<Value> values;
  if (py::isTrue(raised->cls["is_key"]))
    message += keyMark;
  message += exceptionText(in, text(in, shown, ""), values);
  raiseWith(in, in.currentNode, cls, error, message, values, object);
}

PyValue raiseResult(Interpreter &in, const PyValue &result) {
  auto nothing = [&] {
    in.env.continueLost();
    return PyValue::poison();
  };
  if (isRaised(result)) {
    raiseAgain(in, result);
    return nothing();
  }
  if (!result.is(PyValue::Kind::Union) || llvm::none_of(result->items, isRaised))
    return result;
  std::vector<PyValue> left = result->items;
  auto isPossible = [](const PyValue &one) { return !one.is(PyValue::Kind::Unbound); };
  for (PyValue &one : left) {
    if (!isRaised(one))
      continue;
    if (llvm::count_if(left, isPossible) == 1) { // nothing is returned
      raiseAgain(in, one);
      return nothing();
    }
    PyValue isIt = isAlternative(in, result, [&](const PyValue &other) { return isRaised(other) && &*other == &*one; });
    Block *bad = in.ir.newBlock(), *good = in.ir.newBlock();
    cf::CondBranchOp::create(in.ir, isIt.ir(), bad, good);
    in.env.continueIn(bad);
    raiseAgain(in, one);
    in.env.continueIn(good);
    in.ir.forgetCaches();
    one = PyValue::unbound();
  }
  if (llvm::count_if(left, isPossible) == 1)
    return *llvm::find_if(left, isPossible);
  auto data = std::make_shared<Composite>();
  data->items = std::move(left);
  return PyValue::unionValue(result.ir(), data);
}

} // namespace npcc::frontend

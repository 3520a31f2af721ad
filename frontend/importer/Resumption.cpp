#include "frontend/importer/Resumption.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

static const py::Object &resumableClass() {
  static const py::Object cls = py::lookup("npcc.library.resumption.Resumable");
  return cls;
}

bool isOfGenerators(const py::Object &cls) { return cls.string("__module__") == "npcc.library.resumption"; }

bool isResumable(const PyValue &value) {
  return value.is(PyValue::Kind::Instance) && value->cls && value->cls == resumableClass();
}

/// Where Python runs parts of the function, such generators are Python's: it may be asked to keep or return them.
static bool mayBeObjects(Interpreter &in) { return in.outlines && !in.outlines->parts; }

bool isResumedAt(Interpreter &in, const std::string &site) {
  return mayBeObjects(in) && in.outlines->resumed.count(site);
}

void noteResumedAt(Interpreter &in, const std::string &site) {
  if (mayBeObjects(in) && !site.empty())
    in.outlines->foundMore |= in.outlines->resumed.insert(site).second;
}

bool noteResumed(Interpreter &in, const PyValue &value) {
  if (!isGenerator(value))
    return false;
  noteResumedAt(in, value->site);
  return true;
}

PyValue needsResumption(Interpreter &in, const PyValue &generator, const Twine &message, const Twine &hint) {
  noteResumed(in, generator);
  return in.fail(message, hint);
}

static py::Object functionKey() { return py::string("resume"); }

PyValue resumptionOf(Interpreter &in, const PyValue &generator) {
  if (!generator.isTabled())
    return boundHeld(in, generator, functionKey()).value_or(PyValue::poison());
  auto found = in.resumptions.find(tableOfRow(in, generator));
  if (found == in.resumptions.end())
    return PyValue::poison();
  // What its function's names are bound to is known as long as the scope around it is there.
  const Frame *scope = found->second->parent.get(), *frame = in.env.frame.get();
  while (scope && frame && frame != scope)
    frame = frame->caller;
  if (scope && !frame)
    return in.fail("one of many generators whose function was made in a call that has ended cannot be compiled",
                   "define the function outside, and give it what it needs");
  return found->second;
}

void registerResumption(Interpreter &in, const PyValue &row, const PyValue &function) {
  in.resumptions[tableOfRow(in, row)] = function;
}

bool goOnAlike(Interpreter &in, const PyValue &left, const PyValue &right) {
  if (!isResumable(left) || !isResumable(right))
    return true;
  auto definition = [&](const PyValue &one) {
    PyValue function = one.isTabled() ? in.resumptions[tableOfRow(in, one)] : resumptionOf(in, one);
    return function.is(PyValue::Kind::Function) ? function->definition.get() : nullptr;
  };
  return definition(left) == definition(right);
}

PyValue makeResumable(Interpreter &in, const PyValue &function, const Bindings &arguments, const std::string &site) {
  static const py::Object resumption = py::lookup("npcc.resumption.resumption"),
                          attributeOf = py::lookup("npcc.resumption.attribute_of");
  std::string error, message;
  py::Object made = py::tryCall(resumption, {function->definition}, {}, error, message);
  if (!made)
    return in.fail(message, "make a list of the items, or go over them in one loop");
  std::vector<py::Object> parts = py::elements(made);
  auto data = std::make_shared<Composite>(*function);
  data->definition = parts[0];
  data->items.clear(); // the defaults
  data->keywordDefaults = 0;
  Call call;
  call.node = in.currentNode;
  call.site = site;
  call.args = {PyValue::composite(PyValue::Kind::Function, data)};
  PyValue object = callClass(in, resumableClass(), call);
  // A function that calls itself makes ever more of them.
  bool callsItself = isOutlined(in, data->definition) || llvm::is_contained(in.callStack, data->definition.get());
  if (callsItself && !object.isPoison() && !object.isTabled())
    noteTabled(in, object);
  for (const py::Object &name : py::elements(parts[1])) {
    auto found = arguments.find(py::toString(name.get()));
    if (object.isPoison())
      return object;
    if (found != arguments.end())
      storeAttribute(in, object, py::toString(py::call(attributeOf, {name}).get()), found->second);
  }
  return object;
}

} // namespace npcc::frontend

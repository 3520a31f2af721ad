// What a function has changed in the containers and objects that it was given.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

void Results::addChange(size_t number, const py::Object &key, llvm::function_ref<void()> addNow) {
  form += '(';
  addNumber(number);
  if (key)
    add(PyValue::object(key));
  addNow();
  form += ')';
}

/// Of an attribute or item that is deleted, or that the function has not come to.
void Results::addAbsent() {
  addCall("npcc.structures:Absent", [] {});
}

/// Notes that the argument in which a given object lies has to be Python's.
static void noteArgumentOf(Interpreter &in, const PyValue &object) {
  StringRef path = object->site;
  size_t place;
  if (!in.outlines || !in.outlines->parts || !path.consume_front("given[") || path.consumeInteger(10, place))
    return;
  py::Object args = in.env.frame->definition["args"];
  std::vector<std::string> names;
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : args.list(group))
      names.push_back(arg.string("arg"));
  if (args["vararg"].isNone() && place < names.size())
    in.outlines->foundMore |= in.outlines->parts->parameters.insert(names[place]).second;
}

void Results::addHeldChange(size_t number, const PyValue &object, const py::Object &key, PyValue now) {
  if (now.is(PyValue::Kind::Conflict)) // what was given on one path, and something else on another
    noteArgumentOf(in, object);
  if (!now.boundSlot)
    return addChange(number, key, [&] { add(readHeld(in, object, key)); });
  addChange(number, key, [&] { addUncertain(object, key, now); });
}

void Results::addUncertain(const PyValue &object, const py::Object &key, PyValue now) {
  PyValue isThere = isHeld(in, object, key);
  now.boundSlot = {};
  Value isMissing = arith::XOrIOp::create(in.ir, isThere.ir(), in.ir.boolean(true));
  Value which = arith::ExtUIOp::create(in.ir, in.ir.getI64Type(), isMissing);
  form += "?2;";
  values.push_back(which);
  isWeak.push_back(true);
  std::string name = "%held" + std::to_string(in.temporaries++);
  in.env.frame->bindings[name] = now;
  PyValue value = in.env.readName(in.currentNode, name);
  in.env.frame->bindings.erase(name);
  addAlternative(PyValue::runtime(which), 0, value);
  addAbsent();
}

void Results::addChanges() {
  if (in.hasErrors() || in.outlines->foundMore) // what was given may not be put together
    return;
  Call none;
  form += '[';
  for (auto [number, container] : llvm::enumerate(given->containers())) {
    const PyValue &value = container.value;
    // Its memory is the caller's, or it cannot be changed; what a table's rows hold comes with the table.
    if (value.isRecords() || value.isRows() || value.isTabled() || value.is(PyValue::Kind::Function) ||
        isContainer(value, "FrozenSet"))
      continue;
    if (value.isSequence()) {
      if (value->items != container.items)
        addChange(number, {}, [&] { add(PyValue::sequence(value->items, true)); });
      continue;
    }
    if (isBox(value)) { // its items may have been stored to
      addChange(number, {}, [&] { add(unboxed(in, value)); });
      continue;
    }
    if (value.is(PyValue::Kind::Instance) && isContainerClass(value->cls)) { // all its items, if it is not as it was
      if (!given->isAsGiven(container)) {
        PyValue parts = callInstanceMethod(in, value, "parts", none);
        auto part = [&](int64_t k) { return subscript(in, parts, PyValue::object(py::integer(k))); };
        bool isDict = !isContainer(value, "Set") && !isContainer(value, "Deque");
        int64_t first = isContainer(value, "DefaultDict"); // behind its factory
        addChange(number, {}, [&] { add(isDict ? PyValue::sequence({part(first), part(first + 1)}) : part(0)); });
      }
      continue;
    }
    for (const py::Object &key : heldKeys(in, value)) {
      auto before = llvm::find_if(
          container.held, [&](const auto &one) { return one.first == key || py::repr(one.first) == py::repr(key); });
      std::optional<PyValue> now = boundHeld(in, value, key);
      if (!now || (before != container.held.end() && before->second == *now))
        continue;
      addHeldChange(number, value, key, *now);
    }
    for (const auto &[key, before] : container.held)
      if (!holds(in, value, key))
        addChange(number, key, [&] { addAbsent(); });
  }
  form += ']';
}

void Results::addWithChanges(const PyValue &value) {
  form += '(';
  add(value);
  addChanges();
  form += ')';
}

} // namespace npcc::frontend

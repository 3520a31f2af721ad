// Names: reading them in Python's order of scopes, binding them, and the slots they go through.
#include "dialects/Np/Names.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Unions.h"

using namespace mlir;

namespace npcc::frontend {

Value Environment::slotFor(const std::string &name, Type type) {
  Value &slot = frame->slots[{name, const_cast<void *>(type.getAsOpaquePointer())}];
  if (!slot) {
    OpBuilder::InsertionGuard guard(ir);
    if (frame->entry)
      ir.setInsertionPoint(frame->entry);
    else
      ir.setInsertionPointToStart(&ir.function.getBody().front());
    slot = np::VarOp::create(ir, frame->callLoc, np::SlotType::get(ir.getContext(), type), name);
  }
  return slot;
}

void Environment::checkBound(const PyValue &binding, const std::string &name) {
  if (binding.boundSlot) {
    unboundReads.insert(name);
    Value isBound = np::GetOp::create(ir, ir.getI1Type(), binding.boundSlot);
    if (name[0] == '@') {
      ir.check(isBound, "AttributeError", "the object has no '" + StringRef(name).split('.').second + "' here");
      return;
    }
    ir.check(isBound, "UnboundLocalError",
             "cannot access local variable '" + Twine(name) + "' where it is not associated with a value");
  }
}

PyValue Environment::readSlot(PyValue &binding, const std::string &name) {
  checkBound(binding, name);
  PyValue value = heldBy(in, binding);
  value.slot = binding.slot;
  binding = value;
  return value;
}

/// Reads what is inside a tuple that went through slots item by item.
static PyValue readItems(Interpreter &in, PyValue &binding, const std::string &name) {
  if (binding.is(PyValue::Kind::Slot))
    return in.env.readSlot(binding, name);
  if (binding.is(PyValue::Kind::Union)) {
    in.env.checkBound(binding, name);
    binding = readUnion(in, binding);
    if (binding->items.size() == 1) // it could only be unbound
      binding = binding->items[0];
    return binding;
  }
  if (!binding.hasItems())
    return binding;
  bool any = false;
  for (const PyValue &item : binding->items)
    any |= item.is(PyValue::Kind::Slot) || item.is(PyValue::Kind::Union) || item.hasItems();
  if (!any)
    return binding;
  std::vector<PyValue> items = binding->items;
  for (PyValue &item : items)
    item = readItems(in, item, name);
  if (items == binding->items)
    return binding;
  binding = binding.withItems(items);
  return binding;
}

static const py::Object &cellClass() {
  static const py::Object cls = py::lookup("types.CellType");
  return cls;
}

static const py::Object &cellKey() {
  static const py::Object key = py::string("value");
  return key;
}

PyValue cellObject(unsigned id) {
  auto data = std::make_shared<Composite>();
  data->cls = cellClass();
  data->id = id;
  return PyValue::composite(PyValue::Kind::Instance, data);
}

PyValue newCell(Interpreter &in) { return newInstance(in, cellClass()); }

bool isCell(const PyValue &value) { return value.is(PyValue::Kind::Instance) && value->cls == cellClass(); }

void setCell(Interpreter &in, const PyValue &cell, const PyValue &value) { storeHeld(in, cell, cellKey(), value); }

/// Names that functions inside a definition assign to.
static const std::vector<std::string> &namesShared(const py::Object &definition) {
  static const py::Object question = py::import("npcc.definitions")["names_shared"];
  static std::map<PyObject *, std::pair<py::Object, std::vector<std::string>>>
      known; // which keeps the definitions, too
  auto [found, isNew] = known.try_emplace(definition.get(), definition, std::vector<std::string>());
  if (isNew)
    for (const py::Object &name : py::elements(py::call(question, {definition})))
      found->second.second.push_back(py::toString(name.get()));
  return found->second.second;
}

void Environment::makeCells() {
  for (const std::string &name : namesShared(frame->definition)) {
    if (!frame->locals.count(name))
      continue;
    PyValue cell = newCell(in);
    frame->cells[name] = cell->id;
    auto found = frame->bindings.find(name);
    if (found == frame->bindings.end())
      continue;
    setCell(in, cell, found->second);
    frame->bindings.erase(name);
  }
}

Frame *Environment::around(const Frame &scope, const std::string &name) {
  return in.syntax.globalNames(scope.definition).count(name) ? nullptr : scope.parent.get();
}

std::optional<PyValue> Environment::cellOf(const std::string &name) {
  for (Frame *scope = frame.get(); scope; scope = around(*scope, name)) {
    if (auto found = scope->cells.find(name); found != scope->cells.end())
      return cellObject(found->second);
    if (scope->locals.count(name))
      return std::nullopt;
  }
  return std::nullopt;
}

PyValue askedInPlaces(Interpreter &in, const PyValue &iterator) {
  if (iterator.isPoison() || in.env.frame->isLibrary || !in.currentNode || isGenerator(iterator))
    return iterator;
  std::string site = siteOf(in, in.currentNode);
  if (isResumedAt(in, site))
    return callIteration(in, "iterator_over", {iterator});
  if (iterator.is(PyValue::Kind::Iterator)) {
    iterator->site = site;
    iterator->depth = in.env.depth;
  } else if (iterator.hasItems() && iterator->isList) {
    iterator->generator = site;
  }
  return iterator;
}

/// What a name of the program's holds, where that is an iterator, or the list of the items of one: it gives them once,
/// to whoever reads the name first. False where the name is read in a loop that the iterator was not made in.
static bool useIterator(Interpreter &in, const PyValue &value) {
  bool isOne = value.is(PyValue::Kind::Iterator) && value->name != "generator" && !value->site.empty();
  if (!isOne && !(value.hasItems() && !value->generator.empty()))
    return true;
  std::string site = isOne ? value->site : value->generator;
  if (value->depth < in.env.depth && in.outlines && in.outlines->loops > 0) {
    noteResumedAt(in, site);
    return false;
  }
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    frame->bindings.update([&](const PyValue &other) { return other.kind() == value.kind() && &*other == &*value; },
                           [&](const PyValue &) {
                             PyValue conflict = PyValue::conflict("is an iterator whose items have been used");
                             conflict->site = site; // where it is read again
                             return conflict;
                           });
  return true;
}

PyValue Environment::readName(const py::Object &node, const std::string &name) {
  auto unbound = [&] {
    return in.fail(node, "UnboundLocalError: cannot access local variable '" + Twine(name) +
                             "' where it is not associated with a value");
  };
  for (Frame *scope = frame.get(); scope; scope = around(*scope, name)) {
    if (auto cell = scope->cells.find(name); cell != scope->cells.end()) {
      PyValue object = cellObject(cell->second);
      return holds(in, object, cellKey()) ? readHeld(in, object, cellKey()) : unbound();
    }
    if (scope->locals.count(name) || name[0] == '%' || name[0] == '@') {
      auto found = scope->bindings.find(name);
      if (found == scope->bindings.end() || found->second.is(PyValue::Kind::Unbound)) {
        unboundReads.insert(name);
        return unbound();
      }
      if (found->second.is(PyValue::Kind::Conflict)) {
        noteResumedAt(in, found->second->site);
        bool isResult = name == "%return" || name == "%result", isExpression = name[0] == '%';
        std::string subject = isResult ? "the result" : isExpression ? "this expression" : "'" + name + "'";
        PyValue conflict = found->second;
        PyValue failed = in.fail(node, subject + " " + conflict->name,
                                 isExpression ? "give both the same type" : "use another name for one of them");
        noteDeferred(in, conflict);
        return failed;
      }
      // What an enclosing scope's name held is not remembered there: this may be one branch of many.
      PyValue binding = found->second;
      bool isRead = binding.is(PyValue::Kind::Slot) || binding.is(PyValue::Kind::Union) || binding.hasItems();
      PyValue value = readItems(in, binding, name);
      if (isRead && scope == frame.get())
        scope->bindings[name] = binding;
      if (!frame->isLibrary && name[0] != '%' && name[0] != '@' && !useIterator(in, binding))
        return in.fail(node, "an iterator is gone over in a loop that it was not made in", "make it where it is used");
      return value;
    }
    if (py::Object cell = freeCell(scope->closure, name)) {
      if (std::optional<AssignedPlace> place = assignedCell(in, cell))
        if (std::optional<PyValue> value = readAssigned(in, *place))
          return *value;
      return ofGlobal(in, cell["cell_contents"]);
    }
  }
  if (std::optional<AssignedPlace> place = assignedPlace(in, frame->globals, name)) {
    if (std::optional<PyValue> value = readAssigned(in, *place))
      return *value;
    return in.fail(node, "NameError: name '" + Twine(name) + "' is not defined");
  }
  if (frame->globals)
    if (PyObject *object = PyDict_GetItemWithError(frame->globals.get(), py::string(name).get())) {
      if (in.report && !frame->isLibrary)
        in.report->globals[name] = py::Object::borrow(object);
      return ofGlobal(in, py::Object::borrow(object));
    }
  if (py::Object builtin = py::import("builtins")[name.c_str()])
    return PyValue::object(builtin);
  std::vector<py::Object> names;
  for (Frame *scope = frame.get(); scope; scope = scope->parent.get())
    for (const std::string &local : scope->locals)
      names.push_back(py::string(local));
  py::Object meant = py::call(py::lookup("npcc.errors.meant"), {py::string(name), py::list(names), frame->globals});
  return in.fail(node, "NameError: name '" + Twine(name) + "' is not defined", meant ? py::toString(meant.get()) : "");
}

/// The value without the slots that it was read from: those are of other names, and will hold something else.
static PyValue forgetSlots(PyValue value) {
  if (value.isRuntime())
    value.slot = Value();
  if (value.is(PyValue::Kind::Union)) {
    std::vector<PyValue> items = value->items;
    for (PyValue &item : items)
      item = forgetSlots(item);
    auto data = std::make_shared<Composite>();
    data->items = std::move(items);
    return PyValue::unionValue(value.ir(), data);
  }
  // A list is one object under all its names.
  bool anySlot = (value.isTabled() || value.isRecords() || (value.isSequence() && !value->isList)) &&
                 llvm::any_of(value->items, [](const PyValue &item) {
                   return item.isSequence() || item.isRecords() || (item.isRuntime() && item.slot);
                 });
  if (!anySlot)
    return value;
  std::vector<PyValue> items = value->items;
  for (PyValue &item : items)
    item = forgetSlots(item);
  return value.withItems(std::move(items));
}

PyValue Environment::bound(PyValue value) {
  value = forgetSlots(std::move(value));
  if (value.isRuntime() && value.tensorType() && value.rank() > 0)
    return PyValue::runtime(ir.newArray(value.ir()));
  // A list that is no object is bound to its name anew where it changes, which a method that waits would not see.
  if (value.is(PyValue::Kind::Method) && isList(value->items[0]))
    return needsBox(in, value->items[0], "a method of this list cannot be a value", "call it where it is named");
  return value;
}

void Environment::bindName(const std::string &name, PyValue value) {
  if (std::optional<PyValue> cell = cellOf(name)) {
    storeHeld(in, *cell, cellKey(), bound(std::move(value)));
    return;
  }
  if (!frame->locals.count(name)) {
    py::Object cell;
    for (Frame *scope = frame.get(); scope && !cell; scope = around(*scope, name))
      cell = freeCell(scope->closure, name);
    std::optional<AssignedPlace> place = cell ? assignedCell(in, cell) : assignedPlace(in, frame->globals, name);
    if (place) {
      storeAssigned(in, *place, value);
      return;
    }
  }
  if (!frame->locals.count(name) && name[0] != '%') {
    in.fail("'" + Twine(name) + "' belongs to an enclosing scope and cannot be assigned to",
            "return the value instead");
    return;
  }
  frame->bindings[name] = bound(std::move(value));
}

} // namespace npcc::frontend

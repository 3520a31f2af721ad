#include "frontend/importer/Objects.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Classes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

static std::string keysName(const PyValue &instance) { return "@" + std::to_string(instance->id); }

static std::string heldName(const PyValue &instance, const py::Object &key) {
  bool isAttribute = (!isDictionary(instance) || instance->isOfObject) && PyUnicode_Check(key.get());
  return keysName(instance) + "." + (isAttribute ? py::toString(key.get()) : py::repr(key));
}

static const py::Object &dictType() {
  static const py::Object type = py::import("builtins")["dict"];
  return type;
}

bool isDictionary(const PyValue &value) { return value.is(PyValue::Kind::Instance) && value->cls == dictType(); }

/// One tuple for all equal ones: where paths meet, the same keys are the same object.
static PyValue interned(const std::vector<py::Object> &keys) {
  static std::map<std::string, py::Object> known;
  py::Object tuple = py::tuple(keys);
  py::Object &one = known[py::repr(tuple)];
  if (!one)
    one = tuple;
  return PyValue::object(one);
}

PyValue newInstance(Interpreter &in, const py::Object &cls) {
  auto data = std::make_shared<Composite>();
  data->cls = cls;
  data->id = ++in.env.instances;
  PyValue instance = PyValue::composite(PyValue::Kind::Instance, data);
  in.env.frame->bindings[keysName(instance)] = interned({});
  return instance;
}

void makeAgain(Interpreter &in, const PyValue &instance) { in.env.frame->bindings[keysName(instance)] = interned({}); }

/// All keys that an object has on some path.
static std::vector<py::Object> possibleKeys(Interpreter &in, const PyValue &instance) {
  if (isPythons(instance)) {
    in.fail("an object of Python's cannot be taken apart by compiled code");
    return {};
  }
  if (instance.isTabled())
    return tabledKeys(in, instance);
  auto found = in.env.frame->bindings.find(keysName(instance));
  if (found == in.env.frame->bindings.end() || !found->second.isObject()) {
    const char *hint = "give it the same ones on all paths";
    if (isDictionary(instance)) // one with computed keys may
      needsBox(in, instance, "the keys of this dict differ from path to path", hint);
    else
      in.fail("the attributes of this object differ from path to path", hint);
    return {};
  }
  return py::elements(found->second.object());
}

std::vector<py::Object> heldKeys(Interpreter &in, const PyValue &instance) {
  std::vector<py::Object> keys = possibleKeys(in, instance);
  bool mayLackAny = false;
  if (instance.isTabled())
    for (const py::Object &key : keys)
      if (mayLack(in, instance, py::toString(key.get()))) {
        if (isDictionary(instance)) {
          needsBox(in, instance, "the keys of these dicts differ", "give them the same ones on all paths");
          return {};
        }
        in.fail("some of many objects may lack the attribute '" + py::toString(key.get()) + "'",
                "let their constructor set it");
        return {};
      }
  if (isDictionary(instance) && !instance.isTabled())
    for (const py::Object &key : keys)
      mayLackAny |= asObject(in, isHeld(in, instance, key)).get() != Py_True;
  if (!mayLackAny)
    return keys;
  needsBox(in, instance, "the keys of this dict differ from path to path", "give it the same ones on all paths");
  return {};
}

bool holds(Interpreter &in, const PyValue &instance, const py::Object &key) {
  if (isPythons(instance))
    return !possibleKeys(in, instance).empty();
  if (instance.isTabled())
    return llvm::any_of(tabledKeys(in, instance),
                        [&](const py::Object &one) { return py::repr(one) == py::repr(key); });
  std::string name = heldName(instance, key);
  auto found = in.env.frame->bindings.find(name);
  bool isFound = found != in.env.frame->bindings.end() && !found->second.is(PyValue::Kind::Unbound);
  if (!isFound)
    in.env.unboundReads.insert(std::move(name)); // a loop's next iteration may find it
  return isFound;
}

PyValue isHeld(Interpreter &in, const PyValue &instance, const py::Object &key) {
  if (!holds(in, instance, key))
    return PyValue::object(py::boolean(false));
  if (instance.isTabled() && mayLack(in, instance, py::toString(key.get())))
    return isSet(in, instance, py::toString(key.get()));
  Value bound = instance.isTabled() ? Value() : in.env.frame->bindings[heldName(instance, key)].boundSlot;
  return bound ? PyValue::runtime(np::GetOp::create(in.ir, in.ir.getI1Type(), bound))
               : PyValue::object(py::boolean(true));
}

PyValue boundKeys(Interpreter &in, const PyValue &instance) {
  auto found = in.env.frame->bindings.find(keysName(instance));
  return found == in.env.frame->bindings.end() ? PyValue::poison() : found->second;
}

std::optional<PyValue> boundHeld(Interpreter &in, const PyValue &instance, const py::Object &key) {
  if (!holds(in, instance, key))
    return std::nullopt;
  return instance.isTabled() ? readTabled(in, instance, key) : in.env.frame->bindings[heldName(instance, key)];
}

PyValue readHeld(Interpreter &in, const PyValue &instance, const py::Object &key) {
  if (isPythons(instance))
    return runSimple(in, "return getattr(a, b)", {instance, PyValue::object(key)}, 'o');
  if (!holds(in, instance, key)) {
    if (isDictionary(instance))
      return in.fail("KeyError: " + py::repr(key));
    if (isResumable(instance) && py::lookup("types.GeneratorType")[py::toString(key.get()).c_str()])
      return in.fail("'" + py::toString(key.get()) + "' of a generator cannot be compiled", "use next() and send()");
    std::string name = py::toString(key.get());
    if (refusesSeen(in, instance->cls, name))
      return PyValue::poison();
    return in.fail("AttributeError: '" + visibleName(instance->cls) + "' object has no attribute '" + name + "'");
  }
  if (instance.isTabled())
    return readTabled(in, instance, key);
  std::string name = heldName(instance, key);
  PyValue &binding = in.env.frame->bindings[name];
  if (binding.boundSlot && !isDictionary(instance)) {
    in.env.unboundReads.insert(name);
    in.ir.check(np::GetOp::create(in.ir, in.ir.getI1Type(), binding.boundSlot), "AttributeError",
                "'" + visibleName(instance->cls) + "' object has no attribute '" + py::toString(key.get()) + "'");
    binding.boundSlot = {};
  }
  return in.env.readName(in.currentNode, name);
}

void storeHeld(Interpreter &in, const PyValue &instance, const py::Object &key, const PyValue &value) {
  if (isPythons(instance)) {
    runSimple(in, "setattr(a, b, c)", {instance, PyValue::object(key), value}, 'o');
    return;
  }
  if (instance.isTabled())
    return storeTabled(in, instance, key, value);
  std::vector<py::Object> keys = possibleKeys(in, instance);
  std::string name = heldName(instance, key);
  if (llvm::none_of(keys, [&](const py::Object &one) { return heldName(instance, one) == name; })) {
    keys.push_back(key);
    in.env.frame->bindings[keysName(instance)] = interned(keys);
  }
  in.env.frame->bindings[name] = in.env.bound(value);
}

void deleteHeld(Interpreter &in, const PyValue &instance, const py::Object &key) {
  if (instance.isTabled() && isDictionary(instance)) {
    needsBox(in, instance, "a key of one of many dicts is removed", "give it another value");
    return;
  }
  if (instance.isTabled()) {
    in.fail("an attribute of one of many objects cannot be deleted", "give it another value");
    return;
  }
  std::vector<py::Object> keys = possibleKeys(in, instance);
  std::string name = heldName(instance, key);
  llvm::erase_if(keys, [&](const py::Object &one) { return heldName(instance, one) == name; });
  in.env.frame->bindings[keysName(instance)] = interned(keys);
  in.env.frame->bindings.erase(name);
}

Bindings heldBindings(const Bindings &bindings) { return bindings.between("@", "A"); }

void moveHeld(const Bindings &from, Bindings &to) { to.takeBetween("@", "A", from); }

std::optional<unsigned> instanceOf(StringRef name) {
  unsigned id;
  if (!name.consume_front("@") || name.take_until([](char c) { return c == '.'; }).getAsInteger(10, id))
    return std::nullopt;
  return id;
}

void reachedInstances(const PyValue &value, std::set<unsigned> &ids) {
  if (value.is(PyValue::Kind::Instance))
    ids.insert(value->id);
  bool hasParts = value.hasItems() || value.is(PyValue::Kind::Union) || value.is(PyValue::Kind::Method) ||
                  value.is(PyValue::Kind::Iterator) || value.is(PyValue::Kind::Function);
  if (!hasParts)
    return;
  for (const PyValue &item : value->items)
    reachedInstances(item, ids);
}

//===---- Attributes ----===//

PyValue boundMethod(const PyValue &receiver, const std::string &name) {
  auto data = std::make_shared<Composite>();
  data->items.push_back(receiver);
  data->name = name;
  return PyValue::composite(PyValue::Kind::Method, data);
}

/// An attribute as the class has it, without binding it: what stands in the first __dict__ of `mro` that has it.
static py::Object inClass(const std::vector<py::Object> &mro, const std::string &name) {
  static const py::Object nothing = py::call(py::lookup("builtins.object"), {}); // None may be an attribute
  for (const py::Object &base : mro) {
    py::Object found = py::call(base["__dict__"]["get"], {py::string(name), nothing});
    if (!found || found == nothing)
      continue;
    bool isFunction = llvm::StringRef(py::typeName(found)).ends_with("unction");
    bool isCompiled = isFunction && found["py_func"] && found["fallbacks"]; // by npcc.jit: a part of what is imported
    return isCompiled ? found["py_func"] : found;
  }
  return {};
}

static PyValue callInClass(Interpreter &in, const py::Object &found, const PyValue &instance, Call &call) {
  std::string type = py::typeName(found);
  if (type == "staticmethod")
    return callObject(in, found["__func__"], call);
  Call bound = call;
  bound.args.insert(bound.args.begin(), type == "classmethod" ? PyValue::object(instance->cls) : instance);
  return callObject(in, type == "classmethod" ? found["__func__"] : found, bound);
}

PyValue attributesOf(const PyValue &instance) {
  static const py::Object dict = py::import("builtins")["dict"];
  auto data = std::make_shared<Composite>(*instance);
  data->cls = dict;
  data->isOfObject = true;
  data->site.clear();
  return instance.withData(data);
}

PyValue instanceAttribute(Interpreter &in, const PyValue &instance, const std::string &name) {
  if (isPythons(instance))
    return runSimple(in, "return a." + name, {instance}, 'o');
  py::Object key = py::string(name);
  py::Object found = inClass(instance->cls.list("__mro__"), name);
  std::string type = found ? py::typeName(found) : "";
  auto computed = [&](const char *function) {
    Call call;
    call.args.push_back(instance);
    return callObject(in, found[function], call);
  };
  if (type == "property")
    return computed("fget");
  if (name == "__dict__" && !isDictionary(instance))
    return attributesOf(instance);
  PyValue isOwn = isHeld(in, instance, key);
  auto own = [&] { return readHeld(in, instance, key); };
  auto ofClass = [&]() -> PyValue {
    if (!found) {
      if (std::optional<PyValue> value = callSpecial(in, instance, "__getattr__", PyValue::object(key)))
        return *value;
      return own(); // the error
    }
    if (type == "function" || type == "staticmethod" || type == "classmethod")
      return boundMethod(instance, name);
    if (type == "member_descriptor") // an empty slot
      return own();
    if (type == "cached_property") {
      PyValue value = in.env.bound(computed("func"));
      if (!value.isPoison() && in.env.isReachable)
        storeHeld(in, instance, key, value);
      return value;
    }
    if (std::optional<PyValue> value = assignedAttribute(in, instance->cls.list("__mro__"), name))
      return *value;
    return fromObject(in, found);
  };
  bool isElsewhere = (found && type != "member_descriptor") || instance->cls["__getattr__"];
  return isOwn.isRuntime() && !isElsewhere ? own() : choose(in, isOwn, own, ofClass);
}

bool storesAttributes(const PyValue &value) {
  return value.is(PyValue::Kind::Instance) || value.isRecords() ||
         (value.isSequence() && value->cls && py::typeName(value->cls["__setattr__"]) == "function");
}

void storeAttribute(Interpreter &in, const PyValue &instance, const std::string &name, const PyValue &value) {
  if (instance.isRecords()) {
    if (!recordsAttribute(in, instance, name).isPoison())
      storeRecords(in, instance, PyValue::object(py::string(name)), value);
    return;
  }
  if (instance.isSequence()) {
    callSpecial(in, instance, "__setattr__", {PyValue::object(py::string(name)), value});
    return;
  }
  if (isDictionary(instance) || isBox(instance)) {
    in.fail("AttributeError: '" + instance->cls.string("__name__") + "' object has no attribute '" + name + "'");
    return;
  }
  if (isFrozen(instance->cls)) {
    in.fail("FrozenInstanceError: cannot assign to field '" + name + "'");
    return;
  }
  py::Object found = inClass(instance->cls.list("__mro__"), name);
  if (found && py::typeName(found) == "property") {
    py::Object setter = found["fset"];
    if (setter.isNone()) {
      in.fail("AttributeError: property '" + name + "' of '" + instance->cls.string("__name__") +
              "' object has no setter");
      return;
    }
    Call call;
    call.args = {instance, value};
    callObject(in, setter, call);
    return;
  }
  if (!callSpecial(in, instance, "__setattr__", {PyValue::object(py::string(name)), value}))
    storeHeld(in, instance, py::string(name), value);
}

PyValue holdAttribute(Interpreter &in, Call &call) {
  py::Object name = call.args.size() == 3 ? asObject(in, call.args[1]) : py::Object();
  if (!name || !PyUnicode_Check(name.get()) || !call.args[0].is(PyValue::Kind::Instance))
    return in.fail(
        "object.__setattr__ takes an object of a class of the program's, a name known at compile time, and a value");
  storeHeld(in, call.args[0], name, call.args[2]);
  return PyValue::object(py::none());
}

PyValue callInstanceMethod(Interpreter &in, const PyValue &instance, const std::string &name, Call &call) {
  if (isPythons(instance))
    return callInPython(in, instanceAttribute(in, instance, name), call);
  if (isDictionary(instance))
    return callDictMethod(in, instance, name, call);
  if (isBox(instance))
    return callBoxMethod(in, instance, name, call);
  py::Object found = inClass(instance->cls.list("__mro__"), name);
  if (found && !holds(in, instance, py::string(name)))
    return callInClass(in, found, instance, call);
  return callValue(in, readHeld(in, instance, py::string(name)), call);
}

PyValue callTupleMethod(Interpreter &in, const PyValue &tuple, const std::string &name, Call &call) {
  std::vector<py::Object> fields = tuple->cls.list("_fields");
  if (name == "_asdict" && call.args.empty()) {
    PyValue dict = newInstance(in, dictType());
    for (auto [field, item] : llvm::zip(fields, tuple->items))
      storeHeld(in, dict, field, item);
    return dict;
  }
  if (name == "_replace" && call.args.empty()) {
    std::vector<PyValue> items = tuple->items;
    for (const auto &[keyword, value] : call.keywords) {
      auto at = llvm::find_if(fields, [&](const py::Object &field) { return py::toString(field.get()) == keyword; });
      if (at == fields.end())
        return in.fail("TypeError: Got unexpected field names: ['" + keyword + "']");
      items[at - fields.begin()] = in.env.bound(value);
    }
    return tuple.withItems(std::move(items));
  }
  py::Object found = inClass(tuple->cls.list("__mro__"), name);
  Call bound = call;
  bound.args.insert(bound.args.begin(), tuple);
  return callObject(in, found, bound);
}

std::optional<PyValue> callSpecial(Interpreter &in, const PyValue &instance, const std::string &name,
                                   ArrayRef<PyValue> arguments, ArrayRef<std::pair<std::string, PyValue>> keywords) {
  bool isNamedTuple = instance.isSequence() && instance->cls;
  if (!isNamedTuple && (!instance.is(PyValue::Kind::Instance) || isDictionary(instance) || isBox(instance)))
    return std::nullopt;
  if (isPythons(instance))
    return std::nullopt;
  py::Object found = inClass(instance->cls.list("__mro__"), name);
  if (!found && instance.is(PyValue::Kind::Instance) && refusesSeen(in, instance->cls, name))
    return PyValue::poison();
  if (!found || py::typeName(found) != "function")
    return std::nullopt;
  Call call;
  call.args.assign(arguments.begin(), arguments.end());
  call.keywords.assign(keywords.begin(), keywords.end());
  return callInClass(in, found, instance, call);
}

py::Object classOf(const PyValue &value) {
  if (value.is(PyValue::Kind::Instance))
    return value->cls;
  return value.isObject() ? value.object()["__class__"] : py::Object();
}

std::optional<PyValue> callOperator(Interpreter &in, const PyValue &operand, const std::string &name,
                                    const PyValue &other) {
  if (!operand.isObject() || other.isObject())
    return callSpecial(in, operand, name, {other});
  std::string module = classOf(operand).string("__module__");
  StringRef package = StringRef(module).split('.').first;
  if (PyType_Check(operand.object().get()) || package == "numpy" || package == "npcc") // np.mgrid
    return std::nullopt;
  py::Object found = inClass(classOf(operand).list("__mro__"), name);
  if (!found || py::typeName(found) != "function")
    return std::nullopt;
  Call call;
  call.args = {operand, other};
  return callObject(in, found, call);
}

PyValue asIndex(Interpreter &in, const PyValue &value) {
  return callSpecial(in, value, "__index__", {}).value_or(value);
}

//===---- super() ----===//

PyValue makeSuper(Interpreter &in, Call &call) {
  py::Object args = in.env.frame->definition["args"];
  py::Object cls = freeValue(in.env.frame->closure, "__class__");
  std::vector<py::Object> parameters = args ? args.list("args") : std::vector<py::Object>();
  if (!call.args.empty() || !cls || parameters.empty())
    return in.fail("super() is compiled without arguments, in methods of classes");
  PyValue self = in.env.readName(in.currentNode, parameters[0].string("arg"));
  if (self.isPoison() || !self.is(PyValue::Kind::Instance))
    return self.isPoison() ? self : in.fail("super(): no object of a class of the program's");
  auto data = std::make_shared<Composite>();
  data->items = {self, PyValue::object(cls)};
  data->name = "super";
  return PyValue::composite(PyValue::Kind::Iterator, data);
}

PyValue callSuperMethod(Interpreter &in, const PyValue &super, const std::string &name, Call &call) {
  const PyValue &self = super->items[0];
  std::vector<py::Object> mro = self->cls.list("__mro__");
  auto at = llvm::find(mro, super->items[1].object());
  if (at != mro.end())
    mro.erase(mro.begin(), at + 1);
  py::Object found = inClass(mro, name);
  if (found && py::typeName(found) == "wrapper_descriptor" && name == "__init__") { // of a class of Python's own
    py::Object ofExceptions = py::import("builtins")["BaseException"];
    if (py::isTrue(py::call(py::import("builtins")["issubclass"], {self->cls, ofExceptions})))
      storeHeld(in, self, py::string("args"), PyValue::sequence(call.args));
    return PyValue::object(py::none());
  }
  if (!found)
    return in.fail("AttributeError: 'super' object has no attribute '" + name + "'");
  return callInClass(in, found, self, call);
}

} // namespace npcc::frontend

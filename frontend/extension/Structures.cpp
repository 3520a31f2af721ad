// Arguments that are containers or objects, taken apart: what npcc/structures.py does, which explains the forms, for
// the kinds that most calls have. It leaves the others, and all errors, to that.
#include "frontend/extension/Extension.h"
#include <unordered_map>

using namespace npcc;
using namespace npcc::extension;

namespace {

constexpr Py_ssize_t mostItems = 256, mostKnownTuples = 16; // as in structures.py
constexpr int mostDepth = 16;
constexpr Py_ssize_t mostRemembered = 4096;

/// What is the same in all forms.
struct Words {
  py::Object leaf = form("leaf"), text = form("text"), known = word("known"), list = word("list"),
             tuple = word("tuple"), named = word("named"), range = word("range"), dict = word("dict"),
             set = word("set"), frozenset = word("frozenset"), grown = word("grown"), object = word("object"),
             same = word("same"), attributes = word("__dict__"), fields = word("_fields"),
             constant = py::lookup("npcc.constants.Constant"), function = py::lookup("types.FunctionType"),
             method = py::lookup("types.MethodType"), partial = py::lookup("functools.partial"),
             slots = py::lookup("npcc.structures.slots_of_plain_class");

  static py::Object word(const char *text) { return py::Object::take(PyUnicode_InternFromString(text)); }
  static py::Object form(const char *text) { return py::tuple({word(text)}); }
};

class Taker {
public:
  /// `texts`: strings are leaves.
  Taker(bool grows, bool texts) : grows(grows), texts(texts) {}

  /// The form of a value, whose leaves and containers are noted; null where structures.py has to look at it.
  py::Object form(PyObject *value, int depth) {
    if (auto found = numbers.find(value); found != numbers.end())
      return py::tuple({words().same, py::integer(found->second)});
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type || type == &PyComplex_Type)
      return leaf(value);
    if (type == &PyUnicode_Type && texts) {
      leaves.push_back(value);
      return words().text;
    }
    if (value == Py_None || type == &PyUnicode_Type)
      return py::tuple({words().known, constantOf(value)});
    if (type == &PyList_Type)
      return listForm(value, depth);
    if (type == &PyTuple_Type)
      return wrapped(words().tuple, items(value, depth));
    if (type == &PyDict_Type)
      return dictForm(value, depth);
    if (type == &PySet_Type || type == &PyFrozenSet_Type)
      return setForm(value, depth);
    if (type == &PyRange_Type)
      return rangeForm(value);
    // One without a closure is known, the others are taken apart there, as methods and partial calls are.
    if (py::Object own = py::Object::borrow(reinterpret_cast<PyObject *>(type)); own == words().function)
      return hasClosure(value) ? py::Object() : py::tuple({words().known, constantOf(value)});
    else if (own == words().method || own == words().partial)
      return {};
    if (PyTuple_Check(value) && PyObject_HasAttr(value, words().fields.get()))
      return wrapped(words().named, items(value, depth), reinterpret_cast<PyObject *>(type));
    return otherForm(value, depth);
  }

  std::vector<PyObject *> leaves;
  std::vector<PyObject *> containers;
  std::vector<py::Object> made; // leaves that no argument holds

private:
  static Words &words() {
    static Words all;
    return all;
  }

  static py::Object wrapped(const py::Object &word, const py::Object &forms, PyObject *cls = nullptr) {
    if (!forms)
      return {};
    return cls ? py::tuple({word, py::Object::borrow(cls), forms}) : py::tuple({word, forms});
  }

  static bool hasClosure(PyObject *function) {
    py::Object closure = py::Object::take(PyObject_GetAttrString(function, "__closure__"));
    return closure && !closure.isNone();
  }

  py::Object leaf(PyObject *value) {
    leaves.push_back(value);
    return words().leaf;
  }

  void container(PyObject *value) {
    numbers[value] = containers.size();
    containers.push_back(value);
  }

  /// npcc.constants.Constant(value), which equal ones share.
  static py::Object constantOf(PyObject *value) {
    static py::Object strings = py::Object::take(PyDict_New());
    if (!PyUnicode_CheckExact(value))
      return py::call(words().constant, {py::Object::borrow(value)});
    if (PyObject *found = PyDict_GetItemWithError(strings.get(), value))
      return py::Object::borrow(found);
    py::Object made = py::call(words().constant, {py::Object::borrow(value)});
    if (PyDict_Size(strings.get()) >= mostRemembered)
      PyDict_Clear(strings.get());
    if (made)
      PyDict_SetItem(strings.get(), value, made.get());
    return made;
  }

  /// Whether a call takes the value as an array, a number or a list of numbers; nothing where it takes it as none of
  /// what it knows.
  static std::optional<bool> isLeaf(PyObject *value) {
    npcc_argument argument;
    int failed = npcc_read_argument(value, &argument);
    Py_XDECREF(argument.owner);
    if (!failed)
      return argument.key != NPCC_KEY_CONSTANT;
    PyErr_Clear();
    return std::nullopt;
  }

  /// Whether a list may be one of numbers, as its first item has it.
  static bool mayBeOfNumbers(PyObject *list) {
    PyObject *first = list;
    while (first && PyList_CheckExact(first) && PyList_Size(first))
      first = PyList_GetItem(first, 0);
    return !PyUnicode_Check(first) && !PyTuple_Check(first) && !PyDict_Check(first) && first != Py_None;
  }

  static bool isListOfNumbers(PyObject *list) { return mayBeOfNumbers(list) && isLeaf(list).value_or(false); }

  py::Object items(PyObject *values, int depth) {
    // What it holds, whatever a class of the program calls its length.
    Py_ssize_t count = PyTuple_Check(values) ? PyTuple_Size(values) : PyList_Size(values);
    PyObject *first = PyList_CheckExact(values) && count > mostKnownTuples ? PyList_GetItem(values, 0) : nullptr;
    bool mayBeRows = first && (PyTuple_Check(first) || PyUnicode_CheckExact(first));
    if (count > mostItems || depth > mostDepth || mayBeRows)
      return {};
    py::Object forms = py::Object::take(PyTuple_New(count));
    for (Py_ssize_t k = 0; k < count; ++k) {
      PyObject *value = PyTuple_Check(values) ? PyTuple_GetItem(values, k) : PyList_GetItem(values, k);
      py::Object one = value ? form(value, depth + 1) : py::Object();
      if (!one)
        return {};
      PyTuple_SetItem(forms.get(), k, Py_NewRef(one.get()));
    }
    return forms;
  }

  py::Object listForm(PyObject *list, int depth) {
    if (!grows && isListOfNumbers(list))
      return leaf(list);
    container(list);
    if (!grows)
      return wrapped(words().list, items(list, depth));
    Py_ssize_t count = PyList_Size(list);
    bool isOfLists = count && count <= mostItems && PyList_CheckExact(PyList_GetItem(list, 0));
    bool isOne = count && !isOfLists && isListOfNumbers(list);
    py::Object inner = isOne ? leaf(list) : wrapped(words().tuple, items(list, depth));
    return inner ? wrapped(words().grown, py::tuple({inner})) : inner;
  }

  py::Object setForm(PyObject *set, int depth) {
    container(set);
    made.push_back(py::Object::take(PySequence_List(set)));
    PyObject *list = made.back().get();
    bool isOne = PyList_Size(list) && isListOfNumbers(list);
    py::Object inner = isOne ? leaf(list) : wrapped(words().tuple, items(list, depth));
    return inner ? wrapped(PySet_CheckExact(set) ? words().set : words().frozenset, py::tuple({inner})) : inner;
  }

  py::Object dictForm(PyObject *dict, int depth) {
    container(dict);
    made.push_back(py::Object::take(PyDict_Values(dict)));
    py::Object values = made.back(), keys = py::Object::take(PyTuple_New(PyDict_Size(dict)));
    PyObject *key, *value;
    Py_ssize_t position = 0, number = 0;
    while (PyDict_Next(dict, &position, &key, &value)) {
      py::Object constant = constantOf(key);
      if (!constant)
        return {};
      PyTuple_SetItem(keys.get(), number++, Py_NewRef(constant.get()));
    }
    py::Object forms = items(values.get(), depth);
    return forms ? py::tuple({words().dict, keys, forms}) : forms;
  }

  py::Object rangeForm(PyObject *range) {
    std::vector<py::Object> forms;
    for (const char *bound : {"start", "stop", "step"}) {
      made.push_back(py::Object::take(PyObject_GetAttrString(range, bound)));
      forms.push_back(leaf(made.back().get()));
    }
    return wrapped(words().range, py::tuple(forms));
  }

  /// The names of the slots of the value's class, whose objects are what their attributes are; null for any other
  /// class.
  static PyObject *slotsOf(PyObject *value) {
    static py::Object classes = py::Object::take(PyDict_New());
    auto *type = reinterpret_cast<PyObject *>(Py_TYPE(value));
    PyObject *found = PyDict_GetItemWithError(classes.get(), type);
    if (!found) {
      py::Object slots = isLeaf(value) ? py::none() : py::call(words().slots, {py::Object::borrow(type)});
      if (PyDict_Size(classes.get()) >= mostRemembered)
        PyDict_Clear(classes.get());
      if (!slots || PyDict_SetItem(classes.get(), type, slots.get()))
        return nullptr;
      found = PyDict_GetItemWithError(classes.get(), type);
    }
    return found == Py_None ? nullptr : found;
  }

  py::Object otherForm(PyObject *value, int depth) {
    PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(value)), *slots = slotsOf(value);
    if (!slots) {
      std::optional<bool> asLeaf = isLeaf(value);
      if (!asLeaf)
        return {};
      return *asLeaf ? leaf(value) : py::tuple({words().known, constantOf(value)});
    }
    container(value);
    std::vector<py::Object> names, forms;
    auto add = [&](const py::Object &name, const py::Object &attribute) {
      made.push_back(attribute);
      py::Object one = depth < mostDepth ? form(attribute.get(), depth + 1) : py::Object();
      names.push_back(name);
      forms.push_back(one);
      return bool(one);
    };
    for (Py_ssize_t k = 0; k < PyTuple_Size(slots); ++k) {
      py::Object name = py::Object::borrow(PyTuple_GetItem(slots, k));
      py::Object attribute = py::Object::take(PyObject_GetAttr(value, name.get()));
      if (attribute && !add(name, attribute))
        return {};
    }
    py::Object held = py::Object::take(PyObject_GetAttr(value, words().attributes.get()));
    PyObject *name, *attribute;
    Py_ssize_t position = 0;
    while (held && PyDict_Next(held.get(), &position, &name, &attribute))
      if (!add(py::Object::borrow(name), py::Object::borrow(attribute)))
        return {};
    return py::tuple({words().object, py::Object::borrow(type), py::tuple(names), py::tuple(forms)});
  }

  bool grows, texts;
  std::unordered_map<PyObject *, size_t> numbers;
};

} // namespace

static PyObject *listOf(const std::vector<PyObject *> &items) {
  PyObject *list = PyList_New(items.size());
  for (size_t k = 0; list && k < items.size(); ++k)
    PyList_SetItem(list, k, Py_NewRef(items[k]));
  return list;
}

/// take_apart(arguments, grows, texts) -> (the form of each, their leaves, their containers), or None.
static PyObject *takeApart(PyObject *, PyObject *args) {
  PyObject *arguments;
  int grows, texts;
  if (!PyArg_ParseTuple(args, "O!pp", &PyTuple_Type, &arguments, &grows, &texts))
    return nullptr;
  Taker taker(grows, texts);
  py::Object forms = py::Object::take(PyTuple_New(PyTuple_Size(arguments)));
  for (Py_ssize_t k = 0; forms && k < PyTuple_Size(arguments); ++k) {
    py::Object form = taker.form(PyTuple_GetItem(arguments, k), 0);
    if (!form) {
      PyErr_Clear();
      return Py_NewRef(Py_None);
    }
    PyTuple_SetItem(forms.get(), k, Py_NewRef(form.get()));
  }
  py::Object leaves = py::Object::take(listOf(taker.leaves)), containers = py::Object::take(listOf(taker.containers));
  if (!forms || !leaves || !containers)
    return PyErr_NoMemory();
  return PyTuple_Pack(3, forms.get(), leaves.get(), containers.get());
}

PyMethodDef npcc::extension::structureMethods[] = {{"take_apart", takeApart, METH_VARARGS, nullptr},
                                                   {nullptr, nullptr, 0, nullptr}};

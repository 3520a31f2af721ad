#include "frontend/importer/PythonObject.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace npcc::py {

/// The str of a name, made once.
static PyObject *nameOf(llvm::StringRef name) {
  static llvm::StringMap<Object> names;
  Object &known = names[name];
  if (!known)
    known = Object::take(PyUnicode_InternFromString(name.str().c_str()));
  return known.get();
}

Object Object::operator[](const char *name) const {
  return pointer ? take(PyObject_GetAttr(pointer, nameOf(name))) : Object();
}

std::string Object::string(const char *name) const {
  Object value = (*this)[name];
  return value ? toString(value.get()) : "";
}

int64_t Object::integer(const char *name, int64_t otherwise) const {
  return asInteger((*this)[name]).value_or(otherwise);
}

std::vector<Object> Object::list(const char *name) const {
  Object value = (*this)[name];
  return value && !value.isNone() ? elements(value) : std::vector<Object>();
}

std::string toString(PyObject *unicode) {
  Py_ssize_t size = 0;
  const char *data = unicode && PyUnicode_Check(unicode) ? PyUnicode_AsUTF8AndSize(unicode, &size) : nullptr;
  if (!data) {
    PyErr_Clear();
    return "";
  }
  return std::string(data, size);
}

std::string repr(const Object &object) { return toString(Object::take(PyObject_Repr(object.get())).get()); }
std::string text(const Object &object) { return toString(Object::take(PyObject_Str(object.get())).get()); }
/// The names of the classes of syntax: most questions are about nodes.
static const llvm::DenseMap<PyTypeObject *, std::string> &nodeTypes() {
  static const llvm::DenseMap<PyTypeObject *, std::string> types = [] {
    llvm::DenseMap<PyTypeObject *, std::string> found;
    Object module = import("_ast"), names = Object::take(PyObject_Dir(module.get()));
    for (const Object &name : elements(names))
      if (Object cls = module[toString(name.get()).c_str()]; cls && PyType_Check(cls.get()))
        found[reinterpret_cast<PyTypeObject *>(cls.get())] =
            toString(Object::take(PyType_GetName(reinterpret_cast<PyTypeObject *>(cls.get()))).get());
    return found;
  }();
  return types;
}

std::string typeName(const Object &object) {
  if (auto known = nodeTypes().find(Py_TYPE(object.get())); known != nodeTypes().end())
    return known->second;
  return toString(Object::take(PyType_GetName(Py_TYPE(object.get()))).get());
}

bool isInstance(const Object &object, const Object &type) {
  int result = object && type ? PyObject_IsInstance(object.get(), type.get()) : 0;
  if (result < 0)
    PyErr_Clear();
  return result == 1;
}

std::vector<Object> elements(const Object &iterable, bool *ok) {
  std::vector<Object> result;
  if (iterable && PyList_CheckExact(iterable.get())) { // most are the lists of nodes
    if (ok)
      *ok = true;
    for (Py_ssize_t k = 0; k < PyList_Size(iterable.get()); ++k)
      result.push_back(Object::borrow(PyList_GetItem(iterable.get(), k)));
    return result;
  }
  Object iterator = Object::take(iterable ? PyObject_GetIter(iterable.get()) : nullptr);
  if (ok)
    *ok = bool(iterator);
  if (!iterator)
    return result;
  while (PyObject *item = PyIter_Next(iterator.get()))
    result.push_back(Object::take(item));
  PyErr_Clear();
  return result;
}

Object import(const char *module) {
  if (PyObject *there = PyImport_GetModule(nameOf(module)))
    return Object::take(there);
  PyErr_Clear();
  return Object::take(PyImport_ImportModule(module));
}

Object lookup(llvm::StringRef path) {
  auto [head, rest] = path.split('.');
  Object result = import(head.str().c_str());
  while (result && !rest.empty()) {
    std::tie(head, rest) = rest.split('.');
    Object part = result[head.str().c_str()];
    // A module is not there before it is imported.
    if (!part && PyModule_Check(result.get()))
      part = import(path.drop_back(rest.empty() ? 0 : rest.size() + 1).str().c_str());
    result = part;
  }
  return result;
}

Object none() { return Object::borrow(Py_None); }
Object boolean(bool value) { return Object::take(PyBool_FromLong(value)); }
Object integer(int64_t value) { return Object::take(PyLong_FromLongLong(value)); }
Object real(double value) { return Object::take(PyFloat_FromDouble(value)); }
Object string(llvm::StringRef value) { return Object::take(PyUnicode_FromStringAndSize(value.data(), value.size())); }

Object tuple(const std::vector<Object> &items) {
  Object result = Object::take(PyTuple_New(items.size()));
  for (size_t i = 0; i < items.size(); ++i) {
    Py_INCREF(items[i].get());
    PyTuple_SetItem(result.get(), i, items[i].get());
  }
  return result;
}

Object list(const std::vector<Object> &items) { return Object::take(PySequence_List(tuple(items).get())); }

Object call(const Object &callable, const std::vector<Object> &args, const Object &keywords) {
  return Object::take(PyObject_Call(callable.get(), tuple(args).get(), keywords.get()));
}

Object tryCall(const Object &callable, const std::vector<Object> &args, const Object &keywords, std::string &errorType,
               std::string &message) {
  PyObject *result = PyObject_Call(callable.get(), tuple(args).get(), keywords.get());
  if (!result)
    takeError(errorType, message);
  return Object::take(result);
}

bool takeError(std::string &errorType, std::string &message) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  if (!type)
    return false;
  PyErr_NormalizeException(&type, &value, &traceback);
  Object typeOwner = Object::take(type), valueOwner = Object::take(value), tracebackOwner = Object::take(traceback);
  errorType = typeOwner.string("__name__");
  message = valueOwner ? text(valueOwner) : "";
  return true;
}

std::optional<int64_t> asInteger(const Object &object) {
  if (!object || !PyIndex_Check(object.get()))
    return std::nullopt;
  Object index = Object::take(PyNumber_Index(object.get()));
  if (!index)
    return std::nullopt;
  int overflow = 0;
  int64_t value = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow || (value == -1 && PyErr_Occurred())) {
    PyErr_Clear();
    return std::nullopt;
  }
  return value;
}

} // namespace npcc::py

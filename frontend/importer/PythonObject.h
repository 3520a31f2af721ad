#ifndef NPCC_FRONTEND_IMPORTER_PYTHONOBJECT_H
#define NPCC_FRONTEND_IMPORTER_PYTHONOBJECT_H
// The Python C API as the importer uses it: the limited API of 3.11, owning references, no pending errors left behind.
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npcc::py {

/// A counted reference to a Python object, or null.
class Object {
public:
  Object() = default;
  Object(std::nullptr_t) {}
  Object(const Object &other) : pointer(other.pointer) { Py_XINCREF(pointer); }
  Object(Object &&other) noexcept : pointer(other.pointer) { other.pointer = nullptr; }
  Object &operator=(Object other) noexcept {
    std::swap(pointer, other.pointer);
    return *this;
  }
  ~Object() {
    // Tables that live as long as the process outlive the interpreter.
    if (pointer && Py_IsInitialized())
      Py_DECREF(pointer);
  }

  /// Takes over a new reference; a null one clears the pending error.
  static Object take(PyObject *pointer) {
    Object result;
    result.pointer = pointer;
    if (!pointer)
      PyErr_Clear();
    return result;
  }
  static Object borrow(PyObject *pointer) {
    Py_XINCREF(pointer);
    return take(pointer);
  }

  PyObject *get() const { return pointer; }
  explicit operator bool() const { return pointer; }
  bool operator==(const Object &other) const { return pointer == other.pointer; }
  bool isNone() const { return pointer == Py_None; }

  /// Attribute `name`, null if there is none.
  Object operator[](const char *name) const;
  std::string string(const char *name) const;
  int64_t integer(const char *name, int64_t otherwise = 0) const;
  /// The elements of attribute `name`, a list or tuple.
  std::vector<Object> list(const char *name) const;

private:
  PyObject *pointer = nullptr;
};

std::string toString(PyObject *unicode);
std::string repr(const Object &object);
/// str(object).
std::string text(const Object &object);
std::string typeName(const Object &object);
bool isInstance(const Object &object, const Object &type);
/// The elements of any finite iterable; empty and `ok` false where it is none.
std::vector<Object> elements(const Object &iterable, bool *ok = nullptr);
Object import(const char *module);
/// `path` is "module.attribute.attribute"; null if there is no such thing.
Object lookup(llvm::StringRef path);
Object none();
Object boolean(bool value);
Object integer(int64_t value);
Object real(double value);
Object string(llvm::StringRef value);
Object tuple(const std::vector<Object> &items);
Object list(const std::vector<Object> &items);
Object call(const Object &callable, const std::vector<Object> &args, const Object &keywords = {});
/// As `call`; on failure the exception's type name and message are stored.
Object tryCall(const Object &callable, const std::vector<Object> &args, const Object &keywords, std::string &errorType,
               std::string &message);
/// Takes the pending error, if there is one.
bool takeError(std::string &errorType, std::string &message);
std::optional<int64_t> asInteger(const Object &object);
inline bool isTrue(const Object &object) { return object && PyObject_IsTrue(object.get()) == 1; }

} // namespace npcc::py
#endif

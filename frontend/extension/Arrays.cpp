// Arrays of the package, and what types arguments have.
#include "frontend/extension/Extension.h"
#include "frontend/extension/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstring>

using namespace npcc;
using namespace npcc::extension;

/// types_of(arguments) -> ("float64[:,:]", "float", None, ...): None for a compile-time constant; TypeError for what is nothing of these.
static PyObject *typesOf(PyObject *, PyObject *arguments) {
  Py_ssize_t count = PyTuple_Size(arguments);
  if (count < 0)
    return nullptr;
  py::Object result = py::Object::take(PyTuple_New(count));
  for (Py_ssize_t k = 0; k < count; ++k) {
    npcc_argument argument;
    int failed = npcc_read_argument(PyTuple_GetItem(arguments, k), &argument);
    Py_XDECREF(argument.owner);
    if (failed)
      return nullptr;
    PyTuple_SetItem(result.get(), k, argument.key == NPCC_KEY_CONSTANT ? Py_NewRef(Py_None) : toPython(typeText(argument.key)));
  }
  return Py_NewRef(result.get());
}

/// columns_of(rows, class, width) -> what stands in each place of the tuples of a list, as lists; None where not all
/// are tuples of the class and the width. Calls take many tuples apart so.
static PyObject *columnsOf(PyObject *, PyObject *args) {
  PyObject *rows, *kind;
  Py_ssize_t width;
  if (!PyArg_ParseTuple(args, "O!On", &PyList_Type, &rows, &kind, &width))
    return nullptr;
  Py_ssize_t count = PyList_Size(rows);
  py::Object columns = py::Object::take(PyList_New(width));
  llvm::SmallVector<PyObject *> lists;
  for (Py_ssize_t k = 0; columns && k < width; ++k) {
    PyObject *column = PyList_New(count);
    if (!column || PyList_SetItem(columns.get(), k, column))
      return nullptr;
    lists.push_back(column);
  }
  for (Py_ssize_t row = 0; row < count; ++row) {
    PyObject *tuple = PyList_GetItem(rows, row); // borrowed
    if (reinterpret_cast<PyObject *>(Py_TYPE(tuple)) != kind || PyTuple_Size(tuple) != width)
      return Py_NewRef(Py_None);
    for (Py_ssize_t k = 0; k < width; ++k)
      PyList_SetItem(lists[k], row, Py_NewRef(PyTuple_GetItem(tuple, k)));
  }
  return Py_NewRef(columns.get());
}

/// is_uniform(numbers) -> whether a list holds floats only, or ints of 64 bits only. What it says yes to needs not be
/// read to see that it is one parameter.
static PyObject *isUniform(PyObject *, PyObject *numbers) {
  Py_ssize_t count = PyList_Check(numbers) ? PyList_Size(numbers) : 0;
  bool areFloats = count > 0, areInts = count > 0;
  for (Py_ssize_t k = 0; k < count && (areFloats || areInts); ++k) {
    PyObject *number = PyList_GetItem(numbers, k); // borrowed
    areFloats &= PyFloat_CheckExact(number);
    areInts &= PyLong_CheckExact(number);
    int overflow = 0;
    if (areInts && PyLong_AsLongLongAndOverflow(number, &overflow) == -1 && overflow)
      areInts = false;
  }
  return PyBool_FromLong(areFloats || areInts);
}

/// first_call(arguments, copied) -> for each what the compiler may know of it (Options::firstCall). `copied`: arrays of
/// the CPU will be copied to a device.
static PyObject *firstCall(PyObject *, PyObject *args) {
  PyObject *arguments;
  int copied;
  if (!PyArg_ParseTuple(args, "O!p", &PyTuple_Type, &arguments, &copied))
    return nullptr;
  // As much of an address as alignment may depend on.
  constexpr uintptr_t alignment = 256;
  Py_ssize_t count = PyTuple_Size(arguments);
  py::Object result = py::Object::take(PyTuple_New(count));
  for (Py_ssize_t k = 0; k < count; ++k) {
    npcc_argument argument;
    int failed = npcc_read_argument(PyTuple_GetItem(arguments, k), &argument);
    py::Object owner = py::Object::take(argument.owner);
    if (failed)
      return nullptr;
    std::vector<int64_t> known;
    if ((argument.key & 3) == NPCC_ARRAY) {
      const npcc_array &array = argument.array;
      known.assign(array.shape, array.shape + array.rank);
      known.push_back(copied && array.device < 0 ? 0 : reinterpret_cast<uintptr_t>(array.data) % alignment);
    } else if ((argument.key & 3) == NPCC_SCALAR && (argument.key >> 3 & 31) <= NPCC_UINT64) {
      known.push_back(argument.value.i);
    } else if ((argument.key & 3) == NPCC_SCALAR && (argument.key >> 3 & 31) == NPCC_FLOAT64) {
      int64_t bits;
      std::memcpy(&bits, &argument.value.f, sizeof bits);
      known.push_back(bits);
    }
    PyObject *numbers = PyTuple_New(known.size());
    for (size_t number = 0; numbers && number < known.size(); ++number)
      PyTuple_SetItem(numbers, number, PyLong_FromLongLong(known[number]));
    PyTuple_SetItem(result.get(), k, numbers);
  }
  return Py_NewRef(result.get());
}

/// from_object(array) -> an Array of the same memory.
static PyObject *fromObject(PyObject *, PyObject *object) {
  npcc_argument argument;
  if (npcc_read_argument(object, &argument)) {
    Py_XDECREF(argument.owner);
    return nullptr;
  }
  py::Object owner = py::Object::take(argument.owner);
  if ((argument.key & 3) != NPCC_ARRAY) {
    PyErr_Format(PyExc_TypeError, "%R is not an array", object);
    return nullptr;
  }
  npcc_status status = unlocked([&] { return npcc_order_producers(&argument, 1, 1); });
  if (status.error)
    return raise(status);
  return npcc_array_wrap(&argument.array, owner ? owner.get() : object);
}

/// empty(shape, dtype, device) -> Array
static PyObject *empty(PyObject *, PyObject *args) {
  PyObject *shape, *descr;
  int device;
  if (!PyArg_ParseTuple(args, "O!Oi", &PyTuple_Type, &shape, &descr, &device))
    return nullptr;
  int dtype = npcc_dtype_of_descr(reinterpret_cast<npcc_numpy_descr *>(descr));
  Py_ssize_t rank = PyTuple_Size(shape);
  if (dtype < 0 || rank > NPCC_MAX_RANK) {
    PyErr_Format(PyExc_TypeError, "npcc does not support arrays of dtype %R and %zd axes", descr, rank);
    return nullptr;
  }
  int64_t extents[NPCC_MAX_RANK];
  for (Py_ssize_t axis = 0; axis < rank; ++axis)
    extents[axis] = PyLong_AsLongLong(PyTuple_GetItem(shape, axis));
  npcc_array array;
  if (PyErr_Occurred() || npcc_array_allocate(&array, dtype, static_cast<int>(rank), extents, device))
    return nullptr;
  return npcc_array_wrap(&array, nullptr);
}

/// set_array_type(type): a subclass of Array; results of calls are of it from now on.
static PyObject *setArrayType(PyObject *, PyObject *type) {
  if (!PyType_Check(type) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(type), npcc_array_base_type)) {
    PyErr_SetString(PyExc_TypeError, "a subclass of Array is needed");
    return nullptr;
  }
  npcc_array_type = reinterpret_cast<PyTypeObject *>(Py_NewRef(type));
  return Py_NewRef(Py_None);
}

PyMethodDef npcc::extension::arrayMethods[] = {{"types_of", typesOf, METH_O, nullptr},
                                               {"columns_of", columnsOf, METH_VARARGS, nullptr},
                                               {"is_uniform", isUniform, METH_O, nullptr},
                                               {"first_call", firstCall, METH_VARARGS, nullptr},
                                               {"from_object", fromObject, METH_O, nullptr},
                                               {"empty", empty, METH_VARARGS, nullptr},
                                               {"set_array_type", setArrayType, METH_O, nullptr},
                                               {nullptr, nullptr, 0, nullptr}};

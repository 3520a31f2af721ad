// `_npcc.Launch`: what kernel[grid, block] of npcc.cuda.jit gives. A launch whose arguments need no preparation calls
// the compiled function without any code of Python's; the first one, and what else there is, goes to the package
// (npcc/threads/launches.py).
#include "frontend/extension/RepeatedLaunches.h"
#include "runtime/abi/streams.h"
#include <cstring>

using namespace npcc;
using namespace npcc::extension;

namespace {

constexpr Py_ssize_t shapeSize = 7; // the grid, the block and the bytes of shared memory
constexpr Py_ssize_t mostArguments = 64;
constexpr int64_t exactDouble = int64_t(1) << 53; // integers up to it are

/// What the kernel declares of a parameter; of numbers the rank is -1.
struct Declared {
  int dtype, rank;
};

struct LaunchObject {
  PyObject head;
  npcc_vectorcall call;
  PyObject *dict;
  PyObject *shape[shapeSize];
  PyObject *package;    // (*args, **names): any launch; package.explain(error) says which kernel it was
  PyObject *extensions; // a list: what changes arguments, if there is anything in it
  PyObject *function;   // the npcc.Function of a launch with `count` arguments; null: the package has not launched yet
  PyObject *stream;     // holds what `handle` is of, or null
  Py_ssize_t count;
  int device;
  void *handle;       // of the stream that it goes to, null: of no particular one
  Declared *declared; // null: nothing
  RepeatedLaunches *repeated;
};

LaunchObject *launchOf(PyObject *object) { return reinterpret_cast<LaunchObject *>(object); }

bool isNumpyScalar(const PyTypeObject *type) {
  for (const PyTypeObject *known : npcc_numpy.scalar)
    if (type == known)
      return true;
  return false;
}

/// Whether the compiled function takes the argument as it is.
bool isPlain(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == npcc_array_type || type == npcc_array_base_type || type == &PyLong_Type || type == &PyFloat_Type ||
      type == &PyBool_Type || npcc_is_array_class(type))
    return true;
  if (type == npcc_numpy.array)
    return npcc_dtype_of_descr(reinterpret_cast<npcc_numpy_array *>(object)->descr) >= 0;
  return isNumpyScalar(type);
}

/// The dtype and rank of a plain array; rank -1: it is a number.
Declared describe(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == npcc_array_type || type == npcc_array_base_type) {
    const npcc_array &array = reinterpret_cast<npcc_array_object *>(object)->array;
    return {array.dtype, array.rank};
  }
  if (type == npcc_numpy.array) {
    auto *array = reinterpret_cast<npcc_numpy_array *>(object);
    return {npcc_dtype_of_descr(array->descr), array->rank};
  }
  npcc_array array;
  void *stream;
  if (npcc_read_by_class(object, &array, &stream))
    return {array.dtype, array.rank};
  return {-1, -1};
}

bool isInteger(int dtype) { return dtype >= NPCC_INT8 && dtype <= NPCC_UINT64; }
bool isFloat(int dtype) { return dtype >= NPCC_FLOAT16 && dtype <= NPCC_FLOAT64; }

/// A number of Python's as the declared type has it; null, without an exception, where that is left to the package.
PyObject *convert(PyObject *object, int dtype) {
  npcc_value value;
  if (Py_TYPE(object) == &PyLong_Type && (isInteger(dtype) || isFloat(dtype))) {
    int overflow;
    value.i = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow || (isFloat(dtype) && (value.i < -exactDouble || value.i > exactDouble)))
      return nullptr;
    if (isFloat(dtype))
      value.f = static_cast<double>(value.i);
  } else if (Py_TYPE(object) == &PyFloat_Type && (dtype == NPCC_FLOAT32 || dtype == NPCC_FLOAT64)) {
    value.f = PyFloat_AsDouble(object);
  } else {
    return nullptr;
  }
  double element[2];
  npcc_store_element(dtype, &value, element);
  PyObject *made = npcc_numpy.new_scalar(element, npcc_numpy.descr[dtype], nullptr);
  if (!made)
    PyErr_Clear();
  return made;
}

/// The arguments of one launch as the compiled function takes them.
class Prepared {
public:
  explicit Prepared(LaunchObject &self) : self(self) { memcpy(all, self.shape, sizeof self.shape); }
  ~Prepared() {
    for (Py_ssize_t k = 0; k < madeCount; ++k)
      Py_DECREF(made[k]);
  }
  /// False: they are left to the package.
  bool take(PyObject *const *args) {
    for (Py_ssize_t k = 0; k < self.count; ++k)
      if (!isPlain(args[k]) || !(all[shapeSize + k] = self.declared ? fit(args[k], self.declared[k]) : args[k]))
        return false;
    return true;
  }
  PyObject *const *arguments() const { return all; }

private:
  PyObject *fit(PyObject *object, const Declared &declared) {
    Declared own = describe(object);
    if (own.rank >= 0 || declared.rank >= 0)
      return own.rank == declared.rank && own.dtype == declared.dtype ? object : nullptr;
    if (Py_TYPE(object) == npcc_numpy.scalar[declared.dtype])
      return object;
    PyObject *number = convert(object, declared.dtype);
    if (number)
      made[madeCount++] = number;
    return number;
  }

  LaunchObject &self;
  PyObject *all[shapeSize + mostArguments];
  PyObject *made[mostArguments];
  Py_ssize_t madeCount = 0;
};

/// The error that is set tells of the kernel.
void explain(LaunchObject &self) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *done = PyObject_CallMethod(self.package, "explain", "O", value);
  Py_XDECREF(done);
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
}

/// A launch that none remembered is like.
PyObject *callOnStream(LaunchObject &self, npcc_function_object &function, PyObject *const *arguments) {
  npcc_stream_use previous;
  auto enter = [&] { return npcc_rt_enter_stream(self.device, self.handle, &previous); };
  if (npcc_status status = self.handle ? unlocked(enter) : npcc_status{}; status.error)
    return raise(status);
  PyObject *result = function.call(reinterpret_cast<PyObject *>(&function), arguments,
                                   static_cast<size_t>(shapeSize + self.count), nullptr);
  if (self.handle)
    unlocked([&] { npcc_rt_leave_stream(&previous); });
  return result;
}

PyObject *callFunction(LaunchObject &self, PyObject *const *arguments) {
  py::Object held = py::Object::borrow(self.function);
  auto &function = *reinterpret_cast<npcc_function_object *>(held.get());
  PyObject *result;
  if (self.repeated->repeat(function, arguments, self.device, self.handle, result))
    return result;
  result = callOnStream(self, function, arguments);
  if (result)
    self.repeated->remember(function, arguments);
  return result;
}

PyObject *callPackage(LaunchObject &self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  py::Object tuple = py::Object::take(PyTuple_New(count));
  py::Object named = py::Object::take(names ? PyDict_New() : nullptr);
  if (!tuple || (names && !named))
    return PyErr_NoMemory();
  for (Py_ssize_t k = 0; k < count; ++k)
    PyTuple_SetItem(tuple.get(), k, Py_NewRef(args[k]));
  for (Py_ssize_t k = 0; names && k < PyTuple_Size(names); ++k)
    if (PyDict_SetItem(named.get(), PyTuple_GetItem(names, k), args[count + k]))
      return nullptr;
  py::Object package = py::Object::borrow(self.package);
  return PyObject_Call(package.get(), tuple.get(), named.get());
}

PyObject *call(PyObject *object, PyObject *const *args, size_t nargsf, PyObject *names) {
  LaunchObject &self = *launchOf(object);
  Py_ssize_t count = NPCC_VECTORCALL_COUNT(nargsf);
  if (self.function && !names && count == self.count && !PyList_Size(self.extensions)) {
    Prepared prepared(self);
    if (prepared.take(args)) {
      PyObject *result = callFunction(self, prepared.arguments());
      if (!result && PyErr_ExceptionMatches(PyExc_TypeError))
        explain(self);
      return result;
    }
  }
  return callPackage(self, args, count, names);
}

bool readDeclared(PyObject *list, Py_ssize_t count, Declared *&out) {
  out = nullptr;
  if (list == Py_None)
    return true;
  auto *declared = static_cast<Declared *>(PyMem_Malloc(sizeof(Declared) * static_cast<size_t>(count + 1)));
  for (Py_ssize_t k = 0; declared && k < count; ++k) {
    PyObject *descr;
    if (!PyArg_ParseTuple(PyList_GetItem(list, k), "O!i", npcc_numpy.dtype, &descr, &declared[k].rank)) {
      PyMem_Free(declared);
      return false;
    }
    declared[k].dtype = npcc_dtype_of_descr(reinterpret_cast<npcc_numpy_descr *>(descr));
    if (declared[k].dtype < 0) {
      PyErr_Format(PyExc_TypeError, "npcc does not support %R", descr);
      PyMem_Free(declared);
      return false;
    }
  }
  out = declared;
  return declared || PyErr_NoMemory();
}

/// ready(function, count, declared, device, handle, stream): from now on `function` is called for `count` plain
/// arguments. declared: None, or a list with (dtype, rank) of each parameter, of which a number has rank -1; handle: 0,
/// or the stream that it goes to on the device.
PyObject *ready(PyObject *object, PyObject *args) {
  LaunchObject &self = *launchOf(object);
  PyObject *function, *declared, *stream;
  Py_ssize_t count;
  int device;
  unsigned long long handle;
  Declared *read;
  if (!PyArg_ParseTuple(args, "O!nOiKO", npcc_function_type, &function, &count, &declared, &device, &handle, &stream))
    return nullptr;
  if (count > mostArguments || (declared != Py_None && (!PyList_Check(declared) || PyList_Size(declared) != count)))
    return Py_NewRef(Py_None);
  if (!readDeclared(declared, count, read))
    return nullptr;
  PyObject *old[] = {self.function, self.stream};
  PyMem_Free(self.declared);
  self.declared = read;
  self.count = count;
  self.device = device;
  self.handle = reinterpret_cast<void *>(handle);
  self.stream = Py_NewRef(stream);
  self.function = Py_NewRef(function);
  Py_XDECREF(old[0]);
  Py_XDECREF(old[1]);
  return Py_NewRef(Py_None);
}

int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  LaunchObject &self = *launchOf(object);
  for (PyObject *held : {self.dict, self.package, self.extensions, self.function, self.stream})
    Py_VISIT(held);
  return 0;
}

/// The package, the list and the shape are there as long as the object can be called.
int clear(PyObject *object) {
  LaunchObject &self = *launchOf(object);
  Py_CLEAR(self.dict);
  Py_CLEAR(self.function);
  Py_CLEAR(self.stream);
  return 0;
}

void dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  LaunchObject &self = *launchOf(object);
  for (PyObject *number : self.shape)
    Py_XDECREF(number);
  Py_XDECREF(self.package);
  Py_XDECREF(self.extensions);
  PyMem_Free(self.declared);
  delete self.repeated;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(LaunchObject, call), READONLY, nullptr},
                         {"__dictoffset__", T_PYSSIZET, offsetof(LaunchObject, dict), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};
PyGetSetDef attributes[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"_ready", ready, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                       {Py_tp_members, members},
                       {Py_tp_getset, attributes},
                       {Py_tp_methods, methods},
                       {0, nullptr}};
PyType_Spec spec = {
    "npcc.Launch", sizeof(LaunchObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | NPCC_TPFLAGS_HAVE_VECTORCALL, slots};
PyTypeObject *launchType;

/// launch(package, extensions, shape) -> Launch
PyObject *newLaunch(PyObject *, PyObject *args) {
  PyObject *package, *extensions, *shape;
  if (!PyArg_ParseTuple(args, "OO!O!", &package, &PyList_Type, &extensions, &PyTuple_Type, &shape))
    return nullptr;
  if (PyTuple_Size(shape) != shapeSize) {
    PyErr_SetString(PyExc_ValueError, "a launch has seven numbers");
    return nullptr;
  }
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(launchType, Py_tp_alloc));
  PyObject *object = allocate(launchType, 0);
  if (!object)
    return nullptr;
  LaunchObject &self = *launchOf(object);
  self.call = call;
  self.repeated = new RepeatedLaunches(shapeSize);
  for (Py_ssize_t k = 0; k < shapeSize; ++k)
    self.shape[k] = Py_NewRef(PyTuple_GetItem(shape, k));
  self.package = Py_NewRef(package);
  self.extensions = Py_NewRef(extensions);
  return object;
}

PyMethodDef functions[] = {{"launch", newLaunch, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

} // namespace

int npcc::extension::addLaunchType(PyObject *module) {
  launchType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  return launchType ? PyModule_AddFunctions(module, functions) : -1;
}

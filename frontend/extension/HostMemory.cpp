// Memory of the host that the driver gave or knows: page-locked, mapped, managed. NumPy arrays show it by the buffer
// protocol.
#include "frontend/extension/Extension.h"
#include "runtime/abi/host_memory.h"

using namespace npcc;
using namespace npcc::extension;

namespace {
enum Kind { Pinned, Mapped, Managed };
struct HostMemory {
  PyObject head;
  void *memory;
  Py_ssize_t bytes;
  int device, kind;
};
PyTypeObject *hostMemoryType;
constexpr int portable = 1, deviceMap = 2, writeCombined = 4;
} // namespace

static void dealloc(PyObject *object) {
  auto *self = reinterpret_cast<HostMemory *>(object);
  PyTypeObject *type = Py_TYPE(object);
  if (self->memory)
    unlocked([&] { (self->kind == Managed ? npcc_rt_managed_free : npcc_rt_host_free)(self->device, self->memory); });
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static int getBuffer(PyObject *object, Py_buffer *view, int flags) {
  auto *self = reinterpret_cast<HostMemory *>(object);
  return PyBuffer_FillInfo(view, object, self->memory, self->bytes, 0, flags);
}

/// host_memory(kind, device, bytes, write_combined) -> HostMemory; kind: 0 pinned, 1 mapped, 2 managed.
static PyObject *hostMemory(PyObject *, PyObject *args) {
  int kind, device, combined;
  Py_ssize_t bytes;
  if (!PyArg_ParseTuple(args, "iinp", &kind, &device, &bytes, &combined))
    return nullptr;
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(hostMemoryType, Py_tp_alloc));
  py::Object object = py::Object::take(allocate(hostMemoryType, 0));
  if (!object)
    return PyErr_NoMemory();
  auto *self = reinterpret_cast<HostMemory *>(object.get());
  self->kind = kind;
  self->device = device;
  self->bytes = bytes;
  int flags = portable | (kind == Mapped ? deviceMap : 0) | (combined ? writeCombined : 0);
  npcc_status status = unlocked([&] {
    return kind == Managed ? npcc_rt_managed_alloc(device, bytes, &self->memory)
                           : npcc_rt_host_alloc(device, bytes, flags, &self->memory);
  });
  return status.error ? raise(status) : Py_NewRef(object.get());
}

bool extension::isReachableHostMemory(PyObject *array) {
  py::Object at = py::Object::borrow(array);
  for (int depth = 0; at && depth < 64; ++depth) {
    PyTypeObject *type = Py_TYPE(at.get());
    if (type == hostMemoryType)
      return reinterpret_cast<HostMemory *>(at.get())->kind != Pinned;
    if (PyType_IsSubtype(type, npcc_numpy.array))
      at = py::Object::borrow(reinterpret_cast<npcc_numpy_array *>(at.get())->base);
    else if (PyMemoryView_Check(at.get()))
      at = py::Object::take(PyObject_GetAttrString(at.get(), "obj"));
    else
      return false;
  }
  return false;
}

/// host_register(device, address, bytes), host_unregister(device, address): pages of memory that is there already.
static PyObject *hostRegister(PyObject *, PyObject *args) {
  int device;
  unsigned long long address, bytes;
  if (!PyArg_ParseTuple(args, "iKK", &device, &address, &bytes))
    return nullptr;
  npcc_status status = unlocked([&] {
    return npcc_rt_host_register(device, reinterpret_cast<void *>(address), static_cast<int64_t>(bytes), portable);
  });
  return status.error ? raise(status) : Py_NewRef(Py_None);
}
static PyObject *hostUnregister(PyObject *, PyObject *args) {
  int device;
  unsigned long long address;
  if (!PyArg_ParseTuple(args, "iK", &device, &address))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_host_unregister(device, reinterpret_cast<void *>(address)); });
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

static PyObject *memoryInfo(PyObject *, PyObject *number) {
  int64_t free = 0, total = 0;
  long device = PyLong_AsLong(number);
  if (device == -1 && PyErr_Occurred())
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_memory_info(static_cast<int32_t>(device), &free, &total); });
  return status.error ? raise(status)
                      : Py_BuildValue("(LL)", static_cast<long long>(free), static_cast<long long>(total));
}

/// copy_async(to, from): core arrays; the caller keeps the one on the host alive.
static PyObject *copyAsync(PyObject *, PyObject *args) {
  PyObject *to, *from;
  if (!PyArg_ParseTuple(args, "O!O!", npcc_array_base_type, &to, npcc_array_base_type, &from))
    return nullptr;
  npcc_status status;
  {
    ReleaseGil released;
    status = npcc_rt_copy_async(&reinterpret_cast<npcc_array_object *>(to)->array,
                                &reinterpret_cast<npcc_array_object *>(from)->array);
  }
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"host_memory", hostMemory, METH_VARARGS, nullptr},         {"host_register", hostRegister, METH_VARARGS, nullptr},
    {"host_unregister", hostUnregister, METH_VARARGS, nullptr}, {"memory_info", memoryInfo, METH_O, nullptr},
    {"copy_async", copyAsync, METH_VARARGS, nullptr},           {nullptr, nullptr, 0, nullptr}};

int extension::addHostMemoryType(PyObject *module) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
                                {Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
                                {0, nullptr}};
  static PyType_Spec spec = {"npcc.HostMemory", sizeof(HostMemory), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  if (!hostMemoryType)
    hostMemoryType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  return !hostMemoryType || PyModule_AddFunctions(module, functions) ? -1 : 0;
}

// `_npcc.Kernel`: the callable behind npcc.RawKernel and what is made of it, and the modules that kernels are in.
#include "frontend/extension/KernelArguments.h"
#include "runtime/abi/own_kernels.h"
#include "runtime/abi/streams.h"
#include <cstring>
#include <cxxabi.h>
#include <memory>

using namespace npcc;
using namespace npcc::extension;

namespace {

/// A kernel on one device.
struct Loaded {
  void *handle = nullptr;
  std::vector<KernelParameter> parameters;
  bool areKnown = false;
};

struct Details {
  std::string name;
  std::vector<KernelParameter> declared;
  bool isDeclared = false, isCooperative = false;
  std::vector<Loaded> devices; // by ordinal
};

struct KernelObject {
  PyObject head;
  npcc_vectorcall call;
  PyObject *dict, *weakReferences;
  PyObject *prepare; // (device) -> the kernel's handle there
  Details *details;
};

KernelObject *kernelOf(PyObject *object) { return reinterpret_cast<KernelObject *>(object); }

/// What the driver says of the parameters goes before what the source says, which may be read wrongly.
void mergeParameters(const Details &details, Loaded &loaded) {
  int64_t bytes[1024];
  int32_t count = unlocked([&] { return npcc_rt_function_parameters(loaded.handle, 1024, bytes); });
  loaded.areKnown = count >= 0 || details.isDeclared;
  loaded.parameters = details.declared;
  if (count < 0 || count > 1024)
    return;
  if (!details.isDeclared || details.declared.size() != static_cast<size_t>(count))
    loaded.parameters.assign(static_cast<size_t>(count), {});
  for (int32_t k = 0; k < count; ++k) {
    KernelParameter &parameter = loaded.parameters[k];
    int64_t expected = parameter.kind == KernelParameter::Pointer ? 8
                       : parameter.kind == KernelParameter::Scalar
                           ? npcc_rt_dtype_size(static_cast<npcc_dtype>(parameter.dtype))
                           : bytes[k];
    if (expected != bytes[k])
      parameter = {};
    parameter.bytes = bytes[k];
  }
}

bool prepare(KernelObject *self, int32_t device, Loaded *&out) {
  std::vector<Loaded> &devices = self->details->devices;
  if (device < 0 || device > 1023) {
    PyErr_Format(PyExc_ValueError, "there is no CUDA device %d", device);
    return false;
  }
  if (static_cast<size_t>(device) < devices.size() && devices[device].handle) {
    out = &devices[device];
    return true;
  }
  PyObject *number = PyObject_CallFunction(self->prepare, "i", device);
  void *handle = number ? PyLong_AsVoidPtr(number) : nullptr;
  Py_XDECREF(number);
  if (!handle) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_SystemError, "npcc: a kernel without a handle");
    return false;
  }
  if (devices.size() <= static_cast<size_t>(device))
    devices.resize(device + 1);
  devices[device].handle = handle;
  mergeParameters(*self->details, devices[device]);
  out = &devices[device];
  return true;
}

bool readExtents(PyObject *object, int64_t *extents, const char *kernel, const char *what) {
  extents[0] = extents[1] = extents[2] = 1;
  bool isTuple = PyTuple_Check(object);
  if (!isTuple && !PyList_Check(object)) {
    extents[0] = PyLong_AsLongLong(object);
    if (extents[0] != -1 || !PyErr_Occurred())
      return true;
  } else {
    Py_ssize_t count = isTuple ? PyTuple_Size(object) : PyList_Size(object);
    for (Py_ssize_t k = 0; k < count && k < 3; ++k)
      extents[k] = PyLong_AsLongLong(isTuple ? PyTuple_GetItem(object, k) : PyList_GetItem(object, k));
    if (count >= 1 && count <= 3 && !PyErr_Occurred())
      return true;
  }
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "kernel '%s': %s is an integer or a tuple of 1 to 3 of them, not %R", kernel, what,
               object);
  return false;
}

/// grid, block, args, shared_mem, stream by position or name.
bool bind(const char *kernel, PyObject *const *args, Py_ssize_t count, PyObject *names, PyObject *(&out)[5]) {
  static const char *const parameters[] = {"grid", "block", "args", "shared_mem", "stream"};
  if (count > 5) {
    PyErr_Format(PyExc_TypeError,
                 "kernel '%s' is called with (grid, block, args, shared_mem=0, stream=None), not with %zd arguments",
                 kernel, count);
    return false;
  }
  for (Py_ssize_t k = 0; k < count; ++k)
    out[k] = args[k];
  for (Py_ssize_t k = 0; names && k < PyTuple_Size(names); ++k) {
    PyObject *name = PyTuple_GetItem(names, k);
    int found = -1;
    for (int p = 0; p < 5; ++p)
      if (PyUnicode_CompareWithASCIIString(name, parameters[p]) == 0)
        found = p;
    if (found < 0 || out[found]) {
      PyErr_Format(PyExc_TypeError,
                   found < 0 ? "kernel '%s' got an unexpected keyword argument '%U'"
                             : "kernel '%s' got multiple values for '%U'",
                   kernel, name);
      return false;
    }
    out[found] = args[count + k];
  }
  for (int p = 0; p < 3; ++p)
    if (!out[p]) {
      PyErr_Format(PyExc_TypeError, "kernel '%s' is called with (grid, block, args): %s is missing", kernel,
                   parameters[p]);
      return false;
    }
  return true;
}

npcc_status launch(const npcc_launch &what, const KernelArguments &arguments, int32_t device, void *stream) {
  // Where nothing says a stream, a kernel on another library's arrays goes to that library's stream, as its own kernels
  // do.
  if (!stream && !npcc_rt_has_entered_stream(device))
    stream = arguments.producer();
  npcc_stream_use previous;
  npcc_status status;
  if (stream) {
    status = npcc_rt_enter_stream(device, stream, &previous);
    if (status.error)
      return status;
  }
  status = arguments.orderBefore(device, stream);
  if (!status.error)
    status = npcc_rt_launch_function(&what);
  if (!status.error)
    status = arguments.orderAfter(device, stream);
  if (stream)
    npcc_rt_leave_stream(&previous);
  return status;
}

PyObject *call(PyObject *object, PyObject *const *args, size_t nargsf, PyObject *names) {
  KernelObject *self = kernelOf(object);
  const char *name = self->details->name.c_str();
  PyObject *bound[5] = {};
  if (!bind(name, args, NPCC_VECTORCALL_COUNT(nargsf), names, bound))
    return nullptr;
  npcc_launch what{};
  if (!readExtents(bound[0], what.grid, name, "grid") || !readExtents(bound[1], what.block, name, "block"))
    return nullptr;
  if (bound[3]) {
    what.shared_bytes = PyLong_AsLongLong(bound[3]);
    if (what.shared_bytes == -1 && PyErr_Occurred())
      return nullptr;
  }
  void *stream = nullptr;
  bool onStream = false;
  if (bound[4] && bound[4] != Py_None && !readStream(bound[4], stream, onStream))
    return nullptr;
  KernelArguments arguments(name);
  int32_t device;
  Loaded *loaded;
  if (!arguments.read(bound[2]) || !arguments.findDevice(currentDevice, device) || !prepare(self, device, loaded) ||
      !arguments.pack(loaded->areKnown ? &loaded->parameters : nullptr))
    return nullptr;
  what.kernel = loaded->handle;
  what.flags = self->details->isCooperative ? NPCC_LAUNCH_COOPERATIVE : 0;
  what.params = arguments.pointers();
  npcc_status status;
  {
    ReleaseGil released;
    status = launch(what, arguments, device, onStream ? stream : nullptr);
  }
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

PyObject *newKernel(PyTypeObject *type, PyObject *, PyObject *) {
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject *object = allocate(type, 0);
  if (!object)
    return nullptr;
  kernelOf(object)->call = call;
  kernelOf(object)->details = new Details;
  return object;
}

/// _setup(name, parameters or None, prepare, cooperative)
PyObject *setup(PyObject *object, PyObject *args) {
  KernelObject *self = kernelOf(object);
  const char *name;
  PyObject *parameters, *prepareHook;
  int cooperative;
  if (!PyArg_ParseTuple(args, "sOOp", &name, &parameters, &prepareHook, &cooperative))
    return nullptr;
  self->details->name = name;
  self->details->isCooperative = cooperative;
  self->details->declared.clear();
  self->details->devices.clear();
  self->details->isDeclared = parameters != Py_None;
  if (self->details->isDeclared && !readParameters(parameters, self->details->declared))
    return nullptr;
  PyObject *old = self->prepare;
  self->prepare = Py_NewRef(prepareHook);
  Py_XDECREF(old);
  return Py_NewRef(Py_None);
}

/// _declare(parameters): what the source says of them, once that is known; _setup has said None.
PyObject *declare(PyObject *object, PyObject *parameters) {
  Details &details = *kernelOf(object)->details;
  details.declared.clear();
  details.isDeclared = PyTuple_Check(parameters);
  if (details.isDeclared && !readParameters(parameters, details.declared))
    return nullptr;
  return Py_NewRef(Py_None);
}

/// _handle(device) -> the handle on the device.
PyObject *handle(PyObject *object, PyObject *number) {
  long device = PyLong_AsLong(number);
  Loaded *loaded;
  if ((device == -1 && PyErr_Occurred()) || !prepare(kernelOf(object), static_cast<int32_t>(device), loaded))
    return nullptr;
  return PyLong_FromVoidPtr(loaded->handle);
}

/// _pack(args) -> the bytes of each argument as a launch would give them to the kernel, by what is declared.
PyObject *pack(PyObject *object, PyObject *tuple) {
  const Details &details = *kernelOf(object)->details;
  KernelArguments arguments(details.name.c_str());
  if (!arguments.read(tuple) || !arguments.pack(details.isDeclared ? &details.declared : nullptr))
    return nullptr;
  PyObject *result = PyTuple_New(static_cast<Py_ssize_t>(arguments.size()));
  for (size_t k = 0; result && k < arguments.size(); ++k)
    PyTuple_SetItem(result, static_cast<Py_ssize_t>(k),
                    PyBytes_FromStringAndSize(static_cast<const char *>(arguments.bytes(k)),
                                              static_cast<Py_ssize_t>(arguments.packedBytes(k))));
  return result;
}

int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(kernelOf(object)->dict);
  Py_VISIT(kernelOf(object)->prepare);
  return 0;
}

int clear(PyObject *object) {
  Py_CLEAR(kernelOf(object)->dict);
  Py_CLEAR(kernelOf(object)->prepare);
  return 0;
}

void dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (kernelOf(object)->weakReferences)
    PyObject_ClearWeakRefs(object);
  clear(object);
  delete kernelOf(object)->details;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(KernelObject, call), READONLY, nullptr},
                         {"__dictoffset__", T_PYSSIZET, offsetof(KernelObject, dict), READONLY, nullptr},
                         {"__weaklistoffset__", T_PYSSIZET, offsetof(KernelObject, weakReferences), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};
PyGetSetDef attributes[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"_setup", setup, METH_VARARGS, nullptr},
                         {"_declare", declare, METH_O, nullptr},
                         {"_handle", handle, METH_O, nullptr},
                         {"_pack", pack, METH_O, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void *>(newKernel)},
                       {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                       {Py_tp_members, members},
                       {Py_tp_getset, attributes},
                       {Py_tp_methods, methods},
                       {0, nullptr}};
PyType_Spec spec = {"npcc.Kernel", sizeof(KernelObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | NPCC_TPFLAGS_HAVE_VECTORCALL,
                    slots};

/*===---- Modules ----===*/

/// module_load(device, image) -> handle
PyObject *moduleLoad(PyObject *, PyObject *args) {
  int device;
  PyObject *bytes;
  if (!PyArg_ParseTuple(args, "iO", &device, &bytes))
    return nullptr;
  const char *image = PyBytes_AsString(bytes); // bytes end with a zero
  if (!image)
    return nullptr;
  void *module = nullptr;
  npcc_status status;
  {
    ReleaseGil released;
    status = npcc_rt_module_load(device, image, &module);
  }
  return status.error ? raise(status) : PyLong_FromVoidPtr(module);
}

/// module_function(device, module, symbol, name) -> handle
PyObject *moduleFunction(PyObject *, PyObject *args) {
  int device;
  unsigned long long module;
  const char *symbol, *name;
  if (!PyArg_ParseTuple(args, "iKss", &device, &module, &symbol, &name))
    return nullptr;
  void *kernel = nullptr;
  npcc_status status = unlocked(
      [&] { return npcc_rt_module_function(device, reinterpret_cast<void *>(module), symbol, name, &kernel); });
  return status.error ? raise(status) : PyLong_FromVoidPtr(kernel);
}

/// module_global(device, module, symbol) -> (address, bytes)
PyObject *moduleGlobal(PyObject *, PyObject *args) {
  int device;
  unsigned long long module;
  const char *symbol;
  if (!PyArg_ParseTuple(args, "iKs", &device, &module, &symbol))
    return nullptr;
  void *address = nullptr;
  int64_t bytes = 0;
  npcc_status status = unlocked(
      [&] { return npcc_rt_module_global(device, reinterpret_cast<void *>(module), symbol, &address, &bytes); });
  return status.error
             ? raise(status)
             : Py_BuildValue("(KL)", reinterpret_cast<unsigned long long>(address), static_cast<long long>(bytes));
}

/// function_attributes(handle) -> tuple of NPCC_FUNCTION_ATTRIBUTES numbers
PyObject *functionAttributes(PyObject *, PyObject *number) {
  void *kernel = PyLong_AsVoidPtr(number);
  if (!kernel)
    return nullptr;
  int32_t values[NPCC_FUNCTION_ATTRIBUTES];
  npcc_rt_function_attributes(kernel, values);
  PyObject *tuple = PyTuple_New(NPCC_FUNCTION_ATTRIBUTES);
  for (int k = 0; tuple && k < NPCC_FUNCTION_ATTRIBUTES; ++k)
    PyTuple_SetItem(tuple, k, PyLong_FromLong(values[k]));
  return tuple;
}

/// function_blocks(handle, threads, shared_bytes) -> the blocks that run side by side on the whole device
PyObject *functionBlocks(PyObject *, PyObject *args) {
  unsigned long long kernel;
  long long threads, sharedBytes;
  if (!PyArg_ParseTuple(args, "KLL", &kernel, &threads, &sharedBytes))
    return nullptr;
  int64_t blocks = 0;
  npcc_status status = unlocked(
      [&] { return npcc_rt_function_blocks(reinterpret_cast<void *>(kernel), threads, sharedBytes, &blocks); });
  return status.error ? raise(status) : PyLong_FromLongLong(blocks);
}

PyObject *functionSetAttribute(PyObject *, PyObject *args) {
  unsigned long long kernel;
  int attribute, value;
  if (!PyArg_ParseTuple(args, "Kii", &kernel, &attribute, &value))
    return nullptr;
  npcc_status status =
      unlocked([&] { return npcc_rt_function_set_attribute(reinterpret_cast<void *>(kernel), attribute, value); });
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

/// device_attribute(device, number) -> what CUDA says of it
PyObject *deviceAttribute(PyObject *, PyObject *args) {
  int device, attribute;
  int32_t value = 0;
  if (!PyArg_ParseTuple(args, "ii", &device, &attribute))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_device_attribute(device, attribute, &value); });
  return status.error ? raise(status) : PyLong_FromLong(value);
}

/// demangle(symbol) -> "void scale<float>(float*, int)"; a symbol that is not mangled is itself.
PyObject *demangle(PyObject *, PyObject *symbol) {
  std::string name = py::toString(symbol);
  int status = 0;
  std::unique_ptr<char, decltype(&free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), free);
  return toPython(status == 0 && text ? text.get() : name);
}

/// dtype_size(number) -> bytes
PyObject *dtypeSize(PyObject *, PyObject *number) {
  long dtype = PyLong_AsLong(number);
  if (dtype < 0 || dtype >= NPCC_DTYPE_COUNT) {
    PyErr_SetString(PyExc_ValueError, "no dtype");
    return nullptr;
  }
  return PyLong_FromLongLong(npcc_rt_dtype_size(static_cast<npcc_dtype>(dtype)));
}

} // namespace

PyMethodDef npcc::extension::kernelMethods[] = {{"module_load", moduleLoad, METH_VARARGS, nullptr},
                                                {"module_function", moduleFunction, METH_VARARGS, nullptr},
                                                {"module_global", moduleGlobal, METH_VARARGS, nullptr},
                                                {"function_attributes", functionAttributes, METH_O, nullptr},
                                                {"function_set_attribute", functionSetAttribute, METH_VARARGS, nullptr},
                                                {"function_blocks", functionBlocks, METH_VARARGS, nullptr},
                                                {"device_attribute", deviceAttribute, METH_VARARGS, nullptr},
                                                {"layouts_of", layoutsOf, METH_O, nullptr},
                                                {"demangle", demangle, METH_O, nullptr},
                                                {"dtype_size", dtypeSize, METH_O, nullptr},
                                                {nullptr, nullptr, 0, nullptr}};

int extension::addKernelType(PyObject *module) {
  PyObject *type = PyType_FromSpec(&spec);
  int failed = !type || PyModule_AddObjectRef(module, "Kernel", type);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}

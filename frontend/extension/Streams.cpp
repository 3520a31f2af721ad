// Streams, events and the current device.
#include "frontend/extension/Extension.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/streams.h"

using namespace npcc;
using namespace npcc::extension;

thread_local int npcc::extension::currentDevice = 0;

static PyObject *done(const npcc_status &status) { return status.error ? raise(status) : Py_NewRef(Py_None); }
static PyObject *toHandle(const npcc_status &status, void *handle) {
  return status.error ? raise(status) : PyLong_FromVoidPtr(handle);
}
static PyObject *toBool(const npcc_status &status, int32_t value) {
  return status.error ? raise(status) : PyBool_FromLong(value);
}

/// A number behind any of the attributes that libraries have for it; *isFound = false if there is none.
static bool readAttribute(PyObject *object, const char *name, void *&handle, bool &isFound) {
  py::Object value = py::Object::take(PyObject_GetAttrString(object, name));
  if (!value) {
    PyErr_Clear();
    return true;
  }
  if (!PyLong_Check(value.get())) { // ctypes.c_void_p, whose value is None for 0
    py::Object number = py::Object::take(PyObject_GetAttrString(value.get(), "value"));
    PyErr_Clear();
    if (!number || !(PyLong_Check(number.get()) || number.get() == Py_None))
      return true;
    isFound = true;
    handle = number.get() == Py_None ? nullptr : PyLong_AsVoidPtr(number.get());
    return !PyErr_Occurred();
  }
  isFound = true;
  handle = PyLong_AsVoidPtr(value.get());
  return !PyErr_Occurred();
}

bool extension::readStream(PyObject *object, void *&stream, bool &given) {
  given = false;
  if (!object || object == Py_None)
    return true;
  if (PyLong_Check(object)) {
    stream = PyLong_AsVoidPtr(object);
    given = stream != nullptr;
    return !PyErr_Occurred();
  }
  bool isFound = false;
  for (const char *name : {"ptr", "cuda_stream", "handle"})
    if (!isFound && !readAttribute(object, name, stream, isFound))
      return false;
  if (!isFound) {
    py::Object pair = py::Object::take(PyObject_CallMethod(object, "__cuda_stream__", nullptr));
    PyErr_Clear();
    if (pair && PyTuple_Check(pair.get()) && PyTuple_Size(pair.get()) == 2) {
      stream = PyLong_AsVoidPtr(PyTuple_GetItem(pair.get(), 1));
      isFound = !PyErr_Occurred();
    }
  }
  if (!isFound) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%R is no CUDA stream", object);
    return false;
  }
  // Another library's 0 is CUDA's legacy default stream.
  if (!stream)
    stream = reinterpret_cast<void *>(1);
  given = true;
  return true;
}

/// stream_handle(object, device) -> the handle; of npcc's own stream for None and 0.
static PyObject *streamHandle(PyObject *, PyObject *args) {
  PyObject *object;
  int device;
  void *stream = nullptr;
  bool given;
  if (!PyArg_ParseTuple(args, "Oi", &object, &device) || !readStream(object, stream, given))
    return nullptr;
  if (given)
    return PyLong_FromVoidPtr(stream);
  npcc_status status = unlocked([&] { return npcc_rt_stream(device, &stream); });
  return toHandle(status, stream);
}

/// The first arguments of all that follow: a device, and the handle of a stream or an event.
struct Arguments {
  int device = 0;
  unsigned long long first = 0, second = 0;
  bool parse(PyObject *args) { return PyArg_ParseTuple(args, "iK|K", &device, &first, &second); }
  void *a() const { return reinterpret_cast<void *>(first); }
  void *b() const { return reinterpret_cast<void *>(second); }
};

static PyObject *streamNew(PyObject *, PyObject *args) {
  int device, flags, priority;
  void *stream = nullptr;
  if (!PyArg_ParseTuple(args, "iii", &device, &flags, &priority))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_stream_new(device, flags, priority, &stream); });
  return toHandle(status, stream);
}

static PyObject *eventNew(PyObject *, PyObject *args) {
  int device, flags;
  void *event = nullptr;
  if (!PyArg_ParseTuple(args, "ii", &device, &flags))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_event_new(device, flags, &event); });
  return toHandle(status, event);
}

#define NPCC_CALL(NAME, CALL)                                                                                          \
  static PyObject *NAME(PyObject *, PyObject *args) {                                                                  \
    Arguments in;                                                                                                      \
    return in.parse(args) ? done(unlocked([&] { return CALL; })) : nullptr;                                            \
  }
NPCC_CALL(streamDestroy, npcc_rt_stream_destroy(in.device, in.a()))
NPCC_CALL(streamSynchronize, npcc_rt_stream_synchronize(in.device, in.a()))
NPCC_CALL(streamWaitEvent, npcc_rt_stream_wait_event(in.device, in.a(), in.b()))
NPCC_CALL(eventDestroy, npcc_rt_event_destroy(in.device, in.a()))
NPCC_CALL(eventRecord, npcc_rt_event_record(in.device, in.a(), in.b()))
NPCC_CALL(eventSynchronize, npcc_rt_event_synchronize(in.device, in.a()))
NPCC_CALL(orderBuffer, npcc_rt_order_buffer(in.device, in.a()))
#undef NPCC_CALL

static PyObject *streamQuery(PyObject *, PyObject *args) {
  Arguments in;
  int32_t value = 0;
  if (!in.parse(args))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_stream_query(in.device, in.a(), &value); });
  return toBool(status, value);
}

static PyObject *eventQuery(PyObject *, PyObject *args) {
  Arguments in;
  int32_t value = 0;
  if (!in.parse(args))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_event_query(in.device, in.a(), &value); });
  return toBool(status, value);
}

static PyObject *eventElapsed(PyObject *, PyObject *args) {
  Arguments in;
  float milliseconds = 0;
  if (!in.parse(args))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_event_elapsed(in.device, in.a(), in.b(), &milliseconds); });
  return status.error ? raise(status) : PyFloat_FromDouble(milliseconds);
}

/// enter_stream(device, handle) -> what leave_stream takes.
static PyObject *enterStream(PyObject *, PyObject *args) {
  Arguments in;
  npcc_stream_use previous;
  if (!in.parse(args))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_enter_stream(in.device, in.a(), &previous); });
  return status.error ? raise(status)
                      : Py_BuildValue("(Ki)", reinterpret_cast<unsigned long long>(previous.streams), previous.index);
}

static PyObject *leaveStream(PyObject *, PyObject *args) {
  unsigned long long streams;
  int index;
  if (!PyArg_ParseTuple(args, "(Ki)", &streams, &index))
    return nullptr;
  npcc_stream_use previous{reinterpret_cast<void *>(streams), index, 0};
  unlocked([&] { npcc_rt_leave_stream(&previous); });
  return Py_NewRef(Py_None);
}

static PyObject *selectDevice(PyObject *, PyObject *number) {
  long device = PyLong_AsLong(number);
  if (device == -1 && PyErr_Occurred())
    return nullptr;
  currentDevice = static_cast<int>(device);
  return Py_NewRef(Py_None);
}
static PyObject *selectedDevice(PyObject *, PyObject *) { return PyLong_FromLong(currentDevice); }

static PyObject *driverVersion(PyObject *, PyObject *) { return PyLong_FromLong(npcc_rt_cuda_driver_version()); }

PyMethodDef npcc::extension::streamMethods[] = {{"stream_handle", streamHandle, METH_VARARGS, nullptr},
                                                {"stream_new", streamNew, METH_VARARGS, nullptr},
                                                {"stream_destroy", streamDestroy, METH_VARARGS, nullptr},
                                                {"stream_synchronize", streamSynchronize, METH_VARARGS, nullptr},
                                                {"stream_query", streamQuery, METH_VARARGS, nullptr},
                                                {"stream_wait_event", streamWaitEvent, METH_VARARGS, nullptr},
                                                {"event_new", eventNew, METH_VARARGS, nullptr},
                                                {"event_destroy", eventDestroy, METH_VARARGS, nullptr},
                                                {"event_record", eventRecord, METH_VARARGS, nullptr},
                                                {"event_synchronize", eventSynchronize, METH_VARARGS, nullptr},
                                                {"event_query", eventQuery, METH_VARARGS, nullptr},
                                                {"event_elapsed", eventElapsed, METH_VARARGS, nullptr},
                                                {"order_buffer", orderBuffer, METH_VARARGS, nullptr},
                                                {"enter_stream", enterStream, METH_VARARGS, nullptr},
                                                {"leave_stream", leaveStream, METH_VARARGS, nullptr},
                                                {"select_device", selectDevice, METH_O, nullptr},
                                                {"selected_device", selectedDevice, METH_NOARGS, nullptr},
                                                {"driver_version", driverVersion, METH_NOARGS, nullptr},
                                                {nullptr, nullptr, 0, nullptr}};

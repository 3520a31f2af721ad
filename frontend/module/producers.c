#include "frontend/module/producers.h"
#include "runtime/abi/streams.h"
#include <string.h>

int npcc_torch_stream(int device, void **stream) {
  PyObject *torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch.cuda"); /* borrowed */
  PyObject *begun = torch ? PyObject_CallMethod(torch, "is_initialized", NULL) : NULL;
  PyObject *current =
      begun && PyObject_IsTrue(begun) == 1 ? PyObject_CallMethod(torch, "current_stream", "i", device) : NULL;
  PyObject *number = current ? PyObject_GetAttrString(current, "cuda_stream") : NULL;
  int found = number && PyLong_Check(number);
  if (found)
    *stream = PyLong_AsVoidPtr(number);
  if (found && !*stream)
    *stream = (void *)1; /* the legacy default stream */
  Py_XDECREF(number);
  Py_XDECREF(current);
  Py_XDECREF(begun);
  PyErr_Clear();
  return found;
}

/* PyTorch's interface does not say the stream: it is the one that PyTorch works on now. */
static int is_torch(PyObject *object) {
  PyObject *module = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__module__");
  const char *name = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : NULL;
  int found = name && !strncmp(name, "torch", 5) && (!name[5] || name[5] == '.');
  Py_XDECREF(module);
  PyErr_Clear();
  return found;
}

int npcc_producer(PyObject *object, PyObject *interface, int device, void **stream, int *named) {
  PyObject *number = PyDict_GetItemString(interface, "stream");
  *named = number && number != Py_None;
  *stream = *named ? PyLong_AsVoidPtr(number) : NULL;
  if (!number)
    *named = is_torch(object) && npcc_torch_stream(device, stream);
  return PyErr_Occurred() ? -1 : 0;
}

npcc_status npcc_order_heedless(int device) {
  void *legacy = (void *)1, *stream = legacy;
  npcc_status status;
  int is_torch = npcc_torch_stream(device, &stream) && stream != legacy;
  Py_BEGIN_ALLOW_THREADS;
  status = npcc_rt_order_streams(device, legacy, 0);
  if (!status.error && is_torch)
    status = npcc_rt_order_streams(device, stream, 0);
  Py_END_ALLOW_THREADS;
  return status;
}

npcc_status npcc_order_producers(const npcc_argument *arguments, int32_t count, int ours_waits) {
  npcc_status status;
  status.error = NPCC_OK;
  for (int32_t k = 0; k < count && !status.error; ++k) {
    const npcc_argument *argument = &arguments[k];
    int is_first = argument->stream != NULL;
    for (int32_t earlier = 0; earlier < k && is_first; ++earlier)
      is_first =
          arguments[earlier].stream != argument->stream || arguments[earlier].array.device != argument->array.device;
    if (is_first)
      status = npcc_rt_order_streams(argument->array.device, argument->stream, ours_waits);
  }
  return status;
}

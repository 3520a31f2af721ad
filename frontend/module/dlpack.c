#include "frontend/module/array.h"
#include "frontend/module/dlpack.h"
#include "frontend/module/errors.h"
#include "frontend/module/numpy_access.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/streams.h"
#include <stdlib.h>
#include <string.h>

static const DLDataType types[NPCC_DTYPE_COUNT] = {
    {kDLBool, 8, 1},  {kDLInt, 8, 1},   {kDLInt, 16, 1},   {kDLInt, 32, 1},   {kDLInt, 64, 1},      {kDLUInt, 8, 1},     {kDLUInt, 16, 1},
    {kDLUInt, 32, 1}, {kDLUInt, 64, 1}, {kDLFloat, 16, 1}, {kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLComplex, 64, 1}, {kDLComplex, 128, 1},
    {kDLBfloat, 16, 1}};

/*===---- From another library ----===*/

int npcc_read_dltensor(const DLTensor *tensor, int readonly, npcc_array *array) {
  array->dtype = -1;
  for (int k = 0; k < NPCC_DTYPE_COUNT; ++k)
    if (!memcmp(&types[k], &tensor->dtype, sizeof(DLDataType)))
      array->dtype = k;
  if (array->dtype < 0 || tensor->ndim > NPCC_MAX_RANK) {
    PyErr_SetString(PyExc_TypeError, "npcc does not support this array's element type or rank");
    return -1;
  }
  int cuda = tensor->device.type == kDLCUDA || tensor->device.type == kDLCUDAManaged;
  if (!cuda && tensor->device.type != kDLCPU && tensor->device.type != kDLCUDAHost) {
    PyErr_Format(PyExc_TypeError, "npcc does not support arrays on DLPack device type %d", (int)tensor->device.type);
    return -1;
  }
  array->data = (char *)tensor->data + tensor->byte_offset;
  array->rank = tensor->ndim;
  array->device = cuda ? tensor->device.id : NPCC_CPU;
  array->flags = readonly ? NPCC_READONLY : 0;
  int64_t stride = 1;
  for (int axis = tensor->ndim - 1; axis >= 0; --axis) {
    array->shape[axis] = tensor->shape[axis];
    array->strides[axis] = tensor->strides ? tensor->strides[axis] : stride;
    stride *= tensor->shape[axis];
  }
  return 0;
}

static void drop(PyObject *capsule) {
  DLManagedTensor *plain = PyCapsule_GetPointer(capsule, "npcc_used_dltensor");
  if (plain && plain->deleter)
    plain->deleter(plain);
}

static void drop_versioned(PyObject *capsule) {
  DLManagedTensorVersioned *managed = PyCapsule_GetPointer(capsule, "npcc_used_dltensor_versioned");
  if (managed && managed->deleter)
    managed->deleter(managed);
}

/* Moves the tensor from the producer's capsule, which is marked as used, into one of ours, the owner. */
static int consume(PyObject *capsule, npcc_array *array, PyObject **owner) {
  const DLTensor *tensor;
  int readonly = 0;
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    DLManagedTensorVersioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (managed->major != 1) {
      PyErr_Format(PyExc_BufferError, "npcc knows DLPack 1, not %u", (unsigned)managed->major);
      return -1;
    }
    *owner = PyCapsule_New(managed, "npcc_used_dltensor_versioned", drop_versioned);
    if (!*owner)
      return -1;
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    tensor = &managed->dl_tensor;
    readonly = managed->flags & kDLReadOnly;
  } else {
    DLManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
    *owner = managed ? PyCapsule_New(managed, "npcc_used_dltensor", drop) : NULL;
    if (!*owner)
      return -1;
    PyCapsule_SetName(capsule, "used_dltensor");
    tensor = &managed->dl_tensor;
  }
  if (npcc_read_dltensor(tensor, readonly, array)) {
    Py_CLEAR(*owner);
    return -1;
  }
  array->base = *owner;
  return 0;
}

/* obj.__dlpack__(stream=ours, max_version=(1, 0)), with fewer keywords for older libraries. */
static PyObject *ask(PyObject *method, int device) {
  void *handle = NULL;
  int cuda = device >= 0;
  npcc_status status = {0};
  if (cuda) {
    Py_BEGIN_ALLOW_THREADS;
    status = npcc_rt_stream(device, &handle);
    Py_END_ALLOW_THREADS;
  }
  if (status.error) {
    npcc_raise_status(&status);
    return NULL;
  }
  for (int versioned = 1; versioned >= 0; --versioned) {
    PyObject *keywords = PyDict_New(), *args = PyTuple_New(0), *stream = PyLong_FromVoidPtr(handle ? handle : (void *)1);
    PyObject *version = Py_BuildValue("(ii)", 1, 0), *capsule = NULL;
    if (keywords && args && stream && version && (!cuda || !PyDict_SetItemString(keywords, "stream", stream)) &&
        (!versioned || !PyDict_SetItemString(keywords, "max_version", version)))
      capsule = PyObject_Call(method, args, keywords);
    Py_XDECREF(keywords);
    Py_XDECREF(args);
    Py_XDECREF(stream);
    Py_XDECREF(version);
    if (capsule || !versioned || !PyErr_ExceptionMatches(PyExc_TypeError))
      return capsule;
    PyErr_Clear();
  }
  return NULL;
}

int npcc_from_dlpack(PyObject *object, npcc_array *array, PyObject **owner) {
  PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
  if (!method) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      return -1;
    PyErr_Clear();
    return 0;
  }
  int type = kDLCPU, id = 0, result = -1;
  PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
  PyObject *capsule = NULL;
  if (device && PyTuple_Check(device) && PyArg_ParseTuple(device, "ii", &type, &id))
    capsule = ask(method, type == kDLCUDA || type == kDLCUDAManaged ? id : NPCC_CPU);
  if (capsule)
    result = consume(capsule, array, owner) ? -1 : 1;
  Py_XDECREF(capsule);
  Py_XDECREF(device);
  Py_DECREF(method);
  return result;
}

/*===---- To another library ----===*/

typedef struct {
  union {
    DLManagedTensor plain;
    DLManagedTensorVersioned versioned;
  } managed;
  int64_t shape[NPCC_MAX_RANK], strides[NPCC_MAX_RANK];
} exported;

/* The consumer may be done in any thread. */
static void release(void *context) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)context);
  PyGILState_Release(state);
}
static void delete_plain(DLManagedTensor *self) {
  release(self->manager_ctx);
  free(self);
}
static void delete_versioned(DLManagedTensorVersioned *self) {
  release(self->manager_ctx);
  free(self);
}
static void destroy_plain(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor"))
    delete_plain(PyCapsule_GetPointer(capsule, "dltensor"));
}
static void destroy_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    delete_versioned(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

void npcc_dlpack_device(int device, int32_t *type, int32_t *id) {
  int cuda = device >= 0 && device < NPCC_LOGICAL_CPU;
  *type = cuda ? kDLCUDA : kDLCPU;
  *id = cuda ? device : 0;
}

PyObject *npcc_to_dlpack(npcc_array_object *self, int versioned) {
  if (self->array.flags & NPCC_READONLY && !versioned) {
    PyErr_SetString(PyExc_BufferError, "a read-only array needs a consumer that knows DLPack 1.0");
    return NULL;
  }
  exported *memory = malloc(sizeof(exported));
  if (!memory)
    return PyErr_NoMemory();
  DLTensor *tensor = versioned ? &memory->managed.versioned.dl_tensor : &memory->managed.plain.dl_tensor;
  memcpy(memory->shape, self->array.shape, sizeof memory->shape);
  memcpy(memory->strides, self->array.strides, sizeof memory->strides);
  tensor->data = self->array.data;
  npcc_dlpack_device(self->array.device, &tensor->device.type, &tensor->device.id);
  tensor->ndim = self->array.rank;
  tensor->dtype = types[self->array.dtype];
  tensor->shape = memory->shape;
  tensor->strides = memory->strides;
  tensor->byte_offset = 0;
  PyObject *capsule;
  if (versioned) {
    DLManagedTensorVersioned *managed = &memory->managed.versioned;
    managed->major = 1;
    managed->minor = 0;
    managed->manager_ctx = self;
    managed->deleter = delete_versioned;
    managed->flags = self->array.flags & NPCC_READONLY ? kDLReadOnly : 0;
    capsule = PyCapsule_New(managed, "dltensor_versioned", destroy_versioned);
  } else {
    memory->managed.plain.manager_ctx = self;
    memory->managed.plain.deleter = delete_plain;
    capsule = PyCapsule_New(&memory->managed.plain, "dltensor", destroy_plain);
  }
  if (capsule)
    Py_INCREF((PyObject *)self);
  else
    free(memory);
  return capsule;
}

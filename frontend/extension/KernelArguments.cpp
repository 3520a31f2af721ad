#include "frontend/extension/KernelArguments.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/streams.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace npcc;
using namespace npcc::extension;

namespace {
enum ScalarClass { classBool, classInteger, classFloat, classComplex };
ScalarClass classOf(int dtype) {
  return dtype == NPCC_BOOL       ? classBool
         : dtype < NPCC_FLOAT16   ? classInteger
         : dtype < NPCC_COMPLEX64 || dtype == NPCC_BFLOAT16 ? classFloat
                                                            : classComplex;
}
bool isUnsigned(int dtype) { return dtype >= NPCC_UINT8 && dtype <= NPCC_UINT64; }
int64_t sizeOf(int dtype) { return int64_t(1) << npcc_dtype_shift[dtype]; }

/// Whether the integer is one of `bytes` bytes. With isSigned = -1 it is not known how they are read.
bool fits(const KernelArgument &argument, int64_t bytes, int isSigned) {
  bool isLarge = isUnsigned(argument.dtype) && argument.value.u > INT64_MAX;
  int bits = static_cast<int>(8 * bytes);
  if (isLarge)
    return bits == 64 && isSigned != 1;
  int64_t value = argument.value.i, low = bits == 64 ? INT64_MIN : -(int64_t(1) << (bits - 1));
  int64_t high = bits == 64 ? INT64_MAX : (int64_t(1) << (isSigned == 1 ? bits - 1 : bits)) - 1;
  return value >= (isSigned == 0 ? 0 : low) && value <= high;
}

/// The nearest number that a half holds: what stores one expects such.
double roundedToHalf(double value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13); // subnormal halves have fewer bits
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, 11 - exponent)), exponent - 11);
  return std::fabs(rounded) > 65504 ? std::copysign(HUGE_VAL, value) : rounded;
}

/// Whether elements of `given` may be read through a pointer to `wanted`: the same, bytes, integers of one size
/// whatever their sign, the parts of complex numbers, and the bits of halves.
bool pointsTo(int wanted, int given) {
  if (wanted < 0 || wanted == given || sizeOf(wanted) == 1 || sizeOf(given) == 1)
    return true;
  bool integers = classOf(wanted) <= classInteger && classOf(given) <= classInteger;
  if (sizeOf(wanted) == sizeOf(given) && (integers || sizeOf(wanted) == 2))
    return true;
  auto isPart = [](int part, int whole) {
    return (part == NPCC_FLOAT32 && whole == NPCC_COMPLEX64) || (part == NPCC_FLOAT64 && whole == NPCC_COMPLEX128);
  };
  return isPart(wanted, given) || isPart(given, wanted);
}
} // namespace

KernelArguments::~KernelArguments() {
  for (PyObject *owner : owners)
    Py_DECREF(owner);
  if (arguments != fewArguments) {
    delete[] arguments;
    delete[] values;
    delete[] slots;
    delete[] sizes;
  }
}

bool KernelArguments::reserve(size_t size) {
  if (size <= few)
    return true;
  arguments = new KernelArgument[size];
  values = new Slot[size];
  slots = new void *[size];
  sizes = new size_t[size];
  return true;
}

bool KernelArguments::read(PyObject *sequence) {
  bool isTuple = PyTuple_Check(sequence);
  if (!isTuple && !PyList_Check(sequence)) {
    PyErr_Format(PyExc_TypeError, "kernel '%s': the arguments are a tuple, not %R", kernel, Py_TYPE(sequence));
    return false;
  }
  size_t size = static_cast<size_t>(isTuple ? PyTuple_Size(sequence) : PyList_Size(sequence));
  if (!reserve(size))
    return false;
  for (; count < size; ++count) {
    PyObject *item =
        isTuple ? PyTuple_GetItem(sequence, Py_ssize_t(count)) : PyList_GetItem(sequence, Py_ssize_t(count));
    arguments[count].object = item;
    if (!readOne(item, arguments[count]))
      return false;
  }
  return true;
}

bool KernelArguments::readOne(PyObject *object, KernelArgument &out) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == npcc_array_type || type == npcc_array_base_type || PyType_IsSubtype(type, npcc_array_base_type)) {
    const npcc_array &array = reinterpret_cast<npcc_array_object *>(object)->array;
    if (array.device < 0 || array.device >= NPCC_LOGICAL_CPU) {
      PyErr_Format(PyExc_TypeError,
                   "kernel '%s': argument %zu is an array on the CPU: a(...).to('cuda') copies it to the GPU", kernel,
                   count + 1);
      return false;
    }
    out.kind = KernelArgument::Array;
    out.dtype = array.dtype;
    out.device = array.device;
    out.address = array.data;
    out.base = array.base;
    return true;
  }
  if (PyType_IsSubtype(type, npcc_numpy.array) && !PyObject_HasAttrString(object, "__cuda_array_interface__")) {
    if (!isReachableHostMemory(object)) {
      PyErr_Format(
          PyExc_TypeError,
          "kernel '%s': argument %zu is a NumPy array, which is in the host's memory: npcc.array(a, device='cuda') or "
          "cuda.to_device(a) copies it to the GPU",
          kernel, count + 1);
      return false;
    }
    auto *array = reinterpret_cast<npcc_numpy_array *>(object);
    out.kind = KernelArgument::Array;
    out.dtype = npcc_dtype_of_descr(array->descr);
    out.address = array->data;
    return true;
  }
  if (object == Py_None) {
    out.kind = KernelArgument::Address;
    out.address = nullptr;
    return true;
  }
  if (type == &PyBytes_Type) { // a struct, which nobody changes
    owners.push_back(Py_NewRef(object));
    out.kind = KernelArgument::Memory;
    out.address = PyBytes_AsString(object);
    out.bytes = PyBytes_Size(object);
    return true;
  }
  bool isPython = PyLong_Check(object) || type == &PyFloat_Type || type == &PyComplex_Type;
  if (isPython || PyType_IsSubtype(type, npcc_numpy.generic)) {
    npcc_argument argument;
    if (PyType_IsSubtype(type, npcc_numpy.generic)) {
      auto *descr = reinterpret_cast<npcc_numpy_descr *>(PyObject_GetAttrString(object, "dtype"));
      bool isNumber = descr && npcc_dtype_of_descr(descr) >= 0;
      Py_XDECREF(reinterpret_cast<PyObject *>(descr));
      if (!isNumber) {
        PyErr_Clear();
        return readMemory(object, out);
      }
    }
    if (npcc_read_argument(object, &argument)) {
      if (!PyLong_Check(object) || !PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
      PyErr_Clear();
      argument.value.u = PyLong_AsUnsignedLongLong(object);
      if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_OverflowError, "kernel '%s': argument %zu, %R, has more than 64 bits", kernel, count + 1,
                     object);
        return false;
      }
      argument.key = NPCC_KEY(NPCC_SCALAR, NPCC_UINT64, 0, 1, 0);
    }
    out.kind = KernelArgument::Number;
    out.dtype = argument.key >> 3 & 31;
    out.isWeak = argument.key >> 2 & 1;
    out.value = argument.value;
    return true;
  }
  return readForeign(object, out);
}

bool KernelArguments::readForeign(PyObject *object, KernelArgument &out) {
  npcc_array array;
  PyObject *owner = nullptr;
  int named = 0, found = npcc_read_cuda_interface(object, &array, &owner, &out.stream, &named);
  out.isOrdered = found > 0 && named;
  if (!found) {
    found = npcc_from_dlpack(object, &array, &owner);
    if (found > 0 && array.device < 0) {
      Py_DECREF(owner);
      PyErr_Format(PyExc_TypeError, "kernel '%s': argument %zu, %R, is in the host's memory", kernel, count + 1,
                   Py_TYPE(object));
      return false;
    }
  }
  if (found < 0)
    return false;
  if (found) {
    owners.push_back(owner);
    out.kind = KernelArgument::Array;
    out.dtype = array.dtype;
    out.device = array.device;
    out.address = array.data;
    return true;
  }
  // Device memory without a type: CuPy's MemoryPointer, PyCUDA's DeviceAllocation.
  PyObject *number = PyObject_GetAttrString(object, "ptr");
  if (!number) {
    PyErr_Clear();
    number = PyNumber_Index(object);
    PyErr_Clear();
  }
  if (number && PyLong_Check(number)) {
    out.kind = KernelArgument::Address;
    out.address = PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    return !PyErr_Occurred();
  }
  Py_XDECREF(number);
  return readMemory(object, out);
}

/// A struct: numpy.void, a ctypes.Structure, bytes.
bool KernelArguments::readMemory(PyObject *object, KernelArgument &out) {
  Py_buffer view;
  if (!PyObject_CheckBuffer(object) || PyUnicode_Check(object) || PyObject_GetBuffer(object, &view, PyBUF_SIMPLE)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "kernel '%s': argument %zu has the type %R, which no kernel takes", kernel, count + 1,
                 Py_TYPE(object));
    return false;
  }
  memories.emplace_back(static_cast<const char *>(view.buf), static_cast<size_t>(view.len));
  PyBuffer_Release(&view);
  out.kind = KernelArgument::Memory;
  out.address = memories.back().data();
  out.bytes = static_cast<int64_t>(memories.back().size());
  return true;
}

bool KernelArguments::findDevice(int32_t otherwise, int32_t &device) const {
  device = -1;
  for (size_t k = 0; k < count; ++k) {
    int32_t here = arguments[k].device;
    if (here < 0)
      continue;
    if (device >= 0 && here != device) {
      PyErr_Format(PyExc_ValueError, "kernel '%s': argument %zu is on cuda:%d, others are on cuda:%d", kernel, k + 1,
                   static_cast<int>(here), static_cast<int>(device));
      return false;
    }
    device = here;
  }
  if (device < 0)
    device = otherwise;
  return true;
}

bool KernelArguments::wrong(size_t k, const KernelParameter &parameter, const char *why) const {
  const KernelArgument &argument = arguments[k];
  std::string declared = parameter.text.empty() ? "" : " (" + parameter.text + ")";
  if (why) {
    PyErr_Format(PyExc_TypeError, "kernel '%s': argument %zu%s %s", kernel, k + 1, declared.c_str(), why);
  } else if (argument.kind == KernelArgument::Array) {
    PyErr_Format(PyExc_TypeError, "kernel '%s': argument %zu%s is an array of %s", kernel, k + 1, declared.c_str(),
                 argument.dtype < 0 ? "another dtype" : npcc_rt_dtype_name(static_cast<npcc_dtype>(argument.dtype)));
  } else {
    PyErr_Format(PyExc_TypeError, "kernel '%s': argument %zu%s is %R of type %R", kernel, k + 1, declared.c_str(),
                 argument.object, Py_TYPE(argument.object));
  }
  return false;
}

bool KernelArguments::pack(const std::vector<KernelParameter> *parameters) {
  if (parameters && parameters->size() != count) {
    PyErr_Format(PyExc_TypeError, "kernel '%s' has %zu parameters, %zu arguments were given", kernel,
                 parameters->size(), count);
    return false;
  }
  static const KernelParameter unknown;
  for (size_t k = 0; k < count; ++k) {
    slots[k] = &values[k];
    if (!packOne(k, parameters ? (*parameters)[k] : unknown))
      return false;
  }
  return true;
}

bool KernelArguments::packOne(size_t k, const KernelParameter &parameter) {
  const KernelArgument &argument = arguments[k];
  bool isAddress = argument.kind == KernelArgument::Array || argument.kind == KernelArgument::Address;
  switch (parameter.kind) {
  case KernelParameter::Pointer:
    if (argument.kind == KernelArgument::Array && argument.dtype >= 0 && !pointsTo(parameter.dtype, argument.dtype))
      return wrong(k, parameter);
    values[k].address = argument.address;
    sizes[k] = sizeof(void *);
    if (argument.kind == KernelArgument::Number) { // an address, as libraries give them
      if (classOf(argument.dtype) != classInteger)
        return wrong(k, parameter);
      values[k].address = reinterpret_cast<void *>(argument.value.u);
    }
    return argument.kind != KernelArgument::Memory || wrong(k, parameter);
  case KernelParameter::Scalar:
    return argument.kind == KernelArgument::Number ? packNumber(k, parameter.dtype, parameter) : wrong(k, parameter);
  case KernelParameter::Bytes:
  case KernelParameter::Unknown:
    break;
  }
  if (isAddress && parameter.bytes >= 0 && parameter.bytes != sizeof(void *))
    return wrong(k, parameter, "is no pointer");
  if (isAddress) {
    values[k].address = argument.address;
    sizes[k] = sizeof(void *);
    return true;
  }
  if (argument.kind == KernelArgument::Number)
    return packUnknown(k, parameter);
  if (parameter.bytes >= 0 && parameter.bytes != argument.bytes) {
    std::string why =
        "has " + std::to_string(parameter.bytes) + " bytes, " + std::to_string(argument.bytes) + " were given";
    return wrong(k, parameter, why.c_str());
  }
  slots[k] = argument.address;
  sizes[k] = static_cast<size_t>(argument.bytes);
  return true;
}

/// Where the parameter's type is known, a number becomes it if that loses nothing: Python's numbers by their kind,
/// NumPy's scalars by their dtype, integers by their value.
bool KernelArguments::packNumber(size_t k, int dtype, const KernelParameter &parameter) {
  const KernelArgument &argument = arguments[k];
  ScalarClass from = classOf(argument.dtype), to = classOf(dtype);
  npcc_value value = argument.value;
  if (from <= classInteger && to <= classInteger) {
    if (to == classBool ? value.u > 1 : !fits(argument, sizeOf(dtype), !isUnsigned(dtype))) {
      PyErr_Format(PyExc_OverflowError, "kernel '%s': argument %zu (%s) cannot hold %R", kernel, k + 1,
                   parameter.text.c_str(), argument.object);
      return false;
    }
  } else if (argument.isWeak ? from > to || to == classBool : argument.dtype != dtype) {
    return wrong(k, parameter);
  } else if (from <= classInteger) {
    value.f = isUnsigned(argument.dtype) ? double(argument.value.u) : double(argument.value.i);
  }
  if (to == classComplex && from < classComplex)
    value.c = {value.f, 0};
  if (dtype == NPCC_FLOAT16)
    value.f = roundedToHalf(value.f);
  npcc_store_element(dtype, &value, values[k].bytes);
  sizes[k] = static_cast<size_t>(sizeOf(dtype));
  return true;
}

/// Where it is not: NumPy's scalars as they are, Python's int as int64, float as float64; integers may be of the
/// parameter's size.
bool KernelArguments::packUnknown(size_t k, const KernelParameter &parameter) {
  const KernelArgument &argument = arguments[k];
  int64_t size = sizeOf(argument.dtype);
  bool isInteger = classOf(argument.dtype) <= classInteger;
  if (parameter.bytes >= 0 && parameter.bytes != size) {
    bool isSmall = parameter.bytes == 1 || parameter.bytes == 2 || parameter.bytes == 4 || parameter.bytes == 8;
    if (!isInteger || !isSmall || !fits(argument, parameter.bytes, -1)) {
      std::string why = "has " + std::to_string(parameter.bytes) + " bytes, " +
                        npcc_rt_dtype_name(static_cast<npcc_dtype>(argument.dtype)) + " has " + std::to_string(size) +
                        ": pass a NumPy scalar of its type";
      return wrong(k, parameter, why.c_str());
    }
    size = parameter.bytes;
  }
  if (isInteger)
    memcpy(values[k].bytes, &argument.value, 8);
  else
    npcc_store_element(argument.dtype, &argument.value, values[k].bytes);
  sizes[k] = static_cast<size_t>(size);
  return true;
}

/// Whether argument k is of another library that works on a stream of its own, and the first such.
bool KernelArguments::isProducer(size_t k, void *ours) const {
  if (!arguments[k].isOrdered || arguments[k].stream == ours)
    return false;
  for (size_t earlier = 0; earlier < k; ++earlier)
    if (arguments[earlier].isOrdered && arguments[earlier].stream == arguments[k].stream)
      return false;
  return true;
}

void *KernelArguments::producer() const {
  for (size_t k = 0; k < count; ++k)
    if (arguments[k].isOrdered)
      return arguments[k].stream;
  return nullptr;
}

npcc_status KernelArguments::orderBefore(int32_t device, void *ours) const {
  npcc_status status;
  status.error = NPCC_OK;
  for (size_t k = 0; k < count && !status.error; ++k) {
    if (arguments[k].base)
      status = npcc_rt_order_buffer(device, arguments[k].base);
    else if (isProducer(k, ours))
      status = npcc_rt_order_streams(device, arguments[k].stream, 1);
  }
  return status;
}

npcc_status KernelArguments::orderAfter(int32_t device, void *ours) const {
  npcc_status status;
  status.error = NPCC_OK;
  for (size_t k = 0; k < count && !status.error; ++k)
    if (isProducer(k, ours))
      status = npcc_rt_order_streams(device, arguments[k].stream, 0);
  return status;
}

bool extension::readParameters(PyObject *tuple, std::vector<KernelParameter> &out) {
  for (Py_ssize_t k = 0; k < PyTuple_Size(tuple); ++k) {
    const char *kind, *text;
    int dtype;
    long long bytes;
    if (!PyArg_ParseTuple(PyTuple_GetItem(tuple, k), "siLs", &kind, &dtype, &bytes, &text))
      return false;
    out.push_back({static_cast<KernelParameter::Kind>(kind[0]), dtype, bytes, text});
  }
  return true;
}
